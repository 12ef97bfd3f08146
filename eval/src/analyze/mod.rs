//! `eval analyze`: what an agent thinks of a position, and of every turn of a game.

mod analyst;
mod game;
mod judgement;
mod position;
mod proof;
pub(crate) mod words;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use heng_env::Variant;
use heng_env::notation::FenError;
use thiserror::Error;

use crate::agent::{self, AgentError, AgentSpec, Forfeit, ThinkingLimits, Time};
use crate::cli::CommandResult;
use crate::device::DeviceArgs;
use crate::draw::Letters;
use crate::draw::terminal::Color;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use analyst::Effort;
use game::OutFile;

/// The longest time for a turn, in milliseconds: a day.
const MOVETIME_MAX: u64 = 24 * 60 * 60 * 1000;

/// The most threads of one search.
const THREADS_MAX: i64 = 1024;

/// The most candidates that are printed.
const CANDIDATES_MAX: u64 = 1000;

/// What the first Ctrl-C is answered with.
const STOP_NOTICE: &str = "stopping with what is known; once more stops at once";

/// What `eval analyze` is asked for.
#[derive(Clone, Debug, Args)]
#[command(after_help = agent::HELP)]
pub struct AnalyzeArgs {
    /// The variant of the position, as NAME or NAME:key=value,…
    #[arg(value_name = "V", required_unless_present = "game", conflicts_with = "game")]
    variant: Option<Variant>,
    /// The position text, quoted for the shell; `start`, or nothing, for the standard start
    #[arg(value_name = "FEN", conflicts_with = "game")]
    fen: Option<String>,
    /// Analyse every turn of a game in this file, PGN or DhtmlXQ; - for the standard input. Without a tag it is of Xiangqi
    #[arg(long, value_name = "FILE")]
    game: Option<PathBuf>,
    /// Which game of the file of --game
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "variant")]
    number: u64,
    /// Write the analysed game of --game to a new file: a page (.html), the curve of red's value (.svg), or the game with comments (.pgn)
    #[arg(long, value_name = "FILE", conflicts_with = "variant")]
    out: Option<OutFile>,
    /// Who analyses, an agent: see below
    #[arg(long, value_name = "A", default_value = "alphabeta:6")]
    agent: AgentSpec,
    /// How many of the best turns to print; 3 if not given
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=CANDIDATES_MAX), conflicts_with = "game")]
    multipv: Option<u64>,
    /// Search with so many simulations (alphabeta: steps applied) for a step, in place of the agent's own limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "movetime")]
    sims: Option<u64>,
    /// Search for so many milliseconds for a turn, in place of the agent's own limit
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MOVETIME_MAX))]
    movetime: Option<u64>,
    /// Search on this many threads, if the agent can
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    threads: u16,
    /// What stands for the pieces; latin letters in the terminal and Chinese characters on a page if not given
    #[arg(long, value_enum)]
    letters: Option<Letters>,
    /// When the board is coloured
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
    /// Where the agent's chances come from: the same seed gives the same analysis, unless time ends it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one object of JSON, and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

impl AnalyzeArgs {
    fn effort(&self, stop: Interrupt) -> Effort {
        let time = self.movetime.map(|milliseconds| Time::Turn(Duration::from_millis(milliseconds)));
        let limits = ThinkingLimits { time, nodes: self.sims, ..ThinkingLimits::default() };
        Effort { limits, threads: usize::from(self.threads), seed: self.seed, stop }
    }
}

/// Why an analysis failed.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// The position text is none.
    #[error("the position: {0}")]
    Position(#[from] FenError),
    /// The agent cannot play the variant.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent gave up.
    #[error("agent `{agent}` {forfeit}")]
    Forfeit {
        /// The agent.
        agent: String,
        /// Why.
        forfeit: Forfeit,
    },
    /// The file has fewer games.
    #[error("{}: holds {found}, expected one with number {wanted}", path.display())]
    NoSuchGame {
        /// The file.
        path: PathBuf,
        /// How many games there are, in words.
        found: String,
        /// The number that was asked for.
        wanted: u64,
    },
    /// There is such a file already.
    #[error("{}: is there already, expected a new file", path.display())]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The page could not be put together.
    #[error("the page of the analysis: {0}")]
    Page(#[from] minijinja::Error),
}

/// Analyses a position or a game on `output`.
///
/// # Errors
/// If the position, the game or the agent cannot be used, or the result cannot be written.
pub fn run(args: &AnalyzeArgs, output: &mut dyn Write) -> CommandResult {
    match (&args.variant, &args.game) {
        (Some(variant), _) => position::run(args, variant, || Interrupt::listen(tell_of_stop), output),
        (None, Some(path)) => {
            let mut progress = Progress::new(0, "positions", args.json);
            let listen = |progress: &Progress| Interrupt::listen(progress.stop_notice(STOP_NOTICE));
            game::run(args, path, &mut progress, listen, output)
        }
        // Clap has refused such a command line.
        (None, None) => Ok(()),
    }
}

fn tell_of_stop() {
    // A closed stderr must not keep the result back.
    let _ = writeln!(io::stderr(), "{STOP_NOTICE}");
}

#[cfg(test)]
mod tests;
