//! What gives a position its value and its steps their priors.

mod cached;
pub mod network;
mod parallel;
mod rollout;
mod scripted;
mod uniform;

pub use cached::CachedEvaluator;
pub use network::NetworkEvaluator;
pub use parallel::ParallelEvaluator;
pub use rollout::RolloutEvaluator;
pub use scripted::ScriptedEvaluator;
pub use uniform::UniformEvaluator;

use heng_env::Game;

use crate::value::Wdl;

/// The answer to one position. The caller owns it and reuses its memory.
#[derive(Debug, PartialEq)]
pub struct Evaluation {
    /// Chances of the side to act.
    pub wdl: Wdl,
    /// A probability for each legal step, parallel to [`Game::legal_actions`]; they sum to one. None at all say that all
    /// steps are alike, which spares an evaluator that knows no better from counting them.
    pub priors: Vec<f32>,
}

impl Evaluation {
    /// The same for those of the legal steps alone that have these indices.
    pub(crate) fn of_some(&self, indices: &[usize]) -> Evaluation {
        let priors = indices.iter().filter_map(|&index| self.priors.get(index).copied()).collect();
        Evaluation { wdl: self.wdl, priors }
    }
}

impl Clone for Evaluation {
    fn clone(&self) -> Evaluation {
        Evaluation { wdl: self.wdl, priors: self.priors.clone() }
    }

    /// Keeps the memory of the priors.
    fn clone_from(&mut self, source: &Evaluation) {
        self.wdl = source.wdl;
        self.priors.clone_from(&source.priors);
    }
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation { wdl: Wdl::EVEN, priors: Vec::new() }
    }
}

/// Anything that can evaluate positions: a network, playouts, a table in a test.
pub trait Evaluator<G: Game> {
    /// Evaluates each of `positions`, none of which is finished, into the parallel `out`.
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]);

    /// Begins to evaluate `positions`, which [`Evaluator::collect`] is called with next. A device can compute in between, while
    /// the caller does something else; whatever computes on the caller's thread does it all when it is collected.
    fn submit(&mut self, _positions: &[&G]) {}

    /// The same as [`Evaluator::evaluate`], of the positions that were just submitted.
    fn collect(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        self.evaluate(positions, out);
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for &mut E {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        (**self).evaluate(positions, out);
    }

    fn submit(&mut self, positions: &[&G]) {
        (**self).submit(positions);
    }

    fn collect(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        (**self).collect(positions, out);
    }
}

impl<G: Game, E: Evaluator<G> + ?Sized> Evaluator<G> for Box<E> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        (**self).evaluate(positions, out);
    }

    fn submit(&mut self, positions: &[&G]) {
        (**self).submit(positions);
    }

    fn collect(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        (**self).collect(positions, out);
    }
}
