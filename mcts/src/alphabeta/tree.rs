//! The recursive search below the root.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use std::time::Instant;

use heng_env::{Action, Game, Side};

use super::ordering::Ordering;
use super::score::{Score, Window};
use super::table::{Bound, Finding, Table};
use super::{BEAM, Ranked};

/// A turn whose every step has more choices than this, and which no step ends, is beyond reach.
const WIDE: usize = 64;

/// Positions between two looks at the clock: less than a millisecond.
const HALT_INTERVAL: u32 = 64;

/// What breaks a search off before its nodes run out.
#[derive(Clone, Debug)]
pub(super) struct Halt {
    pub(super) stop: Arc<AtomicBool>,
    pub(super) deadline: Option<Instant>,
}

impl Halt {
    fn is_called(&self) -> bool {
        self.stop.load(Memory::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The nodes or the time ran out: whatever was not finished is worth nothing.
#[derive(Debug)]
pub(super) struct OutOfNodes;

/// Where a position lies in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Turns completed since the root.
    pub(super) turn: u32,
    /// Turns to search, the present one included.
    pub(super) left: u32,
    /// Steps since the root.
    pub(super) step: usize,
}

/// What a search remembers.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    table: Table,
    ordering: Ordering,
    nodes: u64,
    most_nodes: u64,
    halt: Option<Halt>,
    /// Positions looked at since the halt was asked last.
    unasked: u32,
    /// Lists of steps that wait to be used again.
    lists: Vec<Vec<Action>>,
}

impl Tree {
    pub(super) fn new(table_entries: usize) -> Tree {
        let table = Table::new(table_entries);
        Tree {
            table,
            ordering: Ordering::default(),
            nodes: 0,
            most_nodes: 0,
            halt: None,
            unasked: 0,
            lists: Vec::new(),
        }
    }

    /// Forgets earlier searches.
    pub(super) fn begin(&mut self, action_count: usize, most_nodes: u64) {
        self.table.clear();
        self.ordering = Ordering::new(action_count);
        (self.nodes, self.most_nodes) = (0, most_nodes);
        (self.halt, self.unasked) = (None, 0);
    }

    /// Breaks off when `halt` says so.
    pub(super) fn heed(&mut self, halt: Halt) {
        self.halt = Some(halt);
    }

    fn is_out_of_nodes(&mut self) -> bool {
        self.unasked += 1;
        if self.unasked >= HALT_INTERVAL {
            self.unasked = 0;
            if self.halt.as_ref().is_some_and(Halt::is_called) {
                self.most_nodes = 0;
            }
        }
        self.nodes >= self.most_nodes
    }

    /// Steps applied since [`Tree::begin`].
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Every legal step with the static value of what it leads to, for the side to act.
    pub(super) fn ranked_by_value<G: Game>(&mut self, game: &G) -> Vec<Ranked> {
        let mut actions = self.lists.pop().unwrap_or_default();
        game.legal_actions(&mut actions);
        let ranked = actions
            .iter()
            .map(|&action| Ranked { action, score: self.static_value_after(game, action), searched: None })
            .collect();
        self.lists.push(actions);
        ranked
    }

    fn static_value_after<G: Game>(&mut self, game: &G, action: Action) -> Score {
        let side = game.side_to_act();
        let child = self.applied(game, action);
        match child.outcome() {
            Some(outcome) => Score::of(outcome, side, 1),
            None => Score::of_static(child.heuristic()).seen_by(child.side_to_act(), side),
        }
    }

    /// Whether the turn at hand has too many steps of too many choices to look at all.
    pub(super) fn is_beyond_reach<G: Game>(&self, game: &G, actions: impl ExactSizeIterator<Item = Action>) -> bool {
        let goes_on = |action| {
            let mut child = game.clone();
            child.apply(action);
            child.outcome().is_none() && !child.at_turn_start()
        };
        // The steps of a move are soon followed by one that ends the turn, so that this costs little.
        actions.len() > WIDE && { actions }.all(goes_on)
    }

    /// The value of `action` for the side to act, exact where it exceeds `alpha`, else an upper bound.
    pub(super) fn step_value<G: Game>(
        &mut self,
        game: &G,
        action: Action,
        node: Node,
        alpha: Score,
        is_first: bool,
    ) -> Result<Score, OutOfNodes> {
        let side = game.side_to_act();
        let child = self.applied(game, action);
        let full = Window { alpha, beta: Score::GREATEST };
        if !is_first {
            let score = self.child_value(&child, side, node, Window::above(alpha))?;
            if score <= alpha {
                return Ok(score);
            }
        }
        self.child_value(&child, side, node, full)
    }

