//! Which steps are legal (RULES 1.2 to 1.4): sets of squares, and the steps they stand for.

use super::board::Board;
use super::piece::Kind;
use super::position::{Phase, Position, Step};
use crate::Side;
use crate::bitboard::{
    DIAGONAL, STRAIGHT, Squares, down_to_first, down_to_first_of_64, squares_of, up_to_first, up_to_first_of_64,
};

/// The kinds a pawn jumps over and a mimic moves as.
const ORDINARY: [Kind; 4] = [Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Bishop];

/// A step but for the square that it ends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Place a piece of this kind.
    Hand(Kind),
    /// Return the intruder.
    Palace,
    /// Move the piece on this square.
    Square(usize),
    /// Drop the captured piece.
    Capture,
}

impl<B: Board> Position<B> {
    /// Calls `visit` with every origin of legal steps and the squares they may end on, which may be none. The order is that
    /// of the policy planes, as the side to decide counts them.
    pub fn for_each_origin(&self, mut visit: impl FnMut(Origin, Squares)) {
        match self.phase() {
            Phase::Placement => {
                let squares = self.placement_squares();
                let kinds = B::kinds().iter().filter(|&&kind| self.hand(self.side(), kind) > 0);
                kinds.for_each(|&kind| visit(Origin::Hand(kind), squares));
            }
            Phase::Turn if self.return_is_due() => {
                visit(Origin::Palace, self.squares_for_owner(self.side().other()));
            }
            Phase::Turn => {
                let (own, occupied) = (self.of_side(self.side()), self.occupied());
                for from in squares_of(B::seen_by(own, self.side())) {
                    let from = B::relative(from, self.side());
                    visit(Origin::Square(from), self.own_destinations(from, occupied));
                }
            }
            Phase::Drop => visit(Origin::Capture, self.drop_squares()),
        }
    }

    /// How many steps are legal.
    pub fn step_count(&self) -> usize {
        let mut count = 0;
        self.for_each_origin(|_, squares| count += squares.count_ones() as usize);
        count
    }

    /// Whether any step is legal.
    pub fn has_step(&self) -> bool {
        match self.phase() {
            Phase::Turn if !self.return_is_due() => {
                let (own, occupied) = (self.of_side(self.side()), self.occupied());
                let has_destination = |from| self.own_destinations(from, occupied) != 0;
                // A knight nearly always has somewhere to go, and says so at once.
                squares_of(own & self.of_kind(Kind::Knight)).any(has_destination)
                    || squares_of(own).any(has_destination)
            }
            _ => self.step_count() > 0,
        }
    }

    /// Whether `step` is legal.
    pub fn is_legal(&self, step: Step) -> bool {
        let contains = |squares: Squares, square: usize| square < B::SQUARES && squares >> square & 1 != 0;
        match (self.phase(), step) {
            (Phase::Placement, Step::Place(kind, square)) => {
                self.hand(self.side(), kind) > 0 && contains(self.placement_squares(), square)
            }
            (Phase::Turn, Step::Return(square)) => {
                self.return_is_due() && contains(self.squares_for_owner(self.side().other()), square)
            }
            (Phase::Turn, Step::Move(from, to)) => {
                !self.return_is_due()
                    && contains(self.of_side(self.side()), from)
                    && contains(self.destinations(from), to)
            }
            (Phase::Drop, Step::Drop(square)) => contains(self.drop_squares(), square),
            _ => false,
        }
    }

    /// Where the side to decide may place a piece: its own ranks outside its palace.
    pub fn placement_squares(&self) -> Squares {
        B::home(self.side()) & !B::palace(self.side()) & self.empty_squares()
    }

    /// Where the captured piece may be dropped.
    pub fn drop_squares(&self) -> Squares {
        self.held().map_or(0, |piece| self.squares_for_owner(piece.side))
    }

    /// Empty squares of `owner`'s ranks; those of the palace only while no piece of the owner is in it.
    pub fn squares_for_owner(&self, owner: Side) -> Squares {
        let palace = if self.of_side(owner) & B::palace(owner) != 0 { B::palace(owner) } else { 0 };
        B::home(owner) & self.empty_squares() & !palace
    }

    /// Where the piece of the side to decide on `from` may move, captures included.
    pub fn destinations(&self, from: usize) -> Squares {
        self.reach(from) & !self.own_palace_full_for(from)
    }

    /// The same where a piece of the side to decide is known to stand on `from`, and these squares to be `occupied`.
    pub(super) fn own_destinations(&self, from: usize, occupied: Squares) -> Squares {
        self.kind_at(from).map_or(0, |kind| self.reach_as(kind, from, occupied)) & !self.own_palace_full_for(from)
    }

