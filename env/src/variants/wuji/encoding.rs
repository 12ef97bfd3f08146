//! The planes that a network sees: own side at the bottom, own pieces first (`[planes, ranks, files]`).

use super::Wuji;
use super::piece::{KINDS, Kind};
use super::points::{Points, SQUARES};
use super::tables::HALVES;
use crate::Game;

/// Parts into which the limit on quiet moves is divided; finer steps would keep equal positions apart in caches.
pub(super) const PROGRESS_STEPS: usize = 16;

/// The planes after those of the own and the enemy's kinds. The variants share them all, so that a network can be trained on
/// after a change of the rules.
enum Plane {
    Board,
    OwnZone,
    EnemyZone,
    OwnHalf,
    Repetitions,
    QuietProgress,
    InCheck,
    /// The step is a taking of the throne, which shares its place in the policy with moves.
    ThroneDue,
}

const FIRST_FURTHER: usize = 2 * KINDS;

/// Planes of an encoded position.
pub(super) const PLANES: usize = FIRST_FURTHER + Plane::ThroneDue as usize + 1;

/// Writes every value of `planes`, `[planes, ranks, files]`, as seen by the side to decide.
pub(super) fn encode(game: &Wuji, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "planes of another shape");
    let position = game.position();
    let (own, enemy) = (position.side(), position.side().other());
    let zone = |side| position.options().zone(side);
    planes.fill(0.0);
    let mut mark = |plane: usize, set: Points| {
        let plane = &mut planes[plane * SQUARES..][..SQUARES];
        set.seen_by(own).iter().for_each(|point| plane[point.square()] = 1.0);
    };
    for kind in Kind::ALL {
        mark(kind.index(), position.of(own, kind));
        mark(KINDS + kind.index(), position.of(enemy, kind));
    }
    mark(FIRST_FURTHER + Plane::OwnZone as usize, zone(own));
    mark(FIRST_FURTHER + Plane::EnemyZone as usize, zone(enemy));
    mark(FIRST_FURTHER + Plane::OwnHalf as usize, HALVES[own.index()]);

    let mut fill = |plane: Plane, value: f32| {
        planes[(FIRST_FURTHER + plane as usize) * SQUARES..][..SQUARES].fill(value);
    };
    let flag = |is_set: bool| if is_set { 1.0 } else { 0.0 };
    fill(Plane::Board, 1.0);
    fill(Plane::Repetitions, f32::from(game.repetitions()) / 2.0);
    fill(Plane::QuietProgress, game.quiet_progress() as f32 / PROGRESS_STEPS as f32);
    fill(Plane::InCheck, flag(game.in_check()));
    fill(Plane::ThroneDue, flag(game.throne_is_due()));
}
