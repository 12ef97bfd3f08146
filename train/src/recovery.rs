//! Puts a run directory into the state of its last commit, however the process before ended.
//!
//! An iteration writes its games files, the network, the optimizer and its line of metrics, each whole or not at all,
//! and `state.json` last. What the committed state does not know of was written by a process that did not get that far.

use std::path::PathBuf;

use heng_mcts::net::{Network, checkpoint};

use crate::config::Config;
use crate::error::TrainError;
use crate::metrics::Metrics;
use crate::replay::{ChunkFile, ReplayError};
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
/// Nothing is removed before all that was committed has been found, so that no run is ever made worse.
///
/// # Errors
/// If a committed file is missing or damaged, or something cannot be removed.
pub fn recover(run: &RunDir, config: &Config) -> Result<Option<Recovered>, TrainError> {
    let state = State::load(run)?;
    let uncommitted = match &state {
        Some(state) => uncommitted(run, state)?,
        None => {
            check_orphans(run)?;
            all_unfinished(run)?
        }
    };
    let recovered = state.map(|state| read(run, config, state, &uncommitted)).transpose()?;
    for path in uncommitted {
        remove(&path)?;
    }
    Ok(recovered)
}

fn read(run: &RunDir, config: &Config, state: State, uncommitted: &[PathBuf]) -> Result<Recovered, TrainError> {
    let history = read_history(run, config, &state)?;
    state.check_learner(run)?;
    // The newest network is written again if it is gone: the optimizer's file holds it, too.
    if let Some(newest) = run.net_iterations()?.into_iter().rfind(|&iteration| iteration <= state.iteration) {
        load_net(run, newest, config)?;
    }
    let mut chunks = ChunkFile::list(&run.games())?;
    chunks.retain(|chunk| !uncommitted.contains(&chunk.path));
    let rows = chunks.iter().map(|chunk| Ok((chunk.iteration, chunk.rows()?)));
    let rows = rows.collect::<Result<Vec<_>, TrainError>>()?;
    let begun = state.begun.as_ref().map(|begun| (state.iteration + 1, begun.statistics.steps));
    let expected = history.iter().map(|metrics| (metrics.iteration, steps_of(metrics))).chain(begun);
    check_games(run, config, "steps", &expected.collect::<Vec<_>>(), &rows)?;
    Ok(Recovered { state, chunks, history })
}

/// Reads the metrics of the finished iterations, and checks that the counters fit them and the configuration.
///
/// # Errors
/// If an iteration is missing, or a counter is another one.
pub fn read_history(run: &RunDir, config: &Config, state: &State) -> Result<Vec<Metrics>, TrainError> {
    let path = run.metrics();
    let mut history = Metrics::read_all(&path)??;
    history.retain(|metrics| metrics.iteration <= state.iteration);
    if history.len() as u64 != state.iteration {
        let problem = format!("{} iterations, state.json says {}", history.len(), state.iteration);
        return Err(TrainError::Inconsistent { path: path.display().to_string(), problem });
    }
    let (found, expected) = (state.games_begun.len(), config.selfplay.groups);
    if found != expected {
        let problem = format!("{found} groups of games, config.toml says {expected}");
        return Err(TrainError::Inconsistent { path: run.state_file().display().to_string(), problem });
    }
    state.check_counters(run, &history)?;
    Ok(history)
}

/// The steps of an iteration's games.
fn steps_of(metrics: &Metrics) -> u64 {
    metrics.game_steps.map_or(0, |steps| (steps * metrics.games as f64).round() as u64)
}

/// Checks that the games files hold, for each iteration, as many positions or steps as they should. Both are pairs of an
/// iteration and a count. The oldest files may be gone if the configuration lets them be removed.
///
/// # Errors
/// The files of the first iteration that holds more or less.
pub fn check_games(
    run: &RunDir,
    config: &Config,
    what: &str,
    expected: &[(u64, u64)],
    found: &[(u64, u64)],
) -> Result<(), TrainError> {
    let oldest = found.iter().map(|&(iteration, _)| iteration).min();
    for &(iteration, expected) in expected {
        let counts = found.iter().filter(|&&(of, _)| of == iteration).map(|&(_, count)| count);
        let found = counts.fold(0, u64::saturating_add);
        let can_be_removed = config.replay.keep_chunks > 0 && oldest.is_some_and(|oldest| iteration <= oldest);
        if found > expected || (found < expected && !can_be_removed) {
            let path = run.games().join(format!("{iteration:06}-*.parquet")).display().to_string();
            let problem = format!("{found} {what}, expected {expected}: a file is missing or there is one too many");
            return Err(TrainError::Inconsistent { path, problem });
        }
    }
    Ok(())
}

