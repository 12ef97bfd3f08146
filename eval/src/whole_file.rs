//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file that must not exist yet.
///
/// # Errors
/// If it exists or cannot be written; what was begun is removed.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // The disk is full: half a file would only mislead.
        let _ = fs::remove_file(path);
    }
    written
}

/// Writes to another name, syncs and renames: a reader sees the whole file or the one before it.
///
/// # Errors
/// If it cannot be written; what was begun is removed.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let partial = path.with_extension("partial");
    let written = File::create(&partial)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}
