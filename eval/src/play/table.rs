//! One game as it is played: its turns, the turn in progress, and the way back.

use heng_env::notation::{NotationError, every_turn};
use heng_env::{Action, Notation, Outcome, Side};

use crate::draw::Trace;

/// A game in progress or finished.
#[derive(Clone, Debug)]
pub(crate) struct Table<G> {
    turns: Vec<Turn<G>>,
    /// The position at the start of the turn in progress.
    turn_start: G,
    /// Steps of the turn in progress.
    pending: Vec<Action>,
    position: G,
    resigned: Option<Side>,
}

/// A turn that has been played.
#[derive(Clone, Debug)]
pub(crate) struct Turn<G> {
    before: G,
    steps: Vec<Action>,
    /// Its written form.
    pub(crate) text: String,
}

impl<G: Notation> Turn<G> {
    /// Who played it.
    pub(crate) fn side(&self) -> Side {
        self.before.side_to_act()
    }

    /// Its steps.
    pub(crate) fn steps(&self) -> &[Action] {
        &self.steps
    }

    /// Its written form, with that of the game's players where it is another.
    pub(crate) fn told(&self) -> String {
        match self.before.players_text(&self.steps) {
            Some(other) => format!("{} ({other})", self.text),
            None => self.text.clone(),
        }
    }
}

impl<G: Notation> Table<G> {
    /// A game that begins with `start`.
    pub(crate) fn new(start: G) -> Table<G> {
        Table { turns: Vec::new(), turn_start: start.clone(), pending: Vec::new(), position: start, resigned: None }
    }

    /// The first position.
    pub(crate) fn start(&self) -> &G {
        self.turns.first().map_or(&self.turn_start, |turn| &turn.before)
    }

    /// The position now, which may be in the middle of a turn.
    pub(crate) fn position(&self) -> &G {
        &self.position
    }

    /// The turns that are complete.
    pub(crate) fn turns(&self) -> &[Turn<G>] {
        &self.turns
    }

    /// Steps of the turn in progress.
    pub(crate) fn pending(&self) -> &[Action] {
        &self.pending
    }

    /// How the game ended by the rules, if it has.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    /// Who has given up.
    pub(crate) fn resigned(&self) -> Option<Side> {
        self.resigned
    }

    /// Whether nothing more can be played.
    pub(crate) fn is_over(&self) -> bool {
        self.resigned.is_some() || self.outcome().is_some()
    }

    /// Gives up for `side`.
    pub(crate) fn resign(&mut self, side: Side) {
        self.resigned = Some(side);
    }

    /// Plays a legal step; a turn that it completes is returned.
    pub(crate) fn play(&mut self, action: Action) -> Option<&Turn<G>> {
        self.position.apply(action);
        self.pending.push(action);
        if !self.position.at_turn_start() && self.outcome().is_none() {
            return None;
        }
        let steps = std::mem::take(&mut self.pending);
        let text = self.text_from_turn_start(&steps);
        let before = std::mem::replace(&mut self.turn_start, self.position.clone());
        self.turns.push(Turn { before, steps, text });
        self.turns.last()
    }

    /// The written form of `steps`, which began the turn in progress and may not complete it.
    fn text_from_turn_start(&self, steps: &[Action]) -> String {
        written(&self.turn_start, steps)
    }

    /// The same as it is told: see [`Turn::told`].
    pub(crate) fn told_from_turn_start(&self, steps: &[Action]) -> String {
        let turn =
            Turn { before: self.turn_start.clone(), steps: steps.to_vec(), text: self.text_from_turn_start(steps) };
        turn.told()
    }

