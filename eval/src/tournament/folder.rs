//! The folder of a tournament: settings, and a line for every finished pair of games, so that it can be gone on with.

use std::collections::BTreeMap;
use std::path::Path;

use super::{KeptPair, Settings};
use crate::journal::{Asked, Journal, JournalError};

/// Finished pairs by pairing and number.
pub(super) type Pairs = BTreeMap<([usize; 2], usize), KeptPair>;

impl Asked for Settings {
    const WHAT: &'static str = "tournament";
    const FILE: &'static str = "tournament.json";

    fn difference(&self, other: &Settings) -> Option<(&'static str, String, String)> {
        let text = |settings: &Settings| {
            [
                ("variant", settings.variant.clone()),
                ("agents", settings.agents.join(" ")),
                ("--gauntlet", settings.gauntlet.to_string()),
                ("--games", settings.games.to_string()),
                ("--openings", settings.openings.clone()),
                ("--seed", settings.seed.to_string()),
                ("time for players", settings.time.clone().unwrap_or_else(|| "their own".to_owned())),
            ]
        };
        let both = text(self).into_iter().zip(text(other));
        let mut differing = both.filter(|((_, ours), (_, theirs))| ours != theirs);
        differing.next().map(|((name, ours), (_, theirs))| (name, ours, theirs))
    }
}

/// Makes the folder, or goes on with the tournament that is there, with the pairs that it has.
///
/// # Errors
/// If it holds another tournament, is in use, or has a line that is no pair of this one.
pub(super) fn open(directory: &Path, settings: &Settings) -> Result<(Journal, Pairs), JournalError> {
    let pairings = settings.pairings();
    let mut pairs = Pairs::new();
    let journal = Journal::open(directory, settings, |pair: KeptPair| {
        if !pairings.contains(&pair.agents) || pair.pair >= settings.games.div_ceil(2) {
            return Err(format!("pair {} of agents {:?} is not part of the tournament", pair.pair, pair.agents));
        }
        if let Some(game) = pair.games.iter().find(|game| game.half_points > 2) {
            return Err(format!("a game has {} half points, expected 0 to 2", game.half_points));
        }
        pairs.insert((pair.agents, pair.pair), pair);
        Ok(())
    })?;
    Ok((journal, pairs))
}
