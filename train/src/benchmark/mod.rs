//! Games of a network against opponents that never change: the first look at what a run is worth.

mod opponent;

use std::ops::Range;

use heng_env::{Game, Purpose, Rng, Seeds, Side};
use heng_mcts::alphabeta::{AlphaBeta, Limits};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::{Evaluator, NetworkEvaluator, RolloutEvaluator};
use heng_mcts::interval::{Z95, wilson_interval};
use heng_mcts::net::PlayNet;
use heng_mcts::search::{Search, SearchConfig};
use indicatif::ProgressBar;
use rand::RngExt;
use rayon::prelude::*;

use crate::stop::Stop;

pub use opponent::{Opponent, UnknownOpponent};

/// The other player of a benchmark.
#[derive(Clone, Debug)]
pub enum Rival {
    /// One that never changes.
    Fixed(Opponent),
    /// Another network with its search, without exploration.
    Network(PlayNet, SearchConfig),
}

/// What is played.
#[derive(Clone, Debug)]
pub struct Benchmark<R> {
    /// The variant's rules.
    pub rules: R,
    /// The network.
    pub net: PlayNet,
    /// Its search, without exploration.
    pub search: SearchConfig,
    /// The numbers of the pairs of games to play: each has its own start, and is played twice with colours swapped.
    pub pairs: Range<u64>,
    /// Where the random numbers come from.
    pub seeds: Seeds,
}

/// The results of the network, by the colour that it had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scores {
    /// With red.
    pub as_red: Score,
    /// With black.
    pub as_black: Score,
}

impl Scores {
    /// Both colours together.
    pub fn both(&self) -> Score {
        self.as_red.plus(self.as_black)
    }

    /// These games and others.
    pub fn plus(self, other: Scores) -> Scores {
        Scores { as_red: self.as_red.plus(other.as_red), as_black: self.as_black.plus(other.as_black) }
    }

    fn count(&mut self, winner: Option<Side>, side: Side) {
        match side {
            Side::Red => self.as_red.count(winner, side),
            Side::Black => self.as_black.count(winner, side),
        }
    }
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games it won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
}

impl Score {
    /// Wins, draws and losses.
    pub fn counts(&self) -> [u64; 3] {
        [self.wins, self.draws, self.losses]
    }

    /// Points a game, a draw counted as one half.
    pub fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// The 95 % interval of [`Score::share`]: Wilson's, which stays honest at 100 %.
    pub fn interval(&self) -> (f64, f64) {
        wilson_interval(self.share(), self.games() as f64, Z95)
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn count(&mut self, winner: Option<Side>, side: Side) {
        *match winner {
            Some(winner) if winner == side => &mut self.wins,
            Some(_) => &mut self.losses,
            None => &mut self.draws,
        } += 1;
    }

    fn plus(self, other: Score) -> Score {
        Score { wins: self.wins + other.wins, draws: self.draws + other.draws, losses: self.losses + other.losses }
    }
}

/// Turns played at random where every game would start alike.
const OPENING_TURNS: usize = 4;

/// A game of the network, which plays `side`.
struct Table<G> {
    game: G,
    side: Side,
    rng: Rng,
}

impl<R: Clone + Send + Sync> Benchmark<R> {
    /// Plays the pairs against `rival` on all threads of the current pool. The score does not depend on their number;
    /// it is of the games played so far if a stop is asked for.
    pub fn play<G: Game<Rules = R>>(&self, rival: &Rival, bar: &ProgressBar, stop: &Stop) -> Scores {
        // A few large batches: the network is quicker with many positions at once.
        let count = self.pairs.end.saturating_sub(self.pairs.start);
        let size = count.div_ceil(rayon::current_num_threads() as u64).max(1);
        let starts: Vec<u64> = self.pairs.clone().step_by(size as usize).collect();
        let scores = starts.into_par_iter().map(|start| {
            let pairs = start..(start + size).min(self.pairs.end);
            self.play_batch::<G>(pairs.flat_map(|pair| self.pair(pair)).collect(), rival, bar, stop)
        });
        scores.reduce(Scores::default, Scores::plus)
    }

    fn pair<G: Game<Rules = R>>(&self, pair: u64) -> [Table<G>; 2] {
        let mut rng = self.seeds.stream(Purpose::Openings, pair);
        let mut game = G::start(&self.rules, &mut rng);
        if !G::has_random_start(&self.rules) {
            play_opening(&mut game, &mut rng);
        }
        Side::BOTH.map(|side| {
            let rng = self.seeds.stream(Purpose::Match, 2 * pair + side.index() as u64);
            Table { game: game.clone(), side, rng }
        })
    }

