//! `eval openings free`: what an agent places where and when, and how its layouts fare against each other.

mod against;
mod choice;
mod heat_maps;
mod kept;
mod page;
mod placing;
mod running;
mod summary;
mod tables;
mod tree_html;

use std::io::Write;

use heng_env::Variant;

use super::command::StudyArgs;
use crate::cli::CommandResult;

/// The study, as it is called on the command line.
const NAME: &str = "free";

/// The most games whose placement is played.
const GAMES_MAX: u64 = 1_000_000;

/// The most layouts of a side.
const LAYOUTS_MAX: u64 = 100;

/// The most pairs of games of a cell.
const PAIRS_MAX: u64 = 100_000;

/// What `eval openings free` is asked for.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FreeArgs {
    #[command(flatten)]
    study: StudyArgs,
    /// How many times the agent plays the placement phase
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=GAMES_MAX))]
    games: u64,
    /// Of each side the K most frequent layouts play each other; of equally frequent ones those that searches like best
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=LAYOUTS_MAX))]
    layouts: u64,
    /// Pairs of games of each of the K x K cells; the second game has black's layout mirrored
    #[arg(long, value_name = "P", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=PAIRS_MAX))]
    pairs: u64,
    /// Also look for the best reply to this layout, as in "Cd4Ne4…": the side is that on whose ranks it stands, and the order that
    /// in which it is placed
    #[arg(long, value_name = "LAYOUT")]
    against: Option<String>,
    /// In so many placement turns, both sides' counted, the agent draws among its best steps; later it plays the best
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=6))]
    explored_turns: u8,
    /// Turns of both sides after which a game is a draw; 300 if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    turn_limit: Option<u16>,
}

/// Runs the study.
///
/// # Errors
/// If the agent cannot be used, the directory holds another study, or the result cannot be written.
pub(super) fn run(args: &FreeArgs, output: &mut dyn Write) -> CommandResult {
    let given = args.against.as_deref().map(against::Given::read).transpose()?;
    let agent = args.study.load_agent("eternal-free")?;
    let limit = args.turn_limit.map_or_else(String::new, |limit| format!(":turn_limit={limit}"));
    let variant: Variant = format!("eternal-free{limit}").parse()?;
    variant.dispatch(running::Running { args, given, agent, output })
}
