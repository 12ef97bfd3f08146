//! A reference ladder: agents that never change with their ratings, and the rating of others by their games against them.
//!
//! The model is that of tournaments ([`crate::davidson`]), with the first mover's advantage and the share of draws that the ladder
//! was rated with, so that one number is left to find. Nothing here reads or writes files.

use std::collections::HashSet;

use heng_env::Variant;
use heng_env::variants::VariantError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::davidson::Chances;
use crate::interval::Z95;

/// The weight of the draws that are shared out among the games where all were won or all lost, as in tournaments.
const PRIOR_WEIGHT: f64 = 0.5;

/// How far above the best and below the worst rung a rating is looked for, in natural units: odds of e³⁰⁰ to 1.
const REACH: f64 = 300.0;

/// Halvings of the stretch in which the rating lies; more than the digits of a number.
const HALVINGS: usize = 100;

/// The ratings of agents that never change, all on one scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// The variant with its settings.
    pub variant: String,
    /// The version of the program that played.
    pub version: String,
    /// Where all random numbers of the games came from.
    pub seed: u64,
    /// Where the openings came from.
    pub openings: String,
    /// What moving first is worth, in Elo.
    pub first_mover: f64,
    /// The share of draws between equals, moving first counted: `ν / (2 + ν)`.
    pub draws: f64,
    /// The agents.
    #[serde(rename = "rung")]
    pub rungs: Vec<Rung>,
}

/// An agent of a ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// The agent as it is written.
    pub agent: String,
    /// Its rating.
    pub elo: f64,
    /// The lower end of the 95 % interval of its rating.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The games that it was rated by.
    pub games: u64,
}

/// Results against one rung, by the colour of the rated agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RungResults {
    /// The rung's rating.
    pub elo: f64,
    /// Games won, drawn and lost in which the rated agent moved first.
    pub as_red: [u64; 3],
    /// The same of those in which the rung did.
    pub as_black: [u64; 3],
}

/// The rating of an agent on a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The likeliest rating.
    pub elo: f64,
    /// The lower end of its 95 % interval, as if all games were independent and the ladder had no errors of its own.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The games that it comes from.
    pub games: u64,
    /// Whether all games were won or all lost, so that only a prior keeps the rating finite.
    pub is_bounded_by_prior: bool,
}

/// Why a ladder cannot be used.
#[derive(Debug, Error)]
pub enum LadderError {
    /// The variant does not exist.
    #[error("key `variant`: {0}")]
    Variant(#[from] VariantError),
    /// There is nobody to play against.
    #[error("key `rung`: there is none, expected at least one")]
    NoRungs,
    /// The share of draws is none.
    #[error("key `draws` is `{0}`, expected a share from 0 to below 1")]
    Draws(f64),
    /// What moving first is worth is no number.
    #[error("key `first_mover` is `{0}`, expected a finite number")]
    FirstMover(f64),
    /// An agent stands on two rungs.
    #[error("rung {rung}, key `agent`: `{agent}` is there twice, expected each agent once")]
    Twice {
        /// The second rung of the agent, from 1.
        rung: usize,
        /// The agent.
        agent: String,
    },
    /// A rating is no number, or lies outside its interval.
    #[error("rung {rung} (`{agent}`): elo is `{elo}`, from `{low}` to `{high}`; expected finite numbers, low to high")]
    Elo {
        /// The rung, from 1.
        rung: usize,
        /// Its agent.
        agent: String,
        /// Its rating.
        elo: f64,
        /// The lower end of its interval.
        low: f64,
        /// The upper end.
        high: f64,
    },
}

impl Ladder {
    /// Whether agents can be rated on this ladder.
    ///
    /// # Errors
    /// If the variant does not exist, there is no rung, an agent is there twice, or a number makes no sense.
    pub fn check(&self) -> Result<(), LadderError> {
        let _: Variant = self.variant.parse()?;
        if !(0.0..1.0).contains(&self.draws) {
            return Err(LadderError::Draws(self.draws));
        }
        if !self.first_mover.is_finite() {
            return Err(LadderError::FirstMover(self.first_mover));
        }
        if self.rungs.is_empty() {
            return Err(LadderError::NoRungs);
        }
        let mut seen = HashSet::new();
        for (index, Rung { agent, elo, low, high, .. }) in self.rungs.iter().enumerate() {
            let (rung, agent, elo, low, high) = (index + 1, agent.clone(), *elo, *low, *high);
            if !(low.is_finite() && high.is_finite() && (low..=high).contains(&elo)) {
                return Err(LadderError::Elo { rung, agent, elo, low, high });
            }
            if !seen.insert(agent.clone()) {
                return Err(LadderError::Twice { rung, agent });
            }
        }
        Ok(())
    }

