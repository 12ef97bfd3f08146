//! The figures that fastchess, fishtest and OpenBench print about pairs besides the Elo difference.

use serde::Serialize;

use super::{PairCounts, Z95};

/// Normalized Elo of a mean that is one deviation of a game above one half: 800 / ln 10, so that it agrees with logistic
/// Elo for small differences where nothing is drawn (M. Van den Bergh, "Normalized Elo").
pub(super) const NORMALIZED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Pairs in the figures of fastchess. A figure whose denominator is 0 is missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairStatistics {
    /// The surplus over one half in deviations of a game, in units of Elo.
    pub nelo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub nelo_error_95: Option<f64>,
    /// The share of pairs with one point for each player, as fastchess has it, not of drawn games.
    pub draw_ratio: f64,
    /// Pairs of more than one point over pairs of less.
    pub pairs_ratio: Option<f64>,
}

impl PairStatistics {
    /// The figures of `counts`; nothing if there are no pairs.
    pub fn of(counts: &PairCounts) -> Option<PairStatistics> {
        let [lost_both, lost, level, won, won_both] = counts.0;
        let pairs = counts.pairs();
        if pairs == 0 {
            return None;
        }
        let variance = counts.variance();
        // A pair's mean score varies half as much as a game.
        let nelo = (variance > 0.0).then(|| (counts.score() - 0.5) / (2.0 * variance).sqrt() * NORMALIZED_ELO + 0.0);
        // The deviation is taken as known, as in fastchess (`elo_pentanomial.cpp`): its own error matters for
        // differences of hundreds only. Then it cancels, and the width depends on the number of pairs alone.
        let nelo_error_95 = nelo.map(|_| Z95 * NORMALIZED_ELO / (2.0 * pairs as f64).sqrt());
        Some(PairStatistics {
            nelo,
            nelo_error_95,
            draw_ratio: level as f64 / pairs as f64,
            pairs_ratio: (lost_both + lost > 0).then(|| (won + won_both) as f64 / (lost_both + lost) as f64),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_without_a_denominator_are_missing() {
        assert_eq!(PairStatistics::of(&PairCounts::default()), None);
        let found = PairStatistics::of(&PairCounts([0, 0, 0, 0, 9])).unwrap();
        assert_eq!((found.nelo, found.nelo_error_95, found.pairs_ratio, found.draw_ratio), (None, None, None, 0.0));
        let found = PairStatistics::of(&PairCounts([2, 0, 1, 0, 0])).unwrap();
        assert_eq!(found.pairs_ratio, Some(0.0));
    }
}
