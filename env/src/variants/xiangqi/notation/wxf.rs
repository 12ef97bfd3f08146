//! The letters of the World Xiangqi Federation: `C2=5`, `H8+7`, `R+-1`.
//!
//! What is written follows the page of WXF on its notation (wxf.org/xq/computer/wxf_notation.html), with `=` for its `.`,
//! as most programs have it; upper case for both sides.
//!
//! - Of two pieces that share a file, `+` behind the letter is the front one and `-` the rear one; of three, the middle one
//!   is named by its file. Advisors and elephants keep the file as long as it tells them apart, as in the Chinese form.
//! - Five soldiers on a file are `++`, `P+`, `P3` (the file), `P-` and `--` from the front; four are the same but `P3`.
//! - Soldiers that share two files go without the letter: `3+`, `33` and `3-` for those on file 3.
//!
//! Read as well:
//!
//! - `.` for `=`, small letters, `N` and `B` as position texts have them, and `S`, the soldier of the English Wikipedia;
//! - the sign before the letter, `+R=4`; and `P==4` or `P.=4` for the middle one;
//! - a soldier's number from the front and its file, `14+1`, which is what Fairy-Stockfish writes for three or more on a
//!   file and for two shared files. Two equal digits are WXF's middle soldier wherever WXF would write them;
//! - `Pa` to `Pe` as xqbase.com/protocol/cchess_move.htm has them: the letters stand for 一 to 五 of the Chinese form.

use super::Form;
use super::origin::{Order, Origin, Standing, shared_columns};
use super::resolve::resolve;
use super::step::{Direction, Step, file_number};
use crate::notation::NotationError;
use crate::variants::xiangqi::piece::Kind;
use crate::variants::xiangqi::position::{Move, Position};

const LETTERS: [char; 7] = ['K', 'A', 'E', 'H', 'R', 'C', 'P'];

const EXPECTED: &str = "a move like `C2=5`, `H8+7` or `R+-1`: a piece of KAEHRCP and its file, or + or - where it shares \
                        its file, then +, - or = and a number from 1 to 9";

/// Writes a legal move.
pub(super) fn write(position: &Position, played: Move) -> String {
    let (standing, step) = Standing::of(position, played);
    let (letter, file) = (LETTERS[standing.kind.index()], digit(standing.file));
    let [first, second] = match standing {
        Standing { count: 1, .. } => [letter, file],
        Standing { count, place, has_rivals, .. } => match (has_rivals, place, count - 1 - place) {
            (true, 0, _) => [file, '+'],
            (true, _, 0) => [file, '-'],
            (true, _, _) => [file, file],
            (false, 0, _) if count >= 4 => ['+', '+'],
            (false, _, 0) if count >= 4 => ['-', '-'],
            (false, before, behind) if before < behind => [letter, '+'],
            (false, before, behind) if before > behind => [letter, '-'],
            (false, _, _) => [letter, file],
        },
    };
    let way = match step.direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Level => '=',
    };
    [first, second, way, digit(step.number)].into_iter().collect()
}

fn digit(number: usize) -> char {
    char::from(b'0' + number as u8)
}

/// Reads a move.
pub(super) fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let malformed = || NotationError::Malformed { text: text.to_owned(), expected: EXPECTED.to_owned() };
    let description = describe(position, text).ok_or_else(malformed)?;
    resolve(position, text, Form::Wxf, description, digit)
}

fn describe(position: &Position, text: &str) -> Option<(Origin, Step)> {
    let &[first, second, way, number] = text.as_bytes() else { return None };
    let direction = match way {
        b'+' => Direction::Forward,
        b'-' => Direction::Back,
        b'=' | b'.' => Direction::Level,
        _ => return None,
    };
    let origin = match read_digit(first) {
        Some(file) => soldier_by_file(position, file, second)?,
        None => by_letter(first, second)?,
    };
    Some((origin, Step { direction, number: read_digit(number)? }))
}

/// `C2`, `C+`, `+C`, `++` or `Pa`.
fn by_letter(first: u8, second: u8) -> Option<Origin> {
    let (kind, file, order) = match (first, second) {
        (b'+', b'+') => (Kind::Soldier, None, Order::DoublePlus),
        (b'-', b'-') => (Kind::Soldier, None, Order::DoubleMinus),
        (b'P' | b'p', b'a'..=b'e') => (Kind::Soldier, None, Order::Nth(usize::from(second - b'a'))),
        _ => match (read_sign(first), read_sign(second)) {
            (Some(order), _) => (read_kind(second)?, None, order),
            (None, Some(order)) => (read_kind(first)?, None, order),
            (None, None) => (read_kind(first)?, Some(read_digit(second)?), Order::Unsigned),
        },
    };
    Some(Origin { kind, file, order })
}

/// `3+`, `33`, or a number before the file.
fn soldier_by_file(position: &Position, first: usize, second: u8) -> Option<Origin> {
    let (file, order) = match (read_sign(second), read_digit(second)) {
        (Some(order), _) => (first, order),
        (None, Some(file)) if file == first && has_middle_and_rivals(position, file) => (file, Order::Middle),
        (None, Some(file)) if first <= Kind::Soldier.count() => (file, Order::Nth(first - 1)),
        _ => return None,
    };
    Some(Origin { kind: Kind::Soldier, file: Some(file), order })
}

/// Whether WXF writes the file twice for one of the soldiers on it.
fn has_middle_and_rivals(position: &Position, file: usize) -> bool {
    let shared = shared_columns(position, Kind::Soldier);
    let is_here = |column: &&Vec<usize>| column.len() == 3 && file_number(column[0], position.side()) == file;
    shared.len() > 1 && shared.iter().any(|column| is_here(&column))
}

const fn read_sign(byte: u8) -> Option<Order> {
    match byte {
        b'+' => Some(Order::Plus),
        b'-' => Some(Order::Minus),
        b'=' | b'.' => Some(Order::Middle),
        _ => None,
    }
}

fn read_kind(byte: u8) -> Option<Kind> {
    match char::from(byte.to_ascii_uppercase()) {
        'S' => Some(Kind::Soldier),
        letter => Kind::from_letter(letter),
    }
}

const fn read_digit(byte: u8) -> Option<usize> {
    match byte {
        b'1'..=b'9' => Some((byte - b'0') as usize),
        _ => None,
    }
}
