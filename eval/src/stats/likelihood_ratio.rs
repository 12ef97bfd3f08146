//! The generalised log-likelihood ratio of pentanomial counts.
//!
//! Two hypotheses fix one number each, an expected score or a ratio of surplus to deviation. Of all distributions over
//! the five results with that number, the one under which the counts are likeliest stands for the hypothesis, and the
//! ratio of the two likelihoods is what is tested. How to find the distributions is in two notes of M. Van den Bergh,
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf> and
//! <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>; fishtest (`LLRcalc.py`), OpenBench (`stats.py`) and
//! fastchess (`sprt.cpp`) follow them, too.

use super::PairCounts;

/// Scores of a pair: half points of a quarter each.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What stands for a result that has not occurred, in pairs: enough to keep logarithms finite. The number is that of
/// fishtest (`regularize` in `LLRcalc.py`), OpenBench and fastchess (`regularize` in `sprt.cpp`).
const UNSEEN: f64 = 1e-3;

/// Steps of the iteration for normalized Elo. Within a hundred Elo it takes fewer than ten.
const ITERATIONS_MAX: usize = 200;

/// The iteration has converged when no probability changes by more; fishtest's number.
const CONVERGED: f64 = 1e-9;

/// Halvings of an interval after which it is as narrow as numbers can be.
const HALVINGS: usize = 200;

/// Shares of the five results, with nothing at 0, and the pairs that they stand for.
struct Shares {
    pairs: f64,
    shares: [f64; 5],
}

impl Shares {
    fn of(counts: &PairCounts) -> Shares {
        let counts = counts.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let pairs = counts.iter().sum();
        Shares { pairs, shares: counts.map(|count| count / pairs) }
    }

    /// The log-likelihood ratio of two distributions, each given by what it divides the shares by.
    fn ratio(&self, divisors_0: [f64; 5], divisors_1: [f64; 5]) -> f64 {
        let terms = self.shares.iter().zip(divisors_0.iter().zip(divisors_1));
        self.pairs * terms.map(|(share, (divisor_0, divisor_1))| share * (divisor_0 / divisor_1).ln()).sum::<f64>()
    }
}

/// The ratio for the expected scores `score_1` against `score_0`, both strictly between 0 and 1.
pub(super) fn of_scores(counts: &PairCounts, score_0: f64, score_1: f64) -> f64 {
    let shares = Shares::of(counts);
    // Proposition 1.1 of the first note.
    let divisors = |score: f64| {
        let surplus = SCORES.map(|value| value - score);
        divisors(&shares.shares, &surplus).expect("the score lies between the results")
    };
    shares.ratio(divisors(score_0), divisors(score_1))
}

/// The ratio for the values `t_1` against `t_0` of (mean - ½) / deviation, per pair.
pub(super) fn of_t_values(counts: &PairCounts, t_0: f64, t_1: f64) -> f64 {
    let shares = Shares::of(counts);
    match (t_value_divisors(&shares.shares, t_0), t_value_divisors(&shares.shares, t_1)) {
        (Some(divisors_0), Some(divisors_1)) => shares.ratio(divisors_0, divisors_1),
        // Far from any counts that could pass, the iteration need not converge (fastchess issue 877).
        _ => approximation(&shares, t_0, t_1),
    }
}

/// Section 4.1 of the second note: the deviation in the condition is replaced by a tangent at the last
/// distribution, which makes it one on the mean of other values, until the distribution stays.
fn t_value_divisors(shares: &[f64; 5], t: f64) -> Option<[f64; 5]> {
    let mut probabilities = [0.2; 5];
    for _ in 0..ITERATIONS_MAX {
        let (mean, variance) = moments(&probabilities);
        let deviation = variance.sqrt();
        let surplus =
            SCORES.map(|value| value - 0.5 - 0.5 * t * deviation * (1.0 + ((value - mean) / deviation).powi(2)));
        let divisors = divisors(shares, &surplus)?;
        let mut change: f64 = 0.0;
        for (probability, (share, divisor)) in probabilities.iter_mut().zip(shares.iter().zip(divisors)) {
            let next = share / divisor;
            change = change.max((next - *probability).abs());
            *probability = next;
        }
        if change < CONVERGED {
            return Some(divisors);
        }
    }
    None
}

