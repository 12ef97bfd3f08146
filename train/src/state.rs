//! `state/state.json`: the counters of a run. Renaming it into place commits everything that was written before it.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::run_dir::{RunDir, RunDirError, write_atomically};
use crate::selfplay::SelfPlayStatistics;

/// The version of the file.
const FORMAT: u32 = 1;

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
}
