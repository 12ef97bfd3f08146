//! Everything that can end the program with an error.

use thiserror::Error;

use crate::config::ConfigError;
use crate::metrics::MetricsError;
use crate::replay::ReplayError;
use crate::run_dir::RunDirError;
use crate::state::StateError;
use heng_mcts::net::checkpoint::CheckpointError;
use heng_mcts::net::{DeviceError, LearnError};

/// Why a command failed, in one line.
#[derive(Debug, Error)]
pub enum TrainError {
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The device that the network should run on.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A file or folder of the run.
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    /// The counters or the optimizer of the run.
    #[error(transparent)]
    State(#[from] StateError),
    /// The metrics of the run.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// A games file.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A network.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Learning broke down.
    #[error("{source}; everything before this iteration's learning is saved in {run}{advice}")]
    Learn {
        /// What happened.
        source: LearnError,
        /// The run.
        run: String,
        /// What to try, with the words that join it to the rest; empty where nothing is known to help.
        advice: String,
    },
    /// Files of a run do not fit together.
    #[error("{path}: {problem}")]
    Inconsistent {
        /// The file.
        path: String,
        /// What does not fit, with what was expected.
        problem: String,
    },
    /// A run was asked to become another one.
    #[error("`{key}` cannot change in a run that has begun: it is {found}, asked for {asked}")]
    Fixed {
        /// The key.
        key: &'static str,
        /// The value of the run.
        found: String,
        /// The value that was asked for.
        asked: String,
    },
    /// A check found something wrong.
    #[error("{0}")]
    Inspection(String),
    /// The system refused something that has no file.
    #[error("cannot {doing}: {problem}")]
    System {
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        problem: String,
    },
}
