use std::collections::HashSet;

use heng_env::Game;
use heng_env::Side::{Black, Red};

use super::super::tree::Edge;
use super::*;
use crate::drive::Driver;
use crate::toy::{decision, end, random, steady, wdl_of, with_priors};
use crate::value::Wdl;

#[test]
fn an_edge_is_compact() {
    assert!(size_of::<Edge>() <= 40, "{}", size_of::<Edge>());
}

#[test]
fn a_turn_of_three_steps_keeps_the_sign_of_its_values() {
    // Action 0 leads through two forced steps of the same side to a position that the opponent likes, action 1 to one
    // that it dislikes. A sign flipped by depth would turn one of them over.
    for side in [Red, Black] {
        for algorithm in TREE_SEARCHES {
            let chain = |score| {
                let reply = decision(side.other(), score, vec![steady(side, 0.0, 9); 2]);
                decision(side, 0.0, vec![decision(side, 0.0, vec![reply])])
            };
            let root = decision(side, 0.0, vec![chain(0.6), chain(-0.4)]);
            let (result, evaluations) = search(&root, config(algorithm, 2));
            assert_eq!(result.visits, [1, 1]);
            assert_close(score_of(&result, 0), -0.6);
            assert_close(score_of(&result, 1), 0.4);
            assert_close(result.value.to_side(side).score(), (0.0 - 0.6 + 0.4) / 3.0);
            assert_eq!(evaluations, 3, "forced positions are not evaluated");
            assert_eq!(result.best, Action::new(1));
        }
    }
}

#[test]
fn a_forced_step_costs_no_simulation() {
    for algorithm in Algorithm::ALL {
        let root = decision(Red, 0.0, vec![steady(Red, 0.5, 9)]);
        let mut search = Search::new(Toy::new(root), config(algorithm, 50));
        let (result, evaluations) = run(&mut search);
        assert!(search.is_done());
        assert_eq!((evaluations, result.simulations, result.best), (0, 0, Action::new(0)));
        assert_eq!(result.policy, [1.0]);
    }
}

#[test]
fn a_finished_game_is_done() {
    let mut search = Search::new(Toy::new(end(Some(Red))), config(Algorithm::Gumbel, 50));
    search.begin(&mut rng(0));
    assert!(search.is_done() && search.next_leaf().is_none());
}

#[test]
fn the_same_seed_grows_the_same_tree_and_another_does_not() {
    for algorithm in TREE_SEARCHES {
        let spec = random_open(3);
        let grow = |seed| {
            let config = SearchConfig { explore: true, ..config(algorithm, 60) };
            let mut search = Search::new(Toy::new(spec.clone()), config);
            search.begin(&mut rng(seed));
            drive(&mut [&mut search], &mut script());
            (format!("{:?}", search.tree), search.choose(&mut rng(seed)))
        };
        assert_eq!(grow(1), grow(1));
        assert!((2..6).any(|seed| grow(seed) != grow(1)), "{algorithm}");
    }
}

/// A random tree with more than one action at the root and no quick result.
fn random_open(index: u64) -> Arc<Spec> {
    let mut generator = rng(1_000 + index);
    let children = (0..4).map(|_| decision(Black, 0.0, vec![random(Red, 7, &mut generator), steady(Red, 0.1, 14)]));
    decision(Red, 0.0, children.collect())
}

#[test]
fn neither_batch_size_nor_company_changes_a_search() {
    for (algorithm, leaves_in_flight) in [(Algorithm::Gumbel, 1), (Algorithm::Puct, 1), (Algorithm::Gumbel, 4)] {
        let config = SearchConfig { explore: true, leaves_in_flight, ..config(algorithm, 40) };
        let begun = |index: u64| {
            let mut search = Search::new(Toy::new(random_open(index)), config.clone());
            search.begin(&mut rng(index));
            search
        };
        let alone: Vec<SearchResult> = (0..6)
            .map(|index| {
                let mut search = begun(index);
                drive(&mut [&mut search], &mut script());
                search.result()
            })
            .collect();
        for batch_max in [1, 5, 100].map(|size| size * leaves_in_flight as usize) {
            let mut searches: Vec<_> = (0..6).map(begun).collect();
            let (mut driver, mut evaluator) = (Driver::new(batch_max), script());
            while driver.tick(&mut searches, &mut evaluator) > 0 {}
            let together: Vec<SearchResult> = searches.iter().map(Search::result).collect();
            if leaves_in_flight == 1 {
                assert_eq!(together, alone, "{algorithm} {batch_max}");
            }
            assert!(searches.iter().all(Search::is_done));
            assert!(evaluator.batches().iter().all(|&size| size <= batch_max));
        }
    }
}

