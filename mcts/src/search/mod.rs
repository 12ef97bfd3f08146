//! Tree search without input or output: it hands out positions to evaluate, takes the answers back, and never calls an
//! evaluator itself. So one caller can run one search or batch the leaves of hundreds.
//!
//! ```text
//! search.begin(rng) -> { next_leaf() -> evaluate -> complete() } until is_done() -> choose(rng) -> advance(action) -> …
//! ```

mod config;
mod gumbel;
mod noise;
mod puct;
mod result;
mod select;
mod solver;
mod tree;

#[cfg(test)]
mod tests;

pub use config::{Algorithm, GumbelConfig, PuctConfig, SearchConfig, SearchConfigError, UnknownAlgorithm};
pub use result::SearchResult;
pub use solver::Proof;

use heng_env::{Action, Game, Rng};

use crate::evaluator::Evaluation;
use gumbel::{SequentialHalving, ValueTransform};
use tree::{Edge, Hop, Knowledge, NodeId, Tree};

/// Bytes of memory that a tree takes for each legal action of a node; the node itself comes on top.
pub const EDGE_BYTES: usize = size_of::<Edge>();

/// The search for the best next step of one game.
///
/// A step's budget counts new simulations: visits in a subtree that was kept come on top. Nothing is spent where
/// nothing can change: a root with one legal action, or with a proven result, is done at once; positions with one legal
/// action are passed through inside the tree without an evaluation; finished games evaluate themselves. The evaluation of the
/// root is not counted.
#[derive(Clone, Debug)]
pub struct Search<G> {
    config: SearchConfig,
    root: G,
    tree: Tree,
    step: Option<Step>,
    /// Leaves handed out and not yet answered.
    in_flight: u32,
    /// Leaves of an earlier epoch belong to a tree that is gone.
    epoch: u64,
    /// Memory of simulations that are over, for the next ones.
    spare: Vec<(G, Vec<Hop>)>,
}

/// A position that waits for its evaluation. Dropping it instead of completing it leaves its place in the tree blocked
/// until [`Search::begin`] or [`Search::advance`].
#[derive(Debug)]
pub struct Leaf<G> {
    position: G,
    node: NodeId,
    path: Vec<Hop>,
    epoch: u64,
}

impl<G> Leaf<G> {
    /// What to evaluate; never a finished game.
    pub fn position(&self) -> &G {
        &self.position
    }
}

/// The progress of one step's search.
#[derive(Clone, Debug)]
struct Step {
    plan: Plan,
    begun: u32,
    finished: u32,
}

/// How simulations choose at the root.
#[derive(Clone, Debug)]
enum Plan {
    Gumbel(SequentialHalving),
    /// With the Dirichlet noise to mix into the priors, if any.
    Puct(Option<Vec<f32>>),
    Policy,
}

/// How a simulation went.
enum Simulation<G> {
    Needs(Leaf<G>),
    Finished,
    /// It met a leaf that is still out.
    Blocked,
}

impl<G: Game> Search<G> {
    /// A search at `root` that has not begun.
    pub fn new(root: G, config: SearchConfig) -> Search<G> {
        let tree = Tree::new(&root);
        Search { config, root, tree, step: None, in_flight: 0, epoch: 0, spare: Vec::new() }
    }

    /// The position to choose a step in.
    pub fn root(&self) -> &G {
        &self.root
    }

    /// The settings.
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Nodes in the tree.
    pub fn tree_size(&self) -> usize {
        self.tree.len()
    }

    /// Begins the search for the next step with a full budget and, if the settings explore, new noise. All random numbers
    /// of the search are drawn here. What the tree knows already is kept; leaves still out are forgotten.
    pub fn begin(&mut self, rng: &mut Rng) {
        self.recall();
        let count = self.tree.edges(NodeId::ROOT).len();
        let explore = self.config.explore && count > 1;
        let plan = match self.config.algorithm {
            Algorithm::Gumbel => {
                let noise = if explore { noise::gumbel(count, rng) } else { vec![0.0; count] };
                Plan::Gumbel(SequentialHalving::new(noise, self.config.simulations, &self.config.gumbel))
            }
            Algorithm::Puct => Plan::Puct(explore.then(|| puct::root_noise(count, &self.config.puct, rng))),
            Algorithm::Policy => Plan::Policy,
        };
        self.step = Some(Step { plan, begun: 0, finished: 0 });
    }

