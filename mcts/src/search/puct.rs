//! PUCT selection (Silver et al. 2018) with first-play urgency.

use super::config::PuctConfig;
use super::noise;
use super::select::argmax;
use super::tree::{NodeId, Tree};
use heng_env::Rng;

/// The edge of `node` that the next simulation follows. `priors` stand in for those of the edges, if given (the root's,
/// with noise). Proven losses are never followed while anything else is left.
pub(super) fn select(tree: &Tree, node: NodeId, priors: Option<&[f32]>, config: &PuctConfig) -> usize {
    let (edges, side, totals) = (tree.edges(node), tree.node(node).side, tree.totals(node));
    let priors = priors.unwrap_or(tree.priors(node));
    let seen: f32 = edges.iter().zip(priors).filter(|(edge, _)| edge.value().is_some()).map(|(_, prior)| prior).sum();
    let unseen_value = totals.value.to_side(side).score() - config.first_play_reduction * seen.sqrt();
    let visits = totals.visits_begun as f32;
    let growth = ((visits + config.exploration_base + 1.0) / config.exploration_base).ln();
    // At the first visit the priors alone must decide, hence at least one.
    let weight = (config.exploration + growth) * visits.max(1.0).sqrt();
    argmax(edges.iter().zip(priors).map(|(edge, prior)| {
        if !edge.is_touched() {
            return Some(unseen_value + weight * prior);
        }
        let value = edge.value().map_or(unseen_value, |value| value.for_side(side));
        (!edge.is_lost(side)).then(|| value + weight * prior / (1 + edge.visits_begun()) as f32)
    }))
    .unwrap_or(0)
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
