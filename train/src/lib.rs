//! Self-play, replay and learning: everything behind the `train` binary.

pub mod config;
mod invalid_key;
pub mod replay;

pub use invalid_key::InvalidKey;
