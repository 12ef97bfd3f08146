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

/// Reads `h3e3`, and nothing else: steps are written and read back letter by letter.
pub(super) fn read_uci(text: &str) -> Result<Move, NotationError> {
    let squares = fen::split_square(text, FILES, RANKS).and_then(|(from, rest)| {
        let to = fen::parse_square(rest, FILES, RANKS)?;
        Some(Move { from, to })
    });
    squares.ok_or_else(|| malformed(text, "`h3e3`, files a-i and ranks 1-10"))
}

/// Reads `h2e2`, or `H2-E2`, which is how the server wrote moves before engines shortened them.
pub(super) fn read_iccs(text: &str) -> Result<Move, NotationError> {
    let squares = match text.as_bytes() {
        &[file, rank, b'-', to_file, to_rank] | &[file, rank, to_file, to_rank] => {
            iccs_square(file, rank).zip(iccs_square(to_file, to_rank))
        }
        _ => None,
    };
    let played = squares.map(|(from, to)| Move { from, to });
    played.ok_or_else(|| malformed(text, "`h2e2` or `H2-E2`, files a-i and ranks 0-9"))
}

fn iccs_square(file: u8, rank: u8) -> Option<usize> {
    let (file, rank) = (file.to_ascii_lowercase().checked_sub(b'a')?, rank.checked_sub(b'0')?);
    let (file, rank) = (usize::from(file), usize::from(rank));
    (file < FILES && rank < RANKS).then_some(rank * FILES + file)
}

fn malformed(text: &str, example: &str) -> NotationError {
    NotationError::Malformed { text: text.to_owned(), expected: format!("a move of two points like {example}") }
}
