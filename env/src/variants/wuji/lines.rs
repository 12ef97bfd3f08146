//! How far pieces slide over a board with others on it.
//!
//! What stands on a line is kept as a small number, a bit for each place. The bits next to the slider's are then found by
//! counting zeros, and what it reaches is the part of the line between them. A file or diagonal has one point on each rank,
//! so that one table of ranges of ranks serves all of them.

use super::points::{FILES, Point, Points, RANKS, SLOTS, STRIDE};

/// The points of each line through a point, without the point.
type Lines = [Points; SLOTS];

static FILE: Lines = lines(0, 1);
static RISING: Lines = lines(1, 1);
static FALLING: Lines = lines(-1, 1);

const fn lines(files: isize, ranks: isize) -> Lines {
    let mut lines = [Points::EMPTY; SLOTS];
    let mut square = 0;
    while square < FILES * RANKS {
        let point = Point::from_square(square);
        let mut distance = -(RANKS as isize);
        while distance <= RANKS as isize {
            if distance != 0
                && let Some(other) = point.offset(files * distance, ranks * distance)
            {
                lines[point.index()] = lines[point.index()].with(other);
            }
            distance += 1;
        }
        square += 1;
    }
    lines
}

/// The points from one rank to another, at `first * STRIDE + last`.
static RANGES: [Points; SLOTS] = {
    let mut ranges = [Points::EMPTY; SLOTS];
    let mut first = 0;
    while first < RANKS {
        let mut last = first;
        while last < RANKS {
            ranges[first * STRIDE + last] = Points::ranks(first, last + 1 - first);
            last += 1;
        }
        first += 1;
    }
    ranges
};

/// Diagonals of one kind.
const DIAGONALS: usize = FILES + RANKS - 1;

/// The occupied points of a board, as a set and line by line: bit `rank` of the line's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occupied {
    points: Points,
    files: [u16; FILES],
    rising: [u16; DIAGONALS],
    falling: [u16; DIAGONALS],
}

impl Occupied {
    pub(super) const NOTHING: Occupied =
        Occupied { points: Points::EMPTY, files: [0; FILES], rising: [0; DIAGONALS], falling: [0; DIAGONALS] };

    /// The points as a set.
    #[inline]
    pub(super) const fn points(&self) -> Points {
        self.points
    }

    /// Puts something on an empty point, or takes away what is there.
    #[inline]
    pub(super) fn toggle(&mut self, point: Point) {
        self.points ^= Points::of(point);
        let bit = 1 << point.rank();
        self.files[point.file()] ^= bit;
        self.rising[rising(point)] ^= bit;
        self.falling[falling(point)] ^= bit;
    }
}

/// The number of the rising diagonal of a point.
#[inline]
const fn rising(point: Point) -> usize {
    point.file() + RANKS - 1 - point.rank()
}

/// The number of the falling diagonal of a point.
#[inline]
const fn falling(point: Point) -> usize {
    point.file() + point.rank()
}

/// The points along rank and file that a slider on `from` reaches, the first occupied one of each direction included.
#[inline]
pub(super) fn straight(from: Point, occupied: &Occupied) -> Points {
    straight_past::<0>(from, occupied)
}

/// The same if the slider passes over the first `PASSED` occupied points of each direction.
#[inline]
pub(super) fn straight_past<const PASSED: usize>(from: Point, occupied: &Occupied) -> Points {
    along_rank::<PASSED>(from, occupied) | along::<PASSED>(from, occupied.files[from.file()], &FILE)
}

/// The points along diagonals that a slider on `from` reaches, the first occupied one of each direction included.
#[inline]
pub(super) fn diagonal(from: Point, occupied: &Occupied) -> Points {
    diagonal_past::<0>(from, occupied)
}

/// The same if the slider passes over the first `PASSED` occupied points of each direction.
#[inline]
pub(super) fn diagonal_past<const PASSED: usize>(from: Point, occupied: &Occupied) -> Points {
    along::<PASSED>(from, occupied.rising[rising(from)], &RISING)
        | along::<PASSED>(from, occupied.falling[falling(from)], &FALLING)
}

/// Both directions of one of the `lines`, on which `occupied` says what stands.
#[inline(always)]
fn along<const PASSED: usize>(from: Point, occupied: u16, lines: &Lines) -> Points {
    let (first, last) = ends::<RANKS, PASSED>(occupied.into(), from.rank());
    lines[from.index()] & RANGES[first * STRIDE + last]
}

#[inline(always)]
fn along_rank<const PASSED: usize>(from: Point, occupied: &Occupied) -> Points {
    let (first, last) = ends::<FILES, PASSED>(occupied.points.lane(from.rank()) as u32, from.file());
    let others = !(1 << from.file());
    Points::from_lane(((2 << last) - (1 << first)) & others, from.rank())
}

