//! The file that an analysis is written to.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use thiserror::Error;

use super::super::AnalyzeError;
use super::{Analysis, comments, curve, page};
use crate::draw::Letters;
use crate::draw::svg::Setting;
use crate::whole_file;

/// What a file holds, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Page,
    Curve,
    Game,
}

/// A new file for an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct OutFile {
    path: PathBuf,
    content: Content,
}

/// The name does not say what is to be written.
#[derive(Debug, Error)]
#[error("expected a name that ends in .html, .svg or .pgn")]
pub(in super::super) struct UnknownEnding;

impl FromStr for OutFile {
    type Err = UnknownEnding;

    fn from_str(text: &str) -> Result<OutFile, UnknownEnding> {
        let path = Path::new(text);
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let content = match ending.as_deref() {
            Some("html" | "htm") => Content::Page,
            Some("svg") => Content::Curve,
            Some("pgn") => Content::Game,
            _ => return Err(UnknownEnding),
        };
        Ok(OutFile { path: path.to_owned(), content })
    }
}

impl fmt::Display for OutFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.path.display())
    }
}

impl OutFile {
    /// Whether the file can be new: an analysis takes long, so this is asked before it.
    pub(super) fn check_free(&self) -> Result<(), AnalyzeError> {
        let path = self.path.clone();
        if path.symlink_metadata().is_ok() {
            return Err(AnalyzeError::Taken { path });
        }
        // A relative name without a folder is in the current one.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match folder.map(std::fs::metadata) {
            Some(Err(source)) => Err(AnalyzeError::Write { path, source }),
            _ => Ok(()),
        }
    }

    /// Writes the file, whole or not at all.
    pub(super) fn write(&self, analysis: &Analysis, letters: Option<Letters>) -> Result<(), AnalyzeError> {
        let text = match self.content {
            Content::Page => page::render(analysis, letters.unwrap_or(Letters::Chinese))?,
            Content::Curve => curve::draw(analysis, curve::WIDE, Setting::File),
            Content::Game => comments::pgn(analysis),
        };
        whole_file::create(&self.path, &text).map_err(|source| AnalyzeError::Write { path: self.path.clone(), source })
    }
}