/// Section 4.2 of the second note; `LLR_normalized_alt` of fishtest.
fn approximation(shares: &Shares, t_0: f64, t_1: f64) -> f64 {
    let (mean, variance) = moments(&shares.shares);
    let t = (mean - 0.5) / variance.sqrt();
    // A game has half the squared value of a pair, and there are twice as many games as pairs.
    let spread = |other: f64| 1.0 + (t - other).powi(2) / 2.0;
    shares.pairs * (spread(t_0) / spread(t_1)).ln()
}

fn moments(probabilities: &[f64; 5]) -> (f64, f64) {
    let terms = || SCORES.iter().zip(probabilities);
    let mean = terms().map(|(value, probability)| value * probability).sum::<f64>();
    (mean, terms().map(|(value, probability)| (value - mean).powi(2) * probability).sum())
}

/// The distribution nearest to `shares` in which the mean of `surplus` is 0 gives each result its share divided by
/// 1 + x · surplus, where x makes the mean of surplus / (1 + x · surplus) vanish. That mean falls all the way from plus to
/// minus infinity between the two x at which a divisor is 0, so halving finds x. None if no result has a surplus or none
/// has a deficit.
fn divisors(shares: &[f64; 5], surplus: &[f64; 5]) -> Option<[f64; 5]> {
    let least = surplus.iter().copied().fold(f64::INFINITY, f64::min);
    let most = surplus.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return None;
    }
    let slope_at = |x: f64| -> f64 {
        shares.iter().zip(surplus).map(|(share, surplus)| share * surplus / (1.0 + x * surplus)).sum()
    };
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if slope_at(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = 0.5 * (low + high);
    Some(surplus.map(|surplus| 1.0 + x * surplus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_distributions_meet_their_hypotheses() {
        let shares = Shares::of(&PairCounts([5, 20, 40, 25, 10])).shares;
        for t in [-0.5, -0.02, 0.0, 0.02, 0.5] {
            let divisors = t_value_divisors(&shares, t).unwrap();
            let probabilities: [f64; 5] = std::array::from_fn(|index| shares[index] / divisors[index]);
            let (mean, variance) = moments(&probabilities);
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-7, "{t}: {mean} {variance}");
        }
    }

    #[test]
    fn wins_and_losses_alone_have_the_ratio_of_a_binomial() {
        // By hand, up to the three unseen results: 60 ln(0.6 / 0.5) + 40 ln(0.4 / 0.5).
        let found = of_scores(&PairCounts([40, 0, 0, 0, 60]), 0.5, 0.6);
        assert!((found - 2.013_55).abs() < 2e-3, "{found}");
    }

    #[test]
    fn wins_alone_have_the_ratio_of_the_largest_shares_of_wins() {
        // By hand: at t = 0.02 the share q of wins, with losses for the rest, has q - 1/2 = t sqrt(q (1 - q)).
        let found = of_t_values(&PairCounts([0, 0, 0, 0, 104]), 0.0, 0.02);
        assert!((found - 104.0 * 1.02_f64.ln()).abs() < 2e-3, "{found}");
    }

    #[test]
    fn the_approximation_is_near_the_ratio_where_both_are_good() {
        let counts = PairCounts([379, 10_170, 21_828, 10_640, 343]);
        let found = approximation(&Shares::of(&counts), 0.0, 0.008);
        assert!((found - of_t_values(&counts, 0.0, 0.008)).abs() < 0.01, "{found}");
    }

    #[test]
    fn counts_far_from_both_hypotheses_have_a_finite_ratio() {
        for counts in [[20, 0, 0, 0, 0], [0, 0, 0, 0, 20], [0, 0, 7, 0, 0], [0, 1, 0, 0, 0], [0; 5]] {
            for (t_0, t_1) in [(-6.1, -2.0), (-8.0, 8.0), (2.0, 6.1), (0.0, 0.02)] {
                let ratio = of_t_values(&PairCounts(counts), t_0, t_1);
                assert!(ratio.is_finite(), "{counts:?} {t_0} {t_1}: {ratio}");
            }
        }
    }
}
