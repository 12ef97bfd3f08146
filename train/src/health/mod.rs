//! Whether a run learns as it should: what its metrics say when something goes wrong.
//!
//! A loss that is no number is not among them: it ends the run before there are metrics of it.

mod checks;
#[cfg(test)]
mod tests;

use crate::config::Config;
use crate::console::Console;
use crate::metrics::Metrics;
use crate::rating::NetRating;
use checks::CHECKS;

/// Iterations without a warning after which it is worth saying again.
const QUIET_ITERATIONS: usize = 10;

/// Prints a line for each [`warnings`].
pub fn report(console: &Console, history: &[Metrics], config: &Config) {
    for warning in warnings(history, config) {
        console.notice(&format!("warning: {warning}"));
    }
}

/// Prints a line if the network that was rated last has lost what an earlier one could.
pub fn report_rating(console: &Console, ratings: &[NetRating]) {
    let before = &ratings[..ratings.len().saturating_sub(1)];
    if let Some(warning) = checks::lost_strength(ratings).filter(|_| checks::lost_strength(before).is_none()) {
        console.notice(&format!("warning: {warning}"));
    }
}

/// What is new to warn of after the last iteration of `history`, the metrics of a run from its first on: each with the
/// metric, its value and what to look at.
///
/// It follows from the history alone, so that a resumed run says nothing twice.
pub fn warnings(history: &[Metrics], config: &Config) -> Vec<String> {
    let recent = history.len().saturating_sub(QUIET_ITERATIONS).max(1)..history.len();
    let found = CHECKS.iter().filter_map(|check| {
        let text = check(history, config)?;
        let was_there = recent.clone().any(|length| check(&history[..length], config).is_some());
        (!was_there).then_some(text)
    });
    found.collect()
}
