//! The search against plain minimax, and on positions of Eternal Chess whose answers are known.

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Side, Variant};
use rand::RngExt;

use super::toy::Sums;
use super::*;

/// The value for red, looked up nowhere and cut off nowhere.
fn minimax<G: Game>(game: &G, turns_played: u32, left: u32) -> i64 {
    if let Some(outcome) = game.outcome() {
        return i64::from(Score::of(outcome, Side::Red, turns_played).hundredths());
    }
    let for_red = if game.side_to_act() == Side::Red { 1 } else { -1 };
    if left == 0 {
        return for_red * i64::from(game.heuristic());
    }
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let values = actions.iter().map(|&action| for_red * value_after(game, action, turns_played, left));
    for_red * values.max().unwrap()
}

/// The value for red of what `action` leads to.
fn value_after<G: Game>(game: &G, action: Action, turns_played: u32, left: u32) -> i64 {
    let mut child = game.clone();
    child.apply(action);
    let turn_is_over = child.outcome().is_some() || child.at_turn_start();
    // An end during a turn ends the turn.
    let (turns_played, left) = if turn_is_over { (turns_played + 1, left - 1) } else { (turns_played, left) };
    minimax(&child, turns_played, left)
}

fn unfinished_games(count: usize) -> Vec<Sums> {
    let mut rng = Seeds::new(5).stream(Purpose::Test, 0);
    let games = (0..).map(|rules| {
        let mut game = Sums::start(&rules, &mut rng);
        play_at_random(&mut game, rules as usize % 4, &mut rng);
        game
    });
    games.filter(|game| game.outcome().is_none()).take(count).collect()
}

fn play_at_random<G: Game>(game: &mut G, steps: usize, rng: &mut Rng) {
    let mut legal = Vec::new();
    for _ in 0..steps {
        game.legal_actions(&mut legal);
        if legal.is_empty() {
            return;
        }
        game.apply(legal[rng.random_range(0..legal.len())]);
    }
}

/// The score as a value for red.
fn for_red<G: Game>(game: &G, score: Score) -> i64 {
    i64::from(score.seen_by(game.side_to_act(), Side::Red).hundredths())
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
                assert_eq!(for_red(&game, found.score), expected, "{game:?}, depth {depth}, {table_entries}");
                assert_eq!(value_after(&game, found.action, 0, found.depth), expected, "{game:?}, depth {depth}");
            }
        }
    }
}

#[test]
fn every_step_of_the_best_value_is_chosen_now_and_then() {
    let mut rng = Seeds::new(7).stream(Purpose::Test, 0);
    let mut with_choice = 0;
    for game in unfinished_games(150) {
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

/// Runs a function for the game of a variant.
struct With<T>(T);

trait ForGame {
    fn run<G: Notation>(self, rules: &G::Rules);
}

impl<T: ForGame> VariantVisitor for With<T> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        self.0.run::<G>(&rules);
    }
}

fn with_game(variant: &str, test: impl ForGame) {
    variant.parse::<Variant>().unwrap().dispatch(With(test));
}

struct AgreesWithMinimax;

impl ForGame for AgreesWithMinimax {
    fn run<G: Notation>(self, rules: &G::Rules) {
        for index in 0..6 {
            let mut rng = Seeds::new(11).stream(Purpose::Test, index);
            let mut game = G::start(rules, &mut rng);
            play_at_random(&mut game, 4 * index as usize, &mut rng);
            if game.outcome().is_some() {
                continue;
            }
            for depth in 1..=2 {
                let found = AlphaBeta::new(limits(depth, 1 << 12)).search(&game, &mut rng);
                assert_eq!(for_red(&game, found.score), minimax(&game, 0, depth), "{}, depth {depth}", game.fen());
            }
        }
    }
}

#[test]
fn on_real_positions_the_search_agrees_with_minimax() {
    for variant in ["eternal-mini", "xiangqi", "wuji-advanced"] {
        with_game(variant, AgreesWithMinimax);
    }
}

