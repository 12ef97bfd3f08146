//! The bar of the whole run, which moves with the clock.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar};

use crate::console::{Console, TICK, clock, clock_or_dash};

/// Parts of the bar, more than any terminal has columns.
const PARTS: u64 = 1_000;

/// The bar of the whole run. It goes when this is dropped.
pub(super) struct RunBar {
    progress: Arc<Mutex<Progress>>,
    bar: ProgressBar,
    ticks: Option<(Sender<()>, JoinHandle<()>)>,
}

impl RunBar {
    /// Shows `progress` on the console, now and with the clock, measured since `started`.
    pub(super) fn new(console: &Console, progress: Progress, started: Instant) -> RunBar {
        let progress = Arc::new(Mutex::new(progress));
        let bar = console.run_bar(PARTS);
        let (end, ended) = mpsc::channel();
        let (shown, ticking) = (progress.clone(), bar.clone());
        let thread = thread::spawn(move || {
            loop {
                shown.lock().unwrap_or_else(PoisonError::into_inner).show(&ticking, started.elapsed());
                if ended.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
        });
        RunBar { progress, bar, ticks: Some((end, thread)) }
    }

    /// Another iteration is finished, so long after the start.
    pub(super) fn finish_iteration(&self, elapsed: Duration) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.finished += 1;
        progress.finished_at = elapsed;
        progress.show(&self.bar, elapsed);
    }
}

impl Drop for RunBar {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.ticks.take() {
            drop(end);
            // A thread that only draws has nothing to report.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    /// Iterations that were finished at the start.
    pub(super) before: u64,
    /// Iterations that were finished since.
    pub(super) finished: u64,
    /// When the last of them was.
    pub(super) finished_at: Duration,
    /// Iterations after which the run is done.
    pub(super) iterations: Option<u64>,
    /// Time after which it is.
    pub(super) time: Option<Duration>,
}

impl Progress {
    fn show(&self, bar: &ProgressBar, elapsed: Duration) {
        bar.set_position((PARTS as f64 * self.done(elapsed)) as u64);
        bar.set_prefix(self.text(elapsed));
    }

    fn text(&self, elapsed: Duration) -> String {
        let finished = HumanCount(self.before + self.finished);
        let iterations = self.iterations.map_or(String::new(), |limit| format!("/{}", HumanCount(limit)));
        let time = self.time.map_or(String::new(), |limit| format!(" of {}", clock(limit.as_secs_f64())));
        let left = match (self.iterations, self.time) {
            (None, None) => String::new(),
            _ => format!("  {} left", clock_or_dash(self.left(elapsed))),
        };
        format!("{finished}{iterations} iterations  {}{time}{left}", clock(elapsed.as_secs_f64()))
    }

    /// The part of the run that is over, from 0 to 1.
    fn done(&self, elapsed: Duration) -> f64 {
        let finished = (self.before + self.finished) as f64;
        let iterations = self.iterations.map_or(0.0, |limit| finished / limit as f64);
        let time = self.time.map_or(0.0, |limit| elapsed.as_secs_f64() / limit.as_secs_f64());
        iterations.max(time).min(1.0)
    }

    /// Seconds until the first of the limits; `None` while that is not known.
    fn left(&self, elapsed: Duration) -> Option<f64> {
        let time = self.time.map(|limit| limit.saturating_sub(elapsed).as_secs_f64());
        let iterations = self.iterations.filter(|_| self.finished > 0).map(|limit| {
            let to_do = limit.saturating_sub(self.before + self.finished) as f64;
            let each = self.finished_at.as_secs_f64() / self.finished as f64;
            (to_do * each - elapsed.saturating_sub(self.finished_at).as_secs_f64()).max(0.0)
        });
        [time, iterations].into_iter().flatten().reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_until_the_first_limit() {
        let seconds = Duration::from_secs;
        let new = Progress { before: 2, iterations: Some(12), ..Progress::default() };
        assert_eq!(new.text(seconds(5)), "2/12 iterations  0:00:05  - left");
        let later = Progress { finished: 4, finished_at: seconds(40), ..new };
        assert_eq!(later.text(seconds(45)), "6/12 iterations  0:00:45  0:00:55 left");
        assert_eq!(later.done(seconds(45)), 0.5);
        let timed = Progress { time: Some(seconds(60)), ..later.clone() };
        assert_eq!(timed.text(seconds(45)), "6/12 iterations  0:00:45 of 0:01:00  0:00:15 left");
        assert_eq!(timed.done(seconds(45)), 0.75);
        assert_eq!(timed.left(seconds(70)), Some(0.0));
        let endless = Progress { iterations: None, ..later };
        assert_eq!(endless.text(seconds(45)), "6 iterations  0:00:45");
    }
}
