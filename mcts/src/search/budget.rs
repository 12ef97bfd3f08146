//! How much one step's search may spend.

use super::config::SearchConfig;

/// What a search spends on one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// New simulations; those in a kept subtree come on top.
    pub simulations: u32,
    /// Leaves that may be out for evaluation at once.
    pub leaves_in_flight: u32,
}

impl Budget {
    /// What the settings say.
    pub fn of(config: &SearchConfig) -> Budget {
        Budget { simulations: config.simulations, leaves_in_flight: config.leaves_in_flight }
    }
}
