//! How far an analysis is: a bar on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::super::STOP_NOTICE;

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The progress of the analysis of a game.
#[derive(Debug)]
pub(in super::super) struct Progress {
    bar: ProgressBar,
    has_lines: bool,
    begun: Instant,
    last_line: Instant,
}

impl Progress {
    /// Nothing done; nothing is shown if it is to be silent.
    pub(in super::super) fn new(is_silent: bool) -> Progress {
        let is_terminal = stderr().is_terminal();
        let target = match is_terminal && !is_silent {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let style =
            ProgressStyle::with_template("{bar:30} {pos}/{len} positions, {eta} left").expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style);
        let now = Instant::now();
        Progress { bar, has_lines: !is_terminal && !is_silent, begun: now, last_line: now }
    }

    /// There are so many positions.
    pub(super) fn begin(&mut self, positions: usize) {
        self.bar.set_length(positions as u64);
        self.bar.reset();
        (self.begun, self.last_line) = (Instant::now(), Instant::now());
    }

    /// Another position is evaluated.
    pub(super) fn add(&mut self) {
        self.bar.inc(1);
        if self.has_lines && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
            let left = self.begun.elapsed().as_secs_f64() / done as f64 * total.saturating_sub(done) as f64;
            // A closed stderr must not stop the analysis.
            let _ = writeln!(stderr(), "{done}/{total} positions, {left:.0} s left");
        }
    }

    /// What tells the user that the analysis is about to stop. It may be called from any thread.
    pub(in super::super) fn stop_notice(&self) -> impl Fn() + Send + 'static {
        let bar = self.bar.clone();
        move || {
            bar.suspend(|| {
                // A closed stderr must not keep the result back.
                let _ = writeln!(stderr(), "{STOP_NOTICE}");
            });
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
