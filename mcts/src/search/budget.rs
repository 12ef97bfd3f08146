//! How much one step's search may spend.

use super::config::SearchConfig;

/// What a search spends on one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// New simulations; those in a kept subtree come on top.
    pub simulations: u32,
    /// Leaves that may be out for evaluation at once.
    pub leaves_in_flight: u32,
    /// Noise at the root.
    pub explores: bool,
}

impl Budget {
    /// What the settings say.
    pub fn of(config: &SearchConfig) -> Budget {
        let SearchConfig { simulations, leaves_in_flight, explore, .. } = *config;
        Budget { simulations, leaves_in_flight, explores: explore }
    }
}
