//! What can be wrong with a games file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::run_dir::RunDirError;

/// Why a games file could not be written, read or believed. Every error names the file.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// A file cannot be written, for instance because the disk is full.
    #[error(transparent)]
    Write(#[from] RunDirError),
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The contents are not those that the file was written with.
    #[error("{}: altered or cut short: its contents have the checksum {found}, its name says {expected}", path.display())]
    Altered {
        /// The file.
        path: PathBuf,
        /// The checksum of the contents.
        found: String,
        /// The checksum in the name.
        expected: String,
    },
    /// The file is not a Parquet file, or it is damaged.
    #[error("{}: not a readable Parquet file: {problem}", path.display())]
    NotParquet {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        problem: String,
    },
    /// The name is not that of a games file.
    #[error("{}: a games file is named ITERATION-PART-CHECKSUM.parquet, as in 000042-00-9f86d081884c7d65.parquet", path.display())]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// A value of the file's metadata is missing or wrong.
    #[error("{}, metadata `{key}`: {problem}", path.display())]
    Metadata {
        /// The file.
        path: PathBuf,
        /// The key.
        key: &'static str,
        /// What is wrong, with the value that was found.
        problem: String,
    },
    /// A column is missing or has the wrong type.
    #[error("{}, column `{column}`: {problem}", path.display())]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A value is impossible.
    #[error("{}, row {row}, column `{column}`: {problem}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row, from 0.
        row: usize,
        /// The column.
        column: &'static str,
        /// What is wrong, with the value that was found.
        problem: String,
    },
    /// There is nothing to sample from.
    #[error("the replay window holds no positions")]
    Empty,
}

/// An impossible value in one row, whose file and number its reader knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// The column.
    pub column: &'static str,
    /// What is wrong, with the value that was found.
    pub problem: String,
}

impl BadValue {
    /// A problem in `column`.
    pub(super) fn new(column: &'static str, problem: impl Into<String>) -> BadValue {
        BadValue { column, problem: problem.into() }
    }

    /// The same problem, in row `row` of `path`.
    pub(super) fn at(self, path: impl Into<PathBuf>, row: usize) -> ReplayError {
        ReplayError::Row { path: path.into(), row, column: self.column, problem: self.problem }
    }
}
