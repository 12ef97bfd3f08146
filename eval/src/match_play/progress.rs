//! How far a match is: a bar on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::record::GameRecord;
use super::report::Tally;

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// What the first Ctrl-C is answered with.
const STOP_NOTICE: &str = "stopping after the games' current steps; once more stops at once";

/// Where progress goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// A bar if stderr is a terminal, otherwise lines.
    BarOrLines,
    /// A bar if stderr is a terminal, otherwise nothing.
    BarOnly,
}

/// The progress of a match.
pub(super) struct Progress {
    total: usize,
    finished: usize,
    tally: Tally,
    /// What is said after the counts.
    note: String,
    bar: ProgressBar,
    lines: bool,
    started: Instant,
    last_line: Instant,
}

impl Progress {
    /// Nothing played of `total` games.
    pub(super) fn new(total: usize, show: Show) -> Progress {
        let is_terminal = stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} left")
            .expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(total as u64), target).with_style(style);
        let lines = !is_terminal && show == Show::BarOrLines;
        let now = Instant::now();
        let (tally, note) = (Tally::default(), String::new());
        Progress { total, finished: 0, tally, note, bar, lines, started: now, last_line: now }
    }

    /// From now on `note` follows the counts.
    pub(super) fn set_note(&mut self, note: String) {
        self.note = note;
    }

    /// Another game is over.
    pub(super) fn add(&mut self, record: &GameRecord) {
        self.finished += 1;
        self.tally.add(record.half_points_of_first());
        let Tally { wins, draws, losses } = self.tally;
        let counts = format!("{wins} won, {draws} drawn, {losses} lost{}", self.note);
        self.bar.set_message(counts.clone());
        self.bar.inc(1);
        if self.lines && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            let left = seconds / self.finished as f64 * (self.total - self.finished) as f64;
            let games = format!("{}/{} games", self.finished, self.total);
            // A closed stderr must not stop the match.
            let _ = writeln!(stderr(), "{games}, {counts}, {left:.0} s left");
        }
    }

    /// What tells the user that the match is about to stop. It may be called from any thread.
    pub(super) fn stop_notice(&self) -> impl Fn() + Send + 'static {
        let bar = self.bar.clone();
        move || {
            bar.suspend(|| {
                // A closed stderr must not stop the match.
                let _ = writeln!(stderr(), "{STOP_NOTICE}");
            });
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
