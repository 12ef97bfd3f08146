//! Which steps are legal (RULES 1.2 to 1.4): sets of squares, and the steps they stand for.

use super::board::Board;
use super::piece::Kind;
use super::position::{Phase, Position, Step};
use crate::Side;
use crate::bitboard::{DIAGONAL, STRAIGHT, Squares, first_on_ray, squares_of};

/// The kinds a pawn jumps over and a mimic moves as.
const ORDINARY: [Kind; 4] = [Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Bishop];

impl<B: Board> Position<B> {
    /// Calls `visit` with every legal step, in a fixed order.
    pub fn for_each_step(&self, mut visit: impl FnMut(Step)) {
        match self.phase() {
            Phase::Placement => {
                let squares = self.placement_squares();
                for &kind in B::kinds().iter().filter(|&&kind| self.hand(self.side(), kind) > 0) {
                    squares_of(squares).for_each(|square| visit(Step::Place(kind, square)));
                }
            }
            Phase::Turn if self.return_is_due() => {
                squares_of(self.squares_for_owner(self.side().other())).for_each(|square| visit(Step::Return(square)));
            }
            Phase::Turn => {
                for from in squares_of(self.of_side(self.side())) {
                    squares_of(self.destinations(from)).for_each(|to| visit(Step::Move(from, to)));
                }
            }
            Phase::Drop => {
                squares_of(self.drop_squares()).for_each(|square| visit(Step::Drop(square)));
            }
        }
    }

    /// How many steps are legal.
    pub fn step_count(&self) -> usize {
        match self.phase() {
            Phase::Placement => {
                let kinds = B::kinds().iter().filter(|&&kind| self.hand(self.side(), kind) > 0).count();
                kinds * self.placement_squares().count_ones() as usize
            }
            Phase::Turn if self.return_is_due() => self.squares_for_owner(self.side().other()).count_ones() as usize,
            Phase::Turn => {
                squares_of(self.of_side(self.side())).map(|from| self.destinations(from).count_ones() as usize).sum()
            }
            Phase::Drop => self.drop_squares().count_ones() as usize,
        }
    }

    /// Whether any step is legal.
    pub fn has_step(&self) -> bool {
        match self.phase() {
            Phase::Turn if !self.return_is_due() => {
                squares_of(self.of_side(self.side())).any(|from| self.destinations(from) != 0)
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

    /// The own palace if a piece other than the one on `from` stands in it: the palace rule.
    fn own_palace_full_for(&self, from: usize) -> Squares {
        let palace = B::palace(self.side());
        if self.of_side(self.side()) & palace & !(1 << from) != 0 { palace } else { 0 }
    }

    /// Where the piece on `from`, of either side, can go by its way of moving: nothing in a palace is captured, but
    /// the palace rule is not asked.
    pub fn reach(&self, from: usize) -> Squares {
        let Some(piece) = self.piece_at(from) else { return 0 };
        let takeable = self.occupied() & !B::sanctuary();
        match piece.kind {
            Kind::Pawn => self.pawn_reach(from),
            Kind::Mimic => {
                let near = B::TABLES.neighbours[from];
                ORDINARY
                    .into_iter()
                    .filter(|&kind| self.of_kind(kind) & near != 0)
                    .fold(0, |reach, kind| reach | self.ordinary_reach(kind, from, takeable))
            }
            kind => self.ordinary_reach(kind, from, takeable),
        }
    }

    fn ordinary_reach(&self, kind: Kind, from: usize, takeable: Squares) -> Squares {
        let allowed = self.empty_squares() | takeable;
        match kind {
            Kind::Rook => self.slide(from, STRAIGHT) & allowed,
            Kind::Bishop => self.slide(from, DIAGONAL) & allowed,
            Kind::Knight => B::TABLES.leaps[from] & allowed,
            Kind::Cannon => self.cannon_reach(from, takeable),
            Kind::Mimic | Kind::Pawn => 0,
        }
    }

    /// Squares along `directions` up to and including the first occupied one.
    fn slide(&self, from: usize, directions: [usize; 4]) -> Squares {
        directions.into_iter().fold(0, |reach, direction| {
            let ray = B::TABLES.rays[from][direction];
            reach
                | match first_on_ray(ray & self.occupied(), direction) {
                    Some(blocker) => ray & !B::TABLES.rays[blocker][direction],
                    None => ray,
                }
        })
    }

    /// Empty squares up to the first occupied one, and the next occupied one behind it if it can be taken.
    fn cannon_reach(&self, from: usize, takeable: Squares) -> Squares {
        let occupied = self.occupied();
        STRAIGHT.into_iter().fold(0, |reach, direction| {
            let ray = B::TABLES.rays[from][direction];
            let Some(screen) = first_on_ray(ray & occupied, direction) else { return reach | ray };
            let beyond = B::TABLES.rays[screen][direction];
            let target = first_on_ray(beyond & occupied, direction).map_or(0, |square| 1 << square);
            reach | ray & !beyond & !(1 << screen) | target & takeable
        })
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
