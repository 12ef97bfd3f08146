//! `eval match`: from the arguments to the report.

use std::error::Error;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::ArgPredicate;
use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Side, Variant};
use rand::Rng;
use thiserror::Error;

use super::files::{self, MatchFolder};
use super::progress::MatchProgress;
use super::record::{GameHeader, GameRecord};
use super::report::MatchHeader;
use super::sprt::{GAMES_DEFAULT, SequentialTest, SprtArgs, SprtReport};
use super::time::warn_of_same_players;
use super::{GAMES_OF_PAIR, Match, MatchReport, TimeArgs};
use crate::agent::{self, AgentSpec, LoadedAgent};
use crate::device::DeviceArgs;
use crate::game_file::{Form, write_pgn};
use crate::interrupt::Interrupt;
use crate::openings::{self, OpeningSource, openings};
use crate::stats::{Decision, Sprt};

/// The most games of one match.
const GAMES_MAX: u64 = 1_000_000;

/// The most threads of one match.
const THREADS_MAX: i64 = 1024;

/// What `eval match` is asked for.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = format!("{}\n\n{}", agent::HELP, openings::HELP))]
pub struct MatchArgs {
    /// The first player, whose result is reported: an agent, see below
    #[arg(value_name = "A")]
    first: AgentSpec,
    /// The second player
    #[arg(value_name = "B")]
    second: AgentSpec,
    /// The variant, NAME or NAME:key=value,…; not needed where a player is a net
    #[arg(long, value_name = "V")]
    variant: Option<Variant>,
    /// How many games to play, in pairs with the same opening and colours swapped; one more if the number is odd; with
    /// --sprt the most games, 40000 if not given
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=GAMES_MAX))]
    #[arg(default_value_if("sprt", ArgPredicate::IsPresent, GAMES_DEFAULT))]
    games: u64,
    #[command(flatten)]
    sprt: SprtArgs,
    /// Where games begin: random:K for K random turns, or a file, see below
    #[arg(long, value_name = "random:K|FILE")]
    openings: Option<OpeningSource>,
    /// Where all random numbers come from: the same seed plays the same games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    time: TimeArgs,
    /// Save match.json and games.pgn in this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How games.pgn writes moves of Xiangqi: iccs (the usual one), chinese, traditional, wxf or uci
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Form>,
    /// Print the report as JSON, and nothing else
    #[arg(long)]
    json: bool,
    /// Play on this many threads instead of on all cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    threads: Option<u16>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// Why a match cannot be played.
#[derive(Debug, Error)]
enum MatchError {
    #[error("neither player is a net, which would know its variant: expected --variant V")]
    NoVariant,
    #[error("`{first}` is made for `{first_variant}` and `{second}` for `{second_variant}`, expected --variant V")]
    TwoVariants { first: String, first_variant: String, second: String, second_variant: String },
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: io::Error },
    #[error("stopped before a pair of games was complete")]
    NothingPlayed,
}

/// Plays the match and reports it.
///
/// # Errors
/// If there is no such test, an agent or an opening cannot be used, or the result cannot be written.
pub fn run(args: &MatchArgs, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    let sprt = args.sprt.test()?;
    if let Some(directory) = &args.out {
        files::check_free(directory)?;
    }
    let device = args.device.open()?;
    let agents = [args.first.load_on(&device)?, args.second.load_on(&device)?];
    let variant = match &args.variant {
        Some(variant) => variant.clone(),
        None => common_variant(&agents)?,
    };
    variant.dispatch(Playing { args, sprt, agents: &agents, output })
}

/// The variant that the agents' nets are made for.
fn common_variant(agents: &[LoadedAgent; 2]) -> Result<Variant, MatchError> {
    match (agents[0].variant(), agents[1].variant()) {
        (None, None) => Err(MatchError::NoVariant),
        (Some(variant), None) | (None, Some(variant)) => Ok(variant.clone()),
        (Some(first), Some(second)) if first == second => Ok(first.clone()),
        (Some(first), Some(second)) => Err(MatchError::TwoVariants {
            first: agents[0].spec().to_string(),
            first_variant: first.to_string(),
            second: agents[1].spec().to_string(),
            second_variant: second.to_string(),
        }),
    }
}

struct Playing<'a> {
    args: &'a MatchArgs,
    sprt: Option<Sprt>,
    agents: &'a [LoadedAgent; 2],
    output: &'a mut dyn Write,
}

