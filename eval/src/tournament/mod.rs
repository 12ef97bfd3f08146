//! Tournaments: all agents against each other or one against the rest, ratings with their errors, a cross table.

mod command;
mod folder;
mod ladder;
mod nets;
mod page;
mod playing;
mod report;

pub use command::{TournamentArgs, run};
pub use report::{Score, TournamentReport};

use serde::{Deserialize, Serialize};

use crate::match_play::KeptGame;

/// A tournament as it was asked for: the same settings play the same games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The variant with its settings.
    pub variant: String,
    /// The agents, with the numbers of their nets.
    pub agents: Vec<String>,
    /// Whether the first agent alone plays against all others.
    pub gauntlet: bool,
    /// Games of each pairing.
    pub games: usize,
    /// Where the openings come from.
    pub openings: String,
    /// Where all random numbers come from.
    pub seed: u64,
    /// The time that players have, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
}

impl Settings {
    /// Who plays against whom, in the order in which it is played.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.agents.len();
        let firsts = if self.gauntlet { 0..count.min(1) } else { 0..count };
        firsts.flat_map(|first| (first + 1..count).map(move |second| [first, second])).collect()
    }
}

/// A finished pair of games: a line of the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptPair {
    /// The two agents; the first one is red in the first game.
    pub agents: [usize; 2],
    /// The number of the pair within the pairing, from 0, which is also that of its opening.
    pub pair: usize,
    /// The text of the start position.
    pub start: String,
    /// The two games.
    pub games: [KeptGame; 2],
}

#[cfg(test)]
mod tests;
