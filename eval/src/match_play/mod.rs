//! Matches: two agents, pairs of games with the same opening and colours swapped, the result with its error.

mod block;
mod command;
mod files;
mod kept;
mod pairs;
mod progress;
mod record;
mod report;
mod sprt;
mod time;

pub use command::{MatchArgs, run};
pub use kept::KeptGame;
pub(crate) use pairs::{FinishedPair, PlayError};
pub(crate) use progress::STOP_NOTICE;
pub(crate) use record::GameHeader;
pub use record::{Cause, Ending, GameRecord, TurnNote};
pub use report::{FoundForfeit, MatchReport, Tally};
pub use sprt::{SprtArgs, SprtReport};
pub(crate) use time::warn_of_same_players;
pub use time::{TimeArgs, TimeControl};

use std::io;
use std::num::NonZero;
use std::sync::mpsc;
use std::time::Duration;

use heng_env::{Notation, Seeds};

use crate::agent::Agent;
use crate::interrupt::Interrupt;
use crate::openings::Opening;
use block::Block;

/// A match that is ready to be played.
pub struct Match<G> {
    /// The first and the second player.
    pub players: [Box<dyn Agent<G>>; 2],
    /// One opening for each pair of games.
    pub openings: Vec<Opening<G>>,
    /// Where all random numbers come from.
    pub seeds: Seeds,
    /// Games are played on this many threads, whose number does not change any game.
    pub threads: NonZero<usize>,
    /// The time that players have, and how far a flag may be passed; then the machine does change games.
    pub time: Option<(TimeControl, Duration)>,
}

/// The games of a match are numbered from 0: the two of pair `p` are `2p`, in which the first player is red, and `2p + 1`.
pub(crate) const GAMES_OF_PAIR: usize = 2;

impl<G: Notation> Match<G> {
    /// Plays every game, or fewer if a stop is asked for, and returns the games of all complete pairs in order.
    /// `on_game` is told of each game as it ends, in no particular order.
    ///
    /// # Errors
    /// If the system refuses one of the threads.
    pub fn play(&self, interrupt: &Interrupt, on_game: impl FnMut(&GameRecord)) -> io::Result<Vec<GameRecord>> {
        self.play_from(0, interrupt, on_game)
    }

    /// The same without the games of the pairs before `first_pair`: the others are no different for it.
    ///
    /// # Errors
    /// If the system refuses one of the threads.
    pub fn play_from(
        &self,
        first_pair: usize,
        interrupt: &Interrupt,
        mut on_game: impl FnMut(&GameRecord),
    ) -> io::Result<Vec<GameRecord>> {
        let count = self.openings.len() * GAMES_OF_PAIR;
        let next = std::sync::atomic::AtomicUsize::new(first_pair * GAMES_OF_PAIR);
        let (openings, seeds, time, width) = (&self.openings[..], self.seeds, self.time, self.games_at_once(count));
        let (sender, receiver) = mpsc::channel();
        let mut records: Vec<Option<GameRecord>> = vec![None; count];
        std::thread::scope(|scope| {
            for _ in 0..self.useful_threads(count) {
                let (sender, next) = (sender.clone(), &next);
                let players = [self.players[0].fresh(), self.players[1].fresh()];
                let work = move || {
                    let block = Block::new(players, openings, seeds, width, time);
                    on_one_thread(|| block.play(next, interrupt, |record| drop(sender.send(record))));
                };
                // Without this thread the others' games are of no use: they stop, too.
                std::thread::Builder::new().spawn_scoped(scope, work).inspect_err(|_| interrupt.request())?;
            }
            drop(sender);
            for record in receiver {
                on_game(&record);
                let number = record.number;
                records[number] = Some(record);
            }
            Ok::<(), io::Error>(())
        })?;
        Ok(complete_pairs(records))
    }

    /// A thread without a game would only cost memory.
    fn useful_threads(&self, count: usize) -> usize {
        self.threads.get().min(count).max(1)
    }

    /// Games of one thread at the same time: enough to fill the batches of both players.
    fn games_at_once(&self, count: usize) -> usize {
        if self.time.is_some() || self.players.iter().any(|player| player.is_single()) {
            return 1;
        }
        let batch = self.players.iter().map(|player| player.batch_size()).max().unwrap_or(1);
        (GAMES_OF_PAIR * batch).min(count.div_ceil(self.useful_threads(count))).max(1)
    }
}

/// Keeps what is parallel inside an evaluator on this thread: the games are what is spread over the cores.
pub(crate) fn on_one_thread(work: impl FnOnce() + Send) {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

fn complete_pairs(records: Vec<Option<GameRecord>>) -> Vec<GameRecord> {
    let mut records = records.into_iter();
    let mut complete = Vec::new();
    while let (Some(first), Some(second)) = (records.next(), records.next()) {
        if let (Some(first), Some(second)) = (first, second) {
            complete.extend([first, second]);
        }
    }
    complete
}

#[cfg(test)]
mod tests;
