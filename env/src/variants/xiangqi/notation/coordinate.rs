//! Start and end by file letter and rank number: UCI counts ranks from 1, ICCS from 0.

use crate::fen;
use crate::notation::NotationError;
use crate::variants::xiangqi::board::{FILES, RANKS};
use crate::variants::xiangqi::position::Move;

/// The text of a move whose lowest rank is called `first_rank`.
pub(super) fn write(Move { from, to }: Move, first_rank: usize) -> String {
    let square = |square: usize| format!("{}{}", (b'a' + (square % FILES) as u8) as char, square / FILES + first_rank);
    square(from) + &square(to)
}

/// Reads a move whose lowest rank is called `first_rank`.
pub(super) fn read(text: &str, first_rank: usize) -> Result<Move, NotationError> {
    let squares = split_square(text, first_rank).and_then(|(from, rest)| {
        let (to, rest) = split_square(rest, first_rank)?;
        rest.is_empty().then_some(Move { from, to })
    });
    squares.ok_or_else(|| {
        let (lowest, highest) = (first_rank, first_rank + RANKS - 1);
        let example = if first_rank == 0 { "h2e2" } else { "h3e3" };
        let expected = format!("a move of two points like `{example}`, files a-i and ranks {lowest}-{highest}");
        NotationError::Malformed { text: text.to_owned(), expected }
    })
}

/// A point at the beginning of a text, and what follows it.
fn split_square(text: &str, first_rank: usize) -> Option<(usize, &str)> {
    if first_rank == 1 {
        return fen::split_square(text, FILES, RANKS);
    }
    let &[file, rank, ..] = text.as_bytes() else { return None };
    let (file, rank) = (file.checked_sub(b'a')? as usize, rank.checked_sub(b'0')? as usize);
    (file < FILES && rank < RANKS).then(|| (rank * FILES + file, &text[2..]))
}
