//! The law on repetition: perpetual check, perpetual chase, and what a chase is (RULES 2).
//!
//! The rule book follows the Asian rule (AXF) as the common engines implement it. What each move chases is judged like
//! Fairy-Stockfish does (its `Position::chased`, version 14): the pieces without protection that the moved piece attacks,
//! those that other pieces attack since it moved, those whose protector it has pinned, and those that a discovered check
//! would win. Where the engine reads a pattern more widely than the board allows, the rules of movement hold here.
//! Unlike the engine, the rule book judges the moves since the first occurrence alone, not also the one that led to it.
//! Judged positions are in `tests/data/repetition*.tsv`.

use super::board::{ALL_SQUARES, FILES, HALVES, TABLES};
use super::lines::Occupancy;
use super::piece::Kind;
use super::position::{Move, Position};
use crate::bitboard::{STRAIGHT, Squares, first_on_ray, squares_of};
use crate::history::{Moment, perpetual_checker};
use crate::{Action, Outcome, Reason, Side};

/// How a game ends in which `position` occurs for the third time; `cycle` is what followed its first occurrence.
pub(super) fn judge(position: &Position, cycle: &[Moment<Action>]) -> Outcome {
    if let Some(checker) = perpetual_checker(cycle, position.side()) {
        return Outcome::win(checker.other(), Reason::PerpetualCheck);
    }
    match perpetual_chaser(position, cycle) {
        Some(chaser) if !gives_perpetual_check(cycle) => Outcome::win(chaser.other(), Reason::PerpetualChase),
        _ => Outcome::draw(Reason::Repetition),
    }
}

/// Whether both sides gave check with every move; one alone has been judged before.
fn gives_perpetual_check(cycle: &[Moment<Action>]) -> bool {
    cycle.iter().all(|moment| moment.gives_check)
}

/// Who chased one and the same piece with every move of the cycle, if one side did and the other did not.
///
/// Goes back through the cycle, and for each side keeps the squares of the pieces that all of its moves so far have chased.
fn perpetual_chaser(position: &Position, cycle: &[Moment<Action>]) -> Option<Side> {
    let mut victims = [ALL_SQUARES; 2];
    let mut after = *position;
    for moment in cycle.iter().rev() {
        // A history that a text stands for has no moves to judge.
        let played = Move::of(moment.turn?, after.side().other());
        let before = after.before_quiet(played);
        let (chaser, chased) = (before.side().index(), before.side().other().index());
        victims[chaser] &= Chase { before: &before, after: &after }.victims(played);
        // The other side's victims stood elsewhere before one of them moved here.
        let moved = &mut victims[chased];
        if *moved >> played.to & 1 != 0 {
            *moved = *moved & !(1 << played.to) | 1 << played.from;
        }
        after = before;
        if victims == [0; 2] {
            return None;
        }
    }
    match victims {
        [_, 0] => Some(Side::Red),
        [0, _] => Some(Side::Black),
        _ => None,
    }
}

/// The positions around one move, for the question of what it chases.
struct Chase<'a> {
    before: &'a Position,
    after: &'a Position,
}

