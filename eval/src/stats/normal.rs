//! The normal distribution.

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

#[cfg(test)]
mod tests {
    use super::super::Z95;
    use super::*;

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (z, chance) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (Z95, 0.975), (-1.644_853_627, 0.05), (3.0, 0.998_650_102), (-9.0, 0.0)]
        {
            assert!((likelihood_below(z) - chance).abs() < 2e-7, "{z}: {}", likelihood_below(z));
        }
    }
}
