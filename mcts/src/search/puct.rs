//! PUCT selection (Silver et al. 2018) with first-play urgency.

use super::config::PuctConfig;
use super::noise;
use super::select::argmax;
use super::tree::{Edge, NodeId, Tree};
use heng_env::{Rng, Side};

/// The edge of `node` that the next simulation follows. Proven losses are never followed while anything else is left.
pub(super) fn select(tree: &Tree, node: NodeId, config: &PuctConfig) -> usize {
    argmax(Scores::new(tree, node, tree.priors(node), config).of_edges()).unwrap_or(0)
}

/// The same at the root, where `priors` with noise stand in for those of the edges. An edge that lags behind its forced
/// playouts comes first, the one that lags most.
pub(super) fn select_with_noise(tree: &Tree, priors: &[f32], config: &PuctConfig) -> usize {
    let scores = Scores::new(tree, NodeId::ROOT, priors, config);
    let lag = |(edge, prior): (&Edge, &f32)| {
        let is_open = edge.visits_begun() > 0 && edge.proof.is_none();
        let lag = scores.forced(*prior) - edge.visits_begun() as f32;
        (is_open && lag > 0.0).then_some(lag)
    };
    let forced = if config.forced_playouts > 0.0 { argmax(scores.edges.iter().zip(priors).map(lag)) } else { None };
    forced.or_else(|| argmax(scores.of_edges())).unwrap_or(0)
}

/// What the scores of a node's edges are made of.
struct Scores<'a> {
    edges: &'a [Edge],
    priors: &'a [f32],
    side: Side,
    unseen_value: f32,
    /// Of a prior against a value.
    weight: f32,
    /// Of all edges.
    visits: f32,
    forced_playouts: f32,
}

impl<'a> Scores<'a> {
    fn new(tree: &'a Tree, node: NodeId, priors: &'a [f32], config: &PuctConfig) -> Scores<'a> {
        let (edges, side, totals) = (tree.edges(node), tree.node(node).side, tree.totals(node));
        let is_seen = |edge: &Edge| edge.value().is_some() && !edge.is_lost(side);
        let seen: f32 = edges.iter().zip(priors).filter(|(edge, _)| is_seen(edge)).map(|(_, prior)| prior).sum();
        let unseen_value = totals.value.to_side(side).score() - config.first_play_reduction * seen.sqrt();
        let visits = totals.visits_begun as f32;
        let growth = ((visits + config.exploration_base + 1.0) / config.exploration_base).ln();
        // At the first visit the priors alone must decide, hence at least one.
        let weight = (config.exploration + growth) * visits.max(1.0).sqrt();
        Scores { edges, priors, side, unseen_value, weight, visits, forced_playouts: config.forced_playouts }
    }

    /// The score of each edge; none of a proven loss.
    fn of_edges(&self) -> impl Iterator<Item = Option<f32>> {
        self.edges.iter().zip(self.priors).map(|(edge, prior)| {
            if !edge.is_touched() {
                return Some(self.unseen_value + self.weight * prior);
            }
            (!edge.is_lost(self.side)).then(|| self.of_visited(edge, *prior))
        })
    }

    fn of_visited(&self, edge: &Edge, prior: f32) -> f32 {
        self.value(edge) + self.weight * prior / (1 + edge.visits_begun()) as f32
    }

    fn value(&self, edge: &Edge) -> f32 {
        edge.value().map_or(self.unseen_value, |value| value.for_side(self.side))
    }

    /// The visits that an edge with this prior gets whatever its value.
    fn forced(&self, prior: f32) -> f32 {
        (self.forced_playouts * prior * self.visits).sqrt()
    }

    /// The visits of an edge less those that it was forced to, as far as its score stays below `best`, that of the most
    /// visited edge; none if that leaves a single one.
    fn unforced_visits(&self, edge: &Edge, prior: f32, best: f32) -> f32 {
        let visits = edge.visits as f32;
        let gap = best - self.value(edge);
        if gap <= 0.0 {
            return visits;
        }
        // With so many visits its score is the best one.
        let equal = self.weight * prior / gap - 1.0;
        let least = (visits - self.forced(prior).ceil()).max((equal + 1.0).floor()).max(0.0);
        match least < visits {
            true if least <= 1.0 => 0.0,
            true => least,
            false => visits,
        }
    }
}

/// The root's priors mixed with Dirichlet noise.
pub(super) fn noisy_priors(priors: &[f32], noise: &[f32], config: &PuctConfig) -> Vec<f32> {
    let mix = |(prior, noise): (&f32, &f32)| prior + config.noise_fraction * (noise - prior);
    priors.iter().zip(noise).map(mix).collect()
}

/// Dirichlet noise for a root with `count` actions.
pub(super) fn root_noise(count: usize, config: &PuctConfig, rng: &mut Rng) -> Vec<f32> {
    noise::dirichlet(count, config.noise_total, rng)
}

/// The training target: visits, or the priors if there are none.
pub(super) fn policy(tree: &Tree, node: NodeId) -> Vec<f32> {
    let (edges, total) = (tree.edges(node), tree.totals(node).visits);
    match total {
        0 => tree.priors(node).to_vec(),
        _ => edges.iter().map(|edge| edge.visits as f32 / total as f32).collect(),
    }
}

/// The training target of a root that was searched with these noisy `priors`, without the visits that were forced.
pub(super) fn pruned_policy(tree: &Tree, priors: &[f32], config: &PuctConfig) -> Vec<f32> {
    let edges = tree.edges(NodeId::ROOT);
    let scores = Scores::new(tree, NodeId::ROOT, priors, config);
    let most = argmax(edges.iter().map(|edge| (edge.visits > 0).then_some(edge.visits)));
    let Some(most) = most.filter(|_| config.forced_playouts > 0.0) else { return policy(tree, NodeId::ROOT) };
    let best = scores.of_visited(&edges[most], priors[most]);
    let kept = |(index, edge): (usize, &Edge)| match index == most {
        true => edge.visits as f32,
        false => scores.unforced_visits(edge, priors[index], best),
    };
    let kept: Vec<f32> = edges.iter().enumerate().map(kept).collect();
    let total: f32 = kept.iter().sum();
    kept.into_iter().map(|visits| visits / total).collect()
}
