//! How far the search of a position is, on a terminal.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use heng_env::Notation;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::words::turns_of;
use crate::agent::Opinion;

/// Time between two pictures of what turns.
const TICK: Duration = Duration::from_millis(120);

/// What turns while the agent thinks, with what it knows so far. It is gone when this is dropped.
pub(super) struct Spinner(ProgressBar);

impl Spinner {
    /// Nothing is shown if it is to be silent, or where stderr is no terminal.
    pub(super) fn new(is_silent: bool) -> Spinner {
        let shows = stderr().is_terminal() && !is_silent;
        let target = if shows { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}").expect("the template is valid");
        let bar = ProgressBar::with_draw_target(None, target).with_style(style);
        bar.enable_steady_tick(TICK);
        Spinner(bar)
    }

    /// Shows an opinion that is not the last.
    pub(super) fn show<G: Notation>(&self, position: &G, opinion: &Opinion) {
        let first = opinion.lines.first().and_then(|line| turns_of(position, &line.steps).into_iter().next());
        let best = first.map_or_else(String::new, |turn| format!(", best {}", turn.text));
        let value = opinion.score.map_or_else(String::new, |score| format!(" {score:+.2}"));
        self.0.set_message(format!("depth {}, {} nodes{best}{value}", opinion.depth, opinion.nodes));
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
