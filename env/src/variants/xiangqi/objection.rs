//! Why a move is not legal, for people who write one.

use super::board::{FILES, HALVES, TABLES, square_text};
use super::piece::{Kind, side_name};
use super::position::{Move, Position};

/// What speaks against a move; `None` exactly if it is legal.
pub(super) fn objection(position: &Position, played: Move) -> Option<String> {
    if position.is_legal(played) {
        return None;
    }
    let Move { from, to } = played;
    let (start, end) = (square_text(from), square_text(to));
    let side = position.side();
    let Some(piece) = position.piece_at(from) else { return Some(format!("{start} is empty")) };
    let name = piece.kind.name();
    let problem = if piece.side != side {
        format!("the {name} on {start} is {}'s, and {} is to move", side_name(piece.side), side_name(side))
    } else if from == to {
        "a move ends elsewhere than it starts".to_owned()
    } else if position.of_side(side) >> to & 1 != 0 {
        format!("{} has a piece of its own on {end}", side_name(side))
    } else if position.targets(from) >> to & 1 == 0 {
        let manner = manner(position, piece.kind, played);
        format!("the {name} cannot go from {start} to {end}: {manner}")
    } else {
        unsafe_general(position, played)
    };
    Some(problem)
}

/// How a piece moves, and what is in its way.
fn manner(position: &Position, kind: Kind, Move { from, to }: Move) -> String {
    let side = position.side();
    let hops = match kind {
        Kind::Horse => TABLES.horse[from],
        _ => TABLES.elephant[from],
    };
    let blocked = hops.iter().find(|hop| hop.targets >> to & 1 != 0);
    match (kind, blocked) {
        (Kind::Horse, Some(hop)) => {
            format!("the piece on {} stands in its way", square_text(hop.through.trailing_zeros() as usize))
        }
        (Kind::Elephant, Some(hop)) => {
            format!("the piece on {} blocks its eye", square_text(hop.through.trailing_zeros() as usize))
        }
        (Kind::General, _) => "it goes one step along a line, inside its palace".to_owned(),
        (Kind::Advisor, _) => "it goes one step diagonally, inside its palace".to_owned(),
        (Kind::Elephant, _) => "it goes exactly two steps diagonally, on its own side".to_owned(),
        (Kind::Horse, _) => "it goes one step along a line, then one diagonally outward".to_owned(),
        (Kind::Chariot, _) => "it goes along a line over empty points".to_owned(),
        (Kind::Cannon, _) if position.of_side(side.other()) >> to & 1 != 0 => {
            "it captures along a line over exactly one piece".to_owned()
        }
        (Kind::Cannon, _) => "without a capture it goes along a line over empty points".to_owned(),
        (Kind::Soldier, _) if HALVES[side.index()] >> from & 1 != 0 => {
            "it goes one step forward until it has crossed the river".to_owned()
        }
        (Kind::Soldier, _) => "it goes one step forward or sideways".to_owned(),
    }
}

fn unsafe_general(position: &Position, played: Move) -> String {
    let side = position.side();
    let mut after = *position;
    after.play_unchecked(played);
    let (own, other) = (after.general(side), after.general(side.other()));
    let sees = after.attacks(Kind::Chariot, side, own, after.occupancy()) >> other & 1 != 0;
    if own % FILES == other % FILES && sees {
        return "the generals would face each other".to_owned();
    }
    match position.in_check() {
        true => format!("{}'s general would still be attacked", side_name(side)),
        false => format!("{}'s general would be attacked", side_name(side)),
    }
}
