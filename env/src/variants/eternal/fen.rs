//! Position texts (RULES 1.7): `<board> <side> <hand> <score> <turn>`.

use super::board::{Board, square_text};
use super::piece::{Kind, Piece, side_name};
use super::position::{Phase, Position};
use super::setup::{PLACEMENT_TURNS, Rules, Setup};
use crate::Side;
use crate::bitboard::{Squares, squares_of};
use crate::fen;
use crate::notation::FenError;

/// Pieces of one kind that each side has.
const PIECES_OF_A_KIND: usize = 2;
/// Pieces placed in one turn.
const PLACEMENTS_A_TURN: usize = 4;
/// The highest number of a turn that is read: more than any turn limit allows, and far from overflow.
const TURN_MAX: u16 = 20_000;

const FIELDS: [&str; 5] = ["board", "side", "hand", "score", "turn"];

/// How many pieces of each kind each side has somewhere.
type Counts = [[usize; 6]; 2];

/// The text of a position.
pub(super) fn write<B: Board>(position: &Position<B>) -> String {
    let letter = |square| match position.piece_at(square) {
        Some(piece) => Some(piece.letter()),
        None => position.is_stone(square).then_some('*'),
    };
    let board = fen::board_text(B::FILES, B::RANKS, letter);
    let side = side_letter(position.side());
    let hand = hand_text(position);
    let [red, black] = position.score();
    let phase = if position.phase() == Phase::Placement { "p" } else { "" };
    format!("{board} {side} {hand} {red}-{black} {phase}{}", position.turn())
}

/// Reads the text of a position and checks that the rules allow it.
pub(super) fn read<B: Board>(rules: &Rules<B>, text: &str) -> Result<Position<B>, FenError> {
    let [board, side, hand, score, turn] = fen::fields(text, FIELDS, "<board> <side> <hand> <score> <turn>")?;
    let (mut position, on_board) = read_board::<B>(board)?;
    let side = read_side(side)?;
    let hands = read_hand::<B>(hand)?;
    let score = read_score::<B>(score)?;
    let (phase, turn) = read_turn(rules, turn, hands.as_flattened().iter().sum())?;
    check_counts::<B>(&on_board, &hands)?;
    for owner in Side::BOTH {
        B::kinds().iter().for_each(|&kind| {
            let count = hands[owner.index()][kind.index()];
            position.set_hand(owner, kind, count as u8);
        });
    }
    position.set_state(side, phase, score, turn);
    check_palaces(&position)?;
    match phase {
        Phase::Placement => check_placement(&position)?,
        Phase::Turn | Phase::Drop => check_playing(&position)?,
    }
    Ok(position)
}

fn hand_text<B: Board>(position: &Position<B>) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        for &kind in B::kinds() {
            let letter = Piece { side, kind }.letter();
            (0..position.hand(side, kind)).for_each(|_| text.push(letter));
        }
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

const fn side_letter(side: Side) -> char {
    match side {
        Side::Red => 'r',
        Side::Black => 'b',
    }
}

fn read_board<B: Board>(text: &str) -> Result<(Position<B>, Counts), FenError> {
    let error = |problem: String| Err(FenError::new("board", problem));
    let mut stones: Squares = 0;
    let mut pieces = Vec::new();
    for (square, text) in fen::read_board(text, B::FILES, B::RANKS)? {
        let piece = text.parse().ok().and_then(Piece::from_letter).filter(|piece| B::kinds().contains(&piece.kind));
        match piece {
            Some(piece) => pieces.push((piece, square)),
            None if text != "*" => {
                let kinds: String = B::kinds().iter().map(|kind| kind.letter()).collect();
                let expected = format!("a letter of {kinds} or {}, `*` or a digit", kinds.to_lowercase());
                return error(format!("`{text}` in rank {}, expected {expected}", square / B::FILES + 1));
            }
            None if B::TABLES.river >> square & 1 == 0 => {
                let river = B::RANKS / 2 + 1;
                let square = square_text::<B>(square);
                return error(format!("a stone on {square}, expected stones on rank {river} only"));
            }
            None => stones |= 1 << square,
        }
    }
    let mut position = Position::empty(Phase::Turn);
    position.set_stones(stones);
    let mut counts: Counts = [[0; 6]; 2];
    for (piece, square) in pieces {
        position.put(piece, square);
        counts[piece.side.index()][piece.kind.index()] += 1;
    }
    Ok((position, counts))
}

