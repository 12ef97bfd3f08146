//! A network as an evaluator.

use std::marker::PhantomData;

use heng_env::Game;

use super::{Evaluation, Evaluator};
use crate::net::PlayNet;

/// Evaluates positions with a network. One belongs to one thread; all may share a [`PlayNet`].
#[derive(Debug)]
pub struct NetworkEvaluator<G> {
    net: PlayNet,
    game: PhantomData<fn(&G)>,
}

impl<G: Game> NetworkEvaluator<G> {
    /// An evaluator with its own working memory.
    pub fn new(net: PlayNet) -> NetworkEvaluator<G> {
        NetworkEvaluator { net, game: PhantomData }
    }
}

impl<G: Game> Evaluator<G> for NetworkEvaluator<G> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        let _ = (&self.net, positions, out);
        unimplemented!()
    }
}
