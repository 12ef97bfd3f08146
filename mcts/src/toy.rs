//! A game for tests: a tree that each test writes down, with turns of as many steps as it likes.

use std::sync::Arc;

use heng_env::{Action, Game, Outcome, Reason, Rng, Shape, Side};
use rand::RngExt;

use crate::evaluator::Evaluation;
use crate::value::Wdl;

/// A position of the game and all that follows.
#[derive(Debug)]
pub(crate) enum Spec {
    End(Option<Side>),
    Decision { side: Side, score: f32, priors: Vec<f32>, next: Vec<Arc<Spec>> },
}

/// The game is over, and this is the winner.
pub(crate) fn end(winner: Option<Side>) -> Arc<Spec> {
    Arc::new(Spec::End(winner))
}

/// `side` decides and expects `score`; priors are uniform.
pub(crate) fn decision(side: Side, score: f32, next: Vec<Arc<Spec>>) -> Arc<Spec> {
    let priors = vec![1.0 / next.len() as f32; next.len()];
    with_priors(side, score, &priors, next)
}

/// The same with priors.
pub(crate) fn with_priors(side: Side, score: f32, priors: &[f32], next: Vec<Arc<Spec>>) -> Arc<Spec> {
    Arc::new(Spec::Decision { side, score, priors: priors.to_vec(), next })
}

/// A tree in which `score` is what red expects everywhere, for `depth` steps of two legal actions each and three steps
/// a turn; `side` decides first, and the ends, which a test should not reach, are draws.
pub(crate) fn steady(side: Side, red_score: f32, depth: u32) -> Arc<Spec> {
    fn grow(side: Side, red_score: f32, depth: u32, step: u32) -> Arc<Spec> {
        if depth == 0 {
            return end(None);
        }
        let next_side = if step == 2 { side.other() } else { side };
        let next = grow(next_side, red_score, depth - 1, (step + 1) % 3);
        let score = if side == Side::Red { red_score } else { -red_score };
        decision(side, score, vec![next.clone(), next])
    }
    grow(side, red_score, depth, 0)
}

/// A random tree of one to four actions a step and turns of one to three steps.
pub(crate) fn random(side: Side, depth: u32, rng: &mut Rng) -> Arc<Spec> {
    if depth == 0 || rng.random_bool(0.1) {
        return end([None, Some(Side::Red), Some(Side::Black)][rng.random_range(0..3)]);
    }
    let count = rng.random_range(1..=4);
    let next_side = if rng.random_bool(0.5) { side.other() } else { side };
    let next = (0..count).map(|_| random(next_side, depth - 1, rng)).collect();
    decision(side, rng.random_range(-1.0..1.0), next)
}

impl Spec {
    /// The winner under best play.
    pub(crate) fn solve(&self) -> Option<Side> {
        match self {
            Spec::End(winner) => *winner,
            Spec::Decision { side, next, .. } => {
                let rank = |winner: &Option<Side>| winner.map_or(0, |winner| if winner == *side { 1 } else { -1 });
                next.iter().map(|spec| spec.solve()).max_by_key(rank).expect("a decision has an action")
            }
        }
    }
}

/// A game in progress. Turns end where the side to act changes.
#[derive(Clone, Debug)]
pub(crate) struct Toy {
    rules: Arc<Spec>,
    here: Arc<Spec>,
    steps: Vec<u16>,
    turns: usize,
}

impl Toy {
    /// A game at the root of the tree.
    pub(crate) fn new(spec: Arc<Spec>) -> Toy {
        Toy { rules: spec.clone(), here: spec, steps: Vec::new(), turns: 0 }
    }

    /// The indices of the steps so far.
    pub(crate) fn steps(&self) -> &[u16] {
        &self.steps
    }

    /// The evaluation that the tree prescribes.
    pub(crate) fn answer(&self) -> Evaluation {
        match &*self.here {
            Spec::End(_) => panic!("a finished game was evaluated"),
            Spec::Decision { score, priors, .. } => Evaluation { wdl: wdl_of(*score), priors: priors.clone() },
        }
    }

