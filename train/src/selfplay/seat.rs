//! One game in progress.

use std::borrow::{Borrow, BorrowMut};

use heng_env::Side;
use heng_env::game::{Action, Game, Notation, Outcome, Reason};
use heng_env::seeds::Rng;
use heng_mcts::search::{Budget, Search, SearchConfig};
use heng_mcts::value::Wdl;
use rand::RngExt;

use super::config::SelfPlayConfig;
use super::group::FinishedGame;
use super::resignation::Resignation;
use super::start::{GameStart, Origin};
use crate::replay::{Choice, Decision, Record};

/// A game in progress: its search, its random stream, and what was decided so far.
#[derive(Debug)]
pub(super) struct Seat<G> {
    search: Search<G>,
    rng: Rng,
    game: u64,
    origin: Origin,
    /// Turns that the first position counts.
    turns_before: usize,
    /// The first step, where it is given and not played yet.
    departure: Option<Action>,
    resignation: Resignation,
    /// Turns from the start that are played at random.
    random_turns: usize,
    /// Chance that a random step makes the most of score or material.
    greed: f64,
    caps: PlayoutCaps,
    /// Whether this turn is searched in full.
    is_full: bool,
    surprise_share: f64,
    decisions: Vec<Decision>,
    /// How far each decision's target is from the network's own policy, in nats; 0 where there is none.
    surprises: Vec<f64>,
}

/// How much the turns of a game are searched.
#[derive(Clone, Copy, Debug)]
struct PlayoutCaps {
    full_share: f64,
    fast_simulations: u32,
}

impl<G: Notation> Seat<G> {
    /// A new game with the number `game` from `start`, before its first decision. `rng` is the game's own stream.
    pub(super) fn new(
        game: u64,
        mut rng: Rng,
        start: GameStart<G>,
        config: &SelfPlayConfig,
        search: &SearchConfig,
    ) -> Seat<G> {
        let GameStart { position, origin, departure } = start;
        let has_random_opening = origin == Origin::Start && rng.random_bool(config.random_opening_share);
        let random_turns = if has_random_opening { rng.random_range(1..=config.random_opening_turns) } else { 0 };
        let caps = PlayoutCaps { full_share: config.full_search_share, fast_simulations: config.fast_simulations };
        let resignation = Resignation::new(config, &mut rng);
        let mut seat = Seat {
            turns_before: position.turns_played(),
            search: Search::new(position, search.clone()),
            rng,
            game,
            origin,
            departure,
            resignation,
            random_turns,
            greed: config.random_opening_greed,
            caps,
            is_full: true,
            surprise_share: config.surprise_share,
            decisions: Vec::new(),
            surprises: Vec::new(),
        };
        seat.begin();
        seat
    }

    /// Plays on as far as it goes without another evaluation; returns whether the game is over.
    pub(super) fn play(&mut self) -> bool {
        while self.search.root().outcome().is_none() {
            if !self.search.is_done() {
                return false;
            }
            let (decision, surprise) = self.decide();
            if self.resigns(&decision) {
                return true;
            }
            self.search.advance(decision.action);
            self.decisions.push(decision);
            self.surprises.push(surprise);
            self.begin();
        }
        true
    }

    /// Forgets the tree, whose values are those of another network, and begins the step anew.
    pub(super) fn clear_tree(&mut self) {
        self.search = Search::new(self.search.root().clone(), self.search.config().clone());
        self.begin_search();
    }

    /// The records of the game, which is over.
    pub(super) fn finish(self) -> FinishedGame {
        let end = self.search.root();
        // What the rules do not end was resigned by the side to act.
        let resigned = Outcome::win(end.side_to_act().other(), Reason::Resignation);
        let (end_lead, outcome) = (end.outcome().map(|_| end.red_lead()), end.outcome().unwrap_or(resigned));
        let turns = (end.turns_played() - self.turns_before) as u32;
        let (steps, weights) = (self.decisions.len(), self.weights());
        let record = |(step, decision): (usize, Decision)| Record {
            game: self.game,
            outcome,
            steps_left: end_lead.map(|_| (steps - step) as u32),
            red_lead: end_lead,
            weight: weights[step],
            decision,
        };
        let records = self.decisions.into_iter().enumerate().map(record).collect();
        let Seat { game, origin, .. } = self;
        FinishedGame { game, origin, outcome, gave_up: self.resignation.gave_up(), turns, records }
    }

    /// The weight of each decision: 0 for what is no target; over all targets of the game 1 in the mean.
    fn weights(&self) -> Vec<f32> {
        let is_target = |decision: &Decision| decision.choice == Choice::Search;
        let targets = self.decisions.iter().filter(|decision| is_target(decision)).count() as f64;
        let mean = self.surprises.iter().sum::<f64>() / targets.max(1.0);
        let weight = |(decision, surprise): (&Decision, &f64)| match is_target(decision) {
            false => 0.0,
            true if mean > 0.0 => (1.0 + self.surprise_share * (surprise / mean - 1.0)) as f32,
            true => 1.0,
        };
        // A weight of nothing would say that it is no target.
        let weights = self.decisions.iter().zip(&self.surprises).map(weight);
        weights
            .zip(&self.decisions)
            .map(|(weight, decision)| if is_target(decision) { weight.max(1e-3) } else { 0.0 })
            .collect()
    }

