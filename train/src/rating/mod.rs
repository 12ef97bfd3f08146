//! How strong the networks of a run are, on the scale of a ladder of agents that never change.

mod config;
mod file;

use std::io;
use std::path::{Path, PathBuf};

use heng_env::Game;
use heng_mcts::ladder::{Ladder, Rating, RungResults};
use indicatif::ProgressBar;

use crate::benchmark::{Benchmark, Opponent, Rival, Scores};
use crate::config::Config;
use crate::error::TrainError;
use crate::run_dir::{RunDir, RunDirError, write_atomically};
use crate::stop::Stop;

pub use config::{GatingConfig, RatingConfig};
pub use file::{Moment, NetRating, RatingsFile, RungScore};

/// A rating's games are played in so many rounds, each against the rung that says most by what is known then.
const ROUNDS: u64 = 5;

/// The rungs that this program can play, and the ladder that they are of.
#[derive(Clone, Debug)]
pub struct Rungs {
    ladder: Ladder,
    opponents: Vec<Opponent>,
}

impl Rungs {
    /// The rungs of `ladder` that need no other program.
    ///
    /// # Errors
    /// What is wrong, if the ladder cannot be used or no such rung is left.
    pub fn new(mut ladder: Ladder) -> Result<Rungs, String> {
        ladder.check().map_err(|error| error.to_string())?;
        ladder.rungs.retain(|rung| rung.agent.parse::<Opponent>().is_ok());
        let opponents: Vec<Opponent> = ladder.rungs.iter().filter_map(|rung| rung.agent.parse().ok()).collect();
        if opponents.is_empty() {
            return Err("no rung is `random`, `rollout:N` or `alphabeta:D`".to_owned());
        }
        Ok(Rungs { ladder, opponents })
    }

    /// Reads the ladder of a run: its own copy, or the file that the configuration names, which is then copied.
    ///
    /// # Errors
    /// If there is none, or it is of another variant or cannot be understood.
    pub fn of_run(run: &RunDir, config: &Config) -> Result<Rungs, TrainError> {
        if let Some(text) = read(&run.ladder())? {
            return Rungs::parse(&text, &run.ladder(), config);
        }
        let path = ladder_file(config);
        let missing = || TrainError::Inconsistent {
            path: path.display().to_string(),
            problem: format!("no such file: rating.every is {}, and ratings need a ladder", config.rating.every),
        };
        let text = read(&path)?.ok_or_else(missing)?;
        let rungs = Rungs::parse(&text, &path, config)?;
        write_atomically(&run.ladder(), text.as_bytes())?;
        Ok(rungs)
    }

    fn parse(text: &str, path: &Path, config: &Config) -> Result<Rungs, TrainError> {
        let wrong = |problem: String| TrainError::Inconsistent { path: path.display().to_string(), problem };
        let ladder: Ladder = toml::from_str(text).map_err(|error| wrong(error.message().replace('\n', " ")))?;
        // Settings, such as another limit of turns, hardly change who is stronger.
        if name_of(&ladder.variant) != name_of(&config.variant) {
            return Err(wrong(format!("ladder of `{}`, the run's variant is `{}`", ladder.variant, config.variant)));
        }
        Rungs::new(ladder).map_err(wrong)
    }

    /// Rates the network of `benchmark` by as many games as its pairs say, beginning against a rung near `guess`; `None` if a
    /// stop was asked for.
    pub fn rate<G: Game>(
        &self,
        benchmark: &Benchmark<G::Rules>,
        guess: Option<f64>,
        bar: &ProgressBar,
        stop: &Stop,
    ) -> Option<(Rating, Vec<RungScore>)> {
        let mut scores = vec![Scores::default(); self.opponents.len()];
        let mut elo = guess.unwrap_or_else(|| self.middle());
        let pairs = benchmark.pairs.end - benchmark.pairs.start;
        for round in 0..ROUNDS {
            let at = |round: u64| benchmark.pairs.start + pairs * round / ROUNDS;
            let part = Benchmark { pairs: at(round)..at(round + 1), ..benchmark.clone() };
            let rung = self.nearest(elo);
            let score = part.play::<G>(&Rival::Fixed(self.opponents[rung]), bar, stop);
            if stop.is_requested() {
                // The games that ended first are no fair sample.
                return None;
            }
            scores[rung] = scores[rung].plus(score);
            elo = self.ladder.rate(&self.results(&scores)).map_or(elo, |rating| rating.elo);
        }
        let rating = self.ladder.rate(&self.results(&scores))?;
        Some((rating, self.rung_scores(&scores)))
    }

    fn nearest(&self, elo: f64) -> usize {
        let nearest = self.ladder.nearest(elo).map(|rung| &rung.agent);
        self.ladder.rungs.iter().position(|rung| Some(&rung.agent) == nearest).unwrap_or(0)
    }

    /// The rating in the middle of the rungs.
    fn middle(&self) -> f64 {
        let mut ratings: Vec<f64> = self.ladder.rungs.iter().map(|rung| rung.elo).collect();
        ratings.sort_by(f64::total_cmp);
        ratings[ratings.len() / 2]
    }

    fn results(&self, scores: &[Scores]) -> Vec<RungResults> {
        let result = |(rung, score): (&heng_mcts::ladder::Rung, &Scores)| RungResults {
            elo: rung.elo,
            as_red: score.as_red.counts(),
            as_black: score.as_black.counts(),
        };
        self.ladder.rungs.iter().zip(scores).map(result).collect()
    }

    fn rung_scores(&self, scores: &[Scores]) -> Vec<RungScore> {
        let played = self.ladder.rungs.iter().zip(scores).filter(|(_, score)| score.both().games() > 0);
        let score = |(rung, score): (&heng_mcts::ladder::Rung, &Scores)| RungScore {
            agent: rung.agent.clone(),
            elo: rung.elo,
            as_red: score.as_red.counts(),
            as_black: score.as_black.counts(),
        };
        played.map(score).collect()
    }
}

/// The ladder that a configuration names.
pub fn ladder_file(config: &Config) -> PathBuf {
    if config.rating.ladder.is_empty() {
        return Path::new("configs/ladders").join(format!("{}.toml", name_of(&config.variant)));
    }
    PathBuf::from(&config.rating.ladder)
}

/// The name of a variant without its settings.
fn name_of(variant: &str) -> &str {
    variant.split(':').next().unwrap_or_default()
}

fn read(path: &Path) -> Result<Option<String>, RunDirError> {
    match std::fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(RunDirError::io(path, "read")),
    }
}

#[cfg(test)]
mod tests;
