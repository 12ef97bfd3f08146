//! Paired games as the unit of measurement.
//!
//! The two games of a pair share an opening, so their results hang together and may not be counted as two independent
//! observations. A pair has one of five results (0, ½, 1, 1½ or 2 points): a *pentanomial* distribution, whose variance is
//! usually smaller than that of the games taken singly. This is the mathematics of fishtest and OpenBench
//! (<https://www.chessprogramming.org/Match_Statistics>).

use serde::Serialize;

use super::{Z95, elo_of_score, likelihood_below, wilson_interval};

/// With fewer pairs, or fewer points won or lost, a normal distribution is no good picture of the mean.
const NORMAL_PAIRS_MIN: u64 = 10;
const NORMAL_POINTS_MIN: f64 = 5.0;

/// Pairs of games by the points that the first player took: 0, ½, 1, 1½, 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct PairCounts(pub [u64; 5]);

/// A range of values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// A range of Elo differences; an end that is missing has no bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloInterval {
    /// Its lower end.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

/// Where an interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The normal distribution with the pentanomial variance.
    Pentanomial,
    /// Wilson's interval with every pair as one trial. A pair's mean score lies between 0 and 1, and no such
    /// variable varies more than one that is always 0 or 1, so the interval is never too narrow (Bhatia and Davis 2000).
    Wilson,
}

/// What the pairs say about the strength of the first player against the second.
///
/// Every number is finite. A score of 0 or 1 has no Elo difference: such a one is missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean score, from 0 to 1.
    pub score: f64,
    /// 95 % interval of the score.
    pub score_95: Interval,
    /// Elo difference; none if everything was won or lost.
    pub elo: Option<f64>,
    /// 95 % interval of the Elo difference.
    pub elo_95: EloInterval,
    /// Likelihood of superiority: the chance that the first player is the stronger one.
    pub los: f64,
    /// Where the intervals come from.
    pub method: Method,
}

impl Estimate {
    /// Half the width of the 95 % interval of the Elo difference; none if the interval has an open end.
    pub fn elo_error_95(&self) -> Option<f64> {
        Some((self.elo_95.high? - self.elo_95.low?) / 2.0)
    }
}

impl PairCounts {
    /// Adds a pair in which the first player took `half_points`, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a game, from 0 to 1.
    ///
    /// # Panics
    /// If there are no pairs.
    pub fn score(&self) -> f64 {
        assert!(self.pairs() > 0, "no pairs have no score");
        self.shares().map(|(score, share)| score * share).sum()
    }