fn read_side(text: &str) -> Result<Side, FenError> {
    match text {
        "r" => Ok(Side::Red),
        "b" => Ok(Side::Black),
        _ => Err(FenError::new("side", format!("`{text}`, expected `r` or `b`"))),
    }
}

fn read_hand<B: Board>(text: &str) -> Result<Counts, FenError> {
    let error = |problem: String| Err(FenError::new("hand", problem));
    let mut counts: Counts = [[0; 6]; 2];
    if text == "-" {
        return Ok(counts);
    }
    let mut latest = (Side::Red, Kind::Rook);
    for letter in text.chars() {
        let Some(piece) = Piece::from_letter(letter).filter(|piece| B::kinds().contains(&piece.kind)) else {
            let kinds: String = B::kinds().iter().map(|kind| kind.letter()).collect();
            let expected = format!("letters of {kinds} and {}, or `-`", kinds.to_lowercase());
            return error(format!("`{letter}` in `{text}`, expected {expected}"));
        };
        if (piece.side, piece.kind) < latest {
            return error(format!(
                "`{letter}` in `{text}` is out of order, expected red's pieces first, in the order RNCBMP"
            ));
        }
        latest = (piece.side, piece.kind);
        counts[piece.side.index()][piece.kind.index()] += 1;
    }
    Ok(counts)
}

fn read_score<B: Board>(text: &str) -> Result<[u8; 2], FenError> {
    let error = |problem: String| FenError::new("score", problem);
    let win = B::POINTS_TO_WIN;
    let points = |part: &str| fen::read_number(part, u16::from(win)).map(|points| points as u8);
    let expected = format!("`{text}`, expected the points of red and black as in `0-0`, each at most {win}");
    let (red, black) = text.split_once('-').ok_or_else(|| error(expected.clone()))?;
    match (points(red), points(black)) {
        (Some(red), Some(black)) if red == win && black == win => {
            Err(error(format!("`{text}`, but only one side can have the {win} points that win")))
        }
        (Some(red), Some(black)) => Ok([red, black]),
        _ => Err(error(expected)),
    }
}

/// Reads the number of the turn; together with the number of pieces in hand it tells the phase.
fn read_turn<B: Board>(rules: &Rules<B>, text: &str, in_hand: usize) -> Result<(Phase, u16), FenError> {
    let error = |problem: String| Err(FenError::new("turn", problem));
    if let Some(number) = text.strip_prefix('p') {
        if !matches!(rules.setup, Setup::Placement) {
            return error(format!("`{text}`, but this variant has no placement phase"));
        }
        return match fen::read_number(number, PLACEMENT_TURNS as u16) {
            Some(turn @ 1..) => Ok((Phase::Placement, turn)),
            _ => error(format!("`{text}`, expected `p1` to `p{PLACEMENT_TURNS}` in the placement phase")),
        };
    }
    match fen::read_number(text, TURN_MAX) {
        Some(turn @ 1..) => Ok((if in_hand == 0 { Phase::Turn } else { Phase::Drop }, turn)),
        _ => error(format!("`{text}`, expected a number from 1 to {TURN_MAX}, or `p1` to `p{PLACEMENT_TURNS}`")),
    }
}

