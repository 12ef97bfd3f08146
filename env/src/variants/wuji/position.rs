//! A position without its history: what stands where, who decides, and what a step does to it.

use super::hash;
use super::lines::Occupied;
use super::options::{Bomb, Options, Promotion};
use super::piece::{KINDS, Kind, Piece};
use super::points::{Point, Points, SLOTS};
use super::tables::GOAL;
use crate::Side;
use crate::zobrist::Hash;

/// One step, which is a whole turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Move the piece on the first point to the second.
    Move(Point, Point),
    /// The able takes the throne: give up the piece on the first point, and put the general on the second.
    Throne(Point, Point),
}

/// What a step means for the positions before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// They can occur again.
    Reversible,
    /// None of them can occur again: a piece is gone, or a pawn is closer to the enemy's back rank.
    Irreversible,
}

/// Everything a step depends on, but for repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    options: Options,
    by_side: [Points; 2],
    by_kind: [Points; KINDS],
    /// For each point 0 or one more than the number of the piece on it.
    on_point: [u8; SLOTS],
    occupied: Occupied,
    generals: [Point; 2],
    side: Side,
    quiet: u16,
    turn: u32,
    hash: Hash,
}

/// The piece of each number.
const PIECES: [Piece; 2 * KINDS] = {
    let mut pieces = [Piece { side: Side::Red, kind: Kind::General }; 2 * KINDS];
    let mut index = 0;
    while index < 2 * KINDS {
        pieces[index] = Piece { side: Side::BOTH[index / KINDS], kind: Kind::ALL[index % KINDS] };
        index += 1;
    }
    pieces
};

impl Position {
    /// The empty board, red to decide.
    pub(super) fn empty(options: Options) -> Position {
        Position {
            options,
            by_side: [Points::EMPTY; 2],
            by_kind: [Points::EMPTY; KINDS],
            on_point: [0; SLOTS],
            occupied: Occupied::NOTHING,
            generals: [Point::new(0, 0); 2],
            side: Side::Red,
            quiet: 0,
            turn: 1,
            hash: Hash::default(),
        }
    }

    /// The rules it is played under.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The side to decide.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Moves since the last capture, pawn move or taking of the throne.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Number of the round, from 1.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Turns completed before it, counting from the first round.
    pub(super) fn turns_before(&self) -> usize {
        2 * (self.turn as usize - 1) + self.side.index()
    }

    /// What repetition compares.
    pub(super) fn hash(&self) -> Hash {
        self.hash
    }

    /// The piece on a point.
    #[inline]
    pub fn piece_at(&self, point: Point) -> Option<Piece> {
        match self.on_point[point.index()] {
            0 => None,
            number => Some(PIECES[number as usize - 1]),
        }
    }

    /// The pieces of `side`.
    #[inline]
    pub(super) fn of_side(&self, side: Side) -> Points {
        self.by_side[side.index()]
    }

    /// The pieces of `kind`, both sides'.
    #[inline]
    pub(super) fn of_kind(&self, kind: Kind) -> Points {
        self.by_kind[kind.index()]
    }

    /// The pieces of `side` of a kind.
    #[inline]
    pub(super) fn of(&self, side: Side, kind: Kind) -> Points {
        self.of_side(side) & self.of_kind(kind)
    }

    /// All pieces.
    #[inline]
    pub(super) fn occupied(&self) -> &Occupied {
        &self.occupied
    }

    /// Where the general of `side` stands.
    #[inline]
    pub(super) fn general(&self, side: Side) -> Point {
        self.generals[side.index()]
    }

    /// Whether bombs slide.
    #[inline]
    pub(super) fn bombs_slide(&self) -> bool {
        self.options.bomb == Bomb::Slide
    }

    pub(super) fn set_state(&mut self, side: Side, quiet: u16, turn: u32) {
        self.hash = self.hash.and(hash::side(self.side)).and(hash::side(side));
        (self.side, self.quiet, self.turn) = (side, quiet, turn);
    }

    /// Puts a piece on an empty point.
    pub(super) fn put(&mut self, piece: Piece, point: Point) {
        self.toggle(piece, point);
        self.on_point[point.index()] = piece.number() as u8 + 1;
        if piece.kind == Kind::General {
            self.generals[piece.side.index()] = point;
        }
    }

    /// Takes what stands on a point off the board.
    pub(super) fn take(&mut self, point: Point) -> Option<Piece> {
        let piece = self.piece_at(point)?;
        self.toggle(piece, point);
        self.on_point[point.index()] = 0;
        Some(piece)
    }

    fn toggle(&mut self, piece: Piece, point: Point) {
        let set = Points::of(point);
        self.by_side[piece.side.index()] ^= set;
        self.by_kind[piece.kind.index()] ^= set;
        self.occupied.toggle(point);
        self.hash = self.hash.and(hash::piece(piece, point));
    }

    /// Plays a step whose legality is not checked.
    pub(super) fn play_unchecked(&mut self, step: Step) -> Progress {
        let progress = match step {
            Step::Move(from, to) => self.play_move(from, to),
            Step::Throne(given, place) => {
                self.take(given);
                let general = self.take(self.general(self.side));
                general.into_iter().for_each(|general| self.put(general, place));
                self.quiet = 0;
                Progress::Irreversible
            }
        };
        self.turn += self.side.index() as u32;
        self.side = self.side.other();
        self.hash = self.hash.and(hash::OTHER_SIDE);
        progress
    }

    fn play_move(&mut self, from: Point, to: Point) -> Progress {
        let captured = self.take(to);
        let Some(mover) = self.take(from) else { return Progress::Reversible };
        let explodes = captured.is_some_and(|captured| mover.kind == Kind::Bomb || captured.kind == Kind::Bomb);
        if !explodes {
            self.put(self.arrived(mover, to), to);
        }
        let is_pawn = mover.kind == Kind::Pawn;
        self.quiet = if captured.is_some() || is_pawn { 0 } else { self.quiet.saturating_add(1) };
        // A sideways step of a pawn can be taken back, unlike any other of its moves.
        if captured.is_some() || is_pawn && from.rank() != to.rank() {
            Progress::Irreversible
        } else {
            Progress::Reversible
        }
    }

    /// What `piece` is once it stands on `point`.
    fn arrived(&self, piece: Piece, point: Point) -> Piece {
        if piece.kind != Kind::Pawn || !GOAL[piece.side.index()].contains(point) {
            return piece;
        }
        let kind = match self.options.promotion {
            Promotion::Minister => Kind::Minister,
            Promotion::All => Kind::Promoted,
        };
        Piece { kind, ..piece }
    }

    /// The reflection left to right.
    pub(super) fn mirrored(&self) -> Position {
        let mut mirrored = Position::empty(self.options);
        for point in self.occupied.points() {
            self.piece_at(point).into_iter().for_each(|piece| mirrored.put(piece, point.mirrored()));
        }
        mirrored.set_state(self.side, self.quiet, self.turn);
        mirrored
    }
}
