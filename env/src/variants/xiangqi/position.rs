//! A position without its history: what stands where, who moves, and what a move does to it.

use super::board::{ALL_SQUARES, SQUARES, mirror, relative};
use super::hash;
use super::lines::Occupancy;
use super::moves::Safety;
use super::piece::{Kind, Piece};
use crate::bitboard::{Squares, squares_of};
use crate::zobrist::Hash;
use crate::{Action, Side};

/// A move in absolute squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: usize,
    /// Where it goes.
    pub to: usize,
}

impl Move {
    /// The move that an action of `side` stands for.
    pub(super) fn of(action: Action, side: Side) -> Move {
        let (from, to) = (action.index() / SQUARES, action.index() % SQUARES);
        Move { from: relative(from, side), to: relative(to, side) }
    }

    /// The action that stands for the move of `side`.
    pub(super) fn action(self, side: Side) -> Action {
        Action::new(relative(self.from, side) * SQUARES + relative(self.to, side))
    }
}

/// Everything a move depends on, but for repetition and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    by_side: [Squares; 2],
    by_kind: [Squares; 7],
    occupancy: Occupancy,
    /// The kind of what stands on each point: the same as the sets say, at one look.
    kinds: [Option<Kind>; SQUARES],
    side: Side,
    quiet: u16,
    round: u16,
    hash: Hash,
    /// How safe the mover's general is; follows from the rest.
    safety: Safety,
}

impl Position {
    /// The empty board in the first round, red to move.
    pub(super) fn empty() -> Position {
        Position {
            by_side: [0; 2],
            by_kind: [0; 7],
            occupancy: Occupancy::default(),
            kinds: [None; SQUARES],
            side: Side::Red,
            quiet: 0,
            round: 1,
            hash: Hash::default(),
            safety: Safety::default(),
        }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Moves of both sides since the last capture.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Number of the round, from 1.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// Whether the general of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.safety.in_check
    }

    /// How safe the mover's general is.
    pub(super) fn safety(&self) -> &Safety {
        &self.safety
    }

    /// The points where pieces of `side` stand.
    pub(super) fn of_side(&self, side: Side) -> Squares {
        self.by_side[side.index()]
    }

    /// The points where pieces of `kind` stand, both sides'.
    pub(super) fn of_kind(&self, kind: Kind) -> Squares {
        self.by_kind[kind.index()]
    }

    /// The points where `side` has pieces of `kind`.
    pub(super) fn of(&self, side: Side, kind: Kind) -> Squares {
        self.of_side(side) & self.of_kind(kind)
    }

    /// The points where anything stands.
    pub(super) fn occupied(&self) -> Squares {
        self.occupancy.squares()
    }

    /// The same, for what moves along lines.
    pub(super) fn occupancy(&self) -> Occupancy {
        self.occupancy
    }

    /// The points where nothing stands.
    pub(super) fn empty_squares(&self) -> Squares {
        ALL_SQUARES & !self.occupied()
    }

    /// Where the general of `side` stands. Only while a position is being read may there be none.
    pub(super) fn general(&self, side: Side) -> usize {
        self.of(side, Kind::General).trailing_zeros() as usize
    }

    /// The kind of what stands on an occupied square.
    pub(super) fn kind_at(&self, square: usize) -> Kind {
        self.kinds[square].expect("the square is occupied")
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: usize) -> Option<Piece> {
        let kind = self.kinds[square]?;
        let side = if self.of_side(Side::Red) >> square & 1 != 0 { Side::Red } else { Side::Black };
        Some(Piece { side, kind })
    }

    /// Hash of board and side to move, what repetition compares, and the same of the mirrored position.
    pub(super) fn hash(&self) -> Hash {
        self.hash.and(hash::side(self.side))
    }

    /// The reflection left to right.
    pub(super) fn mirrored(&self) -> Position {
        let mut mirrored = Position::empty();
        for square in squares_of(self.occupied()) {
            let piece = self.piece_at(square).expect("the square is occupied");
            mirrored.toggle(piece, mirror(square));
        }
        mirrored.set_state(self.side, self.quiet, self.round);
        mirrored.with_safety()
    }

    /// The same position with [`Safety`] found anew. Both generals have to be on the board.
    pub(super) fn with_safety(mut self) -> Position {
        self.safety = Safety::of(&self);
        self
    }

    /// Puts a piece on an empty square, or takes it away.
    pub(super) fn toggle(&mut self, piece: Piece, square: usize) {
        self.by_side[piece.side.index()] ^= 1 << square;
        self.by_kind[piece.kind.index()] ^= 1 << square;
        self.occupancy = self.occupancy.toggled(square);
        self.kinds[square] = if self.kinds[square].is_none() { Some(piece.kind) } else { None };
        self.hash = self.hash.and(hash::piece(piece, square));
    }

    /// Sets who moves and the counters; [`Position::with_safety`] has to follow.
    pub(super) fn set_state(&mut self, side: Side, quiet: u16, round: u16) {
        (self.side, self.quiet, self.round) = (side, quiet, round);
    }

    /// Plays a move without asking whether it is legal; returns whether it captured.
    pub(super) fn play_unchecked(&mut self, Move { from, to }: Move) -> bool {
        let piece = Piece { side: self.side, kind: self.kind_at(from) };
        let enemy = self.side.other();
        let captures = self.of_side(enemy) >> to & 1 != 0;
        if captures {
            self.toggle(Piece { side: enemy, kind: self.kind_at(to) }, to);
        }
        self.toggle(piece, from);
        self.toggle(piece, to);
        self.quiet = if captures { 0 } else { self.quiet.saturating_add(1) };
        self.round = self.round.saturating_add(u16::from(self.side == Side::Black));
        self.side = enemy;
        self.safety = Safety::of(self);
        captures
    }

    /// The position before a move that captured nothing.
    pub(super) fn before_quiet(&self, Move { from, to }: Move) -> Position {
        let mut before = *self;
        before.side = self.side.other();
        before.quiet = self.quiet.saturating_sub(1);
        before.round = self.round - u16::from(before.side == Side::Black);
        let piece = Piece { side: before.side, kind: self.kind_at(to) };
        before.toggle(piece, to);
        before.toggle(piece, from);
        before.with_safety()
    }
}
