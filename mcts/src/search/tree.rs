//! The tree: one arena of nodes, and one of the edges that leave them. No position is kept; a simulation replays the
//! actions from the root.

use heng_env::{Action, Game, Side};

use super::solver::{Proof, prove};
use crate::evaluator::Evaluation;
use crate::value::{RedValue, RedWdl, Wdl};

/// Index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

/// Index of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeId(u32);

/// What is known about a node besides its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Knowledge {
    /// One legal action: nothing to decide, so nothing to evaluate.
    Forced,
    /// Not evaluated, and nobody has been asked.
    Fresh,
    /// Out for evaluation.
    Pending,
    /// The evaluator's answer.
    Evaluated(RedWdl),
}

/// A position that is not finished.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    first_edge: u32,
    edge_count: u32,
    /// The side that decides here.
    pub(super) side: Side,
    /// What is known.
    pub(super) knowledge: Knowledge,
}

/// What came of a legal action of a node. Sums are from red's point of view.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    win_sum: f64,
    loss_sum: f64,
    /// Simulations that went this way and came back.
    pub(super) visits: u32,
    /// Simulations that went this way and are still out.
    pub(super) in_flight: u32,
    child: Option<std::num::NonZeroU32>,
    /// The certain result, if it is known.
    pub(super) proof: Option<Proof>,
}

/// Bytes of memory that a legal action of a node takes.
pub(super) const EDGE_BYTES: usize = size_of::<Edge>() + size_of::<f32>() + size_of::<Action>();

/// One decision on the way from the root to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// Where it was made.
    pub(super) node: NodeId,
    /// What was chosen.
    pub(super) edge: EdgeId,
}

impl NodeId {
    /// The root of every tree.
    pub(super) const ROOT: NodeId = NodeId(0);
}

impl Node {
    /// The edge of the legal action with this index.
    pub(super) fn edge(&self, index: usize) -> EdgeId {
        debug_assert!(index < self.edge_count as usize);
        EdgeId(self.first_edge + index as u32)
    }

    fn edges(&self) -> std::ops::Range<usize> {
        let first = self.first_edge as usize;
        first..first + self.edge_count as usize
    }
}

impl Edge {
    /// Whether a simulation ever went this way. Most edges of a tree stay untouched, and they all look alike.
    pub(super) fn is_touched(&self) -> bool {
        self.visits != 0 || self.in_flight != 0 || self.proof.is_some()
    }

    /// Visits that came back and those still out. A leaf that is out counts as a visit but not as a value ("watch the
    /// unobserved", Liu et al. 2020): other simulations turn elsewhere, and no mean is bent by results that nobody has seen.
    pub(super) fn visits_begun(&self) -> u32 {
        self.visits + self.in_flight
    }

    /// The proven or mean result of the action; nothing if it was never seen.
    pub(super) fn value(&self) -> Option<RedValue> {
        match self.proof {
            Some(proof) => Some(proof.value()),
            None if self.visits == 0 => None,
            None => {
                let score = (self.win_sum - self.loss_sum) / f64::from(self.visits);
                Some(RedValue::from_side(score as f32, Side::Red))
            }
        }
    }

    /// Whether the action surely loses for `side`.
    pub(super) fn is_lost(&self, side: Side) -> bool {
        self.proof.is_some_and(|proof| proof.is_loss(side))
    }

    /// The same as chances.
    pub(super) fn chances(&self) -> Option<RedWdl> {
        match self.proof {
            Some(proof) => Some(proof.wdl()),
            None if self.visits == 0 => None,
            None => {
                let share = |sum: f64| (sum / f64::from(self.visits)) as f32;
                let (win, loss) = (share(self.win_sum), share(self.loss_sum));
                Some(RedWdl { win, draw: (1.0 - win - loss).max(0.0), loss })
            }
        }
    }

    fn add(&mut self, result: RedWdl) {
        self.visits += 1;
        self.win_sum += f64::from(result.win);
        self.loss_sum += f64::from(result.loss);
    }
}

/// What the edges of a node add up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Totals {
    /// Simulations that came back.
    pub(super) visits: u32,
    /// Simulations that came back or are still out.
    pub(super) visits_begun: u32,
    /// Mean of the node's own evaluation and of all visits; even chances if there is neither.
    pub(super) value: RedWdl,
}

/// The nodes reached from one root.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The evaluator's probabilities, parallel to the edges: a selection reads those of all edges of a node at once.
    priors: Vec<f32>,
    /// The legal actions, parallel to the edges.
    actions: Vec<Action>,
    root_proof: Option<Proof>,
    /// Memory for the legal actions of a new node.
    listed: Vec<Action>,
}

impl Tree {
    /// A tree of nothing but its root, which has no edges if the game is over.
    pub(super) fn new<G: Game>(root: &G) -> Tree {
        let mut tree = Tree { root_proof: root.outcome().map(Proof::of), ..Tree::default() };
        tree.push(root);
        tree
    }

