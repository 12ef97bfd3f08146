//! The reanalysis of an iteration.

use heng_env::{Notation, Purpose, Seeds};
use heng_mcts::evaluator::NetworkEvaluator;
use rayon::prelude::*;

use super::Trainer;
use crate::error::TrainError;
use crate::reanalysis::{ReanalysisStatistics, evaluations_of, search_anew};
use crate::replay::{Place, ReplayError};

impl<G: Notation> Trainer<'_, G> {
    /// The part of a slice's `budget` that goes to reanalysis. In the first iteration there is nothing older than the network.
    pub(super) fn reanalysis_budget(&self, budget: u64) -> u64 {
        let share = if self.state.iteration == 0 { 0.0 } else { self.config.replay.reanalysis_share };
        (budget as f64 * share) as u64
    }

    /// Searches positions of earlier iterations anew, for about so many `evaluations`. The groups never depend on the threads,
    /// and what they find is put into the window in their order.
    pub(super) fn reanalyse(&mut self, slice: u64, evaluations: u64) -> Result<ReanalysisStatistics, TrainError> {
        let (iteration, selfplay) = (self.state.iteration + 1, &self.config.selfplay);
        let seeds = Seeds::new(self.config.seed);
        let stream = |part| seeds.stream(Purpose::Reanalysis, stream_index(iteration, slice, part));
        let count = (evaluations / evaluations_of(&self.config.search)) as usize;
        if count == 0 {
            return Ok(ReanalysisStatistics::default());
        }
        let places = self.window.draw_older(iteration, count, &mut stream(0));
        let (net, window) = (self.play_net(), &self.window);
        let settings = (&self.config.search, selfplay.games_per_group);
        let work = |(group, places): (usize, &[Place])| {
            let mut evaluator = NetworkEvaluator::new(net.clone());
            search_anew(window, places, settings, &mut evaluator, &mut stream(1 + group as u64))
        };
        let shares: Vec<&[Place]> = places.chunks(places.len().div_ceil(selfplay.groups).max(1)).collect();
        let found: Result<Vec<_>, ReplayError> =
            self.pool.install(|| shares.into_par_iter().enumerate().with_max_len(1).map(work).collect());
        let mut statistics = ReanalysisStatistics::default();
        for (targets, evaluations) in found? {
            statistics.merge(&ReanalysisStatistics { positions: targets.len() as u64, evaluations });
            targets.into_iter().for_each(|found| self.window.retarget(found.place, found.policy, found.root));
        }
        Ok(statistics)
    }
}

/// The number of a random stream that no other part of a run has: there are at most 100 slices and 65 536 groups.
fn stream_index(iteration: u64, slice: u64, part: u64) -> u64 {
    (iteration << 24) | (slice << 17) | part
}
