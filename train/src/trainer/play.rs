//! The self-play of an iteration.

use std::time::{Duration, Instant};

use heng_env::Notation;
use heng_mcts::evaluator::NetworkEvaluator;
use heng_mcts::net::Device;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::Trainer;
use crate::config::Program;
use crate::error::TrainError;
use crate::replay::{Chunk, ChunkMeta, Record};
use crate::selfplay::{Group, SelfPlayStatistics};
use crate::state::Begun;

/// Calls of [`Group::play`] in a slice, after each of which the progress bar moves.
const CALLS_PER_SLICE: u64 = 16;

impl<G: Notation> Trainer<'_, G> {
    /// The slices of self-play that the iteration still lacks, each committed.
    pub(super) fn play(&mut self) -> Result<(), TrainError> {
        let slices = self.config.selfplay.slices;
        let budget = (self.config.selfplay.evaluations_per_iteration / slices).max(1);
        let anew = self.reanalysis_budget(budget);
        let title = format!("iteration {} plays", self.state.iteration + 1);
        let mut begun = self.state.begun.take().unwrap_or_default();
        let bar = self.console.bar(title, begun.slices * budget, budget * slices, "evals");
        while !begun.is_played && !self.stop.is_requested() {
            let started = Instant::now();
            let (statistics, records) = self.play_slice(budget - anew, &bar);
            self.save_games(begun.slices, records)?;
            begun.reanalysis.merge(&self.reanalyse(begun.slices, anew)?);
            bar.inc(anew);
            begun.statistics.merge(&statistics);
            begun.seconds += started.elapsed().as_secs_f64();
            begun.slices += 1;
            self.pace.slice = started.elapsed();
            self.state.seconds += started.elapsed().as_secs_f64();
            self.state.games += statistics.games;
            self.state.positions += statistics.samples;
            self.state.games_begun = self.groups.iter().map(Group::games_begun).collect();
            begun.is_played = begun.slices >= slices || self.pace.is_too_late_for(self.rest_of_iteration(&begun));
            self.state.begun = Some(begun);
            self.state.save(self.run)?;
            begun = self.state.begun.take().unwrap_or_default();
        }
        self.state.begun = Some(begun);
        bar.finish_and_clear();
        Ok(())
    }

    /// One more slice, and learning after it.
    fn rest_of_iteration(&self, begun: &Begun) -> Duration {
        let positions = begun.statistics.samples as f64 * (1.0 + 1.0 / begun.slices as f64);
        let steps = positions * self.config.replay.replay_ratio / self.config.schedule.batch as f64;
        self.pace.slice + self.pace.learn_step.mul_f64(steps)
    }

    /// Every group plays its part. The parts never depend on the threads, and the games stay in the order of the groups.
    fn play_slice(&mut self, budget: u64, bar: &ProgressBar) -> (SelfPlayStatistics, Vec<Record>) {
        let in_turn = self.groups_in_turn();
        let groups = &mut self.groups;
        let each = budget.div_ceil(groups.len() as u64).max(1);
        let play = |groups: &mut [Group<G, NetworkEvaluator<G>>]| {
            let mut games = vec![Vec::new(); groups.len()];
            for call in 0..CALLS_PER_SLICE {
                let evaluations = each * (call + 1) / CALLS_PER_SLICE - each * call / CALLS_PER_SLICE;
                let finished = Group::play_in_turn(groups, evaluations);
                games.iter_mut().zip(finished).for_each(|(games, finished)| games.extend(finished));
                bar.inc(evaluations * groups.len() as u64);
            }
            games.into_iter().zip(groups).map(|(games, group)| (games, group.take_statistics())).collect()
        };
        let chunks = groups.par_chunks_mut(in_turn).with_max_len(1);
        let played: Vec<Vec<_>> = self.pool.install(|| chunks.map(play).collect());
        let mut statistics = SelfPlayStatistics::default();
        let mut records = Vec::new();
        for (games, counts) in played.into_iter().flatten() {
            statistics.merge(&counts);
            records.extend(games.into_iter().flat_map(|game| game.records));
        }
        (statistics, records)
    }

    /// Groups that one thread plays in turn. On a device two, as long as every thread has some: one group searches while the
    /// batch of the other is evaluated. On the processor there would be nothing to wait for.
    fn groups_in_turn(&self) -> usize {
        if self.device == Device::flex() {
            return 1;
        }
        (self.groups.len() / self.pool.current_num_threads()).clamp(1, 2)
    }

    fn save_games(&mut self, part: u64, records: Vec<Record>) -> Result<(), TrainError> {
        if records.is_empty() {
            return Ok(());
        }
        let meta = ChunkMeta {
            variant: self.config.variant.clone(),
            iteration: self.state.iteration + 1,
            part,
            seed: self.config.seed,
            version: Program::current().version,
        };
        let chunk = Chunk::write(&self.run.games(), meta, records)?;
        Ok(self.window.push(&chunk)?)
    }
}
