//! `alphabeta:D`: a classical searcher without learning, as a yardstick that does not change while networks do.
//!
//! Iterative deepening alpha-beta (Knuth and Moore 1975) with null windows for all but the first step of a position
//! (Marsland and Campbell 1982), a transposition table, and killer and history ordering (Schaeffer 1989).
//!
//! The tree is one of *steps*, its depth is counted in *turns*: depth 1 looks at every way to play the present turn,
//! depth 2 also at every reply. Static values ([`Game::heuristic`]) are taken only where a turn begins.
//!
//! Two bounds keep a choice within a few seconds. A choice applies at most [`Limits::nodes`] steps, after which the best
//! step of the last depth counts as far as it was searched. And where the present turn alone is beyond reach, because it
//! has many steps of many choices each (a placement turn of `eternal-free` has some 30 million outcomes), only the
//! few steps of best static value are followed at each step but the last.

mod ordering;
mod score;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;
mod tree;

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use heng_env::{Action, Game, Rng};
use rand::seq::SliceRandom;

pub use score::{Proof, Score};
use tree::{Halt, Node, Tree};

/// Steps that are followed where a turn has too many.
const BEAM: usize = 8;

/// How far and how long to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Turns to look ahead, the present one included.
    pub depth: u32,
    /// Steps to apply at most for one choice.
    pub nodes: u64,
    /// Positions to remember at most.
    pub table_entries: usize,
}

impl Limits {
    /// `depth` turns, within about a second on one core.
    pub fn of_depth(depth: u32) -> Limits {
        Limits { depth, nodes: 1_000_000, table_entries: 1 << 18 }
    }
}

/// A step and what the search found out about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The step.
    pub action: Action,
    /// Its value for the side to act.
    pub score: Score,
    /// Turns that were searched in full; 0 if the step has the best static value.
    pub depth: u32,
    /// Steps applied.
    pub nodes: u64,
    /// The steps that are expected, its own first.
    pub line: Vec<Action>,
}

/// The searcher.
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    limits: Limits,
    tree: Tree,
}

impl AlphaBeta {
    /// A searcher within `limits`.
    pub fn new(limits: Limits) -> AlphaBeta {
        AlphaBeta { limits, tree: Tree::new(limits.table_entries) }
    }

    /// The best step of a position that is not finished; among equals, one that `rng` chooses.
    ///
    /// The result depends on the position with its history and on `rng`, not on earlier calls.
    pub fn search<G: Game>(&mut self, game: &G, rng: &mut Rng) -> Found {
        self.pursue(game, rng, &Course::of(self.limits), |_| {}).remove(0)
    }

    /// The limits of [`AlphaBeta::search`].
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The best steps, the best first, at least one. `on_depth` is told of those of each depth.
    pub fn pursue<G: Game>(
        &mut self,
        game: &G,
        rng: &mut Rng,
        course: &Course,
        mut on_depth: impl FnMut(&[Found]),
    ) -> Vec<Found> {
        let begun = Instant::now();
        self.tree.begin(G::shape(game.rules()).action_count(), course.nodes);
        let mut steps = self.ranked_steps(game, course, rng);
        let lines = course.lines.clamp(1, steps.len());
        let mut best: Vec<Best> = steps[..lines].iter().map(Best::of_static).collect();
        for depth in 1..=course.depth {
            course.set_halt(&mut self.tree, begun, game, best[0].action);
            let is_complete = self.deepen_lines(game, &mut steps, depth, &mut best, rng);
            if !is_complete || best.iter().all(|best| best.score.proof().is_some()) {
                break;
            }
            on_depth(&self.found(game, &best));
        }
        self.found(game, &best)
    }

    /// The steps to look at, those of the best static value first.
    fn ranked_steps<G: Game>(&mut self, game: &G, course: &Course, rng: &mut Rng) -> Vec<Ranked> {
        let mut steps = self.tree.ranked_by_value(game);
        if let Some(among) = &course.among {
            steps.retain(|step| among.contains(&step.action));
        }
        // Before the stable sort: steps of equal value are tried in random order.
        steps.shuffle(rng);
        steps.sort_by_key(|step| Reverse(step.score));
        if self.tree.is_beyond_reach(game, steps.iter().map(|step| step.action)) {
            steps.truncate(BEAM);
        }
        steps
    }

