//! Eternal Chess (永恒象棋): free placement, fixed placement and mini.

mod board;
mod deciding;
mod diagram;
mod encoding;
mod fen;
mod hash;
mod heuristic;
mod layout;
mod notation;
mod objection;
mod piece;
mod position;
mod setup;
mod steps;
mod summary;

use std::fmt::{self, Debug};
use std::sync::Arc;

pub use board::{Board, FullBoard, MiniBoard};
pub use layout::Layout;
pub use piece::{Kind, Piece};
pub use position::{Phase, Position, Step};
pub use setup::{FREE_KEYS, LAYOUT_KEYS, Rules, Setup, fixed_rules, free_rules, mini_rules};

use crate::bitboard::{Squares, squares_of};
use crate::diagram::Diagram;
use crate::history::{History, Moment, REPETITION_LIMIT};
use crate::notation::{FenError, NotationError};
use crate::{Action, Game, Notation, Outcome, Reason, Rng, Shape, Side, Summary};
use position::Progress;
use steps::Origin;

/// Policy planes behind the move planes: returns, drops, then a placement plane per kind.
const RETURN_PLANE: usize = 0;
const DROP_PLANE: usize = 1;
const PLACEMENT_PLANES: usize = 2;

/// The most origins that steps can have: the pieces of a side.
const ORIGINS_MAX: usize = 12;

/// A game of Eternal Chess: a position, its history and how it ended.
pub struct Eternal<B: Board> {
    rules: Arc<Rules<B>>,
    position: Position<B>,
    /// The starts of turn since the last irreversible step, the current turn's included.
    history: History<()>,
    /// Whether the next step is the first of its turn; a position after a return looks the same.
    at_turn_start: bool,
    draw_rules: bool,
    outcome: Option<Outcome>,
}

impl<B: Board> Eternal<B> {
    /// A game that starts from `position`.
    fn from_position(rules: &Arc<Rules<B>>, position: Position<B>) -> Self {
        let mut game = Eternal {
            rules: Arc::clone(rules),
            position,
            history: History::new(position.repetition_hash()),
            at_turn_start: Self::looks_like_turn_start(&position),
            draw_rules: true,
            outcome: None,
        };
        game.outcome = game.find_outcome();
        game
    }

    fn looks_like_turn_start(position: &Position<B>) -> bool {
        match position.phase() {
            Phase::Placement => position.placements_left() == 4,
            Phase::Turn => true,
            Phase::Drop => false,
        }
    }

    /// The position without its history.
    pub fn position(&self) -> &Position<B> {
        &self.position
    }

    /// The step that an action stands for.
    pub fn step(&self, action: Action) -> Step {
        let (plane, square) = (action.index() / B::SQUARES, action.index() % B::SQUARES);
        let side = self.position.side();
        let square = B::relative(square, side);
        if plane < B::SQUARES {
            return Step::Move(B::relative(plane, side), square);
        }
        match plane - B::SQUARES {
            RETURN_PLANE => Step::Return(square),
            DROP_PLANE => Step::Drop(square),
            plane => Step::Place(Kind::ALL[plane - PLACEMENT_PLANES], square),
        }
    }

    /// The action that stands for a step.
    pub fn action(&self, step: Step) -> Action {
        let (origin, square) = match step {
            Step::Move(from, to) => (Origin::Square(from), to),
            Step::Return(square) => (Origin::Palace, square),
            Step::Drop(square) => (Origin::Capture, square),
            Step::Place(kind, square) => (Origin::Hand(kind), square),
        };
        Action::new(self.first_action(origin) + B::relative(square, self.position.side()))
    }

    /// The index of the action from `origin` to the actor's left corner.
    fn first_action(&self, origin: Origin) -> usize {
        let plane = match origin {
            Origin::Square(from) => B::relative(from, self.position.side()),
            Origin::Palace => B::SQUARES + RETURN_PLANE,
            Origin::Capture => B::SQUARES + DROP_PLANE,
            Origin::Hand(kind) => B::SQUARES + PLACEMENT_PLANES + kind.index(),
        };
        plane * B::SQUARES
    }

