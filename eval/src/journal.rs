//! A folder that long work keeps its results in as it goes: what was asked for, and a line for every finished part, so that it can
//! be gone on with.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::whole_file;

/// Why results cannot be kept or gone on with.
#[derive(Debug, Error)]
pub(crate) enum JournalError {
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{}: the {what} there is in use", path.display())]
    InUse { path: PathBuf, what: &'static str },
    #[error("{}: {problem}", path.display())]
    Settings { path: PathBuf, problem: serde_json::Error },
    #[error("{}: holds a {what} whose {name} is `{kept}`, not `{asked}`: expected the same or another directory", path.display())]
    Differs { path: PathBuf, what: &'static str, name: &'static str, kept: String, asked: String },
    #[error("{}, line {line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: String },
}

/// What was asked for.
pub(crate) trait Asked: Serialize + DeserializeOwned {
    /// What such work is called.
    const WHAT: &'static str;

    /// The file in which it is kept.
    const FILE: &'static str;

    /// The file of finished parts.
    const LINES_FILE: &'static str = "games.jsonl";

    /// The first setting in which `other` differs so that the work cannot go on with it, with both its values.
    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)>;
}

/// A claimed folder. The claim ends with the process, however it ends.
pub(crate) struct Journal {
    directory: PathBuf,
    lines: File,
}

impl Journal {
    /// Makes the folder, or goes on with the work that is there, and gives `read` each finished part, of which it may say what is
    /// wrong.
    ///
    /// # Errors
    /// If other work is there, somebody else is at it, or a line is wrong.
    pub(crate) fn open<A: Asked, T: DeserializeOwned>(
        directory: &Path,
        asked: &A,
        read: impl FnMut(T) -> Result<(), String>,
    ) -> Result<Journal, JournalError> {
        let path = directory.join(A::LINES_FILE);
        let failed = |source| JournalError::File { path: path.clone(), source };
        fs::create_dir_all(directory).map_err(failed)?;
        let options = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        let mut lines = options.map_err(failed)?;
        match lines.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::InUse { path: directory.to_owned(), what: A::WHAT });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        check_asked(&directory.join(A::FILE), asked)?;
        read_lines(&path, &mut lines, read)?;
        Ok(Journal { directory: directory.to_owned(), lines })
    }

    /// Adds a finished part. When this returns, it survives a power cut.
    pub(crate) fn append(&mut self, part: &impl Serialize) -> io::Result<()> {
        let line = serde_json::to_string(part)? + "\n";
        self.lines.write_all(line.as_bytes())?;
        self.lines.sync_data()
    }

    /// Writes a file beside the lines, in place of an older one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<(), JournalError> {
        replace(&self.directory.join(name), text)
    }
}

/// Keeps what is asked for if nothing is there yet; otherwise it has to be the same.
fn check_asked<A: Asked>(path: &Path, asked: &A) -> Result<(), JournalError> {
    let bad = |problem| JournalError::Settings { path: path.to_owned(), problem };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return replace(path, &(serde_json::to_string_pretty(asked).map_err(bad)? + "\n"));
        }
        Err(source) => return Err(JournalError::File { path: path.to_owned(), source }),
    };
    let kept: A = serde_json::from_str(&text).map_err(bad)?;
    match kept.difference(asked) {
        Some((name, kept, asked)) => {
            Err(JournalError::Differs { path: path.to_owned(), what: A::WHAT, name, kept, asked })
        }
        None => Ok(()),
    }
}

/// Reads what is there, and cuts off a last line that a crash left unfinished.
fn read_lines<T: DeserializeOwned>(
    path: &Path,
    file: &mut File,
    mut read: impl FnMut(T) -> Result<(), String>,
) -> Result<(), JournalError> {
    let failed = |source| JournalError::File { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64).map_err(failed)?;
    file.seek(SeekFrom::End(0)).map_err(failed)?;
    for (index, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let part = serde_json::from_slice(line).map_err(|error| error.to_string());
        part.and_then(&mut read).map_err(|problem| JournalError::Line {
            path: path.to_owned(),
            line: index + 1,
            problem,
        })?;
    }
    Ok(())
}

fn replace(path: &Path, text: &str) -> Result<(), JournalError> {
    whole_file::replace(path, text).map_err(|source| JournalError::File { path: path.to_owned(), source })
}
