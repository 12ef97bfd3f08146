//! Self-play: games that a network plays against itself, to learn from.
//!
//! A [`Group`] is a fixed set of games that share batches of one evaluator. Groups know nothing of each other or of
//! threads, and every game has its own random stream, so the games of a run depend on its seed and configuration alone.

pub mod config;
pub mod group;
mod resignation;
mod seat;
mod start;
pub mod statistics;
#[cfg(test)]
pub(crate) mod tests;

pub use config::SelfPlayConfig;
pub use group::{FinishedGame, Group, GroupSettings};
pub use start::Origin;
pub use statistics::SelfPlayStatistics;
