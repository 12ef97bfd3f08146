//! Learning from batches of decisions.
//!
//! A batch is split into a fixed number of shards, whose gradients are added in a fixed order: the number of threads that
//! work on them changes no bit of the result.

use std::ops::Range;
use std::path::Path;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::batch::TrainingBatch;
use super::checkpoint::CheckpointError;
use super::device::Device;
use super::files::{TensorFile, read_file, replace_file};
pub use super::learner_config::{LearnerConfig, LearnerConfigError};
use super::loss::{ShardResult, run_shard};
use super::network::{Network, Parameter};
use super::optimizer::{self, Moments};

/// The file that holds all of a learner's state.
pub const STATE_FILE: &str = "learner.safetensors";

/// Why a step of learning was not taken.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LearnError {
    /// The loss or the gradient is not a finite number; the weights are untouched.
    #[error(
        "loss {loss}, gradient norm {gradient_norm}, learning rate {learning_rate} at learning step {step}: expected \
         finite numbers"
    )]
    NotFinite {
        /// The step that failed.
        step: u64,
        /// The loss of the batch.
        loss: f32,
        /// The norm of its gradient.
        gradient_norm: f32,
        /// The rate it would have been learned at.
        learning_rate: f32,
    },
    /// The system gives no thread to work on.
    #[error("cannot start a thread to learn on: {problem}")]
    NoThread {
        /// What the system says.
        problem: String,
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
    /// Cross-entropy of the softened policy; this and the two that follow are there for heads with a weight only.
    pub soft_policy: Option<f32>,
    /// Cross-entropy of win, draw and loss in the next turns, as a mean over the horizons.
    pub short_term_value: Option<f32>,
    /// Cross-entropy of the other side's reply; a row without one counts as 0.
    pub opponent_reply: Option<f32>,
    /// Entropy of the network's policy over legal steps.
    pub policy_entropy: f32,
    /// Entropy of the target policy; the policy loss cannot be lower.
    pub target_entropy: f32,
    /// Mean absolute error of the expected result, from 0 to 2.
    pub value_error: f32,
    /// Norm of the gradient over all weights, before clipping.
    pub gradient_norm: f32,
}

impl Losses {
    fn add(&mut self, part: &Losses) {
        self.total += part.total;
        self.policy += part.policy;
        self.value += part.value;
        self.steps_left += part.steps_left;
        self.score += part.score;
        add_if_there(&mut self.soft_policy, part.soft_policy);
        add_if_there(&mut self.short_term_value, part.short_term_value);
        add_if_there(&mut self.opponent_reply, part.opponent_reply);
        self.policy_entropy += part.policy_entropy;
        self.target_entropy += part.target_entropy;
        self.value_error += part.value_error;
    }
}

/// Adds to a sum that is there in all parts of a batch or in none.
fn add_if_there(sum: &mut Option<f32>, part: Option<f32>) {
    *sum = sum.zip(part).map(|(sum, part)| sum + part);
}

/// A network that learns, with all that it needs to go on learning.
#[derive(Debug)]
pub struct Learner {
    network: Network,
    average: Network,
    moments: Moments,
    config: LearnerConfig,
    device: Device,
    threads: usize,
    /// One thread each, since Burn would otherwise split the work of a shard by the number of threads; started when first
    /// needed.
    workers: Vec<ThreadPool>,
    step: u64,
}

impl Learner {
    /// Starts learning from `network`. Up to `threads` threads work at once; their number changes no result.
    pub fn new(network: Network, config: LearnerConfig, device: &Device, threads: usize) -> Learner {
        let (average, moments) = (network.clone(), Moments::zeros(&network.parameters));
        Learner { network, average, moments, config, device: device.clone(), threads, workers: Vec::new(), step: 0 }
    }

    /// Learns from one batch.
    ///
    /// # Errors
    /// If the batch does not fit the network, or a number is not finite; the learner is then as it was before.
    pub fn step(&mut self, batch: &TrainingBatch, learning_rate: f32) -> Result<Losses, LearnError> {
        batch.check(&self.network.shape).map_err(|problem| LearnError::BadBatch { problem })?;
        if self.network.config.auxiliary_heads && batch.auxiliary.is_none() {
            let problem = "no targets for the auxiliary heads that the network has".to_owned();
            return Err(LearnError::BadBatch { problem });
        }
        self.start_workers()?;
        let step = self.step + 1;
        let (mut losses, mut gradients) = self.gradients(batch);
        let gradient_norm = optimizer::global_norm(&gradients);
        losses.gradient_norm = gradient_norm;
        if !losses.total.is_finite() || !gradient_norm.is_finite() || !learning_rate.is_finite() {
            return Err(LearnError::NotFinite { step, loss: losses.total, gradient_norm, learning_rate });
        }
        optimizer::clip(&mut gradients, gradient_norm, self.config.clip_norm);
        self.moments.step(&mut self.network.parameters, &gradients, (step, learning_rate), &self.config);
        // A young average forgets the random start faster.
        let decay = self.config.ema_decay.min((1.0 + step as f32) / (10.0 + step as f32));
        optimizer::average(&mut self.average.parameters, &self.network.parameters, decay);
        self.step = step;
        Ok(losses)
    }