/// No piece ever leaves the game: board and hand hold two of each kind.
fn check_counts<B: Board>(on_board: &Counts, in_hand: &Counts) -> Result<(), FenError> {
    let mut problems = Vec::new();
    for side in Side::BOTH {
        for &kind in B::kinds() {
            let [board, hand] = [on_board, in_hand].map(|counts| counts[side.index()][kind.index()]);
            if board + hand != PIECES_OF_A_KIND {
                let letter = Piece { side, kind }.letter();
                let excess = if board + hand > PIECES_OF_A_KIND { "too many" } else { "missing" };
                let amount = (board + hand).abs_diff(PIECES_OF_A_KIND);
                problems.push(format!("{amount} `{letter}` {excess} ({board} on the board, {hand} in hand)"));
            }
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    let problems = problems.join(", ");
    Err(FenError::new("board", format!("{problems}, expected {PIECES_OF_A_KIND} of each kind for each side")))
}

fn check_palaces<B: Board>(position: &Position<B>) -> Result<(), FenError> {
    for palace in Side::BOTH {
        for owner in Side::BOTH {
            let inside = position.of_side(owner) & B::palace(palace);
            if inside.count_ones() > 1 {
                let squares: Vec<String> = squares_of(inside).map(square_text::<B>).collect();
                let (palace, owner, squares) = (side_name(palace), side_name(owner), squares.join(" and "));
                let problem = format!("{palace}'s palace holds more than one piece of {owner}, on {squares}");
                return Err(FenError::new("board", problem));
            }
        }
    }
    Ok(())
}

/// In the placement phase nothing has moved yet, and hand, side and turn say the same.
fn check_placement<B: Board>(position: &Position<B>) -> Result<(), FenError> {
    let turns_before = position.turn() as usize - 1;
    let expected_side = if turns_before.is_multiple_of(2) { Side::Red } else { Side::Black };
    if position.side() != expected_side {
        let (found, expected) = (side_letter(position.side()), side_letter(expected_side));
        let problem = format!("`{found}`, but `{expected}` decides in turn p{}", position.turn());
        return Err(FenError::new("side", problem));
    }
    for side in Side::BOTH {
        let turns = if side == Side::Red { turns_before.div_ceil(2) } else { turns_before / 2 };
        let most = PIECES_OF_A_KIND * B::KINDS - PLACEMENTS_A_TURN * turns;
        let least = if side == position.side() { most + 1 - PLACEMENTS_A_TURN } else { most };
        let found = position.hand_size(side);
        if !(least..=most).contains(&found) {
            let expected = if least == most { format!("{most}") } else { format!("{least} to {most}") };
            let problem =
                format!("{found} pieces of {}, expected {expected} in turn p{}", side_name(side), position.turn());
            return Err(FenError::new("hand", problem));
        }
        let outside = position.of_side(side) & !(B::home(side) & !B::palace(side));
        if let Some(square) = squares_of(outside).next() {
            let (side, square) = (side_name(side), square_text::<B>(square));
            let problem = format!("{side} has a piece on {square}, expected it on the own side outside the palace");
            return Err(FenError::new("board", format!("{problem} in the placement phase")));
        }
    }
    if position.stones() != B::TABLES.river {
        let (found, expected) = (position.stones().count_ones(), B::TABLES.river.count_ones());
        return Err(FenError::new("board", format!("{found} stones, expected {expected} in the placement phase")));
    }
    if position.score() != [0, 0] {
        let [red, black] = position.score();
        return Err(FenError::new("score", format!("`{red}-{black}`, expected `0-0` in the placement phase")));
    }
    Ok(())
}

/// In the playing phase at most the captured piece is in hand, and the loser is to decide once the game is won.
fn check_playing<B: Board>(position: &Position<B>) -> Result<(), FenError> {
    let in_hand: usize = Side::BOTH.into_iter().map(|side| position.hand_size(side)).sum();
    if in_hand > 1 {
        let hand = hand_text(position);
        let problem = format!("`{hand}` has {in_hand} pieces, expected at most the one captured, or turn `p1` to `p6`");
        return Err(FenError::new("hand", problem));
    }
    let Some(winner) = position.points_winner() else { return Ok(()) };
    if position.side() == winner {
        let (winner, found) = (side_name(winner), side_letter(winner));
        return Err(FenError::new("side", format!("`{found}`, but {winner} has won: expected the loser")));
    }
    if in_hand > 0 {
        let problem =
            format!("`{}`, but {} has won and nothing is dropped any more", hand_text(position), side_name(winner));
        return Err(FenError::new("hand", problem));
    }
    Ok(())
}
