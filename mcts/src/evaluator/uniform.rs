//! Knows nothing.

use heng_env::Game;

use super::{Evaluation, Evaluator};
use crate::value::Wdl;

/// Even chances and uniform priors everywhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformEvaluator;

impl<G: Game> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        for evaluation in &mut out[..positions.len()] {
            evaluation.wdl = Wdl::EVEN;
            evaluation.priors.clear();
        }
    }
}
