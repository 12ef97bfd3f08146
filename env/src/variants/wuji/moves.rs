//! Where pieces move and which moves are legal (RULES 3.2).

use super::lines::{self, Occupied};
use super::piece::Kind;
use super::points::{Point, Points};
use super::position::Position;
use super::safety::Safety;
use super::tables::{
    CAMEL_LEAPS, DIAGONAL_STEPS, FIVE_AWAY, HALVES, KNIGHT_LEAPS, PAWN_ADVANCES, PAWN_SIDE_STEPS, STRAIGHT_STEPS,
};
use crate::Side;

/// What the moves of one side depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover<'a> {
    position: &'a Position,
    side: Side,
    board: &'a Occupied,
    own: Points,
    enemy: Points,
    empty: Points,
    /// What a piece that is no bomb may land on: no own piece and no blocker.
    open: Points,
    enemy_bombs: Points,
}

/// Where a piece can go by its way of moving, the safety of its general not asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// All points, explosions included.
    pub(super) ends: Points,
    /// Captures after which both pieces leave the board.
    pub(super) explosions: Points,
}

impl<'a> Mover<'a> {
    pub(super) fn new(position: &'a Position, side: Side) -> Mover<'a> {
        let (own, enemy) = (position.of_side(side), position.of_side(side.other()));
        Mover {
            position,
            side,
            board: position.occupied(),
            own,
            enemy,
            empty: Points::BOARD.without(own | enemy),
            open: Points::BOARD.without(own | enemy & position.of_kind(Kind::Blocker)),
            enemy_bombs: enemy & position.of_kind(Kind::Bomb),
        }
    }

    /// Where the piece of this side on `from`, which is of `kind`, can go by its way of moving.
    #[inline(always)]
    pub(super) fn reach(&self, kind: Kind, from: Point) -> Reach {
        let index = from.index();
        let ends = match kind {
            Kind::General => self.general_reach(from),
            Kind::Guard => self.guard_reach(from),
            Kind::Minister => self.queen_reach(from) & self.open,
            Kind::Rook => lines::straight(from, self.board) & self.open,
            Kind::Knight => KNIGHT_LEAPS[index] & self.open,
            Kind::Camel => CAMEL_LEAPS[index] & self.open,
            Kind::Cannon => self.cannon_reach(from),
            Kind::Bishop => lines::diagonal(from, self.board) & self.open,
            Kind::Blocker => self.blocker_reach(from),
            Kind::Bomb if self.position.bombs_slide() => lines::straight(from, self.board).without(self.own),
            Kind::Bomb => FIVE_AWAY[index].without(self.own),
            Kind::Pawn => self.pawn_reach(from) & self.open,
            Kind::Promoted => (self.queen_reach(from) | KNIGHT_LEAPS[index] | CAMEL_LEAPS[index]) & self.open,
        };
        let explosive = if kind == Kind::Bomb { self.enemy } else { self.enemy_bombs };
        Reach { ends, explosions: ends & explosive }
    }

    fn queen_reach(&self, from: Point) -> Points {
        lines::straight(from, self.board) | lines::diagonal(from, self.board)
    }

    fn general_reach(&self, from: Point) -> Points {
        let steps = STRAIGHT_STEPS[from.index()] | DIAGONAL_STEPS[from.index()];
        (steps & self.zone() & self.open).without(self.enemy_bombs)
    }

    /// A step inside the zone, or a leap to the side of the general.
    fn guard_reach(&self, from: Point) -> Points {
        let zone = self.zone();
        let steps = if zone.contains(from) { DIAGONAL_STEPS[from.index()] & self.open } else { Points::EMPTY };
        let beside_general = STRAIGHT_STEPS[self.position.general(self.side).index()];
        (steps | beside_general & self.empty) & zone
    }

    fn cannon_reach(&self, from: Point) -> Points {
        let seen = lines::straight(from, self.board);
        let behind = lines::straight_past::<1>(from, self.board).without(seen);
        seen & self.empty | behind & self.enemy & self.open
    }

    /// It captures a bomb anywhere; other pieces only backward from its own half.
    fn blocker_reach(&self, from: Point) -> Points {
        let mut targets = self.empty | self.enemy_bombs;
        if HALVES[self.side.index()].contains(from) {
            let lower = Points::below(from);
            let backward = if self.side == Side::Red { lower } else { Points::BOARD.without(lower) };
            targets |= self.enemy & self.open & backward;
        }
        lines::diagonal(from, self.board) & targets
    }

    fn pawn_reach(&self, from: Point) -> Points {
        let (side, index) = (self.side.index(), from.index());
        if self.position.options().pawn_sideways {
            PAWN_ADVANCES[side][index] | PAWN_SIDE_STEPS[side][index]
        } else {
            PAWN_ADVANCES[side][index]
        }
    }

    fn zone(&self) -> Points {
        self.position.options().zone(self.side)
    }

    /// Where the piece on `from`, which is of `kind`, may go. This side is to decide, and `safety` is its general's.
    #[inline(always)]
    pub(super) fn legal_ends(&self, kind: Kind, from: Point, safety: &Safety) -> Points {
        let reach = self.reach(kind, from);
        if kind == Kind::General {
            return self.safe_steps(from, reach.ends, safety);
        }
        let (safe, doubtful) = safety.sort(from, reach.ends.without(reach.explosions));
        if doubtful.is_empty() && reach.explosions.is_empty() {
            return safe;
        }
        let (more, dangerous) = safety.sort_explosions(from, reach.explosions);
        let keep = |legal, to| if self.is_safe(from, to, safety) { legal | Points::of(to) } else { legal };
        (doubtful | dangerous).iter().fold(safe | more, keep)
    }

    /// The steps of the general on `from` after which it is safe.
    fn safe_steps(&self, from: Point, ends: Points, safety: &Safety) -> Points {
        let mut left = *self.board;
        left.toggle(from);
        let is_safe = |&to: &Point| !safety.attackers.attack(to, &left, self.enemy.without(Points::of(to)));
        ends.iter().filter(is_safe).fold(Points::EMPTY, |set, to| set | Points::of(to))
    }

    /// Whether the general is safe after a move of another piece, once all pieces that leave the board have left it.
    fn is_safe(&self, from: Point, to: Point, safety: &Safety) -> bool {
        let captures = self.enemy.contains(to);
        let is_bomb = self.position.of_kind(Kind::Bomb).contains(from);
        let explodes = captures && (is_bomb || self.enemy_bombs.contains(to));
        let mut occupied = *self.board;
        occupied.toggle(from);
        // A capture leaves the point occupied unless both pieces explode.
        if captures == explodes {
            occupied.toggle(to);
        }
        let general = self.position.general(self.side);
        !safety.attackers.attack(general, &occupied, self.enemy.without(Points::of(to)))
    }

    /// Whether any move is legal. The most likely comes first: the general's steps are the dearest to try, a pawn's the least.
    pub(super) fn has_move(&self, safety: &Safety) -> bool {
        Kind::ALL.into_iter().rev().any(|kind| {
            let mut starts = (self.own & self.position.of_kind(kind)).iter();
            starts.any(|from| !self.legal_ends(kind, from, safety).is_empty())
        })
    }
}
