//! Gumbel AlphaZero (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"): sequential halving at the root,
//! values completed where nothing was visited, and deterministic selection below the root.

use heng_env::Side;

use super::config::GumbelConfig;
use super::select::argmax;
use super::tree::{Edge, NodeId, Tree};
use crate::value::RedValue;

/// The monotone transformation of the values of a node's edges to the scale of its logits (σ in the paper), where an edge
/// without a visit has the value of the node (`v_mix`, equation 33).
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueTransform {
    side: Side,
    mixed_value: f32,
    scale: f32,
}

impl ValueTransform {
    /// The transformation at a node. On the way it shows `visit` every edge that was touched, with its index and its value
    /// as the share of a win of the side that decides.
    pub(super) fn new(
        tree: &Tree,
        node: NodeId,
        config: &GumbelConfig,
        mut visit: impl FnMut(usize, &Edge, Option<f32>),
    ) -> ValueTransform {
        let (edges, priors, side) = (tree.edges(node), tree.priors(node), tree.node(node).side);
        let own = tree.evaluation(node).unwrap_or_else(|| tree.totals(node).value);
        let own = win_share(own.value(), side);
        let (mut visits, mut most, mut prior_sum, mut value_sum) = (0, 0, 0.0, 0.0);
        for (index, (edge, prior)) in edges.iter().zip(priors).enumerate().filter(|(_, (edge, _))| edge.is_touched()) {
            let share = edge.value().map(|value| win_share(value, side));
            most = most.max(edge.visits);
            // What surely loses is never played while anything else is left, so it says nothing about the node.
            if let Some(share) = share.filter(|_| !edge.is_lost(side)) {
                visits += edge.visits;
                prior_sum += prior;
                value_sum += prior * share;
            }
            visit(index, edge, share);
        }
        let of_edges = if prior_sum > 0.0 { value_sum / prior_sum } else { own };
        let mixed_value = (own + visits as f32 * of_edges) / (1 + visits) as f32;
        ValueTransform { side, mixed_value, scale: (config.visit_offset + most as f32) * config.value_scale }
    }

    /// The transformed, completed value of an edge.
    pub(super) fn of(&self, edge: &Edge) -> f32 {
        self.of_share(edge.value().map(|value| win_share(value, self.side)))
    }

    fn of_share(&self, share: Option<f32>) -> f32 {
        self.scale * share.unwrap_or(self.mixed_value)
    }
}

/// 0 for a loss of `side`, 1 for a win.
fn win_share(value: RedValue, side: Side) -> f32 {
    (value.for_side(side) + 1.0) / 2.0
}

/// The improved policy `softmax(logits + σ(completed values))`, the training target.
pub(super) fn policy(tree: &Tree, node: NodeId, config: &GumbelConfig) -> Vec<f32> {
    let transform = ValueTransform::new(tree, node, config, |_, _, _| ());
    let values: Vec<f32> = tree.edges(node).iter().map(|edge| transform.of(edge)).collect();
    let top = values.iter().copied().fold(f32::MIN, f32::max);
    let weigh = |(prior, value): (&f32, &f32)| prior * (value - top).exp();
    let mut weights: Vec<f32> = tree.priors(node).iter().zip(&values).map(weigh).collect();
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    } else {
        weights.copy_from_slice(tree.priors(node));
    }
    weights
}

/// Chooses below the root. Keeps its memory between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Selector {
    /// One for each edge of the node.
    scores: Vec<f32>,
    /// What there is to say about the edges that were touched; all others look alike.
    touched: Vec<Touched>,
}

/// An edge that a simulation went along, or a proof.
#[derive(Clone, Copy, Debug)]
struct Touched {
    index: usize,
    visits_begun: u32,
    is_lost: bool,
    /// Its value, as the share of a win.
    share: Option<f32>,
}

impl Selector {
    /// The edge that the next simulation follows below the root: the one whose share of the visits lags furthest behind the
    /// improved policy (equation 14). Proven losses are never followed while anything else is left.
    pub(super) fn select(&mut self, tree: &Tree, node: NodeId, config: &GumbelConfig) -> usize {
        let Selector { scores, touched } = self;
        let (priors, side) = (tree.priors(node), tree.node(node).side);
        touched.clear();
        let transform = ValueTransform::new(tree, node, config, |index, edge, share| {
            let (visits_begun, is_lost) = (edge.visits_begun(), edge.is_lost(side));
            touched.push(Touched { index, visits_begun, is_lost, share });
        });
        weigh(scores, priors, touched, &transform);
        let sum = scores.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        scores.iter_mut().for_each(|score| *score /= sum);
        let visits = (1 + touched.iter().map(|edge| edge.visits_begun).sum::<u32>()) as f32;
        for edge in touched {
            match edge.is_lost {
                true => scores[edge.index] = f32::NEG_INFINITY,
                false => scores[edge.index] -= edge.visits_begun as f32 / visits,
            }
        }
        argmax(scores.iter().copied().map(Some)).unwrap_or(0)
    }
}

