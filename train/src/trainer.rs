//! The loop: self-play, learning, commit.

use std::time::{Duration, Instant};

use heng_env::{Notation, Purpose, Seeds};
use heng_mcts::evaluator::NetworkEvaluator;
use heng_mcts::net::checkpoint::{self, Origin};
use heng_mcts::net::{Device, LearnError, Learner, Network, PlayNet, device};
use indicatif::ProgressBar;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::config::{Config, Program};
use crate::console::{self, Console};
use crate::error::TrainError;
use crate::metrics::{LossMeans, Measured, Metrics, MetricsFile};
use crate::recovery::{self, Recovered};
use crate::replay::{Chunk, ChunkFile, ChunkMeta, Record, ReplayWindow};
use crate::run_dir::{RunDir, RunLock, remove};
use crate::selfplay::{Group, GroupSettings, SelfPlayStatistics};
use crate::state::{self, Begun, State};
use crate::stop::Stop;
use crate::tensorboard::EventFile;

/// Calls of [`Group::play`] in a slice, after each of which the progress bar moves.
const CALLS_PER_SLICE: u64 = 16;

/// How long learning may go on after the end of a run that is limited in time.
const GRACE: Duration = Duration::from_secs(3);

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
    events: EventFile,
    pace: Pace,
    _lock: RunLock,
}

/// How long things take, to end a run close to its limit.
struct Pace {
    started: Instant,
    limit: Option<Duration>,
    /// A slice of self-play.
    slice: Duration,
    /// The learning that a slice asks for.
    slice_learning: Duration,
    /// A step of learning.
    learn_step: Duration,
}

impl Pace {
    fn new(config: &Config) -> Pace {
        let limit = (config.run.minutes > 0.0).then(|| Duration::from_secs_f64(60.0 * config.run.minutes));
        let (slice, slice_learning, learn_step) = Default::default();
        Pace { started: Instant::now(), limit, slice, slice_learning, learn_step }
    }

    /// Whether `work` more would not fit in what is left.
    fn is_too_late_for(&self, work: Duration) -> bool {
        self.limit.is_some_and(|limit| self.started.elapsed() + work > limit)
    }

    /// The part of the time that is over, from 0 to 1.
    fn done(&self) -> f64 {
        self.limit.map_or(0.0, |limit| (self.started.elapsed().as_secs_f64() / limit.as_secs_f64()).min(1.0))
    }
}

