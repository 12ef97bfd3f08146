//! Games from their steps.

use heng_env::{Action, Notation, Variant};
use thiserror::Error;

use super::{GameResult, SavedGame, SavedTurn, UNFINISHED};

/// A step that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("step {}: action {} is not legal in `{position}`", number + 1, action.index())]
pub struct IllegalStep {
    /// Which of the steps, from 0.
    pub number: usize,
    /// The step.
    pub action: Action,
    /// The text of the position before it.
    pub position: String,
}

impl SavedGame {
    /// The game that `steps` make from `start`, with its result if they end it. It has no tags yet.
    ///
    /// # Errors
    /// If a step is not legal.
    pub fn from_steps<G: Notation>(variant: &Variant, start: &G, steps: &[Action]) -> Result<SavedGame, IllegalStep> {
        let mut recorder = Recorder::new(start);
        let mut legal = Vec::new();
        for (number, &action) in steps.iter().enumerate() {
            recorder.position.legal_actions(&mut legal);
            if !legal.contains(&action) {
                return Err(IllegalStep { number, action, position: recorder.position.fen() });
            }
            recorder.apply(action);
        }
        let outcome = recorder.position.outcome();
        Ok(SavedGame {
            variant: variant.clone(),
            start: start.fen(),
            turns: recorder.finish(),
            tags: Vec::new(),
            comment: None,
            result: outcome.into(),
            termination: Some(outcome.map_or(UNFINISHED, |outcome| outcome.reason.name()).to_owned()),
        })
    }

    /// A game of which only its turns are known.
    pub(super) fn bare(variant: Variant, start: String, turns: Vec<SavedTurn>) -> SavedGame {
        let (tags, comment, termination) = (Vec::new(), None, None);
        SavedGame { variant, start, turns, tags, comment, result: GameResult::Unfinished, termination }
    }
}

/// Puts steps together to turns.
pub(super) struct Recorder<G> {
    turn_start: G,
    pub(super) position: G,
    steps: Vec<Action>,
    turns: Vec<SavedTurn>,
}

impl<G: Notation> Recorder<G> {
    pub(super) fn new(start: &G) -> Recorder<G> {
        Recorder { turn_start: start.clone(), position: start.clone(), steps: Vec::new(), turns: Vec::new() }
    }

    /// Plays a legal step and says whether it ends a turn.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        self.position.apply(action);
        self.steps.push(action);
        let is_complete = self.position.at_turn_start() || self.position.outcome().is_some();
        if is_complete {
            self.end_turn();
        }
        is_complete
    }

    /// Turns that are complete.
    pub(super) fn turn_count(&self) -> usize {
        self.turns.len()
    }

    /// The turn that was completed last.
    pub(super) fn last_turn(&mut self) -> Option<&mut SavedTurn> {
        self.turns.last_mut()
    }

    /// Whether steps of a turn are played that is not complete.
    pub(super) fn is_within_turn(&self) -> bool {
        !self.steps.is_empty()
    }

    /// All turns, the one in progress included.
    pub(super) fn finish(mut self) -> Vec<SavedTurn> {
        if self.is_within_turn() {
            self.end_turn();
        }
        self.turns
    }

    fn end_turn(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        let text = match self.position.at_turn_start() {
            true => self.turn_start.turn_text(&steps),
            false => step_texts(&self.turn_start, &steps),
        };
        self.turn_start.clone_from(&self.position);
        self.turns.push(SavedTurn { text, steps, value: None, time: None, comment: None });
    }
}

/// A turn that goes no further, step by step: what [`Notation::turn_text`] makes of it need not be readable.
fn step_texts<G: Notation>(start: &G, steps: &[Action]) -> String {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(steps.len());
    for &action in steps {
        texts.push(position.step_text(action));
        position.apply(action);
    }
    texts.join(" ")
}
