//! A position without its history: what stands where, who decides what, and what a step does to it.

use std::marker::PhantomData;

use super::board::Board;
use super::hash;
use super::piece::{Kind, Piece};
use crate::Side;
use crate::bitboard::{Squares, squares_of};
use crate::zobrist::Hash;

/// What the side to decide is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Put a piece from the hand on the board.
    Placement,
    /// Begin a playing turn, or go on after a return: return an enemy piece if one stands in the own palace, else move.
    Turn,
    /// Put the captured piece back on the board.
    Drop,
}

/// One step in absolute squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Place a piece of this kind from the own hand.
    Place(Kind, usize),
    /// Put the enemy piece in the own palace on this square.
    Return(usize),
    /// Move from a square to another.
    Move(usize, usize),
    /// Put the captured piece on this square.
    Drop(usize),
}

/// Everything a step depends on, but for repetition and limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B: Board> {
    board: PhantomData<B>,
    by_side: [Squares; 2],
    by_kind: [Squares; 6],
    stones: Squares,
    hands: [[u8; 6]; 2],
    side: Side,
    score: [u8; 2],
    phase: Phase,
    turn: u16,
    hash: Hash,
}

/// What a completed step did to the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The same side has another step to make.
    SameTurn,
    /// The other side is to decide; everything before can occur again.
    NextTurn,
    /// The other side is to decide; no earlier position can occur again (a placement, a point, a captured stone).
    NextTurnIrreversible,
}

impl<B: Board> Position<B> {
    /// The board with stones on the river and nothing else, red to decide in `phase`.
    pub fn empty(phase: Phase) -> Self {
        let mut position = Position {
            board: PhantomData,
            by_side: [0; 2],
            by_kind: [0; 6],
            stones: 0,
            hands: [[0; 6]; 2],
            side: Side::Red,
            score: [0; 2],
            phase,
            turn: 1,
            hash: Hash::default(),
        };
        position.set_stones(B::TABLES.river);
        position
    }

    /// The side to decide.
    pub fn side(&self) -> Side {
        self.side
    }

    /// What is to be decided. A return is due if [`Position::intruder`] is `Some` in [`Phase::Turn`].
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Points of red and black.
    pub fn score(&self) -> [u8; 2] {
        self.score
    }

    /// Number of the placement turn in [`Phase::Placement`], else of the playing turn; both from 1.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// How many pieces of `kind` the `side` has off the board.
    pub fn hand(&self, side: Side, kind: Kind) -> u8 {
        self.hands[side.index()][kind.index()]
    }

    /// Pieces of `side` off the board.
    pub fn hand_size(&self, side: Side) -> usize {
        self.hands[side.index()].iter().map(|&count| count as usize).sum()
    }

    /// Pieces the side to decide still places in this turn: the count in hand modulo 4, 0 as 4 (RULES 1.7).
    pub fn placements_left(&self) -> usize {
        if self.phase == Phase::Placement { (self.hand_size(self.side) + 3) % 4 + 1 } else { 0 }
    }

    /// The captured piece that waits to be dropped.
    pub fn held(&self) -> Option<Piece> {
        if self.phase != Phase::Drop {
            return None;
        }
        Side::BOTH.into_iter().find_map(|side| {
            let kind = Kind::ALL.into_iter().find(|&kind| self.hand(side, kind) > 0)?;
            Some(Piece { side, kind })
        })
    }

    /// The square of an enemy piece in the palace of the side to decide.
    pub fn intruder(&self) -> Option<usize> {
        let intruders = self.by_side[self.side.other().index()] & B::palace(self.side);
        (intruders != 0).then(|| intruders.trailing_zeros() as usize)
    }

    /// Whether the next step is a return.
    pub fn return_is_due(&self) -> bool {
        self.phase == Phase::Turn && self.intruder().is_some()
    }

    /// The side that has reached the points to win.
    pub fn points_winner(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.score[side.index()] >= B::POINTS_TO_WIN)
    }

    /// Squares with a piece or a stone.
    pub fn occupied(&self) -> Squares {
        self.by_side[0] | self.by_side[1] | self.stones
    }

    /// Squares with nothing on them.
    pub fn empty_squares(&self) -> Squares {
        B::ALL_SQUARES & !self.occupied()
    }

    /// Squares with a stone.
    pub fn stones(&self) -> Squares {
        self.stones
    }

    /// Squares of the pieces of `side`.
    pub fn of_side(&self, side: Side) -> Squares {
        self.by_side[side.index()]
    }

    /// Squares of the pieces of `kind`, of both sides.
    pub fn of_kind(&self, kind: Kind) -> Squares {
        self.by_kind[kind.index()]
    }

    /// The piece on `square`.
    pub fn piece_at(&self, square: usize) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|side| self.by_side[side.index()] >> square & 1 != 0)?;
        Some(Piece { side, kind: self.kind_at(square)? })
    }

    /// The kind of the piece on `square`.
    pub(super) fn kind_at(&self, square: usize) -> Option<Kind> {
        B::kinds().iter().copied().find(|kind| self.by_kind[kind.index()] >> square & 1 != 0)
    }

    /// Whether a stone is on `square`.
    pub fn is_stone(&self, square: usize) -> bool {
        self.stones >> square & 1 != 0
    }

    /// Hash of board, side to decide and scores, what repetition compares, and the same of the mirrored position.
    pub(super) fn repetition_hash(&self) -> Hash {
        self.hash.and(hash::side(self.side)).and(hash::score(self.score))
    }

    /// Hash of everything.
    pub(super) fn full_hash(&self) -> u64 {
        self.repetition_hash().plain ^ hash::pending(self.phase as usize, &self.hands)
    }

    /// The reflection left to right.
    pub fn mirrored(&self) -> Self {
        let mirror = |set| squares_of(set).fold(0, |all, square| all | 1 << B::mirror(square));
        Position {
            by_side: self.by_side.map(mirror),
            by_kind: self.by_kind.map(mirror),
            stones: mirror(self.stones),
            hash: self.hash.mirrored(),
            ..*self
        }
    }
}

