//! The work of the study: searches within two budgets, then games from some of the set-ups; kept as it is done.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::path::Path;

use heng_env::{Notation, Purpose, Seeds};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::games::{self, Played};
use super::search::{SearchProblem, Searched, search};
use super::setups::SetUp;
use crate::agent::Agent;
use crate::interrupt::Interrupt;
use crate::journal::{Journal, JournalError};
use crate::progress::Progress;
use crate::studies::budget::Budget;
use crate::studies::folder::StudySettings;
use crate::studies::spread::{SpreadError, spread};

/// Set-ups that are searched between two writes.
const CHUNK: usize = 16;

/// Parts of equal size, by value, from each of which as many set-ups are drawn for games.
pub(super) const STRATA: usize = 10;

/// What is said when a stop is asked for.
const STOP_NOTICE: &str = "stopping; what is finished is kept, and the same command goes on with it (Ctrl-C again ends the program at \
     once)";

/// A line of the file of finished work.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Piece {
    /// Searches of set-ups that follow each other in the list of those that are studied.
    Searches {
        /// 0 for the first budget, 1 for the second.
        budget: usize,
        /// The place of the first set-up in the list.
        first: usize,
        /// One for each.
        found: Vec<Searched>,
    },
    /// The games from a set-up.
    Games {
        /// Its place in the list.
        set_up: usize,
        /// All of them.
        games: Vec<Played>,
    },
}

/// What is finished, by the place of the set-up in the list of those that are studied.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    /// Within the first and the second budget.
    pub(super) searches: [BTreeMap<usize, Searched>; 2],
    /// Games.
    pub(super) games: BTreeMap<usize, Vec<Played>>,
}

