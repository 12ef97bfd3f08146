//! What the newest network is worth: its rating, and whether it may play.

use heng_env::{Notation, Seeds};
use heng_mcts::evaluator::NetworkEvaluator;
use heng_mcts::net::PlayNet;
use heng_mcts::search::SearchConfig;

use super::Trainer;
use crate::benchmark::{Benchmark, Rival};
use crate::error::TrainError;
use crate::health;
use crate::rating::{Moment, NetRating};
use crate::recovery;

impl<G: Notation> Trainer<'_, G> {
    /// Rates the newest network, unless it was rated or `[rating]` wants none. Stopped, it is rated when the run is resumed.
    pub(super) fn rate(&mut self) -> Result<(), TrainError> {
        let config = &self.config.rating;
        let iteration = self.state.iteration;
        let Some(rungs) = &self.rungs else { return Ok(()) };
        if self.ratings.last().is_some_and(|last| last.iteration >= iteration) {
            return Ok(());
        }
        let benchmark = self.benchmark(config.simulations, config.games);
        let bar = self.console.bar(format!("iteration {iteration} is rated"), 0, config.games, "games");
        let guess = self.ratings.last().map(|last| last.elo);
        let rated = self.pool.install(|| rungs.rate::<G>(&benchmark, guess, &bar, self.stop));
        bar.finish_and_clear();
        let Some((rating, scores)) = rated else { return Ok(()) };
        let evaluations = self.history.iter().map(|metrics| metrics.evaluations).sum();
        let moment = Moment { iteration, seconds: self.state.seconds, evaluations };
        let rating = NetRating::new(moment, &rating, config.simulations, scores);
        self.console.line(&format!("iteration {iteration:>3}  rated {}", rating.summary()));
        self.ratings.push(self.run, rating)?;
        health::report_rating(self.console, self.ratings.all());
        Ok(())
    }

    /// Whether the network of this iteration is to be rated before the run goes on.
    pub(super) fn is_rating_due(&self) -> bool {
        let every = self.config.rating.every;
        every > 0 && self.state.iteration > 0 && self.state.iteration.is_multiple_of(every)
    }

    /// The network that self-play goes on with: the newest, unless `[gating]` has it beat the one before first.
    pub(super) fn next_player(&mut self) -> Result<PlayNet, TrainError> {
        let gating = &self.config.gating;
        let newest = self.play_net();
        if gating.every == 0 {
            return Ok(newest);
        }
        let iteration = self.state.iteration;
        let before = self.state.playing.unwrap_or(0);
        if !iteration.is_multiple_of(gating.every) {
            return self.net_of(before);
        }
        let rival = self.net_of(before)?;
        let benchmark = self.benchmark(gating.simulations, gating.games);
        let bar = self.console.bar(format!("iteration {iteration} challenges {before}"), 0, gating.games, "games");
        let other = Rival::Network(rival.clone(), benchmark.search.clone());
        let score = self.pool.install(|| benchmark.play::<G>(&other, &bar, self.stop)).both();
        bar.finish_and_clear();
        // Of a challenge that was broken off the rest is missing: the one that plays stays.
        let is_better = !self.stop.is_requested() && score.share() >= gating.score;
        let verdict = if is_better { "plays from now on" } else { "does not play" };
        let percent = 100.0 * score.share();
        self.console.line(&format!("iteration {iteration:>3}  {percent:.1} % against iteration {before}: {verdict}"));
        if is_better {
            self.state.playing = Some(iteration);
            return Ok(newest);
        }
        Ok(rival)
    }

    /// The network that plays where a run goes on.
    pub(super) fn player(&self) -> Result<PlayNet, TrainError> {
        match self.state.playing {
            Some(playing) if self.config.gating.every > 0 => self.net_of(playing),
            _ => Ok(self.play_net()),
        }
    }

    fn net_of(&self, iteration: u64) -> Result<PlayNet, TrainError> {
        let network = recovery::load_net(self.run, iteration, self.config)?;
        Ok(PlayNet::new(&network, &self.device))
    }

    fn benchmark(&self, simulations: u32, games: u64) -> Benchmark<G::Rules> {
        let search = SearchConfig { simulations, ..self.config.search.clone() };
        Benchmark {
            rules: self.rules.clone(),
            net: self.play_net(),
            search: search.without_exploration(),
            pairs: 0..games / 2,
            seeds: Seeds::new(self.config.seed),
        }
    }

    /// Goes on with `net`: the trees of another one are forgotten.
    pub(super) fn play_with(&mut self, net: &PlayNet) {
        for group in &mut self.groups {
            group.set_evaluator(NetworkEvaluator::new(net.clone()));
        }
    }
}