    /// The likeliest rating of an agent with these results; `None` if it has no games. Where all games were won or all lost, half
    /// a draw, shared out among them, keeps the rating finite.
    pub fn rate(&self, results: &[RungResults]) -> Option<Rating> {
        let won = total(results, 0);
        let games = won + total(results, 1) + total(results, 2);
        if games == 0 {
            return None;
        }
        let is_bounded_by_prior = won == games || total(results, 2) == games;
        let likelihood = Likelihood {
            ladder: self,
            results,
            prior: if is_bounded_by_prior { PRIOR_WEIGHT / games as f64 } else { 0.0 },
        };
        let elo = likelihood.maximum();
        let half = Z95 / likelihood.information(elo).sqrt();
        Some(Rating { elo, low: elo - half, high: elo + half, games, is_bounded_by_prior })
    }

    /// The rung whose games say most about an agent of about this rating: the one against which the two games of a pair have the
    /// most information. `None` if there is no rung.
    pub fn nearest(&self, elo: f64) -> Option<&Rung> {
        let says = |rung: &Rung| self.information_of_pair(elo - rung.elo);
        let away = |rung: &Rung| (rung.elo - elo).abs();
        // Far from all rungs nothing says anything, to the last digit.
        let order =
            |one: &&Rung, other: &&Rung| says(one).total_cmp(&says(other)).then(away(other).total_cmp(&away(one)));
        self.rungs.iter().max_by(order)
    }

    /// What two games with colours swapped say about a rating that is `ahead` of the rung's, in 1 / Elo².
    pub fn information_of_pair(&self, ahead: f64) -> f64 {
        let curvature = |first_mover: f64| self.chances(ahead + first_mover).curvature();
        (curvature(self.first_mover) + curvature(-self.first_mover)) / self.elo_of_unit().powi(2)
    }

    /// What a natural unit of strength is in Elo; see `eval::stats::bradley_terry` for the reason.
    fn elo_of_unit(&self) -> f64 {
        400.0 / std::f64::consts::LN_10 * (1.0 - self.draws)
    }

    /// The chances of a player that is `ahead` of the other by so much Elo.
    fn chances(&self, ahead: f64) -> Chances {
        Chances::new(ahead / self.elo_of_unit(), 2.0 * self.draws / (1.0 - self.draws))
    }
}

/// The games that ended with 0 a win, 1 a draw, 2 a loss.
fn total(results: &[RungResults], ending: usize) -> u64 {
    results.iter().map(|rung| rung.as_red[ending] + rung.as_black[ending]).sum()
}

/// The likelihood of a rating.
struct Likelihood<'a> {
    ladder: &'a Ladder,
    results: &'a [RungResults],
    /// The weight of a draw that is added to each game.
    prior: f64,
}

impl Likelihood<'_> {
    /// For each rung and colour: how far an agent of rating `elo` is ahead, and the results.
    fn games(&self, elo: f64) -> impl Iterator<Item = (f64, [u64; 3])> {
        let first_mover = self.ladder.first_mover;
        self.results.iter().flat_map(move |rung| {
            let ahead = elo - rung.elo;
            [(ahead + first_mover, rung.as_red), (ahead - first_mover, rung.as_black)]
        })
    }

    /// The derivative of the log-likelihood by the strength in natural units. It falls as the rating rises.
    fn slope(&self, elo: f64) -> f64 {
        let of_games = self.games(elo).map(|(ahead, [won, drawn, lost])| {
            let chances = self.ladder.chances(ahead);
            [(won, 2), (drawn, 1), (lost, 0)]
                .map(|(count, points)| count as f64 * chances.slope(points))
                .iter()
                .sum::<f64>()
        });
        let of_prior = self.prior_games(elo).map(|(chances, weight)| weight * chances.slope(1));
        of_games.sum::<f64>() + of_prior.sum::<f64>()
    }

    /// The second derivative by the rating in Elo, with the sign changed.
    fn information(&self, elo: f64) -> f64 {
        let of_games = self
            .games(elo)
            .map(|(ahead, counts)| counts.iter().sum::<u64>() as f64 * self.ladder.chances(ahead).curvature());
        let of_prior = self.prior_games(elo).map(|(chances, weight)| weight * chances.curvature());
        (of_games.sum::<f64>() + of_prior.sum::<f64>()) / self.ladder.elo_of_unit().powi(2)
    }

    /// What the prior adds: half wins and half losses whoever moves first.
    fn prior_games(&self, elo: f64) -> impl Iterator<Item = (Chances, f64)> {
        let unit = self.ladder.elo_of_unit();
        self.results.iter().map(move |rung| {
            let games: u64 = rung.as_red.iter().chain(&rung.as_black).sum();
            (Chances::new((elo - rung.elo) / unit, 0.0), self.prior * games as f64)
        })
    }

    /// The rating at which the slope is 0. The log-likelihood is concave, so that halving finds it from anywhere.
    fn maximum(&self) -> f64 {
        let reach = REACH * self.ladder.elo_of_unit() + self.ladder.first_mover.abs();
        let rungs = || self.results.iter().map(|rung| rung.elo);
        let mut low = rungs().fold(f64::INFINITY, f64::min) - reach;
        let mut high = rungs().fold(f64::NEG_INFINITY, f64::max) + reach;
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.slope(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high)
    }
}

#[cfg(test)]
mod tests;
