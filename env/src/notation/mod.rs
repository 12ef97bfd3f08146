//! Errors of the readers of position texts, steps and turns, and the list of all turns.

mod turns;

pub use turns::{TooManyTurns, every_turn};

use thiserror::Error;

/// Why a position text was not accepted: the field and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("position text, field `{field}`: {problem}")]
pub struct FenError {
    /// The field of the text: board, side, hand, score, turn, …
    pub field: &'static str,
    /// What is wrong, with the value that was found and what was expected.
    pub problem: String,
}

impl FenError {
    /// A problem with `field`.
    pub fn new(field: &'static str, problem: impl Into<String>) -> FenError {
        FenError { field, problem: problem.into() }
    }
}

/// Why a step or a turn was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// The text does not have the form of a step or turn.
    #[error("`{text}` is not {expected}")]
    Malformed {
        /// What was read.
        text: String,
        /// What was expected.
        expected: String,
    },
    /// The text is well formed but the rules do not allow it here.
    #[error("`{text}` is not legal here: {why}")]
    Illegal {
        /// What was read.
        text: String,
        /// Why not.
        why: String,
    },
    /// The text fits more than one legal turn.
    #[error("`{text}` has more than one meaning: {meanings}")]
    Ambiguous {
        /// What was read.
        text: String,
        /// What it may mean, with texts that are unmistakable.
        meanings: String,
    },
    /// The turn is legal but its suffix is wrong.
    #[error("`{text}` has the wrong suffix: expected `{expected}`")]
    Suffix {
        /// What was read.
        text: String,
        /// The suffix that applies; empty if none.
        expected: String,
    },
    /// The game is over.
    #[error("the game is over")]
    Finished,
}
