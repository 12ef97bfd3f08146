//! The features of a Wuji position as hash numbers.

use super::piece::{KINDS, Piece};
use super::points::{Point, SLOTS};
use crate::Side;
use crate::zobrist::{Hash, number, numbers};

static PIECES: [u64; 2 * KINDS * SLOTS] = numbers(100_000);
const GREEN_TO_DECIDE: u64 = number(110_000);
const REPETITION: usize = 111_000;
const PROGRESS: usize = 112_000;
/// Stands for "the game is over" in a game's key.
pub(super) const FINISHED: u64 = number(113_000);

/// `piece` stands on `point`.
pub(super) fn piece(piece: Piece, point: Point) -> Hash {
    let row = piece.number() * SLOTS;
    Hash { plain: PIECES[row + point.index()], mirror: PIECES[row + point.mirrored().index()] }
}

/// The other side is to decide.
pub(super) const OTHER_SIDE: Hash = Hash::symmetric(GREEN_TO_DECIDE);

/// `side` is to decide.
pub(super) fn side(side: Side) -> Hash {
    match side {
        Side::Red => Hash::default(),
        Side::Black => OTHER_SIDE,
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
