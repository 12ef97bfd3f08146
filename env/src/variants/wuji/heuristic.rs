//! A quick static value for alpha-beta search, and the lead that a network learns to foresee: material above all.

use super::moves::Mover;
use super::piece::{KINDS, Kind};
use super::position::Position;
use crate::Side;

/// What the kinds are worth in hundredths of a pawn, in the order of [`Kind::ALL`].
///
/// Sliders and leapers are measured by the points they reach on an empty board, averaged over where they stand: a rook
/// 23, a bishop 14.7, a knight 6.2, a camel 5.6. The rook keeps its 9 pawns of chess and the bishop follows in
/// proportion; the leapers are worth more than that, for nothing blocks them.
const VALUES: [i32; KINDS] = [
    0,    // K cannot be lost
    200,  // A guards a few points, and comes to the general's side from anywhere
    1300, // Q is a rook and a bishop, but cannot be in two places
    900,  // R
    400,  // N
    350,  // L reaches less than the knight, and one colour only
    500,  // C needs a screen, and there are fewer and fewer of them
    600,  // B sees one colour of a board on which half the points are that
    300,  // X stands in the way and cannot be taken, but itself takes little
    600,  // Z is gone after one capture: worth what it is likely to take along, a rook at best and a knight at worst
    100,  // P
    2000, // +P is Q, N and L in one
];

/// A point that a piece can go to by its way of moving.
const MOBILITY: i32 = 3;

/// The lead in material that counts as all there is to gain: about a minister, two rooks and two knights.
const FULL_LEAD: f32 = 4000.0;

/// The value for the side to decide, in hundredths of a pawn.
pub(super) fn heuristic(position: &Position) -> i32 {
    let side = position.side();
    let value = |side| material(position, side) + MOBILITY * mobility(position, side);
    value(side) - value(side.other())
}

/// Red's lead in material, from -1 to 1.
pub(super) fn red_lead(position: &Position) -> f32 {
    let lead = material(position, Side::Red) - material(position, Side::Black);
    (lead as f32 / FULL_LEAD).clamp(-1.0, 1.0)
}

fn material(position: &Position, side: Side) -> i32 {
    let own = position.of_side(side);
    Kind::ALL.into_iter().map(|kind| VALUES[kind.index()] * (own & position.of_kind(kind)).count() as i32).sum()
}

fn mobility(position: &Position, side: Side) -> i32 {
    let mover = Mover::new(position, side);
    let of_kind = |kind| position.of(side, kind).iter().map(move |from| mover.reach(kind, from).ends.count() as i32);
    Kind::ALL.into_iter().flat_map(of_kind).sum()
}
