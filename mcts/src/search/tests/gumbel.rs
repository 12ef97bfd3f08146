use heng_env::Side::{Black, Red};

use super::*;
use crate::toy::{decision, end, steady, with_priors};

/// Priors that fall from action to action and sum to one.
fn falling(count: usize) -> Vec<f32> {
    let sum = (count * (count + 1) / 2) as f32;
    (0..count).map(|index| (count - index) as f32 / sum).collect()
}

#[test]
fn sequential_halving_spends_the_budget_as_the_paper_says() {
    // (legal actions, considered, simulations) -> how many actions get how many visits, best prior first.
    // 200 over 16: phases give 3, 6, 12 and 25 each; 6 are left over, which the last two share.
    type Case = (usize, u32, u32, &'static [(usize, u32)]);
    let cases: [Case; 7] = [
        (16, 16, 32, &[(4, 4), (4, 2), (8, 1)]),
        (16, 16, 200, &[(2, 49), (2, 21), (4, 9), (8, 3)]),
        (30, 4, 16, &[(2, 6), (2, 2), (26, 0)]),
        (4, 16, 16, &[(2, 6), (2, 2)]),
        (20, 16, 5, &[(5, 1), (15, 0)]),
        (9, 1, 12, &[(1, 12), (8, 0)]),
        (2, 16, 9, &[(1, 5), (1, 4)]),
    ];
    for (legal, considered, simulations, expected) in cases {
        let root = with_priors(Red, 0.0, &falling(legal), vec![steady(Black, 0.0, 16); legal]);
        let mut config = config(Algorithm::Gumbel, simulations);
        config.gumbel.considered = considered;
        let expected: Vec<u32> = expected.iter().flat_map(|&(count, visits)| vec![visits; count]).collect();
        for leaves_in_flight in [1, 4] {
            let config = SearchConfig { leaves_in_flight, ..config.clone() };
            let (result, _) = search(&root, config);
            assert_eq!(result.visits, expected, "{legal} {considered} {simulations} {leaves_in_flight}");
            assert_eq!(result.best, Action::new(0));
        }
    }
}

#[test]
fn the_better_half_survives_a_phase() {
    // Uniform priors; action 3 is best, then 1. With 16 simulations over 4 actions: 2 each, then 4 more for these two.
    let scores = [-0.4, 0.3, -0.2, 0.5];
    let root = decision(Black, 0.0, scores.iter().map(|&score| steady(Red, -score, 12)).collect());
    let (result, _) = search(&root, config(Algorithm::Gumbel, 16));
    assert_eq!(result.visits, [2, 6, 2, 6]);
    assert_eq!(result.best, Action::new(3));
}

#[test]
fn the_target_is_the_softmax_of_logits_and_completed_values() {
    // Two simulations over the two greatest priors. Shares of a win: 0.6 by itself, 0.8 and 0.3 after actions 0 and 1.
    // v_mix = (0.6 + 2 (0.5·0.8 + 0.3·0.3) / 0.8) / 3 = 0.608333; σ(q) = (2 + 1) · 0.5 · q.
    let children = vec![steady(Black, 0.6, 9), steady(Red, -0.4, 9), steady(Black, 0.9, 9)];
    let root = with_priors(Red, 0.2, &[0.5, 0.3, 0.2], children);
    let mut config = config(Algorithm::Gumbel, 2);
    config.gumbel = GumbelConfig { considered: 2, visit_offset: 2.0, value_scale: 0.5 };
    let (result, _) = search(&root, config);
    assert_eq!(result.visits, [1, 1, 0]);
    let weights = [0.5 * 1.2_f32.exp(), 0.3 * 0.45_f32.exp(), 0.2 * 0.9125_f32.exp()];
    for (share, weight) in result.policy.iter().zip(weights) {
        assert_close(*share, weight / weights.iter().sum::<f32>());
    }
    assert_close(result.value.to_side(Red).score(), (0.2 + 0.6 - 0.4) / 3.0);
}

#[test]
fn below_the_root_visits_follow_the_improved_policy() {
    // With equal values the improved policy is the prior, and visits keep to its proportions as nearly as they can.
    let below = with_priors(Black, 0.0, &[0.6, 0.3, 0.1], vec![steady(Red, 0.0, 12); 3]);
    let root = with_priors(Red, 0.0, &[0.999, 0.001], vec![below, steady(Black, 0.0, 9)]);
    let mut config = config(Algorithm::Gumbel, 11);
    config.gumbel.considered = 1;
    let mut search = Search::new(Toy::new(root), config);
    let (result, _) = run(&mut search);
    assert_eq!(result.visits, [11, 0]);
    search.advance(Action::new(0));
    assert_eq!(search.result().visits, [6, 3, 1]);
}

#[test]
fn a_match_with_few_simulations_considers_few_steps() {
    for (simulations, expected) in [(1, 4), (32, 4), (64, 8), (100, 12), (128, 16), (10_000, 16)] {
        let config = SearchConfig::for_matches(Algorithm::Gumbel, simulations);
        assert_eq!((config.simulations, config.gumbel.considered), (simulations, expected));
        assert!(!config.explore);
    }
}

#[test]
fn noise_decides_what_is_considered_and_lets_weak_priors_through() {
    let root = with_priors(Red, 0.0, &falling(8), vec![steady(Black, 0.0, 9); 8]);
    let mut config = SearchConfig { explore: true, ..config(Algorithm::Gumbel, 8) };
    config.gumbel.considered = 2;
    let mut counts = [0; 8];
    for index in 0..400 {
        let mut search = Search::new(Toy::new(root.clone()), config.clone());
        search.begin(&mut rng(index));
        drive(&mut [&mut search], &mut script());
        let result = search.result();
        assert_eq!(result.visits.iter().filter(|&&visits| visits > 0).count(), 2);
        counts[result.best.index()] += 1;
    }
    // Where values are equal, the best of logit + Gumbel noise is a draw from the priors: 8/36 for the first action.
    let share = counts[0] as f32 / 400.0;
    assert!((share - 8.0 / 36.0).abs() < 0.06, "{counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn when_all_that_is_considered_is_lost_the_rest_is_searched() {
    let mut children = vec![end(Some(Black)); 2];
    children.push(steady(Black, -0.5, 12));
    let root = with_priors(Red, 0.0, &[0.6, 0.3, 0.1], children);
    let mut config = config(Algorithm::Gumbel, 10);
    config.gumbel.considered = 2;
    let (result, _) = search(&root, config);
    assert_eq!(result.best, Action::new(2));
    assert_eq!(result.policy, [0.0, 0.0, 1.0]);
    assert_eq!(result.visits, [1, 1, 8]);
}
