//! `eval tournament`: from the arguments to the report.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Side, Variant};
use rand::Rng;
use thiserror::Error;

use super::folder::{Pairs, TournamentFolder};
use super::report::TournamentReport;
use super::{KeptGame, KeptPair, Settings};
use crate::agent::{self, Agent, AgentSpec, LoadedAgent};
use crate::device::DeviceArgs;
use crate::interrupt::Interrupt;
use crate::match_play::{GameRecord, Match, STOP_NOTICE};
use crate::openings::{self, Opening, OpeningSource, openings};
use crate::progress::Progress;

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
    /// The agents, see below
    #[arg(value_name = "AGENT", num_args = 2.., required = true)]
    agents: Vec<AgentSpec>,
    /// The variant, NAME or NAME:key=value,…; not needed where an agent is a net
    #[arg(long, value_name = "V")]
    variant: Option<Variant>,
    /// Only the first agent plays, against each of the others
    #[arg(long)]
    gauntlet: bool,
    /// How many games each pairing has, in pairs with the same opening and colours swapped; one more if the number is odd
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=GAMES_MAX))]
    games: u64,
    /// Where games begin, the same for all pairings: random:K for K random turns, or a file, see below
    #[arg(long, value_name = "random:K|FILE")]
    openings: Option<OpeningSource>,
    /// The agent whose rating is 0; without it `random` if that takes part, otherwise the mean of all
    #[arg(long, value_name = "AGENT")]
    anchor: Option<AgentSpec>,
    /// Where all random numbers come from: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep games, report and tables in this directory, and go on with the same tournament if it is there
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

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
enum TournamentError {
    #[error("no agent is a net, which would know its variant: expected --variant V")]
    NoVariant,
    #[error("`{first}` is made for `{first_variant}` and `{second}` for `{second_variant}`, expected --variant V")]
    TwoVariants { first: String, first_variant: String, second: String, second_variant: String },
    #[error("agent `{agent}` is listed twice, expected each once")]
    Twice { agent: String },
    #[error("anchor `{anchor}` does not take part, expected one of the agents")]
    Anchor { anchor: String },
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: io::Error },
    #[error("cannot keep a pair of games: {source}")]
    Keep { source: io::Error },
    #[error("stopped before a pair of games was complete")]
    NothingPlayed,
}

/// Plays the tournament and reports it.
///
/// # Errors
/// If an agent or an opening cannot be used, the directory holds another tournament, or the result cannot be written.
pub fn run(args: &TournamentArgs, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    let device = args.device.open()?;
    let agents = args.agents.iter().map(|agent| agent.load_on(&device)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = agents.iter().map(|agent| agent.spec().to_string()).collect();
    if let Some(twice) = (1..names.len()).find(|&index| names[..index].contains(&names[index])) {
        return Err(TournamentError::Twice { agent: names[twice].clone() }.into());
    }
    let anchor = anchor(args, &names)?;
    let variant = match &args.variant {
        Some(variant) => variant.clone(),
        None => common_variant(&agents)?,
    };
    variant.dispatch(Playing { args, agents: &agents, names, anchor, output })
}

fn anchor(args: &TournamentArgs, names: &[String]) -> Result<Option<usize>, TournamentError> {
    let Some(anchor) = &args.anchor else { return Ok(names.iter().position(|name| name == DEFAULT_ANCHOR)) };
    // As it is written or with the number of the net that was found.
    let is_anchor = |index: &usize| args.agents[*index] == *anchor || names[*index] == anchor.to_string();
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

struct Playing<'a> {
    args: &'a TournamentArgs,
    agents: &'a [LoadedAgent],
    names: Vec<String>,
    anchor: Option<usize>,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Playing<'_> {
    type Output = Result<(), Box<dyn Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let Playing { args, agents, names, anchor, output } = self;
        let source = args.openings.clone().unwrap_or_else(|| OpeningSource::default_for::<G>(&rules));
        let pairs_of_pairing = args.games.div_ceil(2) as usize;
        let settings = Settings {
            variant: variant.to_string(),
            agents: names,
            gauntlet: args.gauntlet,
            games: 2 * pairs_of_pairing,
            openings: source.to_string(),
            seed: args.seed,
        };
        let opened = args.out.as_deref().map(|directory| TournamentFolder::open(directory, &settings)).transpose()?;
        let (mut folder, pairs) = match opened {
            Some((folder, pairs)) => (Some(folder), pairs),
            None => (None, Pairs::new()),
        };
        let total = settings.pairings().len() * settings.games;
        let mut progress = Progress::new(total, "games", args.json);
        progress.begin(2 * pairs.len(), total);
        let interrupt = Interrupt::listen(progress.stop_notice(STOP_NOTICE))?;
        let openings = openings::<G>(&source, &rules, pairs_of_pairing, Seeds::new(args.seed), &interrupt)?;
        let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads))).unwrap_or_else(all_cores);
        let mut tournament =
            Tournament { settings: &settings, openings: &openings, threads, pairs, folder: &mut folder };
        for (index, pairing) in settings.pairings().into_iter().enumerate() {
            if interrupt.is_requested() {
                break;
            }
            let seeds = seeds_of_pairing(args.seed, index);
            let player = |place: usize| {
                let playouts = Seeds::new(seeds.stream(Purpose::Rollout, place as u64).next_u64());
                agents[pairing[place]].player::<G>(variant, &rules, playouts)
            };
            let players = [player(0)?, player(1)?];
            tournament.play_pairing(pairing, players, seeds, &interrupt, &mut progress)?;
        }
        progress.finish();
        let pairs = tournament.pairs;
        if pairs.is_empty() {
            return Err(TournamentError::NothingPlayed.into());
        }
        let report = TournamentReport::new(settings, &pairs, anchor);
        finish(args, folder.as_ref(), &report, Side::BOTH.map(G::side_name), output)
    }
}

