//! How far long work is: a bar on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between plain lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The progress of work that consists of many equal parts.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    unit: &'static str,
    message: String,
    /// Whether lines are written, since there is no terminal for a bar.
    has_lines: bool,
    /// Parts that were done before this work began.
    before: u64,
    begun: Instant,
    last_line: Instant,
}

impl Progress {
    /// Nothing done of `total` parts, which are called `unit`; nothing is shown outside a terminal if it is to be quiet.
    pub(crate) fn new(total: usize, unit: &'static str, is_quiet: bool) -> Progress {
        let is_terminal = stderr().is_terminal();
        let target = if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{msg}}{{per_sec}}, {{eta}} left");
        let style = ProgressStyle::with_template(&template).expect("the template is valid");
        let bar = ProgressBar::with_draw_target(Some(total as u64), target).with_style(style);
        let has_lines = !is_terminal && !is_quiet;
        let now = Instant::now();
        Progress { bar, unit, message: String::new(), has_lines, before: 0, begun: now, last_line: now }
    }

    /// The work begins now, with `done` of `total` parts done before.
    pub(crate) fn begin(&mut self, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(done as u64);
        self.bar.reset_eta();
        let now = Instant::now();
        (self.before, self.begun, self.last_line) = (done as u64, now, now);
    }

    /// What is said after the counts from now on.
    pub(crate) fn set_message(&mut self, message: &str) {
        self.message = if message.is_empty() { String::new() } else { format!("{message}, ") };
        self.bar.set_message(self.message.clone());
    }

    /// So many more parts are done.
    pub(crate) fn add(&mut self, parts: usize) {
        self.bar.inc(parts as u64);
        if self.has_lines && self.last_line.elapsed() >= LINE_INTERVAL {
            self.last_line = Instant::now();
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
            let each = self.begun.elapsed().as_secs_f64() / done.saturating_sub(self.before).max(1) as f64;
            let left = each * total.saturating_sub(done) as f64;
            self.say_done(&format!("{}{left:.0} s left", self.message));
        }
    }

    /// Writes a line with the counts, where lines are written.
    pub(crate) fn say_done(&self, what: &str) {
        if self.has_lines {
            let (done, total) = (self.bar.position(), self.bar.length().unwrap_or_default());
            // A closed stderr must not stop the work.
            let _ = writeln!(stderr(), "{done}/{total} {}, {what}", self.unit);
        }
    }

    /// What tells the user that the work is about to stop. It may be called from any thread.
    pub(crate) fn stop_notice(&self, notice: &'static str) -> impl Fn() + Send + 'static {
        let bar = self.bar.clone();
        move || {
            bar.suspend(|| {
                // A closed stderr must not keep the result back.
                let _ = writeln!(stderr(), "{notice}");
            });
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
