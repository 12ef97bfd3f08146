//! Xiangqi, Chinese chess (中国象棋).

mod board;
mod diagram;
mod encoding;
mod fen;
mod hash;
mod heuristic;
mod law;
mod lines;
mod moves;
pub mod notation;
mod objection;
mod piece;
mod position;
mod setup;
mod summary;

use std::fmt::{self, Debug};
use std::sync::Arc;

pub use board::{FILES, RANKS, SQUARES};
pub use piece::{Kind, Piece};
pub use position::{Move, Position};
pub use setup::{KEYS, Rules, rules};

use crate::bitboard::squares_seen_by;
use crate::diagram::Diagram;
use crate::history::{History, Moment, REPETITION_LIMIT};
use crate::notation::{FenError, NotationError};
use crate::{Action, Game, Notation, Outcome, Reason, Rng, Shape, Side, Summary};

/// A game of Xiangqi: a position, its history and how it ended.
pub struct Xiangqi {
    rules: Arc<Rules>,
    position: Position,
    /// The positions since the last capture.
    history: History<Action>,
    /// Earlier occurrences of the position, which the history would have to be searched for.
    occurrences_before: usize,
    draw_rules: bool,
    outcome: Option<Outcome>,
}

impl Xiangqi {
    /// A game that starts from `position`.
    fn from_position(rules: &Arc<Rules>, position: Position) -> Self {
        let mut game = Xiangqi {
            rules: Arc::clone(rules),
            position,
            history: History::new(position.hash()),
            occurrences_before: 0,
            draw_rules: true,
            outcome: None,
        };
        game.outcome = game.find_outcome();
        game
    }

    /// The position without its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The move that an action stands for.
    pub fn action_move(&self, action: Action) -> Move {
        Move::of(action, self.position.side())
    }

    /// The action that stands for a move.
    pub fn move_action(&self, played: Move) -> Action {
        played.action(self.position.side())
    }

    /// In the order of RULES 1.5: a win or loss first, then the third repetition, then the limit.
    fn find_outcome(&self) -> Option<Outcome> {
        if !self.position.has_legal_move() {
            let side = self.position.side();
            let reason = if self.position.in_check() { Reason::Mate } else { Reason::Stalemate };
            return Some(Outcome::win(side.other(), reason));
        }
        if !self.draw_rules {
            return None;
        }
        if self.occurrences_before + 1 >= REPETITION_LIMIT
            && let Some(cycle) = self.history.cycle()
        {
            return Some(law::judge(&self.position, cycle));
        }
        let limit_reached = self.position.quiet() >= self.rules.quiet_limit;
        limit_reached.then_some(Outcome::draw(Reason::Limit))
    }

    /// How far the limit on quiet moves is used up, in sixteenths.
    fn limit_progress(&self) -> usize {
        let used = self.position.quiet() as usize * encoding::PROGRESS_STEPS / self.rules.quiet_limit as usize;
        used.min(encoding::PROGRESS_STEPS)
    }
}

impl Game for Xiangqi {
    type Rules = Arc<Rules>;

    fn start(rules: &Self::Rules, _: &mut Rng) -> Self {
        Self::standard_start(rules)
    }

    fn standard_start(rules: &Self::Rules) -> Self {
        Self::from_position(rules, rules.start_position())
    }

    fn has_random_start(_: &Self::Rules) -> bool {
        false
    }

    fn shape(_: &Self::Rules) -> Shape {
        Shape { files: FILES, ranks: RANKS, input_planes: encoding::PLANES, hand_planes: 0 }
    }

    fn rules(&self) -> &Self::Rules {
        &self.rules
    }

    fn side_to_act(&self) -> Side {
        self.position.side()
    }

    fn at_turn_start(&self) -> bool {
        true
    }

    fn turns_played(&self) -> usize {
        2 * (self.position.round() as usize - 1) + self.position.side().index()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_some() {
            return;
        }
        let side = self.position.side();
        self.position.for_each_origin(|from, targets| {
            let plane = board::relative(from, side) * SQUARES;
            let squares = squares_seen_by(targets, side, FILES);
            actions.extend(squares.map(|to| Action::new(plane + board::relative(to, side))));
        });
    }

    fn legal_count(&self) -> usize {
        if self.outcome.is_some() { 0 } else { self.position.legal_move_count() }
    }

    fn apply(&mut self, action: Action) {
        let played = self.action_move(action);
        debug_assert!(self.outcome.is_none() && self.position.is_legal(played), "{played:?} is not legal in {self:?}");
        let captures = self.position.play_unchecked(played);
        let moment = Moment { hash: self.position.hash(), gives_check: self.position.in_check(), turn: Some(action) };
        if captures {
            self.history.restart(moment);
        } else {
            self.history.push(moment);
        }
        self.occurrences_before = self.history.occurrences_before();
        self.outcome = self.find_outcome();
    }

