//! The board's geometry: areas, and the tables that moves are generated from (RULES 2).

use super::piece::Kind;
use crate::Side;
use crate::bitboard::{DIRECTIONS, STRAIGHT, Squares, offset};
use crate::fen;

/// Number of files.
pub const FILES: usize = 9;
/// Number of ranks.
pub const RANKS: usize = 10;
/// Number of points.
pub const SQUARES: usize = FILES * RANKS;
/// Ranks of each side; the river lies between them.
pub(super) const RANKS_A_SIDE: usize = RANKS / 2;
/// All points.
pub(super) const ALL_SQUARES: Squares = (1 << SQUARES) - 1;

/// A step that something on another point can block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// Set of the one point that must be empty: a horse's leg, an elephant's eye. Full where there is no such step.
    pub(super) through: Squares,
    /// Where the step may end.
    pub(super) targets: Squares,
}

const NO_HOP: Hop = Hop { through: ALL_SQUARES, targets: 0 };

/// What the geometry says about each point.
#[derive(Debug)]
pub(super) struct Tables {
    /// Points in each straight direction up to the edge, in the order of [`STRAIGHT`].
    pub(super) rays: [[Squares; 4]; SQUARES],
    /// All points on the same rank or file.
    pub(super) lines: [Squares; SQUARES],
    /// A horse's steps, by the straight direction they begin with.
    pub(super) horse: [[Hop; 4]; SQUARES],
    /// The points from which a horse may reach the point, each with its leg, which is next to the horse.
    pub(super) horse_from: [[Hop; 4]; SQUARES],
    /// All points of `horse_from`.
    pub(super) horse_near: [Squares; SQUARES],
    /// An elephant's steps.
    pub(super) elephant: [[Hop; 4]; SQUARES],
    /// An advisor's steps.
    pub(super) advisor: [Squares; SQUARES],
    /// A general's steps.
    pub(super) general: [Squares; SQUARES],
    /// A soldier's steps, by side.
    pub(super) soldier: [[Squares; SQUARES]; 2],
    /// The points from which a soldier of a side reaches the point.
    pub(super) soldier_from: [[Squares; SQUARES]; 2],
}

/// The tables, computed at compile time.
pub(super) static TABLES: Tables = Tables::new();

/// Each side's palace.
pub(super) const PALACES: [Squares; 2] = [palace(0), palace(RANKS - 3)];
/// Each side's half.
pub(super) const HALVES: [Squares; 2] =
    [(1 << (FILES * RANKS_A_SIDE)) - 1, ALL_SQUARES & !((1 << (FILES * RANKS_A_SIDE)) - 1)];

const fn palace(lowest_rank: usize) -> Squares {
    let row = 0b111 << 3;
    (row | row << FILES | row << (2 * FILES)) << (lowest_rank * FILES)
}

impl Tables {
    const fn new() -> Tables {
        let mut tables = Tables {
            rays: [[0; 4]; SQUARES],
            lines: [0; SQUARES],
            horse: [[NO_HOP; 4]; SQUARES],
            horse_from: [[NO_HOP; 4]; SQUARES],
            horse_near: [0; SQUARES],
            elephant: [[NO_HOP; 4]; SQUARES],
            advisor: [0; SQUARES],
            general: [0; SQUARES],
            soldier: [[0; SQUARES]; 2],
            soldier_from: [[0; SQUARES]; 2],
        };
        let mut square = 0;
        while square < SQUARES {
            let mut direction = 0;
            while direction < 4 {
                tables.add_straight(square, direction);
                tables.add_diagonal(square, direction);
                direction += 1;
            }
            tables.add_soldier(square, Side::Red);
            tables.add_soldier(square, Side::Black);
            square += 1;
        }
        tables
    }

    const fn add_straight(&mut self, square: usize, direction: usize) {
        let (file, rank) = DIRECTIONS[STRAIGHT[direction]];
        let mut distance = 1;
        while let Some(target) = neighbour(square, (file, rank), distance) {
            self.rays[square][direction] |= 1 << target;
            self.lines[square] |= 1 << target;
            distance += 1;
        }
        let Some(next) = neighbour(square, (file, rank), 1) else { return };
        if let Some(area) = area_of(square, PALACES) {
            self.general[square] |= 1 << next & area;
        }
        // One step along the line, then one diagonally outward, to either side.
        let mut turn = -1;
        let mut targets = 0;
        while turn <= 1 {
            if let Some(target) = neighbour(square, (2 * file + turn * rank, 2 * rank + turn * file), 1) {
                targets |= 1 << target;
                // The horse comes from the square: its leg is `next`, one of the four points diagonal to the target.
                self.horse_near[target] |= 1 << square;
                self.add_horse_from(target, square, next);
            }
            turn += 2;
        }
        self.horse[square][direction] = Hop { through: 1 << next, targets };
    }

    const fn add_horse_from(&mut self, target: usize, origin: usize, leg: usize) {
        let mut slot = 0;
        while self.horse_from[target][slot].targets != 0 && self.horse_from[target][slot].through != 1 << leg {
            slot += 1;
        }
        self.horse_from[target][slot].through = 1 << leg;
        self.horse_from[target][slot].targets |= 1 << origin;
    }