    /// Begins the next step, and with it maybe a turn.
    fn begin(&mut self) {
        if self.search.root().at_turn_start() && self.caps.full_share < 1.0 {
            self.is_full = self.rng.random_bool(self.caps.full_share);
        }
        self.begin_search();
    }

    /// Begins the search of the step, unless the step will be drawn at random.
    fn begin_search(&mut self) {
        if self.is_random_step() {
            return;
        }
        let full = Budget::of(self.search.config());
        let fast = Budget { simulations: self.caps.fast_simulations, explores: false, ..full };
        self.search.begin_with(if self.is_full { full } else { fast }, &mut self.rng);
    }

    fn is_random_step(&self) -> bool {
        self.departure.is_some() || self.search.root().turns_played() < self.random_turns
    }

    /// Whether the side to act gives up instead of playing what it has decided. A game has one step at least.
    fn resigns(&mut self, decision: &Decision) -> bool {
        let judge = |root: Wdl| self.resignation.judge(decision.side, decision.turn, f64::from(root.score()));
        !self.decisions.is_empty() && decision.root.is_some_and(judge)
    }

    /// What is played, and how surprising the target is.
    fn decide(&mut self) -> (Decision, f64) {
        let position = self.search.root();
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        let even = vec![1.0 / actions.len() as f32; actions.len()];
        if let [only] = actions[..] {
            return (self.decision(Choice::Forced, only, actions, even), 0.0);
        }
        if self.is_random_step() {
            let departure = self.departure.take();
            let drawn = departure.unwrap_or_else(|| draw(position, &actions, self.greed, &mut self.rng));
            return (self.decision(Choice::Random, drawn, actions, even), 0.0);
        }
        let result = self.search.result();
        let action = result.sample(self.search.config().temperature(position.turns_played()), &mut self.rng);
        let root = result.value.to_side(result.side);
        let (choice, surprise) = match self.is_full {
            true => (Choice::Search, divergence(&result.policy, &result.priors)),
            false => (Choice::Fast, 0.0),
        };
        (Decision { root: Some(root), ..self.decision(choice, action, result.actions, result.policy) }, surprise)
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

/// The Kullback–Leibler divergence of `policy` from `priors`, in nats.
fn divergence(policy: &[f32], priors: &[f32]) -> f64 {
    let term = |(&share, &prior): (&f32, &f32)| match share > 0.0 {
        true => f64::from(share) * (f64::from(share) / f64::from(prior.max(f32::MIN_POSITIVE))).ln(),
        false => 0.0,
    };
    // Rounding must not make less than nothing of it.
    policy.iter().zip(priors).map(term).sum::<f64>().max(0.0)
}

/// A random step: with the chance `greed` one of those after which the side's own lead is largest, else any.
fn draw<G: Game>(position: &G, actions: &[Action], greed: f64, rng: &mut Rng) -> Action {
    let any = |actions: &[Action], rng: &mut Rng| actions[rng.random_range(0..actions.len() as u32) as usize];
    if greed == 0.0 || !rng.random_bool(greed) {
        return any(actions, rng);
    }
    let mut after = position.clone();
    let mut lead = |action: Action| {
        after.clone_from(position);
        after.apply(action);
        if position.side_to_act() == Side::Red { after.red_lead() } else { -after.red_lead() }
    };
    let leads: Vec<f32> = actions.iter().map(|&action| lead(action)).collect();
    let largest = leads.iter().copied().fold(f32::MIN, f32::max);
    let best: Vec<Action> =
        actions.iter().zip(&leads).filter(|&(_, &lead)| lead == largest).map(|(&action, _)| action).collect();
    any(&best, rng)
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use heng_env::variants::VariantVisitor;
    use heng_env::{Purpose, Seeds, Variant};

    use super::*;

    /// The steps that are drawn in a position.
    struct Drawn {
        position: &'static str,
        greed: f64,
    }

    impl VariantVisitor for Drawn {
        type Output = HashSet<String>;

        fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> HashSet<String> {
            let position = G::from_fen(&rules, self.position).unwrap();
            let mut actions = Vec::new();
            position.legal_actions(&mut actions);
            let mut rng = Seeds::new(1).stream(Purpose::Test, 0);
            (0..200).map(|_| position.step_text(draw(&position, &actions, self.greed, &mut rng))).collect()
        }
    }

    #[test]
    fn a_greedy_step_takes_the_most_and_any_of_equals() {
        let xiangqi: Variant = "xiangqi".parse().unwrap();
        let drawn = |position, greed| xiangqi.dispatch(Drawn { position, greed });
        // Red's chariot can take a horse or a soldier, black's a chariot.
        let red = "3k5/9/9/4n4/9/4R1p2/9/9/9/4K4 w - - 0 1";
        assert_eq!(drawn(red, 1.0), HashSet::from(["e5e7".to_owned()]));
        let black = "3k5/9/9/4r4/9/4R1p2/9/9/9/4K4 b - - 0 1";
        assert_eq!(drawn(black, 1.0), HashSet::from(["e7e5".to_owned()]));
        assert!(drawn(black, 0.5).len() > 5 && drawn(black, 0.5).contains("e7e5"));
        assert!(drawn(red, 0.0).len() > 5);
        // Nothing can be taken: any step is as good as another.
        assert!(drawn("3k5/9/9/9/9/4R4/9/9/9/4K4 w - - 0 1", 1.0).len() > 5);
    }
}
