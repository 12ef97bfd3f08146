//! `ratings.jsonl`: one line for each network that was rated.

use std::path::Path;
use std::{fs, io};

use heng_mcts::ladder::Rating;
use serde::{Deserialize, Serialize};

use crate::error::TrainError;
use crate::run_dir::{RunDir, RunDirError, write_atomically};

/// The rating of one network of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetRating {
    /// The iteration that the network is of.
    pub iteration: u64,
    /// Seconds the run had worked by then; ratings are no work.
    pub seconds: f64,
    /// Positions that self-play had evaluated by then.
    pub evaluations: u64,
    /// The rating, on the ladder's scale.
    pub elo: f64,
    /// Lower end of its 95 % interval, as if the ladder's own ratings had no errors.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// Whether all games were won or all lost, so that only a prior keeps the rating finite.
    pub is_bounded_by_prior: bool,
    /// Games played.
    pub games: u64,
    /// Simulations of the network in each step.
    pub simulations: u32,
    /// The rungs that it played.
    pub rungs: Vec<RungScore>,
}

/// The games of a network against a rung of the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RungScore {
    /// The rung.
    pub agent: String,
    /// Its rating.
    pub elo: f64,
    /// Games that the network won, drew and lost with red.
    pub as_red: [u64; 3],
    /// The same with black.
    pub as_black: [u64; 3],
}

/// When a network was rated.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Its iteration.
    pub iteration: u64,
    /// Seconds of work.
    pub seconds: f64,
    /// Evaluations of self-play.
    pub evaluations: u64,
}

impl NetRating {
    /// The line of a network that is rated now.
    pub fn new(moment: Moment, rating: &Rating, simulations: u32, rungs: Vec<RungScore>) -> NetRating {
        // To a hundredth: few digits are read back as they were written.
        let [elo, low, high] = [rating.elo, rating.low, rating.high].map(|elo| (elo * 100.0).round() / 100.0);
        NetRating {
            iteration: moment.iteration,
            seconds: moment.seconds,
            evaluations: moment.evaluations,
            elo,
            low,
            high,
            is_bounded_by_prior: rating.is_bounded_by_prior,
            games: rating.games,
            simulations,
            rungs,
        }
    }

    /// The rating with its interval, and the games.
    pub fn summary(&self) -> String {
        let rung = |rung: &RungScore| {
            let [won, drawn, lost] = [0, 1, 2].map(|ending| rung.as_red[ending] + rung.as_black[ending]);
            format!("{} {won}-{drawn}-{lost}", rung.agent)
        };
        let rungs = self.rungs.iter().map(rung).collect::<Vec<_>>().join(", ");
        let bound = match self.is_bounded_by_prior {
            true => ", no more than a bound",
            false => "",
        };
        format!("{:+.0} Elo ({:+.0} to {:+.0}{bound})  {rungs}", self.elo, self.low, self.high)
    }
}

/// The ratings of a run, on disk and in memory.
#[derive(Debug)]
pub struct RatingsFile {
    ratings: Vec<NetRating>,
}

impl RatingsFile {
    /// Reads the ratings of the run's networks up to `iteration`; later ones are of networks that were never committed.
    ///
    /// # Errors
    /// If the file cannot be read, or a line of it cannot be understood or is out of order.
    pub fn open(run: &RunDir, iteration: u64) -> Result<RatingsFile, TrainError> {
        let mut ratings = read(&run.ratings())?;
        ratings.retain(|rating| rating.iteration <= iteration);
        Ok(RatingsFile { ratings })
    }

    /// Adds a rating.
    ///
    /// # Errors
    /// If the file cannot be written; it is then as it was.
    pub fn push(&mut self, run: &RunDir, rating: NetRating) -> Result<(), RunDirError> {
        self.ratings.push(rating);
        let line = |rating: &NetRating| serde_json::to_string(rating).unwrap_or_default() + "\n";
        write_atomically(&run.ratings(), self.ratings.iter().map(line).collect::<String>().as_bytes())
    }

    /// The ratings, from old to new.
    pub fn all(&self) -> &[NetRating] {
        &self.ratings
    }

    /// The newest of them.
    pub fn last(&self) -> Option<&NetRating> {
        self.ratings.last()
    }
}

fn read(path: &Path) -> Result<Vec<NetRating>, TrainError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(RunDirError::io(path, "read"))?,
    };
    let mut ratings: Vec<NetRating> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |problem| TrainError::Inconsistent { path: format!("{}:{}", path.display(), index + 1), problem };
        let rating: NetRating = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        if ![rating.low, rating.elo, rating.high].is_sorted() {
            let problem = format!("elo {} from {} to {}, expected them in order", rating.elo, rating.low, rating.high);
            return Err(wrong(problem));
        }
        if let Some(before) = ratings.last().filter(|before| before.iteration >= rating.iteration) {
            return Err(wrong(format!("iteration {} after {}", rating.iteration, before.iteration)));
        }
        ratings.push(rating);
    }
    Ok(ratings)
}