/// The last places in both directions that are seen from `place` of a line with so many: the next but `PASSED` occupied ones,
/// or the ends of the line.
#[inline(always)]
fn ends<const LENGTH: usize, const PASSED: usize>(occupied: u32, place: usize) -> (usize, usize) {
    let mut below = occupied & ((1 << place) - 1);
    let mut above = occupied & !((2 << place) - 1);
    for _ in 0..PASSED {
        below &= !(1 << (below | 1).ilog2());
        above &= above.wrapping_sub(1);
    }
    ((below | 1).ilog2() as usize, (above | 1 << (LENGTH - 1)).trailing_zeros() as usize)
}

/// The points of the line through two; none if they lie on no common line.
pub(super) fn through(first: Point, second: Point) -> Points {
    if first.rank() == second.rank() {
        return rank_of(first);
    }
    let towards = Points::of(second);
    let lines = [&FILE, &RISING, &FALLING].map(|lines| lines[first.index()]);
    lines.into_iter().find(|line| line.meets(towards)).map_or(Points::EMPTY, |line| line | Points::of(first))
}

/// The points strictly between two.
pub(super) fn between(first: Point, second: Point) -> Points {
    let (low, high) = if first < second { (first, second) } else { (second, first) };
    through(first, second) & Points::below(high).without(Points::below(low) | Points::of(low))
}

/// The points on the rank and the file of `point`.
#[inline]
pub(super) fn cross(point: Point) -> Points {
    FILE[point.index()] | rank_of(point).without(Points::of(point))
}

#[inline]
fn rank_of(point: Point) -> Points {
    RANGES[point.rank() * STRIDE + point.rank()]
}

/// The points on the diagonals of `point`.
#[inline]
pub(super) fn diagonals(point: Point) -> Points {
    RISING[point.index()] | FALLING[point.index()]
}

const _: () = assert!(FILES < STRIDE, "a line along a rank must not run into the next");

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::{Purpose, Seeds};

    const STRAIGHT: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
    const DIAGONAL: [(isize, isize); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

    fn occupied(points: Points) -> Occupied {
        let mut occupied = Occupied::NOTHING;
        points.iter().for_each(|point| occupied.toggle(point));
        occupied
    }

    fn walk(from: Point, directions: [(isize, isize); 4], occupied: Points, passed: usize) -> Points {
        let mut reach = Points::EMPTY;
        for (files, ranks) in directions {
            let (mut at, mut met) = (from, 0);
            while let Some(next) = at.offset(files, ranks) {
                reach |= Points::of(next);
                met += usize::from(occupied.contains(next));
                if met > passed {
                    break;
                }
                at = next;
            }
        }
        reach
    }

    #[test]
    fn sliding_is_walking_until_enough_stands_in_the_way() {
        let mut rng = Seeds::new(5).stream(Purpose::Test, 0);
        for density in [0.0, 0.1, 0.3, 0.7, 1.0] {
            let mut some = Points::EMPTY;
            Points::BOARD.iter().filter(|_| rng.random_bool(density)).for_each(|point| some |= Points::of(point));
            let occupied = occupied(some);
            assert_eq!(occupied.points(), some);
            for from in Points::BOARD {
                let walked = |directions, passed| walk(from, directions, some, passed);
                assert_eq!(straight(from, &occupied), walked(STRAIGHT, 0), "{}", from.text());
                assert_eq!(straight_past::<1>(from, &occupied), walked(STRAIGHT, 1), "{}", from.text());
                assert_eq!(straight_past::<2>(from, &occupied), walked(STRAIGHT, 2), "{}", from.text());
                assert_eq!(diagonal(from, &occupied), walked(DIAGONAL, 0), "{}", from.text());
                assert_eq!(diagonal_past::<1>(from, &occupied), walked(DIAGONAL, 1), "{}", from.text());
            }
        }
    }

    #[test]
    fn a_line_goes_through_two_points_and_beyond() {
        for (from, to) in Points::BOARD.iter().flat_map(|from| Points::BOARD.iter().map(move |to| (from, to))) {
            let lines = [rank_of(from), FILE[from.index()], RISING[from.index()], FALLING[from.index()]];
            let line = lines.into_iter().find(|line| from != to && line.contains(to));
            let expected = line.map_or(Points::EMPTY, |line| line.with(from));
            if from != to {
                assert_eq!(through(from, to), expected, "{} {}", from.text(), to.text());
            }
        }
    }

    #[test]
    fn between_two_points_of_a_line_lies_what_a_slider_passes() {
        let empty = Occupied::NOTHING;
        for from in Points::BOARD {
            assert_eq!(cross(from), straight(from, &empty));
            assert_eq!(diagonals(from), diagonal(from, &empty));
            for to in cross(from) | diagonals(from) {
                let directions = STRAIGHT.into_iter().chain(DIAGONAL);
                let expected = directions
                    .map(|(files, ranks)| {
                        let run = |distance| from.offset(files * distance, ranks * distance);
                        let passed: Vec<Point> = (1..).map_while(run).collect();
                        passed.iter().position(|&point| point == to).map(|end| passed[..end].to_vec())
                    })
                    .find_map(|passed| passed)
                    .unwrap();
                let expected = expected.into_iter().fold(Points::EMPTY, Points::with);
                assert_eq!(between(from, to), expected, "{} {}", from.text(), to.text());
            }
        }
    }
}
