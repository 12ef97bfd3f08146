//! `eval convert`: game records from one form to another.

mod json;
mod selfplay;

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use heng_env::Variant;
use thiserror::Error;

use crate::cli::{CommandResult, InputError};
use crate::game_file::{FileText, Form, Games, MOST_BYTES, NotXiangqi, ReadError, SavedGame, write_dhtmlxq, write_pgn};

/// The name of the standard input among the files.
const STANDARD_INPUT: &str = "-";

/// The variant of games that do not name theirs, which is what other programs' files hold.
pub(crate) const USUAL_VARIANT: &str = "xiangqi";

/// What `eval convert` is asked for.
#[derive(Clone, Debug, Args)]
pub struct ConvertArgs {
    /// Files in PGN or DhtmlXQ (UTF-8, GBK or GB18030), games of self-play (.parquet), run directories, or - for the
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The form to write; if not given, json where the name of --out ends in .json or .jsonl, otherwise pgn
    #[arg(long, value_name = "FORM")]
    to: Option<Target>,
    /// How moves of Xiangqi are written: chinese, traditional, wxf, iccs or uci; iccs in PGN and uci in JSON if not given
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Form>,
    /// The variant of games that do not name theirs; xiangqi if not given
    #[arg(long, value_name = "VARIANT")]
    variant: Option<Variant>,
    /// Where to write, a new file; the standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ConvertArgs {
    fn target(&self) -> Target {
        let ending = self.out.as_ref().and_then(|out| out.extension()).and_then(|ending| ending.to_str());
        self.to.unwrap_or(match ending {
            Some("json" | "jsonl") => Target::Json,
            _ => Target::Pgn,
        })
    }
}

/// A form that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Portable Game Notation
    Pgn,
    /// Blocks of the site dpxq.com, for Xiangqi only
    Dhtmlxq,
    /// One object a line for each game
    Json,
}

/// Why games could not be converted. Every error names the file.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is larger than any that is read.
    #[error("{}: more than {} MiB, expected a smaller file", path.display(), MOST_BYTES >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read further.
    #[error("{}, {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: ReadError,
    },
    /// The form has no place for a game.
    #[error("{}, game {game}: {source}", path.display())]
    NotXiangqi {
        /// The file.
        path: PathBuf,
        /// The game, from 1.
        game: usize,
        /// What is wrong.
        source: NotXiangqi,
    },
    /// The directory is no run, or one that has not played yet.
    #[error("{}: no games of self-play in it, expected a run with games/*.parquet", path.display())]
    NoGames {
        /// The directory.
        path: PathBuf,
    },
    /// The file to write is there already.
    #[error("{}: is there already, expected a new file", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// Games of self-play are of an unknown variant.
    #[error("{}: neither the file nor a config.toml of its run names a variant, expected --variant", path.display())]
    NoVariant {
        /// The file.
        path: PathBuf,
    },
}

/// Writes the games of all files, those before an error included.
///
/// # Errors
/// If a file cannot be read to its end, a game has no place in the form, or the output cannot be written.
pub fn run(args: &ConvertArgs, output: &mut dyn Write) -> CommandResult {
    let Some(path) = &args.out else { return convert(args, output, &mut 0) };
    let failed = |source| ConvertError::Io { path: path.clone(), source };
    let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => ConvertError::Taken { path: path.clone() },
        _ => failed(source),
    })?;
    let mut count = 0;
    let converted = convert(args, &file, &mut count).and_then(|()| Ok(file.sync_all()?));
    let ended = converted.map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) if error.get_ref().is_some_and(|inner| inner.is::<InputError>()) => (*error).into(),
        Ok(error) => {
            // The disk is full: half a game would only mislead.
            let _ = std::fs::remove_file(path);
            failed(*error).into()
        }
        Err(error) => error,
    });
    if path.exists() {
        // A closed stderr must not turn success into failure.
        let _ = writeln!(io::stderr(), "{}: {count} {}", path.display(), if count == 1 { "game" } else { "games" });
    }
    ended
}

/// Counts the games that are written.
fn convert(args: &ConvertArgs, output: impl Write, count: &mut usize) -> CommandResult {
    let mut converter = Converter { args, output: BufWriter::new(output), count };
    let converted = args.files.iter().try_for_each(|path| converter.convert(path));
    converter.output.flush()?;
    converted
}

struct Converter<'a, W: Write> {
    args: &'a ConvertArgs,
    output: BufWriter<W>,
    /// Games that have been written.
    count: &'a mut usize,
}

impl<W: Write> Converter<'_, W> {
    fn convert(&mut self, path: &Path) -> CommandResult {
        if path.is_dir() {
            let files = selfplay::files(path)?;
            if files.is_empty() {
                return Err(ConvertError::NoGames { path: path.to_owned() }.into());
            }
            return files.iter().try_for_each(|path| self.convert_selfplay(path));
        }
        if path.extension().is_some_and(|extension| extension == "parquet") {
            return self.convert_selfplay(path);
        }
        self.convert_text(path)
    }

    fn convert_selfplay(&mut self, path: &Path) -> CommandResult {
        for (index, game) in selfplay::games(path, self.args.variant.as_ref())?.enumerate() {
            self.write(path, index + 1, &game?)?;
        }
        Ok(())
    }

    fn convert_text(&mut self, path: &Path) -> CommandResult {
        let text = FileText::of(&contents(path)?);
        let variant = match &self.args.variant {
            Some(variant) => variant.clone(),
            None => USUAL_VARIANT.parse()?,
        };
        for (index, game) in Games::new(&text, &variant).enumerate() {
            let game = game.map_err(|source| ConvertError::Read { path: path.to_owned(), source })?;
            self.write(path, index + 1, &game)?;
        }
        Ok(())
    }

    fn write(&mut self, path: &Path, number: usize, game: &SavedGame) -> CommandResult {
        let notation = self.args.notation;
        let text = match self.args.target() {
            Target::Pgn => write_pgn(game, notation.unwrap_or(Form::Iccs)),
            Target::Json => json::line(game, notation)?,
            Target::Dhtmlxq => write_dhtmlxq(game).map_err(|source| ConvertError::NotXiangqi {
                path: path.to_owned(),
                game: number,
                source,
            })?,
        };
        if *self.count > 0 && self.args.target() != Target::Json {
            writeln!(self.output)?;
        }
        *self.count += 1;
        self.output.write_all(text.as_bytes())?;
        Ok(())
    }
}

/// The bytes of a file or of the standard input.
pub(crate) fn contents(path: &Path) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let is_input = path == Path::new(STANDARD_INPUT);
    let failed = |source| -> Box<dyn std::error::Error + Send + Sync> {
        match is_input {
            true => InputError::wrap(source).into(),
            false => ConvertError::Io { path: path.to_owned(), source }.into(),
        }
    };
    let source: Box<dyn Read> = match is_input {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path).map_err(failed)?),
    };
    let mut contents = Vec::new();
    source.take(MOST_BYTES as u64 + 1).read_to_end(&mut contents).map_err(failed)?;
    if contents.len() > MOST_BYTES {
        return Err(ConvertError::TooLarge { path: path.to_owned() }.into());
    }
    Ok(contents)
}

#[cfg(test)]
mod tests;
