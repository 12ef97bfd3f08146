//! Measuring: matches, statistics, the rules as a line protocol, play in the terminal and reports.

pub mod agent;
pub mod draw;
