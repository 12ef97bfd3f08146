//! The two boards of Eternal Chess: geometry, areas, and the tables that steps are generated from (RULES 1.1, 1.2).

use std::fmt::Debug;

use super::piece::Kind;
use crate::Side;
use crate::bitboard::{DIRECTIONS, Squares, offset};
use crate::fen;

/// Squares of the largest board.
pub(super) const MAX_SQUARES: usize = 72;

const LEAPS: [(isize, isize); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A pawn's jump: the square that is jumped over and the one behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    /// Set of the one square jumped over; empty where the board ends first.
    pub(super) over: Squares,
    /// Where the jump lands.
    pub(super) landing: u8,
}

/// What a board's geometry says about each square.
#[derive(Debug)]
pub struct Tables {
    /// Squares in each direction up to the edge.
    pub(super) rays: [[Squares; 8]; MAX_SQUARES],
    /// Squares a knight's leap away.
    pub(super) leaps: [Squares; MAX_SQUARES],
    /// The up to eight squares next to a square.
    pub(super) neighbours: [Squares; MAX_SQUARES],
    /// Jumps in each direction.
    pub(super) jumps: [[Jump; 8]; MAX_SQUARES],
    /// Each side's ranks, its palace included.
    pub(super) home: [Squares; 2],
    /// Each side's palace.
    pub(super) palace: [Squares; 2],
    /// The neutral rank.
    pub(super) river: Squares,
}

impl Tables {
    const fn new(files: usize, ranks: usize, palace: Squares) -> Tables {
        let mut tables = Tables {
            rays: [[0; 8]; MAX_SQUARES],
            leaps: [0; MAX_SQUARES],
            neighbours: [0; MAX_SQUARES],
            jumps: [[Jump { over: 0, landing: 0 }; 8]; MAX_SQUARES],
            home: [0; 2],
            palace: [palace, flip_ranks(palace, files, ranks)],
            river: 0,
        };
        let middle = ranks / 2;
        let mut square = 0;
        while square < files * ranks {
            let mut direction = 0;
            while direction < 8 {
                tables.add_direction(square, direction, files, ranks);
                direction += 1;
            }
            let area = if square / files < middle {
                &mut tables.home[0]
            } else if square / files == middle {
                &mut tables.river
            } else {
                &mut tables.home[1]
            };
            *area |= 1 << square;
            square += 1;
        }
        tables
    }

    const fn add_direction(&mut self, square: usize, direction: usize, files: usize, ranks: usize) {
        let step = DIRECTIONS[direction];
        let mut distance = 1;
        while let Some(target) = offset(square, step, distance, files, ranks) {
            self.rays[square][direction] |= 1 << target;
            distance += 1;
        }
        if let Some(next) = offset(square, step, 1, files, ranks) {
            self.neighbours[square] |= 1 << next;
            if let Some(landing) = offset(square, step, 2, files, ranks) {
                self.jumps[square][direction] = Jump { over: 1 << next, landing: landing as u8 };
            }
        }
        if let Some(target) = offset(square, LEAPS[direction], 1, files, ranks) {
            self.leaps[square] |= 1 << target;
        }
    }
}

const fn flip_ranks(squares: Squares, files: usize, ranks: usize) -> Squares {
    let row = (1 << files) - 1;
    let mut flipped = 0;
    let mut rank = 0;
    while rank < ranks {
        flipped |= (squares >> (rank * files) & row) << ((ranks - 1 - rank) * files);
        rank += 1;
    }
    flipped
}

