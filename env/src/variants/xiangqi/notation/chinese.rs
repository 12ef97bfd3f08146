//! Four Chinese characters: `炮二平五`, `马8进7`, `前车退一`.
//!
//! - Red counts in Chinese, black in digits (《象棋竞赛规则》2020, 1.1). Black's digits are written in half width; in
//!   reading, either side may count in any of the three ways, as files mix them.
//! - Of pieces that share a file, two are 前 and 后 and three are 前, 中 and 后, before the name and instead of the file
//!   (ibid. 7.5). Advisors and elephants keep the file, as 进 and 退 tell them apart (《中国象棋电脑应用规范（二）》,
//!   xqbase.com/protocol/cchess_move.htm); where they do not, which no game leads to, they are 前 and 后.
//! - Four or five soldiers on a file are 一 to 五 from the front, in Chinese for black too (xqbase). Read as well: digits,
//!   numbers for two or three, and 前 and 后 for the first and last (Chinese Wikipedia, 象棋).
//! - Soldiers that share two files: 前, 中 or 后 and the file, without the name, `前四平五` (Chinese Wikipedia; the library
//!   python-chinese-chess and the DhtmlXQ boards do the same). Read as well: with the name, `前兵四平五`, and xqbase's
//!   numbers through both files, `三兵平五`, the file on the right first and each from the front.
//! - Read as well: the word behind the name, `车前平三`, an older habit that the page of WXF on its notation shows.

use super::Form;
use super::origin::{Order, Origin, Standing};
use super::resolve::resolve;
use super::step::{Direction, Step};
use crate::Side;
use crate::notation::NotationError;
use crate::variants::xiangqi::piece::{Kind, Piece};
use crate::variants::xiangqi::position::{Move, Position};

/// Every character for each kind: simplified, traditional and what stands on either side's pieces.
const NAMES: [(Kind, &str); 7] = [
    (Kind::General, "帅帥将將"),
    (Kind::Advisor, "仕士"),
    (Kind::Elephant, "相象"),
    (Kind::Horse, "马馬傌"),
    (Kind::Chariot, "车車俥"),
    (Kind::Cannon, "炮砲包"),
    (Kind::Soldier, "兵卒"),
];

/// What traditional writing puts on the pieces, by side and kind. 俥 and 傌 are read but not written: they are found on
/// red pieces, while printed games have 車 and 馬 for both sides.
const TRADITIONAL: [[char; 7]; 2] =
    [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '砲', '卒']];

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

const EXPECTED: &str = "a move like `炮二平五`, `马8进7` or `前车退一`: a piece and its file, or 前, 中, 后 or a number and \
                        a piece that shares its file, then 进, 退 or 平 and a number from 1 to 9";

/// Writes a legal move in simplified or traditional characters.
pub(super) fn write(position: &Position, played: Move, form: Form) -> String {
    let (standing, step) = Standing::of(position, played);
    let (side, is_simplified) = (position.side(), form == Form::Simplified);
    let piece = Piece { side, kind: standing.kind };
    let name = if is_simplified { piece.character() } else { TRADITIONAL[side.index()][standing.kind.index()] };
    let file = numeral(standing.file, side);
    let origin = match standing {
        Standing { count: 1, .. } => [name, file],
        Standing { has_rivals: true, .. } => [order_word(standing, is_simplified), file],
        Standing { count: 2..=3, .. } => [order_word(standing, is_simplified), name],
        _ => [NUMERALS[standing.place], name],
    };
    let way = match (step.direction, is_simplified) {
        (Direction::Forward, true) => '进',
        (Direction::Forward, false) => '進',
        (Direction::Back, _) => '退',
        (Direction::Level, _) => '平',
    };
    [origin[0], origin[1], way, numeral(step.number, side)].into_iter().collect()
}

/// The place of one of two or three.
const fn order_word(standing: Standing, is_simplified: bool) -> char {
    if standing.place == 0 {
        '前'
    } else if standing.place + 1 < standing.count {
        '中'
    } else if is_simplified {
        '后'
    } else {
        '後'
    }
}

/// A number from 1 to 9 as `side` writes it.
fn numeral(number: usize, side: Side) -> char {
    match side {
        Side::Red => NUMERALS[number - 1],
        Side::Black => char::from(b'0' + number as u8),
    }
}

/// Reads a move in any characters; errors are in those of `form`.
pub(super) fn read(position: &Position, text: &str, form: Form) -> Result<Move, NotationError> {
    let malformed = || NotationError::Malformed { text: text.to_owned(), expected: EXPECTED.to_owned() };
    let description = describe(text).ok_or_else(malformed)?;
    resolve(position, text, form, description, |number| numeral(number, position.side()))
}

/// What a text says, in the order in which it says it.
fn describe(text: &str) -> Option<(Origin, Step)> {
    let characters: Vec<char> = text.chars().take(6).collect();
    let (first, [way, number]) = characters.split_last_chunk()?;
    let step = Step { direction: read_direction(*way)?, number: read_number(*number)? };
    Some((read_origin(first)?, step))
}

fn read_origin(characters: &[char]) -> Option<Origin> {
    let (kind, file, order) = match *characters {
        [first, second] => match (read_name(first), read_name(second)) {
            (Some(kind), None) => match read_number(second) {
                Some(file) => (kind, Some(file), Order::Any),
                None => (kind, None, read_word(second)?),
            },
            (None, Some(kind)) => (kind, None, read_order(first)?),
            (None, None) => (Kind::Soldier, Some(read_number(second)?), read_order(first)?),
            (Some(_), Some(_)) => return None,
        },
        [order, name, file] => (read_name(name)?, Some(read_number(file)?), read_order(order)?),
        _ => return None,
    };
    Some(Origin { kind, file, order })
}

fn read_name(character: char) -> Option<Kind> {
    NAMES.into_iter().find(|(_, names)| names.contains(character)).map(|(kind, _)| kind)
}

fn read_order(character: char) -> Option<Order> {
    let number = || read_number(character).filter(|&number| number <= Kind::Soldier.count());
    read_word(character).or_else(|| Some(Order::Nth(number()? - 1)))
}

const fn read_word(character: char) -> Option<Order> {
    match character {
        '前' => Some(Order::Front),
        '中' => Some(Order::Middle),
        '后' | '後' => Some(Order::Rear),
        _ => None,
    }
}

const fn read_direction(character: char) -> Option<Direction> {
    match character {
        '进' | '進' => Some(Direction::Forward),
        '退' => Some(Direction::Back),
        '平' => Some(Direction::Level),
        _ => None,
    }
}

/// A number from 1 to 9 in Chinese or in digits of half or full width.
fn read_number(character: char) -> Option<usize> {
    match character {
        '1'..='9' => Some(character as usize - '0' as usize),
        '１'..='９' => Some(character as usize - '０' as usize),
        _ => NUMERALS.iter().position(|&numeral| numeral == character).map(|index| index + 1),
    }
}
