//! How moves are written, both ways (RULES 2): the Chinese form, the WXF letters, ICCS and UCI.
//!
//! The caller names the form; ICCS and UCI look alike and are never guessed apart.
//!
//! The Chinese form and WXF say which piece moves and how, as its owner sees it: files count from the owner's right, the
//! last number is a distance for steps along a file and the target's file for all others. Where pieces of a kind share a
//! file, the sources agree on the front and rear one of two, and on the front, middle and rear one of three; on more
//! soldiers they differ. The modules `chinese` and `wxf` say what is written, what is read, and where that comes from.
//!
//! Readers take any text that fits exactly one legal move, so that a file suffices where only one of the pieces on it can
//! make the move. A written move is what the conventions ask for, and no other legal move is written the same.

mod chinese;
mod coordinate;
mod origin;
mod resolve;
mod step;
mod wxf;

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

use super::objection::objection;
use super::position::{Move, Position};
use crate::notation::NotationError;

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `炮二平五`, four Chinese characters, simplified. Read like [`Form::Traditional`].
    Simplified,
    /// `炮二平五`, `馬8進7`, four Chinese characters, traditional. Read like [`Form::Simplified`].
    Traditional,
    /// `C2=5`, the letters of the World Xiangqi Federation.
    Wxf,
    /// `h2e2`, ranks from 0 (Internet Chinese Chess Server).
    Iccs,
    /// `h3e3`, ranks from 1, as engines write it.
    Uci,
}

/// No form of notation has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no notation, expected {expected}", expected = names())]
pub struct UnknownForm(String);

fn names() -> String {
    let [others @ .., last] = Form::ALL.map(|form| format!("`{form}`"));
    format!("{} or {last}", others.join(", "))
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 5] = [Form::Simplified, Form::Traditional, Form::Wxf, Form::Iccs, Form::Uci];

    /// The name by which a form is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Simplified => "chinese",
            Form::Traditional => "traditional",
            Form::Wxf => "wxf",
            Form::Iccs => "iccs",
            Form::Uci => "uci",
        }
    }

    /// The form of a move as a player may write it: anything but ICCS, which looks like UCI.
    pub(super) fn of_turn(text: &str) -> Form {
        let begins_with_point = matches!(text.as_bytes(), [b'a'..=b'i', b'0'..=b'9', ..]);
        if begins_with_point {
            Form::Uci
        } else if text.chars().any(is_chinese) {
            Form::Simplified
        } else {
            Form::Wxf
        }
    }
}

/// Whether a character is of the Unicode blocks of Chinese characters in everyday use.
const fn is_chinese(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

impl Display for Form {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(text: &str) -> Result<Form, UnknownForm> {
        Form::ALL.into_iter().find(|form| form.name() == text).ok_or_else(|| UnknownForm(text.to_owned()))
    }
}

/// Writes a legal move.
pub fn write(position: &Position, played: Move, form: Form) -> String {
    match form {
        Form::Simplified | Form::Traditional => chinese::write(position, played, form),
        Form::Wxf => wxf::write(position, played),
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
        Form::Simplified | Form::Traditional => return chinese::read(position, text, form),
        Form::Wxf => return wxf::read(position, text),
        Form::Iccs => coordinate::read_iccs(text)?,
        Form::Uci => coordinate::read_uci(text)?,
    };
    match objection(position, played) {
        None => Ok(played),
        Some(why) => Err(NotationError::Illegal { text: text.to_owned(), why }),
    }
}
