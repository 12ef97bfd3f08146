//! Learning from batches of decisions.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::batch::TrainingBatch;
use super::checkpoint::CheckpointError;
use super::device::Device;
use super::network::Network;

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// How much of each weight, times the learning rate, decays a step; biases do not.
    pub weight_decay: f32,
    /// AdamW's memory of the gradient.
    pub beta1: f32,
    /// AdamW's memory of the squared gradient.
    pub beta2: f32,
    /// The largest norm of the gradient over all weights; longer ones are scaled down.
    pub clip_norm: f32,
    /// Memory of the averaged weights that play.
    pub ema_decay: f32,
    /// Weight of the value in the loss; the policy's is 1.
    pub value_weight: f32,
    /// Weight of the steps left in the loss.
    pub steps_left_weight: f32,
    /// Weight of the final score in the loss.
    pub score_weight: f32,
    /// Parts into which a batch is split, up to as many threads can work on it. It changes rounding, so it belongs to
    /// the run and not to the machine.
    pub shards: usize,
}

impl Default for LearnerConfig {
    fn default() -> LearnerConfig {
        LearnerConfig {
            weight_decay: 0.01,
            beta1: 0.9,
            beta2: 0.999,
            clip_norm: 5.0,
            ema_decay: 0.99,
            value_weight: 1.0,
            steps_left_weight: 0.1,
            score_weight: 0.2,
            shards: 4,
        }
    }
}

/// A setting of learning that is out of range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("learn.{key} = {value}: expected {expected}")]
pub struct LearnerConfigError {
    /// The key.
    pub key: &'static str,
    /// What was found.
    pub value: f64,
    /// What would have been right.
    pub expected: &'static str,
}

impl LearnerConfig {
    /// Checks every setting.
    ///
    /// # Errors
    /// [`LearnerConfigError`] for the first setting that is out of range.
    pub fn validate(&self) -> Result<(), LearnerConfigError> {
        let fraction = |value: f32| (0.0..1.0).contains(&value);
        let not_negative = |value: f32| value >= 0.0 && value.is_finite();
        let checks = [
            ("weight_decay", self.weight_decay, not_negative(self.weight_decay), "0 or more"),
            ("beta1", self.beta1, fraction(self.beta1), "at least 0 and below 1"),
            ("beta2", self.beta2, fraction(self.beta2), "at least 0 and below 1"),
            ("clip_norm", self.clip_norm, self.clip_norm > 0.0, "more than 0"),
            ("ema_decay", self.ema_decay, fraction(self.ema_decay), "at least 0 and below 1"),
            ("value_weight", self.value_weight, not_negative(self.value_weight), "0 or more"),
            ("steps_left_weight", self.steps_left_weight, not_negative(self.steps_left_weight), "0 or more"),
            ("score_weight", self.score_weight, not_negative(self.score_weight), "0 or more"),
            ("shards", self.shards as f32, (1..=256).contains(&self.shards), "1 to 256"),
        ];
        for (key, value, good, expected) in checks {
            if !good {
                // Through text, so that 0.1 is not shown as 0.10000000149.
                let value = value.to_string().parse().unwrap_or(f64::NAN);
                return Err(LearnerConfigError { key, value, expected });
            }
        }
        Ok(())
    }
}

/// Why a step of learning was not taken.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LearnError {
    /// The loss or the gradient is not a finite number; the weights are untouched.
    #[error("loss {loss}, gradient norm {gradient_norm} at learning step {step}: expected finite numbers")]
    NotFinite {
        /// The step that failed.
        step: u64,
        /// The loss of the batch.
        loss: f32,
        /// The norm of its gradient.
        gradient_norm: f32,
    },
    /// The batch does not fit the network or itself.
    #[error("training batch: {problem}")]
    BadBatch {
        /// What does not fit.
        problem: String,
    },
}

/// What one step of learning measured, as means over the batch by row weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// The weighted sum of the parts.
    pub total: f32,
    /// Cross-entropy between target and network policy.
    pub policy: f32,
    /// Cross-entropy of win, draw and loss.
    pub value: f32,
    /// Huber loss of `ln(1 + steps left)`.
    pub steps_left: f32,
    /// Squared error of the final lead.
    pub score: f32,
    /// Entropy of the network's policy over legal steps.
    pub policy_entropy: f32,
    /// Entropy of the target policy; the policy loss cannot be lower.
    pub target_entropy: f32,
    /// Mean absolute error of the expected result, from 0 to 2.
    pub value_error: f32,
    /// Norm of the gradient over all weights, before clipping.
    pub gradient_norm: f32,
}

/// A network that learns, with all that it needs to go on learning.
#[derive(Debug)]
pub struct Learner {
    network: Network,
    average: Network,
    config: LearnerConfig,
    device: Device,
    threads: usize,
    step: u64,
}

impl Learner {
    /// Starts learning from `network`. Up to `threads` threads work at once; their number changes no result.
    pub fn new(network: Network, config: LearnerConfig, device: &Device, threads: usize) -> Learner {
        Learner { average: network.clone(), network, config, device: device.clone(), threads, step: 0 }
    }

    /// Learns from one batch.
    ///
    /// # Errors
    /// If the batch does not fit the network, or a number is not finite; the learner is then as it was before.
    pub fn step(&mut self, batch: &TrainingBatch, learning_rate: f32) -> Result<Losses, LearnError> {
        let _ = (batch, learning_rate, &self.config, &self.device, self.threads, &self.network);
        unimplemented!()
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The network whose weights are averaged over the latest steps, which plays better than the newest weights.
    pub fn play_network(&self) -> &Network {
        &self.average
    }

    /// Writes all that [`Learner::load_state`] needs to `learner.safetensors` in `dir`, under a new name first.
    ///
    /// # Errors
    /// If the file cannot be written; the error names it.
    pub fn save_state(&self, dir: &Path) -> Result<(), CheckpointError> {
        let _ = dir;
        unimplemented!()
    }

    /// Goes on from the state in `dir`: the next steps are those that the saved learner would have taken.
    ///
    /// # Errors
    /// If the file is missing, damaged or of a network with other sizes; the error names it.
    pub fn load_state(&mut self, dir: &Path) -> Result<(), CheckpointError> {
        let _ = dir;
        unimplemented!()
    }
}