    /// Whether there is nothing left to search: the budget is spent, the root is forced, proven or finished, or no search
    /// has begun.
    pub fn is_done(&self) -> bool {
        let Some(step) = &self.step else { return true };
        if self.tree.root_proof().is_some() || self.tree.edges(NodeId::ROOT).len() < 2 {
            return true;
        }
        let is_spent = matches!(step.plan, Plan::Policy) || step.finished >= self.config.simulations;
        is_spent && self.tree.evaluation(NodeId::ROOT).is_some()
    }

    /// The next position to evaluate. `None`: the search is done, or has to see the answers to leaves that are out before
    /// it can go on. A position that is out is never handed out again.
    pub fn next_leaf(&mut self) -> Option<Leaf<G>> {
        while !self.is_done() && self.in_flight < self.config.leaves_in_flight.max(1) {
            match self.tree.node(NodeId::ROOT).knowledge {
                Knowledge::Fresh => return Some(self.send(self.root.clone(), NodeId::ROOT, Vec::new())),
                Knowledge::Pending => return None,
                Knowledge::Forced | Knowledge::Evaluated(_) => {}
            }
            let index = self.select_at_root()?;
            match self.simulate(index) {
                Simulation::Needs(leaf) => return Some(leaf),
                Simulation::Finished => {}
                Simulation::Blocked => return None,
            }
        }
        None
    }

