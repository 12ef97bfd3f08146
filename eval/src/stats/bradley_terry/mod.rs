//! Ratings of any number of players from games between them.
//!
//! The model is Davidson's (1970, "On extending the Bradley–Terry model to accommodate ties in paired comparison
//! experiments") with an advantage of the first mover. With `x` for the strength of the first player less that of the
//! second plus the advantage, it wins, draws and loses in the proportion of `exp(x / 2)`, `ν` and `exp(-x / 2)`.
//!
//! Of the models with draws this one was chosen, not that of Rao and Kupper (1967), which BayesElo uses, because in it a
//! draw counts exactly as half a win and half a loss: as far as strengths go, points are all that the likelihood knows of
//! the results, so ratings agree with scores. It also is an exponential family: the logarithm of the likelihood is
//! concave, with one maximum, which Newton's method with shortened steps surely finds. Davidson and Beaver (1977) give an
//! advantage to one of the weights only; here it moves the draw's, too, so that it is an Elo difference like any other.
//!
//! Strengths become Elo by the factor that makes a small difference worth the score that it has in the logistic model,
//! `400 / ln 10 · 2 / (2 + ν)`, as in BayesElo, whose `scale` does the same. Without draws it is the usual factor.

mod fit;
mod groups;
mod prior;

use ndarray::Array2;
use serde::Serialize;
use thiserror::Error;

use super::{Interval, Z95, likelihood_below};
use fit::Fit;

/// The robust covariance is used with this many clusters for each parameter. With fewer it is too small.
const CLUSTERS_MIN: usize = 10;

/// The robust covariance is used if it leaves each difference at least this share of the variance that independent games
/// have. Pairs that always split have none at all, and prove nothing by it.
const ROBUST_SHARE_MIN: f64 = 0.01;

/// A game between two players, which are numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// Who moved first.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Half points of the first mover: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
    /// Games with the same number, such as the two of a pair, may hang together in ways that strengths do not explain.
    pub cluster: usize,
}

/// The zero of the scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Anchor {
    /// The mean of all ratings is 0.
    #[default]
    Mean,
    /// A player has a given rating.
    Player {
        /// Which player.
        player: usize,
        /// Its rating.
        elo: f64,
    },
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RatingModel {
    /// The zero of the scale.
    pub anchor: Anchor,
    /// Take it that moving first gives no advantage.
    pub without_first_mover: bool,
}

/// Where the errors come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Covariance {
    /// The observed information alone: every game is independent of the others.
    Information,
    /// The information around the scatter of whole clusters. The two games of a pair share an opening: one that favours
    /// a side shifts both results, one for and one against each player. Taken as independent they would make the errors of
    /// ratings too wide and that of the first mover's advantage too narrow. The sandwich of Huber (1967) and White (1982)
    /// over clusters (Liang and Zeger 1986) is right whatever hangs together within one.
    Robust,
}

/// A number with its error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Its 95 % interval.
    pub interval_95: Interval,
}

impl Parameter {
    fn new(value: f64, variance: f64) -> Parameter {
        let error = variance.max(0.0).sqrt();
        Parameter { value, error, interval_95: Interval { low: value - Z95 * error, high: value + Z95 * error } }
    }
}

/// The rating of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The player's name.
    pub name: String,
    /// Its rating in Elo; the anchor's has no error.
    pub elo: Parameter,
    /// Games it played.
    pub games: u64,
    /// Points it took from them.
    pub points: f64,
}

/// The ratings of all players, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// The players.
    pub players: Vec<Rating>,
    /// What moving first is worth, in Elo.
    pub first_mover: Option<Parameter>,
    /// The share of draws between equals, moving first counted: `ν / (2 + ν)`.
    pub draw_share: f64,
    /// The logarithm of the likelihood of the games.
    pub log_likelihood: f64,
    /// Where the errors come from.
    pub covariance: Covariance,
    /// The chance that the player of the row is stronger than that of the column.
    pub superiority: Vec<Vec<f64>>,
    /// Whether results that nobody had were added to make the ratings finite.
    pub prior: bool,
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RatingError {
    /// There is nobody to rate.
    #[error("there are no players to rate")]
    NoPlayers,
    /// A game names a player that is not there, or one player twice.
    #[error("game {game} is between players {first} and {second}, expected two of 0 to {last}")]
    Players {
        /// The game, from 1.
        game: usize,
        /// Who moved first.
        first: usize,
        /// The other one.
        second: usize,
        /// The last player.
        last: usize,
    },
    /// The anchor is no player.
    #[error("the anchor is player {player}, expected one of 0 to {last}")]
    Anchor {
        /// The anchor.
        player: usize,
        /// The last player.
        last: usize,
    },
    /// Some players have no games that connect them with the others, so that nothing can be said about the difference.
    #[error("players fall into groups without games between them: {groups}")]
    Disconnected {
        /// The groups, by name.
        groups: String,
    },
    /// The games tell moving first and being stronger apart in no way.
    #[error("whoever moves first is always the same of two players, so nothing tells that from strength")]
    FirstMover,
    /// The likelihood has no maximum that can be found.
    #[error("the ratings do not converge after {iterations} iterations")]
    Diverges {
        /// How long was tried.
        iterations: usize,
    },
}

