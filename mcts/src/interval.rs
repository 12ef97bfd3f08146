//! Student's distribution, as far as intervals over a few seeds or positions need it.

/// The 97.5 % quantile for 1, 2, … degrees of freedom (Fisher and Yates, Statistical Tables, 1963, table III).
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// How many standard errors the 95 % interval of a mean reaches to each side, with so many degrees of freedom (at least one).
pub fn quantile(degrees: usize) -> f64 {
    let index = degrees.max(1) - 1;
    // Beyond the table: the normal quantile z with its first correction (z³ + z) / 4ν (Abramowitz and Stegun 26.7.5).
    QUANTILES.get(index).copied().unwrap_or_else(|| 1.960 + 2.372 / degrees as f64)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn the_quantile_falls_to_that_of_the_normal_distribution() {
        for (degrees, expected) in [(1, 12.706), (2, 4.303), (30, 2.042), (40, 2.021), (120, 1.980), (100_000, 1.960)] {
            assert!((quantile(degrees) - expected).abs() < 2e-3, "{degrees}: {}", quantile(degrees));
        }
    }
}
