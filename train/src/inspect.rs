//! What a run holds, with every file checked.

use std::fmt;
use std::fs;
use std::path::Path;

use heng_env::{Notation, Variant, variants::VariantVisitor};
use heng_mcts::net::{Device, Learner, checkpoint};
use rayon::prelude::*;
use serde::Serialize;

use crate::after::{self, AfterResult};
use crate::config::Config;
use crate::console::clock;
use crate::error::TrainError;
use crate::metrics::Metrics;
use crate::rating::{NetRating, RatingsFile};
use crate::recovery;
use crate::replay::{Chunk, ChunkFile, verify};
use crate::run_dir::{RunDir, RunDirError};
use crate::state::State;
use crate::tensorboard;

/// What a run holds.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    /// The folder.
    pub run: String,
    /// The variant.
    pub variant: String,
    /// The seed.
    pub seed: u64,
    /// The version of the program that started it.
    pub version: String,
    /// The commit that program was built from.
    pub git_hash: String,
    /// Finished iterations.
    pub iterations: u64,
    /// Learning steps.
    pub learn_steps: u64,
    /// Seconds of work.
    pub seconds: f64,
    /// Networks on disk.
    pub nets: usize,
    /// Games files on disk.
    pub games_files: usize,
    /// Games in them.
    pub games: usize,
    /// Positions in them that are learnt from.
    pub positions: u64,
    /// Files that an interrupted process left behind; resuming removes them.
    pub uncommitted: Vec<String>,
    /// The newest line of metrics.
    pub latest: Option<Metrics>,
    /// The newest rating, if a network was rated.
    pub rating: Option<NetRating>,
    /// The games after training; empty if none were played.
    pub after: Vec<AfterResult>,
}

impl fmt::Display for Inspection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let built = if self.git_hash.is_empty() { String::new() } else { format!(" ({})", self.git_hash) };
        writeln!(out, "{}: {}, seed {}, heng {}{built}", self.run, self.variant, self.seed, self.version)?;
        let worked = clock(self.seconds);
        writeln!(out, "iterations  {}, {} learning steps, {worked} of work", self.iterations, self.learn_steps)?;
        writeln!(out, "nets        {}", self.nets)?;
        writeln!(out, "games       {} in {} files, {} positions", self.games, self.games_files, self.positions)?;
        if let Some(Metrics { loss_total: Some(loss), iteration, .. }) = &self.latest {
            writeln!(out, "loss        {loss:.3} in iteration {iteration}")?;
        }
        if let Some(rating) = &self.rating {
            writeln!(out, "rating      {} in iteration {}", rating.summary(), rating.iteration)?;
        }
        for result in &self.after {
            let AfterResult { opponent, iteration, .. } = result;
            writeln!(out, "after       {opponent}: {} in iteration {iteration}", result.summary().trim_start())?;
        }
        for path in &self.uncommitted {
            writeln!(out, "unfinished  {path} (resuming removes it)")?;
        }
        write!(out, "every file is whole and fits the configuration")
    }
}

/// Reads every file of the run at `root`.
///
/// # Errors
/// The first file that is missing, damaged or does not fit the others.
pub fn inspect(root: &Path) -> Result<Inspection, TrainError> {
    let run = RunDir::open(root)?;
    let config = Config::load(&run.config(), &[])?;
    let variant: Variant = config.variant.parse().map_err(|error| wrong(&run.config(), format!("{error}")))?;
    variant.dispatch(Check { run: &run, config: &config })
}

fn wrong(path: &Path, problem: impl Into<String>) -> TrainError {
    TrainError::Inconsistent { path: path.display().to_string(), problem: problem.into() }
}

struct Check<'a> {
    run: &'a RunDir,
    config: &'a Config,
}

/// What a games file holds.
struct Counts {
    iteration: u64,
    games: usize,
    positions: u64,
}

