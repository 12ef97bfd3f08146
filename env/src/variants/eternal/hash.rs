//! The features of an Eternal position as hash numbers.

use super::board::{Board, MAX_SQUARES};
use super::piece::Piece;
use crate::Side;
use crate::zobrist::{Hash, number, numbers};

static PIECES: [u64; 12 * MAX_SQUARES] = numbers(0);
static STONES: [u64; MAX_SQUARES] = numbers(10_000);
static SCORES: [u64; 2 * 256] = numbers(20_000);
static HANDS: [u64; 2 * 6 * 4] = numbers(30_000);
static PHASES: [u64; 3] = numbers(40_000);
const BLACK_TO_DECIDE: u64 = number(50_000);
const REPETITION: usize = 60_000;
const PROGRESS: usize = 70_000;
/// Stands for "the game is over" in a game's key.
pub(super) const FINISHED: u64 = number(80_000);

/// `piece` stands on `square`.
pub(super) fn piece<B: Board>(piece: Piece, square: usize) -> Hash {
    let row = (piece.side.index() * 6 + piece.kind.index()) * MAX_SQUARES;
    Hash { plain: PIECES[row + square], mirror: PIECES[row + B::mirror(square)] }
}

/// A stone lies on `square`.
pub(super) fn stone<B: Board>(square: usize) -> Hash {
    Hash { plain: STONES[square], mirror: STONES[B::mirror(square)] }
}

/// `side` is to decide.
pub(super) fn side(side: Side) -> Hash {
    match side {
        Side::Red => Hash::default(),
        Side::Black => Hash::symmetric(BLACK_TO_DECIDE),
    }
}

/// The points of both sides.
pub(super) fn score([red, black]: [u8; 2]) -> Hash {
    Hash::symmetric(SCORES[red as usize] ^ SCORES[256 + black as usize])
}

/// What is pending and which pieces are off the board.
pub(super) fn pending(phase: usize, hands: &[[u8; 6]; 2]) -> u64 {
    let mut hash = PHASES[phase];
    for (slot, &count) in hands.as_flattened().iter().enumerate() {
        hash ^= HANDS[slot * 4 + count as usize % 4];
    }
    hash
}

/// Earlier occurrences of the position.
pub(super) const fn repetitions(count: u8) -> u64 {
    number(REPETITION + count as usize)
}

/// How far the turn limit is used up.
pub(super) const fn progress(bucket: usize) -> u64 {
    number(PROGRESS + bucket)
}
