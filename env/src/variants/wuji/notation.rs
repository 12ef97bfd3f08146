//! The texts of steps, both ways (RULES 3.5): `f3f10`, and `d5@d5` for a taking of the throne. A step is a whole turn.

use super::Wuji;
use super::objection::objection;
use super::points::{FILES, Point, RANKS};
use super::position::Step;
use crate::fen;
use crate::notation::NotationError;
use crate::{Action, Game};

/// The text of a step.
pub(super) fn step_text(step: Step) -> String {
    match step {
        Step::Move(from, to) => from.text() + &to.text(),
        Step::Throne(given, place) => format!("{}@{}", given.text(), place.text()),
    }
}

/// Reads one step and checks that it is legal.
pub(super) fn parse_step(game: &Wuji, text: &str) -> Result<Action, NotationError> {
    let step = read_step(text).ok_or_else(|| {
        let expected = "a step like `f3f10` (move) or `d5@d5` (taking the throne)".to_owned();
        NotationError::Malformed { text: text.to_owned(), expected }
    })?;
    if game.outcome().is_some() {
        return Err(NotationError::Finished);
    }
    match objection(game, step) {
        None => Ok(game.action(step)),
        Some(why) => Err(NotationError::Illegal { text: text.to_owned(), why }),
    }
}

fn read_step(text: &str) -> Option<Step> {
    let (first, rest) = fen::split_square(text, FILES, RANKS)?;
    let (second, is_throne) = match rest.strip_prefix('@') {
        Some(second) => (second, true),
        None => (rest, false),
    };
    let second = fen::parse_square(second, FILES, RANKS)?;
    let (first, second) = (Point::from_square(first), Point::from_square(second));
    Some(if is_throne { Step::Throne(first, second) } else { Step::Move(first, second) })
}
