//! Many equal pieces of work on several threads, of which none depends on another.

use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use thiserror::Error;

use crate::interrupt::Interrupt;
use crate::match_play::on_one_thread;

/// Why work cannot go on.
#[derive(Debug, Error)]
pub(crate) enum SpreadError {
    /// The system refuses a thread.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were wanted.
        threads: usize,
        /// What the system says.
        source: io::Error,
    },
    /// A finished piece cannot be kept.
    #[error("cannot keep a finished piece of work: {0}")]
    Keep(io::Error),
}

/// Works on each of `items` with a state that each thread makes for itself, and hands what comes of it to `keep`, in no particular
/// order. `work` answers nothing if it was broken off. A stop leaves the rest.
///
/// # Errors
/// If a thread cannot be started or `keep` fails; the others stop then.
pub(crate) fn spread<T: Sync, S: Send, R: Send>(
    items: &[T],
    threads: NonZero<usize>,
    interrupt: &Interrupt,
    state: impl Fn() -> S,
    work: impl Fn(&mut S, &T) -> Option<R> + Sync,
    mut keep: impl FnMut(R) -> io::Result<()>,
) -> Result<(), SpreadError> {
    let threads = threads.get().min(items.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, work, mut state) = (sender.clone(), &next, &work, state());
            let worker = move || {
                on_one_thread(|| {
                    while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed))
                        && !interrupt.is_requested()
                        && let Some(result) = work(&mut state, item)
                    {
                        drop(sender.send(result));
                    }
                });
            };
            let started = std::thread::Builder::new().spawn_scoped(scope, worker);
            started.map_err(|source| {
                interrupt.request();
                SpreadError::Threads { threads, source }
            })?;
        }
        drop(sender);
        let mut kept = Ok(());
        for result in receiver {
            if kept.is_ok() {
                kept = keep(result).inspect_err(|_| interrupt.request());
            }
        }
        kept.map_err(SpreadError::Keep)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_by_any_number_of_threads() {
        let items: Vec<usize> = (0..50).collect();
        for threads in [1, 2, 7, 80] {
            let mut results = Vec::new();
            let work = |count: &mut usize, item: &usize| {
                *count += 1;
                (*count <= items.len()).then_some(item * item)
            };
            let keep = |result| {
                results.push(result);
                Ok(())
            };
            spread(&items, NonZero::new(threads).unwrap(), &Interrupt::default(), || 0, work, keep).unwrap();
            results.sort_unstable();
            assert_eq!(results, items.iter().map(|item| item * item).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_result_that_cannot_be_kept_stops_the_work() {
        let interrupt = Interrupt::default();
        let full = |_: usize| Err(io::Error::from(io::ErrorKind::StorageFull));
        let spread = spread(&[1, 2, 3], NonZero::<usize>::MIN, &interrupt, || (), |(), &item: &usize| Some(item), full);
        assert!(matches!(spread, Err(SpreadError::Keep(_))) && interrupt.is_requested());
    }
}
