//! Networks on disk: a directory of `model.safetensors` and `meta.json`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use heng_env::Shape;
use heng_env::seeds::Seeds;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::config::{NetConfig, NetConfigError};
use super::files::{TensorFile, read_file, sha256, sync_directory, write_file};
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
        found: u64,
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

/// Writes `network` to the directory `dir`, all of it or nothing: under a new name first, then in the place of what may
/// be there.
///
/// # Errors
/// If a file cannot be written; the error names it.
pub fn save(dir: &Path, network: &Network, origin: &Origin) -> Result<Meta, CheckpointError> {
    let partial = beside(dir, "partial");
    let saved = write_directory(&partial, network, origin).and_then(|meta| {
        replace_directory(&partial, dir)?;
        Ok(meta)
    });
    if saved.is_err() {
        // What is left of a failed attempt is worth nothing; the error that counts is the first one.
        let _ = fs::remove_dir_all(&partial);
    }
    saved
}

fn write_directory(dir: &Path, network: &Network, origin: &Origin) -> Result<Meta, CheckpointError> {
    let failed = |source| CheckpointError::Write { path: dir.to_owned(), source };
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(failed)?;
    }
    fs::create_dir_all(dir).map_err(failed)?;
    let model = TensorFile::new(&network.parameters).to_bytes();
    let meta = Meta {
        format: FORMAT,
        created_by: concat!("heng ", env!("CARGO_PKG_VERSION")).to_owned(),
        variant: origin.variant.clone(),
        shape: network.shape.into(),
        net: network.config.clone(),
        step: origin.step,
        seed: origin.seed,
        bytes: model.len() as u64,
        sha256: sha256(&model),
    };
    write_file(&dir.join(MODEL_FILE), &model)?;
    let text = serde_json::to_string_pretty(&meta).expect("a description is plain data");
    write_file(&dir.join(META_FILE), format!("{text}\n").as_bytes())?;
    sync_directory(dir)?;
    Ok(meta)
}

/// Puts `from` in the place of `to`, so that at any moment one of them is whole.
fn replace_directory(from: &Path, to: &Path) -> Result<(), CheckpointError> {
    let failed = |source| CheckpointError::Write { path: to.to_owned(), source };
    let old = beside(to, "old");
    if to.exists() {
        if old.exists() {
            fs::remove_dir_all(&old).map_err(failed)?;
        }
        fs::rename(to, &old).map_err(failed)?;
    }
    fs::rename(from, to).map_err(failed)?;
    if let Some(parent) = to.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        sync_directory(parent)?;
    }
    if old.exists() {
        fs::remove_dir_all(&old).map_err(failed)?;
    }
    Ok(())
}

/// A name in the same directory that no checkpoint has.
fn beside(dir: &Path, suffix: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(dir.file_name().unwrap_or("net".as_ref()));
    name.push(".");
    name.push(suffix);
    dir.with_file_name(name)
}

/// Reads the description of the network in `dir` without its weights.
///
/// # Errors
/// If `meta.json` is missing or cannot be understood.
pub fn load_meta(dir: &Path) -> Result<Meta, CheckpointError> {
    let path = dir.join(META_FILE);
    let bytes = read_file(&path)?;
    let bad = |problem: String| CheckpointError::BadMeta { path: path.clone(), problem };
    let json: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    // Another format may have other keys: say that rather than which.
    match json.get("format").and_then(serde_json::Value::as_u64) {
        Some(format) if format != u64::from(FORMAT) => Err(CheckpointError::Format { path, found: format }),
        _ => serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string())),
    }
}

/// Reads the network in `dir`, and checks its length, checksum, names and sizes.
///
/// # Errors
/// If a file is missing, truncated, altered or not what its description says; the error names it.
pub fn load(dir: &Path) -> Result<(Network, Meta), CheckpointError> {
    let meta = load_meta(dir)?;
    let shape = Shape::from(meta.shape);
    let template = template(&meta.net, shape, &dir.join(META_FILE))?;
    let path = dir.join(MODEL_FILE);
    let bytes = read_file(&path)?;
    let (found, expected) = (bytes.len() as u64, meta.bytes);
    if found != expected {
        return Err(CheckpointError::Length { path, found, expected });
    }
    let (found, expected) = (sha256(&bytes), meta.sha256.clone());
    if found != expected {
        return Err(CheckpointError::Altered { path, found, expected });
    }
    let parameters = TensorFile::read(&path, &bytes)?.take_like("", &template.parameters)?;
    Ok((Network { parameters, ..template }, meta))
}