struct Puzzles(&'static [Puzzle]);

struct Puzzle {
    fen: &'static str,
    depth: u32,
    proof: Option<Proof>,
    /// The steps that solve it.
    solutions: &'static [&'static str],
}

impl ForGame for Puzzles {
    fn run<G: Notation>(self, rules: &G::Rules) {
        for (index, puzzle) in self.0.iter().enumerate() {
            let game = G::from_fen(rules, puzzle.fen).unwrap();
            let mut rng = Seeds::new(12).stream(Purpose::Test, index as u64);
            let found = AlphaBeta::new(limits(puzzle.depth, 1 << 12)).search(&game, &mut rng);
            let step = game.step_text(found.action);
            assert_eq!(found.score.proof(), puzzle.proof, "{}: {step}", puzzle.fen);
            assert!(puzzle.solutions.contains(&step.as_str()), "{}: {step}", puzzle.fen);
        }
    }
}

#[test]
fn puzzles_are_solved() {
    let puzzles = &[
        // The rook on d5 has an open file to the palace.
        Puzzle {
            fen: "r5/4rn/N1cR2/**nc1R/6/C5/C2N2 r - 0-0 27",
            depth: 3,
            proof: Some(Proof::WinIn(1)),
            solutions: &["d5d7"],
        },
        // The knight takes its own cannon, which comes back elsewhere, and then threatens more than can be stopped.
        Puzzle {
            fen: "2c3/c2r2/1r1NC1/*n****/1C1Nn1/1R1R2/6 r - 0-0 7",
            depth: 4,
            proof: Some(Proof::WinIn(3)),
            solutions: &["d3e5"],
        },
        // One capture and drop is left that stops red from scoring.
        Puzzle {
            fen: "n1c3/1N2r1/C2cr1/**1***/1n4/3R2/1RC1N1 b - 0-0 14",
            depth: 2,
            proof: None,
            solutions: &["e6b6"],
        },
        Puzzle { fen: "2r3/n2c2/3N2/2*1*1/1R1NCn/R5/r1C1c1 r - 0-0 55", depth: 2, proof: None, solutions: &["d3e1"] },
    ];
    with_game("eternal-mini", Puzzles(puzzles));
    let puzzles = &[
        Puzzle {
            fen: "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1",
            depth: 3,
            proof: Some(Proof::WinIn(1)),
            solutions: &["b1b10"],
        },
        // A chariot that nobody protects, in return for nothing.
        Puzzle { fen: "3k5/9/9/4r4/9/4R4/9/9/4A4/4K4 w - - 0 1", depth: 2, proof: None, solutions: &["e5e7"] },
    ];
    with_game("xiangqi", Puzzles(puzzles));
    let puzzles = &[
        // The palace has no point left that the two rooks do not see.
        Puzzle {
            fen: "6k6/R12/13/13/13/13/13/13/13/13/1R11/5K7 r 0 1",
            depth: 2,
            proof: Some(Proof::WinIn(1)),
            solutions: &["b2b12"],
        },
    ];
    with_game("wuji-simple", Puzzles(puzzles));
}

struct PlacesWithinTheBudget;

impl ForGame for PlacesWithinTheBudget {
    fn run<G: Notation>(self, rules: &G::Rules) {
        let limits = Limits { nodes: 20_000, ..Limits::of_depth(3) };
        let mut game = G::standard_start(rules);
        for index in 0..8 {
            let rng = || Seeds::new(13).stream(Purpose::Test, index);
            let found = AlphaBeta::new(limits).search(&game, &mut rng());
            assert_eq!(AlphaBeta::new(limits).search(&game, &mut rng()), found);
            assert!(found.nodes < 21_000, "{}", found.nodes);
            game.apply(found.action);
        }
        assert_eq!(game.turns_played(), 2);
    }
}

#[test]
fn a_placement_turn_takes_no_longer_than_another() {
    with_game("eternal-free", PlacesWithinTheBudget);
}
