//! What stays fixed during a game, and the settings that change it.

use std::sync::Arc;

use super::fen;
use super::position::Position;
use crate::variants::{Settings, VariantError};

/// Settings of `xiangqi`.
pub const KEYS: &[&str] = &["quiet_limit"];

/// Moves without a capture after which a game is a draw: 60 rounds (RULES 2).
const QUIET_LIMIT: u16 = 120;

/// What stays fixed during a game.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Moves of both sides without a capture after which the game is a draw.
    pub quiet_limit: u16,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { quiet_limit: QUIET_LIMIT }
    }
}

impl Rules {
    /// The start of every game.
    pub(super) fn start_position(&self) -> Position {
        fen::read(self, fen::START).expect("the start is a position")
    }
}

/// `xiangqi` under `settings`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn rules(settings: &Settings<'_>) -> Result<Arc<Rules>, VariantError> {
    let quiet_limit = settings.get("quiet_limit", |text| match text.parse() {
        Ok(limit @ 1..=10_000) => Ok(limit),
        _ => Err(format!("`{text}` is not a number of moves from 1 to 10000")),
    })?;
    Ok(Arc::new(Rules { quiet_limit: quiet_limit.unwrap_or(QUIET_LIMIT) }))
}
