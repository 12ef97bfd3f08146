//! What 95 % intervals are made of: the quantiles of the normal and of Student's distribution, and Wilson's interval.

/// Half the width of the central 95 % of a standard normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The 97.5 % quantile of Student's distribution for 1, 2, … degrees of freedom (Fisher and Yates, Statistical Tables, 1963, table III).
const QUANTILES: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// How many standard errors the 95 % interval of a mean reaches to each side, with so many degrees of freedom (at least one).
pub fn student_quantile(degrees: usize) -> f64 {
    let index = degrees.max(1) - 1;
    // Beyond the table: the normal quantile z with its first correction (z³ + z) / 4ν (Abramowitz and Stegun 26.7.5).
    QUANTILES.get(index).copied().unwrap_or_else(|| 1.960 + 2.372 / degrees as f64)
}

/// Wilson's score interval (1927) of a share that was `share` in `trials` independent trials. Unlike the plain normal
/// interval it stays within 0 and 1, and has a width at the ends of the scale.
pub fn wilson_interval(share: f64, trials: f64, z: f64) -> (f64, f64) {
    let spread = z * z / trials;
    let center = (share + spread / 2.0) / (1.0 + spread);
    let half = z / (1.0 + spread) * (share * (1.0 - share) / trials + spread / (4.0 * trials)).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_falls_to_that_of_the_normal_distribution() {
        for (degrees, expected) in [(1, 12.706), (2, 4.303), (30, 2.042), (40, 2.021), (120, 1.980), (100_000, 1.960)] {
            assert!((student_quantile(degrees) - expected).abs() < 2e-3, "{degrees}: {}", student_quantile(degrees));
        }
    }

    #[test]
    fn wilson_intervals_have_their_known_values() {
        // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        for (count, trials, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let (found_low, found_high) = wilson_interval(count / trials, trials, Z95);
            assert!((found_low - low).abs() < 5e-5 && (found_high - high).abs() < 5e-5, "{found_low} {found_high}");
        }
    }
}
