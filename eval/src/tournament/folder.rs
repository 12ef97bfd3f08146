//! The folder of a tournament: settings, and a line for every finished pair of games, so that it can be gone on with.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{KeptPair, Settings};
use crate::whole_file;

const SETTINGS_FILE: &str = "tournament.json";
const GAMES_FILE: &str = "games.jsonl";

/// Why a tournament cannot be kept or gone on with.
#[derive(Debug, Error)]
pub(super) enum FolderError {
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{}: the tournament there is being played", path.display())]
    InUse { path: PathBuf },
    #[error("{}: {problem}", path.display())]
    Settings { path: PathBuf, problem: serde_json::Error },
    #[error("{}: holds a tournament whose {name} is `{kept}`, not `{asked}`: expected the same or another directory", path.display())]
    Differs { path: PathBuf, name: &'static str, kept: String, asked: String },
    #[error("{}, line {line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: String },
}

/// Finished pairs by pairing and number.
pub(super) type Pairs = BTreeMap<([usize; 2], usize), KeptPair>;

/// A claimed folder. The claim ends with the process, however it ends.
pub(super) struct TournamentFolder {
    directory: PathBuf,
    games: File,
}

impl TournamentFolder {
    /// Makes the folder, or goes on with the tournament that is there, with the pairs that it has.
    pub(super) fn open(directory: &Path, settings: &Settings) -> Result<(TournamentFolder, Pairs), FolderError> {
        let path = directory.join(GAMES_FILE);
        let failed = |source| FolderError::File { path: path.clone(), source };
        fs::create_dir_all(directory).map_err(failed)?;
        let options = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path);
        let mut games = options.map_err(failed)?;
        match games.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::InUse { path: directory.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let folder = directory.join(SETTINGS_FILE);
        check_settings(&folder, settings)?;
        let pairs = read_pairs(&path, &mut games, settings)?;
        Ok((TournamentFolder { directory: directory.to_owned(), games }, pairs))
    }

    /// Adds a pair. When this returns, it survives a power cut.
    pub(super) fn append(&mut self, pair: &KeptPair) -> io::Result<()> {
        let line = serde_json::to_string(pair)? + "\n";
        self.games.write_all(line.as_bytes())?;
        self.games.sync_data()
    }

    /// Writes a file beside the games, in place of an older one.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), FolderError> {
        replace(&self.directory.join(name), text)
    }
}

/// Keeps the settings if there are none yet; otherwise they have to be the same.
fn check_settings(path: &Path, settings: &Settings) -> Result<(), FolderError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let text = serde_json::to_string_pretty(settings)
                .map_err(|problem| FolderError::Settings { path: path.to_owned(), problem })?;
            return replace(path, &(text + "\n"));
        }
        Err(source) => return Err(FolderError::File { path: path.to_owned(), source }),
    };
    let kept: Settings =
        serde_json::from_str(&text).map_err(|problem| FolderError::Settings { path: path.to_owned(), problem })?;
    match kept.difference(settings) {
        Some((name, kept, asked)) => Err(FolderError::Differs { path: path.to_owned(), name, kept, asked }),
        None => Ok(()),
    }
}

/// Reads what is there, and cuts off a last line that a crash left unfinished.
fn read_pairs(path: &Path, file: &mut File, settings: &Settings) -> Result<Pairs, FolderError> {
    let failed = |source| FolderError::File { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64).map_err(failed)?;
    file.seek(SeekFrom::End(0)).map_err(failed)?;
    let pairings = settings.pairings();
    let mut pairs = Pairs::new();
    for (index, line) in bytes[..whole].split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
        let bad = |problem: String| FolderError::Line { path: path.to_owned(), line: index + 1, problem };
        let pair: KeptPair = serde_json::from_slice(line).map_err(|error| bad(error.to_string()))?;
        if !pairings.contains(&pair.agents) || pair.pair >= settings.games.div_ceil(2) {
            return Err(bad(format!("pair {} of agents {:?} is not part of the tournament", pair.pair, pair.agents)));
        }
        if let Some(game) = pair.games.iter().find(|game| game.half_points > 2) {
            return Err(bad(format!("a game has {} half points, expected 0 to 2", game.half_points)));
        }
        pairs.insert((pair.agents, pair.pair), pair);
    }
    Ok(pairs)
}

fn replace(path: &Path, text: &str) -> Result<(), FolderError> {
    whole_file::replace(path, text).map_err(|source| FolderError::File { path: path.to_owned(), source })
}
