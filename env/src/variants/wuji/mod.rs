//! Wuji chess (无极象棋): simple, advanced and flexible.

mod diagram;
mod encoding;
mod fen;
mod hash;
mod heuristic;
mod lines;
mod list;
mod moves;
mod notation;
mod objection;
mod options;
mod piece;
mod points;
mod position;
mod safety;
mod summary;
mod tables;
#[cfg(test)]
mod tests;
mod throne;

use std::fmt::{self, Debug};
use std::sync::Arc;

pub use options::{
    Bomb, COMMON_KEYS, FLEXIBLE_KEYS, Options, Promotion, RoyalZone, Rules, advanced_rules, flexible_rules,
    simple_rules,
};
pub use piece::{Kind, Piece};
pub use points::{Point, Points, PointsIter};
pub use position::{Position, Step};

use crate::diagram::Diagram;
use crate::history::{History, Moment, REPETITION_LIMIT, perpetual_checker};
use crate::notation::{FenError, NotationError};
use crate::{Action, Game, Notation, Outcome, Reason, Rng, Shape, Side, Summary};
use list::{AT_ONCE, Ends};
use moves::Mover;
use points::{FILES, RANKS, SQUARES};
use position::Progress;
use safety::Safety;

/// What a game starts from unless it is set otherwise.
const FIRST_POSITION: &str =
    "rnlbxqkaxblnr/13/1c3z1z3c1/13/p1p1p1p1p1p1p/13/13/P1P1P1P1P1P1P/13/1C3Z1Z3C1/13/RNLBXQKAXBLNR r 0 1";

/// A game of Wuji chess: a position, its history and how it ended.
pub struct Wuji {
    rules: Arc<Rules>,
    position: Position,
    /// The positions since the last irreversible move, the current one included.
    history: History<()>,
    /// Earlier occurrences of the position, which the history would have to be searched for.
    occurrences_before: usize,
    /// Turns that the position's number counts but that are not part of the game.
    turns_before: usize,
    /// How the general of the side to decide stands; follows from the position.
    safety: Safety,
    /// Whether the side to decide is checkmated and gives up a piece for the throne.
    throne_due: bool,
    draw_rules: bool,
    outcome: Option<Outcome>,
}

impl Wuji {
    /// A game that starts from `position`.
    fn from_position(rules: &Arc<Rules>, position: Position) -> Wuji {
        let mut game = Wuji {
            rules: Arc::clone(rules),
            position,
            history: History::new(position.hash()),
            occurrences_before: 0,
            // A text may number its turn lower than the start that is set.
            turns_before: rules.start.turns_before().min(position.turns_before()),
            safety: Safety::of(&position),
            throne_due: false,
            draw_rules: true,
            outcome: None,
        };
        game.settle();
        game
    }

    /// The position without its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the side to decide is in check.
    pub fn in_check(&self) -> bool {
        self.safety.in_check()
    }

    /// Whether the side to decide is checkmated and has to give up a minister or rook for another place of its general.
    pub fn throne_is_due(&self) -> bool {
        self.throne_due
    }

    /// The step that an action stands for. Moves and takings of the throne share their planes: who has to take the
    /// throne has no move.
    pub fn step(&self, action: Action) -> Step {
        let side = self.position.side();
        let point = |square| Point::from_square(square).seen_by(side);
        let (from, to) = (point(action.index() / SQUARES), point(action.index() % SQUARES));
        if self.throne_due { Step::Throne(from, to) } else { Step::Move(from, to) }
    }

    /// The action that stands for a step.
    pub fn action(&self, step: Step) -> Action {
        let side = self.position.side();
        let (Step::Move(from, to) | Step::Throne(from, to)) = step;
        Action::new(from.seen_by(side).square() * SQUARES + to.seen_by(side).square())
    }

    /// Calls `visit` for every piece on `starts` that the side to decide can move or give up with where it or the general may
    /// go. Kind by kind, so that the processor foresees what comes.
    #[inline]
    fn for_each_start(&self, starts: Points, mut visit: impl FnMut(Point, Points)) {
        let (position, safety, side) = (&self.position, &self.safety, self.position.side());
        if self.throne_due {
            let given = (position.able() & starts).iter();
            return given.for_each(|start| visit(start, position.safe_thrones(start, &safety.attackers)));
        }
        let mover = Mover::new(position, side);
        for kind in Kind::ALL {
            let starts = (position.of(side, kind) & starts).iter();
            starts.for_each(|start| visit(start, mover.legal_ends(kind, start, safety)));
        }
    }

    /// Finds out whether the game is over, and whether the throne is to be taken.
    fn settle(&mut self) {
        let (safety, position, side) = (&self.safety, &self.position, self.position.side());
        let has_move = Mover::new(position, side).has_move(safety);
        let is_mate = !has_move && safety.in_check();
        self.throne_due = is_mate && position.options().able_throne && position.has_throne(&safety.attackers);
        self.outcome = if is_mate && !self.throne_due {
            Some(Outcome::win(side.other(), Reason::Mate))
        } else if !has_move && !is_mate {
            Some(Outcome::draw(Reason::Stalemate))
        } else if self.draw_rules {
            self.repetition_outcome()
                .or_else(|| (self.position.quiet() >= self.rules.quiet_limit).then_some(Outcome::draw(Reason::Limit)))
        } else {
            None
        };
    }

