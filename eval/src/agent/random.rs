//! Every legal step with the same chance.

use heng_env::{Action, Game};
use rand::RngExt;

use super::{Agent, Choice, Decision, Opinion, Request, Thinking};

/// Chooses uniformly among the legal steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn begin(&mut self, _slot: usize) {}

    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Decision<Choice>> {
        let mut actions = Vec::new();
        requests
            .iter_mut()
            .map(|request| {
                request.position.legal_actions(&mut actions);
                Ok(Choice::only(actions[request.rng.random_range(0..actions.len())]))
            })
            .collect()
    }

    fn think(
        &mut self,
        request: &mut Request<'_, G>,
        thinking: &Thinking,
        _: &mut dyn FnMut(&Opinion),
    ) -> Decision<Opinion> {
        let actions = thinking.candidates(request.position);
        Ok(Opinion::only(actions[request.rng.random_range(0..actions.len())]))
    }

    fn played(&mut self, _slot: usize, _action: Action) {}

    fn fresh(&self) -> Box<dyn Agent<G>> {
        Box::new(RandomAgent)
    }
}
