//! How far pieces slide over a board with others on it.
//!
//! The *o − 2r* trick: as numbers, the occupied points of a line less the slider differ from those points in just the
//! bits from the slider up to and including the first occupied one. Downwards it is the same on the board turned over.
//! Files and diagonals have one point on each rank, so turning the ranks over reverses them; a rank is one 16-bit lane
//! and is dealt with by itself.

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

/// The occupied points of a board, from both sides of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occupied {
    plain: Points,
    turned: Points,
}

impl Occupied {
    #[inline]
    pub(super) const fn new(points: Points) -> Occupied {
        Occupied { plain: points, turned: points.turned() }
    }
}

/// The points along rank and file that a slider on `from` reaches, the first occupied one of each direction included.
#[inline]
pub(super) fn straight(from: Point, occupied: &Occupied) -> Points {
    along(from, occupied, &FILE, &FILE) | along_rank(from, occupied.plain)
}

/// The points along diagonals that a slider on `from` reaches, the first occupied one of each direction included.
#[inline]
pub(super) fn diagonal(from: Point, occupied: &Occupied) -> Points {
    along(from, occupied, &RISING, &FALLING) | along(from, occupied, &FALLING, &RISING)
}

/// Both directions of one of the `lines`, which the board turned over has as `turned`.
#[inline(always)]
fn along(from: Point, occupied: &Occupied, lines: &Lines, turned: &Lines) -> Points {
    let line = lines[from.index()];
    let up = first_above(from, occupied.plain & line);
    let from = from.turned();
    let down = first_above(from, occupied.turned & turned[from.index()]).turned();
    (up | down) & line
}

/// On a line whose occupied points are `others`: the points above `from` up to and including the first of them; and
/// anything off the line.
#[inline(always)]
fn first_above(from: Point, others: Points) -> Points {
    others.minus(Points::of(from)) ^ others
}

#[inline(always)]
fn along_rank(from: Point, occupied: Points) -> Points {
    let others = occupied.lane(from.rank());
    let own = 1_u64 << from.file();
    let above = others & !(own | (own - 1));
    let right = above.wrapping_sub(own) ^ above;
    // The highest occupied point to the left, or the edge; what lies between is left of `own` and not below it.
    let left = others & (own - 1) | 1;
    let nearest = 1_u64 << (u64::BITS - 1 - left.leading_zeros());
    Points::from_lane(right & !own | (own - 1) & !(nearest - 1), from.rank())
}

/// The points strictly between two that lie on a common line; for two that do not, nothing of use.
pub(super) fn between(first: Point, second: Point) -> Points {
    let line = if first.rank() == second.rank() {
        Points::ranks(first.rank(), 1)
    } else {
        let towards = Points::of(second);
        [&FILE, &RISING, &FALLING]
            .into_iter()
            .map(|lines| lines[first.index()])
            .find(|line| line.meets(towards))
            .unwrap_or(Points::EMPTY)
    };
    let (low, high) = if first < second { (first, second) } else { (second, first) };
    line & Points::below(high).without(Points::below(low)).without(Points::of(low))
}

/// The points on the rank and the file of `point`.
pub(super) fn cross(point: Point) -> Points {
    FILE[point.index()] | Points::ranks(point.rank(), 1).without(Points::of(point))
}

/// The points on the diagonals of `point`.
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

    fn walk(from: Point, directions: [(isize, isize); 4], occupied: Points) -> Points {
        let mut reach = Points::EMPTY;
        for (files, ranks) in directions {
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                reach |= Points::of(next);
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        reach
    }

    #[test]
    fn sliding_is_walking_until_something_stands_in_the_way() {
        let mut rng = Seeds::new(5).stream(Purpose::Test, 0);
        for density in [0.0, 0.1, 0.3, 0.7, 1.0] {
            let mut some = Points::EMPTY;
            Points::BOARD.iter().filter(|_| rng.random_bool(density)).for_each(|point| some |= Points::of(point));
            let occupied = Occupied::new(some);
            for from in Points::BOARD {
                assert_eq!(straight(from, &occupied), walk(from, STRAIGHT, some), "{}", from.text());
                assert_eq!(diagonal(from, &occupied), walk(from, DIAGONAL, some), "{}", from.text());
            }
        }
    }

    #[test]
    fn between_two_points_of_a_line_lies_what_a_slider_passes() {
        let empty = Occupied::new(Points::EMPTY);
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