    /// Takes the answer to a leaf. A leaf of a search that has been left since is ignored.
    ///
    /// # Panics
    /// If there is not one prior for each legal action.
    pub fn complete(&mut self, leaf: Leaf<G>, evaluation: &Evaluation) {
        if leaf.epoch != self.epoch {
            return;
        }
        self.in_flight -= 1;
        self.tree.receive(&leaf.path, leaf.node, evaluation);
        if let Some(step) = self.step.as_mut().filter(|_| !leaf.path.is_empty()) {
            step.finished += 1;
        }
        self.spare.push((leaf.position, leaf.path));
    }

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
            actions: edges.iter().map(|edge| edge.action).collect(),
            priors: edges.iter().map(|edge| edge.prior).collect(),
            visits: edges.iter().map(|edge| edge.visits).collect(),
            policy: self.policy_at_root(),
            values: edges.iter().map(Edge::value).collect(),
            value: proven.map_or_else(|| self.tree.totals(NodeId::ROOT).value, Proof::wdl),
            best: edges[best].action,
            proven,
            principal_variation: self.principal_variation(best),
            simulations: self.step.as_ref().map_or(0, |step| step.finished),
        }
    }

    /// The step to play as the settings want it: the best one, or one drawn at the temperature of this turn.
    ///
    /// # Panics
    /// If the root is a finished game.
    pub fn choose(&self, rng: &mut Rng) -> Action {
        self.result().sample(self.config.temperature(self.root.turns_played()), rng)
    }

    /// Plays a legal step and keeps what the tree knows about the position behind it. No search has begun there yet; leaves
    /// still out are forgotten.
    pub fn advance(&mut self, action: Action) {
        self.recall();
        self.step = None;
        let edges = self.tree.edges(NodeId::ROOT);
        let known = edges.iter().position(|edge| edge.action == action);
        let kept = known.and_then(|index| self.tree.subtree(self.tree.node(NodeId::ROOT).edge(index)));
        self.root.apply(action);
        self.tree = kept.unwrap_or_else(|| Tree::new(&self.root));
    }

    fn recall(&mut self) {
        if self.in_flight > 0 {
            self.tree.recall();
            self.in_flight = 0;
            self.epoch += 1;
        }
    }

    fn select_at_root(&mut self) -> Option<usize> {
        let step = self.step.as_mut().filter(|step| step.begun < self.config.simulations)?;
        match &mut step.plan {
            Plan::Gumbel(halving) => halving.next(&self.tree, self.in_flight, &self.config.gumbel),
            Plan::Puct(noise) => {
                let priors = noise.as_ref().map(|noise| {
                    let priors: Vec<f32> = self.tree.edges(NodeId::ROOT).iter().map(|edge| edge.prior).collect();
                    puct::noisy_priors(&priors, noise, &self.config.puct)
                });
                Some(puct::select(&self.tree, NodeId::ROOT, priors.as_deref(), &self.config.puct))
            }
            Plan::Policy => None,
        }
    }

    fn select_below_root(&self, node: NodeId) -> usize {
        match self.config.algorithm {
            Algorithm::Gumbel => gumbel::select(&self.tree, node, &self.config.gumbel),
            Algorithm::Puct | Algorithm::Policy => puct::select(&self.tree, node, None, &self.config.puct),
        }
    }

    /// Follows the tree from the root's action `first` until it knows the result or needs an evaluation.
    fn simulate(&mut self, first: usize) -> Simulation<G> {
        let (mut position, mut path) = self.at_root();
        let (mut node, mut index) = (NodeId::ROOT, first);
        loop {
            let edge = self.tree.node(node).edge(index);
            path.push(Hop { node, edge });
            if let Some(proof) = self.tree.edge(edge).proof {
                return self.finish(first, (position, path), proof);
            }
            position.apply(self.tree.edge(edge).action);
            node = match self.tree.child(edge) {
                Some(child) => child,
                None => match position.outcome().map(Proof::of) {
                    None => self.tree.expand(edge, &position),
                    Some(proof) => {
                        self.tree.prove_edge(edge, proof);
                        return self.finish(first, (position, path), proof);
                    }
                },
            };
            index = match self.tree.node(node).knowledge {
                Knowledge::Forced => 0,
                Knowledge::Evaluated(_) => self.select_below_root(node),
                Knowledge::Pending => return Simulation::Blocked,
                Knowledge::Fresh => {
                    self.count(first);
                    return Simulation::Needs(self.send(position, node, path));
                }
            };
        }
    }

    /// What a simulation works with: the root's position, and a way that goes nowhere yet.
    fn at_root(&mut self) -> (G, Vec<Hop>) {
        match self.spare.pop() {
            Some((mut position, mut path)) => {
                position.clone_from(&self.root);
                path.clear();
                (position, path)
            }
            None => (self.root.clone(), Vec::new()),
        }
    }

    fn finish(&mut self, first: usize, (position, path): (G, Vec<Hop>), proof: Proof) -> Simulation<G> {
        self.tree.record(&path, proof.wdl());
        self.spare.push((position, path));
        self.count(first);
        if let Some(step) = &mut self.step {
            step.finished += 1;
        }
        Simulation::Finished
    }

    fn count(&mut self, first: usize) {
        let Some(step) = &mut self.step else { return };
        step.begun += 1;
        if let Plan::Gumbel(halving) = &mut step.plan {
            halving.count(first);
        }
    }

    fn send(&mut self, position: G, node: NodeId, path: Vec<Hop>) -> Leaf<G> {
        self.tree.send(&path, node);
        self.in_flight += 1;
        Leaf { position, node, path, epoch: self.epoch }
    }

    fn best_at_root(&self) -> usize {
        let (edges, side) = (self.tree.edges(NodeId::ROOT), self.tree.node(NodeId::ROOT).side);
        match self.step.as_ref().map(|step| &step.plan) {
            Some(Plan::Gumbel(halving)) => {
                let transform = ValueTransform::new(&self.tree, NodeId::ROOT, &self.config.gumbel);
                select::choose(edges, side, |index| halving.rank(index, &edges[index], &transform))
            }
            Some(Plan::Policy) => select::choose(edges, side, |index| edges[index].prior),
            Some(Plan::Puct(_)) | None => self.most_visited(NodeId::ROOT),
        }
    }

    fn most_visited(&self, node: NodeId) -> usize {
        let (edges, side) = (self.tree.edges(node), self.tree.node(node).side);
        let value = |edge: &Edge| edge.value().map_or(f32::MIN, |value| value.for_side(side));
        select::choose(edges, side, |index| {
            let edge = &edges[index];
            (edge.visits, value(edge), edge.prior)
        })
    }

    fn policy_at_root(&self) -> Vec<f32> {
        let (edges, side) = (self.tree.edges(NodeId::ROOT), self.tree.node(NodeId::ROOT).side);
        let mut policy = match self.config.algorithm {
            Algorithm::Gumbel => gumbel::policy(&self.tree, NodeId::ROOT, &self.config.gumbel),
            Algorithm::Puct => puct::policy(&self.tree, NodeId::ROOT),
            Algorithm::Policy => edges.iter().map(|edge| edge.prior).collect(),
        };
        select::respect_proofs(&mut policy, edges, side);
        policy
    }

    fn principal_variation(&self, best: usize) -> Vec<Action> {
        let (mut node, mut index) = (NodeId::ROOT, best);
        let mut line = Vec::new();
        loop {
            let edge = self.tree.node(node).edge(index);
            line.push(self.tree.edge(edge).action);
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
