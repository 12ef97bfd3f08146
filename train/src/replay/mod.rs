//! Finished games on disk and in memory: records, immutable Parquet chunks, and the sliding window that training
//! batches are sampled from.
//!
//! A chunk holds whole games, one row per decision, and needs nothing else to be understood; see [`chunk`] for the
//! columns. Positions are kept as texts and encoded (and mirrored) only when they are sampled.

pub mod chunk;
mod columns;
pub mod config;
mod error;
pub mod record;
mod targets;
#[cfg(test)]
mod tests;
pub mod verify;
pub mod window;

pub use chunk::{Chunk, ChunkFile, ChunkMeta};
pub use config::ReplayConfig;
pub use error::{BadValue, ReplayError};
pub use record::{Choice, Decision, Record};
pub use verify::verify;
pub use window::{Place, ReplayWindow};
