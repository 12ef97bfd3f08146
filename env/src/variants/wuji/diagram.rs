//! The board as something to draw.

use super::Wuji;
use super::piece::{Kind, Piece, side_name};
use super::points::{FILES, HALF, Point, RANKS, SQUARES};
use super::tables::PALACE;
use crate::diagram::{Diagram, Glyph, Occupant, Square, Style};
use crate::{Game, Side};

/// The drawable form of a game's position.
pub(super) fn diagram(game: &Wuji) -> Diagram {
    let palaces = PALACE[0] | PALACE[1];
    let squares = (0..SQUARES).map(Point::from_square).map(|point| Square {
        occupant: game.position().piece_at(point).map_or(Occupant::Empty, |piece| Occupant::Piece(glyph(piece))),
        palace: palaces.contains(point),
        river: false,
    });
    Diagram {
        files: FILES,
        ranks: RANKS,
        style: Style::Points { river_after: HALF, river_names: [""; 2] },
        squares: squares.collect(),
        hand: Vec::new(),
        holder: None,
        caption: caption(game),
    }
}

/// The character on a piece (RULES 3.2). The sources have none for a promoted pawn: 全, "all", says how it moves.
const fn character(piece: Piece) -> char {
    match (piece.kind, piece.side) {
        (Kind::General, Side::Red) => '聖',
        (Kind::General, Side::Black) => '哲',
        (Kind::Guard, _) => '仕',
        (Kind::Minister, _) => '卿',
        (Kind::Rook, _) => '車',
        (Kind::Knight, _) => '馬',
        (Kind::Camel, _) => '蚩',
        (Kind::Cannon, _) => '炮',
        (Kind::Bishop, _) => '象',
        (Kind::Blocker, _) => '艾',
        (Kind::Bomb, _) => '震',
        (Kind::Pawn, Side::Red) => '兵',
        (Kind::Pawn, Side::Black) => '卒',
        (Kind::Promoted, _) => '全',
    }
}

const fn glyph(piece: Piece) -> Glyph {
    Glyph {
        side: piece.side,
        letter: piece.kind.letter(),
        character: character(piece),
        promoted: matches!(piece.kind, Kind::Promoted),
    }
}

fn caption(game: &Wuji) -> String {
    let position = game.position();
    let (side, turn, quiet) = (side_name(position.side()), position.turn(), position.quiet());
    let due = match (game.outcome(), game.throne_is_due(), game.in_check()) {
        (Some(outcome), ..) => match outcome.winner {
            Some(winner) => format!("{} has won", side_name(winner)),
            None => "a draw".to_owned(),
        },
        (None, true, _) => format!("{side} is checkmated and takes the throne"),
        (None, false, true) => format!("{side} moves, in check"),
        (None, false, false) => format!("{side} moves"),
    };
    format!("turn {turn}, {due}, quiet for {quiet} of {}", game.rules().quiet_limit)
}
