//! Networks on disk: a directory of `model.safetensors` and `meta.json`.

use std::io;
use std::path::{Path, PathBuf};

use heng_env::Shape;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::config::{NetConfig, NetConfigError};
use super::network::Network;

/// The weights inside a checkpoint's directory.
pub const MODEL_FILE: &str = "model.safetensors";
/// The description beside the weights.
pub const META_FILE: &str = "meta.json";
/// The format that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Why a network, or the state of learning, could not be saved or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file is not there.
    #[error("{}: no such file", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file could not be written.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The description cannot be understood.
    #[error("{}: {problem}", path.display())]
    BadMeta {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The file was written by another version.
    #[error("{}: format {found}, expected {FORMAT}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The format it says it has.
        found: u32,
    },
    /// The network's sizes are out of range.
    #[error("{}: {source}", path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// The size that is.
        source: NetConfigError,
    },
    /// The file is shorter or longer than it was when it was written.
    #[error("{}: truncated or overlong: {found} bytes, expected {expected}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length it should have.
        expected: u64,
    },
    /// The file is not as it was when it was written.
    #[error("{}: altered: sha256 {found}, expected {expected}", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
        /// The checksum of the file.
        found: String,
        /// The checksum it should have.
        expected: String,
    },
    /// The file is no safetensors file, or not with these arrays.
    #[error("{}: {problem}", path.display())]
    BadTensors {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// What a network was made for and from, to be written beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The variant with its settings, as it is written.
    pub variant: String,
    /// Learning steps behind it.
    pub step: u64,
    /// The seed of its run.
    pub seed: u64,
}

/// `meta.json`: what a checkpoint is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote it.
    pub created_by: String,
    /// The variant with its settings, as it is written.
    pub variant: String,
    /// The sizes of its positions.
    pub shape: ShapeMeta,
    /// The sizes of the network.
    pub net: NetConfig,
    /// Learning steps behind it.
    pub step: u64,
    /// The seed of its run.
    pub seed: u64,
    /// The length of the weights file.
    pub bytes: u64,
    /// The checksum of the weights file, in hexadecimal.
    pub sha256: String,
}

/// A [`Shape`] as it is written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeMeta {
    /// Files of the board.
    pub files: usize,
    /// Ranks of the board.
    pub ranks: usize,
    /// Planes of an encoded position.
    pub input_planes: usize,
    /// Policy planes after the move planes.
    pub hand_planes: usize,
}

impl From<Shape> for ShapeMeta {
    fn from(shape: Shape) -> ShapeMeta {
        let Shape { files, ranks, input_planes, hand_planes } = shape;
        ShapeMeta { files, ranks, input_planes, hand_planes }
    }
}

impl From<ShapeMeta> for Shape {
    fn from(shape: ShapeMeta) -> Shape {
        let ShapeMeta { files, ranks, input_planes, hand_planes } = shape;
        Shape { files, ranks, input_planes, hand_planes }
    }
}

/// Writes `network` to the new directory `dir`, all of it or nothing.
///
/// # Errors
/// If a file cannot be written; the error names it.
pub fn save(dir: &Path, network: &Network, origin: &Origin) -> Result<Meta, CheckpointError> {
    let _ = (dir, network, origin);
    unimplemented!()
}

/// Reads the description of the network in `dir` without its weights.
///
/// # Errors
/// If `meta.json` is missing or cannot be understood.
pub fn load_meta(dir: &Path) -> Result<Meta, CheckpointError> {
    let _ = dir;
    unimplemented!()
}

/// Reads the network in `dir`, and checks its length, checksum, names and sizes.
///
/// # Errors
/// If a file is missing, truncated, altered or not what its description says; the error names it.
pub fn load(dir: &Path) -> Result<(Network, Meta), CheckpointError> {
    let _ = dir;
    unimplemented!()
}
