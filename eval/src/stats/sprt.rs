//! Sequential tests: a match that ends as soon as its result is clear.
//!
//! Wald's sequential probability ratio test (1945) asks after each pair of games whether the results speak for a
//! difference of `elo1` or of `elo0`, by the log-likelihood ratio of the two. Its error probabilities hold to the extent
//! that pairs are counted in an order that their results have no part in.

use serde::Serialize;
use thiserror::Error;

use super::normalized::NORMALIZED_ELO;
use super::{Interval, PairCounts, likelihood_ratio, score_of_elo};

/// The largest difference that may be tested for. More than a thousand Elo take no test to see.
const ELO_MAX: f64 = 2000.0;

/// What a difference in Elo means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// A difference in units of a game's deviation: as hard to see whatever the openings and the share of draws. Fishtest
    /// has tested with it since 2021.
    #[default]
    Normalized,
    /// The plain difference, in which a score of ten to one is 400.
    Logistic,
}

impl EloModel {
    /// The model's name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            EloModel::Normalized => "normalized",
            EloModel::Logistic => "logistic",
        }
    }
}

/// What a sequential test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// More pairs are needed.
    Undecided,
    /// The results speak for `elo0`.
    H0,
    /// The results speak for `elo1`.
    H1,
}

/// A sequential test of the hypothesis H1, a difference of `elo1`, against H0, one of `elo0`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    elo_model: EloModel,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are out of order.
    #[error("elo0 is {elo0} and elo1 {elo1}, expected elo0 below elo1")]
    Order {
        /// The smaller difference, which is not smaller.
        elo0: f64,
        /// The larger one.
        elo1: f64,
    },
    /// A hypothesis is too far out.
    #[error("elo bound is {elo}, expected -{ELO_MAX} to {ELO_MAX}")]
    Elo {
        /// The bound.
        elo: f64,
    },
    /// An error probability is none.
    #[error("{name} is {value}, expected a number above 0 and below 1")]
    Probability {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The error probabilities leave no room between the bounds.
    #[error("alpha is {alpha} and beta {beta}, expected a sum below 1")]
    Sum {
        /// The chance of accepting H1 where H0 holds.
        alpha: f64,
        /// The chance of accepting H0 where H1 holds.
        beta: f64,
    },
}

