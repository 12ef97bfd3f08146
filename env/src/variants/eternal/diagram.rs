//! The board as something to draw.

use super::board::{Board, square_text};
use super::piece::{Kind, Piece, side_name};
use super::position::{Phase, Position};
use crate::Side;
use crate::diagram::{Diagram, Glyph, Occupant, Square, Style};

/// The drawable form of a position.
pub(super) fn diagram<B: Board>(position: &Position<B>) -> Diagram {
    let squares = (0..B::SQUARES).map(|square| Square {
        occupant: occupant(position, square),
        palace: B::sanctuary() >> square & 1 != 0,
        river: B::TABLES.river >> square & 1 != 0,
    });
    let mut hand = Vec::new();
    for side in Side::BOTH {
        for &kind in B::kinds() {
            (0..position.hand(side, kind)).for_each(|_| hand.push(glyph(Piece { side, kind })));
        }
    }
    Diagram {
        files: B::FILES,
        ranks: B::RANKS,
        style: Style::Squares,
        squares: squares.collect(),
        hand,
        holder: position.held().map(|_| position.side()),
        caption: caption(position),
    }
}

/// The character on a piece (RULES 1.2).
const fn character(piece: Piece) -> char {
    match (piece.kind, piece.side) {
        (Kind::Rook, _) => '车',
        (Kind::Knight, _) => '马',
        (Kind::Cannon, _) => '包',
        (Kind::Bishop, _) => '象',
        (Kind::Mimic, _) => '士',
        (Kind::Pawn, Side::Red) => '兵',
        (Kind::Pawn, Side::Black) => '卒',
    }
}

const fn glyph(piece: Piece) -> Glyph {
    Glyph { side: piece.side, letter: piece.kind.letter(), character: character(piece), promoted: false }
}

fn occupant<B: Board>(position: &Position<B>, square: usize) -> Occupant {
    match position.piece_at(square) {
        Some(piece) => Occupant::Piece(glyph(piece)),
        None if position.is_stone(square) => Occupant::Stone,
        None => Occupant::Empty,
    }
}

fn caption<B: Board>(position: &Position<B>) -> String {
    let (side, turn, [red, black]) = (side_name(position.side()), position.turn(), position.score());
    let points = format!("score {red}-{black} of {}", B::POINTS_TO_WIN);
    if let Some(winner) = position.points_winner() {
        return format!("{points}, {} has won", side_name(winner));
    }
    let due = match (position.phase(), position.intruder(), position.held()) {
        (Phase::Placement, ..) => {
            return format!("placement turn {turn}, {side} places {} more", position.placements_left());
        }
        (Phase::Turn, Some(square), _) => format!("returns the piece on {}", square_text::<B>(square)),
        (Phase::Drop, _, Some(held)) => format!("drops the captured {}", held.letter()),
        _ => "moves".to_owned(),
    };
    format!("turn {turn}, {points}, {side} {due}")
}
