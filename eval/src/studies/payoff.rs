//! Two-player zero-sum games as tables: mixtures in equilibrium, and what each choice loses against the best reply.

use heng_env::{Purpose, Seeds};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolveOutcome};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::RngExt;
use thiserror::Error;

use crate::signed::signed;
use crate::stats::Interval;

/// Tables that the intervals are taken from. The 2.5 % ends of a thousand are good to about a tenth of the interval (Efron and
/// Tibshirani 1993, chapter 14).
const RESAMPLES: usize = 1000;

/// A table has no mixtures.
#[derive(Debug, Error)]
pub(crate) enum PayoffError {
    /// The solver's own account.
    #[error("no mixtures of the payoff table: {0}")]
    Solver(#[from] microlp::Error),
    /// There is neither a solution nor an error.
    #[error("no mixtures of the payoff table: the solver broke off")]
    BrokenOff,
}

/// Mixtures in equilibrium: neither side gains by another choice.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Equilibrium {
    /// What the row player, red, gets on average, from -1 to 1.
    pub(crate) red_value: f64,
    /// The probability of each row.
    pub(crate) red: Vec<f64>,
    /// The probability of each column.
    pub(crate) black: Vec<f64>,
}

/// An equilibrium of the table of red's payoffs, red's choices in rows; there may be others with the same value.
///
/// # Errors
/// If the linear program cannot be solved, which does not happen for finite payoffs in a table that is not empty.
pub(crate) fn equilibrium(payoffs: ArrayView2<'_, f64>) -> Result<Equilibrium, PayoffError> {
    let (red, red_value) = maximin(payoffs)?;
    let (black, _) = maximin(payoffs.mapv(|payoff| -payoff).t())?;
    Ok(Equilibrium { red_value, red, black })
}

/// The mixture of the rows whose worst result is best, with that result: maximize v so that every column gives v at least (von
/// Neumann 1928; as a linear program Dantzig 1951).
fn maximin(payoffs: ArrayView2<'_, f64>) -> Result<(Vec<f64>, f64), PayoffError> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let weights: Vec<_> = (0..payoffs.nrows()).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    let value = problem.add_var(1.0, (-1.0, 1.0));
    let mut whole = LinearExpr::empty();
    weights.iter().for_each(|&weight| whole.add(weight, 1.0));
    problem.add_constraint(whole, ComparisonOp::Eq, 1.0);
    for column in payoffs.axis_iter(Axis(1)) {
        let mut surplus = LinearExpr::empty();
        weights.iter().zip(column).for_each(|(&weight, &payoff)| surplus.add(weight, payoff));
        surplus.add(value, -1.0);
        problem.add_constraint(surplus, ComparisonOp::Ge, 0.0);
    }
    let SolveOutcome::Solution(solution) = problem.solve()? else { return Err(PayoffError::BrokenOff) };
    let weights: Vec<f64> = weights.into_iter().map(|weight| solution[weight].max(0.0)).collect();
    let sum: f64 = weights.iter().sum();
    Ok((weights.iter().map(|weight| weight / sum).collect(), solution[value]))
}

/// What the choices of both sides lose against the best reply, compared with the value of the table: 0 in an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Losses {
    /// Of each row, if red always chooses it.
    pub(crate) red: Vec<f64>,
    /// Of each column, if black always chooses it.
    pub(crate) black: Vec<f64>,
    /// Of red's mixture.
    pub(crate) red_mixture: f64,
    /// Of black's mixture.
    pub(crate) black_mixture: f64,
}

impl Losses {
    /// Against replies in `payoffs`, whose value is `red_value`; `mixtures` may come from another table.
    fn of(payoffs: ArrayView2<'_, f64>, red_value: f64, mixtures: &Equilibrium) -> Losses {
        let least = |payoffs: ndarray::ArrayView1<'_, f64>| payoffs.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |payoffs: ndarray::ArrayView1<'_, f64>| payoffs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let red = Array1::from(mixtures.red.clone()).dot(&payoffs);
        let black = payoffs.dot(&Array1::from(mixtures.black.clone()));
        // The best reply never gains less than nothing; what is below is rounding.
        let loss = |difference: f64| if difference > 0.0 { difference } else { 0.0 };
        Losses {
            red: payoffs.axis_iter(Axis(0)).map(|row| loss(red_value - least(row))).collect(),
            black: payoffs.axis_iter(Axis(1)).map(|column| loss(most(column) - red_value)).collect(),
            red_mixture: loss(red_value - least(red.view())),
            black_mixture: loss(most(black.view()) - red_value),
        }
    }
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Measured {
    /// A result with its interval: `+0.12 (-0.03 to +0.27)`.
    pub(super) fn signed(self) -> String {
        format!("{} ({} to {})", signed(self.value), signed(self.low), signed(self.high))
    }
}

/// What pairs of games say about a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Study {
    /// Mixtures in equilibrium of the mean results.
    pub(crate) equilibrium: Equilibrium,
    /// The value of the table.
    pub(crate) red_value: Measured,
    /// What each row and each column loses against the best reply in the table.
    pub(crate) red_losses: Vec<Measured>,
    pub(crate) black_losses: Vec<Measured>,
    /// What the two mixtures, red's first, lose in resampled tables: chance alone, since they lose nothing in the table that they were
    /// computed from.
    pub(crate) mixture_losses: [Measured; 2],
}