/// Changes that keep the hash right.
impl<B: Board> Position<B> {
    /// Puts a piece on an empty square.
    pub fn put(&mut self, piece: Piece, square: usize) {
        debug_assert!(self.empty_squares() >> square & 1 != 0);
        self.toggle(piece, square);
    }

    fn toggle(&mut self, piece: Piece, square: usize) {
        self.by_side[piece.side.index()] ^= 1 << square;
        self.by_kind[piece.kind.index()] ^= 1 << square;
        self.hash = self.hash.and(hash::piece::<B>(piece, square));
    }

    /// Puts stones on exactly these squares.
    pub fn set_stones(&mut self, stones: Squares) {
        for square in squares_of(self.stones ^ stones) {
            self.hash = self.hash.and(hash::stone::<B>(square));
        }
        self.stones = stones;
    }

    /// Sets how many pieces of `kind` the `side` has off the board.
    pub fn set_hand(&mut self, side: Side, kind: Kind, count: u8) {
        self.hands[side.index()][kind.index()] = count;
    }

    /// Sets who decides what, in which turn, at which score.
    pub fn set_state(&mut self, side: Side, phase: Phase, score: [u8; 2], turn: u16) {
        (self.side, self.phase, self.score, self.turn) = (side, phase, score, turn);
    }

    /// Plays a step without asking whether it is legal.
    pub fn play_unchecked(&mut self, step: Step) -> Progress {
        match step {
            Step::Place(kind, square) => self.place(kind, square),
            Step::Return(square) => self.return_intruder(square),
            Step::Move(from, to) => self.move_piece(from, to),
            Step::Drop(square) => self.drop_held(square),
        }
    }

    fn place(&mut self, kind: Kind, square: usize) -> Progress {
        let is_last = self.placements_left() == 1;
        self.hands[self.side.index()][kind.index()] -= 1;
        self.put(Piece { side: self.side, kind }, square);
        if !is_last {
            return Progress::SameTurn;
        }
        self.side = self.side.other();
        self.turn += 1;
        if self.hand_size(self.side) == 0 {
            self.phase = Phase::Turn;
            self.turn = 1;
        }
        Progress::NextTurnIrreversible
    }

    fn return_intruder(&mut self, square: usize) -> Progress {
        let from = self.intruder().expect("a return is due only if an enemy piece stands in the own palace");
        let piece = self.piece_at(from).expect("the intruder is a piece");
        self.toggle(piece, from);
        self.put(piece, square);
        Progress::SameTurn
    }

    fn move_piece(&mut self, from: usize, to: usize) -> Progress {
        let piece = self.piece_at(from).expect("a move starts from a piece");
        self.toggle(piece, from);
        let captured = self.piece_at(to);
        let takes_stone = self.is_stone(to);
        if let Some(captured) = captured {
            self.toggle(captured, to);
            self.hands[captured.side.index()][captured.kind.index()] += 1;
        } else if takes_stone {
            self.set_stones(self.stones & !(1 << to));
        }
        self.put(piece, to);
        if captured.is_some() {
            self.phase = Phase::Drop;
            return Progress::SameTurn;
        }
        let scores = B::palace(self.side.other()) >> to & 1 != 0;
        if scores {
            self.score[self.side.index()] += 1;
        }
        self.end_turn();
        if scores || takes_stone { Progress::NextTurnIrreversible } else { Progress::NextTurn }
    }

    fn drop_held(&mut self, square: usize) -> Progress {
        let piece = self.held().expect("a drop is due only if a captured piece is in hand");
        self.hands[piece.side.index()][piece.kind.index()] -= 1;
        self.put(piece, square);
        self.phase = Phase::Turn;
        self.end_turn();
        Progress::NextTurn
    }

    fn end_turn(&mut self) {
        self.side = self.side.other();
        self.turn += 1;
    }
}
