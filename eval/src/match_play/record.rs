//! A finished game as text.

use std::time::Duration;

use heng_env::{Action, Notation, Outcome, Reason, Side, Variant};
use heng_mcts::value::RedValue;

use super::kept::{KeptGame, side_of_first};
use crate::agent::Forfeit;
use crate::game_file::SavedGame;

/// How a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why.
    pub cause: Cause,
}

/// Why a game of a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// By the rules.
    Rules(Reason),
    /// The loser did not play on.
    Forfeit(Forfeit),
}

impl Ending {
    /// What the rules say.
    pub fn of(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner, cause: Cause::Rules(outcome.reason) }
    }

    /// `loser` does not play on.
    pub fn by_forfeit(loser: Side, forfeit: Forfeit) -> Ending {
        Ending { winner: Some(loser.other()), cause: Cause::Forfeit(forfeit) }
    }

    /// The word for the cause.
    pub fn word(&self) -> &'static str {
        match &self.cause {
            Cause::Rules(reason) => reason.name(),
            Cause::Forfeit(forfeit) => forfeit.word(),
        }
    }
}

/// What is known of a turn besides its text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnNote {
    /// What its player expected before it.
    pub value: Option<RedValue>,
    /// How long it took, in matches with a time control.
    pub time: Option<Duration>,
}

/// A game of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Its number in the match, from 0. In even games the first player is red.
    pub number: usize,
    /// The text of the start position.
    pub start: String,
    /// The written turns, those of the opening included.
    pub turns: Vec<String>,
    /// How many of the turns belong to the opening.
    pub opening_turns: usize,
    /// The steps of all turns.
    pub steps: Vec<Action>,
    /// What is known of each turn.
    pub notes: Vec<TurnNote>,
    /// The result; `None` only while the game is played.
    pub ending: Option<Ending>,
    /// The text of the last position.
    pub end: String,
}

/// What all games of a match have in common, for their headers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameHeader<'a> {
    /// What is played.
    pub(crate) variant: &'a Variant,
    /// The two players as they are written.
    pub(crate) players: &'a [String; 2],
    /// The seed of the match.
    pub(crate) seed: u64,
    /// The time that players had, if it was limited.
    pub(crate) time: Option<&'a str>,
}

impl GameRecord {
    pub(super) fn new(number: usize, start: String) -> GameRecord {
        GameRecord {
            number,
            start,
            turns: Vec::new(),
            opening_turns: 0,
            steps: Vec::new(),
            notes: Vec::new(),
            ending: None,
            end: String::new(),
        }
    }

    /// The side of the first player.
    pub fn side_of_first(&self) -> Side {
        side_of_first(self.number)
    }

    /// Who won; nobody in a draw.
    pub fn winner(&self) -> Option<Side> {
        self.ending.as_ref().and_then(|ending| ending.winner)
    }

    /// Half points of the first player: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points_of_first(&self) -> usize {
        match self.winner() {
            Some(winner) if winner == self.side_of_first() => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// The game for a file.
    ///
    /// # Errors
    /// Never for a game that was played.
    pub(super) fn to_saved<G: Notation>(
        &self,
        rules: &G::Rules,
        header: &GameHeader<'_>,
    ) -> Result<SavedGame, Box<dyn std::error::Error + Send + Sync>> {
        KeptGame::of(self).to_saved::<G>(rules, header, self.number, &self.start)
    }
}
