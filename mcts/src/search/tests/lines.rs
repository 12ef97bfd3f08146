//! Lines side by side, roots of some steps alone, and searches that are broken off.

use heng_env::Side::{Black, Red};

use super::super::{Budget, Line};
use super::*;
use crate::drive::Driver;
use crate::toy::{decision, end, random, steady, with_priors};

fn firsts(lines: &[Line]) -> Vec<usize> {
    lines.iter().map(|line| line.steps[0].index()).collect()
}

#[test]
fn lines_come_best_first_and_begin_with_different_steps() {
    for algorithm in TREE_SEARCHES {
        let scores = [-0.9, 0.8, 0.1, -0.2];
        let root = decision(Red, 0.0, scores.map(|score| steady(Black, score, 9)).to_vec());
        let mut search = Search::new(Toy::new(root), config(algorithm, 80));
        let (result, _) = run(&mut search);
        let lines = search.lines(9);
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[0].steps[0], &lines[0].steps), (result.best, &result.principal_variation));
        assert_eq!(firsts(&lines)[0], 1);
        assert!(lines.windows(2).all(|pair| pair[0].visits >= pair[1].visits), "{algorithm}: {lines:?}");
        for line in &lines {
            let index = line.steps[0].index();
            assert_eq!((line.visits, line.prior), (result.visits[index], 0.25));
            assert_eq!(line.chances.map(|chances| chances.value()), result.values[index]);
        }
        assert_eq!(firsts(&search.lines(2)), firsts(&lines)[..2]);
    }
}

#[test]
fn proven_lines_are_sorted_by_what_they_prove() {
    let root = decision(Black, 0.0, vec![end(Some(Red)), steady(Red, 0.0, 9), end(None), steady(Red, 0.1, 9)]);
    for algorithm in TREE_SEARCHES {
        let mut search = Search::new(Toy::new(root.clone()), config(algorithm, 60));
        run(&mut search);
        let lines = search.lines(4);
        assert_eq!(firsts(&lines)[3], 0, "{algorithm}: a loss comes last");
        let proofs: Vec<_> = lines.iter().map(|line| line.proof.map(|proof| proof.winner)).collect();
        assert_eq!(proofs[3], Some(Some(Red)));
        assert_eq!(proofs.iter().filter(|proof| **proof == Some(None)).count(), 1);
    }
}

#[test]
fn a_root_of_some_steps_knows_no_others() {
    let scores = [0.9, 0.1, -0.5, 0.3];
    let root = with_priors(Red, 0.0, &[0.7, 0.1, 0.1, 0.1], scores.map(|score| steady(Black, score, 9)).to_vec());
    for algorithm in Algorithm::ALL {
        let mut search = Search::among(Toy::new(root.clone()), config(algorithm, 40), &actions(&[3, 2]));
        let (result, _) = run(&mut search);
        assert_eq!(result.actions, actions(&[2, 3]));
        assert_close(result.priors[0], 0.5);
        assert_eq!(result.policy.len(), 2);
        if algorithm != Algorithm::Policy {
            assert_eq!(result.best, Action::new(3), "{algorithm}");
        }
        // What comes after is a whole position again.
        search.advance(Action::new(3));
        run(&mut search);
        assert_eq!(search.result().actions.len(), 2);
    }
    let mut search = Search::among(Toy::new(root), config(Algorithm::Gumbel, 40), &actions(&[1]));
    let (result, evaluations) = run(&mut search);
    assert_eq!((result.best, evaluations), (Action::new(1), 0), "one step is forced");
}

#[test]
fn a_budget_takes_the_place_of_the_settings_and_adds_to_the_tree() {
    for algorithm in TREE_SEARCHES {
        let root = random(Red, 12, &mut rng(3));
        let mut search = Search::new(Toy::new(root), config(algorithm, 5));
        let mut evaluator = script();
        let mut total = 0;
        for simulations in [8, 16, 32] {
            search.begin_with(Budget { simulations, leaves_in_flight: 4, explores: false }, &mut rng(0));
            drive(std::slice::from_mut(&mut search), &mut evaluator);
            if search.is_settled() {
                return;
            }
            total += simulations;
            assert_eq!((search.simulations(), search.is_done()), (simulations, true));
            assert_eq!(search.result().visits.iter().sum::<u32>(), total);
        }
        assert!(search.tree_bytes() > search.tree_size() * crate::search::EDGE_BYTES);
    }
}

#[test]
fn a_search_that_is_broken_off_answers_by_visits() {
    // The second action is far better than all others.
    let mut scores = [-0.5; 8];
    scores[1] = 0.9;
    let root = decision(Red, 0.0, scores.map(|score| steady(Black, score, 9)).to_vec());
    for algorithm in TREE_SEARCHES {
        let mut search = Search::new(Toy::new(root.clone()), config(algorithm, 64));
        run(&mut search);
        let (mut evaluator, mut driver) = (script(), Driver::new(1));
        search.begin_with(Budget { simulations: 1000, leaves_in_flight: 1, explores: false }, &mut rng(0));
        for _ in 0..3 {
            assert!(!search.is_done());
            assert_eq!(search.result().best, Action::new(1), "{algorithm}");
            driver.tick(std::slice::from_mut(&mut search), &mut evaluator);
        }
    }
}