    /// The own palace if a piece other than the one on `from` stands in it: the palace rule.
    fn own_palace_full_for(&self, from: usize) -> Squares {
        let palace = B::palace(self.side());
        let residents = self.of_side(self.side()) & palace;
        if residents != 0 && residents & !(1 << from) != 0 { palace } else { 0 }
    }

    /// Where the piece on `from`, of either side, can go by its way of moving: nothing in a palace is captured, but
    /// the palace rule is not asked.
    pub fn reach(&self, from: usize) -> Squares {
        self.piece_at(from).map_or(0, |piece| self.reach_as(piece.kind, from, self.occupied()))
    }

    fn reach_as(&self, kind: Kind, from: usize, occupied: Squares) -> Squares {
        match kind {
            Kind::Pawn => self.pawn_reach(from),
            Kind::Mimic => {
                let near = B::TABLES.neighbours[from];
                let models = ORDINARY.into_iter().filter(|&kind| self.of_kind(kind) & near != 0);
                models.fold(0, |reach, kind| reach | ordinary_reach::<B>(kind, from, occupied))
            }
            kind => ordinary_reach::<B>(kind, from, occupied),
        }
    }

    /// Every square on which a chain of jumps from `from` may end; the start is empty meanwhile (RULES 1.2).
    fn pawn_reach(&self, from: usize) -> Squares {
        let occupied = self.occupied() & !(1 << from);
        let mut reach = 0;
        let mut passed: Squares = 1 << from;
        let mut to_visit: Squares = passed;
        while to_visit != 0 {
            let square = to_visit.trailing_zeros() as usize;
            to_visit &= to_visit - 1;
            let landings = self.pawn_landings(square, from);
            let onward = landings & !occupied & !passed;
            passed |= onward;
            to_visit |= onward;
            reach |= landings;
        }
        reach & !(1 << from)
    }

    /// Where one jump from `square` may land while the pawn that started on `start` is off the board.
    pub fn pawn_landings(&self, square: usize, start: usize) -> Squares {
        let jumpable = ORDINARY.into_iter().fold(0, |all, kind| all | self.of_kind(kind));
        let occupied = self.occupied() & !(1 << start);
        let landings = B::TABLES.jumps[square]
            .iter()
            .filter(|jump| jump.over & jumpable != 0)
            .fold(0, |all, jump| all | 1 << jump.landing);
        landings & !(occupied & B::sanctuary())
    }
}

/// Where a piece other than a pawn or a mimic can go on a board of which these squares are `occupied`.
fn ordinary_reach<B: Board>(kind: Kind, from: usize, occupied: Squares) -> Squares {
    let untakeable = occupied & B::sanctuary();
    match kind {
        Kind::Rook => slide::<B>(from, STRAIGHT, occupied) & !untakeable,
        Kind::Bishop => slide::<B>(from, DIAGONAL, occupied) & !untakeable,
        Kind::Knight => B::TABLES.leaps[from] & !untakeable,
        Kind::Cannon => cannon_reach::<B>(from, occupied) & !untakeable,
        Kind::Mimic | Kind::Pawn => 0,
    }
}

/// Squares along `directions`, two to higher squares and two to lower ones, up to and including the first occupied one.
fn slide<B: Board>(from: usize, directions: [usize; 4], occupied: Squares) -> Squares {
    let [right, up, left, down] = directions.map(|direction| B::TABLES.rays[from][direction]);
    up_ray::<B>(right, occupied)
        | up_ray::<B>(up, occupied)
        | down_ray::<B>(left, occupied)
        | down_ray::<B>(down, occupied)
}

/// Empty squares up to the first occupied one, and the next occupied one behind it.
fn cannon_reach<B: Board>(from: usize, occupied: Squares) -> Squares {
    let to_screens = slide::<B>(from, STRAIGHT, occupied);
    // Behind the screens, of which a ray without one has nothing left.
    let [right, up, left, down] = STRAIGHT.map(|direction| B::TABLES.rays[from][direction] & !to_screens);
    let to_targets = up_ray::<B>(right, occupied)
        | up_ray::<B>(up, occupied)
        | down_ray::<B>(left, occupied)
        | down_ray::<B>(down, occupied);
    to_screens & !occupied | to_targets & occupied
}

fn up_ray<B: Board>(ray: Squares, occupied: Squares) -> Squares {
    if B::SQUARES <= 64 { up_to_first_of_64(ray, occupied) } else { up_to_first(ray, occupied) }
}

fn down_ray<B: Board>(ray: Squares, occupied: Squares) -> Squares {
    if B::SQUARES <= 64 { down_to_first_of_64(ray, occupied) } else { down_to_first(ray, occupied) }
}
