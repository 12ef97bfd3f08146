//! What the network should have said: the losses of some rows of a batch, and their gradients.

use std::ops::Range;

use burn::tensor::activation::log_softmax;
use burn::tensor::{Device, Int, Tensor, TensorData};
use ndarray::{ArrayView1, s};

use super::auxiliary::{AuxiliaryOutputs, SHORT_TERM_HORIZONS};
use super::batch::{AuxiliaryTargets, TrainingBatch};
use super::learner::{LearnerConfig, Losses};
use super::model::Outputs;
use super::network::{Network, Parameter};

/// Added to the logit of a place where a row has no legal step: its probability is then exactly zero.
const NOT_A_STEP: f32 = -1e9;

/// The softened policy is the target to the power of one part in so many.
const SOFT_POLICY_TEMPERATURE: f32 = 4.0;

/// The share of some rows in the losses of their batch, and in the gradient.
pub(crate) struct ShardResult {
    pub(crate) losses: Losses,
    pub(crate) gradients: Vec<Parameter>,
}

/// Rows of a batch on a device.
struct Rows {
    inputs: Tensor<4>,
    policy: PolicyRows,
    /// `[rows, 3]`
    wdl: Tensor<2>,
    /// `ln(1 + steps left)`, `[rows]`.
    steps_left: Tensor<1>,
    /// `[rows]`
    score: Tensor<1>,
    /// Each row's share in the batch, `[rows]`.
    weights: Tensor<1>,
    /// The same, and zero where the end of the game is not known, `[rows]`.
    end_weights: Tensor<1>,
    auxiliary: Option<AuxiliaryRows>,
}

/// Targets of the heads that only learning uses.
struct AuxiliaryRows {
    /// `[rows * horizons, 3]`
    short_term: Tensor<2>,
    reply: PolicyRows,
}

/// Policies on a device; the rows' legal steps are padded to the longest row.
struct PolicyRows {
    /// `[rows, legal]`
    actions: Tensor<2, Int>,
    /// Zero, or [`NOT_A_STEP`] behind the end of a row, `[rows, legal]`.
    padding: Tensor<2>,
    /// `[rows, legal]`
    targets: Tensor<2>,
}

/// Runs `network` forward and backward on the rows in `range`. `total_weight` is that of the whole batch.
///
/// The model is made anew from the network's weights, so that threads share no graph: two threads that run backward on
/// clones of one Burn module can wait for each other for ever.
pub(crate) fn run_shard(
    network: &Network,
    config: &LearnerConfig,
    device: &Device,
    batch: &TrainingBatch,
    (range, total_weight): (Range<usize>, f32),
) -> ShardResult {
    let device = device.clone().autodiff();
    let model = network.to_model(&device);
    let rows = Rows::new(batch, range, total_weight, &device);
    let (outputs, auxiliary) = model.forward_to_learn(rows.inputs.clone(), config);
    let (loss, losses) = rows.losses(outputs, auxiliary, config);
    let gradients = model.gradients(&loss.backward());
    ShardResult { losses, gradients }
}

impl Rows {
    fn new(batch: &TrainingBatch, range: Range<usize>, total_weight: f32, device: &Device) -> Rows {
        let count = range.len();
        let (_, planes, ranks, files) = batch.inputs.dim();
        let inputs = batch.inputs.slice(s![range.clone(), .., .., ..]).as_standard_layout().into_owned();
        let inputs = inputs.into_raw_vec_and_offset().0;
        let wdl = batch.wdl.slice(s![range.clone(), ..]).iter().copied().collect();
        let weights: Vec<f32> = range.clone().map(|row| batch.weights[row] / total_weight).collect();
        let is_end_known = |row: usize| !batch.steps_left[row].is_nan() && !batch.score[row].is_nan();
        let end_weight = |(row, &weight): (usize, &f32)| if is_end_known(row) { weight } else { 0.0 };
        let end_weights = range.clone().zip(&weights).map(end_weight).collect();
        let column = |values: Vec<f32>| Tensor::from_data(TensorData::new(values, [count]), device);
        let policy = (&batch.legal_offsets[..], &batch.actions[..], &batch.targets[..]);
        Rows {
            inputs: Tensor::from_data(TensorData::new::<f32, _>(inputs, [count, planes, ranks, files]), device),
            policy: PolicyRows::new(policy, range.clone(), device),
            wdl: table(wdl, [count, 3], device),
            steps_left: column(known(batch.steps_left.slice(s![range.clone()])).map(f32::ln_1p).collect()),
            score: column(known(batch.score.slice(s![range.clone()])).collect()),
            end_weights: column(end_weights),
            weights: column(weights),
            auxiliary: batch.auxiliary.as_ref().map(|targets| AuxiliaryRows::new(targets, range, device)),
        }
    }

