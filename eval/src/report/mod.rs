//! `eval report`: what a run has learnt, as one page that needs nothing but itself.
//!
//! A run is read from its directory alone; nothing here links the program that wrote it.

pub(crate) mod chart;
mod film;
pub(crate) mod games;
pub(crate) mod number;
mod page;
pub(crate) mod run;
mod strength;
pub(crate) mod strip;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use heng_env::variants::{VariantError, VariantVisitor};
use heng_env::{Notation, Side, Variant};
use thiserror::Error;

use crate::cli::CommandResult;
use film::Film;
use games::GamesFile;
use run::Run;

/// Write a page with the learning curves and some games of a run.
#[derive(Clone, Debug, Args)]
pub struct ReportArgs {
    /// The run's directory.
    run: PathBuf,
    /// Where to write the page; report.html in the run's directory if not given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Why a report could not be made. Every error names the file.
#[derive(Debug, Error)]
pub enum ReportError {
    /// The system refused: no such file, no permission, a full disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no such directory.
    #[error("{}: no such run: it is not a directory", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
    },
    /// The file does not hold what it should.
    #[error("{}: {problem}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A line does not hold what it should.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A row of a games file does not follow from the rules.
    #[error("{}, row {row}: {problem}", path.display())]
    Row {
        /// The file.
        path: PathBuf,
        /// The row, from 0.
        row: usize,
        /// What is wrong.
        problem: String,
    },
    /// The configuration names a variant that does not exist.
    #[error("{}, key `variant`: {source}", path.display())]
    Variant {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: VariantError,
    },
    /// The page could not be put together.
    #[error("the page of the report: {0}")]
    Page(#[from] minijinja::Error),
}

impl ReportError {
    fn io(path: &Path, source: io::Error) -> ReportError {
        ReportError::Io { path: path.to_owned(), source }
    }

    fn bad(path: &Path, problem: impl Into<String>) -> ReportError {
        ReportError::Bad { path: path.to_owned(), problem: problem.into() }
    }
}

/// Writes the report of a run and says where it is.
///
/// # Errors
/// If the run is missing or damaged, or the page cannot be written; an earlier report is then left as it was.
pub fn run(args: &ReportArgs, output: &mut dyn Write) -> CommandResult {
    let page = html(&args.run)?;
    let path = args.out.clone().unwrap_or_else(|| args.run.join("report.html"));
    write_atomically(&path, page.as_bytes()).map_err(|source| ReportError::io(&path, source))?;
    writeln!(output, "wrote {}", path.display())?;
    Ok(())
}

/// The page for the run in `directory`.
///
/// # Errors
/// If the run is missing or damaged.
pub fn html(directory: &Path) -> Result<String, ReportError> {
    if !directory.is_dir() {
        return Err(ReportError::NoRun { path: directory.to_owned() });
    }
    let run = Run::read(directory)?;
    let wrong_variant = |source| ReportError::Variant { path: directory.join("config.toml"), source };
    let variant: Variant = run.variant.parse().map_err(wrong_variant)?;
    let films = films(&variant, &games::files(directory)?)?;
    let name = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let name = name.file_name().map_or_else(|| directory.display().to_string(), |name| name.display().to_string());
    Ok(page::render(&name, variant.dispatch(SideNames), &run, &films)?)
}

struct SideNames;

impl VariantVisitor for SideNames {
    type Output = [&'static str; 2];

    fn visit<G: Notation>(self, _variant: &Variant, _rules: G::Rules) -> [&'static str; 2] {
        Side::BOTH.map(G::side_name)
    }
}

/// A game of the first file that has one, to compare, and the shortest, the middle and the longest of the newest.
fn films(variant: &Variant, files: &[GamesFile]) -> Result<Vec<Film>, ReportError> {
    let Some((newest, mut games)) = first_with_games(files.iter().rev())? else { return Ok(Vec::new()) };
    games.sort_by_key(|game| game.steps.len());
    let mut chosen = vec![0, games.len() / 2, games.len() - 1];
    chosen.dedup();
    let newest_games = chosen.into_iter().map(|index| (newest, games[index].clone()));
    let mut selected: Vec<_> = newest_games.collect();
    if let Some((first, mut games)) = first_with_games(files.iter())?.filter(|(first, _)| *first != newest) {
        games.sort_by_key(|game| game.steps.len());
        selected.push((first, games.swap_remove(games.len() / 2)));
    }
    selected.into_iter().map(|(file, game)| film::of_game(variant, file, &game)).collect()
}

type GamesOfFile<'a> = (&'a GamesFile, Vec<games::Game>);

fn first_with_games<'a>(files: impl Iterator<Item = &'a GamesFile>) -> Result<Option<GamesOfFile<'a>>, ReportError> {
    for file in files {
        let games = games::read(&file.path)?;
        if !games.is_empty() {
            return Ok(Some((file, games)));
        }
    }
    Ok(None)
}

fn read_text(path: &Path) -> Result<String, ReportError> {
    fs::read_to_string(path).map_err(|source| ReportError::io(path, source))
}

/// Under another name first, synced, then renamed: a page with its final name is always complete.
fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", std::process::id()));
    let partial = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    write().inspect_err(|_| {
        // Nothing half written stays behind on a full disk.
        let _ = fs::remove_file(&partial);
    })
}

#[cfg(test)]
pub(crate) mod tests;
