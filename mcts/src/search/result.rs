//! What a search has found.

use heng_env::{Action, Rng, Side};
use rand::RngExt;

use super::solver::Proof;
use crate::value::{RedValue, RedWdl};

/// What a search knows about the step to choose. The vectors are parallel to the legal actions of the root.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The side that decides.
    pub side: Side,
    /// The legal actions.
    pub actions: Vec<Action>,
    /// The evaluator's priors, without noise; even if the root was not evaluated (a forced step).
    pub priors: Vec<f32>,
    /// Visits of each action, those of a kept subtree included.
    pub visits: Vec<u32>,
    /// What the policy should have been: the training target. It sums to one and has no proven loss in it unless
    /// everything is lost, and nothing but proven wins if there are any.
    pub policy: Vec<f32>,
    /// Value of each action that was visited or proven.
    pub values: Vec<Option<RedValue>>,
    /// Value of the root: the mean over its own evaluation and all visits, or what was proven.
    pub value: RedWdl,
    /// The step to play for the best result.
    pub best: Action,
    /// The certain result of the root, if it is known.
    pub proven: Option<Proof>,
    /// The line the search expects, from the root; starts with [`SearchResult::best`].
    pub principal_variation: Vec<Action>,
    /// New simulations made for this step.
    pub simulations: u32,
}

impl SearchResult {
    /// Draws a step from the policy, sharpened by `temperature`: 1 leaves it as it is, 0 takes the best step.
    pub fn sample(&self, temperature: f32, rng: &mut Rng) -> Action {
        // Below this a power of a probability is all or nothing, and overflows on the way.
        if temperature < 0.01 {
            return self.best;
        }
        let top = self.policy.iter().copied().fold(0.0, f32::max);
        let weights: Vec<f32> = self.policy.iter().map(|&share| (share / top).powf(1.0 / temperature)).collect();
        let mut left = rng.random::<f32>() * weights.iter().sum::<f32>();
        for (&action, &weight) in self.actions.iter().zip(&weights) {
            left -= weight;
            if weight > 0.0 && left < 0.0 {
                return action;
            }
        }
        self.best
    }
}