    const fn add_diagonal(&mut self, square: usize, direction: usize) {
        let step = DIRECTIONS[STRAIGHT[direction] + 1];
        let Some(next) = neighbour(square, step, 1) else { return };
        if let Some(area) = area_of(square, PALACES) {
            self.advisor[square] |= 1 << next & area;
        }
        if let (Some(area), Some(target)) = (area_of(square, HALVES), neighbour(square, step, 2)) {
            self.elephant[square][direction] = Hop { through: 1 << next, targets: 1 << target & area };
        }
    }

    const fn add_soldier(&mut self, square: usize, side: Side) {
        let forward = match side {
            Side::Red => (0, 1),
            Side::Black => (0, -1),
        };
        let has_crossed = HALVES[side.index()] >> square & 1 == 0;
        let steps = [forward, (-1, 0), (1, 0)];
        let mut index = 0;
        while index < if has_crossed { 3 } else { 1 } {
            if let Some(target) = neighbour(square, steps[index], 1) {
                self.soldier[side.index()][square] |= 1 << target;
                self.soldier_from[side.index()][target] |= 1 << square;
            }
            index += 1;
        }
    }
}

const fn neighbour(square: usize, step: (isize, isize), times: isize) -> Option<usize> {
    offset(square, step, times, FILES, RANKS)
}

/// Which of two areas a point lies in.
const fn area_of(square: usize, areas: [Squares; 2]) -> Option<Squares> {
    if areas[0] >> square & 1 != 0 {
        Some(areas[0])
    } else if areas[1] >> square & 1 != 0 {
        Some(areas[1])
    } else {
        None
    }
}

/// The points on which a position may have a piece of a kind and side: where its steps keep it, and for soldiers nothing
/// behind their start. A composed position may have an advisor or elephant on a point that it could not reach in a game.
pub(super) const fn realm(kind: Kind, side: Side) -> Squares {
    let behind_soldiers = (1 << (3 * FILES)) - 1;
    match (kind, side) {
        (Kind::General | Kind::Advisor, _) => PALACES[side.index()],
        (Kind::Elephant, _) => HALVES[side.index()],
        (Kind::Soldier, Side::Red) => ALL_SQUARES & !behind_soldiers,
        (Kind::Soldier, Side::Black) => ALL_SQUARES >> (3 * FILES),
        (Kind::Horse | Kind::Chariot | Kind::Cannon, _) => ALL_SQUARES,
    }
}

/// The square seen from the other side of the board: ranks turned over.
pub(super) const fn flip(square: usize) -> usize {
    let (file, rank) = (square % FILES, square / FILES);
    (RANKS - 1 - rank) * FILES + file
}

/// The square as `side` counts it, and back.
pub(super) const fn relative(square: usize, side: Side) -> usize {
    match side {
        Side::Red => square,
        Side::Black => flip(square),
    }
}

/// The square's reflection left to right.
pub(super) const fn mirror(square: usize) -> usize {
    square - square % FILES + (FILES - 1 - square % FILES)
}

/// The text of a square, `a1`.
pub(super) fn square_text(square: usize) -> String {
    fen::square_text(square, FILES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::squares_of;

    fn text(set: Squares) -> String {
        squares_of(set).map(square_text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn areas_are_those_of_the_rule_book() {
        assert_eq!(text(PALACES[0]), "d1 e1 f1 d2 e2 f2 d3 e3 f3");
        assert_eq!(text(PALACES[1]), "d8 e8 f8 d9 e9 f9 d10 e10 f10");
        assert_eq!(HALVES[0] | HALVES[1], ALL_SQUARES);
        assert_eq!(text(HALVES[0] & !(HALVES[0] >> FILES)), "a5 b5 c5 d5 e5 f5 g5 h5 i5");
        assert_eq!(text(realm(Kind::Soldier, Side::Red)).split_once(' ').map(|(first, _)| first), Some("a4"));
        assert_eq!(text(realm(Kind::Soldier, Side::Black)).rsplit_once(' ').map(|(_, last)| last), Some("i7"));
    }

    #[test]
    fn steps_stay_where_a_kind_may_stand() {
        for side in Side::BOTH {
            for square in squares_of(realm(Kind::Elephant, side)) {
                let steps = TABLES.elephant[square].iter().fold(0, |all, hop| all | hop.targets);
                assert_eq!(steps & !realm(Kind::Elephant, side), 0, "{}", square_text(square));
                assert!(steps != 0);
            }
            for square in squares_of(realm(Kind::Advisor, side)) {
                assert_eq!(TABLES.advisor[square] & !realm(Kind::Advisor, side), 0, "{}", square_text(square));
                assert!(TABLES.advisor[square] != 0);
            }
        }
    }

    #[test]
    fn a_horse_that_reaches_a_point_is_found_from_that_point() {
        for target in 0..SQUARES {
            let found = TABLES.horse_from[target].iter().fold(0, |all, hop| all | hop.targets);
            let reaches = |&from: &usize| TABLES.horse[from].iter().any(|hop| hop.targets >> target & 1 != 0);
            let expected: Squares = (0..SQUARES).filter(reaches).map(|from| 1 << from).sum();
            assert_eq!((found, TABLES.horse_near[target]), (expected, expected), "{}", square_text(target));
            for hop in TABLES.horse_from[target].iter().filter(|hop| hop.targets != 0) {
                for origin in squares_of(hop.targets) {
                    let there = TABLES.horse[origin].iter().find(|there| there.targets >> target & 1 != 0);
                    assert_eq!(there.map(|there| there.through), Some(hop.through));
                }
            }
        }
    }
}
