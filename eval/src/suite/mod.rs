//! Suites: agents rated on the ladders of their variants, so that runs of different times and variants can be compared.
//!
//! Each agent plays the rungs of a ladder in batches of pairs. After each batch it is rated by all its games, and the next batch is
//! against the rung that says most about that rating, the less the more games it has had: so a rating does not hang on a single
//! opponent. Which games those are follows from the seed alone.

mod climb;
mod command;
mod folder;
mod page;
mod playing;
mod report;

pub use command::{SuiteArgs, run};
pub use report::{RungScore, SuiteReport, SuiteRow};

#[cfg(test)]
mod tests;