/// A board and what belongs to it.
pub trait Board: Clone + Copy + Debug + PartialEq + Eq + Send + Sync + 'static {
    /// Number of files.
    const FILES: usize;
    /// Number of ranks, an odd number: the river is the middle one.
    const RANKS: usize;
    /// The kinds that take part, a prefix of [`Kind::ALL`]; each side has two of each.
    const KINDS: usize;
    /// Whether the policy has planes for placements.
    const HAS_PLACEMENT: bool;
    /// Palace points that win the game.
    const POINTS_TO_WIN: u8;
    /// The turn limit unless set otherwise.
    const DEFAULT_TURN_LIMIT: u16;
    /// The geometry, computed at compile time.
    const TABLES: &'static Tables;

    /// Number of squares.
    const SQUARES: usize = Self::FILES * Self::RANKS;
    /// All squares.
    const ALL_SQUARES: Squares = (1 << Self::SQUARES) - 1;

    /// The kinds that take part.
    fn kinds() -> &'static [Kind] {
        &Kind::ALL[..Self::KINDS]
    }

    /// The square seen from the other side of the board: ranks turned over.
    fn flip(square: usize) -> usize {
        let (file, rank) = (square % Self::FILES, square / Self::FILES);
        (Self::RANKS - 1 - rank) * Self::FILES + file
    }

    /// The square as `side` counts it, and back.
    fn relative(square: usize, side: Side) -> usize {
        match side {
            Side::Red => square,
            Side::Black => Self::flip(square),
        }
    }

    /// The square's reflection left to right.
    fn mirror(square: usize) -> usize {
        square - square % Self::FILES + (Self::FILES - 1 - square % Self::FILES)
    }

    /// The set of squares as `side` counts them, and back.
    fn seen_by(set: Squares, side: Side) -> Squares {
        match side {
            Side::Red => set,
            Side::Black => flip_ranks(set, Self::FILES, Self::RANKS),
        }
    }

    /// The palace of `side`.
    fn palace(side: Side) -> Squares {
        Self::TABLES.palace[side.index()]
    }

    /// The ranks of `side`, its palace included.
    fn home(side: Side) -> Squares {
        Self::TABLES.home[side.index()]
    }

    /// Both palaces, where nothing can be captured.
    fn sanctuary() -> Squares {
        Self::TABLES.palace[0] | Self::TABLES.palace[1]
    }
}

/// The board of `eternal-free` and `eternal-fixed`: a–h × 1–9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullBoard;

impl Board for FullBoard {
    const FILES: usize = 8;
    const RANKS: usize = 9;
    const KINDS: usize = 6;
    const HAS_PLACEMENT: bool = true;
    const POINTS_TO_WIN: u8 = 4;
    const DEFAULT_TURN_LIMIT: u16 = 300;
    // d1 e1 d2 e2
    const TABLES: &'static Tables = &Tables::new(8, 9, 0b11 << 3 | 0b11 << 11);
}

/// The board of `eternal-mini`: a–f × 1–7, the full board without its outer ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiniBoard;

impl Board for MiniBoard {
    const FILES: usize = 6;
    const RANKS: usize = 7;
    const KINDS: usize = 3;
    const HAS_PLACEMENT: bool = false;
    const POINTS_TO_WIN: u8 = 1;
    const DEFAULT_TURN_LIMIT: u16 = 120;
    // c1 d1
    const TABLES: &'static Tables = &Tables::new(6, 7, 0b11 << 2);
}

/// The text of a square, `a1`.
pub(super) fn square_text<B: Board>(square: usize) -> String {
    fen::square_text(square, B::FILES)
}

/// Reads the text of a square.
pub(super) fn parse_square<B: Board>(text: &str) -> Option<usize> {
    fen::parse_square(text, B::FILES, B::RANKS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitboard::squares_of;

    #[test]
    fn areas_are_those_of_the_rule_book() {
        let text = |set| squares_of(set).map(square_text::<FullBoard>).collect::<Vec<_>>().join(" ");
        assert_eq!(text(FullBoard::palace(Side::Red)), "d1 e1 d2 e2");
        assert_eq!(text(FullBoard::palace(Side::Black)), "d8 e8 d9 e9");
        assert_eq!(text(FullBoard::TABLES.river), "a5 b5 c5 d5 e5 f5 g5 h5");
        assert_eq!(FullBoard::home(Side::Red).count_ones(), 32);
        assert_eq!(FullBoard::home(Side::Black).count_ones(), 32);
        let text = |set| squares_of(set).map(square_text::<MiniBoard>).collect::<Vec<_>>().join(" ");
        assert_eq!(text(MiniBoard::palace(Side::Red)), "c1 d1");
        assert_eq!(text(MiniBoard::palace(Side::Black)), "c7 d7");
        assert_eq!(text(MiniBoard::TABLES.river), "a4 b4 c4 d4 e4 f4");
    }
}
