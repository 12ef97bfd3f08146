//! Pairs of games as they are finished, for those who keep them.

use std::collections::BTreeMap;
use std::io;

use heng_env::Notation;

use super::{GAMES_OF_PAIR, GameRecord, KeptGame, Match};
use crate::interrupt::Interrupt;

/// A pair of which both games are over.
pub(crate) struct FinishedPair {
    /// Its number in the match, which is also that of its opening.
    pub(crate) pair: usize,
    /// The text of the start position.
    pub(crate) start: String,
    /// The game in which the first player is red, and the other one.
    pub(crate) games: [KeptGame; 2],
}

impl<G: Notation> Match<G> {
    /// Plays the pairs from `first_pair` on, or fewer if a stop is asked for, and hands each to `on_pair`, in no particular order.
    /// Where that fails, the others stop.
    ///
    /// # Errors
    /// That of `on_pair`, or if the system refuses one of the threads.
    pub(crate) fn play_pairs(
        &self,
        first_pair: usize,
        interrupt: &Interrupt,
        mut on_pair: impl FnMut(FinishedPair) -> io::Result<()>,
    ) -> Result<(), PlayError> {
        let mut halves: BTreeMap<usize, GameRecord> = BTreeMap::new();
        let mut kept = Ok(());
        let played = self.play_from(first_pair, interrupt, |record| {
            let pair = record.number / GAMES_OF_PAIR;
            let Some(other) = halves.remove(&pair) else {
                halves.insert(pair, record.clone());
                return;
            };
            if kept.is_ok() {
                kept = on_pair(finished(pair, [&other, record]));
                if kept.is_err() {
                    interrupt.request();
                }
            }
        });
        kept.map_err(PlayError::Keep)?;
        played.map_err(|source| PlayError::Threads { threads: self.threads.get(), source })?;
        Ok(())
    }
}

fn finished(pair: usize, mut records: [&GameRecord; 2]) -> FinishedPair {
    records.sort_by_key(|record| record.number);
    FinishedPair { pair, start: records[0].start.clone(), games: records.map(KeptGame::of) }
}

/// Why pairs cannot be played on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlayError {
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: io::Error },
    #[error("cannot keep a pair of games: {0}")]
    Keep(io::Error),
}