/// Rates the players named `names` by their games.
///
/// # Errors
/// If the games do not connect all players, or are not between them, or say nothing of the first mover's advantage.
pub fn rate(names: &[String], games: &[RatedGame], model: &RatingModel) -> Result<Ratings, RatingError> {
    check(names, games, model)?;
    let fit = Fit::of(names.len(), games, !model.without_first_mover)?;
    let (kind, covariance) = covariance(&fit, games);
    let scale = fit.elo_scale();
    let (elo, variances) = anchored(&fit, &covariance, model.anchor, scale);
    let players = names.iter().enumerate().map(|(player, name)| {
        let (count, points) = record_of(player, games);
        Rating { name: name.clone(), elo: Parameter::new(elo[player], variances[player]), games: count, points }
    });
    let first_mover = fit
        .first_mover()
        .map(|(index, value)| Parameter::new(scale * value, scale * scale * covariance[[index, index]]));
    Ok(Ratings {
        players: players.collect(),
        first_mover,
        draw_share: fit.draw_share(),
        log_likelihood: fit.log_likelihood,
        covariance: kind,
        superiority: superiority(&fit, &covariance),
        prior: fit.has_prior,
    })
}

fn check(names: &[String], games: &[RatedGame], model: &RatingModel) -> Result<(), RatingError> {
    let last = names.len().checked_sub(1).ok_or(RatingError::NoPlayers)?;
    for (index, &RatedGame { first, second, .. }) in games.iter().enumerate() {
        if first > last || second > last || first == second {
            return Err(RatingError::Players { game: index + 1, first, second, last });
        }
    }
    if let Anchor::Player { player, .. } = model.anchor
        && player > last
    {
        return Err(RatingError::Anchor { player, last });
    }
    let groups = groups::connected(names.len(), games);
    if groups.len() > 1 {
        return Err(RatingError::Disconnected { groups: groups::in_words(names, &groups) });
    }
    Ok(())
}

/// The covariance of the parameters: the robust one where it can be trusted.
fn covariance(fit: &Fit, games: &[RatedGame]) -> (Covariance, Array2<f64>) {
    let information = fit.information_covariance();
    if fit.has_prior || fit.clusters < CLUSTERS_MIN * fit.parameters() {
        return (Covariance::Information, information);
    }
    let robust = fit.robust_covariance(games);
    let is_plausible = |one: usize, other: usize| {
        fit.variance_of_difference(&robust, one, other)
            >= ROBUST_SHARE_MIN * fit.variance_of_difference(&information, one, other)
    };
    if (0..fit.players).all(|one| (0..one).all(|other| is_plausible(one, other))) {
        (Covariance::Robust, robust)
    } else {
        (Covariance::Information, information)
    }
}

/// Ratings in Elo and their variances.
fn anchored(fit: &Fit, covariance: &Array2<f64>, anchor: Anchor, scale: f64) -> (Vec<f64>, Vec<f64>) {
    let players = 0..fit.players;
    let strength = |player: usize| scale * fit.strength(player);
    let squared = scale * scale;
    match anchor {
        Anchor::Player { player: anchor, elo } => (
            players.clone().map(|player| elo + strength(player) - strength(anchor)).collect(),
            players.map(|player| squared * fit.variance_of_difference(covariance, player, anchor)).collect(),
        ),
        Anchor::Mean => {
            let share = 1.0 / fit.players as f64;
            let mean = players.clone().map(strength).sum::<f64>() * share;
            let cell = |row: usize, column: usize| squared * fit.covariance_of_players(covariance, row, column);
            let with_mean = |row: usize| players.clone().map(|column| cell(row, column)).sum::<f64>() * share;
            let of_mean = players.clone().map(with_mean).sum::<f64>() * share;
            (
                players.clone().map(|player| strength(player) - mean).collect(),
                players.clone().map(|player| cell(player, player) - 2.0 * with_mean(player) + of_mean).collect(),
            )
        }
    }
}

fn superiority(fit: &Fit, covariance: &Array2<f64>) -> Vec<Vec<f64>> {
    let chance = |row: usize, column: usize| match fit.variance_of_difference(covariance, row, column) {
        variance if variance > 0.0 => likelihood_below((fit.strength(row) - fit.strength(column)) / variance.sqrt()),
        _ => 0.5,
    };
    (0..fit.players).map(|row| (0..fit.players).map(|column| chance(row, column)).collect()).collect()
}

fn record_of(player: usize, games: &[RatedGame]) -> (u64, f64) {
    games.iter().fold((0, 0.0), |(count, points), game| match player {
        player if player == game.first => (count + 1, points + f64::from(game.half_points) / 2.0),
        player if player == game.second => (count + 1, points + 1.0 - f64::from(game.half_points) / 2.0),
        _ => (count, points),
    })
}

#[cfg(test)]
mod tests;