/// Makes `weights` the improved policy over all edges that are not lost, not yet divided by its sum.
fn weigh(weights: &mut Vec<f32>, priors: &[f32], touched: &[Touched], transform: &ValueTransform) {
    let unseen = transform.of_share(None);
    let top_of_others = if touched.len() < priors.len() { unseen } else { f32::MIN };
    let open = touched.iter().filter(|edge| !edge.is_lost);
    let top = open.map(|edge| transform.of_share(edge.share)).fold(top_of_others, f32::max);
    // All edges without a value share one exponential.
    let factor = (unseen - top).exp();
    weights.clear();
    weights.extend(priors.iter().map(|prior| prior * factor));
    for edge in touched {
        if edge.is_lost {
            weights[edge.index] = 0.0;
        } else if edge.share.is_some() {
            weights[edge.index] = priors[edge.index] * (transform.of_share(edge.share) - top).exp();
        }
    }
}

/// What the scores of the root's actions are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root<'a> {
    edges: &'a [Edge],
    priors: &'a [f32],
    transform: ValueTransform,
}

impl<'a> Root<'a> {
    /// As the tree knows them now.
    pub(super) fn new(tree: &'a Tree, config: &GumbelConfig) -> Root<'a> {
        let transform = ValueTransform::new(tree, NodeId::ROOT, config, |_, _, _| ());
        Root { edges: tree.edges(NodeId::ROOT), priors: tree.priors(NodeId::ROOT), transform }
    }
}

/// Sequential halving over the actions of the root.
///
/// The budget is divided into phases. Each gives all actions that are still considered the same number of new
/// simulations, then the worse half is dropped, down to two. An action's score is `Gumbel noise + logit + σ(value)`.
#[derive(Clone, Debug)]
pub(super) struct SequentialHalving {
    noise: Vec<f32>,
    simulations: u32,
    phases: u32,
    considered: Vec<usize>,
    left_in_phase: u32,
    sent: Vec<u32>,
}

impl SequentialHalving {
    /// Starts over a root with one number of `noise` for each action; all zero in match play.
    pub(super) fn new(noise: Vec<f32>, simulations: u32, config: &GumbelConfig) -> SequentialHalving {
        let count = noise.len();
        let considered = count.min(config.considered as usize);
        let phases = (considered as f32).log2().ceil().max(1.0) as u32;
        let everything = (0..count).collect();
        SequentialHalving { noise, simulations, phases, considered: everything, left_in_phase: 0, sent: vec![0; count] }
    }

    /// The action of the next simulation; nothing while a phase has to wait for leaves that are `in_flight`.
    pub(super) fn next(&mut self, tree: &Tree, in_flight: u32, config: &GumbelConfig) -> Option<usize> {
        let root = Root::new(tree, config);
        // What is proven has its exact value and needs no more simulations.
        self.considered.retain(|&index| root.edges[index].proof.is_none());
        if self.considered.is_empty() {
            self.considered = (0..root.edges.len()).filter(|&index| root.edges[index].proof.is_none()).collect();
            self.keep_best(2, &root);
        }
        if self.left_in_phase == 0 {
            if in_flight > 0 {
                return None;
            }
            self.begin_phase(&root, config);
        }
        let fewest = self.considered.iter().map(|&index| self.sent[index]).min()?;
        let score = |&index: &usize| (self.sent[index] == fewest).then(|| self.score(index, &root));
        argmax(self.considered.iter().map(score)).map(|place| self.considered[place])
    }

    /// Counts a simulation that has begun at an action.
    pub(super) fn count(&mut self, index: usize) {
        self.sent[index] += 1;
        self.left_in_phase = self.left_in_phase.saturating_sub(1);
    }

    /// What makes one action of the root better than another in the end: simulations survived, then the score. A proven
    /// action has survived everything.
    pub(super) fn rank(&self, index: usize, root: &Root<'_>) -> (u32, f32) {
        let survived = match root.edges[index].proof {
            Some(_) => self.sent.iter().copied().max().unwrap_or(0),
            None => self.sent[index],
        };
        (survived, self.score(index, root))
    }

    fn begin_phase(&mut self, root: &Root<'_>, config: &GumbelConfig) {
        let is_first = self.sent.iter().all(|&sent| sent == 0);
        let keep = if is_first { config.considered as usize } else { (self.considered.len() / 2).max(2) };
        self.keep_best(keep, root);
        let count = self.considered.len() as u32;
        self.left_in_phase = count * (self.simulations / (self.phases * count)).max(1);
    }

    fn keep_best(&mut self, count: usize, root: &Root<'_>) {
        let scored = self.considered.iter().map(|&index| (index, self.score(index, root)));
        let mut scored: Vec<(usize, f32)> = scored.collect();
        // A stable sort: equals stay in the order of the legal actions.
        scored.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        self.considered.clear();
        self.considered.extend(scored.iter().take(count).map(|&(index, _)| index));
        self.considered.sort_unstable();
    }

    fn score(&self, index: usize, root: &Root<'_>) -> f32 {
        // A prior of zero is a very small one, so that noise and values can still tell such actions apart.
        self.noise[index] + root.priors[index].max(f32::MIN_POSITIVE).ln() + root.transform.of(&root.edges[index])
    }
}
