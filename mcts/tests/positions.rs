//! Positions of Eternal Chess whose answers are known: every test first works them out anew by trying all turns.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Seeds, Side, Variant};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::{Evaluation, Evaluator, RolloutEvaluator, UniformEvaluator};
use heng_mcts::search::{Algorithm, GumbelConfig, Search, SearchConfig};

/// What the right turns of a position do.
#[derive(Clone, Copy, Debug)]
enum Aim {
    /// Win at once.
    WinNow,
    /// Win in the next turn, whatever the opponent does between.
    WinNext,
    /// Leave the opponent no way to win in one turn, and do not lose at once.
    Survive,
}

/// What evaluates the leaves: nothing at all, so that proofs alone must tell, or one random playout each.
#[derive(Clone, Copy, Debug)]
enum Judge {
    Uniform,
    Rollout,
    /// The same, but at the root nine tenths of the prior lie on a step that loses.
    Misled,
}

#[derive(Clone, Copy, Debug)]
struct Puzzle {
    variant: &'static str,
    fen: &'static str,
    aim: Aim,
    /// All turns, and how many of them are right.
    turns: usize,
    right: usize,
    /// One of the right turns.
    example: &'static str,
    simulations: u32,
    judges: &'static [Judge],
}

#[test]
fn a_win_in_one_turn_is_played() {
    let mini = |fen, turns, example| Puzzle {
        variant: "eternal-mini",
        fen,
        aim: Aim::WinNow,
        turns,
        right: 1,
        example,
        simulations: 3_000,
        judges: &[Judge::Uniform, Judge::Rollout],
    };
    solve(mini("6/2r1c1/1nNrcn/******/1C2R1/1N3C/2R3 r - 0-0 9", 90, "c5d7#"));
    solve(mini("n5/c5/1r2r1/*R**n*/1N3C/N1Cc2/4R1 b - 0-0 12", 137, "d2d1#"));
    // Chains of jumps on the full board.
    let full = |fen, turns, example| Puzzle { variant: "eternal-fixed", ..mini(fen, turns, example) };
    solve(full("1rb2br1/3n4/nc2m2c/1mp2p2/*N*****R/1MP2P2/3MC1C1/8/R1B2BN1 r - 3-3 11", 289, "c4a6c8e8#"));
    solve(full("b4bn1/p1rn4/1c1mm1cr/5p2/1R******/1C2MP2/3CM2B/1P6/1NB3NR b - 3-3 12", 367, "a8c6a4c4e2#"));
}

#[test]
fn a_win_that_needs_the_enemy_out_of_the_palace_first_is_played() {
    // A return and a move: two steps of the same side, of which the second ends the game.
    let puzzle = |fen, turns, right, example| Puzzle {
        variant: "eternal-fixed",
        fen,
        aim: Aim::WinNow,
        turns,
        right,
        example,
        simulations: 6_000,
        judges: &[Judge::Uniform, Judge::Rollout],
    };
    solve(puzzle("rcb1B1Cn/2p5/5R1m/2pc2n1/1***m1*r/P5MP/1R1M3b/7N/4C1NB b - 3-3 42", 5_390, 17, "a1e5e2#"));
    solve(puzzle("r4rn1/4bm2/2N1c3/pb3p2/***1**M*/5P2/N2c2BP/CCn1m3/R1B1M1R1 r - 3-3 57", 3_930, 19, "c6c7d9#"));
}

#[test]
fn a_win_that_needs_capture_and_drop_is_prepared() {
    // No turn wins at once. One capture, with the captured piece dropped on the right square, wins against every reply.
    let puzzle = |fen, turns, right, example| Puzzle {
        variant: "eternal-mini",
        fen,
        aim: Aim::WinNext,
        turns,
        right,
        example,
        simulations: 100_000,
        judges: &[Judge::Rollout],
    };
    solve(puzzle("2c1nn/6/1r4/****r*/2c2R/3N1R/C1C1N1 b - 0-0 12", 82, 1, "e4e1b1x"));
    solve(puzzle("nr1n2/1C1N2/1c1c2/**1*1*/5R/C5/1N1Rr1 b - 0-0 46", 85, 2, "b5b1b3x"));
}

fn defence(fen: &'static str, turns: usize, right: usize, example: &'static str) -> Puzzle {
    Puzzle {
        variant: "eternal-mini",
        fen,
        aim: Aim::Survive,
        turns,
        right,
        example,
        simulations: 30_000,
        judges: &[Judge::Uniform, Judge::Rollout],
    }
}

#[test]
fn a_defence_that_must_be_found_is_found() {
    solve(defence("1r1n2/4r1/n5/1*****/4RN/Rcc2C/1N1C2 r - 0-0 39", 75, 1, "d1c1"));
    solve(defence("2r1n1/3r2/3cn1/***1**/CN4/1RN3/1RC2c r - 0-0 13", 72, 1, "c1d1"));
    solve(defence("cn1c2/4r1/nN4/**1*r1/5N/3C1R/R2C2 b - 0-0 38", 97, 2, "d7a7c7x"));
    solve(defence("6/c1cr2/n3n1/**2**/2N3/2Nr1C/CRR3 r - 0-0 21", 103, 3, "c1b1d1"));
}

#[test]
fn a_proven_loss_is_avoided_though_the_priors_insist_on_it() {
    for puzzle in [
        defence("2r1n1/3r2/3cn1/***1**/CN4/1RN3/1RC2c r - 0-0 13", 72, 1, "c1d1"),
        defence("cn4/1nrC1c/4Nr/*1*1N*/2R3/6/3CR1 b - 0-0 30", 90, 4, "b6d7"),
    ] {
        solve(Puzzle { judges: &[Judge::Misled], ..puzzle });
    }
}

