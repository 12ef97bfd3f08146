use heng_env::Game;
use heng_env::Side::{Black, Red};

use super::*;
use crate::toy::{decision, end, steady, with_priors};

/// A constant weight of 1 for the priors and no reduction, so that counts can be worked out on paper.
fn plain(simulations: u32) -> SearchConfig {
    let puct =
        PuctConfig { exploration: 1.0, exploration_base: 1e9, first_play_reduction: 0.0, ..PuctConfig::default() };
    SearchConfig { puct, ..config(Algorithm::Puct, simulations) }
}

#[test]
fn visits_follow_the_priors_where_all_values_are_equal() {
    // The next visit goes to the greatest prior / (1 + visits): a b a c a b a.
    let root = with_priors(Red, 0.0, &[0.5, 0.3, 0.2], vec![steady(Black, 0.0, 9); 3]);
    let expected = [[1, 0, 0], [1, 1, 0], [2, 1, 0], [2, 1, 1], [3, 1, 1], [3, 2, 1], [4, 2, 1]];
    for (index, visits) in expected.into_iter().enumerate() {
        let (result, evaluations) = search(&root, plain(index as u32 + 1));
        assert_eq!(result.visits, visits);
        assert_eq!(evaluations, index + 2, "one for the root and one a simulation");
    }
}

#[test]
fn visits_follow_the_values_exactly() {
    // Action 0 is worth -0.5, action 1 is worth 0.5, each with prior 0.5. After N visits of which one went to action 0, their
    // scores are -0.5 + sqrt(N)/4 and 0.5 + sqrt(N)/2N: 0.590 and 0.615 at 19, 0.618 and 0.612 at 20.
    for side in [Red, Black] {
        let sign = if side == Red { 1.0 } else { -1.0 };
        let children = vec![steady(side.other(), -0.5 * sign, 12), steady(side, 0.5 * sign, 12)];
        let root = decision(side, 0.0, children);
        assert_eq!(search(&root, plain(20)).0.visits, [1, 19]);
        let (result, _) = search(&root, plain(21));
        assert_eq!(result.visits, [2, 19]);
        assert_eq!(result.policy, [2.0 / 21.0, 19.0 / 21.0]);
        assert_close(score_of(&result, 0), -0.5);
        assert_close(score_of(&result, 1), 0.5);
        assert_close(result.value.to_side(side).score(), (0.0 - 2.0 * 0.5 + 19.0 * 0.5) / 22.0);
        assert_eq!(result.best, Action::new(1));
    }
}

#[test]
fn first_play_urgency_is_the_value_of_the_node_less_the_reduction() {
    // After one visit to action 0 (worth 0.2, prior 0.81) the node is worth 0.1. Action 1 scores 0.1 - 0.9 r + 0.19, and
    // action 0 scores 0.2 + 0.81/2 = 0.605; without any reduction action 1 stays behind, with a negative one it leads.
    let root = with_priors(Red, 0.0, &[0.81, 0.19], vec![steady(Red, 0.2, 9), steady(Red, 0.9, 9)]);
    for (reduction, visits) in [(0.0, [2, 0]), (-0.34, [2, 0]), (-0.36, [1, 1])] {
        let mut config = plain(2);
        config.puct.first_play_reduction = reduction;
        assert_eq!(search(&root, config).0.visits, visits, "reduction {reduction}");
    }
}

/// What a search finds whose noise changes nothing, with so many forced playouts.
fn forced(root: &Arc<Spec>, playouts: f32, simulations: u32, explore: bool) -> SearchResult {
    let mut config = SearchConfig { explore, ..plain(simulations) };
    (config.puct.noise_fraction, config.puct.forced_playouts) = (0.0, playouts);
    search(root, config).0
}

#[test]
fn forced_playouts_are_made_at_a_root_with_noise_and_taken_out_of_its_policy() {
    for side in [Red, Black] {
        let sign = if side == Red { 1.0 } else { -1.0 };
        let two = |worse: f32| {
            let children = vec![steady(side.other(), worse * sign, 12), steady(side, 0.5 * sign, 12)];
            decision(side, 0.0, children)
        };
        // With k = 2 and a prior of 0.5 an action has at least sqrt(N) visits. At N = 20 action 1 scores 0.5 + sqrt(20)/32 =
        // 0.640, and action 0, worth -0.5, would with any visit at all score less from 1 on: nothing is left of its five.
        let bad = two(-0.5);
        let found = forced(&bad, 2.0, 20, true);
        assert_eq!((&found.visits, &found.policy), (&vec![5, 15], &vec![0.0, 1.0]));
        // At N = 40 action 1 scores 0.5 + sqrt(40)/68 = 0.593. Action 0, worth 0.1, scores as much with 5.4 visits: of seven
        // it keeps six, as many as it has without force.
        let fair = two(0.1);
        let found = forced(&fair, 2.0, 40, true);
        assert_eq!((&found.visits, &found.policy), (&vec![7, 33], &vec![6.0 / 39.0, 33.0 / 39.0]));
        assert_eq!(forced(&fair, 0.0, 40, true).visits, [6, 34]);
        // Matches have no noise: nothing is forced, and nothing taken out.
        for root in [&bad, &fair] {
            let (found, expected) = (forced(root, 2.0, 40, false), forced(root, 0.0, 40, false));
            assert_eq!((found.visits, found.policy), (expected.visits, expected.policy));
        }
    }
}

