//! What a network costs, on each kernel of this processor: `cargo bench -p heng-mcts --bench network`.

use divan::Bencher;
use divan::counter::ItemsCount;
use heng_env::seeds::{Purpose, Seeds};
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Game, Notation, Variant};
use heng_mcts::evaluator::{Evaluation, Evaluator, NetworkEvaluator};
use heng_mcts::net::{
    Device, Kernel, Learner, LearnerConfig, NetConfig, Network, PlayNet, TrainingBatch, encode_batch,
};
use ndarray::{Array1, Array2};
use rand::RngExt as _;

/// A variant, and the channels and blocks of a network for it.
#[derive(Clone, Copy, Debug)]
struct Size(&'static str, usize, usize);

const SIZES: [Size; 4] =
    [Size("eternal-fixed", 64, 6), Size("xiangqi", 64, 6), Size("eternal-mini", 64, 6), Size("eternal-mini", 32, 4)];
/// Positions of a batch.
const BATCH: usize = 64;

fn main() {
    divan::main();
}

/// Judging a batch with the fastest kernel. Items are positions.
#[divan::bench(args = SIZES)]
fn judge(bencher: Bencher<'_, '_>, size: Size) {
    size.dispatch(Judge { bencher, size, kernel: Kernel::best() });
}

/// The first of them with each kernel.
#[divan::bench(args = Kernel::available())]
fn judge_with(bencher: Bencher<'_, '_>, kernel: Kernel) {
    SIZES[0].dispatch(Judge { bencher, size: SIZES[0], kernel });
}

/// A learning step on one thread. Items are positions.
#[divan::bench(args = SIZES)]
fn learn(bencher: Bencher<'_, '_>, size: Size) {
    size.dispatch(Learn { bencher, size });
}

impl Size {
    fn dispatch(self, benchmark: impl VariantVisitor<Output = ()>) {
        self.0.parse::<Variant>().expect("a registered variant").dispatch(benchmark);
    }

    fn network<G: Game>(self, rules: &G::Rules) -> Network {
        let config = NetConfig { channels: self.1, blocks: self.2, ..NetConfig::default() };
        Network::random(&config, G::shape(rules), Seeds::new(1)).expect("the sizes are allowed")
    }
}

/// Positions of one random game after another.
fn positions<G: Game>(rules: &G::Rules) -> Vec<G> {
    let mut rng = Seeds::new(1).stream(Purpose::Test, 0);
    let (mut positions, mut actions) = (Vec::new(), Vec::new());
    let mut game = G::start(rules, &mut rng);
    while positions.len() < BATCH {
        if game.outcome().is_some() {
            game = G::start(rules, &mut rng);
        }
        positions.push(game.clone());
        game.legal_actions(&mut actions);
        game.apply(actions[rng.random_range(0..actions.len())]);
    }
    positions
}

struct Judge<'a, 'b> {
    bencher: Bencher<'a, 'b>,
    size: Size,
    kernel: Kernel,
}

impl VariantVisitor for Judge<'_, '_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let net = PlayNet::on_kernel(&self.size.network::<G>(&rules), self.kernel);
        let mut evaluator = NetworkEvaluator::new(net);
        let positions = positions::<G>(&rules);
        let batch: Vec<&G> = positions.iter().collect();
        let mut answers = vec![Evaluation::default(); BATCH];
        self.bencher.counter(ItemsCount::new(BATCH)).bench_local(|| evaluator.evaluate(&batch, &mut answers));
    }
}

struct Learn<'a, 'b> {
    bencher: Bencher<'a, 'b>,
    size: Size,
}

impl VariantVisitor for Learn<'_, '_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let network = self.size.network::<G>(&rules);
        let mut learner = Learner::new(network, LearnerConfig::default(), &Device::flex(), 1);
        let batch = even_batch(&positions::<G>(&rules));
        self.bencher.counter(ItemsCount::new(BATCH)).bench_local(|| learner.step(&batch, 1e-4));
    }
}

/// Positions to learn from, whose targets are all even.
fn even_batch<G: Game>(positions: &[G]) -> TrainingBatch {
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
