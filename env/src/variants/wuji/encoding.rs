//! The planes that a network sees: own side at the bottom, own pieces first (`[planes, ranks, files]`).

use super::Wuji;
use super::piece::KINDS;
use super::points::SQUARES;
use super::tables::HALVES;
use crate::Game;

/// Parts into which the limit on quiet moves is divided; finer steps would keep equal positions apart in caches.
pub(super) const PROGRESS_STEPS: usize = 16;

/// The planes after those of the own and the enemy's kinds. The variants share them all, so that a network can be
/// trained on after a change of the rules.
enum Plane {
    OwnZone = 2 * KINDS as isize,
    EnemyZone,
    OwnHalf,
    Board,
    Repetitions,
    QuietProgress,
    InCheck,
    /// The step is a taking of the throne, which shares its place in the policy with moves.
    ThroneDue,
}

/// From here on the planes have one value each.
const FIRST_UNIFORM: usize = Plane::Board as usize;

/// Planes of an encoded position.
pub(super) const PLANES: usize = Plane::ThroneDue as usize + 1;

/// Writes every value of `planes`, `[planes, ranks, files]`, as seen by the side to decide.
pub(super) fn encode(game: &Wuji, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "planes of another shape");
    let position = game.position();
    let (own, enemy) = (position.side(), position.side().other());
    let zone = |side| position.options().zone(side);
    let (by_points, uniform) = planes.split_at_mut(FIRST_UNIFORM * SQUARES);
    by_points.fill(0.0);
    for (first, side) in [(0, own), (KINDS, enemy)] {
        position.of_side(side).iter().for_each(|point| {
            let kind = position.piece_at(point).map_or(0, |piece| piece.kind.index());
            by_points[(first + kind) * SQUARES + point.seen_by(own).square()] = 1.0;
        });
    }
    let areas = [(Plane::OwnZone, zone(own)), (Plane::EnemyZone, zone(enemy)), (Plane::OwnHalf, HALVES[own.index()])];
    for (plane, area) in areas {
        let plane = &mut by_points[plane as usize * SQUARES..][..SQUARES];
        area.seen_by(own).iter().for_each(|point| plane[point.square()] = 1.0);
    }

    let mut fill = |plane: Plane, value: f32| {
        uniform[(plane as usize - FIRST_UNIFORM) * SQUARES..][..SQUARES].fill(value);
    };
    let flag = |is_set: bool| if is_set { 1.0 } else { 0.0 };
    fill(Plane::Board, 1.0);
    fill(Plane::Repetitions, f32::from(game.repetitions()) / 2.0);
    fill(Plane::QuietProgress, game.quiet_progress() as f32 / PROGRESS_STEPS as f32);
    fill(Plane::InCheck, flag(game.in_check()));
    fill(Plane::ThroneDue, flag(game.throne_is_due()));
}
