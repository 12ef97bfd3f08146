//! A quick static value: material and a little room to move.

use super::board::HALVES;
use super::piece::Kind;
use super::position::Position;
use crate::Side;
use crate::bitboard::squares_of;

/// Hundredths of a soldier by kind, in the order of [`Kind::ALL`]: chariot 9, cannon 4.5, horse 4, advisor and elephant 2,
/// soldier 1, the values that beginners' books give. The general is never lost.
const VALUES: [i32; 7] = [0, 200, 200, 400, 900, 450, 100];
/// What a soldier across the river is worth beyond that: it has two more ways to go and is near the palace.
const CROSSED: i32 = 100;
/// A point to which a piece can move: what tells positions of equal material apart.
const MOBILITY: i32 = 2;
/// Being in check: the next move is not free.
const CHECK: i32 = 20;
/// All that a side begins with.
const FULL_MATERIAL: i32 = {
    let (mut sum, mut index) = (0, 0);
    while index < Kind::ALL.len() {
        sum += VALUES[index] * Kind::ALL[index].count() as i32;
        index += 1;
    }
    sum
};

/// The value for the side to move, in hundredths of a soldier.
pub(super) fn heuristic(position: &Position) -> i32 {
    let (own, enemy) = (position.side(), position.side().other());
    let room = MOBILITY * (mobility(position, own) - mobility(position, enemy));
    let check = if position.in_check() { CHECK } else { 0 };
    material(position, own) - material(position, enemy) + room - check
}

/// Red's lead in material as a part of all that one side begins with, in -1..=1.
pub(super) fn red_lead(position: &Position) -> f32 {
    let lead = material(position, Side::Red) - material(position, Side::Black);
    (lead as f32 / FULL_MATERIAL as f32).clamp(-1.0, 1.0)
}

fn material(position: &Position, side: Side) -> i32 {
    let pieces: i32 =
        Kind::ALL.into_iter().map(|kind| VALUES[kind.index()] * position.of(side, kind).count_ones() as i32).sum();
    let crossed = position.of(side, Kind::Soldier) & HALVES[side.other().index()];
    pieces + CROSSED * crossed.count_ones() as i32
}

fn mobility(position: &Position, side: Side) -> i32 {
    squares_of(position.of_side(side)).map(|from| position.targets(from).count_ones() as i32).sum()
}
