//! Ctrl-C: the first asks long work to stop, the second ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit status of a program that Ctrl-C ended, by the convention of shells.
const EXIT_INTERRUPTED: i32 = 130;

/// A signal that follows the first this soon is the same one: `timeout` and some shells send it to the program and to
/// its whole group.
const SAME_SIGNAL: Duration = Duration::from_millis(50);

/// Whether somebody has asked for a stop. Clones share the answer.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to Ctrl-C and to requests to terminate from now on. `on_first` tells the user that the first was heard.
    ///
    /// # Errors
    /// If the program listens already or the system does not allow it.
    pub fn listen(on_first: impl Fn() + Send + 'static) -> Result<Interrupt, ctrlc::Error> {
        let interrupt = Interrupt::default();
        let shared = interrupt.clone();
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || match first {
            None => {
                first = Some(Instant::now());
                shared.request();
                on_first();
            }
            Some(first) if first.elapsed() > SAME_SIGNAL => {
                // They do not hear the signal, and nothing of ours is dropped.
                crate::engine::kill_all();
                std::process::exit(EXIT_INTERRUPTED)
            }
            Some(_) => {}
        })?;
        Ok(interrupt)
    }

    /// Ends the program, and the engines that it runs, at the first signal: for commands that have nothing to save. Where the program
    /// listens already, nothing changes.
    pub fn end_at_once() {
        let _ = ctrlc::set_handler(|| {
            crate::engine::kill_all();
            std::process::exit(EXIT_INTERRUPTED)
        });
    }

    /// Asks for a stop.
    pub fn request(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// What becomes true when a stop is asked for.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether a stop was asked for.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
