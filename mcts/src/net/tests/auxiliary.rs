//! Heads that only learning uses.

use super::super::batch::{AuxiliaryTargets, Replies};
use super::*;

fn config() -> NetConfig {
    NetConfig { auxiliary_heads: true, ..small_config() }
}

fn network() -> Network {
    Network::random(&config(), SMALL, Seeds::new(3)).expect("the sizes are in range")
}

fn all_on() -> LearnerConfig {
    LearnerConfig {
        soft_policy_weight: 8.0,
        short_term_value_weight: 1.0,
        opponent_reply_weight: 0.15,
        ..LearnerConfig::default()
    }
}

/// A batch whose replies are the policies of its rows, one row further; the last row has none.
fn batch(rows: usize, index: u64) -> TrainingBatch {
    let mut batch = random_batch(rows, index);
    let first = batch.legal_offsets[1];
    let mut offsets: Vec<usize> = batch.legal_offsets[1..].iter().map(|offset| offset - first).collect();
    offsets.push(batch.actions.len() - first);
    let (actions, targets) = (batch.actions[first..].to_vec(), batch.targets[first..].to_vec());
    let mut rng = rng(index + 100);
    let mut short_term = Array2::zeros((rows, 6));
    for mut row in short_term.rows_mut() {
        row[rng.random_range(0..3)] = 1.0;
        row[3 + rng.random_range(0..3)] = 1.0;
    }
    let replies = Replies { offsets, actions, targets };
    batch.auxiliary = Some(AuxiliaryTargets { short_term, replies });
    batch
}

#[test]
fn the_heads_leave_the_first_weights_of_all_others_and_what_is_played_as_they_are() {
    let (with, without) = (network(), small_network());
    let (same, added) = with.parameters().split_at(without.parameters().len());
    assert_eq!(same, without.parameters());
    assert!(added.iter().all(|parameter| parameter.name.starts_with("auxiliary.")), "{added:?}");
    assert!(with.weight_count() > without.weight_count());
    let inputs = random_inputs(3, SMALL, &mut rng(1));
    assert_eq!(with.answers(&inputs), without.answers(&inputs));
    let play = |network: &Network| {
        let fast = FastNet::new(network, Kernel::best());
        let mut scratch = fast.scratch();
        let input = inputs.outer_iter().next().expect("a row").to_owned();
        fast.set_input(&mut scratch, 0, |planes| planes.copy_from_slice(input.as_slice().expect("contiguous")));
        fast.forward(&mut scratch, 1);
        let mut answer = Evaluation::default();
        fast.read(&mut scratch, 0, &(0..30).map(Action::new).collect::<Vec<_>>(), &mut answer);
        answer
    };
    assert_eq!(play(&with), play(&without));
}

#[test]
fn the_first_losses_are_those_of_even_chances() {
    // Every weight zero: each of n legal steps has 1/n, each of win, draw and loss a third.
    let mut network = network();
    network.parameters.iter_mut().for_each(|parameter| parameter.values.fill(0.0));
    let weights = LearnerConfig { value_weight: 0.0, steps_left_weight: 0.0, score_weight: 0.0, ..all_on() };
    let mut learner = Learner::new(network, weights, &Device::flex(), 1);
    let mut batch = random_batch(2, 3);
    batch.legal_offsets = vec![0, 4, 6];
    batch.actions = vec![3, 100, 7, 50, 8, 9];
    batch.targets = vec![0.5, 0.5, 0.0, 0.0, 1.0, 0.0];
    batch.weights = Array1::from(vec![3.0, 1.0]);
    let short_term = Array2::from(vec![[1.0, 0.0, 0.0, 0.5, 0.5, 0.0]; 2]);
    let replies = Replies { offsets: vec![0, 3, 3], actions: vec![5, 6, 7], targets: vec![0.2, 0.3, 0.5] };
    batch.auxiliary = Some(AuxiliaryTargets { short_term, replies });
    let losses = learner.step(&batch, 0.0).expect("a good batch");
    let policy = 0.75 * 4f32.ln() + 0.25 * 2f32.ln();
    let reply = 0.75 * 3f32.ln();
    let expected = [
        ("policy", losses.policy, policy),
        ("soft policy", losses.soft_policy.expect("it has a weight"), policy),
        ("short-term value", losses.short_term_value.expect("it has a weight"), 3f32.ln()),
        ("opponent's reply", losses.opponent_reply.expect("it has a weight"), reply),
        ("total", losses.total, policy + 8.0 * policy + 3f32.ln() + 0.15 * reply),
    ];
    for (name, found, expected) in expected {
        assert!((found - expected).abs() < 1e-4, "{name}: {found}, expected {expected}");
    }
}

