//! What results say about strength: pure functions of counts.

mod elo;
mod normal;
mod pairs;

pub use elo::{elo_of_score, score_of_elo};
pub use normal::{Z95, likelihood_below, wilson_interval};
pub use pairs::{EloInterval, Estimate, Interval, Method, PairCounts};
