//! The texts of steps and of whole turns, both ways (RULES 1.6).

use super::Eternal;
use super::board::{Board, parse_square, square_text};
use super::objection::objection;
use super::piece::Kind;
use super::position::{Phase, Position, Step};
use crate::bitboard::{Squares, squares_of};
use crate::notation::NotationError;
use crate::{Action, Game, Side};

/// Characters of a square's text, and of a placement without its kind.
const SQUARE_LEN: usize = 2;

/// The text of a step: `Nb3`, `<h9`, `a6c8`, `>h8`.
pub(super) fn step_text<B: Board>(step: Step) -> String {
    match step {
        Step::Place(kind, square) => format!("{}{}", kind.letter(), square_text::<B>(square)),
        Step::Return(square) => format!("<{}", square_text::<B>(square)),
        Step::Move(from, to) => square_text::<B>(from) + &square_text::<B>(to),
        Step::Drop(square) => format!(">{}", square_text::<B>(square)),
    }
}

/// Reads one step and checks that it is legal.
pub(super) fn parse_step<B: Board>(game: &Eternal<B>, text: &str) -> Result<Action, NotationError> {
    let step = read_step::<B>(text).ok_or_else(|| {
        let expected = "a step like `Nb3` (place), `<h9` (return), `a6c8` (move) or `>h8` (drop)".to_owned();
        NotationError::Malformed { text: text.to_owned(), expected }
    })?;
    if game.outcome().is_some() {
        return Err(NotationError::Finished);
    }
    match objection(game.position(), step) {
        None => Ok(game.action(step)),
        Some(why) => Err(NotationError::Illegal { text: text.to_owned(), why }),
    }
}

/// The written form of the turn that `steps` make from `game`, or of its beginning.
pub(super) fn turn_text<B: Board>(game: &Eternal<B>, steps: &[Action]) -> String {
    let mut text = String::new();
    let mut after = game.clone();
    for &action in steps {
        let step = after.step(action);
        match step {
            Step::Place(..) => text.push_str(&step_text::<B>(step)),
            Step::Return(square) | Step::Drop(square) => text.push_str(&square_text::<B>(square)),
            Step::Move(from, to) => {
                text.push_str(&square_text::<B>(from));
                for square in path(after.position(), from, to) {
                    text.push_str(&square_text::<B>(square));
                }
            }
        }
        after.apply(action);
    }
    text.push_str(suffix(game, &after));
    text
}

/// Reads a whole turn, or what is left of one, and checks that it is legal.
pub(super) fn parse_turn<B: Board>(game: &Eternal<B>, text: &str) -> Result<Vec<Action>, NotationError> {
    let (body, written_suffix) = match text.char_indices().next_back() {
        Some((at, '#' | '+' | 'x')) => (&text[..at], &text[at..]),
        _ => (text, ""),
    };
    let mut reader = Reader { text, game: game.clone(), steps: Vec::new() };
    if game.outcome().is_some() {
        return Err(NotationError::Finished);
    }
    if game.position().phase() == Phase::Placement {
        reader.read_placements(body)?;
    } else {
        reader.read_squares(body)?;
    }
    let expected = suffix(game, &reader.game);
    if !written_suffix.is_empty() && written_suffix != expected {
        return Err(NotationError::Suffix { text: text.to_owned(), expected: expected.to_owned() });
    }
    Ok(reader.steps)
}

fn read_step<B: Board>(text: &str) -> Option<Step> {
    if !text.is_ascii() || text.is_empty() {
        return None;
    }
    let (first, rest) = text.split_at(1);
    match first {
        "<" => parse_square::<B>(rest).map(Step::Return),
        ">" => parse_square::<B>(rest).map(Step::Drop),
        _ if text.len() == 2 * SQUARE_LEN => {
            let (from, to) = text.split_at(SQUARE_LEN);
            Some(Step::Move(parse_square::<B>(from)?, parse_square::<B>(to)?))
        }
        _ => {
            let kind = read_kind::<B>(first)?;
            parse_square::<B>(rest).map(|square| Step::Place(kind, square))
        }
    }
}

/// The kind with this letter, where the variant can place it: the policy has no plane for other placements.
fn read_kind<B: Board>(letter: &str) -> Option<Kind> {
    Kind::from_letter(letter.chars().next()?).filter(|kind| B::HAS_PLACEMENT && B::kinds().contains(kind))
}

/// A written turn that is read step by step.
struct Reader<'a, B: Board> {
    text: &'a str,
    game: Eternal<B>,
    steps: Vec<Action>,
}

