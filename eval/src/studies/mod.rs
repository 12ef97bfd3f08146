//! Studies of how games of Eternal Chess begin: a question, an agent that answers it, tables, a page and honest intervals.
//!
//! What all studies share lies here; each has its own folder. Not to be confused with [`crate::openings`], the positions from
//! which the games of matches begin.

mod budget;
mod command;
mod fixed;
mod folder;
mod free;
mod grid;
mod heat;
mod histogram;
mod layout;
mod layout_results;
mod layout_table;
mod mini;
mod page;
mod payoff;
mod placement_tree;
mod playing;
mod session;
mod spread;
mod table;

pub use command::{OpeningsArgs, run};
