//! What results say about strength: pure functions of counts.

pub mod bradley_terry;
mod elo;
mod likelihood_ratio;
mod normal;
mod normalized;
mod pairs;
mod sprt;

pub use elo::{elo_of_score, score_of_elo};
pub use normal::{Z95, likelihood_below, wilson_interval};
pub use normalized::PairStatistics;
pub use pairs::{EloInterval, Estimate, Interval, Method, PairCounts};
pub use sprt::{Decision, EloModel, Sprt, SprtError};

#[cfg(test)]
mod published;