#[test]
fn the_soft_policy_tells_apart_what_the_policy_hardly_does() {
    let batch = batch(6, 4);
    let mut learner = Learner::new(network(), LearnerConfig { weight_decay: 0.0, ..all_on() }, &Device::flex(), 1);
    let first = learner.step(&batch, 0.01).expect("a good batch");
    let mut last = first;
    for _ in 0..400 {
        last = learner.step(&batch, 0.01).expect("a good batch");
    }
    // The entropy of the softened targets, below which the loss cannot fall.
    let entropy = |targets: &[f32]| {
        let powers: Vec<f32> = targets.iter().map(|target| target.powf(0.25)).collect();
        let sum: f32 = powers.iter().sum();
        -powers.iter().map(|power| power / sum).map(|share| share * share.ln()).sum::<f32>()
    };
    let rows = batch.legal_offsets.windows(2).map(|bounds| entropy(&batch.targets[bounds[0]..bounds[1]]));
    let least = rows.sum::<f32>() / 6.0;
    let soft = last.soft_policy.expect("it has a weight");
    assert!(least > last.target_entropy + 0.1 && (soft - least).abs() < 0.05, "{soft}, at least {least}: {last:?}");
    assert!(last.short_term_value < first.short_term_value && last.short_term_value < Some(0.1), "{last:?}");
    assert!(last.opponent_reply < first.opponent_reply, "{first:?} {last:?}");
}

#[test]
fn a_head_without_a_weight_is_not_measured_and_not_learnt() {
    let run = |config: LearnerConfig, batch: &TrainingBatch| {
        let mut learner = Learner::new(network(), config, &Device::flex(), 2);
        let losses = learner.step(batch, 0.01).expect("a good batch");
        (losses, learner.network().clone())
    };
    let off = LearnerConfig { weight_decay: 0.0, ..LearnerConfig::default() };
    let (losses, learnt) = run(off.clone(), &batch(5, 1));
    assert_eq!((losses.soft_policy, losses.short_term_value, losses.opponent_reply), (None, None, None));
    let added = |network: &Network| {
        let all = network.parameters().iter();
        all.filter(|parameter| parameter.name.starts_with("auxiliary.")).cloned().collect::<Vec<_>>()
    };
    assert_eq!(added(&learnt), added(&network()));
    let one = LearnerConfig { opponent_reply_weight: 0.15, ..off };
    let (losses, learnt) = run(one, &batch(5, 1));
    assert!(losses.opponent_reply > Some(0.0) && losses.soft_policy.is_none() && losses.short_term_value.is_none());
    let changed: Vec<String> = added(&learnt)
        .into_iter()
        .zip(added(&network()))
        .filter(|(left, right)| left != right)
        .map(|(parameter, _)| parameter.name)
        .collect();
    assert!(!changed.is_empty() && changed.iter().all(|name| name.starts_with("auxiliary.reply.")), "{changed:?}");
}

#[test]
fn threads_change_no_bit_and_a_shard_may_have_no_reply() {
    let run = |threads| {
        let config = LearnerConfig { shards: 9, ..all_on() };
        let mut learner = Learner::new(network(), config, &Device::flex(), threads);
        let losses: Vec<_> = (0..4).map(|index| learner.step(&batch(9, index), 0.01).expect("good")).collect();
        (losses, learner.network().clone())
    };
    assert!(run(1) == run(3));
}

#[test]
fn targets_that_do_not_fit_are_errors() {
    let wrong = |change: fn(&mut AuxiliaryTargets)| {
        let mut batch = batch(4, 8);
        change(batch.auxiliary.as_mut().expect("it has targets"));
        batch
    };
    let cases = [
        (random_batch(4, 8), "no targets for the auxiliary heads that the network has"),
        (
            wrong(|targets| targets.short_term = Array2::zeros((4, 3))),
            "short-term values have shape [4, 3], expected [4, 6]",
        ),
        (wrong(|targets| targets.replies.actions[0] = 999), "replies: step 999, expected less than 168"),
        (
            wrong(|targets| {
                targets.replies.offsets.pop();
            }),
            "replies: legal offsets do not split",
        ),
    ];
    let mut learner = Learner::new(network(), all_on(), &Device::flex(), 1);
    for (batch, problem) in cases {
        let error = learner.step(&batch, 0.01).unwrap_err().to_string();
        assert!(error.starts_with(&format!("training batch: {problem}")), "{error}");
    }
}