    /// A tree whose root has only those edges that are among `actions`, and which of its legal actions those are.
    pub(super) fn among<G: Game>(root: &G, actions: &[Action]) -> (Tree, Vec<usize>) {
        let mut legal = Vec::new();
        root.legal_actions(&mut legal);
        let considered: Vec<usize> = (0..legal.len()).filter(|&index| actions.contains(&legal[index])).collect();
        let mut tree = Tree { root_proof: root.outcome().map(Proof::of), ..Tree::default() };
        tree.listed.extend(considered.iter().map(|&index| legal[index]));
        tree.push_listed(root.side_to_act());
        (tree, considered)
    }

    /// Makes room for `nodes` more with as many edges as the root has, so that a tree that grows to that is not moved.
    pub(super) fn reserve(&mut self, nodes: usize) {
        let edges = nodes * self.edges(NodeId::ROOT).len();
        self.nodes.reserve(nodes);
        self.edges.reserve(edges);
        self.priors.reserve(edges);
        self.actions.reserve(edges);
    }

    /// The certain result of the root, if it is known.
    pub(super) fn root_proof(&self) -> Option<Proof> {
        self.root_proof
    }

    /// A node.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The edges of a node, parallel to its legal actions.
    pub(super) fn edges(&self, id: NodeId) -> &[Edge] {
        &self.edges[self.node(id).edges()]
    }

    /// The evaluator's probability for each edge of a node; even ones before it has answered.
    pub(super) fn priors(&self, id: NodeId) -> &[f32] {
        &self.priors[self.node(id).edges()]
    }

    /// The legal actions of a node.
    pub(super) fn actions(&self, id: NodeId) -> &[Action] {
        &self.actions[self.node(id).edges()]
    }

    /// The action of an edge.
    pub(super) fn action(&self, id: EdgeId) -> Action {
        self.actions[id.0 as usize]
    }

    /// An edge.
    pub(super) fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// The node an edge leads to, if it is in the tree.
    pub(super) fn child(&self, id: EdgeId) -> Option<NodeId> {
        self.edge(id).child.map(|child| NodeId(child.get()))
    }