/// A network with the names and sizes that `config` and `shape` lead to.
fn template(config: &NetConfig, shape: Shape, path: &Path) -> Result<Network, CheckpointError> {
    let Shape { files, ranks, input_planes, hand_planes } = shape;
    if !(1..=32).contains(&files)
        || !(1..=32).contains(&ranks)
        || !(1..=1024).contains(&input_planes)
        || hand_planes > 1024
    {
        let problem = format!("impossible shape {shape:?}");
        return Err(CheckpointError::BadMeta { path: path.to_owned(), problem });
    }
    Network::random(config, shape, Seeds::new(0))
        .map_err(|source| CheckpointError::Config { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape { files: 3, ranks: 4, input_planes: 5, hand_planes: 2 };

    fn saved() -> (tempfile::TempDir, PathBuf, Network, Meta) {
        let root = tempfile::tempdir().expect("a directory");
        let config = NetConfig { channels: 8, blocks: 1, ..NetConfig::default() };
        let network = Network::random(&config, SHAPE, Seeds::new(1)).expect("the sizes are in range");
        let origin = Origin { variant: "eternal-mini:turns=40".to_owned(), step: 12, seed: 34 };
        let dir = root.path().join("nets").join("000042");
        let meta = save(&dir, &network, &origin).expect("it can be written");
        (root, dir, network, meta)
    }

    /// What loading says after `change` has been made to one of the files.
    fn error_after(file: &str, change: impl FnOnce(Vec<u8>) -> Option<Vec<u8>>) -> String {
        let (_root, dir, ..) = saved();
        let path = dir.join(file);
        match change(fs::read(&path).expect("it is there")) {
            Some(bytes) => fs::write(&path, bytes).expect("it can be written"),
            None => fs::remove_file(&path).expect("it can be removed"),
        }
        let error = load(&dir).expect_err("it is damaged").to_string();
        let place = format!("{}: ", path.display());
        error.strip_prefix(&place).unwrap_or_else(|| panic!("{error} names {place}")).to_owned()
    }

    fn edit(from: &str, to: &str) -> impl FnOnce(Vec<u8>) -> Option<Vec<u8>> {
        move |bytes| {
            let text = String::from_utf8(bytes).expect("it is text");
            assert!(text.contains(from), "{text}");
            Some(text.replacen(from, to, 1).into_bytes())
        }
    }

    #[test]
    fn a_network_comes_back_as_it_was() {
        let (_root, dir, network, meta) = saved();
        assert_eq!(load(&dir).expect("it is whole"), (network, meta.clone()));
        assert_eq!((meta.step, meta.seed, meta.variant.as_str()), (12, 34, "eternal-mini:turns=40"));
        let names: Vec<_> = fs::read_dir(dir.parent().expect("a parent")).expect("a directory").collect();
        assert_eq!(names.len(), 1, "nothing is left beside it: {names:?}");
    }

    #[test]
    fn saving_again_replaces_the_whole_directory() {
        let (_root, dir, network, _) = saved();
        fs::write(dir.join("stray"), "x").expect("it can be written");
        let origin = Origin { variant: "eternal-mini".to_owned(), step: 13, seed: 34 };
        save(&dir, &network, &origin).expect("it can be written");
        assert_eq!(load_meta(&dir).expect("it is whole").step, 13);
        assert!(!dir.join("stray").exists());
    }

    #[test]
    fn damaged_weights_are_named_with_what_is_wrong() {
        assert_eq!(error_after(MODEL_FILE, |_| None), "no such file");
        let truncated = error_after(MODEL_FILE, |bytes| Some(bytes[..bytes.len() / 2].to_vec()));
        assert!(truncated.starts_with("truncated or overlong: "), "{truncated}");
        let altered = error_after(MODEL_FILE, |mut bytes| {
            *bytes.last_mut().expect("content") ^= 1;
            Some(bytes)
        });
        assert!(altered.starts_with("altered: sha256 "), "{altered}");
    }

    #[test]
    fn damaged_descriptions_are_named_with_what_is_wrong() {
        assert_eq!(error_after(META_FILE, |_| None), "no such file");
        let cases = [
            (r#""format": 1"#, r#""format": 9"#, "format 9, expected 1"),
            (r#""step""#, r#""stp""#, "unknown field `stp`"),
            (r#""channels": 8"#, r#""channels": 7"#, "net.channels = 7: expected 8 to 512"),
            (r#""files": 3"#, r#""files": 0"#, "impossible shape"),
            ("{", "", "trailing characters at line 2"),
        ];
        for (from, to, problem) in cases {
            let error = error_after(META_FILE, edit(from, to));
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn a_network_written_before_there_were_auxiliary_heads_has_none() {
        let (_root, dir, network, meta) = saved();
        let path = dir.join(META_FILE);
        let text = fs::read_to_string(&path).expect("it is there");
        let old = text.replace(",\n    \"auxiliary_heads\": false", "");
        assert_ne!(old, text);
        fs::write(&path, old).expect("it can be written");
        assert_eq!(load(&dir).expect("it is whole"), (network, meta));
    }

    #[test]
    fn weights_of_another_size_are_named() {
        let (_root, dir, ..) = saved();
        let text = fs::read_to_string(dir.join(META_FILE)).expect("it is there");
        let text = text.replace(r#""channels": 8"#, r#""channels": 9"#);
        fs::write(dir.join(META_FILE), text).expect("it can be written");
        let error = load(&dir).expect_err("it is damaged").to_string();
        assert!(error.ends_with("tensor `input.weight` has shape [45, 8], expected [45, 9]"), "{error}");
    }

    #[test]
    fn a_disk_that_cannot_be_written_is_an_error_that_names_the_file() {
        let (root, _, network, _) = saved();
        let blocked = root.path().join("file");
        fs::write(&blocked, "x").expect("it can be written");
        let origin = Origin { variant: "eternal-mini".to_owned(), step: 0, seed: 0 };
        let error = save(&blocked.join("net"), &network, &origin).expect_err("a file is no directory").to_string();
        assert!(error.contains("file") && error.contains("cannot write"), "{error}");
    }
}