    /// Reads a whole turn, or the next steps with spaces between them. Steps that put a piece on the board may be
    /// written without their mark, and squares in capitals.
    pub(crate) fn parse(&self, text: &str) -> Result<Vec<Action>, NotationError> {
        self.parse_exactly(text).or_else(|error| {
            let in_small_letters = text.to_ascii_lowercase();
            if in_small_letters == text || !matches!(error, NotationError::Malformed { .. }) {
                return Err(error);
            }
            match self.parse_exactly(&in_small_letters) {
                // It is not the capitals that are wrong: what was typed is named as it was typed.
                Err(NotationError::Malformed { .. }) => Err(error),
                read => read,
            }
        })
    }

    fn parse_exactly(&self, text: &str) -> Result<Vec<Action>, NotationError> {
        let turn = if self.pending.is_empty() { self.position.parse_turn(text).map_err(Some) } else { Err(None) };
        turn.or_else(|turn_error| self.parse_steps(text).map_err(|step_error| turn_error.unwrap_or(step_error)))
    }

    fn parse_steps(&self, text: &str) -> Result<Vec<Action>, NotationError> {
        let mut position = self.position.clone();
        let mut steps = Vec::new();
        for word in text.split_whitespace() {
            if !steps.is_empty() && (position.outcome().is_some() || position.at_turn_start()) {
                let why = "the turn is complete before it".to_owned();
                return Err(NotationError::Illegal { text: word.to_owned(), why });
            }
            let action = position.parse_step(word).or_else(|error| unmarked(&position, word).ok_or(error))?;
            position.apply(action);
            steps.push(action);
        }
        Ok(steps)
    }

    /// Takes back the steps of the turn in progress or, if there are none, everything since the last turn of `side`
    /// began. Says whether there was anything to take back.
    pub(crate) fn undo(&mut self, side: Side) -> bool {
        if self.resigned.take().is_some() {
            return true;
        }
        if self.pending.is_empty() {
            let Some(index) = self.turns.iter().rposition(|turn| turn.side() == side) else { return false };
            self.turn_start = self.turns[index].before.clone();
            self.turns.truncate(index);
        }
        self.pending.clear();
        self.position = self.turn_start.clone();
        true
    }

    /// What the steps of the last turn, and of the one in progress, did to the board.
    pub(crate) fn last_traces(&self) -> Vec<Trace> {
        if !self.pending.is_empty() {
            return Trace::of_turn(&self.turn_start, &self.pending);
        }
        self.turns.last().map_or_else(Vec::new, |turn| Trace::of_turn(&turn.before, &turn.steps))
    }

    /// The texts of all legal steps, in byte order.
    pub(crate) fn step_texts(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.position.legal_actions(&mut actions);
        let mut texts: Vec<String> = actions.into_iter().map(|action| self.position.step_text(action)).collect();
        texts.sort();
        texts
    }

    /// The texts of all turns that begin with the steps in progress, in byte order; `None` if there are more than
    /// `limit`.
    pub(crate) fn turn_texts(&self, limit: usize) -> Option<Vec<String>> {
        let turns = every_turn(&self.position, limit).ok()?;
        let text = |rest: Vec<Action>| self.text_from_turn_start(&[self.pending.as_slice(), &rest].concat());
        let mut texts: Vec<String> = turns.into_iter().map(text).collect();
        texts.sort();
        texts.dedup();
        Some(texts)
    }
}

/// A turn in writing; one that ends the game before it is complete is given step by step.
fn written<G: Notation>(start: &G, steps: &[Action]) -> String {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(steps.len());
    for &action in steps {
        texts.push(position.step_text(action));
        position.apply(action);
    }
    if position.at_turn_start() { start.turn_text(steps) } else { texts.join(" ") }
}

/// The one legal step that is `text` but for its mark, as in `h8` for `>h8`.
fn unmarked<G: Notation>(position: &G, text: &str) -> Option<Action> {
    let mut actions = Vec::new();
    position.legal_actions(&mut actions);
    actions.retain(|&action| position.step_text(action).strip_prefix(['<', '>']) == Some(text));
    match actions[..] {
        [action] => Some(action),
        _ => None,
    }
}
