//! The `[rating]` and `[gating]` sections of a configuration.

use serde::{Deserialize, Serialize};

use crate::InvalidKey;

/// `[rating]`: how the run's networks are rated while it learns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RatingConfig {
    /// Every so many iterations, and at the end of the run, the newest network is rated; 0 rates none.
    pub every: u64,
    /// Games of a rating, in pairs with colours swapped.
    pub games: u64,
    /// Simulations of the network in each step.
    pub simulations: u32,
    /// The ladder, a file that `eval tournament --save-ladder` wrote; empty for `configs/ladders/NAME.toml`, NAME being that of
    /// the variant. A run keeps a copy of it.
    pub ladder: String,
}

impl Default for RatingConfig {
    fn default() -> RatingConfig {
        RatingConfig { every: 0, games: 80, simulations: 64, ladder: String::new() }
    }
}

impl RatingConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        check_games("games", self.games)?;
        if self.simulations == 0 {
            return Err(InvalidKey::new("simulations", "must be at least 1, found 0"));
        }
        Ok(())
    }
}

/// `[gating]`: whether a new network has to beat the one that plays before it takes its place in self-play.
///
/// Silver et al. 2017 ("Mastering the game of Go without human knowledge") let a network play on only if it won 55 % of 400 games
/// against the best one; AlphaZero (2018) did without, which is what happens where this is off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GatingConfig {
    /// Every so many iterations the newest network challenges the one that plays; 0 lets the newest always play.
    pub every: u64,
    /// Games of a challenge, in pairs with colours swapped.
    pub games: u64,
    /// Share of the points that the newest has to make.
    pub score: f64,
    /// Simulations of both in each step.
    pub simulations: u32,
}

impl Default for GatingConfig {
    fn default() -> GatingConfig {
        GatingConfig { every: 0, games: 80, score: 0.55, simulations: 32 }
    }
}

impl GatingConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        check_games("games", self.games)?;
        InvalidKey::check_range("score", self.score, 0.0, 1.0)?;
        if self.simulations == 0 {
            return Err(InvalidKey::new("simulations", "must be at least 1, found 0"));
        }
        Ok(())
    }
}

fn check_games(key: &str, games: u64) -> Result<(), InvalidKey> {
    InvalidKey::check_range(key, games as f64, 2.0, 100_000.0)?;
    if !games.is_multiple_of(2) {
        return Err(InvalidKey::new(key, format!("must be even, for pairs, found {games}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_values_are_reported_by_key() {
        let (rating, gating) = (RatingConfig::default(), GatingConfig::default());
        let found = [
            ("games", RatingConfig { games: 3, ..rating.clone() }.validate()),
            ("games", RatingConfig { games: 0, ..rating.clone() }.validate()),
            ("simulations", RatingConfig { simulations: 0, ..rating }.validate()),
            ("games", GatingConfig { games: 0, ..gating.clone() }.validate()),
            ("score", GatingConfig { score: 1.5, ..gating.clone() }.validate()),
            ("score", GatingConfig { score: f64::NAN, ..gating.clone() }.validate()),
            ("simulations", GatingConfig { simulations: 0, ..gating }.validate()),
        ];
        for (key, result) in found {
            assert_eq!(result.unwrap_err().key, key);
        }
    }
}
