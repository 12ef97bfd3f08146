//! How moves are written, both ways (RULES 2): the Chinese form, the WXF letters, ICCS and UCI.
//!
//! The caller names the form; ICCS and UCI look alike and are never guessed apart.

mod coordinate;

use super::objection::objection;
use super::position::{Move, Position};
use crate::notation::NotationError;

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `h2e2`, ranks from 0 (Internet Chinese Chess Server).
    Iccs,
    /// `h3e3`, ranks from 1, as engines write it.
    Uci,
}

impl Form {
    /// The form of a move as a player may write it: anything but ICCS, which looks like UCI.
    pub(super) fn of_turn(_text: &str) -> Form {
        Form::Uci
    }
}

/// Writes a legal move.
pub fn write(_position: &Position, played: Move, form: Form) -> String {
    match form {
        Form::Iccs => coordinate::write(played, 0),
        Form::Uci => coordinate::write(played, 1),
    }
}

/// Reads a move and checks that it is legal.
///
/// # Errors
/// If the text is no move of this form, the move is not legal here, or more than one is meant.
pub fn read(position: &Position, text: &str, form: Form) -> Result<Move, NotationError> {
    let played = match form {
        Form::Iccs => coordinate::read(text, 0)?,
        Form::Uci => coordinate::read(text, 1)?,
    };
    match objection(position, played) {
        None => Ok(played),
        Some(why) => Err(NotationError::Illegal { text: text.to_owned(), why }),
    }
}