    /// The total to run backward from, and the parts as numbers.
    fn losses(&self, outputs: Outputs, auxiliary: AuxiliaryOutputs, config: &LearnerConfig) -> (Tensor<1>, Losses) {
        let policy = self.policy.log_probabilities(outputs.policy);
        let wdl = log_softmax(outputs.wdl, 1);
        let policy_loss = self.mean(cross_entropy(&self.policy.targets, &policy));
        let value_loss = self.mean(cross_entropy(&self.wdl, &wdl));
        let steps_left_loss = self.end_mean(huber(outputs.steps_left - self.steps_left.clone()));
        let score_loss = self.end_mean((outputs.score - self.score.clone()).square());
        let auxiliary = self.auxiliary_losses(auxiliary);
        let mut total = policy_loss.clone()
            + value_loss.clone().mul_scalar(config.value_weight)
            + steps_left_loss.clone().mul_scalar(config.steps_left_weight)
            + score_loss.clone().mul_scalar(config.score_weight);
        for (loss, (_, weight)) in auxiliary.iter().zip(config.auxiliary_weights()) {
            if let Some(loss) = loss {
                total = total + loss.clone().mul_scalar(weight);
            }
        }
        let targets = &self.policy.targets;
        let [soft_policy, short_term_value, opponent_reply] = auxiliary.map(|loss| loss.map(number));
        let losses = Losses {
            total: number(total.clone()),
            policy: number(policy_loss),
            value: number(value_loss),
            steps_left: number(steps_left_loss),
            score: number(score_loss),
            soft_policy,
            short_term_value,
            opponent_reply,
            policy_entropy: number(self.mean(cross_entropy(&policy.clone().exp(), &policy))),
            // Not to take the logarithm of zero: x ln x tends to zero there.
            target_entropy: number(self.mean(cross_entropy(targets, &targets.clone().clamp_min(1e-30).log()))),
            value_error: number(self.mean((expected(wdl.exp()) - expected(self.wdl.clone())).abs())),
            gradient_norm: 0.0,
        };
        (total, losses)
    }

    /// The losses of the heads that only learning uses, as [`LearnerConfig::auxiliary_weights`] orders them.
    fn auxiliary_losses(&self, outputs: AuxiliaryOutputs) -> [Option<Tensor<1>>; 3] {
        let soft_policy = outputs.soft_policy.map(|logits| {
            let targets = self.policy.softened_targets(SOFT_POLICY_TEMPERATURE);
            self.mean(cross_entropy(&targets, &self.policy.log_probabilities(logits)))
        });
        let short_term = outputs.short_term.zip(self.auxiliary.as_ref()).map(|(logits, targets)| {
            let losses = cross_entropy(&targets.short_term, &log_softmax(logits, 1));
            let horizons = SHORT_TERM_HORIZONS.len();
            let rows = losses.dims()[0] / horizons;
            self.mean(losses.reshape([rows, horizons]).mean_dim(1).squeeze_dim::<1>(1))
        });
        // A row without a reply has no target above zero, and so no part in this.
        let reply = outputs.reply.zip(self.auxiliary.as_ref()).map(|(logits, targets)| {
            self.mean(cross_entropy(&targets.reply.targets, &targets.reply.log_probabilities(logits)))
        });
        [soft_policy, short_term, reply]
    }

    /// The sum over rows, `[rows]`, each with its share in the batch.
    fn mean(&self, rows: Tensor<1>) -> Tensor<1> {
        (rows * self.weights.clone()).sum()
    }

