//! The network: its model, its weights on disk, how it plays and how it learns.

pub mod batch;
pub mod checkpoint;
pub mod config;
pub mod device;
mod layers;
pub mod learner;
pub mod model;
pub mod network;
pub mod play;

pub use batch::{TrainingBatch, encode_batch};
pub use config::{NetConfig, NetConfigError};
pub use device::{Device, DeviceError};
pub use learner::{LearnError, Learner, LearnerConfig, Losses};
pub use network::Network;
pub use play::PlayNet;
