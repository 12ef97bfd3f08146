//! When a general is attacked, and which moves leave it so (RULES 3.2).
//!
//! Blockers and guards never attack a general: but for bombs they capture on their own half alone, and a general stays
//! on its own. The enemy's general attacks like a rook, which is the rule that the two may not face each other.

use super::lines::{self, Occupied};
use super::piece::Kind;
use super::points::{Point, Points};
use super::position::Position;
use super::tables::{CAMEL_LEAPS, FIVE_AWAY, KNIGHT_LEAPS, PAWN_ADVANCES_TO, PAWN_SIDE_STEPS_TO};
use crate::Side;

/// The pieces of one side by the ways in which they attack a general.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attackers {
    side: Side,
    straight: Points,
    diagonal: Points,
    cannons: Points,
    knights: Points,
    camels: Points,
    /// Bombs that leap.
    bombs: Points,
    pawns: Points,
    pawns_step_sideways: bool,
}

impl Attackers {
    pub(super) fn of(position: &Position, side: Side) -> Attackers {
        let of = |kind| position.of(side, kind);
        let (ministers, promoted, bombs) = (of(Kind::Minister), of(Kind::Promoted), of(Kind::Bomb));
        let queens = ministers | promoted;
        let (sliding, leaping) = if position.bombs_slide() { (bombs, Points::EMPTY) } else { (Points::EMPTY, bombs) };
        Attackers {
            side,
            straight: queens | of(Kind::Rook) | of(Kind::General) | sliding,
            diagonal: queens | of(Kind::Bishop),
            cannons: of(Kind::Cannon),
            knights: promoted | of(Kind::Knight),
            camels: promoted | of(Kind::Camel),
            bombs: leaping,
            pawns: of(Kind::Pawn),
            pawns_step_sideways: position.options().pawn_sideways,
        }
    }

    /// Those that leap or step to `point`; nothing on the way matters to them.
    #[inline]
    fn near(&self, point: Point) -> Points {
        let index = point.index();
        let mut pawns = PAWN_ADVANCES_TO[self.side.index()][index];
        if self.pawns_step_sideways {
            pawns |= PAWN_SIDE_STEPS_TO[self.side.index()][index];
        }
        KNIGHT_LEAPS[index] & self.knights
            | CAMEL_LEAPS[index] & self.camels
            | FIVE_AWAY[index] & self.bombs
            | pawns & self.pawns
    }

    /// Whether a general on `point` is attacked, or faces the other, when just `occupied` is occupied and of the
    /// attackers those on `standing` are left.
    pub(super) fn attack(&self, point: Point, occupied: Points, standing: Points) -> bool {
        if self.near(point).meets(standing) {
            return true;
        }
        let board = Occupied::new(occupied);
        let diagonal = self.diagonal & standing;
        if diagonal.meets(lines::diagonals(point)) && diagonal.meets(lines::diagonal(point, &board)) {
            return true;
        }
        let (straight, cannons) = (self.straight & standing, self.cannons & standing);
        if !(straight | cannons).meets(lines::cross(point)) {
            return false;
        }
        let seen = lines::straight(point, &board);
        if straight.meets(seen) {
            return true;
        }
        if !cannons.meets(lines::cross(point)) {
            return false;
        }
        let behind_screens = Occupied::new(occupied.without(seen));
        cannons.without(seen).meets(lines::straight(point, &behind_screens))
    }
}

/// How the general of the side to decide stands, and what its other pieces have to mind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Safety {
    pub(super) attackers: Attackers,
    /// The pieces that give check.
    checkers: Points,
    /// In check by one piece: where a piece that arrives may end the check. The whole board with more checkers.
    answers: Points,
    /// Pieces whose leaving may expose the general, or end the check of a cannon.
    watched: Points,
    /// Empty points on which a piece would make a screen for a cannon.
    screens_to_be: Points,
}

impl Safety {
    pub(super) fn of(position: &Position) -> Safety {
        let side = position.side();
        let (general, occupied) = (position.general(side), position.occupied());
        let attackers = Attackers::of(position, side.other());
        let mut safety = Safety {
            attackers,
            checkers: attackers.near(general),
            answers: Points::BOARD,
            watched: Points::EMPTY,
            screens_to_be: Points::EMPTY,
        };
        safety.answers = safety.checkers;
        if attackers.diagonal.meets(lines::diagonals(general)) {
            safety.look_along_diagonals(general, occupied);
        }
        if (attackers.straight | attackers.cannons).meets(lines::cross(general)) {
            safety.look_along_lines(general, occupied);
        }
        if safety.checkers.count() > 1 {
            safety.answers = Points::BOARD;
        }
        safety
    }

    fn look_along_diagonals(&mut self, general: Point, occupied: Points) {
        let seen = lines::diagonal(general, &Occupied::new(occupied));
        let checkers = seen & self.attackers.diagonal;
        self.add_sliding_checkers(general, checkers);
        let seen_behind = lines::diagonal(general, &Occupied::new(occupied.without(seen)));
        for pinner in (seen_behind & self.attackers.diagonal).without(seen) {
            self.watched |= lines::between(general, pinner) & occupied;
        }
    }

    fn look_along_lines(&mut self, general: Point, occupied: Points) {
        // What is seen with no piece in between, with one and with two.
        let none = lines::straight(general, &Occupied::new(occupied));
        let one = lines::straight(general, &Occupied::new(occupied.without(none)));
        let (straight, cannons) = (self.attackers.straight, self.attackers.cannons);
        self.add_sliding_checkers(general, straight & none);
        for pinner in (straight & one).without(none) {
            self.watched |= lines::between(general, pinner) & occupied;
        }
        let cannons = cannons & lines::cross(general);
        if cannons.is_empty() {
            return;
        }
        for cannon in cannons & none {
            self.screens_to_be |= lines::between(general, cannon);
        }
        let checkers = (cannons & one).without(none);
        self.add_sliding_checkers(general, checkers);
        for checker in checkers {
            self.watched |= lines::between(general, checker) & occupied;
        }
        let two = lines::straight(general, &Occupied::new(occupied.without(one)));
        for cannon in (cannons & two).without(one) {
            self.watched |= lines::between(general, cannon) & occupied;
        }
    }

    fn add_sliding_checkers(&mut self, general: Point, checkers: Points) {
        self.checkers |= checkers;
        for checker in checkers {
            self.answers |= lines::between(general, checker) | Points::of(checker);
        }
    }

    /// Whether the side to decide is in check.
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Whether a piece on `from`, not the general, may leave it without a thought for the general.
    #[inline]
    pub(super) fn is_free(&self, from: Point) -> bool {
        !self.in_check() && !self.watched.contains(from)
    }

    /// Where a free piece may go without an explosion, of the points `ends` that it can go to.
    #[inline]
    pub(super) fn free_ends(&self, ends: Points) -> Points {
        ends.without(self.screens_to_be)
    }

    /// Of the points `ends` that a piece on `from`, not the general, can go to without an explosion: those known to be
    /// safe and those that have to be tried.
    pub(super) fn sort(&self, from: Point, ends: Points) -> (Points, Points) {
        let ends = self.free_ends(ends);
        if self.is_free(from) {
            (ends, Points::EMPTY)
        } else if self.watched.contains(from) {
            (Points::EMPTY, ends)
        } else {
            (Points::EMPTY, ends & self.answers)
        }
    }
}
