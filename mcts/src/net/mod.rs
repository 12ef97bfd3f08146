//! The network: its model, its weights on disk, how it plays and how it learns.

pub mod answers;
mod auxiliary;
pub mod batch;
pub mod checkpoint;
pub mod config;
mod convolution;
pub mod device;
mod device_pass;
mod fast;
mod files;
mod kernel;
mod layers;
pub mod learner;
mod learner_config;
mod loss;
pub mod model;
pub mod network;
mod optimizer;
pub mod play;

pub use answers::Answers;
pub use auxiliary::SHORT_TERM_HORIZONS;
pub use batch::{AuxiliaryTargets, Replies, TrainingBatch, encode_batch};
pub use config::{NetConfig, NetConfigError};
pub use device::{Device, DeviceError, DeviceName, UnknownDevice};
pub use kernel::Kernel;
pub use learner::{LearnError, Learner, LearnerConfig, LearnerConfigError, Losses};
pub use network::Network;
pub use play::PlayNet;

#[cfg(test)]
mod tests;
