//! The search without a network, and with random playouts.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Game, Notation, Purpose, Seeds, Variant};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::{Evaluation, Evaluator, RolloutEvaluator, UniformEvaluator};
use heng_mcts::search::{Algorithm, Search, SearchConfig};
use heng_mcts::value::Wdl;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{Benchmark, sample};

/// Simulations of one search.
const SIMULATIONS: u32 = 800;
/// Simulations of the rollout agent.
const ROLLOUTS: u32 = 1000;
/// Searches of a checksum, for each variant.
const CHECKED: usize = 6;
/// Simulations of each of them.
const CHECKED_SIMULATIONS: u32 = 200;

/// The benchmarks of every variant, and of playouts with `threads` threads.
pub(super) fn all(threads: usize) -> Vec<Benchmark> {
    let mut all: Vec<Benchmark> = Variant::all().iter().map(|variant| variant.dispatch(Uniform)).collect();
    let mini: Variant = "eternal-mini".parse().expect("a registered variant");
    all.push(mini.dispatch(Rollouts(threads)));
    all
}

/// One search after another with an evaluator that knows nothing, so that only tree and rules take time.
struct Uniform;

impl VariantVisitor for Uniform {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        Benchmark::rate(format!("search {variant}"), "simulations/s", move || {
            let positions = sample::positions::<G>(&rules, 16);
            let config = SearchConfig { simulations: SIMULATIONS, ..SearchConfig::default() }.without_exploration();
            let (mut evaluator, mut turn) = (UniformEvaluator, 0);
            move || {
                turn += 1;
                let mut search = Search::new(positions[turn % positions.len()].clone(), config.clone());
                search.begin(&mut Seeds::new(1).stream(Purpose::Test, 0));
                drive(&mut [&mut search], &mut evaluator);
                u64::from(search.result().simulations)
            }
        })
    }
}

/// The `rollout:1000` agent, one search a thread.
struct Rollouts(usize);

impl VariantVisitor for Rollouts {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let Rollouts(threads) = self;
        Benchmark::rate(format!("rollout:{ROLLOUTS} {variant}, {threads} threads"), "simulations/s", move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            let positions = sample::positions::<G>(&rules, 2 * threads);
            let search = |position: &G| {
                let mut search = Search::new(position.clone(), SearchConfig::for_rollouts(ROLLOUTS));
                search.begin(&mut Seeds::new(1).stream(Purpose::Test, 0));
                drive(&mut [&mut search], &mut RolloutEvaluator::new(1, Seeds::new(2)));
                u64::from(search.result().simulations)
            };
            move || pool.install(|| positions.par_iter().map(search).sum())
        })
    }
}

/// A checksum of what the search finds in fixed positions of every variant.
pub(super) fn checksum() -> String {
    let mut digest = Sha256::new();
    Variant::all().iter().for_each(|variant| variant.dispatch(Checksum(&mut digest)));
    digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

struct Checksum<'a>(&'a mut Sha256);

impl VariantVisitor for Checksum<'_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let base = SearchConfig { simulations: CHECKED_SIMULATIONS, ..SearchConfig::default() };
        for position in sample::positions::<G>(&rules, CHECKED) {
            for algorithm in [Algorithm::Gumbel, Algorithm::Puct] {
                let config = SearchConfig { algorithm, ..base.clone() }.without_exploration();
                let mut search = Search::new(position.clone(), config);
                search.begin(&mut Seeds::new(1).stream(Purpose::Test, 0));
                drive(&mut [&mut search], &mut Opinionated::default());
                let result = search.result();
                self.0.update((result.best.index() as u32).to_le_bytes());
                result.visits.iter().for_each(|visits| self.0.update(visits.to_le_bytes()));
            }
        }
    }
}

/// Values and priors that differ from position to position and mean nothing.
#[derive(Default)]
struct Opinionated {
    actions: Vec<Action>,
}

impl<G: Game> Evaluator<G> for Opinionated {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        for (position, evaluation) in positions.iter().zip(out) {
            position.legal_actions(&mut self.actions);
            let byte = |shift: usize| (position.key() >> (shift % 8 * 8)) as u8;
            let share = |shift| 1.0 + f32::from(byte(shift));
            let sum: f32 = (0..3).map(share).sum();
            evaluation.wdl = Wdl { win: share(0) / sum, draw: share(1) / sum, loss: share(2) / sum };
            let weight = |action: &Action| 1.0 + f32::from(byte(action.index()) ^ action.index() as u8);
            let total: f32 = self.actions.iter().map(weight).sum();
            evaluation.priors.clear();
            evaluation.priors.extend(self.actions.iter().map(|action| weight(action) / total));
        }
    }
}
