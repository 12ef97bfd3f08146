//! Games files: immutable Parquet files of whole games.
//!
//! A file is named `ITERATION-PART-CHECKSUM.parquet`, for instance `000042-00-9f86d081884c7d65.parquet`. The checksum is
//! the start of the SHA-256 of its contents, so that any change shows before the contents are even parsed: readers of
//! Parquet can panic on damaged files. There is one row per step, games one after another and each complete:
//!
//! | column | type | meaning |
//! | --- | --- | --- |
//! | `game`, `step`, `turn` | u64, u32, u32 | number of the game in its run; steps and turns played before this step |
//! | `fen`, `repetitions` | text, u8 | position text; earlier occurrences of the position |
//! | `side` | text | `red` or `black`, to act |
//! | `actions`, `policy` | lists of u16 and f32 | legal steps as policy indices of the side to act; target probabilities |
//! | `action`, `choice` | u16, text | the step played; `search`, `fast`, `forced` (the only one) or `random` |
//! | `root_win`, `root_draw`, `root_loss` | f32 | chances of the side to act after the search; null without a search |
//! | `outcome`, `reason` | text | `red`, `black` or `draw`; the reason as `eval rules` prints it, or `resignation` |
//! | `steps_left`, `red_lead` | u32, f32 | steps to the end, this one included; red's lead then, from -1 to 1; null if resigned |
//! | `weight` | f32 | weight in the losses, 0 for what is not learnt from |
//!
//! The file's key-value metadata says where it comes from: `heng.format`, `heng.variant`, `heng.iteration`,
//! `heng.part`, `heng.seed`, `heng.version`.

use std::any::Any;
use std::cell::Cell;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use sha2::{Digest, Sha256};

use super::columns;
use super::error::ReplayError;
use super::record::Record;
use crate::run_dir::write_atomically;

/// Version of the columns and their meaning.
pub const FORMAT: u32 = 1;

/// Rows that are read at once.
const ROWS_AT_ONCE: usize = 4096;

/// Where a chunk comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkMeta {
    /// The variant, as it is written.
    pub variant: String,
    /// The iteration whose self-play it holds.
    pub iteration: u64,
    /// Which part of that self-play it is, from 0.
    pub part: u64,
    /// The seed of the run.
    pub seed: u64,
    /// The version of the program.
    pub version: String,
}

/// The contents of one games file.
#[derive(Clone, Debug, PartialEq)]
pub struct Chunk {
    /// The file.
    pub path: PathBuf,
    /// Where it comes from.
    pub meta: ChunkMeta,
    /// Its rows.
    pub records: Vec<Record>,
}

/// A games file in a folder, told by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChunkFile {
    /// The iteration whose self-play it holds.
    pub iteration: u64,
    /// Which part of that self-play it is, from 0.
    pub part: u64,
    /// The file.
    pub path: PathBuf,
}

impl Chunk {
    /// Writes a games file into `directory`: under another name first, synced, and then renamed, so that a file with
    /// its final name is always complete.
    ///
    /// # Errors
    /// [`ReplayError::Write`] if the file cannot be written, for instance because the disk is full; nothing is left behind.
    pub fn write(directory: &Path, meta: ChunkMeta, records: Vec<Record>) -> Result<Chunk, ReplayError> {
        let contents = to_parquet(&meta, &records)
            .map_err(|error| ReplayError::Io { path: directory.to_owned(), source: io::Error::other(error) })?;
        let name = format!("{:06}-{:02}-{}.parquet", meta.iteration, meta.part, checksum(&contents));
        let path = directory.join(name);
        write_atomically(&path, &contents)?;
        Ok(Chunk { path, meta, records })
    }

    /// Reads a games file and checks all that can be told without the rules; [`super::verify()`] does the rest.
    ///
    /// # Errors
    /// If the file is missing, altered, no games file, or holds an impossible value.
    pub fn read(path: &Path) -> Result<Chunk, ReplayError> {
        let contents = fs::read(path).map_err(|source| ReplayError::Io { path: path.to_owned(), source })?;
        let expected = ChunkFile::checksum_of_name(path).ok_or_else(|| ReplayError::Name { path: path.to_owned() })?;
        let found = checksum(&contents);
        if found != expected {
            return Err(ReplayError::Altered { path: path.to_owned(), found, expected: expected.to_owned() });
        }
        guarded(path, || from_parquet(path, contents.into()))
    }
}

impl ChunkFile {
    /// The games files of a folder, by iteration. Files of other kinds are passed over.
    ///
    /// # Errors
    /// If the folder cannot be read, or the name of a Parquet file does not begin with an iteration.
    pub fn list(directory: &Path) -> Result<Vec<ChunkFile>, ReplayError> {
        let failed = |source| ReplayError::Io { path: directory.to_owned(), source };
        let mut files = Vec::new();
        for entry in fs::read_dir(directory).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_some_and(|extension| extension == "parquet") {
                files.push(ChunkFile::of_name(path)?);
            }
        }
        files.sort();
        Ok(files)
    }

    /// Whether the name is one that [`Chunk::write`] gives.
    pub fn has_own_name(&self) -> bool {
        ChunkFile::checksum_of_name(&self.path).is_some_and(|checksum| {
            let name = format!("{:06}-{:02}-{checksum}.parquet", self.iteration, self.part);
            self.path.file_name().is_some_and(|found| found == name.as_str())
        })
    }

    /// How many rows it says it has, which takes no time: the rest of the file is not read.
    ///
    /// # Errors
    /// If the file cannot be read, or its end is not that of a Parquet file.
    pub fn rows(&self) -> Result<u64, ReplayError> {
        let path = &self.path;
        let file = File::open(path).map_err(|source| ReplayError::Io { path: path.clone(), source })?;
        guarded(path, || {
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(path, &error))?;
            let rows = builder.metadata().file_metadata().num_rows();
            u64::try_from(rows).map_err(|_| damaged(path, &format!("{rows} rows")))
        })
    }

    /// Tells iteration and part by the name.
    fn of_name(path: PathBuf) -> Result<ChunkFile, ReplayError> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut numbers = stem.splitn(3, '-');
        let iteration = numbers.next().and_then(|text| text.parse().ok());
        let part = numbers.next().map_or(Some(0), |text| text.parse().ok());
        match (iteration, part) {
            (Some(iteration), Some(part)) => Ok(ChunkFile { iteration, part, path }),
            _ => Err(ReplayError::Name { path }),
        }
    }

    fn checksum_of_name(path: &Path) -> Option<&str> {
        let (_, checksum) = path.file_stem()?.to_str()?.rsplit_once('-')?;
        let is_checksum = checksum.len() == CHECKSUM_LEN && checksum.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_checksum.then_some(checksum)
    }
}

