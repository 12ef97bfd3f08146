//! Self-play, replay and learning: everything behind the `train` binary.

pub mod ablate;
pub mod after;
pub mod benchmark;
pub mod cli;
pub mod config;
pub mod console;
pub mod error;
pub mod health;
pub mod inspect;
mod invalid_key;
pub mod metrics;
pub mod rating;
pub mod reanalysis;
pub mod recovery;
pub mod replay;
pub mod run;
pub mod run_dir;
pub mod selfplay;
pub mod state;
pub mod stop;
pub mod tensorboard;
pub mod trainer;

pub use error::TrainError;
pub use invalid_key::InvalidKey;
