//! The files of a match: `match.json` and `games.pgn`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::whole_file;

const REPORT_FILE: &str = "match.json";
const GAMES_FILE: &str = "games.pgn";

/// Is there only while a match is played.
const LOCK_FILE: &str = "match.lock";

/// Why a match cannot be saved.
#[derive(Debug, Error)]
pub(super) enum SaveError {
    #[error("{}: holds a match already, expected another directory", path.display())]
    Taken { path: PathBuf },
    #[error("{}: another match is being played for it, expected another directory", path.display())]
    InUse { path: PathBuf },
    #[error("{}: cannot write: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Whether a match may be saved in `directory`, which need not be there.
pub(super) fn check_free(directory: &Path) -> Result<(), SaveError> {
    match [REPORT_FILE, GAMES_FILE].map(|file| directory.join(file)).into_iter().find(|path| path.exists()) {
        Some(path) => Err(SaveError::Taken { path }),
        None => Ok(()),
    }
}

/// The directory of a match, which no other match uses at the same time. The claim ends with the process, however it ends.
#[derive(Debug)]
pub(super) struct MatchFolder {
    directory: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl MatchFolder {
    /// Makes the directory and claims it.
    pub(super) fn claim(directory: &Path) -> Result<MatchFolder, SaveError> {
        let cannot_write = |path: &Path, source| SaveError::Write { path: path.to_owned(), source };
        fs::create_dir_all(directory).map_err(|source| cannot_write(directory, source))?;
        let path = directory.join(LOCK_FILE);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = opened.map_err(|source| cannot_write(&path, source))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SaveError::InUse { path: directory.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(cannot_write(&path, source)),
        }
        let folder = MatchFolder { directory: directory.to_owned(), _lock: lock };
        // The match that had the claim before may have been saved in the meantime.
        check_free(directory)?;
        Ok(folder)
    }

    /// Writes both files; the report comes last, so that where it is, the games are.
    pub(super) fn save(&self, report: &str, games: &str) -> Result<(), SaveError> {
        check_free(&self.directory)?;
        write(&self.directory.join(GAMES_FILE), games)?;
        write(&self.directory.join(REPORT_FILE), report)
    }
}

impl Drop for MatchFolder {
    fn drop(&mut self) {
        // An empty file that stays behind does no harm: it is not locked.
        let _ = fs::remove_file(self.directory.join(LOCK_FILE));
    }
}

fn write(path: &Path, text: &str) -> Result<(), SaveError> {
    whole_file::replace(path, text).map_err(|source| SaveError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn two_matches_do_not_share_a_directory() {
        let parent = tempfile::tempdir().unwrap();
        let directory = parent.path().join("a match");
        let first = MatchFolder::claim(&directory).unwrap();
        assert!(matches!(MatchFolder::claim(&directory), Err(SaveError::InUse { .. })));
        first.save("report", "games").unwrap();
        drop(first);
        assert_eq!(names(&directory), [GAMES_FILE, REPORT_FILE]);
        assert!(matches!(MatchFolder::claim(&directory), Err(SaveError::Taken { .. })));
        assert_eq!(fs::read_to_string(directory.join(REPORT_FILE)).unwrap(), "report");
        assert_eq!(names(&directory), [GAMES_FILE, REPORT_FILE]);
    }

    #[test]
    fn a_file_that_appeared_during_the_match_is_kept() {
        let parent = tempfile::tempdir().unwrap();
        let folder = MatchFolder::claim(parent.path()).unwrap();
        fs::write(parent.path().join(GAMES_FILE), "of somebody else").unwrap();
        assert!(matches!(folder.save("report", "games"), Err(SaveError::Taken { .. })));
        assert_eq!(fs::read_to_string(parent.path().join(GAMES_FILE)).unwrap(), "of somebody else");
    }

    #[test]
    fn a_lock_that_a_killed_match_left_is_no_claim() {
        let parent = tempfile::tempdir().unwrap();
        fs::write(parent.path().join(LOCK_FILE), "").unwrap();
        drop(MatchFolder::claim(parent.path()).unwrap());
        assert_eq!(names(parent.path()), Vec::<String>::new());
    }
}
