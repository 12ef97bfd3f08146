//! Why a step is not legal, for people who write one.

use super::Wuji;
use super::moves::Mover;
use super::options::RoyalZone;
use super::piece::{Kind, Piece, side_name};
use super::points::{Point, Points};
use super::position::{Position, Step};
use super::safety::{Attackers, Safety};
use super::tables::HALVES;

/// What speaks against `step` in a game that is not over; `None` exactly if it is legal.
pub(super) fn objection(game: &Wuji, step: Step) -> Option<String> {
    let position = game.position();
    match step {
        Step::Move(..) if game.throne_is_due() => {
            let (side, ability) = (side_name(position.side()), able_name(position));
            Some(format!("{side} is checkmated and has to give up a {ability} for the throne, as in `d5@d5`"))
        }
        Step::Move(from, to) => move_objection(position, from, to),
        Step::Throne(..) if !position.options().able_throne => {
            Some("giving up a piece for the throne is no rule of this variant".to_owned())
        }
        Step::Throne(..) if !game.throne_is_due() => {
            Some(format!("only a checkmated player takes the throne, and {} has a move", side_name(position.side())))
        }
        Step::Throne(given, place) => throne_objection(position, given, place),
    }
}

fn move_objection(position: &Position, from: Point, to: Point) -> Option<String> {
    let side = position.side();
    let Some(piece) = position.piece_at(from) else { return Some(format!("{} is empty", from.text())) };
    if piece.side != side {
        return Some(format!("the {} is not {}'s", describe(piece, from), side_name(side)));
    }
    if from == to {
        return Some(format!("the {} has to move to another point", describe(piece, from)));
    }
    let (mover, safety) = (Mover::new(position, side), Safety::of(position));
    if !mover.reach(piece.kind, from).ends.contains(to) {
        return Some(reach_objection(position, piece, from, to));
    }
    if mover.legal_ends(piece.kind, from, &safety).contains(to) {
        return None;
    }
    Some(danger(position, &safety, from, to))
}

/// Why the piece, which belongs to the side to decide, cannot go to `to` by its way of moving.
fn reach_objection(position: &Position, piece: Piece, from: Point, to: Point) -> String {
    let name = describe(piece, from);
    let Some(target) = position.piece_at(to) else {
        return match piece.kind {
            Kind::General | Kind::Guard if !position.options().zone(piece.side).contains(to) => {
                format!("the {name} may not go to {}, outside its {}", to.text(), position.options().royal_zone.name())
            }
            _ => format!("the {name} cannot go to {}", to.text()),
        };
    };
    let target_name = describe(target, to);
    match (piece.kind, target.kind) {
        _ if target.side == piece.side => format!("the {target_name} is {}'s own", side_name(piece.side)),
        (Kind::General, Kind::Bomb | Kind::Blocker) => {
            format!("a general never captures a bomb or a blocker, and the {target_name} is one")
        }
        (kind, Kind::Blocker) if kind != Kind::Bomb => {
            format!("the {target_name} is a blocker, which nothing but a bomb captures")
        }
        (Kind::Blocker, kind) if kind != Kind::Bomb && !HALVES[piece.side.index()].contains(from) => {
            format!("the {name} is a blocker, which captures nothing but bombs when it is not on its own half")
        }
        (Kind::Blocker, kind) if kind != Kind::Bomb => {
            format!(
                "the {name} is a blocker, which captures other pieces than bombs only backward: not the {target_name}"
            )
        }
        _ => format!("the {name} cannot capture the {target_name}"),
    }
}

/// How the general would be left.
fn danger(position: &Position, safety: &Safety, from: Point, to: Point) -> String {
    let side = side_name(position.side());
    if safety.in_check() {
        format!("the general of {side} would be attacked: {side} is in check")
    } else if from == position.general(position.side()) {
        format!("the general of {side} would be attacked on {}, or face the other", to.text())
    } else {
        format!("the general of {side} would be attacked, or face the other")
    }
}

fn throne_objection(position: &Position, given: Point, place: Point) -> Option<String> {
    let (side, ability) = (position.side(), able_name(position));
    if !position.able().contains(given) {
        return Some(format!(
            "{} has to give up a {ability} for the throne, and none is on {}",
            side_name(side),
            given.text()
        ));
    }
    let zone = match position.options().royal_zone {
        RoyalZone::Palace => "palace",
        RoyalZone::Half => "half",
    };
    let places = position.thrones(given);
    if !places.contains(place) && places == Points::of(given) {
        return Some(format!(
            "the {ability} on {0} is in the own {zone}: the general takes its point, {0}@{0}",
            given.text()
        ));
    }
    if !places.contains(place) {
        return Some(format!("{} is no empty point of the own {zone}", place.text()));
    }
    let attackers = Attackers::of(position, side.other());
    let is_safe = position.safe_thrones(given, &attackers).contains(place);
    (!is_safe).then(|| format!("the general would be attacked on {}, or face the other", place.text()))
}

/// What the side to decide would have to give up.
fn able_name(position: &Position) -> &'static str {
    if position.of(position.side(), Kind::Minister).is_empty() { "rook" } else { "minister" }
}

fn describe(piece: Piece, point: Point) -> String {
    format!("{} on {}", piece.name(), point.text())
}
