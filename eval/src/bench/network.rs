//! The network: how many positions a second it judges on one thread, and how many it learns from on several.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Game, Notation, Seeds, Variant};
use heng_mcts::evaluator::{Evaluation, Evaluator, NetworkEvaluator};
use heng_mcts::net::{Device, Learner, LearnerConfig, NetConfig, Network, PlayNet, TrainingBatch, encode_batch};
use ndarray::{Array1, Array2};

use super::{Benchmark, sample};

/// Positions of one call.
const BATCH: usize = 64;
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

/// The benchmarks on `device` of playing, and of learning with `threads` threads.
pub(super) fn all(threads: usize, device: &Device) -> Vec<Benchmark> {
    let variant = |name: &str| name.parse::<Variant>().expect("a registered variant");
    let play = |&(channels, blocks, name)| variant(name).dispatch(Play(config(channels, blocks), device.clone()));
    let mut all: Vec<Benchmark> = PLAY.iter().map(play).collect();
    all.push(variant("eternal-fixed").dispatch(Learn(config(64, 6), threads, device.clone())));
    all
}

pub(super) fn config(channels: usize, blocks: usize) -> NetConfig {
    NetConfig { channels, blocks, ..NetConfig::default() }
}

/// A network with random weights.
pub(super) fn network<G: Game>(config: &NetConfig, rules: &G::Rules) -> Network {
    Network::random(config, G::shape(rules), Seeds::new(1)).expect("the sizes are allowed")
}

struct Play(NetConfig, Device);

impl VariantVisitor for Play {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let Play(config, device) = self;
        Benchmark::rate(format!("play {}x{} {variant}", config.channels, config.blocks), "positions/s", move || {
            let net = PlayNet::new(&network::<G>(&config, &rules), &device);
            let positions = sample::positions::<G>(&rules, BATCH);
            let mut evaluator = NetworkEvaluator::new(net);
            let mut out = vec![Evaluation::default(); BATCH];
            move || {
                evaluator.evaluate(&positions.iter().collect::<Vec<_>>(), &mut out);
                BATCH as u64
            }
        })
    }
}

struct Learn(NetConfig, usize, Device);

impl VariantVisitor for Learn {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let Learn(config, threads, device) = self;
        let name = format!("learn {}x{} {variant}, {threads} threads", config.channels, config.blocks);
        Benchmark::rate(name, "positions/s", move || {
            let network = network::<G>(&config, &rules);
            let mut learner = Learner::new(network, LearnerConfig::default(), &device, threads);
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
