//! The directory of a run: where everything lies, and how a file gets there whole or not at all.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// How this program is started in a checkout; what it prints is meant to be copied.
pub const PROGRAM: &str = "cargo run --release --bin train --";

/// Why a file of a run could not be used. Every error names it.
#[derive(Debug, Error)]
pub enum RunDirError {
    /// The file system refused.
    #[error("{}: cannot {doing}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A new run would overwrite something.
    #[error("{0}: exists already; `{1} resume {0}` goes on with a run, --out starts another one", path.display(), PROGRAM)]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder is no run.
    #[error("{}: not a run: it has no config.toml", path.display())]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// Another program has the run open.
    #[error("{}: another `train` is working on this run", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
}

impl RunDirError {
    /// Makes an error of the file system into one that names `path`.
    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> RunDirError {
        let path = path.to_owned();
        move |source| RunDirError::Io { path, doing, source }
    }
}

/// Every path of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunDir {
    root: PathBuf,
}

/// The right to write into a run. It ends with the process, however that ends.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunDir {
    /// The run at `root`, which must have been created.
    ///
    /// # Errors
    /// If there is no run.
    pub fn open(root: &Path) -> Result<RunDir, RunDirError> {
        let run = RunDir { root: root.to_owned() };
        if !run.config().is_file() {
            return Err(RunDirError::NotARun { path: root.to_owned() });
        }
        Ok(run)
    }

    /// Creates the folders of a new run at `root`, which must not exist or be empty.
    ///
    /// # Errors
    /// If something is there, or the folders cannot be created.
    pub fn create(root: &Path) -> Result<RunDir, RunDirError> {
        let run = RunDir { root: root.to_owned() };
        if is_taken(root) {
            return Err(RunDirError::Exists { path: root.to_owned() });
        }
        for folder in [run.root.clone(), run.nets(), run.games(), run.state()] {
            fs::create_dir_all(&folder).map_err(RunDirError::io(&folder, "create"))?;
        }
        sync_folder(root).map_err(RunDirError::io(root, "sync"))?;
        Ok(run)
    }

    /// `folder`, or `folder-2` and so on if that is taken.
    pub fn free_name(folder: &Path) -> PathBuf {
        let numbered = |number: u32| PathBuf::from(format!("{}-{number}", folder.display()));
        let names = std::iter::once(folder.to_owned()).chain((2..).map(numbered));
        names.into_iter().find(|path| !is_taken(path)).unwrap_or_else(|| folder.to_owned())
    }

    /// The folder of the run.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The resolved configuration.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The folder of the networks.
    pub fn nets(&self) -> PathBuf {
        self.root.join("nets")
    }

    /// The network that an iteration ended with; 0 is the random one of the start.
    pub fn net(&self, iteration: u64) -> PathBuf {
        self.nets().join(format!("{iteration:06}"))
    }

    /// The folder of the games.
    pub fn games(&self) -> PathBuf {
        self.root.join("games")
    }

    /// The folder of what the run needs to go on.
    pub fn state(&self) -> PathBuf {
        self.root.join("state")
    }

    /// The counters, whose renaming into place commits everything before it.
    pub fn state_file(&self) -> PathBuf {
        self.state().join("state.json")
    }

    /// The optimizer's folder after an iteration.
    pub fn learner(&self, iteration: u64) -> PathBuf {
        self.state().join(format!("{iteration:06}"))
    }

    /// One line an iteration.
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// The same numbers for TensorBoard.
    pub fn events(&self) -> PathBuf {
        self.root.join("events.out.tfevents.heng")
    }

    /// What the finished run scored against opponents that never change.
    pub fn after(&self) -> PathBuf {
        self.root.join("after.json")
    }

    /// How strong its networks are, one line each.
    pub fn ratings(&self) -> PathBuf {
        self.root.join("ratings.jsonl")
    }

    /// The ladder that they are rated on.
    pub fn ladder(&self) -> PathBuf {
        self.root.join("ladder.toml")
    }

    /// The iterations whose networks are there, in order.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn net_iterations(&self) -> Result<Vec<u64>, RunDirError> {
        numbered(&self.nets())
    }

    /// The iterations whose optimizers are there, in order.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn learner_iterations(&self) -> Result<Vec<u64>, RunDirError> {
        numbered(&self.state())
    }

    /// Claims the run for this process.
    ///
    /// # Errors
    /// [`RunDirError::Locked`] if another process has it.
    pub fn lock(&self) -> Result<RunLock, RunDirError> {
        let path = self.root.join("lock");
        let mut options = OpenOptions::new();
        let file =
            options.create(true).truncate(false).write(true).open(&path).map_err(RunDirError::io(&path, "open"))?;
        match file.try_lock() {
            Ok(()) => Ok(RunLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(RunDirError::Locked { path: self.root.clone() }),
            Err(TryLockError::Error(source)) => Err(RunDirError::Io { path, doing: "lock", source }),
        }
    }

    /// Unfinished files of a process that was killed.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn leftovers(&self) -> Result<Vec<PathBuf>, RunDirError> {
        let mut found = Vec::new();
        let learners = self.learner_iterations()?.into_iter().map(|iteration| self.learner(iteration));
        for folder in [self.root.clone(), self.nets(), self.games(), self.state()].into_iter().chain(learners) {
            found.extend(entries(&folder)?.into_iter().filter(|path| self.is_unfinished(path)));
        }
        Ok(found)
    }

    /// Whether the name is one that this program gives to what it has not finished. Other files are not ours to remove,
    /// whatever they are called.
    fn is_unfinished(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(&self.root);
        if folder == self.nets() {
            let net = name.strip_prefix('.').and_then(|name| name.split_once('.'));
            return net.is_some_and(|(net, end)| number_of(net).is_some() && matches!(end, "partial" | "old"));
        }
        if folder == self.games() {
            return name.strip_suffix(".parquet.tmp").is_some_and(is_games_file);
        }
        if folder == self.state() || folder == self.root {
            let whole = [self.config(), self.metrics(), self.events(), self.after(), self.state_file()];
            return name.ends_with(".tmp") && whole.contains(&path.with_extension(""));
        }
        name == "learner.partial"
    }
}

