//! Knows nothing.

use heng_env::{Action, Game};

use super::{Evaluation, Evaluator};
use crate::value::Wdl;

/// Even chances and uniform priors everywhere.
#[derive(Clone, Debug, Default)]
pub struct UniformEvaluator {
    actions: Vec<Action>,
}

impl<G: Game> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        for (position, evaluation) in positions.iter().zip(out) {
            position.legal_actions(&mut self.actions);
            evaluation.wdl = Wdl::EVEN;
            evaluation.set_uniform_priors(self.actions.len());
        }
    }
}
