//! A fixed set of games that share batches.

use heng_env::game::{Notation, Outcome, Reason, Side};
use heng_env::seeds::{Purpose, Seeds};
use heng_mcts::drive::Driver;
use heng_mcts::evaluator::{CachedEvaluator, Evaluator};
use heng_mcts::search::SearchConfig;

use super::config::SelfPlayConfig;
use super::seat::Seat;
use super::start::{FinishedPositions, Origin};
use super::statistics::SelfPlayStatistics;
use crate::replay::Record;

/// A game of self-play, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame {
    /// Its number in the run.
    pub game: u64,
    /// Where it began.
    pub origin: Origin,
    /// How it ended.
    pub outcome: Outcome,
    /// The side that gave it up, or that would have if the game had not been one to play to the end.
    pub gave_up: Option<Side>,
    /// Turns it lasted.
    pub turns: u32,
    /// Every step, in order.
    pub records: Vec<Record>,
}

impl FinishedGame {
    /// Whether a side gave it up.
    pub fn is_resigned(&self) -> bool {
        self.outcome.reason == Reason::Resignation
    }
}

/// What a [`Group`] is made from.
#[derive(Clone, Debug)]
pub struct GroupSettings<R> {
    /// The variant's rules.
    pub rules: R,
    /// How games are played.
    pub config: SelfPlayConfig,
    /// How steps are searched.
    pub search: SearchConfig,
    /// The seed of the run.
    pub seeds: Seeds,
    /// The number of the group, below [`SelfPlayConfig::groups`]. Its games have the numbers `group`,
    /// `group + groups`, `group + 2 groups`, …
    pub group: usize,
    /// Games that the group has begun before, in a run that is resumed; new ones get the numbers behind them.
    pub games_begun: u64,
}

/// Games that are played at the same time with one evaluator. A game that ends makes room for a new one.
///
/// Games go on from one call of [`Group::play`] to the next, so a budget cut into several calls plays the same games.
#[derive(Debug)]
pub struct Group<G: Notation, E> {
    settings: GroupSettings<G::Rules>,
    evaluator: CachedEvaluator<E>,
    driver: Driver<G>,
    seats: Vec<Seat<G>>,
    games_begun: u64,
    finished: FinishedPositions,
    /// Evaluations that may still be made; below zero by those of the last batch that went over.
    budget: i64,
    statistics: SelfPlayStatistics,
    /// Hits of the cache that are in the statistics.
    hits_counted: u64,
}

impl<G: Notation, E: Evaluator<G>> Group<G, E> {
    /// A group of new games.
    pub fn new(settings: GroupSettings<G::Rules>, evaluator: E) -> Group<G, E> {
        let mut group = Group {
            evaluator: CachedEvaluator::new(evaluator, settings.config.cache),
            driver: Driver::new(usize::MAX),
            seats: Vec::new(),
            games_begun: settings.games_begun,
            finished: FinishedPositions::default(),
            budget: 0,
            statistics: SelfPlayStatistics::default(),
            hits_counted: 0,
            settings,
        };
        for _ in 0..group.settings.config.games_per_group {
            let seat = group.new_seat();
            group.seats.push(seat);
        }
        group
    }

    /// Goes on with another network: answers and trees of the old one are forgotten, games are not.
    pub fn set_evaluator(&mut self, evaluator: E) {
        self.evaluator.replace_inner(evaluator);
        for seat in &mut self.seats {
            seat.clear_tree();
        }
    }

    /// Plays until `evaluations` more positions have been evaluated, those included that the cache answers, and returns
    /// the games that ended on the way. The last batch may go over; the next call makes that many fewer.
    pub fn play(&mut self, evaluations: u64) -> Vec<FinishedGame> {
        let mut games = Group::play_in_turn(std::slice::from_mut(self), evaluations);
        games.pop().expect("one group was played")
    }

    /// The same of several groups on one thread: while a device evaluates the batch of one group, the others go on
    /// searching. Each group plays the games that it would play alone.
    pub fn play_in_turn(groups: &mut [Group<G, E>], evaluations: u64) -> Vec<Vec<FinishedGame>> {
        let mut finished: Vec<Vec<FinishedGame>> = groups.iter().map(|_| Vec::new()).collect();
        let mut at_work = Vec::new();
        for (group, finished) in groups.iter_mut().zip(&mut finished) {
            group.budget = group.budget.saturating_add_unsigned(evaluations);
            at_work.push(group.begin_batch(finished));
        }
        while at_work.contains(&true) {
            for ((group, finished), at_work) in groups.iter_mut().zip(&mut finished).zip(&mut at_work) {
                if *at_work {
                    group.end_batch();
                    *at_work = group.begin_batch(finished);
                }
            }
        }
        finished
    }

    /// Games begun so far, those included that the group was told of when it was made.
    pub fn games_begun(&self) -> u64 {
        self.games_begun
    }

    /// The counts since the last call, or since the start.
    pub fn take_statistics(&mut self) -> SelfPlayStatistics {
        std::mem::take(&mut self.statistics)
    }

    /// Plays on as far as that needs no evaluation, and submits the next batch; `false` if the budget is used up.
    fn begin_batch(&mut self, finished: &mut Vec<FinishedGame>) -> bool {
        if self.budget <= 0 {
            return false;
        }
        for seat in 0..self.seats.len() {
            if self.seats[seat].play() {
                let next = self.new_seat();
                let game = std::mem::replace(&mut self.seats[seat], next).finish();
                self.statistics.count_game(&game);
                self.finished.remember(&game, &self.settings.config);
                finished.push(game);
            }
        }
        self.driver.submit(&mut self.seats, &mut self.evaluator);
        true
    }

    /// Waits for the answers to the batch and pays for them.
    fn end_batch(&mut self) {
        let evaluated = self.driver.collect(&mut self.seats, &mut self.evaluator) as u64;
        self.statistics.evaluations += evaluated;
        let hits = self.evaluator.hits();
        self.statistics.cache_hits += hits - std::mem::replace(&mut self.hits_counted, hits);
        // A round of games that need no evaluation costs one, lest such games go on without end.
        self.budget = self.budget.saturating_sub_unsigned(evaluated.max(1));
    }

    fn new_seat(&mut self) -> Seat<G> {
        let GroupSettings { rules, config, search, seeds, group, .. } = &self.settings;
        let game = *group as u64 + self.games_begun * config.groups as u64;
        self.games_begun += 1;
        let mut rng = seeds.stream(Purpose::SelfPlay, game);
        let start = self.finished.begin(rules, config, &mut rng);
        Seat::new(game, rng, start, config, search)
    }
}
