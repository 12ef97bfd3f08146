//! Which moves there are and which of them are legal (RULES 2).

use super::board::{FILES, Hop, TABLES};
use super::lines::{Occupancy, behind_screens, slide_on_file, slide_on_rank};
use super::piece::Kind;
use super::position::{Move, Position};
use crate::Side;
use crate::bitboard::{STRAIGHT, Squares, first_on_ray, squares_of, squares_seen_by};

/// The straight directions by their place in [`STRAIGHT`], along which the generals see each other.
const ALONG_FILES: [usize; 2] = [1, 3];

impl Position {
    /// Calls `visit` for every own piece that can move with where it may go, in the order of the mover's own view.
    pub(super) fn for_each_origin(&self, mut visit: impl FnMut(usize, Squares)) {
        for from in squares_seen_by(self.of_side(self.side()), self.side(), FILES) {
            let targets = self.legal_targets(self.kind_at(from), from);
            if targets != 0 {
                visit(from, targets);
            }
        }
    }

    /// Every legal move.
    pub(super) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.for_each_origin(|from, targets| moves.extend(squares_of(targets).map(|to| Move { from, to })));
        moves
    }

    /// How many moves are legal.
    pub(super) fn legal_move_count(&self) -> usize {
        let count = |kind: Kind| -> usize {
            let pieces = squares_of(self.of(self.side(), kind));
            pieces.map(|from| self.legal_targets(kind, from).count_ones() as usize).sum()
        };
        // Kind by kind, so that the processor foresees what comes.
        Kind::ALL.into_iter().map(count).sum()
    }

    /// Whether any move is legal.
    pub(super) fn has_legal_move(&self) -> bool {
        squares_of(self.of_side(self.side())).any(|from| self.legal_targets(self.kind_at(from), from) != 0)
    }

    /// Whether a move is legal.
    pub(super) fn is_legal(&self, Move { from, to }: Move) -> bool {
        self.of_side(self.side()) >> from & 1 != 0 && self.targets(from) >> to & 1 != 0 && self.is_safe_after(from, to)
    }

    /// Whether the general of `side` is attacked or faces the other one.
    pub(super) fn is_in_check(&self, side: Side) -> bool {
        let general = self.general(side);
        self.is_attacked(general, side.other(), self.occupancy(), self.of_side(side.other()))
    }

    /// Where the piece on `from` could go if its general's safety did not matter.
    pub(super) fn targets(&self, from: usize) -> Squares {
        let side = if self.of_side(Side::Red) >> from & 1 != 0 { Side::Red } else { Side::Black };
        self.targets_of(self.kind_at(from), side, from)
    }

    fn targets_of(&self, kind: Kind, side: Side, from: usize) -> Squares {
        let attacks = self.attacks(kind, side, from, self.occupancy());
        match kind {
            Kind::Cannon => {
                let empty = self.empty_squares();
                attacks & self.of_side(side.other()) | slide(from, self.occupancy()) & empty
            }
            _ => attacks & !self.of_side(side),
        }
    }

    /// The points on which a piece of a kind and side that stands on `from` could take something.
    pub(super) fn attacks(&self, kind: Kind, side: Side, from: usize, occupied: Occupancy) -> Squares {
        match kind {
            Kind::General => TABLES.general[from],
            Kind::Advisor => TABLES.advisor[from],
            Kind::Elephant => hops(&TABLES.elephant[from], occupied.squares()),
            Kind::Horse => hops(&TABLES.horse[from], occupied.squares()),
            Kind::Chariot => slide(from, occupied),
            Kind::Cannon => behind_screens(from, occupied),
            Kind::Soldier => TABLES.soldier[side.index()][from],
        }
    }

    fn legal_targets(&self, kind: Kind, from: usize) -> Squares {
        let safety = self.safety();
        let targets = self.targets_of(kind, self.side(), from);
        let is_general = from == safety.general;
        let (mut legal, doubtful) = if is_general || safety.sensitive >> from & 1 != 0 {
            (0, targets)
        } else if safety.in_check {
            // What neither touches a line to the general nor captures cannot end the check.
            (0, targets & (safety.sensitive | self.of_side(self.side().other())))
        } else {
            (targets & !safety.sensitive, targets & safety.sensitive)
        };
        for to in squares_of(doubtful) {
            if self.is_safe_after(from, to) {
                legal |= 1 << to;
            }
        }
        legal
    }

    /// Whether the mover's general is neither attacked nor faces the other after a move.
    fn is_safe_after(&self, from: usize, to: usize) -> bool {
        let general = self.general(self.side());
        let general = if from == general { to } else { general };
        let occupied = self.occupancy().without(from).with(to);
        let enemy = self.side().other();
        !self.is_attacked(general, enemy, occupied, self.of_side(enemy) & !(1 << to))
    }

    /// Whether a general on `square` would be attacked, or face the enemy's, if `occupied` were the points where anything
    /// stands and `enemies` those of `enemy`'s pieces. Advisors and elephants never come near it.
    fn is_attacked(&self, square: usize, enemy: Side, occupied: Occupancy, enemies: Squares) -> bool {
        if self.of_kind(Kind::Soldier) & enemies & TABLES.soldier_from[enemy.index()][square] != 0 {
            return true;
        }
        let horses = self.of_kind(Kind::Horse) & enemies;
        let jumps_here = |hop: &Hop| horses & hop.targets != 0 && occupied.squares() & hop.through == 0;
        if horses & TABLES.horse_near[square] != 0 && TABLES.horse_from[square].iter().any(jumps_here) {
            return true;
        }
        let (chariots, cannons, generals) = self.sliders(enemies);
        if (chariots | cannons | generals) & TABLES.lines[square] == 0 {
            return false;
        }
        slide_on_file(square, occupied) & (chariots | generals) != 0
            || slide_on_rank(square, occupied) & chariots != 0
            || behind_screens(square, occupied) & cannons != 0
    }

    /// Chariots, cannons and the general among `pieces`.
    fn sliders(&self, pieces: Squares) -> (Squares, Squares, Squares) {
        let of = |kind| self.of_kind(kind) & pieces;
        (of(Kind::Chariot), of(Kind::Cannon), of(Kind::General))
    }
}

