//! The features of a Xiangqi position as hash numbers.

use super::board::{SQUARES, mirror};
use super::piece::Piece;
use crate::Side;
use crate::zobrist::{Hash, number, numbers};

static PIECES: [u64; Piece::COUNT * SQUARES] = numbers(100_000);
const BLACK_TO_MOVE: u64 = number(150_000);
const REPETITION: usize = 160_000;
const PROGRESS: usize = 170_000;
/// Stands for "the game is over" in a game's key.
pub(super) const FINISHED: u64 = number(180_000);

/// `piece` stands on `square`.
pub(super) fn piece(piece: Piece, square: usize) -> Hash {
    let row = piece.index() * SQUARES;
    Hash { plain: PIECES[row + square], mirror: PIECES[row + mirror(square)] }
}

/// `side` is to move.
pub(super) fn side(side: Side) -> Hash {
    match side {
        Side::Red => Hash::default(),
        Side::Black => Hash::symmetric(BLACK_TO_MOVE),
    }
}

/// Earlier occurrences of the position.
pub(super) const fn repetitions(count: u8) -> u64 {
    number(REPETITION + count as usize)
}

/// How far the limit on quiet moves is used up.
pub(super) const fn progress(bucket: usize) -> u64 {
    number(PROGRESS + bucket)
}
