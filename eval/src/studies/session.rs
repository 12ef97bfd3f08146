//! The running of a study in which one agent does all the work: pieces are spread over threads, kept, and counted.

use std::io::{self, Write};
use std::num::NonZero;

use heng_env::Notation;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::command::StudyArgs;
use super::folder::StudySettings;
use super::playing::{Ended, Player};
use super::spread::{SpreadError, spread};
use crate::agent::Forfeit;
use crate::interrupt::Interrupt;
use crate::journal::{Journal, JournalError};
use crate::match_play::STOP_NOTICE;
use crate::progress::Progress;

/// Why a study cannot go on.
#[derive(Debug, Error)]
pub(crate) enum SessionError {
    /// The work cannot be done or kept.
    #[error(transparent)]
    Spread(#[from] SpreadError),
    /// The agent does not play on.
    #[error("agent `{agent}` {forfeit}")]
    Forfeit {
        /// The agent as it is written.
        agent: String,
        /// Why.
        forfeit: Forfeit,
    },
}

/// What all work of a study shares.
pub(crate) struct Session {
    /// The agent as it is written.
    pub(crate) agent: String,
    pub(crate) journal: Journal,
    pub(crate) progress: Progress,
    pub(crate) interrupt: Interrupt,
    pub(crate) threads: NonZero<usize>,
}

/// What a person calls the parts of a study.
const UNIT: &str = "pieces of work";

impl Session {
    /// Makes the folder of a study or goes on with what is there, of which each finished piece is given to `read`; it may say what is
    /// wrong with it. Listens to Ctrl-C from now on.
    ///
    /// # Errors
    /// If another study is there, somebody is at it, or a line is wrong; if the program listens already.
    pub(crate) fn open<T: DeserializeOwned>(
        args: &StudyArgs,
        settings: &StudySettings,
        read: impl FnMut(T) -> Result<(), String>,
    ) -> Result<Session, Box<dyn std::error::Error + Send + Sync>> {
        let journal =
            Journal::open(&args.directory(&settings.study), settings, read).map_err(Box::<JournalError>::new)?;
        let progress = Progress::new(0, UNIT, args.json);
        let interrupt = Interrupt::listen(progress.stop_notice(STOP_NOTICE))?;
        Ok(Session { agent: settings.agent.clone(), journal, progress, interrupt, threads: args.thread_count() })
    }

    /// Keeps a piece that was finished without [`Session::work`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn keep(&mut self, piece: &impl Serialize) -> Result<(), SessionError> {
        self.journal.append(piece).map_err(SpreadError::Keep)?;
        Ok(())
    }

    /// Whether a stop was asked for; then the user is told how to go on.
    pub(crate) fn is_stopped(&self) -> bool {
        let is_stopped = self.interrupt.is_requested();
        if is_stopped {
            self.progress.finish();
            // A closed stderr is no reason to fail.
            let _ = writeln!(io::stderr(), "what is finished is kept: the same command goes on");
        }
        is_stopped
    }

    /// Has a copy of `player` in each thread work on `items`, and keeps what comes of them in the folder and in `kept`, in no
    /// particular order. A stop leaves the rest.
    ///
    /// # Errors
    /// If a thread cannot be started, something cannot be kept, or the agent does not play on.
    pub(crate) fn work<G: Notation, T: Sync, R: Send + Serialize>(
        &mut self,
        player: &Player<G>,
        items: &[T],
        work: impl Fn(&mut Player<G>, &T) -> Ended<R> + Sync,
        mut kept: impl FnMut(R),
    ) -> Result<(), SessionError> {
        let (journal, progress, interrupt) = (&mut self.journal, &mut self.progress, &self.interrupt);
        let mut forfeited = None;
        let keep = |result: Result<R, Forfeit>| -> io::Result<()> {
            match result {
                Ok(piece) => {
                    journal.append(&piece)?;
                    progress.add(1);
                    kept(piece);
                }
                Err(forfeit) => {
                    forfeited.get_or_insert(forfeit);
                    interrupt.request();
                }
            }
            Ok(())
        };
        spread(items, self.threads, interrupt, || player.fresh(), work, keep)?;
        match forfeited {
            Some(forfeit) => Err(SessionError::Forfeit { agent: self.agent.clone(), forfeit }),
            None => Ok(()),
        }
    }
}

/// Who did the work and how, in a line.
pub(crate) fn subtitle(settings: &StudySettings) -> String {
    let StudySettings { variant, agent, budget, second_budget, seed, .. } = settings;
    format!("{variant}, asked {agent}; {budget} a step, checked with {second_budget}; seed {seed}")
}
