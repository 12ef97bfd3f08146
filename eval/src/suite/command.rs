//! `eval suite`: from the arguments to the agents and their ladders.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use heng_env::Variant;
use heng_mcts::ladder::Ladder;
use thiserror::Error;

use super::folder::{self, SuitePairs, SuiteSettings};
use super::page;
use super::playing::{Climb, Session};
use super::report::SuiteReport;
use crate::agent::{self, AgentSpec, LoadedAgent};
use crate::device::DeviceArgs;
use crate::interrupt::Interrupt;
use crate::journal::Journal;
use crate::ladder_file::{self, LadderFileError};
use crate::match_play::{GAMES_OF_PAIR, STOP_NOTICE};
use crate::progress::Progress;

/// The most games of an agent on one ladder.
const GAMES_MAX: u64 = 1_000_000;

/// The most threads.
const THREADS_MAX: i64 = 1024;

/// What `eval suite` is asked for.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = agent::HELP)]
pub struct SuiteArgs {
    /// The agents to rate, see below: a net on the ladder of its variant, other agents on every ladder there is
    #[arg(value_name = "RUN-or-AGENT", required = true)]
    agents: Vec<AgentSpec>,
    /// How many games an agent plays on a ladder, in pairs with the same opening and colours swapped; one more if the number is odd
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=GAMES_MAX))]
    games: u64,
    /// Where the ladders are, VARIANT.toml each
    #[arg(long, value_name = "DIR", default_value = "configs/ladders")]
    ladders: PathBuf,
    /// Where all random numbers come from: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep games, report, page and table in this directory, and go on with the same suite if it is there; agents and games may be added
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the report as JSON, and nothing else
    #[arg(long)]
    json: bool,
    /// Play on this many threads instead of on all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Why nobody is rated.
#[derive(Debug, Error)]
enum SuiteError {
    #[error("agent `{agent}` is listed twice, expected each once")]
    Twice { agent: String },
    #[error("{}: holds no ladder, expected VARIANT.toml as `eval tournament --save-ladder` writes it", path.display())]
    NoLadders { path: PathBuf },
    #[error("nobody can be rated: {0}")]
    Nobody(String),
    #[error("stopped before a pair of games was complete")]
    NothingPlayed,
}

/// Rates the agents and reports it.
///
/// # Errors
/// If an agent or a ladder cannot be used, the directory holds another suite, or the result cannot be written.
pub fn run(args: &SuiteArgs, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    let device = args.device.open()?;
    let agents = args.agents.iter().map(|agent| agent.load_on(&device)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = agents.iter().map(|agent| agent.spec().to_string()).collect();
    if let Some(twice) = (1..names.len()).find(|&index| names[..index].contains(&names[index])) {
        return Err(SuiteError::Twice { agent: names[twice].clone() }.into());
    }
    let settings = SuiteSettings { seed: args.seed, ladders: ladders(&args.ladders)? };
    if settings.ladders.is_empty() {
        return Err(SuiteError::NoLadders { path: args.ladders.clone() }.into());
    }
    let (tasks, mut left_out) = tasks(&agents, &settings.ladders, &args.ladders);
    if tasks.is_empty() {
        return Err(SuiteError::Nobody(left_out.join("; ")).into());
    }
    let opened = args.out.as_deref().map(|directory| folder::open(directory, &settings)).transpose()?;
    let (mut journal, pairs) = match opened {
        Some((journal, pairs)) => (Some(journal), pairs),
        None => (None, SuitePairs::new()),
    };
    let pairs_wanted = args.games.div_ceil(GAMES_OF_PAIR as u64) as usize;
    let total = tasks.len() * GAMES_OF_PAIR * pairs_wanted;
    let mut progress = Progress::new(total, "games", args.json);
    progress.begin(0, total);
    let interrupt = Interrupt::listen(progress.stop_notice(STOP_NOTICE))?;
    let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads)));
    let threads = threads.or(std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    let (seed, device) = (args.seed, &device);
    let mut session =
        Session { seed, device, pairs_wanted, threads, pairs, journal: &mut journal, interrupt, progress };
    let mut rows = Vec::new();
    for Task { agent, ladder } in &tasks {
        if session.interrupt.is_requested() {
            break;
        }
        let variant: Variant = ladder.variant.parse()?;
        let climb = Climb { session: &mut session, agent, ladder, left_out: &mut left_out };
        rows.extend(variant.dispatch(climb)?);
    }
    session.progress.finish();
    if rows.iter().all(|row| row.rating.is_none()) {
        let nothing =
            if left_out.is_empty() { SuiteError::NothingPlayed } else { SuiteError::Nobody(left_out.join("; ")) };
        return Err(nothing.into());
    }
    finish(args, journal.as_ref(), &SuiteReport::new(args.seed, GAMES_OF_PAIR * pairs_wanted, rows, left_out), output)
}

/// An agent and the ladder that it is rated on.
struct Task<'a> {
    agent: &'a LoadedAgent,
    ladder: &'a Ladder,
}

/// The ladders in a folder, by the names of their variants.
fn ladders(folder: &Path) -> Result<BTreeMap<String, Ladder>, LadderFileError> {
    let mut ladders = BTreeMap::new();
    for variant in Variant::all() {
        if let Some(ladder) = ladder_file::read_for(folder, &variant)? {
            ladders.insert(variant.name().to_owned(), ladder);
        }
    }
    Ok(ladders)
}

/// Who is rated on which ladder, and who on none.
fn tasks<'a>(
    agents: &'a [LoadedAgent],
    ladders: &'a BTreeMap<String, Ladder>,
    folder: &Path,
) -> (Vec<Task<'a>>, Vec<String>) {
    let (mut tasks, mut left_out) = (Vec::new(), Vec::new());
    for agent in agents {
        match agent.variant().map(|variant| (variant.name(), ladders.get(variant.name()))) {
            None => tasks.extend(ladders.values().map(|ladder| Task { agent, ladder })),
            Some((_, Some(ladder))) => tasks.push(Task { agent, ladder }),
            Some((name, None)) => left_out.push(format!(
                "`{}`, since {name} has no ladder, expected {}",
                agent.spec(),
                folder.join(name).with_extension("toml").display()
            )),
        }
    }
    (tasks, left_out)
}

fn finish(
    args: &SuiteArgs,
    journal: Option<&Journal>,
    report: &SuiteReport,
    output: &mut dyn Write,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let json = serde_json::to_string_pretty(report)? + "\n";
    let save = |journal: &Journal| -> Result<(), Box<dyn Error + Send + Sync>> {
        journal.write("ratings.csv", &report.csv())?;
        journal.write("report.html", &page::html(report)?)?;
        Ok(journal.write("report.json", &json)?)
    };
    // The disk may be full: that must not cost the report.
    let saved = journal.map_or(Ok(()), save);
    if args.json {
        output.write_all(json.as_bytes())?;
    } else {
        report.write_text(output)?;
    }
    saved
}
