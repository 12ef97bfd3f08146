//! The rules of Heng's games: positions, steps, endings, encodings and texts.
//!
//! This crate knows nothing of networks, threads or files.

mod bitboard;
pub mod conformance;
pub mod diagram;
mod fen;
pub mod game;
mod history;
pub mod notation;
pub mod perft;
pub mod seeds;
pub mod variants;
mod zobrist;

pub use game::{Action, Game, Notation, Outcome, Reason, Shape, Side, Summary};
pub use seeds::{Purpose, Rng, Seeds};
pub use variants::Variant;
