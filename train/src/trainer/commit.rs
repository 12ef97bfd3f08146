//! The end of an iteration, which makes it last.

use std::fs;

use heng_env::Notation;
use heng_mcts::net::checkpoint::{self, Origin};

use super::Trainer;
use super::learn::Learnt;
use crate::console;
use crate::error::TrainError;
use crate::health;
use crate::metrics::{Measured, Metrics};
use crate::replay::ChunkFile;
use crate::run_dir::{RunDirError, remove};
use crate::state;

impl<G: Notation> Trainer<'_, G> {
    /// Makes a finished iteration last, `state.json` at the end, and goes on with the new network.
    pub(super) fn commit(&mut self, learnt: &Learnt) -> Result<(), TrainError> {
        let begun = self.state.begun.take().unwrap_or_default();
        self.state.iteration += 1;
        self.state.seconds += learnt.seconds;
        self.state.samples_owed = learnt.samples_owed;
        self.state.learn_steps = self.learner.steps();
        self.save_networks()?;
        let player = self.next_player()?;
        let metrics = Metrics::new(&Measured {
            iteration: self.state.iteration,
            seconds: self.state.seconds,
            selfplay_seconds: begun.seconds,
            statistics: &begun.statistics,
            reanalysis: begun.reanalysis,
            learn_seconds: learnt.seconds,
            batch: self.config.schedule.batch,
            losses: &learnt.losses,
            learning_rate: learnt.learning_rate,
            learn_steps_total: self.learner.steps(),
            window: self.window.len() as u64,
            games_total: self.state.games,
            positions_total: self.state.positions,
        });
        self.metrics.append(&metrics)?;
        self.state.save(self.run)?;
        self.events.append(&metrics.scalars())?;
        self.tidy()?;
        self.play_with(&player);
        self.console.line(&console::summary(&metrics));
        self.history.push(metrics);
        health::report(self.console, &self.history, self.config);
        Ok(())
    }

    pub(super) fn save_networks(&mut self) -> Result<(), TrainError> {
        let origin =
            Origin { variant: self.config.variant.clone(), step: self.learner.steps(), seed: self.config.seed };
        checkpoint::save(&self.run.net(self.state.iteration), self.learner.play_network(), &origin)?;
        let directory = self.run.learner(self.state.iteration);
        fs::create_dir_all(&directory).map_err(RunDirError::io(&directory, "create"))?;
        self.learner.save_state(&directory)?;
        self.state.learner_sha256 = state::sha256(&directory.join(state::LEARNER_FILE))?;
        Ok(())
    }

    /// Removes what the new state does not need.
    fn tidy(&self) -> Result<(), TrainError> {
        for iteration in self.run.learner_iterations()? {
            if iteration != self.state.iteration {
                remove(&self.run.learner(iteration))?;
            }
        }
        for path in self.window.expired(&ChunkFile::list(&self.run.games())?) {
            remove(&path)?;
        }
        Ok(())
    }
}