#[test]
fn a_driver_fills_its_batches_from_all_searches() {
    let mut searches: Vec<_> =
        (0..6).map(|_| Search::new(Toy::new(steady(Red, 0.0, 20)), config(Algorithm::Puct, 10))).collect();
    searches.iter_mut().for_each(|search| search.begin(&mut rng(0)));
    let mut evaluator = script();
    assert_eq!(drive(&mut searches, &mut evaluator), 6 * 11);
    assert_eq!(evaluator.batches(), [6; 11]);
}

#[test]
fn the_subtree_is_kept_and_nothing_else() {
    for algorithm in TREE_SEARCHES {
        let mut search = Search::new(Toy::new(steady(Red, 0.2, 24)), config(algorithm, 50));
        for _ in 0..12 {
            let before = search.result();
            let (result, _) = run(&mut search);
            let new: u32 = result.visits.iter().sum::<u32>() - before.visits.iter().sum::<u32>();
            assert_eq!(new, 50, "the budget counts new simulations");
            let index = result.best.index();
            search.advance(result.best);
            let kept = search.result();
            // The visit that found the position evaluated it; all others went on from there.
            assert_eq!(kept.visits.iter().sum::<u32>(), result.visits[index] - 1, "{algorithm}");
            assert_eq!(search.tree_size(), result.visits[index] as usize);
            assert_close(kept.value.value().for_side(Red), 0.2);
            assert!(search.is_done(), "no search has begun");
        }
    }
}

#[test]
fn a_step_outside_the_tree_starts_a_new_one() {
    let mut search = Search::new(Toy::new(steady(Red, 0.2, 9)), config(Algorithm::Gumbel, 4));
    search.advance(Action::new(1));
    assert_eq!((search.tree_size(), search.root().steps()), (1, [1].as_slice()));
    assert_eq!(run(&mut search).0.simulations, 4);
}

#[test]
fn leaves_that_are_out_are_never_handed_out_twice() {
    for algorithm in TREE_SEARCHES {
        let config = SearchConfig { leaves_in_flight: 6, ..config(algorithm, 200) };
        let mut search = Search::new(Toy::new(random_open(5)), config);
        search.begin(&mut rng(0));
        let (mut seen, mut widest) = (HashSet::new(), 0);
        while !search.is_done() {
            let mut leaves = Vec::new();
            while let Some(leaf) = search.next_leaf() {
                assert!(seen.insert(leaf.position().key()), "{:?}", leaf.position().steps());
                leaves.push(leaf);
            }
            assert!(leaves.len() <= 6);
            widest = widest.max(leaves.len());
            // The order of the answers is the caller's business.
            for leaf in leaves.into_iter().rev() {
                let answer = leaf.position().answer();
                search.complete(leaf, &answer);
            }
        }
        assert!(widest >= 3, "{widest}");
        let result = search.result();
        assert!(result.proven.is_some() || result.simulations == 200);
        assert_eq!(result.visits.iter().sum::<u32>(), result.simulations);
        assert!(!format!("{:?}", search.tree).contains("Pending"));
    }
}

#[test]
fn leaves_that_are_out_spread_the_search_without_bending_values() {
    let root = decision(Red, 0.0, vec![steady(Black, 0.4, 9); 3]);
    let config = SearchConfig { leaves_in_flight: 3, ..config(Algorithm::Puct, 3) };
    let mut search = Search::new(Toy::new(root), config);
    search.begin(&mut rng(0));
    let leaf = search.next_leaf().expect("the root");
    assert!(search.next_leaf().is_none(), "nothing is known before the root is");
    let answer = leaf.position().answer();
    search.complete(leaf, &answer);
    let leaves: Vec<_> = std::iter::from_fn(|| search.next_leaf()).collect();
    let steps: Vec<&[u16]> = leaves.iter().map(|leaf| leaf.position().steps()).collect();
    assert_eq!(steps, [[0], [1], [2]]);
    assert_eq!(search.result().values, [None; 3]);
    assert_eq!(search.result().value.value().for_side(Red), 0.0);
}