    fn start_workers(&mut self) -> Result<(), LearnError> {
        let count = self.threads.clamp(1, self.config.shards.max(1));
        while self.workers.len() < count {
            let worker = ThreadPoolBuilder::new().num_threads(1).build();
            self.workers.push(worker.map_err(|error| LearnError::NoThread { problem: error.to_string() })?);
        }
        Ok(())
    }

    /// Losses and gradients of the whole batch.
    fn gradients(&self, batch: &TrainingBatch) -> (Losses, Vec<Parameter>) {
        let total_weight = batch.weights.sum();
        let shards = shards(batch.len(), self.config.shards);
        let run = |range: &Range<usize>| {
            run_shard(&self.network, &self.config, &self.device, batch, (range.clone(), total_weight))
        };
        let count = self.workers.len();
        let mut results: Vec<Option<ShardResult>> = shards.iter().map(|_| None).collect();
        thread::scope(|scope| {
            let work = |worker: usize| {
                let mine = shards.iter().enumerate().skip(worker).step_by(count);
                self.workers[worker].install(|| mine.map(|(index, range)| (index, run(range))).collect::<Vec<_>>())
            };
            let handles: Vec<_> = (0..count).map(|worker| scope.spawn(move || work(worker))).collect();
            for handle in handles {
                let finished = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                finished.into_iter().for_each(|(index, result)| results[index] = Some(result));
            }
        });
        let mut results = results.into_iter().flatten();
        let ShardResult { mut losses, mut gradients } = results.next().expect("a batch that was checked has rows");
        for result in results {
            losses.add(&result.losses);
            optimizer::add(&mut gradients, &result.gradients);
        }
        (losses, gradients)
    }

    /// Steps taken.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The network with its newest weights.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The network whose weights are averaged over the latest steps, which plays better than the newest weights.
    pub fn play_network(&self) -> &Network {
        &self.average
    }

    /// Writes all that [`Learner::load_state`] needs to [`STATE_FILE`] in `dir`, under a new name first.
    ///
    /// # Errors
    /// If the file cannot be written; the error names it.
    pub fn save_state(&self, dir: &Path) -> Result<(), CheckpointError> {
        let mut file = TensorFile::default();
        file.put("weights/", &self.network.parameters);
        file.put("average/", &self.average.parameters);
        file.put("first_moment/", &self.moments.first);
        file.put("second_moment/", &self.moments.second);
        file.note("step", self.step.to_string());
        file.note("sha256", file.sha256());
        replace_file(&dir.join(STATE_FILE), &file.to_bytes())
    }

    /// Goes on from the state in `dir`: the next steps are those that the saved learner would have taken.
    ///
    /// # Errors
    /// If the file is missing, damaged or of a network with other sizes; the error names it, and the learner is as it was
    /// before.
    pub fn load_state(&mut self, dir: &Path) -> Result<(), CheckpointError> {
        let path = dir.join(STATE_FILE);
        let mut file = TensorFile::read(&path, &read_file(&path)?)?;
        let (found, expected) = (file.sha256(), file.noted("sha256")?.to_owned());
        if found != expected {
            return Err(CheckpointError::Altered { path, found, expected });
        }
        let step = file.noted("step")?;
        let step = step.parse().map_err(|_| file.bad(format!("metadata `step` is `{step}`, expected a number")))?;
        let mut take = |prefix| file.take_like(prefix, &self.network.parameters);
        let (weights, average) = (take("weights/")?, take("average/")?);
        let moments = Moments { first: take("first_moment/")?, second: take("second_moment/")? };
        self.network.parameters = weights;
        self.average.parameters = average;
        self.moments = moments;
        self.step = step;
        Ok(())
    }
}

/// Splits `rows` rows into up to `count` runs of almost the same length, none of them empty.
fn shards(rows: usize, count: usize) -> Vec<Range<usize>> {
    let bound = |index| index * rows / count;
    (0..count).map(|index| bound(index)..bound(index + 1)).filter(|range| !range.is_empty()).collect()
}