/// Hexadecimal digits of the checksum in a name.
const CHECKSUM_LEN: usize = 16;

fn checksum(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().take(CHECKSUM_LEN / 2).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn to_parquet(meta: &ChunkMeta, records: &[Record]) -> Result<Vec<u8>, ParquetError> {
    let values = [
        ("heng.format", FORMAT.to_string()),
        ("heng.variant", meta.variant.clone()),
        ("heng.iteration", meta.iteration.to_string()),
        ("heng.part", meta.part.to_string()),
        ("heng.seed", meta.seed.to_string()),
        ("heng.version", meta.version.clone()),
    ];
    let values = values.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(values))
        .set_created_by(format!("heng {}", meta.version))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), columns::SCHEMA.clone(), Some(properties))?;
    writer.write(&columns::to_batch(records)?)?;
    writer.into_inner()
}

thread_local! {
    /// Whether this thread is reading a file whose damage may make the reader panic.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Reads with a reader that can panic on a damaged file, and makes an error of that. Only the panics of such readers stay
/// silent: those of other threads, and all others of this one, are reported as before.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, ReplayError>) -> Result<T, ReplayError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                report(panic);
            }
        }));
    });
    let before = IS_GUARDED.replace(true);
    // What the reader has read so far is dropped with it, so that nobody sees it half done.
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    read.unwrap_or_else(|payload| Err(damaged(path, &message(payload.as_ref()))))
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("the reader gave up")
}

fn damaged(path: &Path, error: &dyn std::fmt::Display) -> ReplayError {
    ReplayError::NotParquet { path: path.to_owned(), problem: error.to_string().replace('\n', " ") }
}

fn from_parquet(path: &Path, contents: Bytes) -> Result<Chunk, ReplayError> {
    let damaged = |error: &dyn std::fmt::Display| damaged(path, error);
    let builder = ParquetRecordBatchReaderBuilder::try_new(contents).map_err(|error| damaged(&error))?;
    columns::check_schema(path, builder.schema())?;
    let meta = read_meta(path, builder.metadata().file_metadata().key_value_metadata())?;
    let reader = builder.with_batch_size(ROWS_AT_ONCE).build().map_err(|error| damaged(&error))?;
    let mut records = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|error| damaged(&error))?;
        records.extend(columns::from_batch(path, &batch, records.len())?);
    }
    Ok(Chunk { path: path.to_owned(), meta, records })
}

fn read_meta(path: &Path, pairs: Option<&Vec<KeyValue>>) -> Result<ChunkMeta, ReplayError> {
    let wrong = |key, problem: String| ReplayError::Metadata { path: path.to_owned(), key, problem };
    let text = |key: &'static str| {
        let pair = pairs.into_iter().flatten().find(|pair| pair.key == key);
        pair.and_then(|pair| pair.value.as_deref()).ok_or_else(|| wrong(key, "missing".to_owned()))
    };
    let number = |key: &'static str| {
        let text = text(key)?;
        text.parse::<u64>().map_err(|_| wrong(key, format!("`{text}` is not a whole number")))
    };
    let format = number("heng.format")?;
    if format != u64::from(FORMAT) {
        return Err(wrong("heng.format", format!("found format {format}, this program reads format {FORMAT}")));
    }
    Ok(ChunkMeta {
        variant: text("heng.variant")?.to_owned(),
        iteration: number("heng.iteration")?,
        part: number("heng.part")?,
        seed: number("heng.seed")?,
        version: text("heng.version")?.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_panics_is_a_damaged_file() {
        let path = Path::new("games/000001-00-0123456789abcdef.parquet");
        let text = "games/000001-00-0123456789abcdef.parquet: not a readable Parquet file: ";
        let constant = guarded(path, || -> Result<(), ReplayError> { panic!("no dictionary") });
        assert_eq!(constant.unwrap_err().to_string(), format!("{text}no dictionary"));
        let length = 3;
        let formatted = guarded(path, || -> Result<(), ReplayError> { panic!("length {length}\nof 2") });
        assert_eq!(formatted.unwrap_err().to_string(), format!("{text}length 3 of 2"));
        assert!(!IS_GUARDED.get());
        assert_eq!(guarded(path, || Ok(7)).unwrap(), 7);
    }

    #[test]
    fn only_the_name_that_a_file_is_written_with_is_its_own() {
        for (name, is_own) in [
            ("000001-00-0123456789abcdef.parquet", true),
            ("000001.parquet", false),
            ("000001-00-best.parquet", false),
            ("1-0-0123456789abcdef.parquet", false),
        ] {
            let file = ChunkFile::of_name(PathBuf::from("games").join(name)).unwrap();
            assert_eq!(file.has_own_name(), is_own, "{name}");
        }
    }
}
