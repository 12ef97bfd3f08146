//! The board as something to draw.

use super::board::{FILES, PALACES, RANKS, RANKS_A_SIDE, SQUARES};
use super::piece::{Piece, side_name};
use super::position::Position;
use crate::diagram::{Diagram, Glyph, Occupant, Square, Style};

/// What boards bear in the river: the border between Chu and Han.
const RIVER_NAMES: [&str; 2] = ["楚河", "汉界"];

/// The drawable form of a position.
pub(super) fn diagram(position: &Position) -> Diagram {
    let squares = (0..SQUARES).map(|square| Square {
        occupant: position.piece_at(square).map_or(Occupant::Empty, |piece| Occupant::Piece(glyph(piece))),
        palace: (PALACES[0] | PALACES[1]) >> square & 1 != 0,
        river: false,
    });
    Diagram {
        files: FILES,
        ranks: RANKS,
        style: Style::Points { river_after: RANKS_A_SIDE, river_names: RIVER_NAMES },
        squares: squares.collect(),
        hand: Vec::new(),
        holder: None,
        caption: caption(position),
    }
}

const fn glyph(piece: Piece) -> Glyph {
    Glyph { side: piece.side, letter: piece.kind.letter(), character: piece.character(), promoted: false }
}

fn caption(position: &Position) -> String {
    let side = position.side();
    let check = if position.in_check() { ", in check" } else { "" };
    let quiet = match position.quiet() {
        0 => String::new(),
        1 => ", 1 move since the last capture".to_owned(),
        quiet => format!(", {quiet} moves since the last capture"),
    };
    format!("round {}, {} to move{check}{quiet}", position.round(), side_name(side))
}
