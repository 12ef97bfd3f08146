//! Answers as it is told, for tests.

use heng_env::Game;

use super::{Evaluation, Evaluator};

/// Answers with a closure and remembers the sizes of the batches.
#[derive(Clone, Debug)]
pub struct ScriptedEvaluator<F> {
    answer: F,
    batches: Vec<usize>,
}

impl<F> ScriptedEvaluator<F> {
    /// Answers each position with `answer`.
    pub fn new(answer: F) -> ScriptedEvaluator<F> {
        ScriptedEvaluator { answer, batches: Vec::new() }
    }

    /// The sizes of all batches so far.
    pub fn batches(&self) -> &[usize] {
        &self.batches
    }

    /// Positions evaluated so far.
    pub fn evaluations(&self) -> usize {
        self.batches.iter().sum()
    }
}

impl<G: Game, F: FnMut(&G) -> Evaluation> Evaluator<G> for ScriptedEvaluator<F> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        self.batches.push(positions.len());
        for (position, evaluation) in positions.iter().zip(out) {
            *evaluation = (self.answer)(position);
        }
    }
}
