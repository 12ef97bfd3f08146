//! Which piece moves: by kind, file, and its place among those of its kind that share the file.

use std::ops::Range;

use super::step::{Step, file_number};
use crate::Side;
use crate::bitboard::squares_seen_by;
use crate::variants::xiangqi::board::FILES;
use crate::variants::xiangqi::piece::{Kind, side_name};
use crate::variants::xiangqi::position::{Move, Position};

/// A place among the pieces of a kind that share a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Any of them.
    Any,
    /// The front one: 前.
    Front,
    /// The middle one of three or five: 中.
    Middle,
    /// The rear one: 后.
    Rear,
    /// By its number from the front, from 0: 一 to 五.
    Nth(usize),
    /// What WXF says of a piece by its file alone: the middle one of three or five, any of other numbers.
    Unsigned,
    /// WXF's `+`: the front one, but the second of four or five.
    Plus,
    /// WXF's `-`: the rear one, but the last but one of four or five.
    Minus,
    /// WXF's `++`: the front one of four or five.
    DoublePlus,
    /// WXF's `--`: the rear one of four or five.
    DoubleMinus,
}

impl Order {
    /// The places meant among `count` pieces on one file, from the front; none if the word makes no sense for so many.
    fn places(self, count: usize) -> Range<usize> {
        let has_middle = count >= 3 && count % 2 == 1;
        let place = match self {
            Order::Any => return 0..count,
            Order::Unsigned if !has_middle => return 0..count,
            Order::Middle if !has_middle => return 0..0,
            Order::Plus | Order::Front | Order::Rear | Order::Minus | Order::Nth(_) if count < 2 => return 0..0,
            Order::DoublePlus | Order::DoubleMinus if count < 4 => return 0..0,
            Order::Unsigned | Order::Middle => count / 2,
            Order::Plus if count >= 4 => 1,
            Order::Minus if count >= 4 => count - 2,
            Order::Front | Order::Plus | Order::DoublePlus => 0,
            Order::Rear | Order::Minus | Order::DoubleMinus => count - 1,
            Order::Nth(place) if place < count => place,
            Order::Nth(_) => return 0..0,
        };
        place..place + 1
    }

    /// How many pieces have to share a file for the word to make sense; `None` if one is enough.
    const fn needs(self) -> Option<&'static str> {
        match self {
            Order::Any | Order::Unsigned => None,
            Order::Front | Order::Rear | Order::Plus | Order::Minus | Order::Nth(0..=1) => Some("two"),
            Order::Middle => Some("three or five"),
            Order::DoublePlus | Order::DoubleMinus => Some("four or five"),
            Order::Nth(2) => Some("three"),
            Order::Nth(3) => Some("four"),
            Order::Nth(_) => Some("five"),
        }
    }
}

/// The first half of a text: which piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) kind: Kind,
    /// The file as the mover counts it; without it, any file that several pieces of the kind share.
    pub(super) file: Option<usize>,
    pub(super) order: Order,
}

impl Origin {
    /// The squares of the pieces that may be meant.
    pub(super) fn squares(&self, position: &Position) -> Vec<usize> {
        let Origin { kind, file, order } = *self;
        if let Some(file) = file {
            return pick(&column(position, kind, file), order);
        }
        let shared = shared_columns(position, kind);
        match order {
            Order::Nth(place) => shared.concat().get(place).copied().into_iter().collect(),
            _ => shared.iter().flat_map(|column| pick(column, order)).collect(),
        }
    }

    /// What is missing when there is no such piece; `numeral` writes a file's number.
    pub(super) fn absence(&self, side: Side, numeral: impl Fn(usize) -> char) -> String {
        let (side, kind) = (side_name(side), self.kind.name());
        let file = self.file.map_or_else(|| "a file".to_owned(), |file| format!("file {}", numeral(file)));
        match self.order.needs() {
            None => format!("{side} has no {kind} on {file}"),
            Some(count) => format!("{side} does not have {count} {kind}s that share {file}"),
        }
    }
}

fn pick(column: &[usize], order: Order) -> Vec<usize> {
    column[order.places(column.len())].to_vec()
}

/// The mover's pieces of a kind on a file, from the front.
fn column(position: &Position, kind: Kind, file: usize) -> Vec<usize> {
    let side = position.side();
    let squares = squares_seen_by(position.of(side, kind), side, FILES);
    let mut column: Vec<usize> = squares.filter(|&square| file_number(square, side) == file).collect();
    column.reverse();
    column
}

/// The files that several of the mover's pieces of a kind share, from the right.
pub(super) fn shared_columns(position: &Position, kind: Kind) -> Vec<Vec<usize>> {
    (1..=FILES).map(|file| column(position, kind, file)).filter(|column| column.len() >= 2).collect()
}

/// Where a piece stands that is to be named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) kind: Kind,
    /// The file as the mover counts it.
    pub(super) file: usize,
    /// How many of its kind stand on the file.
    pub(super) count: usize,
    /// How many of those stand before it.
    pub(super) place: usize,
    /// Whether several of its kind share another file too. Only soldiers are enough for that.
    pub(super) has_rivals: bool,
}

impl Standing {
    /// The standing of the piece that a legal move begins with, and how it moves.
    pub(super) fn of(position: &Position, played: Move) -> (Standing, Step) {
        let (side, kind) = (position.side(), position.kind_at(played.from));
        let file = file_number(played.from, side);
        let column = column(position, kind, file);
        let step = Step::of(side, kind, played);
        let place = column.iter().position(|&square| square == played.from).unwrap_or_default();
        let is_alone = column.len() < 2 || is_plain(position, &column, played, step);
        let count = if is_alone { 1 } else { column.len() };
        let has_rivals = !is_alone && shared_columns(position, kind).len() > 1;
        (Standing { kind, file, count, place, has_rivals }, step)
    }
}

/// Whether the file is enough to name an advisor or elephant that shares it: of two, only the rear one can go forward and
/// only the front one back, unless they stand where no game would bring them.
fn is_plain(position: &Position, column: &[usize], played: Move, step: Step) -> bool {
    let (side, kind) = (position.side(), position.kind_at(played.from));
    let is_rival = |other: &Move| {
        other.from != played.from && column.contains(&other.from) && Step::of(side, kind, *other) == step
    };
    matches!(kind, Kind::Advisor | Kind::Elephant) && !position.legal_moves().iter().any(is_rival)
}
