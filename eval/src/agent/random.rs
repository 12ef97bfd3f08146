//! Every legal step with the same chance.

use heng_env::{Action, Game};
use rand::RngExt;

use super::{Agent, Choice, Request};

/// Chooses uniformly among the legal steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn begin(&mut self, _slot: usize) {}

    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Choice> {
        let mut actions = Vec::new();
        requests
            .iter_mut()
            .map(|request| {
                request.position.legal_actions(&mut actions);
                Choice::only(actions[request.rng.random_range(0..actions.len())])
            })
            .collect()
    }

    fn played(&mut self, _slot: usize, _action: Action) {}

    fn fresh(&self) -> Box<dyn Agent<G>> {
        Box::new(RandomAgent)
    }
}
