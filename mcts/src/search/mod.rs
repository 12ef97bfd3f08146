//! Tree search without input or output: it hands out positions to evaluate, takes the answers back, and never calls an
//! evaluator itself. So one caller can run one search or batch the leaves of hundreds.
//!
//! ```text
//! search.begin(rng) -> { next_leaf() -> evaluate -> complete() } until is_done() -> choose(rng) -> advance(action) -> …
//! ```

mod budget;
mod config;
mod gumbel;
mod line;
mod noise;
mod puct;
mod result;
mod select;
mod solver;
mod tree;

#[cfg(test)]
mod tests;

pub use budget::Budget;
pub use config::{Algorithm, GumbelConfig, PuctConfig, SearchConfig, SearchConfigError, UnknownAlgorithm};
pub use line::Line;
pub use result::SearchResult;
pub use solver::Proof;

use heng_env::{Action, Game, Rng};

use crate::evaluator::Evaluation;
use gumbel::SequentialHalving;
use tree::{Hop, Knowledge, NodeId, Tree};

/// Bytes of memory that a tree takes for each legal action of a node; the node itself comes on top.
pub const EDGE_BYTES: usize = tree::EDGE_BYTES;

/// Nodes for which a search makes room before it begins; a larger tree grows as it goes.
const RESERVED_NODES_MAX: u32 = 1 << 12;

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
    /// Which of the root's legal actions are considered, if not all.
    considered: Option<Vec<usize>>,
    /// Leaves handed out and not yet answered.
    in_flight: u32,
    /// Leaves of an earlier epoch belong to a tree that is gone.
    epoch: u64,
    /// Memory of simulations that are over, for the next ones.
    spare: Vec<Box<Walk<G>>>,
    /// Memory of the selections below the root.
    selector: gumbel::Selector,
    /// Memory for the steps that win or lose at once.
    deciding: Vec<Action>,
}

/// How far a simulation has come. It lives in a box, since it goes from hand to hand and a position is large.
#[derive(Clone, Debug)]
struct Walk<G> {
    position: G,
    path: Vec<Hop>,
}

/// A position that waits for its evaluation. Dropping it instead of completing it leaves its place in the tree blocked
/// until [`Search::begin`] or [`Search::advance`].
#[derive(Debug)]
pub struct Leaf<G> {
    walk: Box<Walk<G>>,
    node: NodeId,
    epoch: u64,
}

impl<G> Leaf<G> {
    /// What to evaluate; never a finished game.
    pub fn position(&self) -> &G {
        &self.walk.position
    }
}

