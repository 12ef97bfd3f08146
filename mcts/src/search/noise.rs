//! Noise for the root.

use heng_env::Rng;
use rand::RngExt;
use rand_distr::{Distribution, Gamma};

/// `count` independent numbers of the standard Gumbel distribution.
pub(super) fn gumbel(count: usize, rng: &mut Rng) -> Vec<f32> {
    (0..count)
        .map(|_| {
            // 1 - u lies in (0, 1], so the inner logarithm is finite; the bound keeps the outer one so.
            let exponential = -(1.0 - rng.random::<f64>()).ln();
            -exponential.max(f64::MIN_POSITIVE).ln() as f32
        })
        .collect()
}

/// A draw of the symmetric Dirichlet distribution over `count` actions whose parameters sum to `total`: many actions
/// share the noise instead of getting more of it.
pub(super) fn dirichlet(count: usize, total: f32, rng: &mut Rng) -> Vec<f32> {
    let even = vec![1.0 / count as f32; count];
    let Ok(gamma) = Gamma::new(f64::from(total) / count as f64, 1.0) else { return even };
    let draws: Vec<f64> = (0..count).map(|_| gamma.sample(rng)).collect();
    let sum: f64 = draws.iter().sum();
    if sum > 0.0 { draws.iter().map(|draw| (draw / sum) as f32).collect() } else { even }
}
