//! Sets of squares as bits: what the boards of all families share.

use crate::Side;

/// A set of squares: bit `rank * files + file`, a1 first.
pub(crate) type Squares = u128;

/// File and rank steps of the eight directions. Straight directions are even, diagonal ones odd; the first four lead to
/// higher squares.
pub(crate) const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The directions along ranks and files.
pub(crate) const STRAIGHT: [usize; 4] = [0, 2, 4, 6];
/// The directions along diagonals.
pub(crate) const DIAGONAL: [usize; 4] = [1, 3, 5, 7];

/// The square that lies `times` steps away, if the board goes that far.
pub(crate) const fn offset(
    square: usize,
    (file_step, rank_step): (isize, isize),
    times: isize,
    files: usize,
    ranks: usize,
) -> Option<usize> {
    let file = (square % files) as isize + file_step * times;
    let rank = (square / files) as isize + rank_step * times;
    if file >= 0 && file < files as isize && rank >= 0 && rank < ranks as isize {
        Some(rank as usize * files + file as usize)
    } else {
        None
    }
}

/// The squares of a set, in ascending order.
pub(crate) fn squares_of(mut set: Squares) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(square)
    })
}

/// The square nearest to the start of a ray in `direction`, among those of `squares` that lie on it.
pub(crate) const fn first_on_ray(squares: Squares, direction: usize) -> Option<usize> {
    if squares == 0 {
        None
    } else if direction < 4 {
        Some(squares.trailing_zeros() as usize)
    } else {
        Some(Squares::BITS as usize - 1 - squares.leading_zeros() as usize)
    }
}

/// The squares of a ray up to and including the first one of `occupied`, where the ray leads to higher squares (the first
/// four directions).
pub(crate) const fn up_to_first(ray: Squares, occupied: Squares) -> Squares {
    let blockers = ray & occupied;
    // Without a blocker this is the whole ray.
    ray & (blockers ^ blockers.wrapping_sub(1))
}

/// The same where the ray leads to lower squares.
pub(crate) const fn down_to_first(ray: Squares, occupied: Squares) -> Squares {
    let blockers = ray & occupied | 1;
    ray & (Squares::MAX << (Squares::BITS - 1 - blockers.leading_zeros()))
}

/// [`up_to_first`] for boards of at most 64 squares: half the instructions.
pub(crate) const fn up_to_first_of_64(ray: Squares, occupied: Squares) -> Squares {
    let (ray, occupied) = (ray as u64, occupied as u64);
    let blockers = ray & occupied;
    (ray & (blockers ^ blockers.wrapping_sub(1))) as Squares
}

/// [`down_to_first`] for boards of at most 64 squares: a quarter of the instructions.
pub(crate) const fn down_to_first_of_64(ray: Squares, occupied: Squares) -> Squares {
    let (ray, occupied) = (ray as u64, occupied as u64);
    let blockers = ray & occupied | 1;
    (ray & (u64::MAX << (u64::BITS - 1 - blockers.leading_zeros()))) as Squares
}

/// The squares of a set in the order in which `side` counts them: rank by rank from its own, each from the left.
pub(crate) fn squares_seen_by(set: Squares, side: Side, files: usize) -> impl Iterator<Item = usize> {
    let (mut rest, mut rank) = (set, 0);
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        if side == Side::Red {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            return Some(square);
        }
        if rank == 0 {
            let highest = (Squares::BITS - 1 - rest.leading_zeros()) as usize;
            let first = highest - highest % files;
            rank = rest >> first << first;
        }
        let square = rank.trailing_zeros() as usize;
        rank &= rank - 1;
        rest &= !(1 << square);
        Some(square)
    })
}
