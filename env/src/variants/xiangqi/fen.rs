//! Position texts as the common engines write them (RULES 2): `<board> <side> - - <quiet> <round>`.

use super::board::{FILES, RANKS, realm, square_text};
use super::piece::{Kind, Piece, side_name};
use super::position::Position;
use super::setup::Rules;
use crate::Side;
use crate::bitboard::squares_of;
use crate::fen;
use crate::notation::FenError;

/// The highest number of a round that is read: far more than any game has, and far from overflow.
const ROUND_MAX: u16 = 20_000;

const FIELDS: [&str; 6] = ["board", "side", "third", "fourth", "quiet", "round"];

/// The text of a position.
pub(super) fn write(position: &Position) -> String {
    let board = fen::board_text(FILES, RANKS, |square| position.piece_at(square).map(Piece::letter));
    let side = side_letter(position.side());
    format!("{board} {side} - - {} {}", position.quiet(), position.round())
}

/// Reads the text of a position and checks that the rules allow it.
pub(super) fn read(rules: &Rules, text: &str) -> Result<Position, FenError> {
    let [board, side, third, fourth, quiet, round] = fen::fields(text, FIELDS, "<board> <side> - - <quiet> <round>")?;
    let mut position = read_board(board)?;
    let side = read_side(side)?;
    for (field, text) in [("third", third), ("fourth", fourth)] {
        if text != "-" {
            return Err(FenError::new(field, format!("`{text}`, expected `-`, as Xiangqi has no use for it")));
        }
    }
    let most = rules.quiet_limit;
    let quiet = fen::read_number(quiet, most).ok_or_else(|| {
        FenError::new("quiet", format!("`{quiet}`, expected the moves since the last capture, from 0 to {most}"))
    })?;
    let round = fen::read_number(round, ROUND_MAX)
        .filter(|&round| round > 0)
        .ok_or_else(|| FenError::new("round", format!("`{round}`, expected a number from 1 to {ROUND_MAX}")))?;
    position.set_state(side, quiet, round);
    check_generals(&position)?;
    Ok(position.with_safety())
}

const fn side_letter(side: Side) -> char {
    match side {
        Side::Red => 'w',
        Side::Black => 'b',
    }
}

fn read_side(text: &str) -> Result<Side, FenError> {
    match text {
        "w" | "r" => Ok(Side::Red),
        "b" => Ok(Side::Black),
        _ => Err(FenError::new("side", format!("`{text}`, expected `w` (red) or `b`"))),
    }
}

fn read_board(text: &str) -> Result<Position, FenError> {
    let mut position = Position::empty();
    for (square, text) in fen::read_board(text, FILES, RANKS)? {
        let Some(piece) = text.parse().ok().and_then(Piece::from_letter) else {
            let expected = "expected a letter of KABNRCP or kabnrcp, or a digit";
            let problem = format!("`{text}` in rank {}, {expected}", square / FILES + 1);
            return Err(FenError::new("board", problem));
        };
        position.toggle(piece, square);
    }
    check_pieces(&position)?;
    Ok(position)
}

/// Each side has its general and at most its pieces, each on a point that it can reach.
fn check_pieces(position: &Position) -> Result<(), FenError> {
    for side in Side::BOTH {
        for kind in Kind::ALL {
            let squares = position.of(side, kind);
            let (found, most) = (squares.count_ones() as usize, kind.count());
            let (owner, name, letter) = (side_name(side), kind.name(), Piece { side, kind }.letter());
            if kind == Kind::General && found == 0 {
                return Err(FenError::new("board", format!("{owner} has no general, expected one `{letter}`")));
            }
            if found > most {
                let problem = format!("{owner} has {found} pieces `{letter}` ({name}), expected at most {most}");
                return Err(FenError::new("board", problem));
            }
            if let Some(square) = squares_of(squares & !realm(kind, side)).next() {
                let area = match kind {
                    Kind::General | Kind::Advisor => "its palace",
                    Kind::Elephant => "its own half",
                    _ => "its starting rank or further on",
                };
                let square = square_text(square);
                let problem = format!("{owner}'s {name} `{letter}` on {square}, where it cannot be: expected {area}");
                return Err(FenError::new("board", problem));
            }
        }
    }
    Ok(())
}

/// The side that has just moved has left its general safe.
fn check_generals(position: &Position) -> Result<(), FenError> {
    let moved = position.side().other();
    if !position.is_in_check(moved) {
        return Ok(());
    }
    let (red, black) = (position.general(Side::Red), position.general(Side::Black));
    let between = position.occupied() & ((1 << red.max(black)) - 1) & !((1 << (red.min(black) + 1)) - 1);
    let is_facing = red % FILES == black % FILES && squares_of(between).all(|square| square % FILES != red % FILES);
    if is_facing {
        let (red, black) = (square_text(red), square_text(black));
        return Err(FenError::new("board", format!("the generals on {red} and {black} face each other")));
    }
    let (found, moved_name) = (side_letter(position.side()), side_name(moved));
    let square = square_text(position.general(moved));
    Err(FenError::new("side", format!("`{found}`, but it could capture {moved_name}'s general on {square}")))
}

/// The text of the start.
pub(super) const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_read_in_both_spellings_and_written_in_one() {
        let rules = Rules::default();
        assert_eq!(read(&rules, START).map(|position| write(&position)).as_deref(), Ok(START));
        let english = "rhbakabhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEAKAENR r - - 0 1";
        assert_eq!(read(&rules, english).map(|position| write(&position)).as_deref(), Ok(START));
    }
}
