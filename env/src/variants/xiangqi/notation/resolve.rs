//! From a description to the one legal move that it fits.

use super::origin::Origin;
use super::step::Step;
use super::{Form, write};
use crate::notation::NotationError;
use crate::variants::xiangqi::board::square_text;
use crate::variants::xiangqi::objection::objection;
use crate::variants::xiangqi::position::{Move, Position};

/// The only legal move that `text`, written in `form`, describes; `numeral` writes a file's number for errors.
pub(super) fn resolve(
    position: &Position,
    text: &str,
    form: Form,
    (origin, step): (Origin, Step),
    numeral: impl Fn(usize) -> char,
) -> Result<Move, NotationError> {
    let side = position.side();
    let illegal = |why: String| NotationError::Illegal { text: text.to_owned(), why };
    let squares = origin.squares(position);
    if squares.is_empty() {
        return Err(illegal(origin.absence(side, numeral)));
    }
    let (mut legal, mut objections) = (Vec::new(), Vec::new());
    for from in squares {
        let Some(to) = step.target(side, origin.kind, from) else {
            objections.push(step.explain(origin.kind, from, &numeral));
            continue;
        };
        match objection(position, Move { from, to }) {
            None => legal.push(Move { from, to }),
            Some(why) => objections.push(why),
        }
    }
    match legal[..] {
        [] => Err(illegal(objections.join("; "))),
        [played] => Ok(played),
        _ => Err(NotationError::Ambiguous { text: text.to_owned(), meanings: meanings(position, &legal, form) }),
    }
}

/// How each of several moves is written, and which piece makes it.
fn meanings(position: &Position, moves: &[Move], form: Form) -> String {
    let meaning = |&played: &Move| {
        let (kind, square) = (position.kind_at(played.from).name(), square_text(played.from));
        format!("`{}` (the {kind} on {square})", write(position, played, form))
    };
    moves.iter().map(meaning).collect::<Vec<_>>().join(" or ")
}
