//! Plays games to their end at random.

use heng_env::{Action, Game, Purpose, Rng, Seeds, Side};
use rand::RngExt;

use super::{Evaluation, Evaluator};
use crate::value::Wdl;

/// Steps after which a playout counts as a draw. Variants end their games long before; this is for one that does not.
const PLAYOUT_STEPS_MAX: usize = 20_000;

/// Uniform priors, and the mean result of random playouts as the value.
///
/// The random numbers come from the seed and the position's key, so an answer depends on neither order nor batches.
#[derive(Clone, Debug)]
pub struct RolloutEvaluator {
    playouts: u32,
    seeds: Seeds,
    actions: Vec<Action>,
}

impl RolloutEvaluator {
    /// Evaluates with the mean of `playouts` playouts (at least one).
    pub fn new(playouts: u32, seeds: Seeds) -> RolloutEvaluator {
        RolloutEvaluator { playouts: playouts.max(1), seeds, actions: Vec::new() }
    }

    fn winner_of_playout<G: Game>(&mut self, position: &G, rng: &mut Rng) -> Option<Side> {
        let mut game = position.clone();
        for _ in 0..PLAYOUT_STEPS_MAX {
            if let Some(outcome) = game.outcome() {
                return outcome.winner;
            }
            game.legal_actions(&mut self.actions);
            game.apply(self.actions[rng.random_range(0..self.actions.len())]);
        }
        None
    }
}

impl<G: Game> Evaluator<G> for RolloutEvaluator {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        for (position, evaluation) in positions.iter().zip(out) {
            let side = position.side_to_act();
            let mut rng = self.seeds.stream(Purpose::Rollout, position.key());
            let (mut wins, mut losses) = (0, 0);
            for _ in 0..self.playouts {
                match self.winner_of_playout(*position, &mut rng) {
                    Some(winner) if winner == side => wins += 1,
                    Some(_) => losses += 1,
                    None => {}
                }
            }
            let share = |count: u32| count as f32 / self.playouts as f32;
            let draws = self.playouts - wins - losses;
            evaluation.wdl = Wdl { win: share(wins), draw: share(draws), loss: share(losses) };
            position.legal_actions(&mut self.actions);
            evaluation.set_uniform_priors(self.actions.len());
        }
    }
}
