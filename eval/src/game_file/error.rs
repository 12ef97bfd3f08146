//! What is wrong with a file of games, and where.

use heng_env::notation::{FenError, NotationError};
use heng_env::variants::VariantError;
use thiserror::Error;

/// A file that cannot be read further.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, game {game}: {problem}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The game, from 1.
    pub game: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// A problem and its line.
pub(super) type Located = (usize, Problem);

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The bytes are no text.
    #[error("not a text in UTF-8, GBK or GB18030")]
    Encoding,
    /// A tag is not of the form `[Name "value"]`.
    #[error("`{0}` is no tag, expected [Name \"value\"] on one line")]
    Tag(String),
    /// Something is longer than any file has it.
    #[error("{what} of {found} {unit}, expected at most {most}")]
    TooLong {
        /// What.
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long it may be.
        most: usize,
        /// What is counted.
        unit: &'static str,
    },
    /// A bracket is not closed.
    #[error("the {0} that begins here has no end")]
    Unclosed(&'static str),
    /// A bracket is closed that was not opened.
    #[error("`{0}` closes nothing")]
    Unopened(char),
    /// The tag `Variant` names none.
    #[error("tag `Variant`: {0}")]
    Variant(VariantError),
    /// The start is no position.
    #[error("start of the game: {0}")]
    Start(FenError),
    /// A turn is not one that the rules allow.
    #[error("round {round}, {side}: {source}")]
    Turn {
        /// The round, from 1.
        round: usize,
        /// Whose turn it is.
        side: &'static str,
        /// What is wrong with it; the text is in there.
        source: NotationError,
    },
    /// Something stands behind an end of the game by the rules.
    #[error("round {round}, {side}: `{text}` comes after the end of the game ({reason})")]
    Over {
        /// The round, from 1.
        round: usize,
        /// Who would have to move.
        side: &'static str,
        /// What stands there.
        text: String,
        /// Why the game is over.
        reason: &'static str,
    },
    /// There are more games than are held at once.
    #[error("more than {} games, expected fewer in one file", super::MOST_GAMES)]
    TooManyGames,
    /// A field of DhtmlXQ does not have its form.
    #[error("field `{field}`: `{found}`, expected {expected}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
}

/// The most characters of a file's text in an error.
const SHOWN: usize = 40;

/// The beginning of a text from a file on one line, for an error.
pub(super) fn shown(text: &str) -> String {
    let mut characters = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut beginning: String = characters.by_ref().take(SHOWN).collect();
    if characters.next().is_some() {
        beginning.push('…');
    }
    beginning
}
