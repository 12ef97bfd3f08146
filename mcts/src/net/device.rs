//! The devices a network can run on.

use thiserror::Error;

pub use burn::tensor::Device;

/// Why a device cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// There is no device of this name.
    #[error("unknown device `{name}`, expected flex, cuda:N or wgpu")]
    Unknown {
        /// What was read.
        name: String,
    },
    /// This binary was built without it.
    #[error("device `{name}` needs a build with `--features {feature}`")]
    NotBuilt {
        /// What was read.
        name: String,
        /// The cargo feature to build with.
        feature: &'static str,
    },
}

/// Reads `flex` (this computer's processor), `cuda:N` (or `cuda`, the first one) or `wgpu`.
///
/// # Errors
/// If there is no such device, or this binary was built without it.
pub fn parse(name: &str) -> Result<Device, DeviceError> {
    let unknown = || DeviceError::Unknown { name: name.to_owned() };
    match name.split_once(':').unwrap_or((name, "0")) {
        ("flex", "0") => Ok(Device::flex()),
        ("wgpu", "0") => wgpu(name),
        ("cuda", index) => cuda(name, index.parse().map_err(|_| unknown())?),
        _ => Err(unknown()),
    }
}

#[cfg(feature = "cuda")]
fn cuda(_name: &str, index: usize) -> Result<Device, DeviceError> {
    Ok(Device::cuda(index))
}

#[cfg(not(feature = "cuda"))]
fn cuda(name: &str, _index: usize) -> Result<Device, DeviceError> {
    Err(DeviceError::NotBuilt { name: name.to_owned(), feature: "cuda" })
}

#[cfg(feature = "wgpu")]
fn wgpu(_name: &str) -> Result<Device, DeviceError> {
    Ok(Device::wgpu(burn::tensor::DeviceKind::DefaultDevice))
}

#[cfg(not(feature = "wgpu"))]
fn wgpu(name: &str) -> Result<Device, DeviceError> {
    Err(DeviceError::NotBuilt { name: name.to_owned(), feature: "wgpu" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_device_is_named_with_what_there_is() {
        for name in ["tpu", "cuda:first", "flex:1", ""] {
            let error = parse(name).unwrap_err().to_string();
            assert_eq!(error, format!("unknown device `{name}`, expected flex, cuda:N or wgpu"));
        }
        assert_eq!(parse("flex"), Ok(Device::flex()));
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn a_device_that_is_not_built_names_its_feature() {
        let error = parse("cuda:0").unwrap_err().to_string();
        assert_eq!(error, "device `cuda:0` needs a build with `--features cuda`");
    }
}