/// Writes a file under another name, syncs it and renames it, so that `path` is always complete.
///
/// # Errors
/// If it cannot be written, for instance because the disk is full; nothing is left behind.
pub fn write_atomically(path: &Path, contents: &[u8]) -> Result<(), RunDirError> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".tmp");
    let unfinished = PathBuf::from(unfinished);
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(contents)?;
        file.sync_all()
    });
    if let Err(source) = written.and_then(|()| fs::rename(&unfinished, path)) {
        let _ = fs::remove_file(&unfinished);
        return Err(RunDirError::Io { path: path.to_owned(), doing: "write", source });
    }
    path.parent().map_or(Ok(()), sync_folder).map_err(RunDirError::io(path, "sync the folder of"))
}

/// Removes a file, or a folder with everything in it.
///
/// # Errors
/// If it cannot be removed.
pub fn remove(path: &Path) -> Result<(), RunDirError> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.map_err(RunDirError::io(path, "remove"))
}

/// A renamed or removed file stays so once its folder is synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

fn is_taken(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => path.exists(),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, RunDirError> {
    let read = |source| RunDirError::Io { path: folder.to_owned(), doing: "read", source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(read)? {
        paths.push(entry.map_err(read)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn numbered(folder: &Path) -> Result<Vec<u64>, RunDirError> {
    let number = |path: PathBuf| number_of(path.file_name()?.to_str()?);
    let mut numbers: Vec<u64> = entries(folder)?.into_iter().filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The number in a name such as `000042`, and in no other that means the same.
fn number_of(name: &str) -> Option<u64> {
    name.parse().ok().filter(|number: &u64| format!("{number:06}") == name)
}

/// Whether a name without its end is `ITERATION-PART-CHECKSUM`.
fn is_games_file(name: &str) -> bool {
    let parts: Vec<&str> = name.split('-').collect();
    let [iteration, part, checksum] = parts[..] else { return false };
    let is_checksum = checksum.len() == 16 && checksum.bytes().all(|digit| digit.is_ascii_hexdigit());
    number_of(iteration).is_some() && part.parse::<u64>().is_ok() && is_checksum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_claimed_by_one_at_a_time() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create(&directory.path().join("run")).unwrap();
        let lock = run.lock().unwrap();
        assert!(matches!(run.lock(), Err(RunDirError::Locked { .. })));
        drop(lock);
        run.lock().unwrap();
    }

    #[test]
    fn a_folder_with_anything_in_it_is_never_a_new_run() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("run");
        RunDir::create(&root).unwrap();
        assert!(matches!(RunDir::create(&root), Err(RunDirError::Exists { .. })));
        assert!(matches!(RunDir::open(&root), Err(RunDirError::NotARun { .. })));
    }

    #[test]
    fn a_taken_name_gets_the_first_free_number() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("quickstart");
        for expected in ["quickstart", "quickstart-2", "quickstart-3"] {
            let free = RunDir::free_name(&folder);
            assert_eq!(free, directory.path().join(expected));
            write_atomically(&RunDir::create(&free).unwrap().config(), b"").unwrap();
        }
    }

    #[test]
    fn unfinished_files_are_found_wherever_they_lie() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create(&directory.path().join("run")).unwrap();
        write_atomically(&run.config(), b"whole").unwrap();
        assert_eq!(run.leftovers().unwrap(), Vec::<PathBuf>::new());
        let unfinished = [
            "config.toml.tmp",
            "metrics.jsonl.tmp",
            "nets/.000001.old",
            "nets/.000001.partial",
            "games/000001-00-0123456789abcdef.parquet.tmp",
            "state/state.json.tmp",
            "state/000001/learner.partial",
        ];
        let of_others = [
            "notes.tmp",
            "plan.partial",
            "games/x.tmp",
            "games/000001-00-x.parquet.tmp",
            "nets/best.old",
            "nets/.best.old",
            "nets/config.toml.tmp",
            "state/.000001.old",
            "state/000001/x.tmp",
        ];
        fs::create_dir(run.learner(1)).unwrap();
        for name in unfinished.iter().chain(&of_others) {
            fs::write(run.root().join(name), b"").unwrap();
        }
        assert_eq!(run.leftovers().unwrap(), unfinished.map(|name| run.root().join(name)));
    }

    #[test]
    fn only_a_name_that_the_program_gives_is_a_number() {
        let names = ["000007", "1234567", "7", "0000007", "+00007", "best", ""];
        assert_eq!(names.map(number_of), [Some(7), Some(1_234_567), None, None, None, None, None]);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named_and_leaves_the_old_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing").join("file");
        let error = write_atomically(&path, b"x").unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: cannot write: ", path.display())), "{error}");
    }
}