impl Sprt {
    /// A test that accepts H1 with a chance of `alpha` at most where H0 holds, and H0 with one of `beta` where H1 does.
    ///
    /// # Errors
    /// If the hypotheses are out of order or too far out, or the error probabilities are none or add up to 1.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, elo_model: EloModel) -> Result<Sprt, SprtError> {
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.is_nan() || elo.abs() > ELO_MAX) {
            return Err(SprtError::Elo { elo });
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 1.0) {
                return Err(SprtError::Probability { name, value });
            }
        }
        if alpha + beta >= 1.0 {
            return Err(SprtError::Sum { alpha, beta });
        }
        Ok(Sprt { elo0, elo1, alpha, beta, elo_model })
    }

    /// The two differences.
    pub const fn elo_bounds(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// What they mean.
    pub const fn elo_model(&self) -> EloModel {
        self.elo_model
    }

    /// Where the log-likelihood ratio decides: Wald's bounds.
    pub fn llr_bounds(&self) -> Interval {
        let Sprt { alpha, beta, .. } = *self;
        Interval { low: (beta / (1.0 - alpha)).ln(), high: ((1.0 - beta) / alpha).ln() }
    }

    /// The log-likelihood ratio of H1 against H0. It is always finite, and 0 without pairs.
    pub fn llr(&self, counts: &PairCounts) -> f64 {
        if counts.pairs() == 0 {
            return 0.0;
        }
        match self.elo_model {
            EloModel::Logistic => likelihood_ratio::of_scores(counts, score_of_elo(self.elo0), score_of_elo(self.elo1)),
            EloModel::Normalized => {
                // Normalized Elo is per game; the deviation of a pair's mean score is smaller by the root of 2.
                let t_value = |elo: f64| std::f64::consts::SQRT_2 * elo / NORMALIZED_ELO;
                likelihood_ratio::of_t_values(counts, t_value(self.elo0), t_value(self.elo1))
            }
        }
    }

    /// What a log-likelihood ratio decides.
    pub fn decision(&self, llr: f64) -> Decision {
        let Interval { low, high } = self.llr_bounds();
        match llr {
            llr if llr >= high => Decision::H1,
            llr if llr <= low => Decision::H0,
            _ => Decision::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use heng_env::{Purpose, Seeds};
    use rand::RngExt;

    use super::*;

    fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        Sprt::new(elo0, elo1, alpha, beta, EloModel::Normalized)
    }

    #[test]
    fn the_bounds_are_walds() {
        let Interval { low, high } = new(0.0, 2.0, 0.05, 0.05).unwrap().llr_bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
        let Interval { low, high } = new(0.0, 3.0, 0.05, 0.1).unwrap().llr_bounds();
        assert!((low + 2.251_292).abs() < 1e-6 && (high - 2.890_372).abs() < 1e-6);
    }

    #[test]
    fn tests_that_cannot_be_are_refused_with_the_value_that_is_wrong() {
        for (test, error) in [
            (new(5.0, 0.0, 0.05, 0.05), "elo0 is 5 and elo1 0, expected elo0 below elo1"),
            (new(1.0, 1.0, 0.05, 0.05), "elo0 is 1 and elo1 1, expected elo0 below elo1"),
            (new(0.0, f64::INFINITY, 0.05, 0.05), "elo bound is inf, expected -2000 to 2000"),
            (new(f64::NAN, 1.0, 0.05, 0.05), "elo bound is NaN, expected -2000 to 2000"),
            (new(0.0, 1.0, 0.0, 0.05), "alpha is 0, expected a number above 0 and below 1"),
            (new(0.0, 1.0, 0.05, 1.0), "beta is 1, expected a number above 0 and below 1"),
            (new(0.0, 1.0, 0.5, 0.5), "alpha is 0.5 and beta 0.5, expected a sum below 1"),
        ] {
            assert_eq!(test.unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn a_ratio_decides_at_its_bounds() {
        let test = new(0.0, 5.0, 0.05, 0.05).unwrap();
        let Interval { low, high } = test.llr_bounds();
        assert_eq!([low, 0.0, high].map(|llr| test.decision(llr)), [Decision::H0, Decision::Undecided, Decision::H1]);
        assert_eq!(test.llr(&PairCounts::default()), 0.0);
    }

    /// The share of tests of 0 against 60 that find for 60, where pairs have these chances.
    fn accepted(chances: [f64; 5], model: EloModel) -> f64 {
        const TESTS: u64 = 150;
        let test = Sprt::new(0.0, 60.0, 0.05, 0.05, model).unwrap();
        let accepts = |index: u64| {
            let mut rng = Seeds::new(7).stream(Purpose::Test, index);
            let mut counts = PairCounts::default();
            loop {
                let mut drawn = rng.random::<f64>();
                let half_points = chances.iter().position(|chance| {
                    drawn -= chance;
                    drawn < 0.0
                });
                counts.add(half_points.unwrap_or(4));
                match test.decision(test.llr(&counts)) {
                    Decision::Undecided => {}
                    decision => break decision == Decision::H1,
                }
            }
        };
        (0..TESTS).filter(|&index| accepts(index)).count() as f64 / TESTS as f64
    }

    #[test]
    fn wrong_decisions_are_as_rare_as_they_are_to_be() {
        const EQUAL: [f64; 5] = [0.1, 0.2, 0.4, 0.2, 0.1];
        // A mean of 0.5856, which is 60 Elo, with about the same variance.
        const STRONGER: [f64; 5] = [0.047, 0.153, 0.371, 0.269, 0.16];
        // A share of 5 % in 150 tests has an error of 1.8 %.
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let found = accepted(EQUAL, model);
            assert!(found < 0.09, "{model:?}: {found}");
        }
        let found = accepted(STRONGER, EloModel::Logistic);
        assert!(found > 0.91, "{found}");
    }

    #[test]
    fn swapping_the_players_and_the_hypotheses_turns_the_ratio_over() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let found = Sprt::new(-3.0, 10.0, 0.05, 0.05, model).unwrap().llr(&PairCounts([3, 40, 90, 61, 7]));
            let swapped = Sprt::new(-10.0, 3.0, 0.05, 0.05, model).unwrap().llr(&PairCounts([7, 61, 90, 40, 3]));
            assert!((found + swapped).abs() < 1e-9, "{found} {swapped}");
        }
    }
}
