//! The maximum of the likelihood, and how sharp it is.

use std::collections::BTreeMap;

use heng_mcts::davidson::Chances;
use ndarray::{Array1, Array2};

use super::prior::Prior;
use super::{RatedGame, RatingError};
use crate::stats::cholesky::Cholesky;

/// Newton's method ends when no parameter moves by more.
const CONVERGED: f64 = 1e-10;

/// From anywhere sensible it takes about ten steps.
const ITERATIONS_MAX: usize = 60;

/// Halvings of a step that does not go up.
const HALVINGS_MAX: usize = 40;

/// Nobody is e²⁵ times as strong as another: the likelihood rises without end.
const STRENGTH_MAX: f64 = 25.0;

/// Where the parameters are in a vector: the strengths of all players but the first, which is 0; then the first mover's
/// advantage and ln ν, where there are such.
#[derive(Clone, Copy, Debug)]
struct Layout {
    players: usize,
    first_mover: Option<usize>,
    draw: Option<usize>,
}

impl Layout {
    fn new(players: usize, with_first_mover: bool, with_draws: bool) -> Layout {
        let first_mover = with_first_mover.then_some(players - 1);
        let draw = with_draws.then_some(players - 1 + usize::from(with_first_mover));
        Layout { players, first_mover, draw }
    }

    fn len(&self) -> usize {
        self.players - 1 + usize::from(self.first_mover.is_some()) + usize::from(self.draw.is_some())
    }

    /// The parameters whose sum, with these signs, is how far `first` is ahead.
    fn terms(&self, first: usize, second: usize, with_first_mover: bool) -> impl Iterator<Item = (usize, f64)> + Clone {
        let strength = |player: usize, sign: f64| player.checked_sub(1).map(|index| (index, sign));
        let first_mover = self.first_mover.filter(|_| with_first_mover).map(|index| (index, 1.0));
        [strength(first, 1.0), strength(second, -1.0), first_mover].into_iter().flatten()
    }

    fn draw_weight(&self, parameters: &Array1<f64>) -> f64 {
        self.draw.map_or(0.0, |index| parameters[index].exp())
    }

    fn chances(&self, game: &RatedGame, parameters: &Array1<f64>) -> Chances {
        let terms = self.terms(game.first, game.second, true);
        Chances::new(value(terms, parameters), self.draw_weight(parameters))
    }
}

fn value(terms: impl Iterator<Item = (usize, f64)>, parameters: &Array1<f64>) -> f64 {
    terms.map(|(index, sign)| sign * parameters[index]).sum()
}

/// The log-likelihood with its derivatives at a point.
struct Slopes {
    gradient: Array1<f64>,
    /// Minus the second derivatives: the observed information.
    information: Array2<f64>,
}

impl Slopes {
    fn zero(count: usize) -> Slopes {
        Slopes { gradient: Array1::zeros(count), information: Array2::zeros((count, count)) }
    }

    /// Adds something that depends on the sum of `terms`.
    fn add(&mut self, terms: impl Iterator<Item = (usize, f64)> + Clone, slope: f64, curvature: f64) {
        for (row, sign) in terms.clone() {
            self.gradient[row] += sign * slope;
            for (column, other_sign) in terms.clone() {
                self.information[[row, column]] += sign * other_sign * curvature;
            }
        }
    }

    fn add_draw(&mut self, draw: usize, terms: impl Iterator<Item = (usize, f64)>, chances: &Chances, slope: f64) {
        self.gradient[draw] += slope;
        self.information[[draw, draw]] += chances.draw_curvature();
        for (index, sign) in terms {
            self.information[[index, draw]] += sign * chances.mixed_curvature();
            self.information[[draw, index]] += sign * chances.mixed_curvature();
        }
    }
}

/// The likelihood of games, and of what was added to them.
struct Likelihood<'a> {
    layout: Layout,
    games: &'a [RatedGame],
    prior: Prior,
}