    fn encode(&self, planes: &mut [f32]) {
        encoding::encode(&self.position, self.repetitions(), self.limit_progress(), planes);
    }

    fn key(&self) -> u64 {
        let finished = if self.outcome.is_some() { hash::FINISHED } else { 0 };
        self.position.hash().plain
            ^ hash::repetitions(self.repetitions())
            ^ hash::progress(self.limit_progress())
            ^ finished
    }

    fn mirrored(&self) -> Self {
        Xiangqi {
            rules: Arc::clone(&self.rules),
            position: self.position.mirrored(),
            history: self.history.mirrored(|action| Self::mirror_action(&self.rules, action)),
            ..*self
        }
    }

    fn mirror_action(_: &Self::Rules, action: Action) -> Action {
        let (from, to) = (action.index() / SQUARES, action.index() % SQUARES);
        Action::new(board::mirror(from) * SQUARES + board::mirror(to))
    }

    fn repetitions(&self) -> u8 {
        self.occurrences_before.min(REPETITION_LIMIT - 1) as u8
    }

    fn set_repetitions(&mut self, count: u8) {
        self.history.set_occurrences_before(count);
        self.occurrences_before = count as usize;
        self.outcome = self.find_outcome();
    }

    fn without_draw_rules(&self) -> Self {
        let mut game = self.clone();
        game.draw_rules = false;
        game.outcome = game.find_outcome();
        game
    }

    fn red_lead(&self) -> f32 {
        heuristic::red_lead(&self.position)
    }

    fn heuristic(&self) -> i32 {
        heuristic::heuristic(&self.position)
    }
}

impl Notation for Xiangqi {
    const SUMMARY: Summary = summary::SUMMARY;

    fn side_name(side: Side) -> &'static str {
        piece::side_name(side)
    }

    fn from_fen(rules: &Self::Rules, text: &str) -> Result<Self, FenError> {
        Ok(Self::from_position(rules, fen::read(rules, text)?))
    }

    fn fen(&self) -> String {
        fen::write(&self.position)
    }

    fn step_text(&self, action: Action) -> String {
        notation::write(&self.position, self.action_move(action), notation::Form::Uci)
    }

    fn parse_step(&self, text: &str) -> Result<Action, NotationError> {
        self.read_move(text, notation::Form::Uci)
    }

    fn turn_text(&self, steps: &[Action]) -> String {
        steps.iter().map(|&action| self.step_text(action)).collect()
    }

    fn players_text(&self, steps: &[Action]) -> Option<String> {
        steps.first().map(|&action| self.move_text(action, notation::Form::Simplified))
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Action>, NotationError> {
        let action = self.read_move(text, notation::Form::of_turn(text)).map_err(|error| match error {
            // Whoever types something else may have had any of the forms in mind.
            NotationError::Malformed { text, .. } => {
                let expected = "a move like `h3e3`, `炮二平五` or `C2=5`".to_owned();
                NotationError::Malformed { text, expected }
            }
            other => other,
        })?;
        Ok(vec![action])
    }

    fn diagram(&self) -> Diagram {
        diagram::diagram(&self.position)
    }
}

impl Xiangqi {
    /// Reads a move that is written in `form`.
    ///
    /// # Errors
    /// If the text is no move of this form, the move is not legal here, or more than one is meant.
    pub fn read_move(&self, text: &str, form: notation::Form) -> Result<Action, NotationError> {
        if self.outcome.is_some() {
            return Err(NotationError::Finished);
        }
        Ok(self.move_action(notation::read(&self.position, text, form)?))
    }

    /// Writes a legal move in `form`.
    pub fn move_text(&self, action: Action, form: notation::Form) -> String {
        notation::write(&self.position, self.action_move(action), form)
    }
}

impl Clone for Xiangqi {
    fn clone(&self) -> Self {
        Xiangqi { rules: Arc::clone(&self.rules), history: self.history.clone(), ..*self }
    }

    /// Keeps the memory of the history: a search clones its root once a simulation.
    fn clone_from(&mut self, source: &Self) {
        self.history.clone_from(&source.history);
        let history = std::mem::take(&mut self.history);
        *self = Xiangqi { rules: Arc::clone(&source.rules), history, ..*source };
    }
}

impl Debug for Xiangqi {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Xiangqi({} {:?})", self.fen(), self.outcome)
    }
}
