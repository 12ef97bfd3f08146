use heng_env::game::{Action, Game};
use heng_env::{Purpose, Seeds};
use heng_mcts::evaluator::RolloutEvaluator;

use super::*;
use crate::replay::{Record, ReplayConfig};
use crate::selfplay::tests::{Mini, VARIANT, played, rules};

fn rng(index: u64) -> Rng {
    Seeds::new(5).stream(Purpose::Reanalysis, index)
}

fn window(root_value_share: f32) -> ReplayWindow<Mini> {
    let config = ReplayConfig { root_value_share, mirror: false, ..ReplayConfig::default() };
    let mut window = ReplayWindow::new(VARIANT, rules(), config);
    window.push(&played(2_000)).unwrap();
    window
}

fn settings() -> SearchConfig {
    SearchConfig { simulations: 6, ..SearchConfig::default() }
}

/// The chunk of the window is of iteration 3.
const NEXT: u64 = 4;

fn searched(window: &ReplayWindow<Mini>, places: &[Place], at_once: usize) -> (Vec<NewTargets>, u64) {
    let mut evaluator = RolloutEvaluator::new(1, Seeds::new(3));
    search_anew(window, places, (&settings(), at_once), &mut evaluator, &mut rng(1)).unwrap()
}

#[test]
fn positions_are_searched_as_in_self_play_whatever_is_searched_at_the_same_time() {
    let window = window(0.25);
    let places = window.draw_older(NEXT, 23, &mut rng(0));
    let (targets, evaluations) = searched(&window, &places, 5);
    assert_eq!(targets.iter().map(|found| found.place).collect::<Vec<_>>(), places);
    assert!((23..=23 * evaluations_of(&settings())).contains(&evaluations), "{evaluations}");
    for at_once in [1, 23, 100] {
        assert_eq!(searched(&window, &places, at_once), (targets.clone(), evaluations));
    }
    for NewTargets { place, policy, root } in &targets {
        let position = window.position_to_search(*place).unwrap().expect("it was searched");
        let mut legal: Vec<Action> = Vec::new();
        position.legal_actions(&mut legal);
        assert_eq!(policy.len(), legal.len());
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!((root.win + root.draw + root.loss - 1.0).abs() < 1e-4);
    }
}

#[test]
fn new_targets_take_the_place_of_the_old_ones_and_the_result_keeps_its_part() {
    let share = 0.25;
    let mut window = window(share);
    let chunk = played(2_000);
    let samples: Vec<&Record> = chunk.records.iter().filter(|record| record.is_sample()).collect();
    let place = window.draw_older(NEXT, 1, &mut rng(0))[0];
    let position = window.position_to_search(place).unwrap().expect("it can be searched");
    let root = Wdl { win: 0.5, draw: 0.5, loss: 0.0 };
    let count = position.legal_count();
    let policy: Vec<f32> = (0..count).map(|index| if index == 1 { 1.0 } else { 0.0 }).collect();
    let before = window.sample(4_000, &mut Seeds::new(1).stream(Purpose::Learning, 0)).unwrap();
    window.retarget(place, policy.clone(), root);
    let after = window.sample(4_000, &mut Seeds::new(1).stream(Purpose::Learning, 0)).unwrap();
    assert_eq!((&before.inputs, &before.actions), (&after.inputs, &after.actions));
    let mut changed = 0;
    for row in 0..4_000 {
        let steps = before.legal_offsets[row]..before.legal_offsets[row + 1];
        if before.targets[steps.clone()] == after.targets[steps.clone()] {
            assert_eq!(before.wdl.row(row), after.wdl.row(row));
            continue;
        }
        changed += 1;
        assert_eq!(after.targets[steps], policy);
        let root = [root.win, root.draw, root.loss];
        let results = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let is_mixed = |result: &[f32; 3]| {
            let found = after.wdl.row(row);
            let mut parts = result.iter().zip(root).zip(found.iter());
            parts.all(|((result, root), found)| (result + share * (root - result) - found).abs() < 1e-6)
        };
        assert!(results.iter().any(is_mixed), "{:?}", after.wdl.row(row));
    }
    // Of so many draws some hit any one of the positions.
    assert!(changed > 0 && changed < 4_000 / samples.len() * 8, "{changed} of {} positions", samples.len());
}
