//! `state/state.json`: the counters of a run. Renaming it into place commits everything that was written before it.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::metrics::Metrics;
use crate::reanalysis::ReanalysisStatistics;
use crate::run_dir::{RunDir, RunDirError, write_atomically};
use crate::selfplay::SelfPlayStatistics;

/// The version of the file.
const FORMAT: u32 = 1;

/// What `samples_owed` is always below: the largest batch there can be.
const SAMPLES_OWED_END: f64 = 65_537.0;

/// The file of the optimizer inside its folder.
pub const LEARNER_FILE: &str = "learner.safetensors";

/// Why the state of a run cannot be used.
#[derive(Debug, Error)]
pub enum StateError {
    /// A file is missing or cannot be read or written.
    #[error(transparent)]
    Files(#[from] RunDirError),
    /// `state.json` cannot be understood.
    #[error("{path}: {problem}")]
    Bad {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
}

/// How far a run has got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The version of the file.
    pub format: u32,
    /// Iterations that are finished.
    pub iteration: u64,
    /// Learning steps so far.
    pub learn_steps: u64,
    /// Games that each group has begun; their numbers are never used again.
    pub games_begun: Vec<u64>,
    /// Saved games so far.
    pub games: u64,
    /// Saved positions so far.
    pub positions: u64,
    /// Positions that are still to be drawn from the window for what was played, less than a batch between iterations.
    pub samples_owed: f64,
    /// Seconds the run has worked so far.
    pub seconds: f64,
    /// The checksum of the optimizer's file of this iteration, in hexadecimal.
    pub learner_sha256: String,
    /// The iteration whose network plays, where new ones have to beat it first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playing: Option<u64>,
    /// The iteration that has begun, as far as its self-play is saved.
    pub begun: Option<Begun>,
}

/// An iteration whose self-play is partly or wholly saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// Slices of self-play that are saved.
    pub slices: u64,
    /// Whether no more slices follow before learning.
    pub is_played: bool,
    /// Seconds they took.
    pub seconds: f64,
    /// What they add up to.
    pub statistics: SelfPlayStatistics,
    /// What was searched anew beside it. Its targets are in no file: only the counts outlast the process.
    #[serde(default)]
    pub reanalysis: ReanalysisStatistics,
}

impl State {
    /// A run of so many groups before its first iteration.
    pub fn new(groups: usize) -> State {
        State {
            format: FORMAT,
            iteration: 0,
            learn_steps: 0,
            games_begun: vec![0; groups],
            games: 0,
            positions: 0,
            samples_owed: 0.0,
            seconds: 0.0,
            learner_sha256: String::new(),
            playing: None,
            begun: None,
        }
    }

    /// Reads the state of a run; `None` if nothing was ever committed.
    ///
    /// # Errors
    /// If the file is there but cannot be read or understood.
    pub fn load(run: &RunDir) -> Result<Option<State>, StateError> {
        let path = run.state_file();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(RunDirError::io(&path, "read"))?,
        };
        let bad = |problem| StateError::Bad { path: path.display().to_string(), problem };
        let state: State = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if state.format != FORMAT {
            return Err(bad(format!("format {}, expected {FORMAT}", state.format)));
        }
        Ok(Some(state))
    }

    /// Commits the state.
    ///
    /// # Errors
    /// If it cannot be written; the old state is then still there.
    pub fn save(&self, run: &RunDir) -> Result<(), RunDirError> {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        write_atomically(&run.state_file(), format!("{text}\n").as_bytes())
    }

    /// Checks that the counters are what `history`, the metrics of all finished iterations, and the iteration that has
    /// begun add up to.
    ///
    /// # Errors
    /// The first counter that is something else or impossible, with what was expected.
    pub fn check_counters(&self, run: &RunDir, history: &[Metrics]) -> Result<(), StateError> {
        let path = run.state_file().display().to_string();
        let bad = |problem| Err(StateError::Bad { path: path.clone(), problem });
        let begun = self.begun.clone().unwrap_or_default();
        let sum = |begun: u64, of: fn(&Metrics) -> u64| history.iter().map(of).fold(begun, u64::saturating_add);
        for (key, found, expected) in [
            ("games", self.games, sum(begun.statistics.games, |metrics| metrics.games)),
            ("positions", self.positions, sum(begun.statistics.samples, |metrics| metrics.positions)),
            ("learn_steps", self.learn_steps, sum(0, |metrics| metrics.learn_steps)),
        ] {
            if found != expected {
                return bad(format!("`{key}` is {found}, the iterations add up to {expected}"));
            }
        }
        let games_begun = self.games_begun.iter().copied().fold(0, u64::saturating_add);
        if games_begun < self.games {
            return bad(format!("`games_begun` adds up to {games_begun}, but {} games are finished", self.games));
        }
        if !(0.0..SAMPLES_OWED_END).contains(&self.samples_owed) {
            return bad(format!("`samples_owed` must be from 0 to a batch, found {:?}", self.samples_owed));
        }
        for (key, seconds) in [("seconds", self.seconds), ("begun.seconds", begun.seconds)] {
            if !seconds.is_finite() || seconds < 0.0 {
                return bad(format!("`{key}` must be at least 0, found {seconds}"));
            }
        }
        Ok(())
    }

    /// Checks that the optimizer has taken the steps that were counted.
    ///
    /// # Errors
    /// If it has taken others.
    pub fn check_learn_steps(&self, run: &RunDir, taken: u64) -> Result<(), StateError> {
        if self.learn_steps == taken {
            return Ok(());
        }
        let problem = format!("`learn_steps` is {}, the optimizer has taken {taken}", self.learn_steps);
        Err(StateError::Bad { path: run.state_file().display().to_string(), problem })
    }

    /// Checks that the optimizer's file is the one that was committed.
    ///
    /// # Errors
    /// If it is missing or altered.
    pub fn check_learner(&self, run: &RunDir) -> Result<(), StateError> {
        let path = run.learner(self.iteration).join(LEARNER_FILE);
        let found = sha256(&path)?;
        if found == self.learner_sha256 {
            return Ok(());
        }
        let problem = format!("altered or cut short: sha256 {found}, expected {}", self.learner_sha256);
        Err(StateError::Bad { path: path.display().to_string(), problem })
    }
}

