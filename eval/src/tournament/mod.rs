//! Tournaments: all agents against each other or one against the rest, ratings with their errors, a cross table.

mod command;
mod folder;
mod report;

pub use command::{TournamentArgs, run};
pub use report::{Score, TournamentReport};

use serde::{Deserialize, Serialize};

use crate::match_play::GameRecord;

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
}

impl Settings {
    /// Who plays against whom, in the order in which it is played.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.agents.len();
        let firsts = if self.gauntlet { 0..count.min(1) } else { 0..count };
        firsts.flat_map(|first| (first + 1..count).map(move |second| [first, second])).collect()
    }

    /// The first setting in which `other` differs, with both its values.
    fn difference(&self, other: &Settings) -> Option<(&'static str, String, String)> {
        let text = |settings: &Settings| {
            [
                ("variant", settings.variant.clone()),
                ("agents", settings.agents.join(" ")),
                ("--gauntlet", settings.gauntlet.to_string()),
                ("--games", settings.games.to_string()),
                ("--openings", settings.openings.clone()),
                ("--seed", settings.seed.to_string()),
            ]
        };
        let both = text(self).into_iter().zip(text(other));
        let mut differing = both.filter(|((_, ours), (_, theirs))| ours != theirs);
        differing.next().map(|((name, ours), (_, theirs))| (name, ours, theirs))
    }
}

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Half points of the first agent of the pairing.
    pub half_points: u8,
    /// Why the game ended.
    pub reason: String,
    /// How many of the turns belong to the opening.
    pub opening_turns: usize,
    /// The written turns.
    pub turns: Vec<String>,
}

impl KeptGame {
    fn of(record: &GameRecord) -> KeptGame {
        KeptGame {
            half_points: record.half_points_of_first() as u8,
            reason: record.ending.as_ref().map_or("-", |ending| ending.word()).to_owned(),
            opening_turns: record.opening_turns,
            turns: record.turns.clone(),
        }
    }
}

/// A finished pair of games: a line of the file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
