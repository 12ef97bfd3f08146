//! One game in progress.

use std::borrow::{Borrow, BorrowMut};

use heng_env::game::{Action, Notation};
use heng_env::seeds::Rng;
use heng_mcts::search::{Search, SearchConfig};
use rand::RngExt;

use super::config::SelfPlayConfig;
use super::group::FinishedGame;
use crate::replay::{Choice, Decision, Record};

/// A game in progress: its search, its random stream, and what was decided so far.
#[derive(Debug)]
pub(super) struct Seat<G> {
    search: Search<G>,
    rng: Rng,
    game: u64,
    /// Turns from the start that are played at random.
    random_turns: usize,
    decisions: Vec<Decision>,
}

impl<G: Notation> Seat<G> {
    /// A new game with the number `game`, at its first decision that needs a search. `rng` is the game's own stream.
    pub(super) fn new(
        game: u64,
        mut rng: Rng,
        rules: &G::Rules,
        config: &SelfPlayConfig,
        search: &SearchConfig,
    ) -> Seat<G> {
        let position = G::start(rules, &mut rng);
        let has_random_opening = rng.random_bool(config.random_opening_share);
        let random_turns = if has_random_opening { rng.random_range(1..=config.random_opening_turns) } else { 0 };
        let mut seat =
            Seat { search: Search::new(position, search.clone()), rng, game, random_turns, decisions: Vec::new() };
        seat.begin();
        seat
    }

    /// Plays on as far as it goes without another evaluation; returns whether the game is over.
    pub(super) fn play(&mut self) -> bool {
        while self.search.root().outcome().is_none() {
            if !self.search.is_done() {
                return false;
            }
            let decision = self.decide();
            self.search.advance(decision.action);
            self.decisions.push(decision);
            self.begin();
        }
        true
    }

    /// Forgets the tree, whose values are those of another network, and begins the step anew.
    pub(super) fn clear_tree(&mut self) {
        self.search = Search::new(self.search.root().clone(), self.search.config().clone());
        self.begin();
    }

    /// The records of the game, which is over.
    pub(super) fn finish(self) -> FinishedGame {
        let end = self.search.root();
        let outcome = end.outcome().expect("a game that is over has an outcome");
        let (steps, red_lead) = (self.decisions.len(), end.red_lead());
        let record = |(step, decision): (usize, Decision)| Record {
            game: self.game,
            outcome,
            steps_left: (steps - step) as u32,
            red_lead,
            weight: if decision.choice == Choice::Search { 1.0 } else { 0.0 },
            decision,
        };
        let records = self.decisions.into_iter().enumerate().map(record).collect();
        FinishedGame { game: self.game, outcome, turns: end.turns_played() as u32, records }
    }

    /// Begins the search of the next step, unless the step will be drawn at random.
    fn begin(&mut self) {
        if !self.is_random_step() {
            self.search.begin(&mut self.rng);
        }
    }

    fn is_random_step(&self) -> bool {
        self.search.root().turns_played() < self.random_turns
    }

    fn decide(&mut self) -> Decision {
        let position = self.search.root();
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let even = vec![1.0 / actions.len() as f32; actions.len()];
        if let [only] = actions[..] {
            return self.decision(Choice::Forced, only, actions, even);
        }
        if self.is_random_step() {
            let drawn = actions[self.rng.random_range(0..actions.len() as u32) as usize];
            return self.decision(Choice::Random, drawn, actions, even);
        }
        let result = self.search.result();
        let action = result.sample(self.search.config().temperature(position.turns_played()), &mut self.rng);
        let root = result.value.to_side(result.side);
        Decision { root: Some(root), ..self.decision(Choice::Search, action, result.actions, result.policy) }
    }

    fn decision(&self, choice: Choice, action: Action, actions: Vec<Action>, policy: Vec<f32>) -> Decision {
        let position = self.search.root();
        Decision {
            step: self.decisions.len() as u32,
            turn: position.turns_played() as u32,
            fen: position.fen(),
            repetitions: position.repetitions(),
            side: position.side_to_act(),
            actions,
            policy,
            action,
            choice,
            root: None,
        }
    }
}

impl<G> Borrow<Search<G>> for Seat<G> {
    fn borrow(&self) -> &Search<G> {
        &self.search
    }
}

impl<G> BorrowMut<Search<G>> for Seat<G> {
    fn borrow_mut(&mut self) -> &mut Search<G> {
        &mut self.search
    }
}
