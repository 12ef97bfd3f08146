//! Games of self-play from their Parquet files, read by the names of the columns.

use std::cell::Cell;
use std::fs;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, UInt16Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest, Sha256};

use super::ReportError;
use super::run::list;

/// The columns that a report needs.
const COLUMNS: [(&str, DataType); 7] = [
    ("game", DataType::UInt64),
    ("fen", DataType::Utf8),
    ("action", DataType::UInt16),
    ("root_win", DataType::Float32),
    ("root_loss", DataType::Float32),
    ("outcome", DataType::Utf8),
    ("reason", DataType::Utf8),
];

/// Bytes of the checksum in a name.
const CHECKSUM_BYTES: usize = 8;

/// A games file of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GamesFile {
    pub(crate) iteration: u64,
    pub(crate) path: PathBuf,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Game {
    /// Its number in the run.
    pub(crate) number: u64,
    /// Its rows in the file.
    pub(crate) rows: Range<usize>,
    /// The first position.
    pub(crate) fen: String,
    /// Each step as a policy index of the side to act, with what the search expected for that side.
    pub(crate) steps: Vec<(u16, Option<f32>)>,
    /// `red`, `black` or `draw`.
    pub(crate) outcome: String,
    /// Why it ended.
    pub(crate) reason: String,
}

/// The games files of a run by iteration. A file that is being written has another ending.
pub(crate) fn files(run: &Path) -> Result<Vec<GamesFile>, ReportError> {
    let mut files = Vec::new();
    for path in list(&run.join("games"))? {
        if path.extension().is_some_and(|extension| extension == "parquet") {
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let iteration = stem.split('-').next().and_then(|number| number.parse().ok());
            let name = "the name of a games file starts with its iteration, as in 000042-….parquet";
            files.push(GamesFile { iteration: iteration.ok_or_else(|| ReportError::bad(&path, name))?, path });
        }
    }
    files.sort();
    Ok(files)
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contents {
    /// Keys and values that say where it comes from.
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) games: Vec<Game>,
}

/// Reads every game of a file.
pub(crate) fn read(path: &Path) -> Result<Vec<Game>, ReportError> {
    read_whole(path).map(|contents| contents.games)
}

/// Reads every game of a file and what it says of itself.
pub(crate) fn read_whole(path: &Path) -> Result<Contents, ReportError> {
    let contents = fs::read(path).map_err(|source| ReportError::io(path, source))?;
    check_name(path, &contents)?;
    // A file can be damaged before its checksum is taken, too.
    without_panic(|| parse(path, Bytes::from(contents)))
        .unwrap_or_else(|| Err(unreadable(path, "the reader of Parquet failed on what it holds")))
}

fn parse(path: &Path, contents: Bytes) -> Result<Contents, ReportError> {
    let bad = |problem: String| unreadable(path, &problem);
    let builder = ParquetRecordBatchReaderBuilder::try_new(contents).map_err(|error| bad(error.to_string()))?;
    check_columns(path, builder.schema())?;
    let pairs = builder.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let metadata = pairs.filter_map(|pair| Some((pair.key.clone(), pair.value.clone()?))).collect();
    let mask = ProjectionMask::columns(builder.parquet_schema(), COLUMNS.map(|(name, _)| name));
    let reader = builder.with_projection(mask).build().map_err(|error| bad(error.to_string()))?;
    let mut games = Vec::new();
    let mut row = 0;
    for batch in reader {
        let batch = batch.map_err(|error| bad(error.to_string()))?;
        add_rows(&mut games, &batch, row).ok_or_else(|| bad("a column is not what its schema says".to_owned()))?;
        row += batch.num_rows();
    }
    Ok(Contents { metadata, games })
}

fn unreadable(path: &Path, problem: &str) -> ReportError {
    ReportError::bad(path, format!("not a readable games file: {problem}"))
}

thread_local! {
    /// Whether a panic of this thread prints nothing, because it becomes an error.
    static PANICS_ARE_ERRORS: Cell<bool> = const { Cell::new(false) };
}

/// What `work` returns, or `None` if it panics, of which nothing is printed. Panics of other threads are reported as ever.
fn without_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    static QUIET_HOOK: Once = Once::new();
    QUIET_HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !PANICS_ARE_ERRORS.get() {
                report(panic);
            }
        }));
    });
    PANICS_ARE_ERRORS.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    PANICS_ARE_ERRORS.set(false);
    result.ok()
}

/// The last part of the name is the start of the SHA-256 of the contents. It is compared before anything is parsed, since
/// readers of Parquet can panic on damaged files.
fn check_name(path: &Path, contents: &[u8]) -> Result<(), ReportError> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let expected = stem.rsplit('-').next().unwrap_or_default();
    let found = checksum(contents);
    if found == expected {
        return Ok(());
    }
    Err(ReportError::bad(path, format!("altered: its contents have the checksum {found}, expected {expected}")))
}

/// What the name of a games file with these contents ends in.
pub(crate) fn checksum(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().take(CHECKSUM_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn check_columns(path: &Path, schema: &arrow_schema::Schema) -> Result<(), ReportError> {
    for (name, expected) in COLUMNS {
        let problem = match schema.field_with_name(name) {
            Err(_) => "missing".to_owned(),
            Ok(field) if *field.data_type() != expected => {
                format!("has type {}, expected {expected}", field.data_type())
            }
            Ok(_) => continue,
        };
        return Err(ReportError::bad(path, format!("column `{name}`: {problem}")));
    }
    Ok(())
}

/// Adds a batch whose first row is `first_row` of the file; `None` if a column has another type.
fn add_rows(games: &mut Vec<Game>, batch: &RecordBatch, first_row: usize) -> Option<()> {
    let text = |name: &str| batch.column_by_name(name)?.as_string_opt::<i32>();
    let number = batch.column_by_name("game")?.as_primitive_opt::<UInt64Type>()?;
    let action = batch.column_by_name("action")?.as_primitive_opt::<UInt16Type>()?;
    let win = batch.column_by_name("root_win")?.as_primitive_opt::<Float32Type>()?;
    let loss = batch.column_by_name("root_loss")?.as_primitive_opt::<Float32Type>()?;
    let (fen, outcome, reason) = (text("fen")?, text("outcome")?, text("reason")?);
    for row in 0..batch.num_rows() {
        let number = number.value(row);
        if games.last().is_none_or(|game| game.number != number) {
            games.push(Game {
                number,
                rows: first_row + row..first_row + row,
                fen: fen.value(row).to_owned(),
                steps: Vec::new(),
                outcome: outcome.value(row).to_owned(),
                reason: reason.value(row).to_owned(),
            });
        }
        let game = games.last_mut()?;
        let expected = (win.is_valid(row) && loss.is_valid(row)).then(|| win.value(row) - loss.value(row));
        game.steps.push((action.value(row), expected));
        game.rows.end += 1;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_nothing_and_later_work_goes_on() {
        let broken: Option<u32> = without_panic(|| panic!("a damaged file"));
        assert_eq!(broken, None);
        assert_eq!(without_panic(|| 7), Some(7));
        assert!(!PANICS_ARE_ERRORS.get());
    }
}
