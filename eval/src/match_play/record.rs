//! A finished game as text.

use std::time::Duration;

use heng_env::{Notation, Outcome, Reason, Side};
use heng_mcts::value::RedValue;

use crate::agent::Forfeit;
use crate::game_text::game_text;

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
    /// Steps of all turns.
    pub steps: usize,
    /// What is known of each turn.
    pub notes: Vec<TurnNote>,
    /// The result; `None` only while the game is played.
    pub ending: Option<Ending>,
    /// The text of the last position.
    pub end: String,
}

/// What all games of a match have in common, for their headers.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameHeader<'a> {
    /// The variant as it is written.
    pub(super) variant: &'a str,
    /// The two players as they are written.
    pub(super) players: &'a [String; 2],
    /// The seed of the match.
    pub(super) seed: u64,
}

impl GameRecord {
    pub(super) fn new(number: usize, start: String) -> GameRecord {
        GameRecord {
            number,
            start,
            turns: Vec::new(),
            opening_turns: 0,
            steps: 0,
            notes: Vec::new(),
            ending: None,
            end: String::new(),
        }
    }

    /// The side of the first player.
    pub fn side_of_first(&self) -> Side {
        Side::BOTH[self.number % super::GAMES_OF_PAIR]
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

    /// The game with its tags, in the form of PGN.
    pub(super) fn to_text<G: Notation>(&self, header: &GameHeader<'_>) -> String {
        let first = self.side_of_first();
        let player = |side: Side| header.players[usize::from(side != first)].clone();
        let result = self.ending.as_ref().map_or("*", |ending| ending.winner.map_or("draw", G::side_name));
        let tags = [
            ("Game", (self.number + 1).to_string()),
            ("Pair", (self.number / super::GAMES_OF_PAIR + 1).to_string()),
            ("Variant", header.variant.to_owned()),
            ("Seed", header.seed.to_string()),
            (G::side_name(Side::Red), player(Side::Red)),
            (G::side_name(Side::Black), player(Side::Black)),
            ("Start", self.start.clone()),
            ("OpeningTurns", self.opening_turns.to_string()),
            ("Result", result.to_owned()),
            ("Reason", self.ending.as_ref().map_or("-", Ending::word).to_owned()),
            ("Turns", self.turns.len().to_string()),
            ("End", self.end.clone()),
        ];
        game_text(&tags, &self.turns, result)
    }
}
