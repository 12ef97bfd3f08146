//! The learning of an iteration.

use std::time::{Duration, Instant};

use heng_env::{Notation, Purpose, Seeds};
use heng_mcts::net::LearnError;

use super::Trainer;
use crate::error::TrainError;
use crate::metrics::LossMeans;
use crate::run_dir::PROGRAM;

/// How long learning may go on after the end of a run that is limited in time.
const GRACE: Duration = Duration::from_secs(3);

/// What the learning of an iteration came to.
#[derive(Debug, Default)]
pub(super) struct Learnt {
    pub(super) losses: LossMeans,
    pub(super) learning_rate: Option<f32>,
    pub(super) samples_owed: f64,
    pub(super) seconds: f64,
}

impl<G: Notation> Trainer<'_, G> {
    /// As many learning steps as the replay ratio asks for; `None` if somebody asked to stop, and then nothing counts.
    pub(super) fn learn(&mut self) -> Result<Option<Learnt>, TrainError> {
        let started = Instant::now();
        let batch = self.config.schedule.batch;
        let (steps, mut owed) = self.steps_owed();
        let bar = self.console.bar(format!("iteration {} learns", self.state.iteration + 1), 0, steps, "steps");
        let mut rng = Seeds::new(self.config.seed).stream(Purpose::Learning, self.state.iteration + 1);
        let mut learnt = Learnt::default();
        for step in 0..steps {
            if self.stop.is_requested() {
                return Ok(None);
            }
            if self.pace.limit.is_some_and(|limit| self.pace.started.elapsed() > limit + GRACE) {
                owed = 0.0;
                break;
            }
            let rate = self.config.schedule.learning_rate(self.learner.steps(), self.done(step as f64 / steps as f64));
            let samples = self.pool.install(|| self.window.sample(batch, &mut rng))?;
            let losses = self.learner.step(&samples, rate).map_err(|source| self.breakdown(source))?;
            learnt.losses.add(&losses);
            learnt.learning_rate = Some(rate);
            bar.set_prefix(format!("loss {:.2}  ", losses.total));
            bar.inc(1);
        }
        bar.finish_and_clear();
        learnt.samples_owed = owed;
        learnt.seconds = started.elapsed().as_secs_f64();
        if learnt.losses.steps() > 0 {
            let slices = self.state.begun.as_ref().map_or(1, |begun| begun.slices);
            self.pace.learn_step = started.elapsed().div_f64(learnt.losses.steps() as f64);
            self.pace.slice_learning = started.elapsed().div_f64(slices.max(1) as f64);
        }
        Ok(Some(learnt))
    }

    /// Learning steps to take now, and the positions that are left over for the next iteration.
    fn steps_owed(&self) -> (u64, f64) {
        if (self.window.len() as u64) < self.config.replay.min_positions {
            return (0, 0.0);
        }
        let new = self.state.begun.as_ref().map_or(0, |begun| begun.statistics.samples);
        let batch = self.config.schedule.batch as f64;
        let owed = self.state.samples_owed + new as f64 * self.config.replay.replay_ratio;
        let steps = (owed / batch).floor();
        // Rounding must not make less than nothing of it.
        (steps as u64, (owed - steps * batch).max(0.0))
    }

    /// The part of the run that is over, when `part` of this iteration's learning is.
    pub(super) fn done(&self, part: f64) -> f64 {
        let limit = self.config.run.iterations;
        let iterations = if limit > 0 { (self.state.iteration as f64 + part) / limit as f64 } else { 0.0 };
        iterations.max(self.pace.done())
    }

    fn breakdown(&self, source: LearnError) -> TrainError {
        let run = self.run.root().display().to_string();
        let advice = match source {
            LearnError::NotFinite { .. } => {
                let lower = 0.1 * self.config.schedule.learning_rate;
                format!(
                    "; a lower learning rate may help: {PROGRAM} resume {run} --set schedule.learning_rate={lower:.0e}"
                )
            }
            LearnError::NoThread { .. } | LearnError::BadBatch { .. } => String::new(),
        };
        TrainError::Learn { source, run, advice }
    }
}