/// Agents must not play the same game in two pairings.
fn seeds_of_pairing(seed: u64, index: usize) -> Seeds {
    // Far from the streams of a match's games.
    const FIRST_STREAM: u64 = 1 << 32;
    Seeds::new(Seeds::new(seed).stream(Purpose::Match, FIRST_STREAM + index as u64).next_u64())
}

fn all_cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// What all pairings share.
struct Tournament<'a, G> {
    settings: &'a Settings,
    openings: &'a [Opening<G>],
    threads: NonZero<usize>,
    pairs: Pairs,
    folder: &'a mut Option<TournamentFolder>,
}

impl<G: Notation> Tournament<'_, G> {
    /// Plays what is missing of a pairing. A game is the same whether or not those before it were played before.
    fn play_pairing(
        &mut self,
        pairing: [usize; 2],
        players: [Box<dyn Agent<G>>; 2],
        seeds: Seeds,
        interrupt: &Interrupt,
        progress: &mut Progress,
    ) -> Result<(), TournamentError> {
        let missing = (0..self.openings.len()).find(|&pair| !self.pairs.contains_key(&(pairing, pair)));
        let Some(first_missing) = missing else { return Ok(()) };
        let names = pairing.map(|agent| &self.settings.agents[agent]);
        progress.set_message(&format!("{} against {}", names[0], names[1]));
        let game = Match { players, openings: self.openings.to_vec(), seeds, threads: self.threads, time: None };
        let mut halves: BTreeMap<usize, GameRecord> = BTreeMap::new();
        let mut kept = Ok(());
        let played = game.play_from(first_missing, interrupt, |record| {
            let pair = record.number / 2;
            let Some(other) = halves.remove(&pair) else {
                halves.insert(pair, record.clone());
                return;
            };
            if kept.is_ok() && !self.pairs.contains_key(&(pairing, pair)) {
                let pair = kept_pair(pairing, pair, [&other, record]);
                kept = self.folder.as_mut().map_or(Ok(()), |folder| folder.append(&pair));
                self.pairs.insert((pairing, pair.pair), pair);
                progress.add(2);
                if kept.is_err() {
                    interrupt.request();
                }
            }
        });
        kept.map_err(|source| TournamentError::Keep { source })?;
        played.map_err(|source| TournamentError::Threads { threads: self.threads.get(), source })?;
        progress.say_done(&self.line_of(pairing));
        Ok(())
    }

    fn line_of(&self, pairing: [usize; 2]) -> String {
        let pairs = self.pairs.range((pairing, 0)..=(pairing, usize::MAX));
        let half_points = pairs.clone().flat_map(|(_, pair)| &pair.games).map(|game| u64::from(game.half_points));
        let points = half_points.sum::<u64>() as f64 / 2.0;
        let [first, second] = pairing.map(|agent| &self.settings.agents[agent]);
        format!("{first} against {second}: {points} of {} points", 2 * pairs.count())
    }
}

fn kept_pair(agents: [usize; 2], pair: usize, mut records: [&GameRecord; 2]) -> KeptPair {
    records.sort_by_key(|record| record.number);
    KeptPair { agents, pair, start: records[0].start.clone(), games: records.map(KeptGame::of) }
}

fn finish(
    args: &TournamentArgs,
    folder: Option<&TournamentFolder>,
    report: &TournamentReport,
    side_names: [&str; 2],
    output: &mut dyn Write,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let json = serde_json::to_string_pretty(report)? + "\n";
    if let Some(folder) = folder {
        folder.write("ratings.csv", &report.ratings_csv())?;
        folder.write("crosstable.csv", &report.cross_table_csv())?;
        folder.write("report.json", &json)?;
    }
    if args.json {
        output.write_all(json.as_bytes())?;
    } else {
        report.write_text(side_names, output)?;
    }
    Ok(())
}
