//! Puts a run directory into the state of its last commit, however the process before ended.
//!
//! An iteration writes its games files, the network, the optimizer and its line of metrics, each whole or not at all,
//! and `state.json` last. What the committed state does not know of was written by a process that did not get that far.

use std::path::{Path, PathBuf};

use heng_mcts::net::{Network, checkpoint};

use crate::config::Config;
use crate::error::TrainError;
use crate::metrics::Metrics;
use crate::replay::ChunkFile;
use crate::run_dir::{RunDir, remove};
use crate::state::State;

/// What a run has on disk that its last commit vouches for.
#[derive(Debug)]
pub struct Recovered {
    /// The counters.
    pub state: State,
    /// The games files, from old to new.
    pub chunks: Vec<ChunkFile>,
    /// The metrics of the finished iterations.
    pub history: Vec<Metrics>,
}

/// Removes what was never committed and reads what was; `None` if that is nothing at all.
///
/// # Errors
/// If a committed file is missing or damaged, or something cannot be removed.
pub fn recover(run: &RunDir) -> Result<Option<Recovered>, TrainError> {
    let state = State::load(run)?;
    check_orphans(run, state.as_ref())?;
    for path in uncommitted(run, state.as_ref())? {
        remove(&path)?;
    }
    let Some(state) = state else { return Ok(None) };
    state.check_learner(run)?;
    let chunks = ChunkFile::list(&run.games())?;
    let mut history = Metrics::read_all(&run.metrics())??;
    history.retain(|metrics| metrics.iteration <= state.iteration);
    Ok(Some(Recovered { state, chunks, history }))
}

/// Everything in a run that a commit does not vouch for.
///
/// # Errors
/// If a folder cannot be read or a games file has an impossible name.
pub fn uncommitted(run: &RunDir, state: Option<&State>) -> Result<Vec<PathBuf>, TrainError> {
    let mut paths = run.leftovers()?;
    let is_net_committed = |iteration: u64| state.is_some_and(|state| iteration <= state.iteration);
    let nets = run.net_iterations()?.into_iter().filter(|&iteration| !is_net_committed(iteration));
    paths.extend(nets.map(|iteration| run.net(iteration)));
    let is_learner_committed = |iteration: u64| state.is_some_and(|state| iteration == state.iteration);
    let learners = run.learner_iterations()?.into_iter().filter(|&iteration| !is_learner_committed(iteration));
    paths.extend(learners.map(|iteration| run.learner(iteration)));
    for chunk in ChunkFile::list(&run.games())? {
        if !state.is_some_and(|state| is_chunk_committed(state, &chunk)) {
            paths.push(chunk.path);
        }
    }
    Ok(paths)
}

/// Without `state.json`, only a run that was killed before its first commit can start over: anything more is a loss that
/// a person has to know of.
fn check_orphans(run: &RunDir, state: Option<&State>) -> Result<(), TrainError> {
    let newest = run.net_iterations()?.last().copied().unwrap_or(0);
    if state.is_some() || newest == 0 {
        return Ok(());
    }
    let problem = format!("missing, but the run has got to iteration {newest}");
    Err(TrainError::Inconsistent { path: run.state_file().display().to_string(), problem })
}

fn is_chunk_committed(state: &State, chunk: &ChunkFile) -> bool {
    let begun_slices = state.begun.as_ref().map_or(0, |begun| begun.slices);
    let is_of_begun = chunk.iteration == state.iteration + 1 && part_of(&chunk.path) < begun_slices;
    chunk.iteration <= state.iteration || is_of_begun
}

/// The part in `ITERATION-PART-CHECKSUM.parquet`.
fn part_of(path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('-').nth(1).and_then(|part| part.parse().ok()).unwrap_or(0)
}

/// Reads the network of an iteration and checks that it belongs to the run.
///
/// # Errors
/// If a file is missing, damaged or of another run.
pub fn load_net(run: &RunDir, iteration: u64, config: &Config) -> Result<Network, TrainError> {
    let directory = run.net(iteration);
    let (network, meta) = checkpoint::load(&directory)?;
    let path = || directory.join(checkpoint::META_FILE).display().to_string();
    let differs = |what: &str, found: String, expected: String| TrainError::Inconsistent {
        path: path(),
        problem: format!("{what} {found}, the run's configuration says {expected}"),
    };
    if meta.variant != config.variant {
        return Err(differs("variant", format!("`{}`", meta.variant), format!("`{}`", config.variant)));
    }
    if meta.net != config.net {
        return Err(differs("net", format!("{:?}", meta.net), format!("{:?}", config.net)));
    }
    if meta.seed != config.seed {
        return Err(differs("seed", meta.seed.to_string(), config.seed.to_string()));
    }
    Ok(network)
}
