use heng_env::Side::{self, Black, Red};

use super::super::Proof;
use super::*;
use crate::toy::{decision, end, random, steady, with_priors};

/// Gumbel search trusts its values far enough to never look at some actions again; with a small scale it tries them all.
fn patient(algorithm: Algorithm, simulations: u32) -> SearchConfig {
    let gumbel = GumbelConfig { value_scale: 0.02, ..GumbelConfig::default() };
    SearchConfig { gumbel, ..config(algorithm, simulations) }
}

#[test]
fn a_win_at_the_third_step_of_a_turn_is_proven_and_played() {
    for (side, algorithm) in
        [(Red, Algorithm::Gumbel), (Red, Algorithm::Puct), (Black, Algorithm::Gumbel), (Black, Algorithm::Puct)]
    {
        // The evaluator is against it all the way.
        let third = decision(side, -0.9, vec![steady(side.other(), 0.0, 9), end(Some(side))]);
        let second = decision(side, -0.9, vec![third, steady(side, 0.0, 9)]);
        let root = decision(side, 0.0, vec![steady(side, 0.0, 9), second]);
        let (result, _) = search(&root, patient(algorithm, 500));
        assert_eq!(result.proven, Some(Proof { winner: Some(side), steps: 3 }), "{algorithm}");
        assert_eq!(result.principal_variation, actions(&[1, 0, 1]));
        assert_eq!(result.policy, [0.0, 1.0]);
        assert_eq!(result.value.to_side(side).score(), 1.0);
        assert!(result.simulations < 500, "a proven root needs no more simulations");
    }
}

#[test]
fn a_proven_loss_is_avoided_however_good_it_looked() {
    for algorithm in TREE_SEARCHES {
        let trap = decision(Black, -0.9, vec![steady(Red, 0.9, 12), end(Some(Black))]);
        let root = with_priors(Red, 0.0, &[0.9, 0.1], vec![trap, steady(Black, -0.8, 12)]);
        let (result, _) = search(&root, config(algorithm, 60));
        assert_eq!(result.best, Action::new(1), "{algorithm}");
        assert_eq!(score_of(&result, 0), -1.0);
        assert_eq!(result.policy, [0.0, 1.0]);
        assert_eq!(result.proven, None);
    }
}

#[test]
fn a_lost_side_holds_out_as_long_as_it_can() {
    for algorithm in TREE_SEARCHES {
        let slow = decision(Black, 0.0, vec![end(Some(Black)); 2]);
        let slower = decision(Red, 0.0, vec![slow.clone(), slow]);
        let root = decision(Red, 0.0, vec![end(Some(Black)), slower, end(Some(Black))]);
        let (result, _) = search(&root, config(algorithm, 60));
        assert_eq!(result.proven, Some(Proof { winner: Some(Black), steps: 3 }));
        assert_eq!(result.best, Action::new(1), "{algorithm}");
    }
}

#[test]
fn a_draw_is_proven_when_nothing_better_is_left() {
    for algorithm in TREE_SEARCHES {
        let later = decision(Red, 0.0, vec![end(None), end(Some(Black))]);
        let root = decision(Black, 0.0, vec![end(Some(Red)), end(None), later]);
        let (result, _) = search(&root, config(algorithm, 60));
        assert_eq!(result.proven.map(|proof| proof.winner), Some(None), "{algorithm}");
        assert_ne!(result.best, Action::new(0));
        assert_eq!(result.policy[0], 0.0);
        assert_eq!(result.value.draw, 1.0);
    }
}

#[test]
fn a_certain_draw_is_taken_before_something_worse() {
    for algorithm in TREE_SEARCHES {
        let root = decision(Black, 0.0, vec![steady(Red, 0.4, 12), end(None), steady(Red, 0.5, 12)]);
        let (result, _) = search(&root, config(algorithm, 60));
        assert_eq!((result.best, result.proven), (Action::new(1), None), "{algorithm}");
    }
}

#[test]
fn a_proof_is_whatever_minimax_says() {
    let mut generator = rng(11);
    for index in 0..300 {
        let spec = random(if index % 2 == 0 { Red } else { Black }, 5, &mut generator);
        if Toy::new(spec.clone()).action_count() < 2 {
            continue;
        }
        for algorithm in TREE_SEARCHES {
            for leaves_in_flight in [1, 3] {
                let config = SearchConfig { leaves_in_flight, ..patient(algorithm, 5_000) };
                let mut search = Search::new(Toy::new(spec.clone()), config);
                let (result, _) = run(&mut search);
                let expected: Option<Side> = spec.solve();
                let proof = result.proven.unwrap_or_else(|| panic!("{index} {algorithm}: not proven"));
                assert_eq!(proof.winner, expected, "{index} {algorithm}");
                search.advance(result.best);
                assert_eq!(search.root().solve(), expected, "{index} {algorithm}: a best step keeps the result");
            }
        }
    }
}

#[test]
fn a_proven_win_is_played_to_its_end_from_the_kept_tree() {
    let mut generator = rng(12);
    let mut wins = 0;
    for _ in 0..100 {
        let spec = random(Red, 6, &mut generator);
        if spec.solve() != Some(Red) {
            continue;
        }
        let mut search = Search::new(Toy::new(spec), patient(Algorithm::Gumbel, 10_000));
        while heng_env::Game::outcome(search.root()).is_none() {
            let (result, _) = run(&mut search);
            search.advance(result.best);
        }
        assert_eq!(heng_env::Game::outcome(search.root()).and_then(|outcome| outcome.winner), Some(Red));
        wins += 1;
    }
    assert!(wins > 20);
}

