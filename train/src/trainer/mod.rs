//! The loop: self-play, learning, commit.

mod commit;
mod learn;
mod pace;
mod play;
mod rate;
mod reanalyse;
mod run_bar;

use heng_env::{Notation, Seeds};
use heng_mcts::evaluator::NetworkEvaluator;
use heng_mcts::net::{Device, Learner, Network, PlayNet};
use rayon::ThreadPool;

use crate::config::Config;
use crate::console::Console;
use crate::error::TrainError;
use crate::metrics::{Metrics, MetricsFile};
use crate::rating::{RatingsFile, Rungs};
use crate::recovery::{self, Recovered};
use crate::replay::ReplayWindow;
use crate::run_dir::{RunDir, RunLock};
use crate::selfplay::{Group, GroupSettings};
use crate::state::State;
use crate::stop::Stop;
use crate::tensorboard::EventFile;
use pace::Pace;
use run_bar::{Progress, RunBar};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It reached its limit.
    Done,
    /// Somebody asked it to stop.
    Stopped,
}

/// A run at work.
pub struct Trainer<'a, G: Notation> {
    run: &'a RunDir,
    config: &'a Config,
    console: &'a Console,
    stop: &'a Stop,
    rules: G::Rules,
    device: Device,
    pool: ThreadPool,
    groups: Vec<Group<G, NetworkEvaluator<G>>>,
    window: ReplayWindow<G>,
    learner: Learner,
    state: State,
    metrics: MetricsFile,
    /// What networks are rated on, if they are.
    rungs: Option<Rungs>,
    ratings: RatingsFile,
    /// The metrics of every finished iteration.
    history: Vec<Metrics>,
    events: EventFile,
    pace: Pace,
    /// The learning rate of the last step before this process.
    rate_before: Option<f64>,
    _lock: RunLock,
}

impl<'a, G: Notation> Trainer<'a, G> {
    /// Opens a run where its last commit left it, or starts it. The network runs on `device`.
    ///
    /// # Errors
    /// If another process works on it, or a file is missing, damaged or cannot be written.
    pub fn open(
        run: &'a RunDir,
        config: &'a Config,
        rules: G::Rules,
        device: Device,
        console: &'a Console,
        stop: &'a Stop,
    ) -> Result<Trainer<'a, G>, TrainError> {
        let pace = Pace::new(config);
        let lock = run.lock()?;
        let threads = config.run.thread_count();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| unusable("start threads", &error))?;
        let seeds = Seeds::new(config.seed);
        let network = Network::random(&config.net, G::shape(&rules), seeds);
        let network = network.map_err(|error| unusable("make the network", &error))?;
        let mut learner = Learner::new(network, config.learn.clone(), &device, threads);
        let window = ReplayWindow::new(config.variant.as_str(), rules.clone(), config.replay.clone());
        let mut window = window.with_auxiliary_targets(config.net.auxiliary_heads);
        let (state, history) = match recovery::recover(run, config)? {
            Some(Recovered { state, chunks, history }) => {
                learner.load_state(&run.learner(state.iteration))?;
                state.check_learn_steps(run, learner.steps())?;
                window.refill(&chunks, state.positions)?;
                (state, history)
            }
            None => (State::new(config.selfplay.groups), Vec::new()),
        };
        let rungs = (config.rating.every > 0).then(|| Rungs::of_run(run, config)).transpose()?;
        let ratings = RatingsFile::open(run, state.iteration)?;
        let groups = make_groups(config, &rules, &state, &PlayNet::new(learner.play_network(), &device));
        let metrics = MetricsFile::rewrite(&run.metrics(), &history)?;
        let events = EventFile::rewrite(&run.events(), &history.iter().map(Metrics::scalars).collect::<Vec<_>>())?;
        let rate_before = history.iter().rev().find_map(|metrics| metrics.learning_rate);
        let mut trainer = Trainer {
            run,
            config,
            console,
            stop,
            rules,
            device,
            pool,
            groups,
            window,
            learner,
            state,
            metrics,
            rungs,
            ratings,
            history,
            events,
            pace,
            rate_before,
            _lock: lock,
        };
        if !run.net(trainer.state.iteration).exists() || trainer.state.learner_sha256.is_empty() {
            trainer.save_networks()?;
            trainer.state.save(run)?;
        }
        if trainer.state.playing.is_some() {
            let player = trainer.player()?;
            trainer.play_with(&player);
        }
        Ok(trainer)
    }

    /// Works until the run reaches its limit or is asked to stop.
    ///
    /// # Errors
    /// If a file cannot be written or learning breaks down. What was committed before stays.
    pub fn work(&mut self) -> Result<Ending, TrainError> {
        let progress = Progress {
            before: self.state.iteration,
            iterations: Some(self.config.run.iterations).filter(|&limit| limit > 0),
            time: self.pace.limit,
            ..Progress::default()
        };
        let bar = RunBar::new(self.console, progress, self.pace.started);
        loop {
            let is_done = self.is_done();
            if self.is_rating_due() || is_done && self.state.iteration > 0 {
                self.rate()?;
            }
            if self.stop.is_requested() {
                return Ok(Ending::Stopped);
            }
            if is_done {
                return Ok(Ending::Done);
            }
            self.play()?;
            if self.stop.is_requested() {
                return Ok(Ending::Stopped);
            }
            let Some(learnt) = self.learn()? else { return Ok(Ending::Stopped) };
            self.commit(&learnt)?;
            bar.finish_iteration(self.pace.started.elapsed());
        }
    }

    /// The learning rate of the last step so far and of the next one; `None` before the first step and after the last.
    pub fn learning_rates(&self) -> Option<(f64, f64)> {
        let before = self.rate_before.filter(|_| !self.is_done())?;
        let now = self.config.schedule.learning_rate(self.learner.steps(), self.done(0.0));
        Some((before, f64::from(now)))
    }

    /// Iterations that are finished.
    pub fn iteration(&self) -> u64 {
        self.state.iteration
    }

    /// The network that plays best, ready to play.
    pub fn play_net(&self) -> PlayNet {
        PlayNet::new(self.learner.play_network(), &self.device)
    }

    /// The threads that self-play uses.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// The variant's rules.
    pub fn rules(&self) -> &G::Rules {
        &self.rules
    }

    fn is_done(&self) -> bool {
        let limit = self.config.run.iterations;
        let is_begun = self.state.begun.is_some();
        (limit > 0 && self.state.iteration >= limit)
            || (!is_begun && self.pace.is_too_late_for(self.pace.slice + self.pace.slice_learning))
    }
}

fn unusable(doing: &'static str, error: &dyn std::error::Error) -> TrainError {
    TrainError::System { doing, problem: error.to_string() }
}

fn make_groups<G: Notation>(
    config: &Config,
    rules: &G::Rules,
    state: &State,
    net: &PlayNet,
) -> Vec<Group<G, NetworkEvaluator<G>>> {
    let group = |(group, &games_begun): (usize, &u64)| {
        let settings = GroupSettings {
            rules: rules.clone(),
            config: config.selfplay.clone(),
            search: config.search.clone(),
            seeds: Seeds::new(config.seed),
            group,
            games_begun,
        };
        Group::new(settings, NetworkEvaluator::new(net.clone()))
    };
    state.games_begun.iter().enumerate().map(group).collect()
}