    fn play_batch<G: Game<Rules = R>>(
        &self,
        mut tables: Vec<Table<G>>,
        rival: &Rival,
        bar: &ProgressBar,
        stop: &Stop,
    ) -> Scores {
        let mut network = NetworkEvaluator::new(self.net.clone());
        let mut rival = self.seat(rival);
        let mut scores = Scores::default();
        while !tables.is_empty() && !stop.is_requested() {
            let (mut ours, mut theirs): (Vec<_>, Vec<_>) =
                tables.iter_mut().partition(|table| table.game.side_to_act() == table.side);
            search_step(&mut ours, &self.search, &mut network);
            rival.step(&mut theirs);
            tables.retain(|table| match table.game.outcome() {
                Some(outcome) => {
                    scores.count(outcome.winner, table.side);
                    bar.inc(1);
                    false
                }
                None => true,
            });
        }
        scores
    }

    fn seat<G: Game<Rules = R>>(&self, rival: &Rival) -> SeatedRival<G> {
        match rival {
            Rival::Fixed(Opponent::Random) => SeatedRival::Random,
            Rival::Fixed(Opponent::Rollout(playouts)) => SeatedRival::Rollout(
                SearchConfig::for_rollouts(*playouts),
                RolloutEvaluator::new(1, self.seeds).in_random_order(),
            ),
            Rival::Fixed(Opponent::AlphaBeta(depth)) => {
                SeatedRival::AlphaBeta(AlphaBeta::new(Limits::of_depth(*depth)))
            }
            Rival::Network(net, search) => {
                SeatedRival::Network(search.clone(), Box::new(NetworkEvaluator::new(net.clone())))
            }
        }
    }
}

/// The other player with what it needs to play.
enum SeatedRival<G: Game> {
    Random,
    Rollout(SearchConfig, RolloutEvaluator),
    AlphaBeta(AlphaBeta),
    Network(SearchConfig, Box<NetworkEvaluator<G>>),
}

impl<G: Game> SeatedRival<G> {
    /// Plays one step at each table.
    fn step(&mut self, tables: &mut [&mut Table<G>]) {
        match self {
            SeatedRival::Random => tables.iter_mut().for_each(|table| random_step(&mut table.game, &mut table.rng)),
            SeatedRival::Rollout(search, evaluator) => search_step(tables, search, evaluator),
            SeatedRival::Network(search, evaluator) => search_step(tables, search, evaluator.as_mut()),
            SeatedRival::AlphaBeta(searcher) => {
                for table in tables {
                    let found = searcher.search(&table.game, &mut table.rng);
                    table.game.apply(found.action);
                }
            }
        }
    }
}

/// Plays one step at each table, with the searches of all of them in the same batches.
fn search_step<G: Game>(tables: &mut [&mut Table<G>], config: &SearchConfig, evaluator: &mut impl Evaluator<G>) {
    let begin = |table: &mut &mut Table<G>| {
        let mut search = Search::new(table.game.clone(), config.clone());
        search.begin(&mut table.rng);
        search
    };
    let mut searches: Vec<Search<G>> = tables.iter_mut().map(begin).collect();
    drive(&mut searches, evaluator);
    for (table, search) in tables.iter_mut().zip(searches) {
        table.game.apply(search.choose(&mut table.rng));
    }
}

fn random_step<G: Game>(game: &mut G, rng: &mut Rng) {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    game.apply(actions[rng.random_range(0..actions.len())]);
}

/// A few random turns that do not end the game.
fn play_opening<G: Game>(game: &mut G, rng: &mut Rng) {
    while game.turns_played() < OPENING_TURNS {
        let mut next = game.clone();
        random_step(&mut next, rng);
        if next.outcome().is_some() {
            return;
        }
        *game = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_holds_the_share_and_stays_between_0_and_1() {
        let score = Score { wins: 30, draws: 10, losses: 0 };
        let (low, high) = score.interval();
        assert!((score.share() - 0.875).abs() < 1e-9);
        assert!(0.73 < low && low < 0.75 && 0.94 < high && high < 0.95, "{low} {high}");
        let (low, high) = Score { wins: 40, ..Score::default() }.interval();
        assert!(0.91 < low && low < 0.92 && high <= 1.0, "{low} {high}");
    }
}
