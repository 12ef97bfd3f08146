//! Measuring: matches, statistics, the rules as a line protocol, play in the terminal and reports.

pub mod agent;
pub mod analyze;
pub mod bench;
mod bounded_lines;
pub mod cli;
pub mod convert;
pub mod device;
pub mod draw;
pub mod engine;
pub mod game_file;
pub mod interrupt;
pub mod match_play;
pub mod openings;
pub mod perft;
pub mod play;
mod playing_on;
pub mod positions;
mod progress;
pub mod protocol;
pub mod report;
pub mod rules;
pub mod stats;
pub mod tournament;
mod whole_file;
