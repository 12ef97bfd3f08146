//! Where the networks of a command run.

use heng_mcts::net::{Device, DeviceError, DeviceName};

/// The option of every command that runs a network.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct DeviceArgs {
    /// Where networks run: flex (this computer's processor), cuda:N or wgpu
    #[arg(long, value_name = "DEVICE", default_value_t = DeviceName::Flex)]
    device: DeviceName,
}

impl DeviceArgs {
    /// Gets the device ready.
    ///
    /// # Errors
    /// If this program was built without it, or this computer does not have it.
    pub fn open(self) -> Result<Device, DeviceError> {
        self.device.open()
    }
}
