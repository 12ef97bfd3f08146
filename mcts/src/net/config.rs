//! The size of a network, as it is written in a run's configuration.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A size of the network that is out of range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("net.{key} = {value}: expected {least} to {most}")]
pub struct NetConfigError {
    /// The key in the `[net]` table.
    pub key: &'static str,
    /// What was found.
    pub value: usize,
    /// The smallest value that works.
    pub least: usize,
    /// The largest value that is allowed.
    pub most: usize,
}

/// How large the network is: a residual trunk of `blocks` × `channels`, and its heads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Features of every square in the trunk.
    pub channels: usize,
    /// Residual blocks, of two 3×3 convolutions each.
    pub blocks: usize,
    /// Every so many blocks one sees the whole board through its mean and maximum; 0 for none.
    pub pooling_every: usize,
    /// Length of the vectors of start and end squares whose product is the logit of a move.
    pub policy_channels: usize,
    /// Features of every square that the value head pools.
    pub value_channels: usize,
    /// Hidden units of the value head.
    pub value_hidden: usize,
    /// Whether there are heads that only learning uses (`learn.soft_policy_weight` and the like). They take up space in the
    /// files of a network and no time of self-play.
    pub auxiliary_heads: bool,
}

impl Default for NetConfig {
    fn default() -> NetConfig {
        NetConfig {
            channels: 32,
            blocks: 3,
            pooling_every: 2,
            policy_channels: 16,
            value_channels: 16,
            value_hidden: 32,
            auxiliary_heads: false,
        }
    }
}

impl NetConfig {
    /// Checks every size.
    ///
    /// # Errors
    /// [`NetConfigError`] for the first size that is out of range.
    pub fn validate(&self) -> Result<(), NetConfigError> {
        let ranges = [
            ("channels", self.channels, 8, 512),
            ("blocks", self.blocks, 1, 64),
            ("pooling_every", self.pooling_every, 0, 64),
            ("policy_channels", self.policy_channels, 4, 256),
            ("value_channels", self.value_channels, 4, 256),
            ("value_hidden", self.value_hidden, 4, 1024),
        ];
        for (key, value, least, most) in ranges {
            if value < least || value > most {
                return Err(NetConfigError { key, value, least, most });
            }
        }
        Ok(())
    }

    /// Whether the block with this index, from 0, sees the whole board.
    pub(crate) fn pools(&self, block: usize) -> bool {
        self.pooling_every > 0 && (block + 1).is_multiple_of(self.pooling_every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_out_of_range_is_named_with_its_key() {
        let config = NetConfig { channels: 0, ..NetConfig::default() };
        assert_eq!(config.validate().unwrap_err().to_string(), "net.channels = 0: expected 8 to 512");
        assert_eq!(NetConfig::default().validate(), Ok(()));
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        let error = serde_json::from_str::<NetConfig>(r#"{"chanels": 32}"#).unwrap_err();
        assert!(error.to_string().contains("chanels"), "{error}");
    }
}