/// Why the work is not finished.
#[derive(Debug, Error)]
pub(super) enum WorkError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Spread(#[from] SpreadError),
    #[error(transparent)]
    Signal(#[from] ctrlc::Error),
    #[error("agent `{agent}`, set-up `{fen}`: {problem}")]
    Search { agent: String, fen: String, problem: SearchProblem },
    #[error("stopped with {done} of {total} {what} done, all kept in {folder}: the same command goes on")]
    Stopped { done: usize, total: usize, what: &'static str, folder: String },
}

/// The work and who does it.
pub(super) struct Work<'a, G: Notation> {
    /// What was asked for.
    pub(super) settings: &'a StudySettings,
    /// The set-ups that are studied.
    pub(super) set_ups: &'a [SetUp<G>],
    /// How many of them games are played from, and how many from each.
    pub(super) sample: usize,
    /// Games from each.
    pub(super) games: usize,
    /// On so many threads, which changes nothing but the time.
    pub(super) threads: NonZero<usize>,
    /// Whether to say nothing while it goes on.
    pub(super) is_quiet: bool,
}

impl<G: Notation> Work<'_, G> {
    /// Does what is missing in the folder of the study, by asking `agent`.
    ///
    /// # Errors
    /// If the folder holds another study, the agent has no opinion, or a stop was asked for before the end.
    pub(super) fn finish(&self, agent: &dyn Agent<G>, directory: &Path) -> Result<(Journal, Done), WorkError> {
        let mut done = Done::default();
        let mut journal = Journal::open(directory, self.settings, |piece: Piece| self.accept(&mut done, piece))?;
        let total = 2 * self.set_ups.len();
        let mut progress = Progress::new(total, "searches", self.is_quiet);
        progress.begin(done.searches.iter().map(BTreeMap::len).sum(), total);
        let interrupt = Interrupt::listen(progress.stop_notice(STOP_NOTICE))?;
        for budget in 0..2 {
            progress.set_message(&self.budget(budget).to_string());
            self.search_all(agent, budget, &mut done, &mut journal, &interrupt, &mut progress)?;
        }
        progress.finish();
        self.check_stopped(&interrupt, done.searches.iter().map(BTreeMap::len).sum(), total, "searches", directory)?;
        let sample: Vec<usize> = self.sample(&done).into_iter().flatten().collect();
        let total = self.games * sample.len();
        let mut progress = Progress::new(total, "games", self.is_quiet);
        progress.begin(done.games.values().map(Vec::len).sum(), total);
        self.play_all(agent, &sample, &mut done, &mut journal, &interrupt, &mut progress)?;
        progress.finish();
        self.check_stopped(&interrupt, done.games.values().map(Vec::len).sum(), total, "games", directory)?;
        Ok((journal, done))
    }

    fn budget(&self, number: usize) -> Budget {
        [self.settings.budget, self.settings.second_budget][number]
    }

    /// Takes a line that was kept, unless it is none of this study.
    fn accept(&self, done: &mut Done, piece: Piece) -> Result<(), String> {
        match piece {
            Piece::Searches { budget, first, found } => {
                if budget > 1 || first + found.len() > self.set_ups.len() {
                    return Err(format!("{} searches from set-up {first} on are not part of the study", found.len()));
                }
                if let Some(wrong) = found.iter().find(|found| found.red_value.is_nan() || found.red_value.abs() > 1.0)
                {
                    return Err(format!("red_value is {}, expected -1 to 1", wrong.red_value));
                }
                done.searches[budget].extend((first..).zip(found));
            }
            Piece::Games { set_up, games } => {
                if set_up >= self.set_ups.len() || games.len() != self.games {
                    return Err(format!("{} games from set-up {set_up} are not part of the study", games.len()));
                }
                done.games.insert(set_up, games);
            }
        }
        Ok(())
    }

    fn search_all(
        &self,
        agent: &dyn Agent<G>,
        budget: usize,
        done: &mut Done,
        journal: &mut Journal,
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> Result<(), WorkError> {
        let found = &mut done.searches[budget];
        let starts = (0..self.set_ups.len()).step_by(CHUNK);
        let missing: Vec<usize> = starts.filter(|first| !found.contains_key(first)).collect();
        let seeds = Seeds::new(self.settings.seed);
        let mut problem = None;
        let work = |agent: &mut Box<dyn Agent<G>>, &first: &usize| {
            let mut one = |index: usize| {
                let number = (budget * self.set_ups.len() + index) as u64;
                let set_up = &self.set_ups[index];
                let found = search(agent.as_mut(), set_up, self.budget(budget), (seeds, number), interrupt)?;
                Some(found.map_err(|problem| self.problem(index, problem)))
            };
            let chunk: Option<Result<Vec<Searched>, WorkError>> =
                (first..self.set_ups.len().min(first + CHUNK)).map(&mut one).collect();
            Some((first, chunk?))
        };
        let keep = |(first, chunk): (usize, Result<Vec<Searched>, WorkError>)| {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(error) => {
                    problem.get_or_insert(error);
                    interrupt.request();
                    return Ok(());
                }
            };
            journal.append(&Piece::Searches { budget, first, found: chunk.clone() })?;
            progress.add(chunk.len());
            found.extend((first..).zip(chunk));
            Ok::<(), io::Error>(())
        };
        spread(&missing, self.threads, interrupt, || agent.fresh(), work, keep)?;
        problem.map_or(Ok(()), Err)
    }

    fn problem(&self, set_up: usize, problem: SearchProblem) -> WorkError {
        let (agent, fen) = (self.settings.agent.clone(), self.set_ups[set_up].fen.clone());
        WorkError::Search { agent, fen, problem }
    }

    /// The set-ups that games are played from, by tenths of the value within the first budget, the lowest first.
    pub(super) fn sample(&self, done: &Done) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.set_ups.len()).collect();
        order.sort_by(|one, other| {
            let value = |index: &usize| done.searches[0][index].red_value;
            value(one).total_cmp(&value(other))
        });
        let (count, seeds) = (order.len(), Seeds::new(self.settings.seed));
        let stratum = |stratum: usize| {
            let mut members = order[count * stratum / STRATA..count * (stratum + 1) / STRATA].to_vec();
            members.shuffle(&mut seeds.stream(Purpose::Openings, stratum as u64));
            let share = self.sample * (stratum + 1) / STRATA - self.sample * stratum / STRATA;
            members.truncate(if self.games == 0 { 0 } else { share });
            members.sort_unstable();
            members
        };
        (0..STRATA).map(stratum).collect()
    }

    fn play_all(
        &self,
        agent: &dyn Agent<G>,
        sample: &[usize],
        done: &mut Done,
        journal: &mut Journal,
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> Result<(), WorkError> {
        let missing: Vec<usize> = sample.iter().copied().filter(|index| !done.games.contains_key(index)).collect();
        let seeds = Seeds::new(self.settings.seed);
        let work = |agent: &mut Box<dyn Agent<G>>, &index: &usize| {
            let start = &self.set_ups[index].position;
            Some((index, games::play(agent.as_mut(), start, index, self.games, seeds, interrupt)?))
        };
        let keep = |(index, games): (usize, Vec<Played>)| {
            journal.append(&Piece::Games { set_up: index, games: games.clone() })?;
            progress.add(games.len());
            done.games.insert(index, games);
            Ok(())
        };
        Ok(spread(&missing, self.threads, interrupt, || agent.fresh(), work, keep)?)
    }

    fn check_stopped(
        &self,
        interrupt: &Interrupt,
        done: usize,
        total: usize,
        what: &'static str,
        directory: &Path,
    ) -> Result<(), WorkError> {
        if !interrupt.is_requested() || done == total {
            return Ok(());
        }
        Err(WorkError::Stopped { done, total, what, folder: directory.display().to_string() })
    }
}
