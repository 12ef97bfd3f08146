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
    /// attackers those on `standing` are left. What stands on the point itself does not matter.
    pub(super) fn attack(&self, point: Point, occupied: &Occupied, standing: Points) -> bool {
        if self.near(point).meets(standing) {
            return true;
        }
        let diagonal = self.diagonal & standing;
        if diagonal.meets(lines::diagonals(point)) && diagonal.meets(lines::diagonal(point, occupied)) {
            return true;
        }
        let (straight, cannons) = (self.straight & standing, self.cannons & standing);
        if !(straight | cannons).meets(lines::cross(point)) {
            return false;
        }
        let seen = lines::straight(point, occupied);
        straight.meets(seen) || cannons.without(seen).meets(lines::straight_past::<1>(point, occupied))
    }
}

/// How the general of the side to decide stands, and what its other pieces have to mind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Safety {
    pub(super) attackers: Attackers,
    general: Point,
    in_check: bool,
    /// Pieces whose leaving may expose the general, or end the check of a cannon.
    watched: Points,
    /// Where a piece that is not watched leaves the general safe if it arrives there and stays: it ends every check, and does
    /// not become the screen of a cannon.
    answers: Points,
}

impl Safety {
    pub(super) fn of(position: &Position) -> Safety {
        let side = position.side();
        let (general, occupied) = (position.general(side), position.occupied());
        let attackers = Attackers::of(position, side.other());
        let mut safety = Safety { attackers, general, in_check: false, watched: Points::EMPTY, answers: Points::BOARD };
        for checker in attackers.near(general) {
            safety.add_check(Points::of(checker));
        }
        if attackers.diagonal.meets(lines::diagonals(general)) {
            safety.look_along_diagonals(occupied);
        }
        if (attackers.straight | attackers.cannons).meets(lines::cross(general)) {
            safety.look_along_lines(occupied);
        }
        safety
    }

    fn look_along_diagonals(&mut self, occupied: &Occupied) {
        let none = lines::diagonal(self.general, occupied);
        let one = lines::diagonal_past::<1>(self.general, occupied).without(none);
        self.add_sliders(self.attackers.diagonal, none, one, occupied.points());
    }

    fn look_along_lines(&mut self, occupied: &Occupied) {
        // What is seen with no piece in between, with one and with two.
        let none = lines::straight(self.general, occupied);
        let one = lines::straight_past::<1>(self.general, occupied).without(none);
        self.add_sliders(self.attackers.straight, none, one, occupied.points());
        let cannons = self.attackers.cannons & lines::cross(self.general);
        if cannons.is_empty() {
            return;
        }
        for cannon in cannons & none {
            self.answers = self.answers.without(lines::between(self.general, cannon));
        }
        for checker in cannons & one {
            let between = lines::between(self.general, checker);
            self.watched |= between & occupied.points();
            self.add_check(between.without(occupied.points()) | Points::of(checker));
        }
        let two = lines::straight_past::<2>(self.general, occupied).without(none | one);
        for cannon in cannons & two {
            self.watched |= lines::between(self.general, cannon) & occupied.points();
        }
    }

    /// Adds sliders that see the general with no piece in between or with one.
    fn add_sliders(&mut self, sliders: Points, none: Points, one: Points, occupied: Points) {
        for checker in sliders & none {
            self.add_check(lines::between(self.general, checker) | Points::of(checker));
        }
        for pinner in sliders & one {
            self.watched |= lines::between(self.general, pinner) & occupied;
        }
    }

    fn add_check(&mut self, answers: Points) {
        self.in_check = true;
        self.answers = self.answers & answers;
    }

    /// Whether the side to decide is in check.
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        self.in_check
    }

    /// Of the points `ends` that a piece on `from`, not the general, can go to without an explosion: those known to be
    /// safe and those that have to be tried.
    #[inline]
    pub(super) fn sort(&self, from: Point, ends: Points) -> (Points, Points) {
        if !self.watched.contains(from) {
            (ends & self.answers, Points::EMPTY)
        } else if self.in_check {
            (Points::EMPTY, ends)
        } else {
            // Off the line, there is one piece less between the general and whoever looks through this one.
            (Points::EMPTY, ends & lines::through(self.general, from))
        }
    }

    /// The same for the points on which a piece from `from` would explode.
    pub(super) fn sort_explosions(&self, from: Point, ends: Points) -> (Points, Points) {
        if self.in_check || self.watched.contains(from) {
            return (Points::EMPTY, ends);
        }
        // Both pieces leave. If only one of them stands on a line with the general, it matters only if it is watched.
        let lines = lines::cross(self.general) | lines::diagonals(self.general);
        let doubtful = if lines.contains(from) { lines } else { self.watched };
        (ends.without(doubtful), ends & doubtful)
    }
}
