//! How far a tournament is: a bar on a terminal, a line for each finished pairing elsewhere.

use std::io::{IsTerminal, Write, stderr};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What the first Ctrl-C is answered with.
const STOP_NOTICE: &str = "stopping after the games' current steps; once more stops at once";

/// The progress of a tournament.
pub(super) struct Progress {
    bar: ProgressBar,
    has_lines: bool,
}

impl Progress {
    /// Of `total` games, with `finished` of them played before.
    pub(super) fn new(total: usize, finished: usize, is_quiet: bool) -> Progress {
        let is_terminal = stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} left")
            .expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(total as u64), target).with_style(style);
        bar.set_position(finished as u64);
        bar.reset_eta();
        Progress { bar, has_lines: !is_terminal && !is_quiet }
    }

    /// From now on games of this pairing are played.
    pub(super) fn begin(&self, pairing: String) {
        self.bar.set_message(pairing);
    }

    /// A pair of games is over.
    pub(super) fn add_pair(&self) {
        self.bar.inc(2);
    }

    /// A pairing is over.
    pub(super) fn end(&self, line: &str) {
        if self.has_lines {
            // A closed stderr must not stop the tournament.
            let _ = writeln!(stderr(), "{}/{} games, {line}", self.bar.position(), self.bar.length().unwrap_or(0));
        }
    }

    /// What tells the user that the tournament is about to stop. It may be called from any thread.
    pub(super) fn stop_notice(&self) -> impl Fn() + Send + 'static {
        let bar = self.bar.clone();
        move || {
            bar.suspend(|| {
                let _ = writeln!(stderr(), "{STOP_NOTICE}");
            });
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