/// Everything in a run that a commit does not vouch for.
///
/// # Errors
/// If a folder cannot be read or a games file has an impossible name.
pub fn uncommitted(run: &RunDir, state: &State) -> Result<Vec<PathBuf>, TrainError> {
    let mut paths = run.leftovers()?;
    let nets = run.net_iterations()?.into_iter().filter(|&iteration| iteration > state.iteration);
    paths.extend(nets.map(|iteration| run.net(iteration)));
    let learners = run.learner_iterations()?.into_iter().filter(|&iteration| iteration != state.iteration);
    paths.extend(learners.map(|iteration| run.learner(iteration)));
    for chunk in ChunkFile::list(&run.games())? {
        if is_chunk_committed(state, &chunk) {
            continue;
        }
        // Nobody's file is removed but those that this program wrote.
        if !chunk.has_own_name() {
            return Err(ReplayError::Name { path: chunk.path }.into());
        }
        paths.push(chunk.path);
    }
    Ok(paths)
}

/// What a process left that was killed before the first commit of a run.
fn all_unfinished(run: &RunDir) -> Result<Vec<PathBuf>, TrainError> {
    let mut paths = run.leftovers()?;
    paths.extend(run.net_iterations()?.into_iter().map(|iteration| run.net(iteration)));
    paths.extend(run.learner_iterations()?.into_iter().map(|iteration| run.learner(iteration)));
    Ok(paths)
}

/// Without `state.json`, only a run that was killed before its first commit can start over, and that has a random network
/// at most: anything more is a loss that a person has to know of.
fn check_orphans(run: &RunDir) -> Result<(), TrainError> {
    let games = ChunkFile::list(&run.games())?.last().map(|chunk| chunk.iteration);
    let history = Metrics::read_all(&run.metrics())??.last().map(|metrics| metrics.iteration);
    let nets = run.net_iterations()?.last().copied();
    let learners = run.learner_iterations()?.last().copied();
    let newest = [games, history, nets, learners].into_iter().flatten().max().unwrap_or(0);
    if newest == 0 {
        return Ok(());
    }
    let problem = format!("missing, but the run has got to iteration {newest}");
    Err(TrainError::Inconsistent { path: run.state_file().display().to_string(), problem })
}

fn is_chunk_committed(state: &State, chunk: &ChunkFile) -> bool {
    let begun_slices = state.begun.as_ref().map_or(0, |begun| begun.slices);
    let is_of_begun = chunk.iteration == state.iteration.saturating_add(1) && chunk.part < begun_slices;
    chunk.iteration <= state.iteration || is_of_begun
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A run that keeps so many games files.
    fn run_that_keeps(chunks: usize) -> (tempfile::TempDir, RunDir, Config) {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create(&directory.path().join("run")).unwrap();
        let source = format!("variant = \"eternal-mini\"\n[replay]\nkeep_chunks = {chunks}\n");
        fs::write(run.config(), source).unwrap();
        let config = Config::load(&run.config(), &[]).unwrap();
        (directory, run, config)
    }

    #[test]
    fn a_missing_games_file_shows_unless_it_is_an_old_one_that_may_go() {
        let expected = [(1, 10), (2, 20), (3, 30)];
        for (found, is_whole, is_whole_without_old) in [
            (&[(1, 10), (2, 5), (2, 15), (3, 30)][..], true, true),
            (&[(2, 15), (3, 30)], false, true),
            (&[(3, 1)], false, true),
            (&[(2, 20)], false, false),
            (&[(1, 10), (3, 30)], false, false),
            (&[(2, 21), (3, 30)], false, false),
            (&[], false, false),
        ] {
            for (keep_chunks, is_fine) in [(0, is_whole), (2, is_whole_without_old)] {
                let (_directory, run, config) = run_that_keeps(keep_chunks);
                let checked = check_games(&run, &config, "positions", &expected, found);
                assert_eq!(checked.is_ok(), is_fine, "{found:?}, keep_chunks = {keep_chunks}: {checked:?}");
            }
        }
    }

    #[test]
    fn without_counters_only_a_run_that_has_played_nothing_starts_over() {
        let (_directory, run, config) = run_that_keeps(0);
        let unfinished = [run.net(0), run.learner(0)];
        for folder in &unfinished {
            fs::create_dir(folder).unwrap();
        }
        assert!(recover(&run, &config).unwrap().is_none());
        assert!(unfinished.iter().all(|folder| !folder.exists()));
        let games = run.games().join("000001-00-0123456789abcdef.parquet");
        fs::write(&games, "games").unwrap();
        let error = recover(&run, &config).unwrap_err().to_string();
        assert!(error.ends_with("state.json: missing, but the run has got to iteration 1"), "{error}");
        assert!(games.exists());
    }
}
