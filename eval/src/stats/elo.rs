//! The logistic Elo model: a difference of 400 is odds of ten to one.

/// The Elo difference at which `score`, strictly between 0 and 1, is expected.
pub fn elo_of_score(score: f64) -> f64 {
    // The sum avoids the minus zero of an even score.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The score, between 0 and 1, that is expected of a player who is `elo` stronger.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scores_have_their_elo() {
        for (score, elo) in [(0.5, 0.0), (10.0 / 11.0, 400.0), (0.75, 190.848_5), (0.64, 99.951), (0.25, -190.848_5)] {
            assert!((elo_of_score(score) - elo).abs() < 1e-3, "{score}: {}", elo_of_score(score));
            assert!((score_of_elo(elo_of_score(score)) - score).abs() < 1e-12);
        }
        assert!(elo_of_score(0.5).is_sign_positive());
    }
}