/// What decides at a glance which moves cannot touch the safety of the mover's general.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Safety {
    general: usize,
    /// Whether it is attacked.
    pub(super) in_check: bool,
    /// Points between the general and the enemies that attack it along a line, or could after one piece has come or gone, and
    /// the legs of horses near it. A move from and to other points leaves the general as safe as it was.
    sensitive: Squares,
}

impl Safety {
    /// Looks at the general of the side to move.
    pub(super) fn of(position: &Position) -> Safety {
        let side = position.side();
        let general = position.general(side);
        let occupied = position.occupied();
        let enemies = position.of_side(side.other());
        let soldiers = position.of_kind(Kind::Soldier) & enemies;
        let near = soldiers & TABLES.soldier_from[side.other().index()][general];
        let mut safety = Safety { general, in_check: near != 0, sensitive: 0 };
        let horses = position.of_kind(Kind::Horse) & enemies;
        if horses & TABLES.horse_near[general] != 0 {
            for hop in TABLES.horse_from[general].iter().filter(|hop| horses & hop.targets != 0) {
                safety.sensitive |= hop.through;
                safety.in_check |= hop.through & occupied == 0;
            }
        }
        let (chariots, cannons, generals) = position.sliders(enemies);
        if (chariots | cannons | generals) & TABLES.lines[general] != 0 {
            for direction in 0..4 {
                let faced = if ALONG_FILES.contains(&direction) { generals } else { 0 };
                safety.look_along(direction, occupied, chariots | faced, cannons);
            }
        }
        safety
    }

    /// Adds the points before a chariot with at most one piece in between, or a cannon with at most two.
    fn look_along(&mut self, direction: usize, occupied: Squares, chariots: Squares, cannons: Squares) {
        let ray = TABLES.rays[self.general][direction];
        let mut rest = ray;
        for between in 0..3 {
            if rest & (chariots | cannons) == 0 {
                return;
            }
            let Some(square) = blocker(rest, occupied, direction) else { return };
            rest = TABLES.rays[square][direction];
            let bit = 1 << square;
            let before = ray & !rest & !bit;
            if chariots & bit != 0 && between <= 1 {
                self.sensitive |= before;
                self.in_check |= between == 0;
            } else if cannons & bit != 0 {
                self.sensitive |= before;
                self.in_check |= between == 1;
            }
        }
    }
}

/// The first occupied point on a ray in one of the straight directions.
fn blocker(ray: Squares, occupied: Squares, direction: usize) -> Option<usize> {
    first_on_ray(ray & occupied, STRAIGHT[direction])
}

/// The points along ranks and files up to and including the first occupied one.
fn slide(from: usize, occupied: Occupancy) -> Squares {
    slide_on_rank(from, occupied) | slide_on_file(from, occupied)
}

fn hops(hops: &[Hop; 4], occupied: Squares) -> Squares {
    hops.iter().filter(|hop| hop.through & occupied == 0).fold(0, |reach, hop| reach | hop.targets)
}
