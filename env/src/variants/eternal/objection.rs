//! Why a step is not legal, for people who write one.

use super::board::{Board, square_text};
use super::piece::{Kind, Piece, side_name};
use super::position::{Phase, Position, Step};
use crate::Side;
use crate::bitboard::Squares;

/// What speaks against `step`; `None` exactly if it is legal.
pub(super) fn objection<B: Board>(position: &Position<B>, step: Step) -> Option<String> {
    if position.is_legal(step) {
        return None;
    }
    let why = another_step_is_due(position, step).unwrap_or_else(|| match step {
        Step::Place(kind, _) if position.hand(position.side(), kind) == 0 => {
            format!("{} has no {} left in hand", side_name(position.side()), kind.letter())
        }
        Step::Place(_, square) => match contains(B::palace(position.side()), square) {
            true => format!("{} lies in the palace, where nothing is placed", square_text::<B>(square)),
            false => landing_objection(position, position.side(), square),
        },
        Step::Return(square) => landing_objection(position, position.side().other(), square),
        Step::Drop(square) => {
            landing_objection(position, position.held().map_or(position.side(), |piece| piece.side), square)
        }
        Step::Move(from, to) => move_objection(position, from, to),
    });
    Some(why)
}

/// A step of another sort has to be made.
fn another_step_is_due<B: Board>(position: &Position<B>, step: Step) -> Option<String> {
    let due = match (position.phase(), position.intruder(), position.held()) {
        (Phase::Placement, ..) => format!("{} is to place a piece", side_name(position.side())),
        (Phase::Turn, Some(square), _) => {
            format!("the {} in the palace has to be returned first", describe(position, square))
        }
        (Phase::Turn, None, _) => format!("{} is to move", side_name(position.side())),
        (Phase::Drop, _, Some(held)) => format!("the captured {} has to be dropped", piece_name(held)),
        (Phase::Drop, _, None) => "the captured piece has to be dropped".to_owned(),
    };
    let fits = match step {
        Step::Place(..) => position.phase() == Phase::Placement,
        Step::Return(_) => position.return_is_due(),
        Step::Move(..) => position.phase() == Phase::Turn && !position.return_is_due(),
        Step::Drop(_) => position.phase() == Phase::Drop,
    };
    (!fits).then_some(due)
}

/// Why a piece of `owner` cannot be put on `square`.
fn landing_objection<B: Board>(position: &Position<B>, owner: Side, square: usize) -> String {
    let text = square_text::<B>(square);
    if !contains(position.empty_squares(), square) {
        format!("{text} is occupied")
    } else if !contains(B::home(owner), square) {
        format!("{text} is not on {}'s side", side_name(owner))
    } else {
        palace_is_full(owner)
    }
}

fn move_objection<B: Board>(position: &Position<B>, from: usize, to: usize) -> String {
    let side = position.side();
    let (start, end) = (square_text::<B>(from), square_text::<B>(to));
    let Some(piece) = position.piece_at(from) else {
        return if position.is_stone(from) {
            format!("a stone lies on {start}, and stones do not move")
        } else {
            format!("{start} is empty")
        };
    };
    if piece.side != side {
        return format!("the {} is not {}'s", describe(position, from), side_name(side));
    }
    if from == to {
        return format!("the {} has to move to another square", describe(position, from));
    }
    if !contains(position.empty_squares(), to) && contains(B::sanctuary(), to) {
        return format!("the {} stands in a palace and cannot be captured", describe(position, to));
    }
    if contains(position.reach(from), to) {
        return palace_is_full(side);
    }
    let models = [Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Bishop]
        .into_iter()
        .fold(0, |models, kind| models | position.of_kind(kind));
    if piece.kind == Kind::Mimic && B::TABLES.neighbours[from] & models == 0 {
        return format!("the {} cannot move with no R, N, C or B beside it", describe(position, from));
    }
    format!("the {} cannot go to {end}", describe(position, from))
}

fn palace_is_full(owner: Side) -> String {
    format!("{0}'s palace would hold two pieces of {0}", side_name(owner))
}

fn describe<B: Board>(position: &Position<B>, square: usize) -> String {
    let text = square_text::<B>(square);
    match position.piece_at(square) {
        Some(piece) => format!("{} on {text}", piece_name(piece)),
        None => format!("stone on {text}"),
    }
}

fn piece_name(piece: Piece) -> String {
    format!("{} {}", side_name(piece.side), piece.kind.letter())
}

const fn contains(squares: Squares, square: usize) -> bool {
    squares >> square & 1 != 0
}