impl VariantVisitor for Playing<'_> {
    type Output = Result<(), Box<dyn Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let args = self.args;
        let seeds = Seeds::new(args.seed);
        let source = args.openings.clone().unwrap_or_else(|| OpeningSource::default_for::<G>(&rules));
        let pairs = args.games.div_ceil(GAMES_OF_PAIR as u64) as usize;
        let players = [
            self.agents[0].player(variant, &rules, seeds_of_player(seeds, 0))?,
            self.agents[1].player(variant, &rules, seeds_of_player(seeds, 1))?,
        ];
        let progress = MatchProgress::new(pairs * GAMES_OF_PAIR, args.json);
        let interrupt = Interrupt::listen(progress.stop_notice())?;
        let openings = openings(&source, &rules, pairs, seeds, &interrupt)?;
        let folder = args.out.as_deref().map(MatchFolder::claim).transpose()?;
        let threads = args.threads.and_then(|threads| NonZero::new(usize::from(threads))).unwrap_or_else(all_cores);
        let header = MatchHeader {
            variant: variant.to_string(),
            players: [self.agents[0].spec().to_string(), self.agents[1].spec().to_string()],
            openings: source.to_string(),
            seed: args.seed,
            games_wanted: pairs * GAMES_OF_PAIR,
            time: args.time.control().map(|control| control.to_string()),
        };
        let game = Match::<G> { players, openings, seeds, threads, time: args.time.limits() };
        let (records, sprt) = play(&game, self.sprt, &interrupt, progress)?;
        finish::<G>(Played { args, folder, variant, rules: &rules, header, records: &records, sprt }, self.output)
    }
}

/// Playouts of the two players must not be the same ones.
fn seeds_of_player(seeds: Seeds, player: u64) -> Seeds {
    Seeds::new(seeds.stream(Purpose::Rollout, player).next_u64())
}

fn all_cores() -> NonZero<usize> {
    std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Plays the games, or as many of them as the test needs.
fn play<G: Notation>(
    game: &Match<G>,
    sprt: Option<Sprt>,
    interrupt: &Interrupt,
    mut progress: MatchProgress,
) -> Result<(Vec<GameRecord>, Option<SprtReport>), MatchError> {
    let mut test = sprt.map(SequentialTest::new);
    let played = game.play(interrupt, |record| {
        if let Some(test) = &mut test {
            if test.add(record) != Decision::Undecided {
                interrupt.request();
            }
            progress.set_note(test.note());
        }
        progress.add(record);
    });
    progress.finish();
    let mut records = played.map_err(|source| MatchError::Threads { threads: game.threads.get(), source })?;
    if let Some(test) = &test {
        records.truncate(test.counted_games());
    }
    if records.is_empty() { Err(MatchError::NothingPlayed) } else { Ok((records, test.map(|test| test.report()))) }
}

/// A match that has been played.
struct Played<'a, G: Notation> {
    args: &'a MatchArgs,
    folder: Option<MatchFolder>,
    variant: &'a Variant,
    rules: &'a G::Rules,
    header: MatchHeader,
    records: &'a [GameRecord],
    sprt: Option<SprtReport>,
}

fn finish<G: Notation>(played: Played<'_, G>, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    let Played { args, folder, variant, rules, header, records, sprt } = played;
    let report = MatchReport { sprt, ..MatchReport::new(header, records) };
    let json = serde_json::to_string_pretty(&report)? + "\n";
    // The disk may be full: that must not cost the report.
    let saved = folder.map_or(Ok(()), |folder| {
        let MatchHeader { players, seed, time, .. } = &report.header;
        let header = GameHeader { variant, players, seed: *seed, time: time.as_deref() };
        let form = args.notation.unwrap_or(Form::Iccs);
        let text = |record: &GameRecord| Ok(write_pgn(&record.to_saved::<G>(rules, &header)?, form));
        let games: Vec<String> = records.iter().map(text).collect::<Result<_, Box<dyn Error + Send + Sync>>>()?;
        Ok(folder.save(&json, &games.join("\n"))?)
    });
    if args.time.control().is_some() {
        warn_of_same_players([&args.first, &args.second]);
    }
    if let Some(warning) = report.warning() {
        // A closed stderr must not keep the report back.
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    if args.json {
        output.write_all(json.as_bytes())?;
    } else {
        report.write_text(Side::BOTH.map(G::side_name), output)?;
    }
    saved
}