impl<B: Board> Reader<'_, B> {
    fn read_placements(&mut self, body: &str) -> Result<(), NotationError> {
        let count = self.game.position().placements_left();
        let malformed = || NotationError::Malformed {
            text: self.text.to_owned(),
            expected: format!("a turn of {count} placements like `Cd4Ne4Mf4Re3`"),
        };
        if !body.is_ascii() || body.len() != count * (1 + SQUARE_LEN) {
            return Err(malformed());
        }
        let read = |place: &[u8]| {
            let (kind, square) = std::str::from_utf8(place).ok()?.split_at(1);
            Some(Step::Place(read_kind::<B>(kind)?, parse_square::<B>(square)?))
        };
        let steps: Option<Vec<Step>> = body.as_bytes().chunks(1 + SQUARE_LEN).map(read).collect();
        steps.ok_or_else(malformed)?.into_iter().try_for_each(|step| self.play(step))
    }

    /// Reads squares in order: `[return] start [landings] end [drop]`.
    fn read_squares(&mut self, body: &str) -> Result<(), NotationError> {
        let squares: Option<Vec<usize>> = match body.is_ascii() && !body.is_empty() {
            true => {
                body.as_bytes().chunks(SQUARE_LEN).map(|s| parse_square::<B>(std::str::from_utf8(s).ok()?)).collect()
            }
            false => None,
        };
        let squares = squares.ok_or_else(|| NotationError::Malformed {
            text: self.text.to_owned(),
            expected: "a turn of squares like `a6c8` or `h9a6c8h8`".to_owned(),
        })?;
        let mut rest = squares.as_slice();
        if self.game.position().return_is_due() {
            let square = self.take(&mut rest, "the square for the returned piece")?;
            self.play(Step::Return(square))?;
        }
        if self.game.outcome().is_none() && self.game.position().phase() == Phase::Turn {
            let from = self.take(&mut rest, "the square a move starts from")?;
            let to = match self.game.position().piece_at(from) {
                Some(piece) if piece.kind == Kind::Pawn && piece.side == self.game.side_to_act() => {
                    self.take_chain(from, &mut rest)?
                }
                _ => self.take(&mut rest, "the square the move ends on")?,
            };
            self.play(Step::Move(from, to))?;
        }
        if self.game.position().phase() == Phase::Drop {
            let square = self.take(&mut rest, "the square for the captured piece")?;
            self.play(Step::Drop(square))?;
        }
        match rest.first() {
            Some(&square) => Err(self.illegal(format!("the turn is complete before {}", square_text::<B>(square)))),
            None => Ok(()),
        }
    }

    /// Reads the landings of a pawn's chain: up to the first occupied one, or to the last square.
    fn take_chain(&self, from: usize, rest: &mut &[usize]) -> Result<usize, NotationError> {
        let position = self.game.position();
        let empty = position.empty_squares() | 1 << from;
        let mut at = from;
        loop {
            let landing = self.take(rest, "the square the move ends on")?;
            if position.pawn_landings(at, from) >> landing & 1 == 0 {
                let (start, end) = (square_text::<B>(at), square_text::<B>(landing));
                let because = match (empty | !B::sanctuary()) >> landing & 1 {
                    0 => "what stands in a palace cannot be captured",
                    _ => "it jumps over one adjacent R, N, C or B onto the square right behind",
                };
                return Err(self.illegal(format!("the pawn cannot jump from {start} to {end}: {because}")));
            }
            at = landing;
            if rest.is_empty() || empty >> at & 1 == 0 {
                return Ok(at);
            }
        }
    }

    fn take(&self, rest: &mut &[usize], what: &str) -> Result<usize, NotationError> {
        let (&first, others) = rest.split_first().ok_or_else(|| self.illegal(format!("{what} is missing")))?;
        *rest = others;
        Ok(first)
    }

    fn play(&mut self, step: Step) -> Result<(), NotationError> {
        if let Some(why) = objection(self.game.position(), step) {
            return Err(self.illegal(why));
        }
        let action = self.game.action(step);
        self.steps.push(action);
        self.game.apply(action);
        Ok(())
    }

    fn illegal(&self, why: String) -> NotationError {
        NotationError::Illegal { text: self.text.to_owned(), why }
    }
}

/// The squares that are written for a move after its start: the landings of a pawn's chain, else the end alone.
fn path<B: Board>(position: &Position<B>, from: usize, to: usize) -> Vec<usize> {
    match position.piece_at(from) {
        Some(piece) if piece.kind == Kind::Pawn => chain(position, from, to),
        _ => vec![to],
    }
}

/// The shortest chain of jumps; among the shortest, the first when landings are compared one by one in board order.
///
/// Breadth first, each level in the order of its chains: the first chain to reach a square is the one to be written.
fn chain<B: Board>(position: &Position<B>, from: usize, to: usize) -> Vec<usize> {
    let empty = position.empty_squares();
    let mut passed: Squares = 1 << from;
    let mut level = vec![vec![]];
    while !level.is_empty() {
        let mut next = Vec::new();
        for chain in &level {
            let at = chain.last().copied().unwrap_or(from);
            let landings = position.pawn_landings(at, from);
            if landings >> to & 1 != 0 {
                return [chain.as_slice(), &[to]].concat();
            }
            for landing in squares_of(landings & empty & !passed) {
                next.push([chain.as_slice(), &[landing]].concat());
                passed |= 1 << landing;
            }
        }
        level = next;
    }
    unreachable!("the move of a pawn is a chain of jumps")
}

/// The suffix of the turn that led from `before` to `after` (RULES 1.6); none while the turn goes on.
fn suffix<B: Board>(before: &Eternal<B>, after: &Eternal<B>) -> &'static str {
    let mover = before.side_to_act();
    let points = |game: &Eternal<B>| game.position().score()[mover.index()];
    if before.position().phase() == Phase::Placement || after.side_to_act() == mover {
        ""
    } else if after.position().points_winner() == Some(mover) {
        "#"
    } else if points(after) > points(before) {
        "+"
    } else if could_score(after.position(), mover) {
        "x"
    } else {
        ""
    }
}

/// Whether `side` could score if it were to begin a turn here. No return would be due: it has just made its turn.
fn could_score<B: Board>(position: &Position<B>, side: Side) -> bool {
    let mut at_once = *position;
    at_once.set_state(side, Phase::Turn, position.score(), position.turn());
    squares_of(at_once.of_side(side)).any(|from| at_once.destinations(from) & B::palace(side.other()) != 0)
}
