//! The search against plain minimax, on a game whose turns have one to three steps.

use heng_env::{Action, Game, Outcome, Purpose, Reason, Rng, Seeds, Shape, Side};
use rand::RngExt;

use super::*;

/// A game on numbers: a step adds to a sum, some steps end the turn, some sums end the game. Many lines lead to the same
/// position.
#[derive(Clone, Debug, PartialEq)]
struct Sums {
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

/// The value for red, looked up nowhere and cut off nowhere.
fn minimax(game: &Sums, turns_played: u32, left: u32) -> i64 {
    if let Some(outcome) = game.outcome() {
        return i64::from(Score::of(outcome, Side::Red, turns_played).hundredths());
    }
    let for_red = if game.side == Side::Red { 1 } else { -1 };
    if left == 0 {
        return for_red * i64::from(game.heuristic());
    }
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let values = actions.iter().map(|&action| for_red * value_after(game, action, turns_played, left));
    for_red * values.max().unwrap()
}

/// The value for red of what `action` leads to.
fn value_after(game: &Sums, action: Action, turns_played: u32, left: u32) -> i64 {
    let mut child = game.clone();
    child.apply(action);
    let turn_is_over = child.outcome().is_some() || child.at_turn_start();
    // An end during a turn ends the turn.
    let (turns_played, left) = if turn_is_over { (turns_played + 1, left - 1) } else { (turns_played, left) };
    minimax(&child, turns_played, left)
}

fn unfinished_games(count: usize) -> Vec<Sums> {
    let mut rng = Seeds::new(5).stream(Purpose::Test, 0);
    let games = (0..).map(|rules| Sums::start(&rules, &mut rng));
    games.filter(|game| game.outcome().is_none()).take(count).collect()
}

fn limits(depth: u32, table_entries: usize) -> Limits {
    Limits { depth, nodes: u64::MAX, table_entries }
}

#[test]
fn the_search_agrees_with_minimax_at_every_depth_with_and_without_a_table() {
    let mut rng = Seeds::new(6).stream(Purpose::Test, 0);
    for game in unfinished_games(60) {
        for depth in 1..=4 {
            let expected = minimax(&game, 0, depth);
            for table_entries in [2, 64, 1 << 12] {
                let found = AlphaBeta::new(limits(depth, table_entries)).search(&game, &mut rng);
                // A proof at a smaller depth ends the search.
                assert_eq!(i64::from(found.score.hundredths()), expected, "{game:?}, depth {depth}, {table_entries}");
                assert_eq!(value_after(&game, found.action, 0, found.depth), expected, "{game:?}, depth {depth}");
            }
        }
    }
}

#[test]
fn every_step_of_the_best_value_is_chosen_now_and_then() {
    let mut rng = Seeds::new(7).stream(Purpose::Test, 0);
    let mut with_choice = 0;
    for game in unfinished_games(40) {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let best = minimax(&game, 0, 2);
        let equals: Vec<Action> =
            actions.into_iter().filter(|&action| value_after(&game, action, 0, 2) == best).collect();
        with_choice += usize::from(equals.len() > 1);
        let searches: Vec<Found> = (0..60).map(|_| AlphaBeta::new(limits(2, 64)).search(&game, &mut rng)).collect();
        let mut chosen: Vec<Action> = searches.iter().map(|found| found.action).collect();
        chosen.sort();
        chosen.dedup();
        // A proof at depth 1 hides equal ones at depth 2.
        if searches[0].depth == 2 {
            assert_eq!(chosen, equals, "{game:?}");
        }
    }
    assert!(with_choice > 5);
}

#[test]
fn proofs_tell_the_distance_in_turns() {
    let mut rng = Seeds::new(8).stream(Purpose::Test, 0);
    let mut seen = [0; 2];
    for game in unfinished_games(300) {
        let found = AlphaBeta::new(limits(4, 1 << 12)).search(&game, &mut rng);
        let turns = match found.score.proof() {
            Some(Proof::WinIn(turns)) => {
                seen[0] += 1;
                turns
            }
            Some(Proof::LossIn(turns)) => {
                seen[1] += 1;
                turns
            }
            None => continue,
        };
        assert_eq!(found.depth, turns, "found as soon as the depth allows: {game:?}");
        let shallower = (1..turns).map(|depth| minimax(&game, 0, depth));
        assert!(shallower.into_iter().all(|value| value.abs() < 1000), "no faster proof: {game:?}");
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn the_same_generator_gives_the_same_search_whatever_was_searched_before() {
    let games = unfinished_games(10);
    let mut used = AlphaBeta::new(limits(3, 256));
    for game in &games {
        let fresh = AlphaBeta::new(limits(3, 256)).search(game, &mut Seeds::new(9).stream(Purpose::Test, 0));
        assert_eq!(used.search(game, &mut Seeds::new(9).stream(Purpose::Test, 0)), fresh);
    }
}

#[test]
fn a_search_without_nodes_left_gives_what_it_has() {
    let mut rng = Seeds::new(10).stream(Purpose::Test, 0);
    for game in unfinished_games(20) {
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        for nodes in [0, 3, 10, 100] {
            let found = AlphaBeta::new(Limits { nodes, ..limits(50, 64) }).search(&game, &mut rng);
            assert!(legal.contains(&found.action));
            // The list of the root is always ranked, and the steps in hand are finished.
            assert!(found.nodes <= nodes + 2 * 4 + 4, "{} of {nodes}", found.nodes);
            assert_eq!(found.line[0], found.action);
        }
    }
}