/// The progress of one step's search.
#[derive(Clone, Debug)]
struct Step {
    plan: Plan,
    budget: Budget,
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
        Search::over(Tree::new(&root), root, config, None)
    }

    /// The same, of which only the steps among `actions` are considered: others are as good as illegal, at the root alone.
    pub fn among(root: G, config: SearchConfig, actions: &[Action]) -> Search<G> {
        let (tree, considered) = Tree::among(&root, actions);
        Search::over(tree, root, config, Some(considered))
    }

    fn over(tree: Tree, root: G, config: SearchConfig, considered: Option<Vec<usize>>) -> Search<G> {
        let (spare, selector) = (Vec::new(), gumbel::Selector::default());
        Search {
            config,
            root,
            tree,
            step: None,
            considered,
            in_flight: 0,
            epoch: 0,
            spare,
            selector,
            deciding: Vec::new(),
        }
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

    /// Bytes that the tree takes.
    pub fn tree_bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// Begins the search for the next step with a full budget and, if the settings explore, new noise. All random numbers
    /// of the search are drawn here. What the tree knows already is kept; leaves still out are forgotten.
    pub fn begin(&mut self, rng: &mut Rng) {
        self.begin_with(Budget::of(&self.config), rng);
    }

    /// The same with another budget than that of the settings. Begun again and again on the same root, each time with a larger
    /// one, it is a search without an end that can be broken off at any time.
    pub fn begin_with(&mut self, budget: Budget, rng: &mut Rng) {
        self.recall();
        self.prove_at_root();
        self.tree.reserve(budget.simulations.min(RESERVED_NODES_MAX) as usize);
        let count = self.tree.edges(NodeId::ROOT).len();
        let explore = budget.explores && count > 1;
        let plan = match self.config.algorithm {
            Algorithm::Gumbel => {
                let noise = if explore { noise::gumbel(count, rng) } else { vec![0.0; count] };
                Plan::Gumbel(SequentialHalving::new(noise, budget.simulations, &self.config.gumbel))
            }
            Algorithm::Puct => Plan::Puct(explore.then(|| puct::root_noise(count, &self.config.puct, rng))),
            Algorithm::Policy => Plan::Policy,
        };
        self.step = Some(Step { plan, budget, begun: 0, finished: 0 });
    }

    /// Whether there is nothing left to search: the budget is spent, the root is forced, proven or finished, or no search
    /// has begun.
    pub fn is_done(&self) -> bool {
        let Some(step) = &self.step else { return true };
        if self.tree.edges(NodeId::ROOT).len() < 2 {
            return true;
        }
        // A proven root, too: its priors are the policy where all steps are as good.
        let is_spent = matches!(step.plan, Plan::Policy) || step.finished >= step.budget.simulations;
        (is_spent || self.is_settled()) && self.tree.evaluation(NodeId::ROOT).is_some()
    }

    /// Whether no budget could change anything: the root is forced, proven or finished.
    pub fn is_settled(&self) -> bool {
        self.tree.root_proof().is_some() || self.tree.edges(NodeId::ROOT).len() < 2
    }

    /// The next position to evaluate. `None`: the search is done, or has to see the answers to leaves that are out before
    /// it can go on. A position that is out is never handed out again.
    pub fn next_leaf(&mut self) -> Option<Leaf<G>> {
        let most_in_flight = self.step.as_ref().map_or(0, |step| step.budget.leaves_in_flight.max(1));
        while !self.is_done() && self.in_flight < most_in_flight {
            match self.tree.node(NodeId::ROOT).knowledge {
                Knowledge::Fresh => {
                    let walk = self.at_root();
                    return Some(self.send(walk, NodeId::ROOT));
                }
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

    /// Simulations of the present budget that have come back.
    pub fn simulations(&self) -> u32 {
        self.step.as_ref().map_or(0, |step| step.finished)
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
        match &self.considered {
            Some(considered) if leaf.node == NodeId::ROOT => {
                self.tree.receive(&leaf.walk.path, leaf.node, &evaluation.of_some(considered));
            }
            _ => self.tree.receive(&leaf.walk.path, leaf.node, evaluation),
        }
        if let Some(step) = self.step.as_mut().filter(|_| !leaf.walk.path.is_empty()) {
            step.finished += 1;
        }
        self.spare.push(leaf.walk);
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
        (self.step, self.considered) = (None, None);
        let known = self.tree.actions(NodeId::ROOT).iter().position(|&known| known == action);
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
        let step = self.step.as_mut().filter(|step| step.begun < step.budget.simulations)?;
        match &mut step.plan {
            Plan::Gumbel(halving) => halving.next(&self.tree, self.in_flight, &self.config.gumbel),
            Plan::Puct(Some(noise)) => {
                let priors = puct::noisy_priors(self.tree.priors(NodeId::ROOT), noise, &self.config.puct);
                Some(puct::select_with_noise(&self.tree, &priors, &self.config.puct))
            }
            Plan::Puct(None) => Some(puct::select(&self.tree, NodeId::ROOT, &self.config.puct)),
            Plan::Policy => None,
        }
    }

    fn select_below_root(&mut self, node: NodeId) -> usize {
        match self.config.algorithm {
            Algorithm::Gumbel => self.selector.select(&self.tree, node, &self.config.gumbel),
            Algorithm::Puct | Algorithm::Policy => puct::select(&self.tree, node, &self.config.puct),
        }
    }

    /// Follows the tree from the root's action `first` until it knows the result or needs an evaluation.
    fn simulate(&mut self, first: usize) -> Simulation<G> {
        let mut walk = self.at_root();
        let (mut node, mut index) = (NodeId::ROOT, first);
        loop {
            let edge = self.tree.node(node).edge(index);
            walk.path.push(Hop { node, edge });
            if let Some(proof) = self.tree.edge(edge).proof {
                return self.finish(first, walk, proof);
            }
            walk.position.apply(self.tree.action(edge));
            node = match self.tree.child(edge) {
                Some(child) => child,
                None => match walk.position.outcome().map(Proof::of) {
                    None => self.tree.expand(edge, &walk.position),
                    Some(proof) => {
                        self.tree.prove_edge(edge, proof);
                        return self.finish(first, walk, proof);
                    }
                },
            };
            index = match self.tree.node(node).knowledge {
                Knowledge::Forced => 0,
                Knowledge::Evaluated(_) => self.select_below_root(node),
                Knowledge::Pending => return Simulation::Blocked,
                Knowledge::Fresh => match self.decided_at_once(node, &walk.position) {
                    Some(deciding) => deciding,
                    None => {
                        self.count(first);
                        return Simulation::Needs(self.send(walk, node));
                    }
                },
            };
        }
    }

    /// The index of a step that settles the result of a node before its evaluation: one that wins at once, or any if all of them lose
    /// at once. Steps that lose are proven on the way.
    fn decided_at_once(&mut self, node: NodeId, position: &G) -> Option<usize> {
        if self.config.immediate_wins {
            position.winning_actions(&mut self.deciding);
            if let Some(&winning) = self.deciding.first() {
                return self.tree.index_of(node, winning);
            }
        }
        self.prove_losses(node, position).then_some(0)
    }

    /// Proves every step of a node that loses at once, if the settings ask for it and the variant knows. Whether all do.
    fn prove_losses(&mut self, node: NodeId, position: &G) -> bool {
        if !self.config.immediate_losses {
            return false;
        }
        position.losing_actions(&mut self.deciding);
        let side = position.side_to_act();
        self.tree.prove_edges(node, &self.deciding, Proof { winner: Some(side.other()), steps: 1 });
        self.tree.edges(node).iter().all(|edge| edge.is_lost(side))
    }

    /// Proves every step of the root that wins or loses at once.
    fn prove_at_root(&mut self) {
        if self.config.algorithm == Algorithm::Policy || self.tree.root_proof().is_some() {
            return;
        }
        if self.config.immediate_wins {
            self.root.winning_actions(&mut self.deciding);
            let proof = Proof { winner: Some(self.root.side_to_act()), steps: 0 };
            self.tree.prove_edges(NodeId::ROOT, &self.deciding, proof);
        }
        let root = self.root.clone();
        self.prove_losses(NodeId::ROOT, &root);
        self.tree.prove_root();
    }

    /// A simulation that stands at the root and has gone nowhere yet.
    fn at_root(&mut self) -> Box<Walk<G>> {
        match self.spare.pop() {
            Some(mut walk) => {
                walk.position.clone_from(&self.root);
                walk.path.clear();
                walk
            }
            None => Box::new(Walk { position: self.root.clone(), path: Vec::new() }),
        }
    }

    fn finish(&mut self, first: usize, walk: Box<Walk<G>>, proof: Proof) -> Simulation<G> {
        self.tree.record(&walk.path, proof.wdl());
        self.spare.push(walk);
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

    fn send(&mut self, walk: Box<Walk<G>>, node: NodeId) -> Leaf<G> {
        self.tree.send(&walk.path, node);
        self.in_flight += 1;
        Leaf { walk, node, epoch: self.epoch }
    }
}
