//! The planes that a network sees: own side at the bottom, own pieces first (DESIGN: `[planes, ranks, files]`).

use super::board::Board;
use super::position::{Phase, Position};
use crate::bitboard::{Squares, squares_of};

/// Parts into which the turn limit is divided; finer steps would keep equal positions apart in caches.
pub(super) const PROGRESS_STEPS: usize = 16;

/// Planes per kind: own pieces, enemy pieces, own hand, enemy hand.
const PLANES_PER_KIND: usize = 4;

/// The planes that do not depend on the number of kinds, after those that do.
enum Plane {
    Stones,
    Placement,
    PlacementsLeft,
    ReturnDue,
    DropDue,
    OwnScore,
    EnemyScore,
    Repetitions,
    LimitProgress,
    Board,
    OwnPalace,
    EnemyPalace,
    River,
}

const FURTHER_PLANES: usize = Plane::River as usize + 1;

/// Planes of an encoded position.
pub(super) const fn plane_count<B: Board>() -> usize {
    PLANES_PER_KIND * B::KINDS + FURTHER_PLANES
}

/// Writes every value of `planes`, `[planes, ranks, files]`, as seen by the side to decide.
pub(super) fn encode<B: Board>(position: &Position<B>, repetitions: u8, progress: usize, planes: &mut [f32]) {
    assert_eq!(planes.len(), plane_count::<B>() * B::SQUARES, "planes of another shape");
    planes.fill(0.0);
    let (own, enemy) = (position.side(), position.side().other());
    let mut mark = |plane: usize, set: Squares| {
        for square in squares_of(set) {
            planes[plane * B::SQUARES + B::relative(square, own)] = 1.0;
        }
    };
    let first_further = PLANES_PER_KIND * B::KINDS;
    for (index, &kind) in B::kinds().iter().enumerate() {
        mark(index, position.of_kind(kind) & position.of_side(own));
        mark(B::KINDS + index, position.of_kind(kind) & position.of_side(enemy));
    }
    mark(first_further + Plane::Stones as usize, position.stones());
    mark(first_further + Plane::Board as usize, B::ALL_SQUARES);
    mark(first_further + Plane::OwnPalace as usize, B::palace(own));
    mark(first_further + Plane::EnemyPalace as usize, B::palace(enemy));
    mark(first_further + Plane::River as usize, B::TABLES.river);

    let mut fill = |plane: usize, value: f32| planes[plane * B::SQUARES..][..B::SQUARES].fill(value);
    for (index, &kind) in B::kinds().iter().enumerate() {
        fill(2 * B::KINDS + index, f32::from(position.hand(own, kind)) / 2.0);
        fill(3 * B::KINDS + index, f32::from(position.hand(enemy, kind)) / 2.0);
    }
    let flag = |is_set: bool| if is_set { 1.0 } else { 0.0 };
    let points = |side: crate::Side| f32::from(position.score()[side.index()]) / f32::from(B::POINTS_TO_WIN);
    let mut fill = |plane: Plane, value: f32| fill(first_further + plane as usize, value);
    fill(Plane::Placement, flag(position.phase() == Phase::Placement));
    fill(Plane::PlacementsLeft, position.placements_left() as f32 / 4.0);
    fill(Plane::ReturnDue, flag(position.return_is_due()));
    fill(Plane::DropDue, flag(position.phase() == Phase::Drop));
    fill(Plane::OwnScore, points(own));
    fill(Plane::EnemyScore, points(enemy));
    fill(Plane::Repetitions, f32::from(repetitions) / 2.0);
    fill(Plane::LimitProgress, progress as f32 / PROGRESS_STEPS as f32);
}
