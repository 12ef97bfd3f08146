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
    /// The transformation at a node.
    pub(super) fn new(tree: &Tree, node: NodeId, config: &GumbelConfig) -> ValueTransform {
        let (edges, side) = (tree.edges(node), tree.node(node).side);
        let own = tree.evaluation(node).unwrap_or_else(|| tree.totals(node).value);
        let own = win_share(own.value(), side);
        let (mut visits, mut most, mut prior_sum, mut value_sum) = (0, 0, 0.0, 0.0);
        for edge in edges {
            visits += edge.visits;
            most = most.max(edge.visits);
            if let Some(value) = edge.value() {
                prior_sum += edge.prior;
                value_sum += edge.prior * win_share(value, side);
            }
        }
        let of_edges = if prior_sum > 0.0 { value_sum / prior_sum } else { own };
        let mixed_value = (own + visits as f32 * of_edges) / (1 + visits) as f32;
        ValueTransform { side, mixed_value, scale: (config.visit_offset + most as f32) * config.value_scale }
    }

    /// The transformed, completed value of an edge.
    pub(super) fn of(&self, edge: &Edge) -> f32 {
        edge.value().map_or(self.of_unseen(), |value| self.scale * win_share(value, self.side))
    }

    /// The same for every edge without a visit.
    fn of_unseen(&self) -> f32 {
        self.scale * self.mixed_value
    }
}

/// What the values of a node's edges multiply their priors by. Most edges were never visited and share one factor, which
/// spares most of the exponentials.
struct Factors {
    transform: ValueTransform,
    top: f32,
    unseen: f32,
}

impl Factors {
    fn new<'a>(transform: ValueTransform, edges: impl Iterator<Item = &'a Edge>) -> Factors {
        let top = edges.map(|edge| transform.of(edge)).fold(f32::MIN, f32::max);
        Factors { transform, top, unseen: (transform.of_unseen() - top).exp() }
    }

    fn of(&self, edge: &Edge) -> f32 {
        if edge.visits == 0 && edge.proof.is_none() { self.unseen } else { (self.transform.of(edge) - self.top).exp() }
    }
}

/// 0 for a loss of `side`, 1 for a win.
fn win_share(value: RedValue, side: Side) -> f32 {
    (value.for_side(side) + 1.0) / 2.0
}

/// The improved policy `softmax(logits + σ(completed values))`, the training target.
pub(super) fn policy(tree: &Tree, node: NodeId, config: &GumbelConfig) -> Vec<f32> {
    let (edges, transform) = (tree.edges(node), ValueTransform::new(tree, node, config));
    let factors = Factors::new(transform, edges.iter());
    let mut weights: Vec<f32> = edges.iter().map(|edge| edge.prior * factors.of(edge)).collect();
    let sum: f32 = weights.iter().sum();
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    } else {
        weights.copy_from_slice(&edges.iter().map(|edge| edge.prior).collect::<Vec<_>>());
    }
    weights
}

/// The edge that the next simulation follows below the root: the one whose share of the visits lags furthest behind the
/// improved policy (equation 14). Proven losses are never followed while anything else is left.
pub(super) fn select(tree: &Tree, node: NodeId, config: &GumbelConfig) -> usize {
    let (edges, side) = (tree.edges(node), tree.node(node).side);
    let open = || edges.iter().filter(|edge| !edge.is_lost(side));
    let factors = Factors::new(ValueTransform::new(tree, node, config), open());
    let weight = |edge: &Edge| edge.prior * factors.of(edge);
    let sum = open().map(weight).sum::<f32>().max(f32::MIN_POSITIVE);
    let visits = (1 + edges.iter().map(Edge::visits_begun).sum::<u32>()) as f32;
    argmax(edges.iter().map(|edge| {
        let lag = || weight(edge) / sum - edge.visits_begun() as f32 / visits;
        (!edge.is_lost(side)).then(lag)
    }))
    .unwrap_or(0)
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
        let edges = tree.edges(NodeId::ROOT);
        let transform = ValueTransform::new(tree, NodeId::ROOT, config);
        if self.left_in_phase == 0 {
            if in_flight > 0 {
                return None;
            }
            self.begin_phase(edges, &transform, config);
        }
        // What is proven has its exact value and needs no more simulations.
        self.considered.retain(|&index| edges[index].proof.is_none());
        if self.considered.is_empty() {
            self.considered = (0..edges.len()).filter(|&index| edges[index].proof.is_none()).collect();
            self.keep_best(2, edges, &transform);
        }
        let fewest = self.considered.iter().map(|&index| self.sent[index]).min()?;
        let score =
            |index: &usize| (self.sent[*index] == fewest).then(|| self.score(*index, &edges[*index], &transform));
        argmax(self.considered.iter().map(score)).map(|place| self.considered[place])
    }

    /// Counts a simulation that has begun at an action.
    pub(super) fn count(&mut self, index: usize) {
        self.sent[index] += 1;
        self.left_in_phase = self.left_in_phase.saturating_sub(1);
    }

    /// What makes one action of the root better than another in the end: simulations survived, then the score. A proven
    /// action has survived everything.
    pub(super) fn rank(&self, index: usize, edge: &Edge, transform: &ValueTransform) -> (u32, f32) {
        let survived = match edge.proof {
            Some(_) => self.sent.iter().copied().max().unwrap_or(0),
            None => self.sent[index],
        };
        (survived, self.score(index, edge, transform))
    }

    fn begin_phase(&mut self, edges: &[Edge], transform: &ValueTransform, config: &GumbelConfig) {
        let is_first = self.sent.iter().all(|&sent| sent == 0);
        let keep = if is_first { config.considered as usize } else { (self.considered.len() / 2).max(2) };
        self.keep_best(keep, edges, transform);
        let count = self.considered.len() as u32;
        self.left_in_phase = count * (self.simulations / (self.phases * count)).max(1);
    }

    fn keep_best(&mut self, count: usize, edges: &[Edge], transform: &ValueTransform) {
        let mut considered = std::mem::take(&mut self.considered);
        let score = |&index: &usize| self.score(index, &edges[index], transform);
        // A stable sort: equals stay in the order of the legal actions.
        considered.sort_by(|a, b| score(b).total_cmp(&score(a)));
        considered.truncate(count);
        considered.sort_unstable();
        self.considered = considered;
    }

    fn score(&self, index: usize, edge: &Edge, transform: &ValueTransform) -> f32 {
        // A prior of zero is a very small one, so that noise and values can still tell such actions apart.
        self.noise[index] + edge.prior.max(f32::MIN_POSITIVE).ln() + transform.of(edge)
    }
}
