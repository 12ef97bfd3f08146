//! Areas of the board and what the pieces that do not slide reach on it (RULES 3.1, 3.2).

use super::points::{HALF, Point, Points, RANKS, SLOTS, SQUARES};
use crate::Side;

/// For each point the points that something reaches from it.
type Reach = [Points; SLOTS];

/// Each side's palace, f–h × 1–3 or 10–12.
pub(super) const PALACE: [Points; 2] = [PALACE_OF_RED, PALACE_OF_RED.turned()];
/// Each side's half.
pub(super) const HALVES: [Points; 2] = [Points::ranks(0, HALF), Points::ranks(HALF, HALF)];
/// The rank on which each side's pawns become something else: the enemy's back rank.
pub(super) const GOAL: [Points; 2] = [Points::ranks(RANKS - 1, 1), Points::ranks(0, 1)];

const PALACE_OF_RED: Points = {
    let mut palace = Points::EMPTY;
    let mut index = 0;
    while index < 9 {
        palace = palace.with(Point::new(5 + index % 3, index / 3));
        index += 1;
    }
    palace
};

const STRAIGHT: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

/// One step along ranks and files.
pub(super) static STRAIGHT_STEPS: Reach = steps(&STRAIGHT);
/// One step along diagonals.
pub(super) static DIAGONAL_STEPS: Reach = steps(&DIAGONAL);
/// The (1,2) leap.
pub(super) static KNIGHT_LEAPS: Reach = leaps(1, 2);
/// The (1,3) leap.
pub(super) static CAMEL_LEAPS: Reach = leaps(1, 3);
/// All points at a distance of five, counted along ranks and files together.
pub(super) static FIVE_AWAY: Reach = {
    let mut reach = [Points::EMPTY; SLOTS];
    let mut files = 0;
    while files <= 5 {
        join(&mut reach, &leaps(files, 5 - files));
        files += 1;
    }
    reach
};

/// Where each side's pawns go, but for sideways steps.
pub(super) static PAWN_ADVANCES: [Reach; 2] = [advances(Side::Red), advances(Side::Black)];
/// Where each side's pawns go sideways where that is allowed.
pub(super) static PAWN_SIDE_STEPS: [Reach; 2] = [side_steps(Side::Red), side_steps(Side::Black)];
/// The points from which each side's pawns advance to a point.
pub(super) static PAWN_ADVANCES_TO: [Reach; 2] = [inverse(&PAWN_ADVANCES[0]), inverse(&PAWN_ADVANCES[1])];
/// The points from which each side's pawns step sideways to a point.
pub(super) static PAWN_SIDE_STEPS_TO: [Reach; 2] = [inverse(&PAWN_SIDE_STEPS[0]), inverse(&PAWN_SIDE_STEPS[1])];

const fn steps(directions: &[(isize, isize)]) -> Reach {
    let mut reach = [Points::EMPTY; SLOTS];
    let mut square = 0;
    while square < SQUARES {
        let from = Point::from_square(square);
        let mut index = 0;
        while index < directions.len() {
            if let Some(to) = from.offset(directions[index].0, directions[index].1) {
                reach[from.index()] = reach[from.index()].with(to);
            }
            index += 1;
        }
        square += 1;
    }
    reach
}

/// The leaps over `long` and `short` in every direction.
const fn leaps(long: isize, short: isize) -> Reach {
    steps(&[
        (long, short),
        (long, -short),
        (-long, short),
        (-long, -short),
        (short, long),
        (short, -long),
        (-short, long),
        (-short, -long),
    ])
}

const fn join(reach: &mut Reach, more: &Reach) {
    let mut square = 0;
    while square < SQUARES {
        let from = Point::from_square(square);
        reach[from.index()] = reach[from.index()].union(more[from.index()]);
        square += 1;
    }
}

const fn forward(side: Side) -> isize {
    match side {
        Side::Red => 1,
        Side::Black => -1,
    }
}

const fn advances(side: Side) -> Reach {
    let ahead = forward(side);
    let mut reach = across(side, &steps(&[(-1, ahead), (1, ahead)]));
    join(&mut reach, &steps(&[(0, ahead)]));
    reach
}

const fn side_steps(side: Side) -> Reach {
    across(side, &steps(&[(-1, 0), (1, 0)]))
}

/// What `reach` says for points across the river, and nothing for the others.
const fn across(side: Side, reach: &Reach) -> Reach {
    let mut beyond = [Points::EMPTY; SLOTS];
    let mut square = 0;
    while square < SQUARES {
        let from = Point::from_square(square);
        if HALVES[side.other().index()].contains(from) {
            beyond[from.index()] = reach[from.index()];
        }
        square += 1;
    }
    beyond
}

const fn inverse(reach: &Reach) -> Reach {
    let mut inverse = [Points::EMPTY; SLOTS];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            let (start, end) = (Point::from_square(from), Point::from_square(to));
            if reach[start.index()].contains(end) {
                inverse[end.index()] = inverse[end.index()].with(start);
            }
            to += 1;
        }
        from += 1;
    }
    inverse
}
