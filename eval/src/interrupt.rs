//! Ctrl-C: the first asks long work to stop, the second ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit status of a program that Ctrl-C ended, by the convention of shells.
const EXIT_INTERRUPTED: i32 = 130;

/// A signal that follows the first this soon is the same one: `timeout` and some shells send it to the program and to
/// its whole group.
const SAME_SIGNAL: Duration = Duration::from_millis(300);

/// Whether somebody has asked for a stop. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C and to requests to terminate from now on.
    ///
    /// # Errors
    /// If the program listens already or the system does not allow it.
    pub fn listen() -> Result<Interrupt, ctrlc::Error> {
        let interrupt = Interrupt::default();
        let shared = interrupt.clone();
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || {
            if first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL {
                std::process::exit(EXIT_INTERRUPTED);
            }
            shared.request();
        })?;
        Ok(interrupt)
    }

    /// Asks for a stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether a stop was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
