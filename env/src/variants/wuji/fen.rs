//! Position texts (RULES 3.5): `<board> <side> <quiet> <turn>`.

use super::options::{Options, Promotion};
use super::piece::{Kind, Piece, side_name};
use super::points::{FILES, Point, RANKS};
use super::position::Position;
use super::safety::Attackers;
use super::tables::GOAL;
use crate::Side;
use crate::fen;
use crate::notation::FenError;

/// The highest number of a round that is read: more than any game lasts.
const TURN_MAX: u16 = 60_000;

const FIELDS: [&str; 4] = ["board", "side", "quiet", "turn"];

/// The text of a position.
pub(super) fn write(position: &Position) -> String {
    let piece = |square| position.piece_at(Point::from_square(square)).map(Piece::text);
    let board = fen::board_text(FILES, RANKS, piece);
    let side = match position.side() {
        Side::Red => 'r',
        Side::Black => 'g',
    };
    format!("{board} {side} {} {}", position.quiet(), position.turn())
}

/// Reads the text of a position and checks that the rules allow it.
pub(super) fn read(options: Options, quiet_limit: u16, text: &str) -> Result<Position, FenError> {
    let [board, side, quiet, turn] = fen::fields(text, FIELDS, "<board> <side> <quiet> <turn>")?;
    let mut position = read_board(options, board)?;
    let side = read_side(side)?;
    let quiet = read_number("quiet", quiet, "moves", 0, quiet_limit)?;
    let turn = read_number("turn", turn, "a round", 1, TURN_MAX)?;
    position.set_state(side, quiet, u32::from(turn));
    check_generals(&position)?;
    Ok(position)
}

fn board_error<T>(problem: String) -> Result<T, FenError> {
    Err(FenError::new("board", problem))
}

fn read_board(options: Options, text: &str) -> Result<Position, FenError> {
    let mut position = Position::empty(options);
    let mut generals = [0; 2];
    for (square, text) in fen::read_board(text, FILES, RANKS)? {
        let point = Point::from_square(square);
        let piece = read_piece(options, text, point)?;
        if piece.kind == Kind::General {
            generals[piece.side.index()] += 1;
        }
        position.put(piece, point);
    }
    for (side, count) in Side::BOTH.into_iter().zip(generals) {
        if count != 1 {
            let letter = Piece { side, kind: Kind::General }.text();
            return board_error(format!("{count} generals `{letter}` of {}, expected 1", side_name(side)));
        }
    }
    Ok(position)
}

fn read_piece(options: Options, text: &str, point: Point) -> Result<Piece, FenError> {
    let rank = point.rank() + 1;
    let Some(piece) = Piece::from_text(text) else {
        let expected = if text.starts_with('+') {
            "expected `+` before `P` or `p` only".to_owned()
        } else {
            let letters: String =
                Kind::ALL.into_iter().filter(|&kind| kind != Kind::Promoted).map(Kind::letter).collect();
            format!("expected a letter of {letters} or {}, or a number of empty points", letters.to_lowercase())
        };
        return board_error(format!("`{text}` in rank {rank}, {expected}"));
    };
    if piece.kind == Kind::Promoted && options.promotion == Promotion::Minister {
        return board_error(format!("`{text}` in rank {rank}, but pawns become ministers here: expected `Q` or `q`"));
    }
    if piece.kind == Kind::Pawn && GOAL[piece.side.index()].contains(point) {
        return board_error(format!("a {} on {}, where it becomes another piece at once", piece.name(), point.text()));
    }
    Ok(piece)
}

fn read_side(text: &str) -> Result<Side, FenError> {
    match text {
        "r" => Ok(Side::Red),
        "g" => Ok(Side::Black),
        _ => Err(FenError::new("side", format!("`{text}`, expected `r` or `g`"))),
    }
}

fn read_number(field: &'static str, text: &str, what: &str, least: u16, most: u16) -> Result<u16, FenError> {
    let number = fen::read_number(text, most).filter(|&number| number >= least);
    number.ok_or_else(|| FenError::new(field, format!("`{text}`, expected a number of {what} from {least} to {most}")))
}

/// Each general in its zone, not face to face, and none that could be captured.
fn check_generals(position: &Position) -> Result<(), FenError> {
    for side in Side::BOTH {
        let general = position.general(side);
        if !position.options().zone(side).contains(general) {
            let (owner, zone) = (side_name(side), position.options().royal_zone.name());
            return board_error(format!("the general of {owner} on {}, expected it in its {zone}", general.text()));
        }
    }
    let (side, idle) = (position.side(), position.side().other());
    let (own, other) = (position.general(side), position.general(idle));
    let attacks = |attackers: &Attackers, standing| attackers.attack(other, position.occupied(), standing);
    let attackers = Attackers::of(position, side);
    if attacks(&attackers, super::Points::of(own)) {
        let [red, green] = Side::BOTH.map(|side| position.general(side).text());
        return board_error(format!("the generals on {red} and {green} face each other with nothing between them"));
    }
    if attacks(&attackers, position.of_side(side)) {
        let letter = if side == Side::Red { 'r' } else { 'g' };
        let (mover, loser) = (side_name(side), side_name(idle));
        return Err(FenError::new("side", format!("`{letter}`, but {mover} could capture the general of {loser}")));
    }
    Ok(())
}