#[test]
fn what_wins_at_once_is_known_without_an_evaluation() {
    for algorithm in TREE_SEARCHES {
        let known = SearchConfig { immediate_wins: true, ..config(algorithm, 60) };
        // The evaluator likes the trap, and nothing else tells of it.
        let trap = decision(Black, -0.9, vec![steady(Red, 0.9, 12), end(Some(Black))]);
        let root = with_priors(Red, 0.0, &[0.9, 0.1], vec![trap, steady(Black, -0.8, 12)]);
        let (result, _) = search(&root, known.clone());
        assert_eq!((result.best, score_of(&result, 0)), (Action::new(1), -1.0), "{algorithm}");
        assert_eq!(result.visits[0], 1, "{algorithm}: one visit proves it");
        // All steps of the root that win are as good; its evaluation is the only one.
        let won = [end(None), end(Some(Red)), steady(Black, 0.9, 12), end(Some(Red))];
        let root = with_priors(Red, -0.5, &[0.4, 0.1, 0.4, 0.1], won.to_vec());
        let (result, evaluations) = search(&root, known);
        assert_eq!(result.policy, [0.0, 0.5, 0.0, 0.5], "{algorithm}");
        assert_eq!(result.proven, Some(Proof { winner: Some(Red), steps: 1 }));
        assert_eq!((evaluations, result.simulations), (1, 0), "{algorithm}");
    }
}

#[test]
fn a_search_goes_on_in_a_position_that_was_won_before_it_was_evaluated() {
    for algorithm in TREE_SEARCHES {
        let known = SearchConfig { immediate_wins: true, ..config(algorithm, 20) };
        let lost = decision(Black, 0.0, vec![end(Some(Black)), steady(Red, 0.0, 9)]);
        let root = decision(Red, 0.0, vec![lost.clone(), lost]);
        let mut search = Search::new(Toy::new(root), known);
        let (result, _) = run(&mut search);
        assert_eq!(result.proven, Some(Proof { winner: Some(Black), steps: 2 }), "{algorithm}");
        search.advance(result.best);
        let (result, evaluations) = run(&mut search);
        assert_eq!((result.best, evaluations), (Action::new(0), 1), "{algorithm}");
        assert_eq!(result.proven, Some(Proof { winner: Some(Black), steps: 1 }));
    }
}

#[test]
fn what_loses_at_once_is_known_without_an_evaluation() {
    for algorithm in TREE_SEARCHES {
        let known = SearchConfig { immediate_losses: true, ..config(algorithm, 60) };
        // The evaluator likes the trap.
        let trap = || decision(Black, -0.9, vec![steady(Red, 0.9, 12), end(Some(Black))]);
        let root = with_priors(Red, 0.0, &[0.9, 0.1], vec![trap(), steady(Black, -0.8, 12)]);
        let (result, _) = search(&root, known.clone());
        assert_eq!((result.best, score_of(&result, 0)), (Action::new(1), -1.0), "{algorithm}");
        assert_eq!((result.visits[0], result.proven), (0, None), "{algorithm}: nothing is spent on it");
        // Behind another step everything is a trap: that step is proven with the one visit that finds out.
        let doomed = decision(Red, 0.9, vec![trap(), trap()]);
        let root = with_priors(Black, 0.0, &[0.5, 0.5], vec![steady(Red, 0.0, 12), doomed]);
        let (result, evaluations) = search(&root, known.clone());
        assert_eq!(result.proven, Some(Proof { winner: Some(Black), steps: 3 }), "{algorithm}");
        assert_eq!((result.best, result.visits[1]), (Action::new(1), 1), "{algorithm}");
        assert!(evaluations <= 3, "{algorithm}: the doomed position itself is not evaluated");
        // And where the root is doomed, its evaluation is the only one.
        let (result, evaluations) = search(&decision(Red, 0.9, vec![trap(), trap()]), known);
        assert_eq!(result.proven, Some(Proof { winner: Some(Black), steps: 2 }), "{algorithm}");
        assert_eq!((evaluations, result.simulations), (1, 0), "{algorithm}");
    }
}

#[test]
fn what_is_known_at_once_agrees_with_minimax_and_with_a_search_that_is_not_told() {
    let mut generator = rng(13);
    for index in 0..300 {
        let spec = random(if index % 2 == 0 { Red } else { Black }, 5, &mut generator);
        if Toy::new(spec.clone()).action_count() < 2 {
            continue;
        }
        for algorithm in TREE_SEARCHES {
            for (wins, losses) in [(false, true), (true, false), (true, true)] {
                let told = SearchConfig { immediate_wins: wins, immediate_losses: losses, ..patient(algorithm, 5_000) };
                let (result, _) = search(&spec, told);
                let proof = result.proven.unwrap_or_else(|| panic!("{index} {algorithm}: not proven"));
                assert_eq!(proof.winner, spec.solve(), "{index} {algorithm}");
            }
        }
    }
}
