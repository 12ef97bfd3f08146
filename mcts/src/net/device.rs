//! The devices a network can run on.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use burn::tensor::Device;

/// The names of the devices, for error messages and help.
pub const NAMES: &str = "flex, cuda:N or wgpu";

/// A device as it is written: which one, but not whether this program and this computer have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum DeviceName {
    /// `flex`: this computer's processor.
    #[default]
    Flex,
    /// `cuda:N`, or `cuda` for the first: a graphics card by NVIDIA.
    Cuda(usize),
    /// `wgpu`: the best graphics card that Vulkan, Metal or DirectX finds.
    Wgpu,
}

/// There is no device of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown device `{name}`, expected {NAMES}")]
pub struct UnknownDevice {
    /// What was read.
    pub name: String,
}

/// Why a device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// This binary was built without it.
    #[error("device `{name}` needs a build with `--features {feature}`")]
    NotBuilt {
        /// The device.
        name: DeviceName,
        /// The cargo feature to build with.
        feature: &'static str,
    },
    /// This computer does not have it, or its driver refuses.
    #[error("device `{name}` is not there: {problem}")]
    Missing {
        /// The device.
        name: DeviceName,
        /// What was found instead.
        problem: String,
    },
}

impl FromStr for DeviceName {
    type Err = UnknownDevice;

    fn from_str(name: &str) -> Result<DeviceName, UnknownDevice> {
        let unknown = || UnknownDevice { name: name.to_owned() };
        match name.split_once(':').unwrap_or((name, "0")) {
            ("flex", "0") => Ok(DeviceName::Flex),
            ("wgpu", "0") => Ok(DeviceName::Wgpu),
            ("cuda", index) => Ok(DeviceName::Cuda(index.parse().map_err(|_| unknown())?)),
            _ => Err(unknown()),
        }
    }
}

impl TryFrom<String> for DeviceName {
    type Error = UnknownDevice;

    fn try_from(name: String) -> Result<DeviceName, UnknownDevice> {
        name.parse()
    }
}

impl From<DeviceName> for String {
    fn from(name: DeviceName) -> String {
        name.to_string()
    }
}

impl fmt::Display for DeviceName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceName::Flex => out.write_str("flex"),
            DeviceName::Cuda(index) => write!(out, "cuda:{index}"),
            DeviceName::Wgpu => out.write_str("wgpu"),
        }
    }
}

impl DeviceName {
    /// Gets the device ready.
    ///
    /// # Errors
    /// If this binary was built without it, or this computer does not have it.
    pub fn open(self) -> Result<Device, DeviceError> {
        match self {
            DeviceName::Flex => Ok(Device::flex()),
            DeviceName::Cuda(index) => cuda(self, index),
            DeviceName::Wgpu => wgpu(self),
        }
    }
}

/// What the maker calls the device; `None` of the processor.
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub fn model_name(device: &Device) -> Option<String> {
    device.identity().map(|identity| identity.name)
}

/// What the maker calls the device; `None` of the processor, the only one here.
#[cfg(not(any(feature = "cuda", feature = "wgpu")))]
pub fn model_name(_device: &Device) -> Option<String> {
    None
}

#[cfg(feature = "cuda")]
fn cuda(name: DeviceName, index: usize) -> Result<Device, DeviceError> {
    // Asked first, since Burn panics on a device that is not there.
    let found = Device::enumerate(burn::tensor::DeviceType::Cuda).into_vec().len();
    if index < found {
        return Ok(Device::cuda(index));
    }
    Err(DeviceError::Missing { name, problem: format!("the CUDA driver finds {found} devices") })
}

#[cfg(not(feature = "cuda"))]
fn cuda(name: DeviceName, _index: usize) -> Result<Device, DeviceError> {
    Err(DeviceError::NotBuilt { name, feature: "cuda" })
}

#[cfg(feature = "wgpu")]
fn wgpu(name: DeviceName) -> Result<Device, DeviceError> {
    use std::sync::OnceLock;

    /// Burn gets the device ready once in a process, and calls a second time an error.
    static OPENED: OnceLock<Result<Device, String>> = OnceLock::new();
    OPENED.get_or_init(open_wgpu).clone().map_err(|problem| DeviceError::Missing { name, problem })
}

#[cfg(feature = "wgpu")]
fn open_wgpu() -> Result<Device, String> {
    use burn::tensor::wgpu::{WgpuInitError, wgpu::Backend};

    let no_driver = "no driver for Vulkan, Metal or DirectX 12 found";
    let (device, setup) = Device::wgpu_options().init_with_setup().map_err(|error| match error {
        WgpuInitError::AdapterUnavailable { .. } => no_driver.to_owned(),
        other => other.to_string(),
    })?;
    // What is left where there is none. Threads that share it wait for each other until wgpu panics.
    if setup.backend == Backend::Gl {
        return Err(format!("{no_driver}, only OpenGL"));
    }
    Ok(device)
}

#[cfg(not(feature = "wgpu"))]
fn wgpu(name: DeviceName) -> Result<Device, DeviceError> {
    Err(DeviceError::NotBuilt { name, feature: "wgpu" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_written_as_it_is_read() {
        for (text, name) in
            [("flex", DeviceName::Flex), ("cuda:0", DeviceName::Cuda(0)), ("cuda:3", DeviceName::Cuda(3))]
        {
            assert_eq!(text.parse(), Ok(name));
            assert_eq!(name.to_string(), text);
        }
        assert_eq!("cuda".parse(), Ok(DeviceName::Cuda(0)));
        assert_eq!("wgpu".parse(), Ok(DeviceName::Wgpu));
    }

    #[test]
    fn an_unknown_device_is_named_with_what_there_is() {
        for name in ["tpu", "cuda:first", "cuda:-1", "flex:1", "wgpu:high", ""] {
            let error = name.parse::<DeviceName>().unwrap_err().to_string();
            assert_eq!(error, format!("unknown device `{name}`, expected flex, cuda:N or wgpu"));
        }
    }

    #[test]
    fn the_processor_is_always_there_and_has_no_model_name() {
        let device = DeviceName::default().open();
        assert_eq!(device, Ok(Device::flex()));
        assert_eq!(model_name(&Device::flex()), None);
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn a_device_that_is_not_built_names_its_feature() {
        let error = DeviceName::Cuda(0).open().unwrap_err().to_string();
        assert_eq!(error, "device `cuda:0` needs a build with `--features cuda`");
    }
}