#[test]
fn an_action_that_was_never_tried_is_not_forced_and_neither_is_a_proven_one() {
    // Action 2 has too small a prior to be tried; action 0 loses at once, which one visit proves.
    let children = vec![end(Some(Black)), steady(Red, 0.5, 12), steady(Red, 0.5, 12)];
    let root = with_priors(Red, 0.5, &[0.6, 0.4, 0.0], children);
    let found = forced(&root, 8.0, 20, true);
    assert_eq!((found.visits, found.policy), (vec![1, 19, 0], vec![0.0, 1.0, 0.0]));
}

#[test]
fn dirichlet_noise_moves_the_visits_but_not_the_reported_priors() {
    let root = with_priors(Red, 0.0, &[0.4, 0.3, 0.3], vec![steady(Black, 0.0, 9); 3]);
    let visits = |index| {
        let mut search = Search::new(Toy::new(root.clone()), SearchConfig { explore: true, ..plain(40) });
        search.begin(&mut rng(index));
        drive(&mut [&mut search], &mut script());
        assert_eq!(search.result().priors, [0.4, 0.3, 0.3]);
        search.result().visits
    };
    let quiet = search(&root, plain(40)).0.visits;
    assert!((0..5).any(|index| visits(index) != quiet));
}

#[test]
fn noise_sums_to_one_whatever_the_number_of_actions() {
    for count in [2, 30, 3_000] {
        let noise = super::super::noise::dirichlet(count, 10.0, &mut rng(1));
        assert_eq!(noise.len(), count);
        assert!(noise.iter().all(|share| share.is_finite() && *share >= 0.0));
        assert!((noise.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    }
}

#[test]
fn temperature_counts_turns_and_not_steps() {
    let config = SearchConfig { algorithm: Algorithm::Puct, ..SearchConfig::default() };
    assert_eq!(config.temperature(0), 1.0);
    assert_close(config.temperature(10), 0.55);
    assert_close(config.temperature(20), 0.1);
    assert_close(config.temperature(500), 0.1);
    assert_eq!(config.clone().without_exploration().temperature(0), 0.0);
    assert_eq!(SearchConfig { algorithm: Algorithm::Gumbel, ..config.clone() }.temperature(0), 0.0);

    let mut game = Toy::new(steady(Red, 0.0, 9));
    let turns: Vec<usize> = (0..7)
        .map(|_| {
            game.apply(Action::new(0));
            game.turns_played()
        })
        .collect();
    assert_eq!(turns, [0, 0, 1, 1, 1, 2, 2]);
}

#[test]
fn a_step_is_drawn_in_proportion_to_the_sharpened_policy() {
    let root = decision(Red, 0.0, vec![steady(Black, 0.0, 3); 3]);
    let mut result = search(&root, plain(3)).0;
    result.policy = vec![0.6, 0.3, 0.1];
    let share = |temperature: f32| {
        let mut rng = rng(3);
        let drawn = (0..20_000).filter(|_| result.sample(temperature, &mut rng) == Action::new(1)).count();
        drawn as f32 / 20_000.0
    };
    assert!((share(1.0) - 0.3).abs() < 0.02);
    assert!((share(0.5) - 0.09 / 0.46).abs() < 0.02);
    assert_eq!(share(0.0), 0.0);
}

#[test]
fn the_raw_policy_needs_one_evaluation_and_no_tree() {
    let root = with_priors(Red, 0.3, &[0.2, 0.5, 0.3], vec![end(Some(Red)), steady(Black, 0.0, 3), end(None)]);
    let (result, evaluations) = search(&root, config(Algorithm::Policy, 64));
    assert_eq!((result.best, evaluations, result.simulations), (Action::new(1), 1, 0));
    assert_eq!(result.policy, [0.2, 0.5, 0.3]);
    assert_close(result.value.to_side(Red).score(), 0.3);
}
