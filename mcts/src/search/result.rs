//! What a search has found, and how it is read off its tree.

use heng_env::{Action, Game, Rng, Side};
use rand::RngExt;

use super::solver::Proof;
use super::tree::{Edge, NodeId};
use super::{Algorithm, Plan, Search, gumbel, puct, select};
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

impl<G: Game> Search<G> {
    /// What is known by now.
    ///
    /// # Panics
    /// If the root is a finished game: there is no step to choose.
    pub fn result(&self) -> SearchResult {
        let (edges, side) = (self.tree.edges(NodeId::ROOT), self.tree.node(NodeId::ROOT).side);
        assert!(!edges.is_empty(), "a finished game has no next step");
        let best = self.best_at_root();
        let proven = self.tree.root_proof();
        SearchResult {
            side,
            actions: self.tree.actions(NodeId::ROOT).to_vec(),
            priors: self.tree.priors(NodeId::ROOT).to_vec(),
            visits: edges.iter().map(|edge| edge.visits).collect(),
            policy: self.policy_at_root(),
            values: edges.iter().map(Edge::value).collect(),
            value: proven.map_or_else(|| self.tree.totals(NodeId::ROOT).value, Proof::wdl),
            best: self.tree.actions(NodeId::ROOT)[best],
            proven,
            principal_variation: self.principal_variation(best),
            simulations: self.simulations(),
        }
    }

    pub(super) fn best_at_root(&self) -> usize {
        let (edges, side) = (self.tree.edges(NodeId::ROOT), self.tree.node(NodeId::ROOT).side);
        match self.step.as_ref().map(|step| &step.plan) {
            // Broken off, the halving has not compared like with like: visits over all of the tree's life decide.
            Some(Plan::Gumbel(halving)) if self.is_done() => {
                let root = gumbel::Root::new(&self.tree, &self.config.gumbel);
                select::choose(edges, side, |index| halving.rank(index, &root))
            }
            Some(Plan::Policy) => select::choose(edges, side, |index| self.tree.priors(NodeId::ROOT)[index]),
            Some(Plan::Gumbel(_) | Plan::Puct(_)) | None => self.most_visited(NodeId::ROOT),
        }
    }

    fn most_visited(&self, node: NodeId) -> usize {
        let (edges, priors, side) = (self.tree.edges(node), self.tree.priors(node), self.tree.node(node).side);
        let value = |edge: &Edge| edge.value().map_or(f32::MIN, |value| value.for_side(side));
        select::choose(edges, side, |index| {
            let edge = &edges[index];
            (edge.visits, value(edge), priors[index])
        })
    }

    pub(super) fn policy_at_root(&self) -> Vec<f32> {
        let (edges, side) = (self.tree.edges(NodeId::ROOT), self.tree.node(NodeId::ROOT).side);
        let priors = self.tree.priors(NodeId::ROOT);
        let mut policy = match (self.config.algorithm, self.step.as_ref().map(|step| &step.plan)) {
            (Algorithm::Gumbel, _) => gumbel::policy(&self.tree, NodeId::ROOT, &self.config.gumbel),
            (Algorithm::Puct, Some(Plan::Puct(Some(noise)))) => {
                let priors = puct::noisy_priors(priors, noise, &self.config.puct);
                puct::pruned_policy(&self.tree, &priors, &self.config.puct)
            }
            (Algorithm::Puct, _) => puct::policy(&self.tree, NodeId::ROOT),
            (Algorithm::Policy, _) => priors.to_vec(),
        };
        select::respect_proofs(&mut policy, edges, side);
        policy
    }

    pub(super) fn principal_variation(&self, best: usize) -> Vec<Action> {
        let (mut node, mut index) = (NodeId::ROOT, best);
        let mut line = Vec::new();
        loop {
            let edge = self.tree.node(node).edge(index);
            line.push(self.tree.action(edge));
            let Some(child) = self.tree.child(edge) else { return line };
            index = self.most_visited(child);
            let next = &self.tree.edges(child)[index];
            if next.visits == 0 && next.proof.is_none() {
                return line;
            }
            node = child;
        }
    }
}