    /// Variance of a pair's mean score about [`PairCounts::score`].
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        self.shares().map(|(score, share)| (score - mean).powi(2) * share).sum()
    }

    /// What the pairs say; nothing if there are none.
    pub fn estimate(&self) -> Option<Estimate> {
        if self.pairs() == 0 {
            return None;
        }
        let (pairs, score) = (self.pairs() as f64, self.score());
        let points = 2.0 * pairs * score.min(1.0 - score);
        let is_normal = self.pairs() >= NORMAL_PAIRS_MIN && points >= NORMAL_POINTS_MIN && self.variance() > 0.0;
        let (method, (low, high), error) = if is_normal {
            let error = (self.variance() / pairs).sqrt();
            (Method::Pentanomial, (score - Z95 * error, score + Z95 * error), error)
        } else {
            // The error under the hypothesis of equal strength, at which a pair varies by at most ½.
            (Method::Wilson, wilson_interval(score, pairs, Z95), 0.5 / pairs.sqrt())
        };
        // Nothing lost leaves no upper bound, whatever the rounding of the interval says; likewise for nothing won.
        let low = if score <= 0.0 { 0.0 } else { low.max(0.0) };
        let high = if score >= 1.0 { 1.0 } else { high.min(1.0) };
        let score_95 = Interval { low, high };
        let elo = |score: f64| (score > 0.0 && score < 1.0).then(|| elo_of_score(score));
        Some(Estimate {
            score,
            score_95,
            elo: elo(score),
            elo_95: EloInterval { low: elo(score_95.low), high: elo(score_95.high) },
            los: likelihood_below((score - 0.5) / error),
            method,
        })
    }

    fn shares(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let pairs = self.pairs() as f64;
        self.0.iter().enumerate().map(move |(half_points, &count)| (half_points as f64 / 4.0, count as f64 / pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(counts: [u64; 5]) -> Estimate {
        PairCounts(counts).estimate().unwrap()
    }

    fn assert_near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
    }

    #[test]
    fn many_pairs_have_the_pentanomial_interval() {
        // By hand: mean 0.5375, variance 0.06421875, error of the mean 0.02534142.
        let found = estimate([5, 20, 40, 25, 10]);
        assert_near(PairCounts([5, 20, 40, 25, 10]).variance(), 0.064_218_75, 1e-12);
        assert_eq!(found.method, Method::Pentanomial);
        assert_near(found.score, 0.5375, 1e-12);
        assert_near(found.score_95.low, 0.5375 - 1.959964 * 0.025_341_42, 1e-7);
        assert_near(found.elo.unwrap(), 26.106_7, 1e-4);
        assert_near(found.los, 0.930_535, 1e-6);
    }

    #[test]
    fn pairs_that_always_split_are_no_proof_of_equality() {
        let found = estimate([0, 0, 100, 0, 0]);
        assert_eq!((found.method, found.score, found.elo), (Method::Wilson, 0.5, Some(0.0)));
        assert_near(found.los, 0.5, 1e-7);
        assert!(found.elo_95.low.unwrap() < -50.0 && found.elo_95.high.unwrap() > 50.0);
    }

    #[test]
    fn scores_at_the_ends_of_the_scale_have_one_bound_alone() {
        for pairs in [1, 3, 100, 100_000] {
            let (won, lost) = (estimate([0, 0, 0, 0, pairs]), estimate([pairs, 0, 0, 0, 0]));
            assert_eq!((won.score, won.score_95.high, won.method), (1.0, 1.0, Method::Wilson));
            assert_eq!((won.elo, won.elo_95.high, lost.elo, lost.elo_95.low), (None, None, None, None));
            assert_near(won.elo_95.low.unwrap(), -lost.elo_95.high.unwrap(), 1e-6);
            let json = serde_json::to_value(won).unwrap();
            assert!(json["elo"].is_null() && json["elo_95"]["high"].is_null(), "{json}");
            assert_eq!(json["elo_95"]["low"].as_f64(), won.elo_95.low);
            assert_near(won.los, 1.0 - lost.los, 1e-7);
        }
        // The rule of three: 100 pairs won leave room for a few percent.
        assert_near(estimate([0, 0, 0, 0, 100]).score_95.low, 0.963, 5e-4);
    }

    #[test]
    fn an_interval_that_reaches_the_end_of_the_scale_has_no_bound_there() {
        // By hand: mean 0.8036, error of the mean 0.1016.
        let found = estimate([2, 1, 0, 0, 11]);
        assert_eq!((found.method, found.score_95.high, found.elo_95.high), (Method::Pentanomial, 1.0, None));
        assert!(found.elo.is_some() && found.elo_95.low < found.elo);
    }

    #[test]
    fn swapping_the_players_turns_everything_over() {
        let (found, swapped) = (estimate([1, 7, 30, 12, 4]), estimate([4, 12, 30, 7, 1]));
        assert_near(found.elo.unwrap(), -swapped.elo.unwrap(), 1e-9);
        assert_near(found.elo_95.low.unwrap(), -swapped.elo_95.high.unwrap(), 1e-9);
        assert_near(found.los, 1.0 - swapped.los, 1e-9);
    }

    #[test]
    fn no_pairs_say_nothing() {
        assert_eq!(PairCounts::default().estimate(), None);
    }
}
