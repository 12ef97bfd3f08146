//! The folder of a suite: what was asked for, and a line for every finished pair of games, so that it can be gone on with.

use std::collections::BTreeMap;
use std::path::Path;

use heng_mcts::ladder::Ladder;
use serde::{Deserialize, Serialize};

use crate::journal::{Asked, Journal, JournalError};
use crate::match_play::KeptGame;

/// What has to be the same for a suite to be gone on with; agents and games may be added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SuiteSettings {
    /// Where all random numbers come from.
    pub(super) seed: u64,
    /// The ladders by the names of their variants.
    pub(super) ladders: BTreeMap<String, Ladder>,
}

/// A finished pair of games: a line of the file of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SuitePair {
    /// The name of the variant.
    pub(super) variant: String,
    /// The rated agent, which is red in the first game.
    pub(super) agent: String,
    /// Its opponent.
    pub(super) rung: String,
    /// The number of the pair among those of this agent on this ladder, which is also that of its opening.
    pub(super) pair: usize,
    /// The text of the start position.
    pub(super) start: String,
    /// The two games.
    pub(super) games: [KeptGame; 2],
}

/// Finished pairs by variant, agent and number.
pub(super) type SuitePairs = BTreeMap<(String, String, usize), SuitePair>;

impl Asked for SuiteSettings {
    const WHAT: &'static str = "suite";
    const FILE: &'static str = "suite.json";

    fn difference(&self, other: &SuiteSettings) -> Option<(&'static str, String, String)> {
        if self.seed != other.seed {
            return Some(("--seed", self.seed.to_string(), other.seed.to_string()));
        }
        let mut names = self.ladders.keys().chain(other.ladders.keys());
        let differing = names.find(|name| self.ladders.get(*name) != other.ladders.get(*name))?;
        let in_words = |settings: &SuiteSettings| match settings.ladders.get(differing) {
            Some(ladder) => format!("{} rungs by {}, seed {}", ladder.rungs.len(), ladder.version, ladder.seed),
            None => "none".to_owned(),
        };
        // What is seen of them may be the same while ratings differ.
        let text = |settings: &SuiteSettings, which: &str| format!("{which} for {differing}, {}", in_words(settings));
        Some(("ladder", text(self, "the earlier one"), text(other, "the present one")))
    }
}

/// Makes the folder, or goes on with the suite that is there, with the pairs that it has.
///
/// # Errors
/// If it holds another suite, is in use, or has a line that is no pair of games.
pub(super) fn open(directory: &Path, settings: &SuiteSettings) -> Result<(Journal, SuitePairs), JournalError> {
    let mut pairs = SuitePairs::new();
    let journal = Journal::open(directory, settings, |pair: SuitePair| {
        if let Some(game) = pair.games.iter().find(|game| game.half_points > 2) {
            return Err(format!("a game has {} half points, expected 0 to 2", game.half_points));
        }
        pairs.insert((pair.variant.clone(), pair.agent.clone(), pair.pair), pair);
        Ok(())
    })?;
    Ok((journal, pairs))
}
