//! The network as a whole: the two forward passes agree, and it learns, the same with any number of threads.

use burn::tensor::{Tensor, TensorData};
use heng_env::seeds::{Purpose, Rng, Seeds};
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Shape, Variant};
use ndarray::{Array, Array1, Array2, Array4};
use rand::RngExt as _;

use super::fast::{BOARDS, FastNet};
use super::kernel::Kernel;
use super::learner::STATE_FILE;
use super::{Device, LearnError, Learner, LearnerConfig, NetConfig, Network, PlayNet, TrainingBatch};
use crate::evaluator::{Evaluation, Evaluator, NetworkEvaluator};

mod auxiliary;
#[cfg(feature = "wgpu")]
mod device;

const SMALL: Shape = Shape { files: 3, ranks: 4, input_planes: 5, hand_planes: 2 };

fn rng(index: u64) -> Rng {
    Seeds::new(7).stream(Purpose::Test, index)
}

fn small_config() -> NetConfig {
    NetConfig { channels: 8, blocks: 2, policy_channels: 4, value_channels: 4, value_hidden: 8, ..NetConfig::default() }
}

fn small_network() -> Network {
    Network::random(&small_config(), SMALL, Seeds::new(3)).expect("the sizes are in range")
}

/// A network without a zero among its weights, as some start out.
fn scrambled(config: &NetConfig, shape: Shape) -> Network {
    let mut network = Network::random(config, shape, Seeds::new(5)).expect("the sizes are in range");
    let mut rng = rng(0);
    for value in network.parameters.iter_mut().flat_map(|parameter| &mut parameter.values) {
        *value += rng.random_range(-0.05..0.05);
    }
    network
}

fn random_inputs(rows: usize, shape: Shape, rng: &mut Rng) -> Array4<f32> {
    let dims = (rows, shape.input_planes, shape.ranks, shape.files);
    Array::from_shape_simple_fn(dims, || f32::from(rng.random_bool(0.3)))
}

fn random_batch(rows: usize, index: u64) -> TrainingBatch {
    let mut rng = rng(index);
    let mut batch = TrainingBatch { inputs: random_inputs(rows, SMALL, &mut rng), ..TrainingBatch::default() };
    batch.legal_offsets.push(0);
    for _ in 0..rows {
        let count = rng.random_range(1..9);
        let best = rng.random_range(0..count);
        for step in 0..count {
            batch.actions.push((step * 17 + rng.random_range(0..17)) as u16);
            let target = if count == 1 { 1.0 } else { 0.2 / (count - 1) as f32 };
            batch.targets.push(if step == best && count > 1 { 0.8 } else { target });
        }
        batch.legal_offsets.push(batch.actions.len());
    }
    batch.wdl = Array2::zeros((rows, 3));
    batch.wdl.rows_mut().into_iter().for_each(|mut row| row[rng.random_range(0..3)] = 1.0);
    batch.steps_left = Array1::from_shape_simple_fn(rows, || rng.random_range(0.0..60.0));
    batch.score = Array1::from_shape_simple_fn(rows, || rng.random_range(-1.0..1.0));
    batch.weights = Array1::ones(rows);
    batch
}

fn learner(config: LearnerConfig, threads: usize) -> Learner {
    Learner::new(small_network(), config, &Device::flex(), threads)
}

