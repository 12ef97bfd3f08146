//! The network on a graphics card, or on what passes for one, against the same network on the processor.
//!
//! `cargo test -p heng-mcts --features wgpu device -- --nocapture` prints how far they are apart.

use super::super::batch::encode_batch;
use super::super::device::DeviceName;
use super::super::loss::run_shard;
use super::*;

/// How far a probability on the device may be from that on the processor.
const PROBABILITY_TOLERANCE: f32 = 1e-3;

/// How far the loss may be, as a part of itself, and any number of the gradient, as a part of the largest.
const LEARNING_TOLERANCE: f32 = 1e-4;

/// The device, or `None` where this computer has none to test.
fn device() -> Option<Device> {
    DeviceName::Wgpu.open().inspect_err(|error| eprintln!("nothing is compared: {error}")).ok()
}

/// Positions of a random game.
fn positions<G: Notation>(rules: &G::Rules, count: usize) -> Vec<G> {
    let mut rng = rng(11);
    let mut game = G::start(rules, &mut rng);
    let (mut positions, mut actions) = (Vec::new(), Vec::new());
    while positions.len() < count && game.outcome().is_none() {
        positions.push(game.clone());
        game.legal_actions(&mut actions);
        game.apply(actions[rng.random_range(0..actions.len())]);
    }
    positions
}

fn most(differences: impl IntoIterator<Item = f32>) -> f32 {
    // `f32::max` would pass over what is not a number.
    differences
        .into_iter()
        .map(f32::abs)
        .fold(0.0, |most, found| if found > most || found.is_nan() { found } else { most })
}

fn farthest(left: &[Evaluation], right: &[Evaluation]) -> f32 {
    most(left.iter().zip(right).flat_map(|(left, right)| {
        assert_eq!(left.priors.len(), right.priors.len());
        let chances = [left.wdl.win - right.wdl.win, left.wdl.draw - right.wdl.draw, left.wdl.loss - right.wdl.loss];
        let priors = left.priors.iter().zip(&right.priors).map(|(left, right)| left - right);
        chances.into_iter().chain(priors).collect::<Vec<f32>>()
    }))
}

fn evaluate<G: Notation>(evaluator: &mut NetworkEvaluator<G>, positions: &[&G]) -> Vec<Evaluation> {
    let mut answers = vec![Evaluation::default(); positions.len()];
    evaluator.evaluate(positions, &mut answers);
    answers
}

/// The largest difference between the device's answers and the processor's, in one variant.
struct ComparePlay(Device);

impl VariantVisitor for ComparePlay {
    type Output = f32;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> f32 {
        let network = scrambled(&NetConfig::default(), G::shape(&rules));
        let positions = positions::<G>(&rules, 17);
        let positions: Vec<&G> = positions.iter().collect();
        let evaluator = |net| NetworkEvaluator::<G>::new(net);
        let expected = evaluate(&mut evaluator(PlayNet::by_model(&network, &Device::flex())), &positions);
        let fast = evaluate(&mut evaluator(PlayNet::new(&network, &Device::flex())), &positions);
        let mut on_device = evaluator(PlayNet::new(&network, &self.0));
        let found = evaluate(&mut on_device, &positions);
        let alone: Vec<Evaluation> =
            positions.iter().flat_map(|position| evaluate(&mut on_device, &[position])).collect();
        most([&expected, &fast, &alone].map(|expected| farthest(&found, expected)))
    }
}

#[test]
fn a_device_answers_like_the_processor_in_every_variant() {
    let Some(device) = device() else { return };
    for variant in Variant::all() {
        let difference = variant.dispatch(ComparePlay(device.clone()));
        println!("{variant}: chances and priors differ by at most {difference:.1e}");
        assert!(difference < PROBABILITY_TOLERANCE, "{variant}: {difference}");
    }
}

