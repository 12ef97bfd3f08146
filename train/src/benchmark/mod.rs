//! Games of a network against opponents that never change: the first look at what a run is worth.

use std::fmt;
use std::str::FromStr;

use heng_env::{Game, Purpose, Rng, Seeds, Side};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::{Evaluator, NetworkEvaluator, RolloutEvaluator};
use heng_mcts::net::PlayNet;
use heng_mcts::search::{Search, SearchConfig};
use indicatif::ProgressBar;
use rand::RngExt;
use rayon::prelude::*;
use thiserror::Error;

use crate::stop::Stop;

/// Who the network plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Any legal step, all alike.
    Random,
    /// Tree search with this many random playouts a step.
    Rollout(u32),
}

/// The most playouts a step; `eval` has the same limit.
const PLAYOUTS_MAX: u32 = 1_000_000;

/// A text that names no opponent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("has the unknown opponent `{0}`, expected `random` or `rollout:N` with N from 1 to {PLAYOUTS_MAX}")]
pub struct UnknownOpponent(String);

impl FromStr for Opponent {
    type Err = UnknownOpponent;

    fn from_str(text: &str) -> Result<Opponent, UnknownOpponent> {
        let unknown = || UnknownOpponent(text.to_owned());
        match text.strip_prefix("rollout:") {
            Some(playouts) => {
                let playouts = playouts.parse().ok().filter(|playouts| (1..=PLAYOUTS_MAX).contains(playouts));
                playouts.map(Opponent::Rollout).ok_or_else(unknown)
            }
            None if text == "random" => Ok(Opponent::Random),
            None => Err(unknown()),
        }
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Random => out.write_str("random"),
            Opponent::Rollout(playouts) => write!(out, "rollout:{playouts}"),
        }
    }
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
    /// Pairs of games: the same start, colours swapped.
    pub pairs: u64,
    /// Where the random numbers come from.
    pub seeds: Seeds,
}

/// The results of the network.
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
    /// Points a game, a draw counted as one half.
    pub fn share(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// The 95 % interval of [`Score::share`]: Wilson's, which stays honest at 100 %.
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let (games, share) = (self.games() as f64, self.share());
        let scale = 1.0 + Z * Z / games;
        let center = (share + Z * Z / (2.0 * games)) / scale;
        let half = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt() / scale;
        ((center - half).max(0.0), (center + half).min(1.0))
    }

    fn games(&self) -> u64 {
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
    /// Plays the pairs against `opponent` on all threads of the current pool. The score does not depend on their number;
    /// it is of the games played so far if a stop is asked for.
    pub fn play<G: Game<Rules = R>>(&self, opponent: Opponent, bar: &ProgressBar, stop: &Stop) -> Score {
        // A few large batches: the network is quicker with many positions at once.
        let size = self.pairs.div_ceil(rayon::current_num_threads() as u64).max(1);
        let starts: Vec<u64> = (0..self.pairs).step_by(size as usize).collect();
        let scores = starts.into_par_iter().map(|start| {
            let pairs = start..(start + size).min(self.pairs);
            self.play_batch::<G>(pairs.flat_map(|pair| self.pair(pair)).collect(), opponent, bar, stop)
        });
        scores.reduce(Score::default, Score::plus)
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
        opponent: Opponent,
        bar: &ProgressBar,
        stop: &Stop,
    ) -> Score {
        let mut network = NetworkEvaluator::new(self.net.clone());
        let mut rollout = RolloutEvaluator::new(1, self.seeds);
        let mut score = Score::default();
        while !tables.is_empty() && !stop.is_requested() {
            let (mut ours, mut theirs): (Vec<_>, Vec<_>) =
                tables.iter_mut().partition(|table| table.game.side_to_act() == table.side);
            search_step(&mut ours, &self.search, &mut network);
            match opponent {
                Opponent::Random => theirs.iter_mut().for_each(|table| random_step(&mut table.game, &mut table.rng)),
                Opponent::Rollout(playouts) => {
                    search_step(&mut theirs, &SearchConfig::for_rollouts(playouts), &mut rollout);
                }
            }
            tables.retain(|table| match table.game.outcome() {
                Some(outcome) => {
                    score.count(outcome.winner, table.side);
                    bar.inc(1);
                    false
                }
                None => true,
            });
        }
        score
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
    fn opponents_are_written_as_they_are_read() {
        for text in ["random", "rollout:200"] {
            assert_eq!(text.parse::<Opponent>().unwrap().to_string(), text);
        }
        for text in ["", "rollout", "rollout:0", "rollout:1000001", "rollout:x", "alphabeta:3"] {
            assert_eq!(text.parse::<Opponent>(), Err(UnknownOpponent(text.to_owned())));
        }
    }

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
