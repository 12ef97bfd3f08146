//! What chariots and cannons see along ranks and files, looked up by what stands there.

use super::board::{FILES, RANKS, SQUARES};
use crate::bitboard::Squares;

/// The points where anything stands, rank by rank and file by file: what stands on one line is then one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Occupancy {
    by_rank: Squares,
    by_file: Squares,
}

impl Occupancy {
    /// The points as a set.
    pub(super) fn squares(self) -> Squares {
        self.by_rank
    }

    /// The same with one point changed.
    pub(super) fn toggled(self, square: usize) -> Occupancy {
        Occupancy {
            by_rank: self.by_rank ^ 1 << square,
            by_file: self.by_file ^ 1 << (square % FILES * RANKS + square / FILES),
        }
    }

    /// The same with something on a point.
    pub(super) fn with(self, square: usize) -> Occupancy {
        if self.by_rank >> square & 1 != 0 { self } else { self.toggled(square) }
    }

    /// The same with nothing on a point.
    pub(super) fn without(self, square: usize) -> Occupancy {
        if self.by_rank >> square & 1 != 0 { self.toggled(square) } else { self }
    }

    fn rank(self, rank: usize) -> usize {
        (self.by_rank >> (rank * FILES)) as usize & (RANK_STATES - 1)
    }

    fn file(self, file: usize) -> usize {
        (self.by_file >> (file * RANKS)) as usize & (FILE_STATES - 1)
    }
}

const RANK_STATES: usize = 1 << FILES;
const FILE_STATES: usize = 1 << RANKS;

/// The places that are seen from each place of a line in each of its states, as bits.
struct Line<const LENGTH: usize, const STATES: usize> {
    /// Up to and including the first occupied place.
    slides: [[u16; STATES]; LENGTH],
    /// The occupied places behind exactly one other.
    jumps: [[u16; STATES]; LENGTH],
}

#[allow(long_running_const_eval, reason = "a few million steps, once a build")]
static RANK: Line<FILES, RANK_STATES> = Line::new();
#[allow(long_running_const_eval, reason = "a few million steps, once a build")]
static FILE: Line<RANKS, FILE_STATES> = Line::new();
/// The places of the first file as points of the board.
static SPREAD: [Squares; FILE_STATES] = spread();

impl<const LENGTH: usize, const STATES: usize> Line<LENGTH, STATES> {
    const fn new() -> Self {
        let mut line = Line { slides: [[0; STATES]; LENGTH], jumps: [[0; STATES]; LENGTH] };
        let mut place = 0;
        while place < LENGTH {
            let mut state = 0;
            while state < STATES {
                line.look(place, state, 1);
                line.look(place, state, -1);
                state += 1;
            }
            place += 1;
        }
        line
    }

    /// Adds what is seen from `place` in one direction.
    const fn look(&mut self, place: usize, state: usize, step: isize) {
        let mut met = 0;
        let mut at = place as isize + step;
        while at >= 0 && at < LENGTH as isize && met < 2 {
            let is_occupied = state >> at & 1 != 0;
            if met == 0 {
                self.slides[place][state] |= 1 << at;
            } else if is_occupied {
                self.jumps[place][state] |= 1 << at;
            }
            met += is_occupied as usize;
            at += step;
        }
    }
}

const fn spread() -> [Squares; FILE_STATES] {
    let mut points = [0; FILE_STATES];
    let mut state = 1;
    while state < FILE_STATES {
        let lowest = state.trailing_zeros() as usize;
        points[state] = points[state & (state - 1)] | 1 << (lowest * FILES);
        state += 1;
    }
    points
}

/// The points along the rank up to and including the first occupied one.
pub(super) fn slide_on_rank(from: usize, occupied: Occupancy) -> Squares {
    let (file, rank) = (from % FILES, from / FILES);
    Squares::from(RANK.slides[file][occupied.rank(rank)]) << (rank * FILES)
}

/// The points along the file up to and including the first occupied one.
pub(super) fn slide_on_file(from: usize, occupied: Occupancy) -> Squares {
    let (file, rank) = (from % FILES, from / FILES);
    SPREAD[FILE.slides[rank][occupied.file(file)] as usize] << file
}

/// The occupied points behind exactly one other along a line: what a cannon attacks.
pub(super) fn behind_screens(from: usize, occupied: Occupancy) -> Squares {
    let (file, rank) = (from % FILES, from / FILES);
    let on_rank = Squares::from(RANK.jumps[file][occupied.rank(rank)]) << (rank * FILES);
    let on_file = SPREAD[FILE.jumps[rank][occupied.file(file)] as usize] << file;
    on_rank | on_file
}

const _: () = assert!(SQUARES <= Squares::BITS as usize);

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::board::TABLES;
    use super::*;
    use crate::bitboard::{STRAIGHT, first_on_ray};
    use crate::{Purpose, Seeds};

    /// What a line holds, found point by point.
    fn along_rays(from: usize, occupied: Squares) -> (Squares, Squares) {
        let (mut slides, mut jumps) = (0, 0);
        for (place, direction) in STRAIGHT.into_iter().enumerate() {
            let ray = TABLES.rays[from][place];
            let blocker = |ray: Squares| first_on_ray(ray & occupied, direction);
            let Some(first) = blocker(ray) else {
                slides |= ray;
                continue;
            };
            let beyond = TABLES.rays[first][place];
            slides |= ray & !beyond;
            jumps |= blocker(beyond).map_or(0, |second| 1 << second);
        }
        (slides, jumps)
    }

    #[test]
    fn lookups_see_what_rays_see() {
        let mut rng = Seeds::new(5).stream(Purpose::Test, 0);
        for _ in 0..2000 {
            let mut occupied = Occupancy::default();
            for _ in 0..rng.random_range(0..40) {
                occupied = occupied.with(rng.random_range(0..SQUARES));
            }
            let from = rng.random_range(0..SQUARES);
            let slides = slide_on_rank(from, occupied) | slide_on_file(from, occupied);
            assert_eq!((slides, behind_screens(from, occupied)), along_rays(from, occupied.squares()));
            assert_eq!(occupied.with(from).without(from), occupied.without(from));
        }
    }
}
