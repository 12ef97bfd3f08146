//! The tables of a configuration file that belong to the training loop; every key has a default.

use heng_mcts::net::DeviceName;
use serde::{Deserialize, Serialize};

use crate::InvalidKey;
use crate::benchmark::Opponent;

/// `[run]`: how long and on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunConfig {
    /// The run is done after this many iterations; 0 sets no such limit.
    pub iterations: u64,
    /// The run is done after this many minutes of wall-clock time; 0 sets no such limit. Resuming starts the clock anew.
    pub minutes: f64,
    /// Where the network runs: `flex` (this computer's processor), `cuda:0` or `wgpu`.
    pub device: DeviceName,
    /// Threads; 0 uses every core. What is played and learnt does not depend on it.
    pub threads: usize,
}

impl Default for RunConfig {
    fn default() -> RunConfig {
        RunConfig { iterations: 0, minutes: 0.0, device: DeviceName::Flex, threads: 0 }
    }
}

impl RunConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        InvalidKey::check_range("minutes", self.minutes, 0.0, 10_000_000.0)?;
        if self.threads > 1024 {
            return Err(InvalidKey::new("threads", format!("must be from 0 to 1024, found {}", self.threads)));
        }
        Ok(())
    }

    /// The number of threads, with 0 made into the number of cores.
    pub fn thread_count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// How the learning rate changes after the warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decay {
    /// It stays as it is.
    Constant,
    /// It falls along half a cosine over the iterations or minutes of the run, and needs one of the two limits.
    Cosine,
}

/// `[schedule]`: the batches and the learning rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScheduleConfig {
    /// Positions in a batch.
    pub batch: usize,
    /// Learning rate after the warm-up.
    pub learning_rate: f32,
    /// Learning steps over which the rate rises from zero.
    pub warmup_steps: u64,
    /// `constant` or `cosine`.
    pub decay: Decay,
    /// Learning rate at the end of a `cosine`.
    pub final_learning_rate: f32,
}

impl Default for ScheduleConfig {
    fn default() -> ScheduleConfig {
        ScheduleConfig {
            batch: 256,
            learning_rate: 1e-3,
            warmup_steps: 100,
            decay: Decay::Constant,
            final_learning_rate: 1e-4,
        }
    }
}

impl ScheduleConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        if !(1..=65_536).contains(&self.batch) {
            return Err(InvalidKey::new("batch", format!("must be from 1 to 65536, found {}", self.batch)));
        }
        for (key, value) in [("learning_rate", self.learning_rate), ("final_learning_rate", self.final_learning_rate)] {
            if !(value > 0.0 && value <= 1.0) {
                return Err(InvalidKey::new(key, format!("must be above 0 and at most 1, found {value}")));
            }
        }
        Ok(())
    }

    /// The learning rate of the learning step `step`, from 0, when `done` (0 to 1) of the run is over.
    pub fn learning_rate(&self, step: u64, done: f64) -> f32 {
        let warm = if step < self.warmup_steps { (step + 1) as f32 / self.warmup_steps as f32 } else { 1.0 };
        let rate = match self.decay {
            Decay::Constant => self.learning_rate,
            Decay::Cosine => {
                let remaining = 0.5 * (1.0 + (std::f64::consts::PI * done.clamp(0.0, 1.0)).cos()) as f32;
                self.final_learning_rate + (self.learning_rate - self.final_learning_rate) * remaining
            }
        };
        warm * rate
    }
}

/// `[after]`: games that show what the finished run is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AfterConfig {
    /// Games against each opponent, in pairs of the same start with colours swapped; 0 plays none.
    pub games: usize,
    /// Opponents: `random`, `rollout:N`, a tree search of N random playouts a step, or `alphabeta:D`, a search of D turns.
    pub opponents: Vec<String>,
    /// Simulations of the trained agent in each step.
    pub simulations: u32,
}

impl Default for AfterConfig {
    fn default() -> AfterConfig {
        AfterConfig { games: 0, opponents: vec!["random".to_owned(), "rollout:200".to_owned()], simulations: 64 }
    }
}

impl AfterConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        InvalidKey::check_range("games", self.games as f64, 0.0, 100_000.0)?;
        if !self.games.is_multiple_of(2) {
            return Err(InvalidKey::new("games", format!("must be even, for pairs, found {}", self.games)));
        }
        if self.simulations == 0 {
            return Err(InvalidKey::new("simulations", "must be at least 1, found 0"));
        }
        for opponent in &self.opponents {
            opponent.parse::<Opponent>().map_err(|error| InvalidKey::new("opponents", error.to_string()))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_warms_up_and_falls_along_a_cosine() {
        let config = ScheduleConfig {
            learning_rate: 1.0,
            final_learning_rate: 0.1,
            warmup_steps: 10,
            decay: Decay::Cosine,
            ..ScheduleConfig::default()
        };
        let rates = [(0, 0.0, 0.1), (9, 0.0, 1.0), (100, 0.0, 1.0), (100, 0.5, 0.55), (100, 1.0, 0.1), (100, 7.0, 0.1)];
        for (step, done, expected) in rates {
            let found = config.learning_rate(step, done);
            assert!((found - expected).abs() < 1e-6, "step {step}, {done} done: {found}, expected {expected}");
        }
        let constant = ScheduleConfig { decay: Decay::Constant, warmup_steps: 0, ..config };
        assert_eq!(constant.learning_rate(0, 0.9), 1.0);
    }

    #[test]
    fn impossible_values_are_reported_by_key() {
        let schedule = ScheduleConfig::default();
        let after = AfterConfig::default();
        let run = RunConfig::default();
        let found = [
            ScheduleConfig { batch: 0, ..schedule.clone() }.validate(),
            ScheduleConfig { learning_rate: f32::NAN, ..schedule.clone() }.validate(),
            ScheduleConfig { final_learning_rate: 0.0, ..schedule }.validate(),
            AfterConfig { games: 3, ..after.clone() }.validate(),
            AfterConfig { games: usize::MAX - 1, ..after.clone() }.validate(),
            AfterConfig { simulations: 0, ..after.clone() }.validate(),
            AfterConfig { opponents: vec!["stockfish".to_owned()], ..after }.validate(),
            RunConfig { minutes: -1.0, ..run.clone() }.validate(),
            RunConfig { threads: 5000, ..run }.validate(),
        ];
        let keys: Vec<String> = found.into_iter().map(|result| result.unwrap_err().key).collect();
        let expected = [
            "batch",
            "learning_rate",
            "final_learning_rate",
            "games",
            "games",
            "simulations",
            "opponents",
            "minutes",
            "threads",
        ];
        assert_eq!(keys, expected);
    }
}
