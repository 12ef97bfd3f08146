//! The network: how many positions a second it judges and learns from.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Game, Notation, Seeds, Variant};
use heng_mcts::evaluator::{Evaluation, Evaluator, NetworkEvaluator};
use heng_mcts::net::{
    Device, Kernel, Learner, LearnerConfig, NetConfig, Network, PlayNet, TrainingBatch, encode_batch,
};
use ndarray::{Array1, Array2};
use rayon::prelude::*;

use super::{Benchmark, sample};

/// Positions of one call.
const BATCH: usize = 64;
/// Calls of each thread, after which the threads wait for each other.
const CALLS: usize = 8;
/// Positions of one learning step.
const LEARNING_BATCH: usize = 256;

/// Sizes of networks, `channels` and `blocks`, and boards on which they are measured.
const PLAY: [(usize, usize, &str); 5] = [
    (64, 6, "eternal-fixed"),
    (64, 6, "xiangqi"),
    (64, 6, "eternal-mini"),
    (32, 4, "eternal-mini"),
    (32, 3, "wuji-simple"),
];

/// The benchmarks of playing, with one thread and with `threads`, and of learning.
pub(super) fn all(threads: usize) -> Vec<Benchmark> {
    let mut all = Vec::new();
    for (channels, blocks, name) in PLAY {
        let play = |threads, kernel| variant(name).dispatch(Play { config: config(channels, blocks), threads, kernel });
        all.push(play(1, Kernel::best()));
        if threads > 1 {
            all.push(play(threads, Kernel::best()));
        }
    }
    for &kernel in Kernel::available().iter().skip(1) {
        let (channels, blocks, name) = PLAY[0];
        all.push(variant(name).dispatch(Play { config: config(channels, blocks), threads: 1, kernel }));
    }
    all.push(variant("eternal-fixed").dispatch(Learn(config(64, 6), threads)));
    all
}

fn variant(name: &str) -> Variant {
    name.parse().expect("a registered variant")
}

pub(super) fn config(channels: usize, blocks: usize) -> NetConfig {
    NetConfig { channels, blocks, ..NetConfig::default() }
}

/// A network with random weights.
pub(super) fn network<G: Game>(config: &NetConfig, rules: &G::Rules) -> Network {
    Network::random(config, G::shape(rules), Seeds::new(1)).expect("the sizes are allowed")
}

struct Play {
    config: NetConfig,
    threads: usize,
    kernel: Kernel,
}

impl VariantVisitor for Play {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let Play { config, threads, kernel } = self;
        let size = format!("{}x{}", config.channels, config.blocks);
        let name = format!("play {size} {variant}, {}, {threads} threads", kernel.name());
        Benchmark::rate(name, "positions/s", move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            let net = PlayNet::on_kernel(&network::<G>(&config, &rules), kernel);
            let positions = sample::positions::<G>(&rules, BATCH);
            let evaluator = || (NetworkEvaluator::new(net.clone()), vec![Evaluation::default(); BATCH]);
            let mut evaluators: Vec<_> = (0..threads).map(|_| evaluator()).collect();
            move || {
                let batch: Vec<&G> = positions.iter().collect();
                let judge = |(evaluator, out): &mut (NetworkEvaluator<G>, Vec<Evaluation>)| {
                    (0..CALLS).for_each(|_| evaluator.evaluate(&batch, out));
                };
                pool.install(|| evaluators.par_iter_mut().for_each(judge));
                (threads * CALLS * BATCH) as u64
            }
        })
    }
}

struct Learn(NetConfig, usize);

impl VariantVisitor for Learn {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let Learn(config, threads) = self;
        let name = format!("learn {}x{} {variant}, {threads} threads", config.channels, config.blocks);
        Benchmark::rate(name, "positions/s", move || {
            let network = network::<G>(&config, &rules);
            let mut learner = Learner::new(network, LearnerConfig::default(), &Device::flex(), threads);
            let batch = batch(&sample::positions::<G>(&rules, LEARNING_BATCH));
            move || {
                learner.step(&batch, 1e-4).expect("the batch fits the network");
                batch.len() as u64
            }
        })
    }
}

/// Positions to learn from with even targets.
fn batch<G: Game>(positions: &[G]) -> TrainingBatch {
    let rows = positions.len();
    let mut batch = TrainingBatch {
        inputs: encode_batch(&positions.iter().collect::<Vec<_>>()),
        legal_offsets: vec![0],
        wdl: Array2::from_elem((rows, 3), 1.0 / 3.0),
        steps_left: Array1::from_elem(rows, 30.0),
        score: Array1::zeros(rows),
        weights: Array1::ones(rows),
        ..TrainingBatch::default()
    };
    let mut actions: Vec<Action> = Vec::new();
    for position in positions {
        position.legal_actions(&mut actions);
        batch.actions.extend(actions.iter().map(|action| action.index() as u16));
        batch.targets.extend(actions.iter().map(|_| 1.0 / actions.len() as f32));
        batch.legal_offsets.push(batch.actions.len());
    }
    batch
}