#[test]
fn the_fast_pass_agrees_with_the_burn_model_on_every_kernel() {
    let mini = Shape { files: 6, ranks: 7, input_planes: 60, hand_planes: 20 };
    let full = Shape { files: 8, ranks: 9, input_planes: 75, hand_planes: 33 };
    let wide = Shape { files: 9, ranks: 10, input_planes: 31, hand_planes: 0 };
    let config = |channels, blocks, pooling_every| NetConfig { channels, blocks, pooling_every, ..small_config() };
    let cases = [
        (NetConfig::default(), mini),
        (NetConfig { channels: 64, blocks: 6, policy_channels: 32, ..NetConfig::default() }, full),
        (config(40, 2, 1), wide),
        (config(8, 1, 0), SMALL),
    ];
    let kernels = Kernel::available();
    for ((config, shape), &kernel) in cases.iter().flat_map(|case| kernels.iter().map(move |kernel| (case, kernel))) {
        let (config, shape) = (config.clone(), *shape);
        let network = scrambled(&config, shape);
        let rows = BOARDS - 1;
        let inputs = random_inputs(rows, shape, &mut rng(1));
        let actions: Vec<Action> = (0..shape.action_count()).map(Action::new).collect();

        let fast = FastNet::new(&network, kernel);
        let mut scratch = fast.scratch();
        // What an earlier, larger batch left behind must not matter.
        for board in 0..BOARDS {
            fast.set_input(&mut scratch, board, |planes| planes.fill(1.0));
        }
        fast.forward(&mut scratch, BOARDS);
        for (board, input) in inputs.outer_iter().enumerate() {
            let input = input.as_slice().expect("a row is contiguous");
            fast.set_input(&mut scratch, board, |planes| planes.copy_from_slice(input));
        }
        fast.forward(&mut scratch, rows);

        let device = Device::flex();
        let data = TensorData::new(inputs.iter().copied().collect::<Vec<f32>>(), inputs.shape().to_vec());
        let outputs = network.to_model(&device).forward(Tensor::<4>::from_data(data, &device));
        let policy = burn::tensor::activation::softmax(outputs.policy, 1).into_data();
        let policy: Vec<f32> = policy.try_to_vec().expect("f32");
        let wdl: Vec<f32> = burn::tensor::activation::softmax(outputs.wdl, 1).into_data().try_to_vec().expect("f32");
        let steps_left: Vec<f32> = outputs.steps_left.into_data().try_to_vec().expect("f32");
        for board in 0..rows {
            let mut answer = Evaluation::default();
            fast.read(&mut scratch, board, &actions, &mut answer);
            let expected = &policy[board * actions.len()..][..actions.len()];
            let close = |left: f32, right: f32| (left - right).abs() < 1e-4;
            let priors = answer.priors.iter().zip(expected);
            priors.for_each(|(&left, &right)| {
                assert!(close(left, right), "{kernel:?}, {config:?}: prior {left}, {right}")
            });
            let found = [answer.wdl.win, answer.wdl.draw, answer.wdl.loss];
            assert!(
                found.iter().zip(&wdl[board * 3..]).all(|(&left, &right)| close(left, right)),
                "{kernel:?}, {config:?}"
            );
            assert!(close(fast.value(&mut scratch, board)[3], steps_left[board]), "{kernel:?}, {config:?}");
        }
    }
}

