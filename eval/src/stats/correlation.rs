//! How far two series of numbers go together.

use super::Z95;

/// Pearson's correlation with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Correlation {
    /// From -1 to 1.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The correlation of pairs; none of fewer than four, or where one of the series does not vary.
///
/// The interval is Fisher's (1921): the inverse hyperbolic tangent of the correlation has a standard error of 1 / √(n - 3).
pub fn correlation(pairs: &[(f64, f64)]) -> Option<Correlation> {
    let count = pairs.len() as f64;
    if pairs.len() < 4 {
        return None;
    }
    let (x_mean, y_mean) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0 / count, y + pair.1 / count));
    let sum = |term: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|&(x, y)| term(x - x_mean, y - y_mean)).sum::<f64>();
    let (xx, yy, xy) = (sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y));
    // What is left of equal numbers is rounding.
    let tiny = 1e-12 * count;
    if xx < tiny || yy < tiny {
        return None;
    }
    let value = (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0);
    let half = Z95 / (count - 3.0).sqrt();
    let end = |side: f64| (value.atanh() + side * half).tanh();
    let (low, high) = if value.abs() < 1.0 { (end(-1.0), end(1.0)) } else { (value, value) };
    Some(Correlation { value, low, high })
}

/// The rank of each number, from 1; equal numbers share the mean of theirs. The correlation of ranks is Spearman's.
pub fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut before = 0;
    for equal in order.chunk_by(|&one, &other| numbers[one] == numbers[other]) {
        let mean = before as f64 + (equal.len() + 1) as f64 / 2.0;
        equal.iter().for_each(|&index| ranks[index] = mean);
        before += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_have_their_known_values() {
        // Anscombe 1973: all four sets have a correlation of 0.816; this is the first.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let pairs: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let found = correlation(&pairs).unwrap();
        assert!((found.value - 0.816_421).abs() < 1e-6, "{found:?}");
        assert!((found.low - 0.4244).abs() < 1e-3 && (found.high - 0.9507).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        assert_eq!(correlation(&[(1.0, 2.0), (1.0, 3.0), (1.0, 4.0), (1.0, 5.0)]), None);
        assert_eq!(correlation(&[(1.0, 2.0), (2.0, 3.0)]), None);
    }

    #[test]
    fn equal_numbers_share_their_rank() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0, 3.0]), [4.0, 1.0, 4.0, 2.0, 4.0]);
    }
}
