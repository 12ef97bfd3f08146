//! Stopping on request: the first one ends the run after the current slice of work, the second one at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::console::Console;

/// Exit status of a run that was stopped at once, as shells report an interrupt.
const INTERRUPTED: i32 = 130;

/// Whether somebody asked to stop. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    requests: Arc<AtomicU32>,
}

impl Stop {
    /// Listens to Ctrl-C and to the signals that ask a program to end, and answers on `console`.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn on_signals(console: &Console) -> Result<Stop, ctrlc::Error> {
        let stop = Stop::default();
        let (listener, console) = (stop.clone(), console.clone());
        ctrlc::set_handler(move || {
            if listener.requests.fetch_add(1, Ordering::Relaxed) > 0 {
                // Nothing else to tidy: what is on disk is complete at any moment.
                console.clear();
                std::process::exit(INTERRUPTED);
            }
            console.notice("stopping after the current slice of work; once more stops at once");
        })?;
        Ok(stop)
    }

    /// Asks to stop.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether anybody has asked.
    pub fn is_requested(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0
    }
}
