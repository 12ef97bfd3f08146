//! Searches on trees whose results can be worked out by hand.

mod gumbel;
mod lines;
mod puct;
mod solver;
mod tree;

use std::sync::Arc;

use heng_env::{Action, Purpose, Rng, Seeds};

use super::{Algorithm, GumbelConfig, PuctConfig, Search, SearchConfig, SearchResult};
use crate::drive::drive;
use crate::evaluator::{Evaluation, ScriptedEvaluator};
use crate::toy::{Spec, Toy};

const TREE_SEARCHES: [Algorithm; 2] = [Algorithm::Gumbel, Algorithm::Puct];

fn rng(index: u64) -> Rng {
    Seeds::new(7).stream(Purpose::Test, index)
}

fn script() -> ScriptedEvaluator<fn(&Toy) -> Evaluation> {
    ScriptedEvaluator::new(Toy::answer)
}

/// Without noise, and without being told what wins or loses at once.
fn config(algorithm: Algorithm, simulations: u32) -> SearchConfig {
    let untold = SearchConfig { immediate_wins: false, immediate_losses: false, ..SearchConfig::default() };
    SearchConfig { algorithm, simulations, ..untold }.without_exploration()
}

fn run(search: &mut Search<Toy>) -> (SearchResult, usize) {
    let mut evaluator = script();
    search.begin(&mut rng(0));
    drive(std::slice::from_mut(search), &mut evaluator);
    (search.result(), evaluator.evaluations())
}

fn search(spec: &Arc<Spec>, config: SearchConfig) -> (SearchResult, usize) {
    run(&mut Search::new(Toy::new(spec.clone()), config))
}

fn actions(indices: &[usize]) -> Vec<Action> {
    indices.iter().map(|&index| Action::new(index)).collect()
}

fn score_of(result: &SearchResult, index: usize) -> f32 {
    result.values[index].expect("visited").for_side(result.side)
}

fn assert_close(found: f32, expected: f32) {
    assert!((found - expected).abs() < 1e-5, "{found} instead of {expected}");
}