/// The largest difference between answers asked for one batch after the other and answers that two evaluators were asked
/// for at the same time.
struct CompareOverlap(Device);

impl VariantVisitor for CompareOverlap {
    type Output = f32;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> f32 {
        let net = PlayNet::new(&scrambled(&small_config(), G::shape(&rules)), &self.0);
        let positions = positions::<G>(&rules, 24);
        let positions: Vec<&G> = positions.iter().collect();
        let mut evaluators = [(); 2].map(|()| NetworkEvaluator::<G>::new(net.clone()));
        let mut differences = Vec::new();
        for (left, right) in [(0..8, 8..24), (3..9, 9..10)] {
            let batches = [&positions[left], &positions[right]];
            for (evaluator, batch) in evaluators.iter_mut().zip(batches) {
                evaluator.submit(batch);
            }
            for (evaluator, batch) in evaluators.iter_mut().zip(batches) {
                let mut found = vec![Evaluation::default(); batch.len()];
                evaluator.collect(batch, &mut found);
                differences.push(farthest(&found, &evaluate(evaluator, batch)));
            }
        }
        most(differences)
    }
}

#[test]
fn batches_that_wait_together_are_answered_like_batches_alone() {
    let Some(device) = device() else { return };
    let variant: Variant = "eternal-mini".parse().expect("a registered variant");
    let difference = variant.dispatch(CompareOverlap(device));
    println!("{variant}: overlapping batches differ by at most {difference:.1e}");
    assert!(difference < PROBABILITY_TOLERANCE, "{difference}");
}

/// Positions with random targets.
struct Batch(usize);

impl VariantVisitor for Batch {
    type Output = (TrainingBatch, Shape);

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> (TrainingBatch, Shape) {
        let positions = positions::<G>(&rules, self.0);
        let mut batch = random_batch(positions.len(), 12);
        batch.inputs = encode_batch(&positions.iter().collect::<Vec<_>>());
        (batch.actions, batch.targets, batch.legal_offsets) = (Vec::new(), Vec::new(), vec![0]);
        let mut actions = Vec::new();
        for position in &positions {
            position.legal_actions(&mut actions);
            let sum = (actions.len() * (actions.len() + 1) / 2) as f32;
            batch.actions.extend(actions.iter().map(|action| action.index() as u16));
            batch.targets.extend((1..=actions.len()).map(|part| part as f32 / sum));
            batch.legal_offsets.push(batch.actions.len());
        }
        (batch, G::shape(&rules))
    }
}

#[test]
fn a_device_learns_like_the_processor() {
    let Some(device) = device() else { return };
    for name in ["eternal-mini", "xiangqi"] {
        let variant: Variant = name.parse().expect("a registered variant");
        let (batch, shape) = variant.dispatch(Batch(12));
        let network = scrambled(&NetConfig::default(), shape);
        let run = |device: &Device| {
            run_shard(&network, &LearnerConfig::default(), device, &batch, (0..batch.len(), batch.weights.sum()))
        };
        let (expected, found) = (run(&Device::flex()), run(&device));
        let loss = (found.losses.total - expected.losses.total).abs() / expected.losses.total;
        // Where the parts of a gradient cancel out, what is left of it is rounding: the scale is that of all of them.
        let largest = most(expected.gradients.iter().flat_map(|gradient| gradient.values.iter().copied()));
        let differences = expected.gradients.iter().zip(&found.gradients).map(|(expected, found)| {
            assert_eq!((&expected.name, &expected.dims), (&found.name, &found.dims));
            most(expected.values.iter().zip(&found.values).map(|(left, right)| left - right))
        });
        let gradient = most(differences) / largest;
        println!(
            "{name}: the loss differs by {loss:.1e} of itself, gradients by at most {gradient:.1e} of the largest"
        );
        assert!(loss < LEARNING_TOLERANCE && gradient < LEARNING_TOLERANCE, "{name}: {loss}, {gradient}");
    }
}
