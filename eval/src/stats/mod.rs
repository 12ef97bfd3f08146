//! What results say about strength: pure functions of counts.

pub mod bradley_terry;
mod cholesky;
mod correlation;
mod elo;
mod least_squares;
mod likelihood_ratio;
mod normal;
mod normalized;
mod pairs;
mod sprt;

pub use correlation::{Correlation, correlation, ranks};
pub use elo::{elo_of_score, score_of_elo};
pub use heng_mcts::interval::{Z95, wilson_interval};
pub use least_squares::{LinearFit, least_squares};
pub use normal::likelihood_below;
pub use normalized::PairStatistics;
pub use pairs::{EloInterval, Estimate, Interval, Method, PairCounts};
pub use sprt::{Decision, EloModel, Sprt, SprtError};

#[cfg(test)]
mod published;
