//! The planes that a network sees: own side at the bottom, own pieces first (`[planes, ranks, files]`).

use super::Wuji;
use super::options::RoyalZone;
use super::piece::KINDS;
use super::points::{Point, Points, SQUARES};
use super::tables::{HALVES, PALACE};
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

/// The areas of either side as planes. Red's are also how green sees its own.
static PALACE_PLANES: [[f32; SQUARES]; 2] = [plane(PALACE[0]), plane(PALACE[1])];
static HALF_PLANES: [[f32; SQUARES]; 2] = [plane(HALVES[0]), plane(HALVES[1])];

const fn plane(area: Points) -> [f32; SQUARES] {
    let mut plane = [0.0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        if area.contains(Point::from_square(square)) {
            plane[square] = 1.0;
        }
        square += 1;
    }
    plane
}

/// Writes every value of `planes`, `[planes, ranks, files]`, as seen by the side to decide.
pub(super) fn encode(game: &Wuji, planes: &mut [f32]) {
    assert_eq!(planes.len(), PLANES * SQUARES, "planes of another shape");
    let position = game.position();
    let (own, enemy) = (position.side(), position.side().other());
    let (by_points, uniform) = planes.split_at_mut(FIRST_UNIFORM * SQUARES);
    by_points.fill(0.0);
    for (first, side) in [(0, own), (KINDS, enemy)] {
        position.of_side(side).iter().for_each(|point| {
            let kind = position.piece_at(point).map_or(0, |piece| piece.kind.index());
            by_points[(first + kind) * SQUARES + point.seen_by(own).square()] = 1.0;
        });
    }
    let [own_zone, enemy_zone] = match position.options().royal_zone {
        RoyalZone::Palace => &PALACE_PLANES,
        RoyalZone::Half => &HALF_PLANES,
    };
    let areas = [(Plane::OwnZone, own_zone), (Plane::EnemyZone, enemy_zone), (Plane::OwnHalf, &HALF_PLANES[0])];
    for (plane, area) in areas {
        by_points[plane as usize * SQUARES..][..SQUARES].copy_from_slice(area);
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
