//! How a network plays: a forward pass without gradients.

use std::sync::Arc;

use super::device::Device;
use super::network::Network;

/// A network ready to play. Cheap to clone, for one evaluator a thread.
#[derive(Clone, Debug)]
pub struct PlayNet {
    network: Arc<Network>,
    device: Device,
}

impl PlayNet {
    /// Prepares `network` to play on `device`.
    pub fn new(network: &Network, device: &Device) -> PlayNet {
        PlayNet { network: Arc::new(network.clone()), device: device.clone() }
    }

    /// The network that plays.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.device
    }
}
