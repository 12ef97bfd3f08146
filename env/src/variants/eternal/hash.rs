//! Zobrist hashing (Zobrist 1970), kept for a position and for its mirror image at once, so that a game with its
//! history can be mirrored.

use super::board::{Board, MAX_SQUARES};
use super::piece::Piece;
use crate::Side;

/// A hash and that of the mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Hash {
    /// Hash of the position.
    pub(super) plain: u64,
    /// Hash of its reflection left to right.
    pub(super) mirror: u64,
}

impl Hash {
    /// Adds a feature, or takes it away again.
    pub(super) fn and(self, other: Hash) -> Hash {
        Hash { plain: self.plain ^ other.plain, mirror: self.mirror ^ other.mirror }
    }

    /// The hash of the reflection.
    pub(super) fn mirrored(self) -> Hash {
        Hash { plain: self.mirror, mirror: self.plain }
    }
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014) over a counter: random enough, and computed at compile time.
const fn number(index: usize) -> u64 {
    let mut z = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const fn numbers<const N: usize>(first: usize) -> [u64; N] {
    let mut all = [0; N];
    let mut index = 0;
    while index < N {
        all[index] = number(first + index);
        index += 1;
    }
    all
}

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
        Side::Black => Hash { plain: BLACK_TO_DECIDE, mirror: BLACK_TO_DECIDE },
    }
}

/// The points of both sides.
pub(super) fn score([red, black]: [u8; 2]) -> Hash {
    let hash = SCORES[red as usize] ^ SCORES[256 + black as usize];
    Hash { plain: hash, mirror: hash }
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
