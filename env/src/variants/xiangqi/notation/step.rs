//! A move as its owner describes it: forward, back or level, and a number.

use std::cmp::Ordering;

use crate::Side;
use crate::variants::xiangqi::board::{FILES, RANKS, relative, square_text};
use crate::variants::xiangqi::piece::Kind;
use crate::variants::xiangqi::position::Move;

/// Where a move leads, as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// 进, `+`
    Forward,
    /// 退, `-`
    Back,
    /// 平, `=`
    Level,
}

impl Direction {
    const fn name(self) -> &'static str {
        match self {
            Direction::Forward => "forward",
            Direction::Back => "back",
            Direction::Level => "sideways",
        }
    }
}

/// The second half of a text: how a piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) direction: Direction,
    /// A distance if the piece stays on its file, otherwise the target's file.
    pub(super) number: usize,
}

impl Step {
    /// The description of a move.
    pub(super) fn of(side: Side, kind: Kind, Move { from, to }: Move) -> Step {
        let (start, end) = (own_rank(from, side), own_rank(to, side));
        let direction = match end.cmp(&start) {
            Ordering::Greater => Direction::Forward,
            Ordering::Less => Direction::Back,
            Ordering::Equal => Direction::Level,
        };
        let counts_steps = direction != Direction::Level && keeps_to_lines(kind);
        Step { direction, number: if counts_steps { start.abs_diff(end) } else { file_number(to, side) } }
    }

    /// Where the step ends for a piece of `side` on `from`, if there is such a point and pieces of its kind go that way.
    pub(super) fn target(self, side: Side, kind: Kind, from: usize) -> Option<usize> {
        let own_file = from % FILES;
        let (file, distance) = match (self.direction, keeps_to_lines(kind)) {
            (Direction::Level, true) => (file_index(self.number, side), 0),
            (Direction::Level, false) => return None,
            (_, true) => (own_file, self.number),
            (_, false) => {
                let file = file_index(self.number, side);
                (file, rise(kind, file.abs_diff(own_file))?)
            }
        };
        let rank = match self.direction {
            Direction::Back => own_rank(from, side).checked_sub(distance)?,
            _ => own_rank(from, side) + distance,
        };
        (rank < RANKS).then(|| relative(rank * FILES + file, side))
    }

    /// Why there is no target; `numeral` writes a file's number.
    pub(super) fn explain(self, kind: Kind, from: usize, numeral: impl Fn(usize) -> char) -> String {
        let Step { direction, number } = self;
        let (piece, way) = (format!("the {} on {}", kind.name(), square_text(from)), direction.name());
        match (direction, keeps_to_lines(kind)) {
            (Direction::Level, _) => format!("{piece} cannot go sideways"),
            (_, true) => format!("{piece} cannot go {number} {way}: the board ends before"),
            (_, false) => format!("{piece} cannot go {way} to file {}", numeral(number)),
        }
    }
}

/// A square's file as `side` counts it: from 1, from its right.
pub(super) const fn file_number(square: usize, side: Side) -> usize {
    match side {
        Side::Red => FILES - square % FILES,
        Side::Black => square % FILES + 1,
    }
}

/// The file from the left of red that `side` calls `number`.
const fn file_index(number: usize, side: Side) -> usize {
    match side {
        Side::Red => FILES - number,
        Side::Black => number - 1,
    }
}

const fn own_rank(square: usize, side: Side) -> usize {
    relative(square, side) / FILES
}

const fn keeps_to_lines(kind: Kind) -> bool {
    matches!(kind, Kind::General | Kind::Chariot | Kind::Cannon | Kind::Soldier)
}

/// How many ranks a piece that leaves the lines goes up or down when it crosses `files` files.
const fn rise(kind: Kind, files: usize) -> Option<usize> {
    match (kind, files) {
        (Kind::Horse, 1) | (Kind::Elephant, 2) => Some(2),
        (Kind::Horse, 2) | (Kind::Advisor, 1) => Some(1),
        _ => None,
    }
}
