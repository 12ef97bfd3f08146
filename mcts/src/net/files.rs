//! Files of named arrays, written so that a crash leaves the old file or the new one.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::{Digest, Sha256};

use super::checkpoint::CheckpointError;
use super::network::Parameter;

/// Named arrays of f32, and some text beside them.
#[derive(Clone, Debug, Default)]
pub(crate) struct TensorFile {
    path: PathBuf,
    arrays: BTreeMap<String, Parameter>,
    notes: BTreeMap<String, String>,
}

impl TensorFile {
    pub(crate) fn new(parameters: &[Parameter]) -> TensorFile {
        let mut file = TensorFile::default();
        file.put("", parameters);
        file
    }

    /// Adds `parameters` with `prefix` before their names.
    pub(crate) fn put(&mut self, prefix: &str, parameters: &[Parameter]) {
        for parameter in parameters {
            self.arrays.insert(format!("{prefix}{}", parameter.name), parameter.clone());
        }
    }

    /// Adds a text.
    pub(crate) fn note(&mut self, key: &str, text: String) {
        self.notes.insert(key.to_owned(), text);
    }

    /// The text under `key`.
    pub(crate) fn noted(&self, key: &str) -> Result<&str, CheckpointError> {
        let missing = || self.bad(format!("metadata `{key}` is missing"));
        self.notes.get(key).map(String::as_str).ok_or_else(missing)
    }

    /// Takes out the arrays that have the names of `templates` behind `prefix`, and their sizes.
    pub(crate) fn take_like(
        &mut self,
        prefix: &str,
        templates: &[Parameter],
    ) -> Result<Vec<Parameter>, CheckpointError> {
        let take = |template: &Parameter| {
            let name = format!("{prefix}{}", template.name);
            let found = self.arrays.remove(&name).ok_or_else(|| self.bad(format!("tensor `{name}` is missing")))?;
            if found.dims != template.dims {
                let problem = format!("tensor `{name}` has shape {:?}, expected {:?}", found.dims, template.dims);
                return Err(self.bad(problem));
            }
            if let Some(value) = found.values.iter().find(|value| !value.is_finite()) {
                return Err(self.bad(format!("tensor `{name}` holds {value}, expected finite numbers")));
            }
            Ok(Parameter { name: template.name.clone(), ..found })
        };
        templates.iter().map(take).collect()
    }

    /// A checksum of the arrays and their names, in hexadecimal.
    pub(crate) fn sha256(&self) -> String {
        let mut hash = Sha256::new();
        for (name, array) in &self.arrays {
            hash.update(name);
            array.values.iter().for_each(|value| hash.update(value.to_le_bytes()));
        }
        hexadecimal(&hash.finalize())
    }

    /// The file's contents, the same for the same arrays.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let bytes: Vec<(&String, &Parameter, Vec<u8>)> = self
            .arrays
            .iter()
            .map(|(name, array)| (name, array, array.values.iter().flat_map(|value| value.to_le_bytes()).collect()))
            .collect();
        let views = bytes.iter().map(|(name, array, bytes)| {
            let view = TensorView::new(Dtype::F32, array.dims.clone(), bytes).expect("an array has its sizes");
            (name.as_str(), view)
        });
        // The crate writes several notes in random order: put them all into one.
        let notes = serde_json::to_string(&self.notes).expect("notes are plain text");
        let notes = (!self.notes.is_empty()).then(|| HashMap::from([(NOTES.to_owned(), notes)]));
        safetensors::serialize(views, notes).expect("arrays of f32 can be written")
    }

    /// Reads the `bytes` of the file at `path`.
    pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<TensorFile, CheckpointError> {
        let mut file = TensorFile { path: path.to_owned(), ..TensorFile::default() };
        let not_safetensors = |error: &dyn std::fmt::Display| file.bad(format!("not a safetensors file: {error}"));
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| not_safetensors(&error))?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| not_safetensors(&error))?;
        if let Some(notes) = metadata.metadata().as_ref().and_then(|notes| notes.get(NOTES)) {
            file.notes = serde_json::from_str(notes).map_err(|error| file.bad(format!("metadata: {error}")))?;
        }
        for (name, view) in tensors.iter() {
            if view.dtype() != Dtype::F32 {
                return Err(file.bad(format!("tensor `{name}` is of type {:?}, expected F32", view.dtype())));
            }
            let values = view.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
            let array = Parameter { name: name.to_owned(), dims: view.shape().to_vec(), values };
            file.arrays.insert(name.to_owned(), array);
        }
        Ok(file)
    }

    /// An error about this file.
    pub(crate) fn bad(&self, problem: String) -> CheckpointError {
        CheckpointError::BadTensors { path: self.path.clone(), problem }
    }
}

/// The checksum of `bytes`, in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The metadata key under which all notes stand.
const NOTES: &str = "heng";

/// Reads a whole file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    fs::read(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => CheckpointError::Missing { path: path.to_owned() },
        _ => CheckpointError::Read { path: path.to_owned(), source },
    })
}

/// Writes a whole file and waits until it is on the disk.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CheckpointError> {
    let write = || -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|source| CheckpointError::Write { path: path.to_owned(), source })
}

/// Writes a whole file under a new name, and puts it in the place of what may be at `path`.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), CheckpointError> {
    let partial = path.with_extension("partial");
    let failed = |source| CheckpointError::Write { path: path.to_owned(), source };
    let written = write_file(&partial, bytes).and_then(|()| fs::rename(&partial, path).map_err(failed));
    if written.is_err() {
        // What is left of a failed attempt is worth nothing; the error that counts is the first one.
        let _ = fs::remove_file(&partial);
    }
    written?;
    path.parent().map_or(Ok(()), sync_directory)
}

/// Waits until the names in a directory are on the disk.
pub(crate) fn sync_directory(dir: &Path) -> Result<(), CheckpointError> {
    let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
    let sync = || File::open(dir)?.sync_all();
    sync().map_err(|source| CheckpointError::Write { path: dir.to_owned(), source })
}