impl<'a, G: Notation> Trainer<'a, G> {
    /// Opens a run where its last commit left it, or starts it.
    ///
    /// # Errors
    /// If another process works on it, or a file is missing, damaged or cannot be written.
    pub fn open(
        run: &'a RunDir,
        config: &'a Config,
        rules: G::Rules,
        console: &'a Console,
        stop: &'a Stop,
    ) -> Result<Trainer<'a, G>, TrainError> {
        let pace = Pace::new(config);
        let lock = run.lock()?;
        let device = device::parse(&config.run.device)
            .map_err(|error| TrainError::System { doing: "use the device", problem: error.to_string() })?;
        let threads = config.run.thread_count();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| TrainError::System { doing: "start threads", problem: error.to_string() })?;
        let seeds = Seeds::new(config.seed);
        let network = Network::random(&config.net, G::shape(&rules), seeds)
            .map_err(|error| TrainError::System { doing: "make the network", problem: error.to_string() })?;
        let mut learner = Learner::new(network, config.learn.clone(), &device, threads);
        let mut window = ReplayWindow::new(config.variant.as_str(), rules.clone(), config.replay.clone());
        let (state, history) = match recovery::recover(run)? {
            Some(Recovered { state, chunks, history }) => {
                check_groups(run, &state, config)?;
                learner.load_state(&run.learner(state.iteration))?;
                window.refill(&chunks, state.positions)?;
                (state, history)
            }
            None => (State::new(config.selfplay.groups), Vec::new()),
        };
        let groups = make_groups(config, &rules, &state, &PlayNet::new(learner.play_network(), &device));
        let metrics = MetricsFile::rewrite(&run.metrics(), &history)?;
        let events = EventFile::rewrite(&run.events(), &history.iter().map(Metrics::scalars).collect::<Vec<_>>())?;
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
            events,
            pace,
            _lock: lock,
        };
        if !run.net(trainer.state.iteration).exists() || trainer.state.learner_sha256.is_empty() {
            trainer.save_networks()?;
            trainer.state.save(run)?;
        }
        Ok(trainer)
    }

    /// Works until the run reaches its limit or is asked to stop.
    ///
    /// # Errors
    /// If a file cannot be written or learning breaks down. What was committed before stays.
    pub fn work(&mut self) -> Result<Ending, TrainError> {
        let clock = self.pace.limit.map(|limit| {
            let total = console::clock(limit.as_secs_f64());
            self.console.clock(limit).with_prefix(total)
        });
        let ending = loop {
            if self.stop.is_requested() {
                break Ending::Stopped;
            }
            if self.is_done() {
                break Ending::Done;
            }
            self.play()?;
            if self.stop.is_requested() {
                break Ending::Stopped;
            }
            let Some(learnt) = self.learn()? else { break Ending::Stopped };
            self.commit(&learnt)?;
            if let Some(clock) = &clock {
                clock.set_position(self.pace.started.elapsed().as_secs());
            }
        };
        if let Some(clock) = clock {
            clock.finish_and_clear();
        }
        Ok(ending)
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

    /// The slices of self-play that the iteration still lacks, each committed.
    fn play(&mut self) -> Result<(), TrainError> {
        let slices = self.config.selfplay.slices;
        let budget = (self.config.selfplay.evaluations_per_iteration / slices).max(1);
        let title = format!("iteration {} self-play", self.state.iteration + 1);
        let bar = self.console.bar(title, budget * slices, "evals");
        let mut begun = self.state.begun.take().unwrap_or_default();
        bar.set_position(begun.slices * budget);
        bar.reset_eta();
        while !begun.is_played && !self.stop.is_requested() {
            let started = Instant::now();
            let (statistics, records) = self.play_slice(budget, &bar);
            self.save_games(begun.slices, records)?;
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
        let groups = &mut self.groups;
        let each = budget.div_ceil(groups.len() as u64).max(1);
        let play = |group: &mut Group<G, NetworkEvaluator<G>>| {
            let mut games = Vec::new();
            for call in 0..CALLS_PER_SLICE {
                let evaluations = each * (call + 1) / CALLS_PER_SLICE - each * call / CALLS_PER_SLICE;
                games.extend(group.play(evaluations));
                bar.inc(evaluations);
            }
            (games, group.take_statistics())
        };
        let played: Vec<_> = self.pool.install(|| groups.par_iter_mut().with_max_len(1).map(play).collect());
        let mut statistics = SelfPlayStatistics::default();
        let mut records = Vec::new();
        for (games, counts) in played {
            statistics.merge(&counts);
            records.extend(games.into_iter().flat_map(|game| game.records));
        }
        (statistics, records)
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

    /// As many learning steps as the replay ratio asks for; `None` if somebody asked to stop, and then nothing counts.
    fn learn(&mut self) -> Result<Option<Learnt>, TrainError> {
        let started = Instant::now();
        let batch = self.config.schedule.batch;
        let (steps, mut owed) = self.steps_owed();
        let bar = self.console.bar(format!("iteration {} learning", self.state.iteration + 1), steps, "steps");
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
            bar.set_prefix(format!("loss {:.3}", losses.total));
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
        (steps as u64, owed - steps * batch)
    }

    /// The part of the run that is over, when `part` of this iteration's learning is.
    fn done(&self, part: f64) -> f64 {
        let limit = self.config.run.iterations;
        let iterations = if limit > 0 { (self.state.iteration as f64 + part) / limit as f64 } else { 0.0 };
        iterations.max(self.pace.done())
    }

    fn breakdown(&self, source: LearnError) -> TrainError {
        TrainError::Learn { source, run: self.run.root().display().to_string() }
    }

    /// Makes a finished iteration last, `state.json` at the end, and goes on with the new network.
    fn commit(&mut self, learnt: &Learnt) -> Result<(), TrainError> {
        let begun = self.state.begun.take().unwrap_or_default();
        self.state.iteration += 1;
        self.state.seconds += learnt.seconds;
        self.state.samples_owed = learnt.samples_owed;
        self.state.learn_steps = self.learner.steps();
        self.save_networks()?;
        let metrics = Metrics::new(&Measured {
            iteration: self.state.iteration,
            seconds: self.state.seconds,
            selfplay_seconds: begun.seconds,
            statistics: &begun.statistics,
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
        let net = self.play_net();
        for group in &mut self.groups {
            group.set_evaluator(NetworkEvaluator::new(net.clone()));
        }
        self.console.line(&console::summary(&metrics));
        Ok(())
    }

    fn save_networks(&mut self) -> Result<(), TrainError> {
        let origin =
            Origin { variant: self.config.variant.clone(), step: self.learner.steps(), seed: self.config.seed };
        checkpoint::save(&self.run.net(self.state.iteration), self.learner.play_network(), &origin)?;
        let directory = self.run.learner(self.state.iteration);
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

/// What the learning of an iteration came to.
#[derive(Debug, Default)]
struct Learnt {
    losses: LossMeans,
    learning_rate: Option<f32>,
    samples_owed: f64,
    seconds: f64,
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

fn check_groups(run: &RunDir, state: &State, config: &Config) -> Result<(), TrainError> {
    let (found, expected) = (state.games_begun.len(), config.selfplay.groups);
    if found == expected {
        return Ok(());
    }
    let path = run.state_file().display().to_string();
    Err(TrainError::Inconsistent { path, problem: format!("{found} groups of games, config.toml says {expected}") })
}