impl Chase<'_> {
    /// The squares of the pieces that the move chases.
    fn victims(&self, played: Move) -> Squares {
        let fake_roots = self.without_their_pinned_protector();
        let discovered = self.won_by_discovered_check();
        self.attacked_by_the_moved_piece(played) | self.attacked_since_it_moved() | fake_roots | discovered
    }

    /// The side that moved.
    fn chaser(&self) -> Side {
        self.before.side()
    }

    /// The side whose pieces may be chased.
    fn chased(&self) -> Side {
        self.after.side()
    }

    /// Generals and soldiers may attack what they like. A chariot or cannon that moves along a line attacked what it finds
    /// on that line before.
    fn attacked_by_the_moved_piece(&self, Move { from, to }: Move) -> Squares {
        let kind = self.after.kind_at(to);
        let along = match kind {
            Kind::General | Kind::Soldier => return 0,
            Kind::Chariot | Kind::Cannon => TABLES.lines[from] & TABLES.lines[to] | line_between(from, to),
            _ => 0,
        };
        let attacked = self.after.attacks(kind, self.chaser(), to, self.after.occupancy());
        self.unprotected(to, kind, attacked & !along)
    }

    /// What other pieces attack now and did not attack before the move, which opened a line or gave a cannon its screen.
    fn attacked_since_it_moved(&self) -> Squares {
        let (occupied, occupied_before) = (self.after.occupancy(), self.before.occupancy());
        let may_chase = [Kind::Elephant, Kind::Horse, Kind::Chariot, Kind::Cannon];
        let mut chased = 0;
        for kind in may_chase {
            for from in squares_of(self.after.of(self.chaser(), kind)) {
                let attacked = self.after.attacks(kind, self.chaser(), from, occupied);
                let attacked_before = self.after.attacks(kind, self.chaser(), from, occupied_before);
                chased |= self.unprotected(from, kind, attacked & !attacked_before);
            }
        }
        chased
    }

    /// Pieces under attack whose protector the move has pinned to its general.
    fn without_their_pinned_protector(&self) -> Squares {
        let after = self.after;
        let pinned = after.of_side(self.chased()) & self.new_blockers();
        let free_chasers = after.of_side(self.chaser()) & !blockers(after, self.chaser());
        let mut chased = 0;
        for protector in squares_of(pinned) {
            let kind = after.kind_at(protector);
            let protected = after.attacks(kind, self.chased(), protector, after.occupancy()) & self.possible_victims();
            for square in squares_of(protected) {
                if attackers(after, self.chaser(), square, after.occupancy()) & free_chasers != 0 {
                    chased |= 1 << square;
                }
            }
        }
        chased
    }

    /// Pieces attacked by one that would give a discovered check, unless the general could take it back.
    fn won_by_discovered_check(&self) -> Squares {
        let after = self.after;
        let general = after.general(self.chased());
        let mut chased = 0;
        for square in squares_of(after.of_side(self.chaser()) & self.new_blockers()) {
            let attacked = after.attacks(after.kind_at(square), self.chaser(), square, after.occupancy());
            let victims = attacked & after.of_side(self.chased()) & !(1 << general);
            let near = victims & TABLES.general[general];
            chased |= victims & !near;
            let occupied = after.occupancy().without(square).without(general);
            for victim in squares_of(near) {
                if attackers(after, self.chaser(), victim, occupied) & !(1 << square) != 0 {
                    chased |= 1 << victim;
                }
            }
        }
        chased
    }

    /// Pieces that alone keep an attack off the chased side's general, and did not before the move.
    fn new_blockers(&self) -> Squares {
        blockers(self.after, self.chased()) & !blockers(self.before, self.chased())
    }

    /// All but the general and soldiers that have not crossed the river.
    fn possible_victims(&self) -> Squares {
        let side = self.chased();
        let at_home = self.after.of_kind(Kind::Soldier) & HALVES[side.index()];
        self.after.of_side(side) & !self.after.of_kind(Kind::General) & !at_home
    }

    /// Which of the `attacked` squares hold a piece that the `kind` on `attacker` chases.
    fn unprotected(&self, attacker: usize, kind: Kind, attacked: Squares) -> Squares {
        let after = self.after;
        let victims = attacked & self.possible_victims();
        let (chariots, others) =
            (after.of_kind(Kind::Chariot), after.of_kind(Kind::Cannon) | after.of_kind(Kind::Horse));
        // To give the lesser piece for the greater pays, protection or not.
        let always = match kind {
            Kind::Horse | Kind::Cannon => victims & chariots,
            Kind::Elephant | Kind::Advisor => victims & (chariots | others),
            _ => 0,
        };
        let pinned = pinned(after);
        let is_chased = |&victim: &usize| {
            let is_mutual = after.of_kind(kind) >> victim & 1 != 0
                && pinned >> victim & 1 == 0
                && after.attacks(kind, self.chased(), victim, after.occupancy()) >> attacker & 1 != 0;
            !is_mutual && !self.is_protected(victim, attacker, pinned)
        };
        squares_of(victims & !always).filter(is_chased).fold(always, |chased, victim| chased | 1 << victim)
    }

    /// Whether a piece that is not pinned could take back on `victim` once the piece on `attacker` has taken there.
    fn is_protected(&self, victim: usize, attacker: usize, pinned: Squares) -> bool {
        let after = self.after;
        let occupied = after.occupancy().without(attacker);
        let protectors = attackers(after, self.chased(), victim, occupied) & !pinned;
        if protectors != after.of(self.chased(), Kind::General) {
            return protectors != 0;
        }
        // The general alone may take back unless it would then face the other.
        let other = after.general(self.chaser());
        other % FILES != victim % FILES || line_between(other, victim) & occupied.squares() != 0
    }
}

/// The pieces of `side` that attack a square if `occupied` are the points where anything stands.
fn attackers(position: &Position, side: Side, square: usize, occupied: Occupancy) -> Squares {
    let attacks = |&from: &usize| position.attacks(position.kind_at(from), side, from, occupied) >> square & 1 != 0;
    squares_of(position.of_side(side) & occupied.squares()).filter(attacks).fold(0, |all, from| all | 1 << from)
}

/// The pieces, of either side, whose absence would let an enemy attack the general of `side` that does not attack it now.
fn blockers(position: &Position, side: Side) -> Squares {
    let general = position.general(side);
    let occupied = position.occupied();
    let enemy = |kind| position.of(side.other(), kind);
    let mut blockers = 0;
    for hop in TABLES.horse_from[general].iter().filter(|hop| hop.targets & enemy(Kind::Horse) != 0) {
        blockers |= hop.through & occupied;
    }
    for direction in 0..4 {
        let [first, second, third] = first_three(TABLES.rays[general][direction], direction, occupied);
        if second & enemy(Kind::Chariot) != 0 {
            blockers |= first;
        }
        if third & enemy(Kind::Cannon) != 0 {
            blockers |= first | second;
        }
    }
    blockers
}

/// The pieces of the side to move that may not leave their place: blockers, and one that alone stands between the generals.
fn pinned(position: &Position) -> Squares {
    let side = position.side();
    let (own, other) = (position.general(side), position.general(side.other()));
    let between = line_between(own, other) & position.occupied();
    let facing = if own % FILES == other % FILES && between.count_ones() == 1 { between } else { 0 };
    (blockers(position, side) | facing) & position.of_side(side)
}

/// The first three occupied points of a ray, as sets of one point or none.
fn first_three(ray: Squares, direction: usize, occupied: Squares) -> [Squares; 3] {
    let mut rest = ray;
    [(); 3].map(|()| {
        let Some(square) = first_on_ray(rest & occupied, STRAIGHT[direction]) else { return 0 };
        rest = TABLES.rays[square][direction];
        1 << square
    })
}

/// The points between two points of one rank or file.
fn line_between(from: usize, to: usize) -> Squares {
    let towards = (0..4).find(|&direction| TABLES.rays[from][direction] >> to & 1 != 0);
    towards.map_or(0, |direction| TABLES.rays[from][direction] & !TABLES.rays[to][direction] & !(1 << to))
}