impl Likelihood<'_> {
    fn log(&self, parameters: &Array1<f64>) -> f64 {
        self.log_of_games(parameters) + self.log_of_prior(parameters)
    }

    fn log_of_games(&self, parameters: &Array1<f64>) -> f64 {
        let log = |game: &RatedGame| self.layout.chances(game, parameters).of_half_points(game.half_points).ln();
        self.games.iter().map(log).sum()
    }

    fn log_of_prior(&self, parameters: &Array1<f64>) -> f64 {
        let split = |x: f64| {
            let chances = Chances::new(x, 0.0);
            0.5 * (chances.win.ln() + chances.loss.ln())
        };
        let Prior { draws, first_mover, decisive } = &self.prior;
        let of_draws = draws
            .iter()
            .map(|&(one, other, weight)| weight * split(value(self.layout.terms(one, other, false), parameters)));
        let of_first_mover = self.layout.first_mover.map_or(0.0, |index| first_mover * split(parameters[index]));
        let even = Chances::new(0.0, self.layout.draw_weight(parameters));
        of_draws.sum::<f64>() + of_first_mover + decisive * (1.0 - even.draw).ln()
    }

    fn slopes(&self, parameters: &Array1<f64>) -> Slopes {
        let mut slopes = Slopes::zero(parameters.len());
        for game in self.games {
            let chances = self.layout.chances(game, parameters);
            let terms = self.layout.terms(game.first, game.second, true);
            slopes.add(terms.clone(), chances.slope(game.half_points), chances.curvature());
            if let Some(draw) = self.layout.draw {
                slopes.add_draw(draw, terms, &chances, chances.draw_slope(game.half_points));
            }
        }
        self.add_prior(parameters, &mut slopes);
        slopes
    }

    fn add_prior(&self, parameters: &Array1<f64>, slopes: &mut Slopes) {
        let Prior { draws, first_mover, decisive } = &self.prior;
        for &(one, other, weight) in draws {
            let terms = self.layout.terms(one, other, false);
            let chances = Chances::new(value(terms.clone(), parameters), 0.0);
            slopes.add(terms, weight * chances.slope(1), weight * chances.curvature());
        }
        if let Some(index) = self.layout.first_mover {
            let chances = Chances::new(parameters[index], 0.0);
            slopes.add([(index, 1.0)].into_iter(), first_mover * chances.slope(1), first_mover * chances.curvature());
        }
        if let Some(index) = self.layout.draw {
            let even = Chances::new(0.0, self.layout.draw_weight(parameters));
            slopes.add([(index, 1.0)].into_iter(), -decisive * even.draw, decisive * even.draw_curvature());
        }
    }

    /// Newton's method. A step that leads down is halved until it leads up, so every step gains, and as the function is
    /// concave, the only place where none is left to gain is its maximum.
    fn maximum(&self) -> Result<Array1<f64>, RatingError> {
        let mut parameters = Array1::zeros(self.layout.len());
        let mut log = self.log(&parameters);
        for iteration in 0..ITERATIONS_MAX {
            let Slopes { gradient, information } = self.slopes(&parameters);
            let Some(factor) = Cholesky::of(&information) else {
                // Strengths and draws alone always have a definite information at 0, as everybody is connected.
                return Err(match iteration {
                    0 => RatingError::FirstMover,
                    iterations => RatingError::Diverges { iterations },
                });
            };
            let step = factor.solve(&gradient);
            let expected_gain = step.dot(&gradient);
            let size = step.iter().fold(0.0_f64, |size, part| size.max(part.abs()));
            if size < CONVERGED {
                return Ok(parameters);
            }
            let mut fraction = 1.0;
            for _ in 0..HALVINGS_MAX {
                let candidate = &parameters + &(&step * fraction);
                let candidate_log = self.log(&candidate);
                // Armijo's rule, with room for the rounding of a long sum.
                let rounding = 1e-12 * log.abs();
                if candidate_log >= log + 1e-4 * fraction * expected_gain - rounding {
                    (parameters, log) = (candidate, candidate_log);
                    break;
                }
                fraction *= 0.5;
            }
            if parameters.iter().any(|parameter| parameter.abs() > STRENGTH_MAX) {
                return Err(RatingError::Diverges { iterations: iteration + 1 });
            }
        }
        Err(RatingError::Diverges { iterations: ITERATIONS_MAX })
    }
}

/// The likeliest strengths.
pub(super) struct Fit {
    pub(super) players: usize,
    pub(super) clusters: usize,
    pub(super) has_prior: bool,
    pub(super) log_likelihood: f64,
    layout: Layout,
    values: Array1<f64>,
    /// The inverse of the observed information.
    inverse: Array2<f64>,
}