    /// The actions from `origin` to each of `squares`, in ascending order.
    fn actions_from(&self, origin: Origin, squares: Squares) -> impl Iterator<Item = Action> + use<B> {
        let first = self.first_action(origin);
        squares_of(B::seen_by(squares, self.position.side())).map(move |square| Action::new(first + square))
    }

    /// In the order of RULES 1.5: a win or loss first, then the third repetition, then the limit.
    fn find_outcome(&self) -> Option<Outcome> {
        if let Some(winner) = self.position.points_winner() {
            return Some(Outcome::win(winner, Reason::Points));
        }
        if !self.position.has_step() {
            return Some(Outcome::win(self.position.side().other(), Reason::NoStep));
        }
        if !self.draw_rules || !self.at_turn_start {
            return None;
        }
        if self.occurrences_before() + 1 >= REPETITION_LIMIT {
            return Some(Outcome::draw(Reason::Repetition));
        }
        let limit_reached = self.position.phase() == Phase::Turn && self.position.turn() > self.rules.turn_limit;
        limit_reached.then_some(Outcome::draw(Reason::Limit))
    }

    /// Earlier turns that started from this position.
    fn occurrences_before(&self) -> usize {
        if self.at_turn_start { self.history.occurrences_before() } else { 0 }
    }

    /// How far the turn limit is used up, in sixteenths; placement comes before all of them.
    fn limit_progress(&self) -> usize {
        let used = match self.position.phase() {
            Phase::Placement => 0,
            Phase::Turn | Phase::Drop => self.position.turn() as usize - 1,
        };
        (used * encoding::PROGRESS_STEPS / self.rules.turn_limit as usize).min(encoding::PROGRESS_STEPS)
    }
}

impl<B: Board> Game for Eternal<B> {
    type Rules = Arc<Rules<B>>;

    fn start(rules: &Self::Rules, rng: &mut Rng) -> Self {
        Self::from_position(rules, rules.start_position(rng))
    }

    fn standard_start(rules: &Self::Rules) -> Self {
        Self::from_position(rules, rules.standard_position())
    }

    fn has_random_start(rules: &Self::Rules) -> bool {
        rules.has_random_start()
    }

    fn all_starts(rules: &Self::Rules) -> Vec<Self> {
        rules.all_start_positions().into_iter().map(|position| Self::from_position(rules, position)).collect()
    }

    fn shape(_: &Self::Rules) -> Shape {
        let placement_planes = if B::HAS_PLACEMENT { B::KINDS } else { 0 };
        Shape {
            files: B::FILES,
            ranks: B::RANKS,
            input_planes: encoding::plane_count::<B>(),
            hand_planes: PLACEMENT_PLANES + placement_planes,
        }
    }

    fn rules(&self) -> &Self::Rules {
        &self.rules
    }

    fn side_to_act(&self) -> Side {
        self.position.side()
    }

    fn at_turn_start(&self) -> bool {
        self.at_turn_start
    }