    /// Legal actions.
    pub(crate) fn action_count(&self) -> usize {
        match &*self.here {
            Spec::End(_) => 0,
            Spec::Decision { next, .. } => next.len(),
        }
    }

    /// The winner from here under best play.
    pub(crate) fn solve(&self) -> Option<Side> {
        self.here.solve()
    }

    fn side_of(spec: &Spec) -> Option<Side> {
        match spec {
            Spec::End(_) => None,
            Spec::Decision { side, .. } => Some(*side),
        }
    }
}

/// Chances without draws that make `score`.
pub(crate) fn wdl_of(score: f32) -> Wdl {
    Wdl { win: (1.0 + score) / 2.0, draw: 0.0, loss: (1.0 - score) / 2.0 }
}

impl Game for Toy {
    type Rules = Arc<Spec>;

    fn start(rules: &Arc<Spec>, _: &mut Rng) -> Toy {
        Toy::new(rules.clone())
    }

    fn standard_start(rules: &Arc<Spec>) -> Toy {
        Toy::new(rules.clone())
    }

    fn has_random_start(_: &Arc<Spec>) -> bool {
        false
    }

    fn shape(_: &Arc<Spec>) -> Shape {
        Shape { files: 4, ranks: 4, input_planes: 1, hand_planes: 0 }
    }

    fn rules(&self) -> &Arc<Spec> {
        &self.rules
    }

    fn side_to_act(&self) -> Side {
        Toy::side_of(&self.here).unwrap_or(Side::Red)
    }

    fn at_turn_start(&self) -> bool {
        self.turns == 0
    }

    fn turns_played(&self) -> usize {
        self.turns
    }

    fn outcome(&self) -> Option<Outcome> {
        match *self.here {
            Spec::End(Some(winner)) => Some(Outcome::win(winner, Reason::Points)),
            Spec::End(None) => Some(Outcome::draw(Reason::Repetition)),
            Spec::Decision { .. } => None,
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if let Spec::Decision { next, .. } = &*self.here {
            actions.extend((0..next.len()).map(Action::new));
        }
    }

    fn winning_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if let Spec::Decision { side, next, .. } = &*self.here {
            let wins = |&index: &usize| matches!(*next[index], Spec::End(Some(winner)) if winner == *side);
            actions.extend((0..next.len()).filter(wins).map(Action::new));
        }
    }

    fn losing_actions(&self, actions: &mut Vec<Action>) {
        self.legal_actions(actions);
        let side = Toy::side_of(&self.here);
        let mut answers = Vec::new();
        actions.retain(|&action| {
            let mut next = self.clone();
            next.apply(action);
            next.winning_actions(&mut answers);
            Toy::side_of(&next.here) != side && !answers.is_empty()
        });
    }

    fn apply(&mut self, action: Action) {
        let Spec::Decision { side, next, .. } = &*self.here else { panic!("the game is over") };
        let next = next[action.index()].clone();
        self.turns += usize::from(Toy::side_of(&next) != Some(*side));
        self.steps.push(action.index() as u16);
        self.here = next;
    }

    fn encode(&self, planes: &mut [f32]) {
        planes.fill(0.0);
    }

    fn key(&self) -> u64 {
        self.steps.iter().fold(1, |key, &step| key * 5 + u64::from(step))
    }

    fn mirrored(&self) -> Toy {
        self.clone()
    }

    fn mirror_action(_: &Arc<Spec>, action: Action) -> Action {
        action
    }

    fn repetitions(&self) -> u8 {
        0
    }

    fn set_repetitions(&mut self, _: u8) {}

    fn without_draw_rules(&self) -> Toy {
        self.clone()
    }

    fn red_lead(&self) -> f32 {
        0.0
    }

    fn heuristic(&self) -> i32 {
        0
    }
}