    /// Searches `depth` turns for each of the `best` steps: the second is the best of those that are not the first, and so on.
    /// Says whether the nodes sufficed.
    fn deepen_lines<G: Game>(
        &mut self,
        game: &G,
        steps: &mut [Ranked],
        depth: u32,
        best: &mut [Best],
        rng: &mut Rng,
    ) -> bool {
        for (index, best) in best.iter_mut().enumerate() {
            let Some((found, is_complete)) = self.deepen(game, &mut steps[index..], depth, rng) else { return false };
            *best = found;
            if !is_complete {
                best.depth = depth - 1;
                *best = Self::escape(*best, &steps[index..], depth);
                return false;
            }
        }
        true
    }

    fn found<G: Game>(&mut self, game: &G, best: &[Best]) -> Vec<Found> {
        let nodes = self.tree.nodes();
        let found = |&Best { action, score, depth }: &Best| {
            let line = self.tree.expected_line(game, action);
            Found { action, score, depth, nodes, line }
        };
        best.iter().map(found).collect()
    }

    /// `best`, unless it is lost and there are steps left that nodes did not suffice for at `depth`: then one of those.
    fn escape(best: Best, steps: &[Ranked], depth: u32) -> Best {
        let is_lost = matches!(best.score.proof(), Some(Proof::LossIn(_)));
        match steps.iter().find(|step| step.searched != Some(depth)) {
            Some(step) if is_lost => Best { action: step.action, score: step.score, ..best },
            _ => best,
        }
    }

    /// Searches `depth` turns and sorts `steps`, the best first, for the next depth.
    ///
    /// Gives the best step, and whether all were searched before the nodes ran out; nothing if not even one was.
    fn deepen<G: Game>(&mut self, game: &G, steps: &mut [Ranked], depth: u32, rng: &mut Rng) -> Option<(Best, bool)> {
        let node = Node { turn: 0, left: depth, step: 0 };
        let mut best: Option<Score> = None;
        let mut is_complete = true;
        for step in steps.iter_mut() {
            // One less than the best: an equal value has to be told from a smaller one.
            let alpha = best.map_or(Score::LEAST, Score::just_below);
            let Ok(score) = self.tree.step_value(game, step.action, node, alpha, best.is_none()) else {
                is_complete = false;
                break;
            };
            step.searched = Some(depth);
            step.score = score;
            best = best.max(Some(score));
        }
        let score = best?;
        let is_best = |step: &Ranked| step.searched == Some(depth) && step.score == score;
        let mut equals: Vec<Action> = steps.iter().filter(|step| is_best(step)).map(|step| step.action).collect();
        equals.shuffle(rng);
        let action = equals[0];
        // Others than the best have only bounds: they keep the order of before.
        steps.sort_by_key(|step| (step.action != action, !is_best(step)));
        Some((Best { action, score, depth }, is_complete))
    }
}

#[derive(Clone, Copy, Debug)]
struct Best {
    action: Action,
    score: Score,
    depth: u32,
}

impl Best {
    fn of_static(step: &Ranked) -> Best {
        Best { action: step.action, score: step.score, depth: 0 }
    }
}

/// How far a search goes, and what ends it.
#[derive(Clone, Debug)]
pub struct Course {
    /// Turns to look ahead.
    pub depth: u32,
    /// Steps to apply at most.
    pub nodes: u64,
    /// How many of the best steps to find.
    pub lines: usize,
    /// Steps to choose among, if not all.
    pub among: Option<Vec<Action>>,
    /// When the turn has to be played; a step that does not end it leaves half of the time to those that follow.
    pub deadline: Option<Instant>,
    /// Becomes true when somebody asks for an end.
    pub stop: Arc<AtomicBool>,
}

/// The deepest search where time or nodes alone end it.
pub const DEPTH_MAX: u32 = 200;

impl Course {
    /// The best step within `limits`, however long it takes.
    pub fn of(limits: Limits) -> Course {
        let stop = Arc::default();
        Course { depth: limits.depth, nodes: limits.nodes, lines: 1, among: None, deadline: None, stop }
    }

    fn set_halt<G: Game>(&self, tree: &mut Tree, begun: Instant, game: &G, best: Action) {
        let mut next = game.clone();
        next.apply(best);
        let ends_turn = next.at_turn_start() || next.outcome().is_some();
        let half = |deadline: Instant| begun + deadline.saturating_duration_since(begun) / 2;
        let deadline = self.deadline.map(|deadline| if ends_turn { deadline } else { half(deadline) });
        tree.heed(Halt { stop: Arc::clone(&self.stop), deadline });
    }
}

/// A step of the root.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    action: Action,
    /// Its static value, then the value of the last search or an upper bound of it.
    score: Score,
    /// The depth of that search.
    searched: Option<u32>,
}