/// Studies the table of red's choices in rows and black's in columns, whose cell `[row][column]` has the mean results of pairs, as red sees them.
///
/// The intervals are bootstrap percentiles (Efron 1979): the pairs of each cell are drawn again with replacement. That a best reply is
/// the best by chance as well makes losses too large in small samples; so does resampling, to which the intervals owe some width.
///
/// # Errors
/// If the linear program cannot be solved.
pub(crate) fn study(pairs: &[Vec<Vec<f64>>], seed: u64) -> Result<Study, PayoffError> {
    let size = (pairs.len(), pairs.first().map_or(0, Vec::len));
    let payoffs = Array2::from_shape_fn(size, |(row, column)| mean(&pairs[row][column]));
    let equilibrium = equilibrium(payoffs.view())?;
    let losses = Losses::of(payoffs.view(), equilibrium.red_value, &equilibrium);
    let mut resampled = Vec::with_capacity(RESAMPLES);
    for index in 0..RESAMPLES {
        let mut rng = Seeds::new(seed).stream(Purpose::Bootstrap, index as u64);
        let table = Array2::from_shape_fn(size, |(row, column)| {
            let results = &pairs[row][column];
            let drawn = (0..results.len()).map(|_| results[rng.random_range(0..results.len())]);
            drawn.sum::<f64>() / results.len() as f64
        });
        let (_, red_value) = maximin(table.view())?;
        let losses = Losses::of(table.view(), red_value, &equilibrium);
        resampled.push((red_value, losses));
    }
    let measured = |value: f64, of: &dyn Fn(&(f64, Losses)) -> f64| {
        let Interval { low, high } = middle(resampled.iter().map(of).collect());
        Measured { value, low, high }
    };
    let of_red = |row: usize| measured(losses.red[row], &|resample| resample.1.red[row]);
    let of_black = |column: usize| measured(losses.black[column], &|resample| resample.1.black[column]);
    let mean_of =
        |of: fn(&Losses) -> f64| resampled.iter().map(|resample| of(&resample.1)).sum::<f64>() / RESAMPLES as f64;
    let mixture = |of: fn(&Losses) -> f64| measured(mean_of(of), &|resample| of(&resample.1));
    Ok(Study {
        red_value: measured(equilibrium.red_value, &|resample| resample.0),
        red_losses: (0..size.0).map(of_red).collect(),
        black_losses: (0..size.1).map(of_black).collect(),
        mixture_losses: [mixture(|losses| losses.red_mixture), mixture(|losses| losses.black_mixture)],
        equilibrium,
    })
}

fn mean(results: &[f64]) -> f64 {
    results.iter().sum::<f64>() / results.len() as f64
}

/// The middle 95 % of some numbers.
fn middle(mut numbers: Vec<f64>) -> Interval {
    numbers.sort_by(f64::total_cmp);
    let at = |share: f64| numbers[((numbers.len() - 1) as f64 * share).round() as usize];
    Interval { low: at(0.025), high: at(0.975) }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9)
    }

    #[test]
    fn equilibria_of_known_games_are_found() {
        let cases = [
            // Rock, paper, scissors: each a third.
            (array![[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], 0.0, vec![1.0 / 3.0; 3], vec![1.0 / 3.0; 3]),
            // A 2 x 2 game without a saddle point: p = (d - c) / (a - b - c + d) and so on.
            (array![[0.6, -0.2], [-0.4, 0.8]], 0.2, vec![0.6, 0.4], vec![0.5, 0.5]),
            // A saddle point in the second row and the first column.
            (array![[-0.5, 1.0], [0.25, 0.5], [0.0, 0.25]], 0.25, vec![0.0, 1.0, 0.0], vec![1.0, 0.0]),
            (array![[-1.0]], -1.0, vec![1.0], vec![1.0]),
        ];
        for (payoffs, red_value, red, black) in cases {
            let found = equilibrium(payoffs.view()).unwrap();
            assert!(close(&[found.red_value], &[red_value]), "{payoffs} {found:?}");
            assert!(close(&found.red, &red) && close(&found.black, &black), "{payoffs} {found:?}");
        }
    }

    #[test]
    fn a_choice_loses_what_the_best_reply_wins() {
        let payoffs = array![[0.6, -0.2], [-0.4, 0.8]];
        let mixtures = equilibrium(payoffs.view()).unwrap();
        let losses = Losses::of(payoffs.view(), mixtures.red_value, &mixtures);
        assert!(close(&losses.red, &[0.4, 0.6]) && close(&losses.black, &[0.4, 0.6]), "{losses:?}");
        assert!(close(&[losses.red_mixture, losses.black_mixture], &[0.0, 0.0]), "{losses:?}");
    }

    #[test]
    fn intervals_hold_the_result_and_close_where_nothing_varies() {
        let certain = vec![vec![vec![1.0; 5], vec![-1.0; 5]], vec![vec![-1.0; 5], vec![1.0; 5]]];
        let found = study(&certain, 1).unwrap();
        assert!(close(&[found.red_value.low, found.red_value.high], &[0.0, 0.0]), "{found:?}");
        assert!(close(&[found.red_losses[1].value, found.red_losses[1].low], &[1.0, 1.0]), "{found:?}");
        let varied = vec![vec![vec![1.0, 0.0, -1.0, 0.5], vec![-1.0, 0.0, 1.0, 0.0]]];
        let found = study(&varied, 1).unwrap();
        let Measured { value, low, high } = found.red_value;
        assert!(value == 0.0 && low < value && value < high, "{found:?}");
        assert!(found.mixture_losses[1].high > 0.0 && found.mixture_losses[0].high < 1e-9, "{found:?}");
        assert_eq!(study(&varied, 1).unwrap(), found, "the same seed, the same intervals");
    }
}
