//! The files of a match: `match.json` and `games.txt`.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

const REPORT_FILE: &str = "match.json";
const GAMES_FILE: &str = "games.txt";

/// Why a match cannot be saved.
#[derive(Debug, Error)]
pub(super) enum SaveError {
    #[error("{}: holds a match already, expected another directory", path.display())]
    Taken { path: PathBuf },
    #[error("{}: cannot write: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Makes the directory for a match, before it is played.
pub(super) fn prepare(directory: &Path) -> Result<(), SaveError> {
    for file in [REPORT_FILE, GAMES_FILE] {
        if directory.join(file).exists() {
            return Err(SaveError::Taken { path: directory.join(file) });
        }
    }
    fs::create_dir_all(directory).map_err(|source| SaveError::Write { path: directory.to_owned(), source })
}

/// Writes both files; the report comes last, so that where it is, the games are.
pub(super) fn save(directory: &Path, report: &str, games: &str) -> Result<(), SaveError> {
    write(&directory.join(GAMES_FILE), games)?;
    write(&directory.join(REPORT_FILE), report)
}

/// Writes to another name, syncs and renames: a reader sees the whole file or none.
fn write(path: &Path, text: &str) -> Result<(), SaveError> {
    let partial = path.with_extension("partial");
    let written = File::create(&partial)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&partial, path));
    written.map_err(|source| {
        // What is left of it is of no use to anybody.
        let _ = fs::remove_file(&partial);
        SaveError::Write { path: path.to_owned(), source }
    })
}