#[test]
fn answers_to_a_search_that_was_left_are_ignored() {
    let root = decision(Red, 0.0, vec![steady(Black, 0.4, 9); 3]);
    let config = SearchConfig { leaves_in_flight: 2, ..config(Algorithm::Puct, 8) };
    let mut search = Search::new(Toy::new(root), config);
    search.begin(&mut rng(0));
    let leaf = search.next_leaf().expect("the root");
    let answer = leaf.position().answer();
    search.complete(leaf, &answer);
    let (kept, lost) = (search.next_leaf().expect("a leaf"), search.next_leaf().expect("another"));
    let answer = kept.position().answer();
    search.complete(kept, &answer);
    search.advance(Action::new(lost.position().steps()[0].into()));
    let answer = lost.position().answer();
    search.complete(lost, &answer);
    assert_eq!(search.tree_size(), 1);
    let (result, evaluations) = run(&mut search);
    assert_eq!((result.simulations, evaluations), (8, 9), "the forgotten leaf is asked for again");
}

#[test]
fn an_answer_of_no_use_leaves_the_priors_uniform() {
    let nan = f32::NAN;
    let cases =
        [vec![nan; 4], vec![0.0; 4], vec![0.5, nan, 0.2, 0.3], vec![-1.0, 2.0, 0.0, 0.0], vec![f32::INFINITY; 4]];
    for priors in cases {
        let answer = Evaluation { wdl: Wdl { win: nan, draw: nan, loss: nan }, priors };
        let mut evaluator = ScriptedEvaluator::new(|position: &Toy| match position.steps() {
            [] => answer.clone(),
            _ => position.answer(),
        });
        for algorithm in TREE_SEARCHES {
            let root = decision(Red, 0.0, vec![steady(Black, 0.4, 9); 4]);
            let mut search = Search::new(Toy::new(root), config(algorithm, 8));
            search.begin(&mut rng(0));
            drive(&mut [&mut search], &mut evaluator);
            assert_eq!(search.result().priors, [0.25; 4]);
            assert_eq!(search.result().simulations, 8);
            assert!(search.result().policy.iter().all(|share| share.is_finite()));
        }
    }
}

#[test]
fn priors_are_made_to_sum_to_one() {
    let root = with_priors(Red, 0.0, &[6.0, 2.0], vec![steady(Black, 0.4, 9); 2]);
    assert_eq!(search(&root, config(Algorithm::Policy, 1)).0.priors, [0.75, 0.25]);
    assert_eq!(wdl_of(0.5), Wdl { win: 0.75, draw: 0.0, loss: 0.25 });
}

#[test]
fn settings_that_make_no_sense_are_named() {
    let broken = [
        (r#"{"simulations": 0}"#, "search setting `simulations` is 0, expected at least 1"),
        (
            r#"{"puct": {"noise_fraction": 1.5}}"#,
            "search setting `puct.noise_fraction` is 1.5, expected between 0 and 1",
        ),
        (r#"{"gumbel": {"value_scale": -1}}"#, "search setting `gumbel.value_scale` is -1, expected more than 0"),
    ];
    for (text, message) in broken {
        let config: SearchConfig = serde_json::from_str(text).expect("well formed");
        assert_eq!(config.validate().expect_err(text).to_string(), message);
    }
    assert!(SearchConfig::default().validate().is_ok());
    let unknown = serde_json::from_str::<SearchConfig>(r#"{"simulation": 3}"#).expect_err("an unknown key");
    assert!(unknown.to_string().contains("unknown field `simulation`"), "{unknown}");
    assert_eq!(
        "uct".parse::<Algorithm>().expect_err("unknown").to_string(),
        "unknown search `uct`, expected gumbel, puct or policy"
    );
}
