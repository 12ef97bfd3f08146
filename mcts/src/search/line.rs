//! The steps of the root side by side, each with what is expected to follow.

use std::cmp::Reverse;

use heng_env::{Action, Game};

use super::tree::NodeId;
use super::{Proof, Search};
use crate::value::RedWdl;

/// One step of the root and what the search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The step, then the steps that are expected after it.
    pub steps: Vec<Action>,
    /// Simulations that went this way, those of a kept subtree included.
    pub visits: u32,
    /// The evaluator's probability, without noise.
    pub prior: f32,
    /// What the policy should have been; see [`SearchResult::policy`](super::SearchResult::policy).
    pub policy: f32,
    /// The mean or proven result; nothing if no simulation went this way.
    pub chances: Option<RedWdl>,
    /// The certain result, if it is known.
    pub proof: Option<Proof>,
}

impl<G: Game> Search<G> {
    /// At most `count` steps of the root, the best first: the step to play, then proven wins, open steps and draws by visits and
    /// priors, then proven losses.
    ///
    /// # Panics
    /// If the root is a finished game.
    pub fn lines(&self, count: usize) -> Vec<Line> {
        let (edges, priors) = (self.tree.edges(NodeId::ROOT), self.tree.priors(NodeId::ROOT));
        let side = self.tree.node(NodeId::ROOT).side;
        let (best, policy) = (self.best_at_root(), self.policy_at_root());
        let mut order: Vec<usize> = (0..edges.len()).collect();
        let certainty = |index: usize| edges[index].proof.filter(|proof| proof.winner.is_some());
        order.sort_by(|&a, &b| {
            let rank = |index: usize| Reverse((index == best, certainty(index).map_or(0, |proof| proof.rank(side))));
            let visits = |index: usize| Reverse(edges[index].visits);
            rank(a).cmp(&rank(b)).then(visits(a).cmp(&visits(b))).then(priors[b].total_cmp(&priors[a]))
        });
        order.truncate(count);
        let line = |index: usize| Line {
            steps: self.principal_variation(index),
            visits: edges[index].visits,
            prior: priors[index],
            policy: policy[index],
            chances: edges[index].chances(),
            proof: edges[index].proof,
        };
        order.into_iter().map(line).collect()
    }
}