#[test]
fn an_answer_does_not_depend_on_its_place_in_the_batch() {
    let network = scrambled(&small_config(), SMALL);
    let fast = FastNet::new(&network, Kernel::best());
    let inputs = random_inputs(BOARDS, SMALL, &mut rng(2));
    let actions: Vec<Action> = (0..30).map(Action::new).collect();
    let mut answers = [(); 2].map(|()| Vec::new());
    for (reversed, answers) in answers.iter_mut().enumerate() {
        let mut scratch = fast.scratch();
        let place = |row: usize| if reversed == 1 { BOARDS - 1 - row } else { row };
        for (row, input) in inputs.outer_iter().enumerate() {
            let input = input.as_slice().expect("a row is contiguous");
            fast.set_input(&mut scratch, place(row), |planes| planes.copy_from_slice(input));
        }
        fast.forward(&mut scratch, BOARDS);
        for row in 0..BOARDS {
            let mut answer = Evaluation::default();
            fast.read(&mut scratch, place(row), &actions, &mut answer);
            answers.push(answer);
        }
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn the_first_loss_is_that_of_a_softmax_over_legal_steps() {
    // Every weight zero: each of n legal steps has 1/n, each of win, draw and loss a third.
    let mut network = small_network();
    network.parameters.iter_mut().for_each(|parameter| parameter.values.fill(0.0));
    let config = LearnerConfig { value_weight: 0.5, steps_left_weight: 0.0, score_weight: 0.25, ..Default::default() };
    let mut learner = Learner::new(network, config, &Device::flex(), 1);
    let mut batch = random_batch(2, 3);
    batch.legal_offsets = vec![0, 4, 6];
    batch.actions = vec![3, 100, 7, 50, 8, 9];
    batch.targets = vec![0.5, 0.5, 0.0, 0.0, 1.0, 0.0];
    batch.wdl = Array2::from(vec![[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]);
    batch.score = Array1::from(vec![1.0, -0.5]);
    batch.steps_left = Array1::from(vec![0.5f32.exp() - 1.0, 3f32.exp() - 1.0]);
    batch.weights = Array1::from(vec![3.0, 1.0]);
    let losses = learner.step(&batch, 0.0).expect("a good batch");
    let policy = 0.75 * 4f32.ln() + 0.25 * 2f32.ln();
    let score = 0.75 + 0.25 * 0.25;
    let expected = [
        ("policy", losses.policy, policy),
        ("policy entropy", losses.policy_entropy, policy),
        ("target entropy", losses.target_entropy, 0.75 * 2f32.ln()),
        ("value", losses.value, 3f32.ln()),
        ("value error", losses.value_error, 0.75 + 0.25 * 0.5),
        ("steps left", losses.steps_left, 0.75 * 0.125 + 0.25 * 2.5),
        ("score", losses.score, score),
        ("total", losses.total, policy + 0.5 * 3f32.ln() + 0.25 * score),
    ];
    for (name, found, expected) in expected {
        assert!((found - expected).abs() < 1e-5, "{name}: {found}, expected {expected}");
    }
}

#[test]
fn a_small_batch_is_learned_by_heart() {
    let mut learner = learner(LearnerConfig { weight_decay: 0.0, ..Default::default() }, 2);
    let batch = random_batch(12, 4);
    let first = learner.step(&batch, 0.01).expect("a good batch");
    let mut last = first;
    for _ in 0..300 {
        last = learner.step(&batch, 0.01).expect("a good batch");
    }
    assert!(last.policy - last.target_entropy < 0.05, "{first:?} {last:?}");
    assert!(last.value < 0.05 && last.score < 0.01 && last.steps_left < 0.05, "{first:?} {last:?}");
}

#[test]
fn threads_change_no_bit() {
    let run = |threads| {
        let mut learner = learner(LearnerConfig { shards: 5, ..Default::default() }, threads);
        let losses: Vec<_> = (0..6).map(|index| learner.step(&random_batch(13, index), 0.01).expect("good")).collect();
        (losses, learner.network().clone(), learner.play_network().clone())
    };
    let one = run(1);
    assert!(one == run(2) && one == run(3) && one == run(1));
}

#[test]
fn learning_goes_on_from_its_state_as_if_never_stopped() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut whole = learner(LearnerConfig::default(), 2);
    for index in 0..3 {
        whole.step(&random_batch(9, index), 0.01).expect("a good batch");
    }
    whole.save_state(dir.path()).expect("it can be written");
    let mut resumed = learner(LearnerConfig::default(), 1);
    resumed.load_state(dir.path()).expect("it can be read");
    for index in 3..6 {
        let batch = random_batch(9, index);
        assert_eq!(whole.step(&batch, 0.01), resumed.step(&batch, 0.01));
    }
    assert_eq!(whole.network(), resumed.network());
    assert_eq!(whole.play_network(), resumed.play_network());
    assert_eq!(resumed.steps(), 6);
}

#[test]
fn damaged_state_is_named_and_changes_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut learner = learner(LearnerConfig::default(), 1);
    let path = dir.path().join(STATE_FILE);
    let missing = learner.load_state(dir.path()).unwrap_err().to_string();
    assert_eq!(missing, format!("{}: no such file", path.display()));
    learner.save_state(dir.path()).expect("it can be written");
    let good = std::fs::read(&path).expect("it is there");
    let mut altered = good.clone();
    *altered.last_mut().expect("a file with content") ^= 1;
    for (bytes, problem) in [(&good[..good.len() - 9], "not a safetensors file"), (&altered[..], "altered: sha256")] {
        std::fs::write(&path, bytes).expect("it can be written");
        let error = learner.load_state(dir.path()).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()) && error.contains(problem), "{error}");
    }
    assert_eq!(*learner.network(), small_network());
}

#[test]
fn rows_of_weight_zero_teach_nothing() {
    let (mut batch, other) = (random_batch(8, 5), random_batch(8, 6));
    batch.weights[2] = 0.0;
    batch.weights[7] = 0.0;
    let mut changed = batch.clone();
    for row in [2, 7] {
        changed.inputs.slice_mut(ndarray::s![row, .., .., ..]).assign(&other.inputs.slice(ndarray::s![
            row,
            ..,
            ..,
            ..
        ]));
        changed.wdl.row_mut(row).assign(&other.wdl.row(row));
        changed.score[row] = 0.77;
        changed.steps_left[row] = 7.0;
    }
    let run = |batch: &TrainingBatch| {
        let mut learner = learner(LearnerConfig::default(), 1);
        (learner.step(batch, 0.01), learner.network().clone())
    };
    assert_eq!(run(&batch), run(&changed));
}

