//! The planes that a network sees: own side at the bottom, own pieces first (DESIGN: `[planes, ranks, files]`).

use super::board::{ALL_SQUARES, HALVES, PALACES, SQUARES, relative};
use super::piece::Kind;
use super::position::Position;
use crate::bitboard::{Squares, squares_of};

/// Parts into which the limit on quiet moves is divided; finer steps would keep equal positions apart in caches.
pub(super) const PROGRESS_STEPS: usize = 16;

const KINDS: usize = Kind::ALL.len();

/// The planes after those of own and enemy pieces.
enum Plane {
    Check,
    Repetitions,
    QuietProgress,
    Board,
    OwnPalace,
    EnemyPalace,
    OwnHalf,
}

/// Planes of an encoded position.
pub(super) const PLANES: usize = 2 * KINDS + Plane::OwnHalf as usize + 1;

/// Writes every value of `planes`, `[planes, ranks, files]`, as seen by the side to move.
pub(super) fn encode(position: &Position, repetitions: u8, progress: usize, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "planes of another shape");
    planes.fill(0.0);
    let (own, enemy) = (position.side(), position.side().other());
    let mut mark = |plane: usize, set: Squares| {
        for square in squares_of(set) {
            planes[plane * SQUARES + relative(square, own)] = 1.0;
        }
    };
    for kind in Kind::ALL {
        mark(kind.index(), position.of(own, kind));
        mark(KINDS + kind.index(), position.of(enemy, kind));
    }
    mark(2 * KINDS + Plane::Board as usize, ALL_SQUARES);
    mark(2 * KINDS + Plane::OwnPalace as usize, PALACES[own.index()]);
    mark(2 * KINDS + Plane::EnemyPalace as usize, PALACES[enemy.index()]);
    mark(2 * KINDS + Plane::OwnHalf as usize, HALVES[own.index()]);
    let mut fill = |plane: Plane, value: f32| planes[(2 * KINDS + plane as usize) * SQUARES..][..SQUARES].fill(value);
    fill(Plane::Check, if position.in_check() { 1.0 } else { 0.0 });
    fill(Plane::Repetitions, f32::from(repetitions) / 2.0);
    fill(Plane::QuietProgress, progress as f32 / PROGRESS_STEPS as f32);
}
