//! `eval openings`: the studies by name, and the options that all of them have.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::{fixed, free, mini};
use crate::agent::{self, AgentSpec, LoadedAgent};
use crate::cli::CommandResult;
use crate::device::DeviceArgs;

/// The most threads.
const THREADS_MAX: i64 = 1024;

/// The most simulations.
const SIMULATIONS_MAX: u64 = 1_000_000;

/// Where studies are kept unless `--out` says otherwise.
const STUDIES_FOLDER: &str = "studies";

/// The agents that studies ask where no other is named, by variant: the nets that come with the program. For given layouts it is the
/// net that has played from many, and not one that has learnt from a single layout.
const SHIPPED_AGENTS: &[(&str, &str)] = &[
    ("eternal-mini", "net:configs/nets/eternal-mini"),
    ("eternal-free", "net:configs/nets/eternal-free"),
    ("eternal-fixed", "net:configs/nets/eternal-free"),
];

/// What `eval openings` is asked for.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = agent::HELP)]
pub struct OpeningsArgs {
    #[command(subcommand)]
    study: Study,
}

#[derive(Clone, Debug, Subcommand)]
enum Study {
    /// What the 8,100 set-ups of eternal-mini are worth: by search, in games, and piece by piece
    Mini(mini::MiniArgs),
    /// Study what an agent places where and when, and how its layouts fare against each other
    Free(free::FreeArgs),
    /// Compare given layouts: each against each with both colours, or each against itself
    Fixed(fixed::FixedArgs),
}

/// Runs a study.
///
/// # Errors
/// If the agent cannot be used, the directory holds another study, or the result cannot be written.
pub fn run(args: &OpeningsArgs, output: &mut dyn Write) -> CommandResult {
    match &args.study {
        Study::Mini(args) => mini::run(args, output),
        Study::Free(args) => free::run(args, output),
        Study::Fixed(args) => fixed::run(args, output),
    }
}

/// The options of every study.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct StudyArgs {
    /// Who is asked: an agent, see `eval openings --help`; the net that comes with the program if not given
    #[arg(long, value_name = "A")]
    agent: Option<AgentSpec>,
    /// Simulations of each search; without it those of the agent, 256 for a net without a number, the depth of alphabeta:D
    #[arg(long = "sims", value_name = "N", value_parser = clap::value_parser!(u64).range(1..=SIMULATIONS_MAX))]
    pub(crate) simulations: Option<u64>,
    /// Where all random numbers come from: the same seed gives the same study
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Keep tables, page and finished work in this directory, and go on with the same study if it is there; studies/NAME if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the summary as JSON, and nothing else
    #[arg(long)]
    pub(crate) json: bool,
    /// Work on this many threads instead of on all cores; they change nothing but the time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArgs,
}

impl StudyArgs {
    /// The agent that is named, or the net that comes with the program for `variant`, one of the Eternal variants.
    pub(crate) fn load_agent(&self, variant: &str) -> Result<LoadedAgent, Box<dyn std::error::Error + Send + Sync>> {
        let shipped = || SHIPPED_AGENTS.iter().find(|(name, _)| *name == variant).map(|(_, agent)| *agent);
        let agent = match &self.agent {
            Some(agent) => agent.clone(),
            None => shipped().expect("every variant that is studied has a net").parse()?,
        };
        Ok(agent.load_on(&self.device.open()?)?)
    }

    /// Where the study called `name` is kept.
    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| Path::new(STUDIES_FOLDER).join(name))
    }

    /// On how many threads it works.
    pub(crate) fn thread_count(&self) -> NonZero<usize> {
        let asked = self.threads.and_then(|threads| NonZero::new(usize::from(threads)));
        asked.or(std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
    }
}