impl Fit {
    pub(super) fn of(players: usize, games: &[RatedGame], with_first_mover: bool) -> Result<Fit, RatingError> {
        let prior = Prior::for_games(players, games, with_first_mover);
        match Fit::with_prior(players, games, with_first_mover, prior) {
            // Results can be one-sided in ways that the prior does not look for, such as wins of whoever moves first and
            // draws otherwise.
            Err(RatingError::Diverges { .. }) => {
                Fit::with_prior(players, games, with_first_mover, Prior::everywhere(players, games))
            }
            result => result,
        }
    }

    fn with_prior(
        players: usize,
        games: &[RatedGame],
        with_first_mover: bool,
        prior: Prior,
    ) -> Result<Fit, RatingError> {
        let with_draws = games.iter().any(|game| game.half_points == 1);
        let layout = Layout::new(players, with_first_mover && !games.is_empty(), with_draws);
        let likelihood = Likelihood { layout, games, prior };
        let values = likelihood.maximum()?;
        let information = likelihood.slopes(&values).information;
        let inverse = Cholesky::of(&information).ok_or(RatingError::Diverges { iterations: ITERATIONS_MAX })?.inverse();
        let mut clusters: Vec<usize> = games.iter().map(|game| game.cluster).collect();
        clusters.sort_unstable();
        clusters.dedup();
        Ok(Fit {
            players,
            clusters: clusters.len(),
            has_prior: !likelihood.prior.is_empty(),
            log_likelihood: likelihood.log_of_games(&values),
            layout,
            values,
            inverse,
        })
    }

    pub(super) fn parameters(&self) -> usize {
        self.layout.len()
    }

    /// In natural units, the first player's being 0.
    pub(super) fn strength(&self, player: usize) -> f64 {
        player.checked_sub(1).map_or(0.0, |index| self.values[index])
    }

    /// The index and the value of the first mover's advantage.
    pub(super) fn first_mover(&self) -> Option<(usize, f64)> {
        self.layout.first_mover.map(|index| (index, self.values[index]))
    }

    pub(super) fn draw_share(&self) -> f64 {
        Chances::new(0.0, self.layout.draw_weight(&self.values)).draw
    }

    /// What a natural unit is in Elo. Its own error is left out, as BayesElo does: all ratings have it in common.
    pub(super) fn elo_scale(&self) -> f64 {
        400.0 / std::f64::consts::LN_10 * (1.0 - self.draw_share())
    }

    /// The covariance of two players' strengths; the first player's is known to be 0.
    pub(super) fn covariance_of_players(&self, covariance: &Array2<f64>, row: usize, column: usize) -> f64 {
        match (row.checked_sub(1), column.checked_sub(1)) {
            (Some(row), Some(column)) => covariance[[row, column]],
            _ => 0.0,
        }
    }

    /// The variance of the difference between two players' strengths, which no anchor changes.
    pub(super) fn variance_of_difference(&self, covariance: &Array2<f64>, one: usize, other: usize) -> f64 {
        let cell = |row: usize, column: usize| self.covariance_of_players(covariance, row, column);
        cell(one, one) + cell(other, other) - 2.0 * cell(one, other)
    }

    pub(super) fn information_covariance(&self) -> Array2<f64> {
        self.inverse.clone()
    }

    /// The sandwich: the information on both sides of the scatter of the clusters' slopes, which it would be the same as if
    /// all games were independent. G / (G - 1) makes up for the slopes' having been fitted to 0.
    pub(super) fn robust_covariance(&self, games: &[RatedGame]) -> Array2<f64> {
        let mut slopes: BTreeMap<usize, BTreeMap<usize, f64>> = BTreeMap::new();
        for game in games {
            let chances = self.layout.chances(game, &self.values);
            let cluster = slopes.entry(game.cluster).or_default();
            for (index, sign) in self.layout.terms(game.first, game.second, true) {
                *cluster.entry(index).or_default() += sign * chances.slope(game.half_points);
            }
            if let Some(draw) = self.layout.draw {
                *cluster.entry(draw).or_default() += chances.draw_slope(game.half_points);
            }
        }
        let mut scatter = Array2::zeros(self.inverse.raw_dim());
        for cluster in slopes.values() {
            for (&row, slope) in cluster {
                for (&column, other_slope) in cluster {
                    scatter[[row, column]] += slope * other_slope;
                }
            }
        }
        let clusters = self.clusters as f64;
        self.inverse.dot(&scatter).dot(&self.inverse) * (clusters / (clusters - 1.0))
    }
}
