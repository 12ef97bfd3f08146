//! `eval tournament`: from the arguments to the agents.

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use heng_env::Variant;
use thiserror::Error;

use super::nets::nets_of;
use super::playing::Playing;
use crate::agent::{self, AgentSpec, LoadedAgent};
use crate::cli::UsageError;
use crate::device::DeviceArgs;
use crate::game_file::Form;
use crate::match_play::TimeArgs;
use crate::openings::{self, OpeningSource};

/// The most games of one pairing.
const GAMES_MAX: u64 = 1_000_000;

/// The most threads.
const THREADS_MAX: i64 = 1024;

/// Whose rating is 0 where nothing else is asked for, if it takes part.
const DEFAULT_ANCHOR: &str = "random";

/// What `eval tournament` is asked for.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = format!("{}\n\n{}", agent::HELP, openings::HELP))]
pub struct TournamentArgs {
    /// The agents, see below; two at least, or --run
    #[arg(value_name = "AGENT", required_unless_present = "runs")]
    agents: Vec<AgentSpec>,
    /// The nets of this run take part, too: runs/NAME, with options as in "runs/NAME?sims=64"; may be given again
    #[arg(long = "run", value_name = "RUN")]
    runs: Vec<AgentSpec>,
    /// Of the nets of a run every K-th, and always the first and the newest; about ten if not given
    #[arg(long, value_name = "K", requires = "runs", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// The variant, NAME or NAME:key=value,…; not needed where an agent is a net
    #[arg(long, value_name = "V")]
    variant: Option<Variant>,
    /// Only the first agent plays, against each of the others
    #[arg(long)]
    pub(super) gauntlet: bool,
    /// How many games each pairing has, in pairs with the same opening and colours swapped; one more if the number is odd
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=GAMES_MAX))]
    pub(super) games: u64,
    /// Where games begin, the same for all pairings: random:K for K random turns, or a file, see below
    #[arg(long, value_name = "random:K|FILE")]
    pub(super) openings: Option<OpeningSource>,
    /// The agent whose rating is 0; without it `random` if that takes part, otherwise the mean of all
    #[arg(long, value_name = "AGENT")]
    anchor: Option<AgentSpec>,
    /// Where all random numbers come from: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) time: TimeArgs,
    /// Keep games, report, page and tables in this directory, and go on with the same tournament if it is there
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// How games.pgn writes moves of Xiangqi: iccs (the usual one), chinese, traditional, wxf or uci
    #[arg(long, value_name = "NOTATION")]
    pub(super) notation: Option<Form>,
    /// Write the ratings to this file as a ladder, for agents that never change, to rate others on the same scale
    #[arg(long, value_name = "FILE", conflicts_with_all = ["movetime", "tc"])]
    pub(super) save_ladder: Option<PathBuf>,
    /// Print the report as JSON, and nothing else
    #[arg(long)]
    pub(super) json: bool,
    /// Play on this many threads instead of on all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    pub(super) threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
enum TournamentError {
    #[error("only `{0}` takes part, expected two agents at least")]
    Alone(String),
    #[error("no agent is a net, which would know its variant: expected --variant V")]
    NoVariant,
    #[error("`{first}` is made for `{first_variant}` and `{second}` for `{second_variant}`, expected --variant V")]
    TwoVariants { first: String, first_variant: String, second: String, second_variant: String },
    #[error("agent `{agent}` is listed twice, expected each once")]
    Twice { agent: String },
    #[error("anchor `{anchor}` does not take part, expected one of the agents")]
    Anchor { anchor: String },
}

/// Plays the tournament and reports it.
///
/// # Errors
/// If an agent or an opening cannot be used, the directory holds another tournament, or the result cannot be written.
pub fn run(args: &TournamentArgs, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    if args.agents.len() < 2 && args.runs.is_empty() {
        return Err(UsageError::new("tournament", "one AGENT alone plays no tournament, expected two or --run").into());
    }
    let device = args.device.open()?;
    let agents = participants(args)?.iter().map(|agent| agent.load_on(&device)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = agents.iter().map(|agent| agent.spec().to_string()).collect();
    if let Some(twice) = (1..names.len()).find(|&index| names[..index].contains(&names[index])) {
        return Err(TournamentError::Twice { agent: names[twice].clone() }.into());
    }
    if let [alone] = &names[..] {
        return Err(TournamentError::Alone(alone.clone()).into());
    }
    let anchor = anchor(args, &names)?;
    let variant = match &args.variant {
        Some(variant) => variant.clone(),
        None => common_variant(&agents)?,
    };
    variant.dispatch(Playing { args, agents: &agents, names, anchor, output })
}

/// The agents that are named, and those nets of the runs that are not.
fn participants(args: &TournamentArgs) -> Result<Vec<AgentSpec>, Box<dyn Error + Send + Sync>> {
    let mut participants = args.agents.clone();
    for run in &args.runs {
        let nets = nets_of(run, args.every.map(|every| every as usize))?;
        participants.extend(nets.into_iter().filter(|net| !args.agents.contains(net)));
    }
    Ok(participants)
}

fn anchor(args: &TournamentArgs, names: &[String]) -> Result<Option<usize>, TournamentError> {
    let Some(anchor) = &args.anchor else { return Ok(names.iter().position(|name| name == DEFAULT_ANCHOR)) };
    // As it is written or with the number of the net that was found.
    let is_anchor = |index: &usize| args.agents.get(*index) == Some(anchor) || names[*index] == anchor.to_string();
    let found = (0..names.len()).find(is_anchor);
    found.map(Some).ok_or_else(|| TournamentError::Anchor { anchor: anchor.to_string() })
}

/// The variant that the agents' nets are made for.
fn common_variant(agents: &[LoadedAgent]) -> Result<Variant, TournamentError> {
    let mut known = agents.iter().filter_map(|agent| agent.variant().map(|variant| (agent, variant)));
    let (first, first_variant) = known.next().ok_or(TournamentError::NoVariant)?;
    match known.find(|(_, variant)| *variant != first_variant) {
        None => Ok(first_variant.clone()),
        Some((second, second_variant)) => Err(TournamentError::TwoVariants {
            first: first.spec().to_string(),
            first_variant: first_variant.to_string(),
            second: second.spec().to_string(),
            second_variant: second_variant.to_string(),
        }),
    }
}
