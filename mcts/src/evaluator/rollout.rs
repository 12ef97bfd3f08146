//! Plays games to their end at random.

use heng_env::{Game, Purpose, Rng, Seeds, Side};
use rand::RngExt;

use super::{Evaluation, Evaluator};
use crate::value::Wdl;

/// Steps after which a playout counts as a draw. Variants end their games long before; this is for one that does not.
const PLAYOUT_STEPS_MAX: usize = 20_000;

/// Uniform priors, and the mean result of random playouts as the value.
///
/// The random numbers come from the seed and the position's key, so an answer depends on neither order nor batches.
#[derive(Clone, Copy, Debug)]
pub struct RolloutEvaluator {
    playouts: u32,
    seeds: Seeds,
    in_random_order: bool,
}

/// Part of a prior by which it may differ from the others in random order.
const UNEVENNESS: f32 = 1e-3;

impl RolloutEvaluator {
    /// Evaluates with the mean of `playouts` playouts (at least one).
    pub fn new(playouts: u32, seeds: Seeds) -> RolloutEvaluator {
        RolloutEvaluator { playouts: playouts.max(1), seeds, in_random_order: false }
    }

    /// The same, with priors that differ by less than a thousandth part, at random. With quite even ones a search tries the steps in the
    /// order of their indices, and one of few simulations prefers the pieces at the edge of the board, where the indices begin.
    #[must_use]
    pub fn in_random_order(self) -> RolloutEvaluator {
        RolloutEvaluator { in_random_order: true, ..self }
    }
}

/// Plays `game` to its end with steps drawn evenly from the legal ones.
fn play_out<G: Game>(mut game: G, rng: &mut Rng) -> Option<Side> {
    for _ in 0..PLAYOUT_STEPS_MAX {
        match game.pick_action(|count| rng.random_range(0..count)) {
            Some(action) => game.apply(action),
            None => break,
        }
    }
    game.outcome().and_then(|outcome| outcome.winner)
}

impl<G: Game> Evaluator<G> for RolloutEvaluator {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        let mut actions = Vec::new();
        for (position, evaluation) in positions.iter().zip(out) {
            let side = position.side_to_act();
            let mut rng = self.seeds.stream(Purpose::Rollout, position.key());
            let (mut wins, mut losses) = (0, 0);
            for _ in 0..self.playouts {
                match play_out((*position).clone(), &mut rng) {
                    Some(winner) if winner == side => wins += 1,
                    Some(_) => losses += 1,
                    None => {}
                }
            }
            let share = |count: u32| count as f32 / self.playouts as f32;
            let draws = self.playouts - wins - losses;
            evaluation.wdl = Wdl { win: share(wins), draw: share(draws), loss: share(losses) };
            evaluation.priors.clear();
            if self.in_random_order {
                position.legal_actions(&mut actions);
                let even = 1.0 / actions.len().max(1) as f32;
                evaluation.priors.extend(actions.iter().map(|_| even * (1.0 + UNEVENNESS * rng.random::<f32>())));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Spec, Toy, decision, end, random};
    use std::sync::Arc;

    fn evaluate(playouts: u32, specs: &[&Arc<Spec>]) -> Vec<Evaluation> {
        let games: Vec<Toy> = specs.iter().map(|spec| Toy::new(Arc::clone(spec))).collect();
        let mut out = vec![Evaluation::default(); games.len()];
        RolloutEvaluator::new(playouts, Seeds::new(1)).evaluate(&games.iter().collect::<Vec<_>>(), &mut out);
        out
    }

    #[test]
    fn the_value_is_the_share_of_playouts_that_the_side_to_act_wins() {
        for side in Side::BOTH {
            let ends = [Some(side), Some(side), None, Some(side.other())];
            let spec = decision(side, 0.0, ends.map(end).to_vec());
            let Wdl { win, draw, loss } = evaluate(20_000, &[&spec])[0].wdl;
            assert!((win - 0.5).abs() < 0.02 && (draw - 0.25).abs() < 0.02 && (loss - 0.25).abs() < 0.02);
            let sure = decision(side, 0.0, vec![end(Some(side.other())); 2]);
            assert_eq!(evaluate(3, &[&sure])[0].wdl, Wdl { win: 0.0, draw: 0.0, loss: 1.0 });
        }
    }

    #[test]
    fn an_answer_depends_on_neither_order_nor_batch() {
        let mut rng = Seeds::new(2).stream(Purpose::Test, 0);
        let leaf = || end(Some(Side::Red));
        let specs: Vec<_> = (0..5)
            .map(|_| decision(Side::Black, 0.0, vec![random(Side::Red, 5, &mut rng), leaf(), end(None)]))
            .collect();
        let together = evaluate(7, &specs.iter().collect::<Vec<_>>());
        for (spec, evaluation) in specs.iter().zip(&together) {
            assert_eq!(&evaluate(7, &[spec])[0], evaluation);
            assert!(evaluation.priors.is_empty());
        }
    }

    #[test]
    fn in_random_order_the_priors_are_all_but_even() {
        let spec = decision(Side::Red, 0.0, vec![end(None), end(None), end(None)]);
        let mut out = [Evaluation::default()];
        let mut evaluator = RolloutEvaluator::new(2, Seeds::new(1)).in_random_order();
        evaluator.evaluate(&[&Toy::new(spec)], &mut out);
        let [most, least] = [f32::max, f32::min].map(|pick| out[0].priors.iter().copied().reduce(pick).unwrap());
        assert!(out[0].priors.len() == 3 && least > 0.33 && most < 0.34 && most > least, "{:?}", out[0].priors);
    }
}
