//! A finished game as programs keep it, a line of JSON, from which it can be written like any other.

use std::time::Duration;

use heng_env::{Action, Notation, Side};
use heng_mcts::value::RedValue;
use serde::{Deserialize, Serialize};

use super::record::{GameHeader, GameRecord};
use super::{GAMES_OF_PAIR, TurnNote};
use crate::game_file::{GameResult, IllegalStep, SavedGame};

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Half points of the first player of the match: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
    /// Why the game ended.
    pub reason: String,
    /// How many of the turns belong to the opening.
    pub opening_turns: usize,
    /// The written turns.
    pub turns: Vec<String>,
    /// The steps of all turns, as indices.
    pub steps: Vec<u16>,
    /// The text of the last position.
    pub end: String,
    /// What the player of each turn expected before it, as red sees it; empty if nobody expected anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Option<f32>>,
    /// How long each turn took, in seconds; empty if nobody was on the clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seconds: Vec<Option<f64>>,
}

impl KeptGame {
    /// What is kept of a game.
    pub(crate) fn of(record: &GameRecord) -> KeptGame {
        let of_notes = || record.notes.iter();
        KeptGame {
            half_points: record.half_points_of_first() as u8,
            reason: record.ending.as_ref().map_or("-", |ending| ending.word()).to_owned(),
            opening_turns: record.opening_turns,
            turns: record.turns.clone(),
            steps: record.steps.iter().map(|step| step.index() as u16).collect(),
            end: record.end.clone(),
            values: known(of_notes().map(|note| note.value.map(|value| value.for_side(Side::Red)))),
            seconds: known(of_notes().map(|note| note.time.map(|time| time.as_secs_f64()))),
        }
    }

    /// The game for a file; `number` is its place in the match, from 0, and `start` the text of its start.
    ///
    /// # Errors
    /// Never for a game that was played; otherwise if the start is no position or a step is not legal.
    pub(crate) fn to_saved<G: Notation>(
        &self,
        rules: &G::Rules,
        header: &GameHeader<'_>,
        number: usize,
        start: &str,
    ) -> Result<SavedGame, Box<dyn std::error::Error + Send + Sync>> {
        let start = G::from_fen(rules, start)?;
        let steps: Vec<Action> = self.steps.iter().map(|&step| Action::new(usize::from(step))).collect();
        let mut game = SavedGame::from_steps(header.variant, &start, &steps).map_err(Box::<IllegalStep>::new)?;
        for (turn, note) in game.turns_mut().iter_mut().zip(self.notes()) {
            (turn.value, turn.time) = (note.value, note.time);
        }
        game.result = self.result(side_of_first(number));
        game.termination = Some(self.reason.clone());
        self.set_tags(&mut game, header, number);
        Ok(game)
    }

    /// Of each turn, for as long as anything is known.
    fn notes(&self) -> impl Iterator<Item = TurnNote> {
        (0..self.values.len().max(self.seconds.len())).map(|turn| TurnNote {
            value: self.values.get(turn).copied().flatten().map(|value| RedValue::from_side(value, Side::Red)),
            time: seconds_of(self.seconds.get(turn).copied().flatten()),
        })
    }

    fn result(&self, first: Side) -> GameResult {
        match (self.half_points, first) {
            (1, _) => GameResult::Draw,
            (0, Side::Black) | (2.., Side::Red) => GameResult::RedWon,
            (0, Side::Red) | (2.., Side::Black) => GameResult::BlackWon,
        }
    }

    fn set_tags(&self, game: &mut SavedGame, header: &GameHeader<'_>, number: usize) {
        let first = side_of_first(number);
        let player = |side: Side| header.players[usize::from(side != first)].as_str();
        game.set_tag("Event", format!("{} against {}", header.players[0], header.players[1]));
        game.set_tag("Round", format!("{}.{}", number / GAMES_OF_PAIR + 1, number % GAMES_OF_PAIR + 1));
        game.set_tag("Red", player(Side::Red));
        game.set_tag("Black", player(Side::Black));
        game.set_tag("Seed", header.seed.to_string());
        game.set_tag("OpeningTurns", self.opening_turns.to_string());
        if let Some(time) = header.time {
            game.set_tag("TimeControl", time);
        }
        game.set_tag("End", self.end.as_str());
    }
}

/// The side of the first player in a game of a match.
pub(super) fn side_of_first(number: usize) -> Side {
    Side::BOTH[number % GAMES_OF_PAIR]
}

/// A file may hold any number; no time is negative or longer than there are seconds.
fn seconds_of(seconds: Option<f64>) -> Option<Duration> {
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
}

/// The values, or nothing if none is known.
fn known<T>(values: impl Iterator<Item = Option<T>>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = values.collect();
    if values.iter().any(Option::is_some) { values } else { Vec::new() }
}