    /// Nodes in the tree.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes that nodes and edges take.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.edges.len() * EDGE_BYTES
    }

    /// The evaluator's answer for a node, if it has one.
    pub(super) fn evaluation(&self, id: NodeId) -> Option<RedWdl> {
        match self.node(id).knowledge {
            Knowledge::Evaluated(wdl) => Some(wdl),
            _ => None,
        }
    }

    /// Sums over the edges of a node.
    pub(super) fn totals(&self, id: NodeId) -> Totals {
        let (mut visits, mut in_flight, mut win, mut loss) = (0, 0, 0.0, 0.0);
        for edge in self.edges(id) {
            visits += edge.visits;
            in_flight += edge.in_flight;
            win += edge.win_sum;
            loss += edge.loss_sum;
        }
        let mut count = f64::from(visits);
        if let Some(wdl) = self.evaluation(id) {
            count += 1.0;
            win += f64::from(wdl.win);
            loss += f64::from(wdl.loss);
        }
        let value = if count == 0.0 {
            Wdl::EVEN.to_red(Side::Red)
        } else {
            let (win, loss) = (win / count, loss / count);
            RedWdl { win: win as f32, draw: (1.0 - win - loss).max(0.0) as f32, loss: loss as f32 }
        };
        Totals { visits, visits_begun: visits + in_flight, value }
    }

    /// Adds the position that an edge leads to, which is not finished.
    pub(super) fn expand<G: Game>(&mut self, edge: EdgeId, position: &G) -> NodeId {
        let child = self.push(position);
        self.edges[edge.0 as usize].child = std::num::NonZeroU32::new(child.0);
        child
    }

    /// Notes that an edge ends the game.
    pub(super) fn prove_edge(&mut self, edge: EdgeId, proof: Proof) {
        self.edges[edge.0 as usize].proof = Some(proof);
    }

    /// The index of an action among those of a node.
    pub(super) fn index_of(&self, node: NodeId, action: Action) -> Option<usize> {
        self.actions(node).binary_search(&action).ok()
    }

    /// Notes the result of those edges of a node that are among `actions`; what was proven before stays.
    pub(super) fn prove_edges(&mut self, node: NodeId, actions: &[Action], proof: Proof) {
        for &action in actions {
            if let Some(index) = self.index_of(node, action) {
                let edge = self.node(node).edge(index);
                self.edges[edge.0 as usize].proof.get_or_insert(proof);
            }
        }
    }

    /// Draws the conclusion from what the root's edges prove.
    pub(super) fn prove_root(&mut self) {
        let proof = prove(self.edges(NodeId::ROOT), self.node(NodeId::ROOT).side);
        self.root_proof = self.root_proof.or(proof);
    }

    /// Notes that a node and the way to it are out for evaluation.
    pub(super) fn send(&mut self, path: &[Hop], node: NodeId) {
        self.nodes[node.0 as usize].knowledge = Knowledge::Pending;
        for hop in path {
            self.edges[hop.edge.0 as usize].in_flight += 1;
        }
    }

    /// Takes the answer for a node that was out, and lets its value climb.
    pub(super) fn receive(&mut self, path: &[Hop], id: NodeId, evaluation: &Evaluation) {
        let wdl = usable_wdl(evaluation.wdl).to_red(self.node(id).side);
        let node = &mut self.nodes[id.0 as usize];
        node.knowledge = Knowledge::Evaluated(wdl);
        let range = node.edges();
        write_priors(&mut self.priors[range], &evaluation.priors);
        for hop in path {
            self.edges[hop.edge.0 as usize].in_flight -= 1;
        }
        self.record(path, wdl);
    }

    /// Adds one visit with `result` to every edge of `path`, whose last edge may have been proven. Where a proof climbs, the
    /// proven result climbs in place of the simulated one.
    pub(super) fn record(&mut self, path: &[Hop], result: RedWdl) {
        let mut result = result;
        let mut proof = None;
        for hop in path.iter().rev() {
            let edge = &mut self.edges[hop.edge.0 as usize];
            edge.proof = edge.proof.or(proof);
            if let Some(proof) = edge.proof {
                result = proof.wdl();
            }
            edge.add(result);
            let is_proven = edge.proof.is_some();
            proof = is_proven.then(|| prove(self.edges(hop.node), self.node(hop.node).side)).flatten();
        }
        self.root_proof = self.root_proof.or(proof);
    }

    /// Forgets which nodes are out for evaluation.
    pub(super) fn recall(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.knowledge == Knowledge::Pending) {
            node.knowledge = Knowledge::Fresh;
        }
        for edge in &mut self.edges {
            edge.in_flight = 0;
        }
    }

    /// A copy of what lies behind an edge of the root, without gaps; nothing if there is no node.
    pub(super) fn subtree(&self, edge: EdgeId) -> Option<Tree> {
        let mut kept = Tree { root_proof: self.edge(edge).proof, ..Tree::default() };
        // Node i of the copy is node sources[i] here: breadth first, so children come after their parents.
        let mut sources = vec![self.child(edge)?];
        while kept.nodes.len() < sources.len() {
            let source = sources[kept.nodes.len()];
            let first_edge = index_of_next(&kept.edges);
            kept.priors.extend_from_slice(self.priors(source));
            kept.actions.extend_from_slice(self.actions(source));
            for edge in self.edges(source) {
                let child = edge.child.map(|child| {
                    sources.push(NodeId(child.get()));
                    std::num::NonZeroU32::new(sources.len() as u32 - 1).expect("a child is never the root")
                });
                kept.edges.push(Edge { child, ..*edge });
            }
            kept.nodes.push(Node { first_edge, ..*self.node(source) });
        }
        Some(kept)
    }

    fn push<G: Game>(&mut self, position: &G) -> NodeId {
        position.legal_actions(&mut self.listed);
        self.push_listed(position.side_to_act())
    }

    /// Adds a node of `side` with the actions that are listed.
    fn push_listed(&mut self, side: Side) -> NodeId {
        let count = self.listed.len();
        let node = Node {
            first_edge: index_of_next(&self.edges),
            edge_count: count as u32,
            side,
            knowledge: if count == 1 { Knowledge::Forced } else { Knowledge::Fresh },
        };
        let edges = self.edges.len() + count;
        self.edges.resize(edges, Edge::default());
        self.priors.resize(edges, 1.0 / count as f32);
        self.actions.extend_from_slice(&self.listed);
        let id = NodeId(index_of_next(&self.nodes));
        self.nodes.push(node);
        id
    }
}

fn index_of_next<T>(arena: &[T]) -> u32 {
    u32::try_from(arena.len()).expect("a tree of more than 2^32 edges does not fit into memory")
}

/// An evaluator that diverged answers with numbers that are none; they must not spoil the sums of the whole tree.
fn usable_wdl(wdl: Wdl) -> Wdl {
    if (wdl.win + wdl.draw + wdl.loss).is_finite() { wdl } else { Wdl::EVEN }
}

/// Copies the priors, made to sum to one. Even ones stay where the answer says nothing.
fn write_priors(priors: &mut [f32], answered: &[f32]) {
    let says_nothing = answered.is_empty();
    assert!(
        says_nothing || answered.len() == priors.len(),
        "an evaluation has one prior for each legal action, or none"
    );
    let sum: f32 = if says_nothing { &*priors } else { answered }.iter().sum();
    if sum.is_finite() && sum > 0.0 && answered.iter().all(|&prior| prior >= 0.0) {
        if !says_nothing {
            priors.copy_from_slice(answered);
        }
        priors.iter_mut().for_each(|prior| *prior /= sum);
    }
}