impl VariantVisitor for Check<'_> {
    type Output = Result<Inspection, TrainError>;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> Result<Inspection, TrainError> {
        let Check { run, config } = self;
        let state =
            State::load(run)?.ok_or_else(|| wrong(&run.state_file(), "missing: the run never got to its start"))?;
        let uncommitted = recovery::uncommitted(run, &state)?;
        let metrics = self.check_metrics(&state)?;
        self.check_networks::<G>(&rules, &state)?;
        let files = ChunkFile::list(&run.games())?;
        let committed: Vec<&ChunkFile> = files.iter().filter(|file| !uncommitted.contains(&file.path)).collect();
        let counts: Vec<Counts> =
            committed.par_iter().map(|file| self.check_games::<G>(&rules, file)).collect::<Result<_, _>>()?;
        self.check_counts(&counts, &metrics, &state)?;
        let program = config.program.clone();
        Ok(Inspection {
            run: run.root().display().to_string(),
            variant: config.variant.clone(),
            seed: config.seed,
            version: program.as_ref().map_or_else(String::new, |program| program.version.clone()),
            git_hash: program.map_or_else(String::new, |program| program.git_hash),
            iterations: state.iteration,
            learn_steps: state.learn_steps,
            seconds: state.seconds,
            nets: state.iteration as usize + 1,
            games_files: committed.len(),
            games: counts.iter().map(|counts| counts.games).sum(),
            positions: counts.iter().map(|counts| counts.positions).sum(),
            uncommitted: uncommitted.iter().map(|path| path.display().to_string()).collect(),
            latest: metrics.last().cloned(),
            rating: RatingsFile::open(run, state.iteration)?.last().cloned(),
            after: after::read(run, state.iteration)?,
        })
    }
}

impl Check<'_> {
    fn check_networks<G: Notation>(&self, rules: &G::Rules, state: &State) -> Result<(), TrainError> {
        let mut newest = None;
        for iteration in 0..=state.iteration {
            let network = recovery::load_net(self.run, iteration, self.config)?;
            if network.shape() != G::shape(rules) {
                let (found, expected) = (network.shape(), G::shape(rules));
                let path = self.run.net(iteration).join(checkpoint::META_FILE);
                return Err(wrong(&path, format!("shape {found:?}, the variant has {expected:?}")));
            }
            newest = Some(network);
        }
        state.check_learner(self.run)?;
        if let Some(network) = newest {
            let mut learner = Learner::new(network, self.config.learn.clone(), &Device::flex(), 1);
            learner.load_state(&self.run.learner(state.iteration))?;
            state.check_learn_steps(self.run, learner.steps())?;
        }
        Ok(())
    }

    fn check_metrics(&self, state: &State) -> Result<Vec<Metrics>, TrainError> {
        let metrics = recovery::read_history(self.run, self.config, state)?;
        let events = self.run.events();
        let contents = fs::read(&events).map_err(RunDirError::io(&events, "read"))?;
        tensorboard::check(&contents).map_err(|problem| wrong(&events, problem))?;
        Ok(metrics)
    }

    fn check_games<G: Notation>(&self, rules: &G::Rules, file: &ChunkFile) -> Result<Counts, TrainError> {
        let chunk = Chunk::read(&file.path)?;
        let differs =
            |key: &str, found: &str, expected: &str| wrong(&file.path, format!("{key} {found}, expected {expected}"));
        if chunk.meta.variant != self.config.variant {
            return Err(differs("variant", &chunk.meta.variant, &self.config.variant));
        }
        if chunk.meta.seed != self.config.seed {
            return Err(differs("seed", &chunk.meta.seed.to_string(), &self.config.seed.to_string()));
        }
        if chunk.meta.iteration != file.iteration {
            return Err(differs("iteration", &chunk.meta.iteration.to_string(), &file.iteration.to_string()));
        }
        verify::<G>(rules, &chunk)?;
        Ok(Counts {
            iteration: file.iteration,
            games: chunk.records.chunk_by(|record, next| record.game == next.game).count(),
            positions: chunk.records.iter().filter(|record| record.is_sample()).count() as u64,
        })
    }

    /// A games file that is missing shows in the counts.
    fn check_counts(&self, counts: &[Counts], metrics: &[Metrics], state: &State) -> Result<(), TrainError> {
        let found: Vec<_> = counts.iter().map(|counts| (counts.iteration, counts.positions)).collect();
        let begun = state.begun.as_ref().map(|begun| (state.iteration + 1, begun.statistics.samples));
        let expected = metrics.iter().map(|metrics| (metrics.iteration, metrics.positions)).chain(begun);
        recovery::check_games(self.run, self.config, "positions", &expected.collect::<Vec<_>>(), &found)?;
        let found: Vec<_> = counts.iter().map(|counts| (counts.iteration, counts.games as u64)).collect();
        let begun = state.begun.as_ref().map(|begun| (state.iteration + 1, begun.statistics.games));
        let expected = metrics.iter().map(|metrics| (metrics.iteration, metrics.games)).chain(begun);
        recovery::check_games(self.run, self.config, "games", &expected.collect::<Vec<_>>(), &found)
    }
}