#[test]
fn a_row_whose_end_is_not_known_teaches_policy_and_value_alone() {
    let known = random_batch(8, 5);
    let run = |change: fn(&mut TrainingBatch)| {
        let mut batch = known.clone();
        change(&mut batch);
        let mut learner = learner(LearnerConfig::default(), 1);
        (learner.step(&batch, 0.01).expect("a good batch"), learner.network().clone())
    };
    let (whole, _) = run(|_| {});
    let without_steps = run(|batch| batch.steps_left[2] = f32::NAN);
    let without_score = run(|batch| batch.score[2] = f32::NAN);
    assert_eq!(without_steps, without_score);
    let (losses, _) = without_steps;
    assert_eq!((losses.policy, losses.value), (whole.policy, whole.value));
    assert!(losses.score < whole.score && losses.steps_left < whole.steps_left, "{losses:?} {whole:?}");
}

#[test]
fn a_loss_that_is_not_finite_is_an_error_and_changes_nothing() {
    let mut learner = learner(LearnerConfig::default(), 1);
    let mut batch = random_batch(4, 7);
    batch.score[1] = f32::INFINITY;
    assert!(matches!(learner.step(&batch, 0.01), Err(LearnError::NotFinite { step: 1, .. })));
    assert_eq!((learner.network(), learner.steps()), (&small_network(), 0));
    assert_eq!(learner.play_network(), &small_network());
}

#[test]
fn a_batch_that_does_not_fit_is_an_error() {
    let good = random_batch(4, 8);
    let wrong = |change: fn(&mut TrainingBatch)| {
        let mut batch = good.clone();
        change(&mut batch);
        batch
    };
    let cases = [
        (
            wrong(|batch| batch.inputs = Array4::zeros((4, 6, 4, 3))),
            "inputs have shape [4, 6, 4, 3], expected [4, 5, 4, 3]",
        ),
        (wrong(|batch| batch.score = Array1::zeros(3)), "targets have [4, 4, 3] rows, expected 4"),
        (wrong(|batch| batch.legal_offsets[1] = 0), "row 0 has no legal step"),
        (wrong(|batch| batch.actions[0] = 168), "step 168, expected less than 168"),
        (wrong(|batch| batch.weights.fill(0.0)), "row weights sum to 0, expected more than 0 and none below"),
        (TrainingBatch::default(), "inputs have shape"),
    ];
    let mut learner = learner(LearnerConfig::default(), 1);
    for (batch, problem) in cases {
        let error = learner.step(&batch, 0.01).unwrap_err().to_string();
        assert!(error.starts_with(&format!("training batch: {problem}")), "{error}");
    }
}

/// Compares the answers of both passes along a random game.
struct Compare;

impl VariantVisitor for Compare {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let mut rng = rng(9);
        let mut game = G::start(&rules, &mut rng);
        let (mut positions, mut actions) = (Vec::new(), Vec::new());
        while positions.len() < 20 && game.outcome().is_none() {
            positions.push(game.clone());
            game.legal_actions(&mut actions);
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
        let network = scrambled(&NetConfig::default(), G::shape(&rules));
        let positions: Vec<&G> = positions.iter().collect();
        let evaluate = |net: PlayNet, positions: &[&G]| {
            let mut answers = vec![Evaluation::default(); positions.len()];
            NetworkEvaluator::new(net).evaluate(positions, &mut answers);
            answers
        };
        let fast = PlayNet::new(&network, &Device::flex());
        let together = evaluate(fast.clone(), &positions);
        let by_model = evaluate(PlayNet::by_model(&network, &Device::flex()), &positions);
        for (index, (answer, other)) in together.iter().zip(&by_model).enumerate() {
            assert_eq!(*answer, evaluate(fast.clone(), &positions[index..=index])[0], "the batch changes no bit");
            positions[index].legal_actions(&mut actions);
            assert_eq!(answer.priors.len(), actions.len());
            assert!((answer.wdl.score() - other.wdl.score()).abs() < 1e-4);
            let mut priors = answer.priors.iter().zip(&other.priors);
            assert!(priors.all(|(left, right)| (left - right).abs() < 1e-4));
        }
    }
}

#[test]
fn an_evaluator_answers_alike_by_either_pass_in_every_variant() {
    Variant::all().iter().for_each(|variant| variant.dispatch(Compare));
}
