//! The normal distribution and intervals that come from it.

/// Half the width of the central 95 % of a standard normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The chance that a standard normal variable is below `z`, to seven digits.
///
/// By the complementary error function of Numerical Recipes (Press et al., section 6.2).
pub fn likelihood_below(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * x);
    const COEFFICIENTS: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient);
    let upper_tail = 0.5 * t * (series - x * x).exp();
    if z > 0.0 { 1.0 - upper_tail } else { upper_tail }
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
    fn the_normal_distribution_has_its_known_values() {
        for (z, chance) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (Z95, 0.975), (-1.644_853_627, 0.05), (3.0, 0.998_650_102), (-9.0, 0.0)]
        {
            assert!((likelihood_below(z) - chance).abs() < 2e-7, "{z}: {}", likelihood_below(z));
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