/// The checksum of a file, in hexadecimal.
///
/// # Errors
/// If it cannot be read.
pub fn sha256(path: &Path) -> Result<String, RunDirError> {
    let contents = fs::read(path).map_err(RunDirError::io(path, "read"))?;
    Ok(Sha256::digest(&contents).iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_reads_back_as_itself_and_a_damaged_one_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create(&directory.path().join("run")).unwrap();
        assert_eq!(State::load(&run).unwrap(), None);
        let state = State { iteration: 3, seconds: 0.1, begun: Some(Begun::default()), ..State::new(2) };
        state.save(&run).unwrap();
        assert_eq!(State::load(&run).unwrap(), Some(state));
        let text = fs::read_to_string(run.state_file()).unwrap();
        for (damaged, problem) in [
            (text.replace("\"format\": 1", "\"format\": 9"), "format 9, expected 1"),
            (text[..text.len() / 2].to_owned(), "EOF while parsing"),
            (text.replace("learn_steps", "steps"), "unknown field `steps`"),
        ] {
            fs::write(run.state_file(), damaged).unwrap();
            let error = State::load(&run).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}: {problem}", run.state_file().display())), "{error}");
        }
    }

    #[test]
    fn counters_that_do_not_add_up_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create(&directory.path().join("run")).unwrap();
        let statistics = SelfPlayStatistics { games: 2, samples: 30, ..SelfPlayStatistics::default() };
        let begun = Some(Begun { slices: 1, statistics, ..Begun::default() });
        let good = State { games_begun: vec![2, 1], games: 2, positions: 30, begun, ..State::new(2) };
        good.check_counters(&run, &[]).unwrap();
        good.check_learn_steps(&run, 0).unwrap();
        assert!(good.check_learn_steps(&run, 1).is_err());
        let change = |change: fn(&mut State)| {
            let mut state = good.clone();
            change(&mut state);
            state
        };
        for (problem, wrong) in [
            ("`games` is 1, the iterations add up to 2", change(|state| state.games = 1)),
            ("`positions` is 31, the iterations add up to 30", change(|state| state.positions = 31)),
            ("`learn_steps` is 5, the iterations add up to 0", change(|state| state.learn_steps = 5)),
            ("`games_begun` adds up to 0, but 2 games are finished", change(|state| state.games_begun = vec![0, 0])),
            ("`samples_owed` must be from 0 to a batch, found -1", change(|state| state.samples_owed = -1.0)),
            ("`samples_owed` must be from 0 to a batch, found NaN", change(|state| state.samples_owed = f64::NAN)),
            ("`samples_owed` must be from 0 to a batch, found 1e300", change(|state| state.samples_owed = 1e300)),
            ("`seconds` must be at least 0, found -1", change(|state| state.seconds = -1.0)),
        ] {
            let error = wrong.check_counters(&run, &[]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}: {problem}", run.state_file().display())), "{error}");
        }
    }
}
