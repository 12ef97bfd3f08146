//! An impossible value in a configuration.

use thiserror::Error;

/// A key whose value is impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{key}` {problem}")]
pub struct InvalidKey {
    /// The key, inside its section.
    pub key: String,
    /// What is wrong, with what was expected and the value that was found.
    pub problem: String,
}

impl InvalidKey {
    /// A problem with `key`.
    pub fn new(key: impl Into<String>, problem: impl Into<String>) -> InvalidKey {
        InvalidKey { key: key.into(), problem: problem.into() }
    }

    /// Checks that `value` lies between `least` and `most`, both included.
    pub(crate) fn check_range(key: &str, value: f64, least: f64, most: f64) -> Result<(), InvalidKey> {
        if (least..=most).contains(&value) {
            return Ok(());
        }
        Err(InvalidKey::new(key, format!("must be from {least} to {most}, found {value}")))
    }

    /// The same problem, with the key written from the root of the configuration.
    #[must_use]
    pub fn inside(self, section: &str) -> InvalidKey {
        InvalidKey { key: format!("{section}.{}", self.key), ..self }
    }
}