    /// The sum over the rows whose game has an end, `[rows]`, each with its share in the batch.
    fn end_mean(&self, rows: Tensor<1>) -> Tensor<1> {
        (rows * self.end_weights.clone()).sum()
    }
}

/// The targets with 0 in place of NaN, which would reach the gradient even through a weight of 0.
fn known(targets: ArrayView1<'_, f32>) -> impl Iterator<Item = f32> {
    targets.into_iter().map(|&target| if target.is_nan() { 0.0 } else { target })
}

impl AuxiliaryRows {
    fn new(targets: &AuxiliaryTargets, range: Range<usize>, device: &Device) -> AuxiliaryRows {
        let count = range.len() * SHORT_TERM_HORIZONS.len();
        let short_term = targets.short_term.slice(s![range.clone(), ..]).iter().copied().collect();
        let replies = &targets.replies;
        let reply = (&replies.offsets[..], &replies.actions[..], &replies.targets[..]);
        AuxiliaryRows {
            short_term: table(short_term, [count, 3], device),
            reply: PolicyRows::new(reply, range, device),
        }
    }
}

impl PolicyRows {
    /// Those rows in `range` of policies, whose row `r` owns actions and targets from `offsets[r]` to `offsets[r + 1]`.
    fn new(
        (offsets, all_actions, all_targets): (&[usize], &[u16], &[f32]),
        range: Range<usize>,
        device: &Device,
    ) -> PolicyRows {
        let count = range.len();
        let lengths = range.clone().map(|row| offsets[row + 1] - offsets[row]);
        // There may be no step in any row, but not no place for one.
        let legal = lengths.max().unwrap_or(0).max(1);
        let mut actions = vec![0; count * legal];
        let mut padding = vec![NOT_A_STEP; count * legal];
        let mut targets = vec![0.0; count * legal];
        for (index, row) in range.enumerate() {
            let steps = offsets[row]..offsets[row + 1];
            let places = index * legal..index * legal + steps.len();
            for (place, step) in places.zip(steps) {
                actions[place] = i32::from(all_actions[step]);
                padding[place] = 0.0;
                targets[place] = all_targets[step];
            }
        }
        PolicyRows {
            actions: Tensor::from_data(TensorData::new(actions, [count, legal]), device),
            padding: table(padding, [count, legal], device),
            targets: table(targets, [count, legal], device),
        }
    }

    /// Of logits of all steps, `[rows, actions]`, the logarithms of the probabilities of the legal ones, `[rows, legal]`.
    fn log_probabilities(&self, logits: Tensor<2>) -> Tensor<2> {
        log_softmax(logits.gather(1, self.actions.clone()) + self.padding.clone(), 1)
    }

    /// The targets to the power `1 / temperature`, made to sum to one in each row, `[rows, legal]`.
    fn softened_targets(&self, temperature: f32) -> Tensor<2> {
        // Zero stays zero: a step that the target rules out, or that is none, is not to be learnt.
        let powers = self.targets.clone().powf_scalar(1.0 / temperature);
        let sums = powers.clone().sum_dim(1).clamp_min(f32::MIN_POSITIVE);
        powers / sums
    }
}

fn table(values: Vec<f32>, dims: [usize; 2], device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values, dims), device)
}

/// `-Σ target · log probability` of each row, `[rows, choices]` to `[rows]`.
fn cross_entropy(targets: &Tensor<2>, log_probabilities: &Tensor<2>) -> Tensor<1> {
    (targets.clone() * log_probabilities.clone()).sum_dim(1).squeeze_dim::<1>(1).neg()
}

/// Half the square of each error up to 1, and the error less a half beyond, so that a long game pulls no harder.
fn huber(errors: Tensor<1>) -> Tensor<1> {
    let size = errors.abs();
    let near = size.clone().clamp_max(1.0);
    near.clone().square().mul_scalar(0.5) + size - near
}

/// Win less loss, `[rows, 3]` to `[rows]`.
fn expected(wdl: Tensor<2>) -> Tensor<1> {
    (wdl.clone().narrow(1, 0, 1) - wdl.narrow(1, 2, 1)).squeeze_dim(1)
}

fn number(tensor: Tensor<1>) -> f32 {
    tensor.into_scalar::<f32>()
}