/// Works the answer out, then lets every search find it.
fn solve(puzzle: Puzzle) {
    let variant: Variant = puzzle.variant.parse().expect("a variant");
    variant.dispatch(Solve(puzzle));
}

struct Solve(Puzzle);

impl VariantVisitor for Solve {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let puzzle = self.0;
        let game = G::from_fen(&rules, puzzle.fen).expect("a position");
        let turns = all_turns(&game);
        let right: Vec<&[Action]> = turns
            .iter()
            .filter(|(_, after)| is_right(game.side_to_act(), after, puzzle.aim))
            .map(|(steps, _)| steps.as_slice())
            .collect();
        assert_eq!((turns.len(), right.len()), (puzzle.turns, puzzle.right), "{}", puzzle.fen);
        let example = game.parse_turn(puzzle.example).expect("a turn");
        assert!(right.contains(&example.as_slice()), "{}", puzzle.example);

        for algorithm in [Algorithm::Puct, Algorithm::Gumbel] {
            let config = config(algorithm, puzzle.simulations);
            for judge in puzzle.judges {
                let steps = match judge {
                    Judge::Uniform => play_turn(&game, &config, &mut UniformEvaluator),
                    Judge::Rollout => play_turn(&game, &config, &mut RolloutEvaluator::new(1, Seeds::new(1))),
                    Judge::Misled => play_turn(&game, &config, &mut Misled::new(&game, &right)),
                };
                let text = game.turn_text(&steps);
                assert!(right.contains(&steps.as_slice()), "{algorithm} {judge:?}: {text} in {}", puzzle.fen);
            }
        }
    }
}

struct Misled {
    rollout: RolloutEvaluator,
    root: u64,
    /// Index of a legal action with which no right turn begins.
    wrong: usize,
}

impl Misled {
    fn new<G: Notation>(root: &G, right: &[&[Action]]) -> Misled {
        let mut actions = Vec::new();
        root.legal_actions(&mut actions);
        let is_wrong = |action: &Action| right.iter().all(|steps| steps[0] != *action);
        let wrong = actions.iter().position(is_wrong).expect("a wrong step");
        Misled { rollout: RolloutEvaluator::new(1, Seeds::new(1)), root: root.key(), wrong }
    }
}

impl<G: Notation> Evaluator<G> for Misled {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        self.rollout.evaluate(positions, out);
        for (position, evaluation) in positions.iter().zip(out).filter(|(position, _)| position.key() == self.root) {
            let count = position.legal_count();
            evaluation.priors.resize(count, 0.1 / count as f32);
            evaluation.priors[self.wrong] += 0.9;
        }
    }
}

/// Match play. Nothing here tells good steps from bad ones but the search, so Gumbel considers all of them, and trusts
/// a single playout no more than it should.
fn config(algorithm: Algorithm, simulations: u32) -> SearchConfig {
    let gumbel = GumbelConfig { considered: 1_000, value_scale: 0.05, ..GumbelConfig::default() };
    SearchConfig { algorithm, simulations, gumbel, ..SearchConfig::default() }.without_exploration()
}

/// The steps that a search plays until its turn is over.
fn play_turn<G: Notation>(game: &G, config: &SearchConfig, evaluator: &mut impl Evaluator<G>) -> Vec<Action> {
    let mut search = Search::new(game.clone(), config.clone());
    let mut rng = Seeds::new(1).stream(Purpose::Test, 0);
    let mut steps = Vec::new();
    loop {
        search.begin(&mut rng);
        drive(std::slice::from_mut(&mut search), evaluator);
        steps.push(search.result().best);
        search.advance(search.result().best);
        if is_over(search.root()) {
            return steps;
        }
    }
}

fn is_right<G: Notation>(side: Side, after: &G, aim: Aim) -> bool {
    match aim {
        Aim::WinNow => has_won(after, side),
        Aim::WinNext if after.outcome().is_none() => {
            all_turns(after).iter().all(|(_, reply)| reply.outcome().is_none() && can_win(reply))
        }
        Aim::Survive if after.outcome().is_none() => !can_win(after),
        Aim::WinNext | Aim::Survive => has_won(after, side),
    }
}

fn has_won<G: Notation>(game: &G, side: Side) -> bool {
    game.outcome().is_some_and(|outcome| outcome.winner == Some(side))
}

/// Whether the side to act wins in this turn.
fn can_win<G: Notation>(game: &G) -> bool {
    all_turns(game).iter().any(|(_, after)| has_won(after, game.side_to_act()))
}

/// Whether the turn that led here is over.
fn is_over<G: Notation>(game: &G) -> bool {
    game.outcome().is_some() || game.at_turn_start()
}

/// Every turn, and the position after it.
fn all_turns<G: Notation>(game: &G) -> Vec<(Vec<Action>, G)> {
    let mut turns = Vec::new();
    let mut open = vec![(Vec::new(), game.clone())];
    let mut actions = Vec::new();
    while let Some((steps, game)) = open.pop() {
        game.legal_actions(&mut actions);
        for &action in &actions {
            let mut next = (steps.clone(), game.clone());
            next.0.push(action);
            next.1.apply(action);
            if is_over(&next.1) { turns.push(next) } else { open.push(next) }
        }
    }
    turns
}