    fn repetition_outcome(&self) -> Option<Outcome> {
        if self.occurrences_before + 1 < REPETITION_LIMIT {
            return None;
        }
        let cycle = self.history.cycle()?;
        match perpetual_checker(cycle, self.position.side()) {
            Some(checker) => Some(Outcome::win(checker.other(), Reason::PerpetualCheck)),
            None => Some(Outcome::draw(Reason::Repetition)),
        }
    }

    /// How far the limit on quiet moves is used up, in sixteenths.
    fn quiet_progress(&self) -> usize {
        (self.position.quiet() as usize * encoding::PROGRESS_STEPS / self.rules.quiet_limit as usize)
            .min(encoding::PROGRESS_STEPS)
    }
}

impl Game for Wuji {
    type Rules = Arc<Rules>;

    fn start(rules: &Self::Rules, _: &mut Rng) -> Self {
        Self::standard_start(rules)
    }

    fn standard_start(rules: &Self::Rules) -> Self {
        Self::from_position(rules, rules.start)
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
        self.position.turns_before() - self.turns_before
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
        let mut left = self.position.of_side(side).seen_by(side);
        while !left.is_empty() {
            let starts = left.lowest(AT_ONCE);
            left = left.without(starts);
            let mut list = Ends::of(starts);
            self.for_each_start(starts.seen_by(side), |start, ends| {
                list.set(start.seen_by(side), ends.seen_by(side));
            });
            list.write(actions);
        }
    }

    fn legal_count(&self) -> usize {
        let mut count = 0;
        if self.outcome.is_none() {
            self.for_each_start(Points::BOARD, |_, ends| count += ends.count());
        }
        count
    }

    fn apply(&mut self, action: Action) {
        let step = self.step(action);
        debug_assert!(
            self.outcome.is_none() && objection::objection(self, step).is_none(),
            "{step:?} is not legal in {self:?}"
        );
        let progress = self.position.play_unchecked(step);
        self.safety = Safety::of(&self.position);
        let moment = Moment { hash: self.position.hash(), gives_check: self.in_check(), turn: Some(()) };
        match progress {
            Progress::Reversible => self.history.push(moment),
            Progress::Irreversible => self.history.restart(moment),
        }
        self.occurrences_before = self.history.occurrences_before();
        self.settle();
    }

    fn encode(&self, planes: &mut [f32]) {
        encoding::encode(self, planes);
    }

    fn key(&self) -> u64 {
        let finished = if self.outcome.is_some() { hash::FINISHED } else { 0 };
        self.position.hash().plain
            ^ hash::repetitions(self.repetitions())
            ^ hash::progress(self.quiet_progress())
            ^ finished
    }

    fn mirrored(&self) -> Self {
        let position = self.position.mirrored();
        Wuji {
            rules: Arc::clone(&self.rules),
            position,
            history: self.history.mirrored(|turn| turn),
            safety: Safety::of(&position),
            ..*self
        }
    }

    fn mirror_action(_: &Self::Rules, action: Action) -> Action {
        let mirror = |square| Point::from_square(square).mirrored().square();
        let (from, to) = (action.index() / SQUARES, action.index() % SQUARES);
        Action::new(mirror(from) * SQUARES + mirror(to))
    }

    fn repetitions(&self) -> u8 {
        self.occurrences_before.min(REPETITION_LIMIT - 1) as u8
    }

    fn set_repetitions(&mut self, count: u8) {
        self.history.set_occurrences_before(count);
        self.occurrences_before = count as usize;
        self.settle();
    }

    fn without_draw_rules(&self) -> Self {
        let mut game = self.clone();
        game.draw_rules = false;
        game.settle();
        game
    }

    fn red_lead(&self) -> f32 {
        heuristic::red_lead(&self.position)
    }

    fn heuristic(&self) -> i32 {
        heuristic::heuristic(&self.position)
    }
}

impl Notation for Wuji {
    const SUMMARY: Summary = summary::SUMMARY;

    fn side_name(side: Side) -> &'static str {
        piece::side_name(side)
    }

    fn from_fen(rules: &Self::Rules, text: &str) -> Result<Self, FenError> {
        Ok(Self::from_position(rules, fen::read(rules.options, rules.quiet_limit, text)?))
    }

    fn fen(&self) -> String {
        fen::write(&self.position)
    }

    fn step_text(&self, action: Action) -> String {
        notation::step_text(self.step(action))
    }

    fn parse_step(&self, text: &str) -> Result<Action, NotationError> {
        notation::parse_step(self, text)
    }

    fn turn_text(&self, steps: &[Action]) -> String {
        steps.iter().map(|&action| self.step_text(action)).collect()
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Action>, NotationError> {
        Ok(vec![self.parse_step(text)?])
    }

    fn diagram(&self) -> Diagram {
        diagram::diagram(self)
    }
}

impl Clone for Wuji {
    fn clone(&self) -> Self {
        Wuji { rules: Arc::clone(&self.rules), history: self.history.clone(), ..*self }
    }

    /// Keeps the memory of the history: a search clones its root once a simulation.
    fn clone_from(&mut self, source: &Self) {
        self.history.clone_from(&source.history);
        let history = std::mem::take(&mut self.history);
        *self = Wuji { rules: Arc::clone(&source.rules), history, ..*source };
    }
}

impl Debug for Wuji {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Wuji({} {:?})", self.fen(), self.outcome)
    }
}
