//! The settings of learning, as they are written in a run's configuration.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnerConfig {
    /// How much of each weight, times the learning rate, decays a step; biases do not.
    pub weight_decay: f32,
    /// AdamW's memory of the gradient.
    pub beta1: f32,
    /// AdamW's memory of the squared gradient.
    pub beta2: f32,
    /// The largest norm of the gradient over all weights; longer ones are scaled down.
    pub clip_norm: f32,
    /// Memory of the averaged weights that play.
    pub ema_decay: f32,
    /// Weight of the value in the loss; the policy's is 1.
    pub value_weight: f32,
    /// Weight of the steps left in the loss.
    pub steps_left_weight: f32,
    /// Weight of the final score in the loss.
    pub score_weight: f32,
    /// Weight of the soft policy in the loss; 0 switches it off. This weight and the two that follow need
    /// [`NetConfig::auxiliary_heads`](super::NetConfig::auxiliary_heads).
    ///
    /// A policy head of its own learns the target to the power 1/4, made to sum to one, so that the steps that are not best
    /// are told apart, too: Wu, "Other methods implemented in KataGo", "auxiliary soft policy target", with a weight of 8
    /// (<https://github.com/lightvector/KataGo/blob/master/docs/KataGoMethods.md>).
    pub soft_policy_weight: f32,
    /// Weight of the short-term value in the loss; 0 switches it off.
    ///
    /// Chances of the side to act as the searches of the next turns will see them, over two
    /// [horizons](super::SHORT_TERM_HORIZONS): less noise than the result, and sooner known. Wu, "Other methods implemented in
    /// KataGo", "short-term value and score targets".
    pub short_term_value_weight: f32,
    /// Weight of the opponent's reply in the loss; 0 switches it off.
    ///
    /// The policy of the first step of the other side's next turn that is searched: Wu, "Accelerating self-play learning in
    /// Go", 2019, section 3.4, with a weight of 0.15.
    pub opponent_reply_weight: f32,
    /// Parts into which a batch is split, up to as many threads can work on it. Parts of 8 to 32 rows stay in the
    /// processor's cache and are the fastest. The number changes rounding, so it belongs to the run and not to the machine.
    pub shards: usize,
}

impl Default for LearnerConfig {
    fn default() -> LearnerConfig {
        LearnerConfig {
            weight_decay: 0.01,
            beta1: 0.9,
            beta2: 0.999,
            clip_norm: 5.0,
            ema_decay: 0.99,
            value_weight: 1.0,
            steps_left_weight: 0.1,
            score_weight: 0.2,
            soft_policy_weight: 0.0,
            short_term_value_weight: 0.0,
            opponent_reply_weight: 0.0,
            shards: 16,
        }
    }
}

/// A setting of learning that is out of range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("learn.{key} = {value}: expected {expected}")]
pub struct LearnerConfigError {
    /// The key.
    pub key: &'static str,
    /// What was found.
    pub value: f64,
    /// What would have been right.
    pub expected: &'static str,
}

impl LearnerConfig {
    /// Checks every setting.
    ///
    /// # Errors
    /// [`LearnerConfigError`] for the first setting that is out of range.
    pub fn validate(&self) -> Result<(), LearnerConfigError> {
        let fraction = |value: f32| (0.0..1.0).contains(&value);
        let not_negative = |value: f32| value >= 0.0 && value.is_finite();
        let checks = [
            ("weight_decay", self.weight_decay, not_negative(self.weight_decay), "0 or more"),
            ("beta1", self.beta1, fraction(self.beta1), "at least 0 and below 1"),
            ("beta2", self.beta2, fraction(self.beta2), "at least 0 and below 1"),
            ("clip_norm", self.clip_norm, self.clip_norm > 0.0, "more than 0"),
            ("ema_decay", self.ema_decay, fraction(self.ema_decay), "at least 0 and below 1"),
            ("value_weight", self.value_weight, not_negative(self.value_weight), "0 or more"),
            ("steps_left_weight", self.steps_left_weight, not_negative(self.steps_left_weight), "0 or more"),
            ("score_weight", self.score_weight, not_negative(self.score_weight), "0 or more"),
            ("soft_policy_weight", self.soft_policy_weight, not_negative(self.soft_policy_weight), "0 or more"),
            (
                "short_term_value_weight",
                self.short_term_value_weight,
                not_negative(self.short_term_value_weight),
                "0 or more",
            ),
            (
                "opponent_reply_weight",
                self.opponent_reply_weight,
                not_negative(self.opponent_reply_weight),
                "0 or more",
            ),
            ("shards", self.shards as f32, (1..=256).contains(&self.shards), "1 to 256"),
        ];
        for (key, value, good, expected) in checks {
            if !good {
                // Through text, so that 0.1 is not shown as 0.10000000149.
                let value = value.to_string().parse().unwrap_or(f64::NAN);
                return Err(LearnerConfigError { key, value, expected });
            }
        }
        Ok(())
    }

    /// The weights of the heads that only learning uses, with their keys.
    pub fn auxiliary_weights(&self) -> [(&'static str, f32); 3] {
        [
            ("soft_policy_weight", self.soft_policy_weight),
            ("short_term_value_weight", self.short_term_value_weight),
            ("opponent_reply_weight", self.opponent_reply_weight),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_out_of_range_is_named_with_its_key() {
        let config = LearnerConfig { beta2: 1.5, ..LearnerConfig::default() };
        let error = config.validate().unwrap_err().to_string();
        assert_eq!(error, "learn.beta2 = 1.5: expected at least 0 and below 1");
        let config = LearnerConfig { clip_norm: f32::NAN, ..LearnerConfig::default() };
        assert!(config.validate().is_err());
        assert_eq!(LearnerConfig::default().validate(), Ok(()));
    }
}
