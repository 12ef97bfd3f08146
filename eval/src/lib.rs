//! Measuring: matches, statistics, the rules as a line protocol, play in the terminal and reports.

pub mod agent;
pub mod bench;
pub mod cli;
pub mod device;
pub mod draw;
pub mod engine;
mod game_text;
pub mod interrupt;
pub mod match_play;
pub mod openings;
pub mod perft;
pub mod play;
pub mod positions;
pub mod report;
pub mod rules;
pub mod stats;
