//! A small game for tests, whose turns have one to three steps.

use heng_env::{Action, Game, Outcome, Reason, Rng, Shape, Side};
use rand::RngExt;

/// A game on numbers: a step adds to a sum, some steps end the turn, some sums end the game. Many lines lead to the same
/// position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sums {
    rules: u64,
    sum: u64,
    side: Side,
    step: u64,
    turns: usize,
}

impl Sums {
    const SIZE: u64 = 257;

    fn noise(&self, salt: u64) -> u64 {
        let mixed =
            (self.sum + Self::SIZE * (self.step + 3 * self.side as u64) + 10_007 * salt + 1_000_003 * self.rules)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33
    }
}

impl Game for Sums {
    type Rules = u64;

    fn start(rules: &u64, rng: &mut Rng) -> Sums {
        Sums { sum: rng.random_range(0..Sums::SIZE), ..Sums::standard_start(rules) }
    }

    fn standard_start(&rules: &u64) -> Sums {
        Sums { rules, sum: 1, side: Side::Red, step: 0, turns: 0 }
    }

    fn has_random_start(_: &u64) -> bool {
        true
    }

    fn shape(_: &u64) -> Shape {
        Shape { files: 2, ranks: 2, input_planes: 1, hand_planes: 0 }
    }

    fn rules(&self) -> &u64 {
        &self.rules
    }

    fn side_to_act(&self) -> Side {
        self.side
    }

    fn at_turn_start(&self) -> bool {
        self.step == 0
    }

    fn turns_played(&self) -> usize {
        self.turns
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.noise(1) % 40 {
            0 | 1 => Some(Outcome::win(Side::Red, Reason::Points)),
            2 | 3 => Some(Outcome::win(Side::Black, Reason::NoStep)),
            4 => Some(Outcome::draw(Reason::Repetition)),
            _ => None,
        }
    }

    fn legal_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome().is_none() {
            actions.extend((0..1 + self.noise(2) as usize % 4).map(Action::new));
        }
    }

    fn apply(&mut self, action: Action) {
        let ends_turn = self.step == 2 || (self.noise(3) + action.index() as u64).is_multiple_of(2);
        self.sum = (self.sum + 1 + action.index() as u64 * 3) % Sums::SIZE;
        if ends_turn {
            (self.side, self.step, self.turns) = (self.side.other(), 0, self.turns + 1);
        } else {
            self.step += 1;
        }
    }

    fn encode(&self, planes: &mut [f32]) {
        planes.fill(0.0);
    }

    fn key(&self) -> u64 {
        self.sum + Sums::SIZE * (self.step + 3 * self.side as u64)
    }

    fn mirrored(&self) -> Sums {
        self.clone()
    }

    fn mirror_action(_: &u64, action: Action) -> Action {
        action
    }

    fn repetitions(&self) -> u8 {
        0
    }

    fn set_repetitions(&mut self, _: u8) {}

    fn without_draw_rules(&self) -> Sums {
        self.clone()
    }

    fn red_lead(&self) -> f32 {
        0.0
    }

    fn heuristic(&self) -> i32 {
        // Coarse, so that values are often equal.
        (self.noise(4) % 7) as i32 * 100 - 300
    }
}