    /// The value of `child` for `side`, which has just acted at `node`.
    fn child_value<G: Game>(&mut self, child: &G, side: Side, node: Node, window: Window) -> Result<Score, OutOfNodes> {
        if let Some(outcome) = child.outcome() {
            return Ok(Score::of(outcome, side, node.turn + 1));
        }
        let actor = child.side_to_act();
        let next = if child.at_turn_start() {
            Node { turn: node.turn + 1, left: node.left - 1, step: node.step + 1 }
        } else {
            Node { step: node.step + 1, ..node }
        };
        let value = self.value(child, next, window.seen_by(side, actor))?;
        Ok(value.seen_by(actor, side))
    }

    /// The value of `game`, which is not finished, for its side to act; a bound if it lies outside the window.
    fn value<G: Game>(&mut self, game: &G, node: Node, window: Window) -> Result<Score, OutOfNodes> {
        if node.left == 0 {
            return Ok(Score::of_static(game.heuristic()));
        }
        if self.is_out_of_nodes() {
            return Err(OutOfNodes);
        }
        // No win can come before this turn is over: with a faster one at hand nothing here matters.
        let soonest = Score::win_in(node.turn + 1);
        if soonest <= window.alpha {
            return Ok(soonest);
        }
        let window = Window { beta: window.beta.min(soonest), ..window };
        let key = game.key();
        let stored = self.table.get(key).copied();
        if let Some(entry) = stored {
            let shifted = Window { alpha: window.alpha.stored_at(node.turn), beta: window.beta.stored_at(node.turn) };
            if let Some(score) = entry.cutoff(node.left, shifted) {
                return Ok(score.read_at(node.turn));
            }
        }
        let mut actions = self.lists.pop().unwrap_or_default();
        self.order(game, node, stored.map(|entry| entry.action()), &mut actions);
        let best = self.best_of(game, node, window, &actions);
        self.lists.push(actions);
        let (score, action) = best?;
        let bound = if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.table.insert(key, Finding { turns_left: node.left, action, score: score.stored_at(node.turn), bound });
        Ok(score)
    }

    /// The best of `actions`, which are tried in this order until one exceeds the window.
    fn best_of<G: Game>(
        &mut self,
        game: &G,
        node: Node,
        window: Window,
        actions: &[Action],
    ) -> Result<(Score, Action), OutOfNodes> {
        let side = game.side_to_act();
        let mut best = (Score::LEAST, actions[0]);
        for (index, &action) in actions.iter().enumerate() {
            let child = self.applied(game, action);
            let alpha = window.alpha.max(best.0);
            let open = Window { alpha, beta: window.beta };
            let mut score = Score::GREATEST;
            if index > 0 {
                score = self.child_value(&child, side, node, Window::above(alpha))?;
            }
            if index == 0 || score > alpha && score < window.beta {
                score = self.child_value(&child, side, node, open)?;
            }
            if score > best.0 {
                best = (score, action);
            }
            if score >= window.beta {
                self.ordering.note_cutoff(side, node.step, action, node.left);
                break;
            }
        }
        Ok(best)
    }

    /// Fills `actions` with what to try, the most promising first; a turn beyond reach is narrowed to its beam.
    fn order<G: Game>(&mut self, game: &G, node: Node, stored: Option<Action>, actions: &mut Vec<Action>) {
        let side = game.side_to_act();
        game.legal_actions(actions);
        let is_wide = self.is_beyond_reach(game, actions.iter().copied());
        if is_wide || node.left > 1 {
            // What lies below costs more than a static value of every step, which orders far better than history.
            let mut ranked: Vec<(Score, Action)> =
                actions.iter().map(|&action| (self.static_value_after(game, action), action)).collect();
            ranked
                .sort_by_key(|&(score, action)| (Reverse(score), Reverse(self.ordering.rank(side, node.step, action))));
            if is_wide {
                ranked.truncate(BEAM);
            }
            actions.clear();
            actions.extend(ranked.iter().map(|&(_, action)| action));
        } else {
            actions.sort_by_cached_key(|&action| Reverse(self.ordering.rank(side, node.step, action)));
        }
        if let Some(place) = stored.and_then(|stored| actions.iter().position(|&action| action == stored)) {
            actions[..=place].rotate_right(1);
        }
    }

    /// `action` and the steps that the table expects after it.
    pub(super) fn expected_line<G: Game>(&self, game: &G, action: Action) -> Vec<Action> {
        const LONGEST: usize = 16;
        let (mut game, mut line, mut legal) = (game.clone(), vec![action], Vec::new());
        game.apply(action);
        while line.len() < LONGEST {
            let Some(entry) = self.table.get(game.key()) else { break };
            game.legal_actions(&mut legal);
            if !legal.contains(&entry.action()) {
                break;
            }
            line.push(entry.action());
            game.apply(entry.action());
        }
        line
    }

    fn applied<G: Game>(&mut self, game: &G, action: Action) -> G {
        self.nodes += 1;
        let mut child = game.clone();
        child.apply(action);
        child
    }
}
