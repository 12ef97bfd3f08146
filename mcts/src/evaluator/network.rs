//! A network as an evaluator.

use std::marker::PhantomData;

use heng_env::Game;

use super::{Evaluation, Evaluator};
use crate::net::PlayNet;
use crate::net::play::Memory;

/// Evaluates positions with a network. One belongs to one thread; all of them may share one [`PlayNet`].
///
/// An answer depends on the position alone, not on what else is in its batch.
#[derive(Debug)]
pub struct NetworkEvaluator<G> {
    net: PlayNet,
    memory: Memory,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> NetworkEvaluator<G> {
    /// An evaluator with its own working memory, for positions of the network's shape.
    pub fn new(net: PlayNet) -> NetworkEvaluator<G> {
        NetworkEvaluator { memory: net.memory(), net, game: PhantomData }
    }

    fn check(&self, positions: &[&G]) {
        if let Some(position) = positions.first() {
            assert_eq!(G::shape(position.rules()), self.net.shape(), "the network is of another variant");
        }
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<G> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        debug_assert_eq!(positions.len(), out.len(), "one answer for each position");
        self.check(positions);
        self.net.evaluate(&mut self.memory, positions, out);
    }

    fn submit(&mut self, positions: &[&G]) {
        self.check(positions);
        self.net.submit(&mut self.memory, positions);
    }

    fn collect(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        debug_assert_eq!(positions.len(), out.len(), "one answer for each position");
        self.check(positions);
        self.net.collect(&mut self.memory, positions, out);
    }
}
