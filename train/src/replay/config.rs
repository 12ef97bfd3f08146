//! The `[replay]` section of a configuration.

use serde::{Deserialize, Serialize};

use crate::InvalidKey;

/// `[replay]`: which positions are learnt from, how often, and towards what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReplayConfig {
    /// Positions that must be there before the first learning step.
    pub min_positions: u64,
    /// Positions in the window before it starts to grow more slowly than the run; all are in it until then.
    pub window_min: u64,
    /// Positions in the window at most, which bounds the memory it takes: about 0.5 kB a position.
    pub window_max: u64,
    /// How the window grows beyond `window_min` with the positions of the whole run: `1` in proportion to them, less
    /// sublinearly.
    ///
    /// For `n` positions so far the window is `c (1 + b ((n / c)^a - 1) / a)`, with `c` = `window_min`,
    /// `a` = `window_growth_exponent` and `b` = `window_growth`: Wu, "Accelerating self-play learning in Go", 2019,
    /// which takes c = 250,000, a = 0.75 and b = 0.4.
    pub window_growth_exponent: f64,
    /// Growth of the window where it starts to grow, in positions for each new position.
    pub window_growth: f64,
    /// How often a new position is used for learning on average.
    pub replay_ratio: f64,
    /// Share of the search's value in the value target, from 0 to 1; the rest is the result of the game.
    ///
    /// The result is unbiased but noisy; the root value has less noise and the bias of the network. A mixture learns
    /// faster than the result alone: Prasad, "Lessons from AlphaZero (part 4): improving the training target", 2018.
    pub root_value_share: f32,
    /// Share of each iteration's evaluations that goes to positions of earlier iterations in the window: they are searched
    /// anew with the newest network, and learnt from with the policy and the root value that this finds. 0 searches none.
    ///
    /// The files of the games stay as they are. A run that is resumed reads them again, and with them the targets of the
    /// searches that played: those found since are lost. MuZero Reanalyze: Schrittwieser et al., "Mastering Atari, Go, chess and
    /// shogi by planning with a learned model", 2020, appendix H; "Online and offline reinforcement learning by planning with a
    /// learned model", 2021.
    pub reanalysis_share: f64,
    /// Whether half of the sampled positions are mirrored left to right.
    pub mirror: bool,
    /// Newest games files that are kept on disk; 0 keeps them all. Files that the window needs are never removed.
    pub keep_chunks: usize,
}

impl Default for ReplayConfig {
    fn default() -> ReplayConfig {
        ReplayConfig {
            min_positions: 4_096,
            window_min: 50_000,
            window_max: 500_000,
            window_growth_exponent: 0.75,
            window_growth: 0.4,
            replay_ratio: 4.0,
            root_value_share: 0.25,
            reanalysis_share: 0.0,
            mirror: true,
            keep_chunks: 0,
        }
    }
}

impl ReplayConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        if self.min_positions == 0 {
            return Err(InvalidKey::new("min_positions", "must be at least 1, found 0"));
        }
        if self.window_min == 0 {
            return Err(InvalidKey::new("window_min", "must be at least 1, found 0"));
        }
        if self.window_max < self.window_min {
            let problem = format!("must be at least window_min = {}, found {}", self.window_min, self.window_max);
            return Err(InvalidKey::new("window_max", problem));
        }
        InvalidKey::check_range("window_growth_exponent", self.window_growth_exponent, 0.01, 1.0)?;
        InvalidKey::check_range("window_growth", self.window_growth, 0.0, 1.0)?;
        InvalidKey::check_range("replay_ratio", self.replay_ratio, 0.01, 1000.0)?;
        InvalidKey::check_range("root_value_share", f64::from(self.root_value_share), 0.0, 1.0)?;
        // Something has to be left for new games.
        InvalidKey::check_range("reanalysis_share", self.reanalysis_share, 0.0, 0.9)
    }

    /// Size of the window, in positions, after `total` positions of the whole run.
    pub fn window_size(&self, total: u64) -> u64 {
        if total <= self.window_min {
            return self.window_min;
        }
        let (start, exponent) = (self.window_min as f64, self.window_growth_exponent);
        let growth = self.window_growth * ((total as f64 / start).powf(exponent) - 1.0) / exponent;
        let size = start * (1.0 + growth);
        (size as u64).min(self.window_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_as_in_the_paper() {
        let config = ReplayConfig { window_min: 250_000, window_max: u64::MAX, ..ReplayConfig::default() };
        assert_eq!(config.window_size(0), 250_000);
        assert_eq!(config.window_size(250_000), 250_000);
        // The paper's window for its 241 million samples is about 22 million.
        let large = config.window_size(241_000_000);
        assert!((21_000_000..23_500_000).contains(&large), "{large}");
        let bounded = ReplayConfig { window_max: 300_000, ..config };
        assert_eq!(bounded.window_size(241_000_000), 300_000);
    }

    #[test]
    fn impossible_values_are_reported_by_key() {
        let default = ReplayConfig::default();
        default.validate().unwrap();
        let wrong = [
            ("min_positions", ReplayConfig { min_positions: 0, ..default.clone() }),
            ("replay_ratio", ReplayConfig { replay_ratio: 0.0, ..default.clone() }),
            ("window_min", ReplayConfig { window_min: 0, ..default.clone() }),
            ("window_max", ReplayConfig { window_max: 1, ..default.clone() }),
            ("window_growth_exponent", ReplayConfig { window_growth_exponent: 0.0, ..default.clone() }),
            ("window_growth", ReplayConfig { window_growth: f64::NAN, ..default.clone() }),
            ("root_value_share", ReplayConfig { root_value_share: 1.5, ..default.clone() }),
            ("reanalysis_share", ReplayConfig { reanalysis_share: 1.0, ..default.clone() }),
        ];
        for (key, config) in wrong {
            assert_eq!(config.validate().unwrap_err().key, key);
        }
    }
}