    fn turns_played(&self) -> usize {
        let before = self.position.turn() as usize - 1;
        match (self.position.phase(), &self.rules.setup) {
            (Phase::Turn | Phase::Drop, Setup::Placement) => before + setup::PLACEMENT_TURNS,
            _ => before,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_none() {
            self.position.for_each_origin(|origin, squares| actions.extend(self.actions_from(origin, squares)));
        }
    }

    fn winning_actions(&self, actions: &mut Vec<Action>) {
        self.list_winning_actions(actions);
    }

    fn losing_actions(&self, actions: &mut Vec<Action>) {
        self.list_losing_actions(actions);
    }

    fn legal_count(&self) -> usize {
        if self.outcome.is_some() { 0 } else { self.position.step_count() }
    }

    fn pick_action(&self, choose: impl FnOnce(usize) -> usize) -> Option<Action> {
        if self.outcome.is_some() {
            return None;
        }
        let mut origins = [(Origin::Palace, 0); ORIGINS_MAX];
        let (mut used, mut count) = (0, 0);
        self.position.for_each_origin(|origin, squares| {
            origins[used] = (origin, squares);
            used += 1;
            count += squares.count_ones() as usize;
        });
        let mut index = choose(count);
        for &(origin, squares) in &origins[..used] {
            let here = squares.count_ones() as usize;
            if index < here {
                return self.actions_from(origin, squares).nth(index);
            }
            index -= here;
        }
        None
    }

    fn apply(&mut self, action: Action) {
        let step = self.step(action);
        debug_assert!(self.outcome.is_none() && self.position.is_legal(step), "{step:?} is not legal in {self:?}");
        let progress = self.position.play_unchecked(step);
        self.at_turn_start = progress != Progress::SameTurn;
        let moment = Moment { hash: self.position.repetition_hash(), gives_check: false, turn: Some(()) };
        match progress {
            Progress::SameTurn => {}
            Progress::NextTurn => self.history.push(moment),
            Progress::NextTurnIrreversible => self.history.restart(moment),
        }
        self.outcome = self.find_outcome();
    }

    fn encode(&self, planes: &mut [f32]) {
        encoding::encode(&self.position, self.repetitions(), self.limit_progress(), planes);
    }

    fn key(&self) -> u64 {
        let finished = if self.outcome.is_some() { hash::FINISHED } else { 0 };
        self.position.full_hash()
            ^ hash::repetitions(self.repetitions())
            ^ hash::progress(self.limit_progress())
            ^ finished
    }

    fn mirrored(&self) -> Self {
        Eternal {
            rules: Arc::clone(&self.rules),
            position: self.position.mirrored(),
            history: self.history.mirrored(|turn| turn),
            ..*self
        }
    }

    fn mirror_action(_: &Self::Rules, action: Action) -> Action {
        let (plane, square) = (action.index() / B::SQUARES, action.index() % B::SQUARES);
        let plane = if plane < B::SQUARES { B::mirror(plane) } else { plane };
        Action::new(plane * B::SQUARES + B::mirror(square))
    }

    fn repetitions(&self) -> u8 {
        self.occurrences_before().min(REPETITION_LIMIT - 1) as u8
    }

    fn set_repetitions(&mut self, count: u8) {
        self.history.set_occurrences_before(count);
        self.outcome = self.find_outcome();
    }

    fn without_draw_rules(&self) -> Self {
        let mut game = self.clone();
        game.draw_rules = false;
        game.outcome = game.find_outcome();
        game
    }

    fn red_lead(&self) -> f32 {
        let [red, black] = self.position.score();
        (f32::from(red) - f32::from(black)) / f32::from(B::POINTS_TO_WIN)
    }

    fn heuristic(&self) -> i32 {
        heuristic::heuristic(&self.position)
    }
}

impl<B: Board> Notation for Eternal<B> {
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
        notation::step_text::<B>(self.step(action))
    }

    fn parse_step(&self, text: &str) -> Result<Action, NotationError> {
        notation::parse_step(self, text)
    }

    fn turn_text(&self, steps: &[Action]) -> String {
        notation::turn_text(self, steps)
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Action>, NotationError> {
        notation::parse_turn(self, text)
    }

    fn diagram(&self) -> Diagram {
        diagram::diagram(&self.position)
    }
}

impl<B: Board> Clone for Eternal<B> {
    fn clone(&self) -> Self {
        Eternal { rules: Arc::clone(&self.rules), history: self.history.clone(), ..*self }
    }

    /// Keeps what it can: a search clones its root once a simulation.
    fn clone_from(&mut self, source: &Self) {
        let Eternal { rules, position, history, at_turn_start, draw_rules, outcome } = source;
        // Threads share the rules' counter and would wait for each other at it.
        if !Arc::ptr_eq(&self.rules, rules) {
            self.rules = Arc::clone(rules);
        }
        self.history.clone_from(history);
        (self.position, self.at_turn_start) = (*position, *at_turn_start);
        (self.draw_rules, self.outcome) = (*draw_rules, *outcome);
    }
}

impl<B: Board> Debug for Eternal<B> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Eternal({} {:?})", self.fen(), self.outcome)
    }
}
