//! `eval openings mini`: what the set-ups of the small board are worth, by search and in games.

mod findings;
mod games;
mod page;
mod pieces;
mod search;
mod setups;
mod summary;
mod tables;
mod words;
mod work;

use std::error::Error;
use std::io::Write;

use heng_env::variants::VariantVisitor;
use heng_env::{Game, Notation, Purpose, Seeds, Variant};
use rand::seq::SliceRandom;

use self::findings::Findings;
use self::setups::SetUp;
use self::summary::{ALL_SETUPS, SETUPS_OPTION, Summary};
use self::tables::Board;
use self::work::{STRATA, Work};
use super::budget::Budget;
use super::command::StudyArgs;
use super::folder::{StudySettings, VERSION};
use crate::agent::LoadedAgent;
use crate::cli::CommandResult;
use crate::journal::Journal;

/// The name of the study.
const NAME: &str = "mini";

/// The variant that is studied.
const VARIANT: &str = "eternal-mini";

/// The most games from one set-up.
const GAMES_MAX: u64 = 100_000;

/// What `eval openings mini` is asked for.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MiniArgs {
    #[command(flatten)]
    study: StudyArgs,
    /// Games from each set-up of the sample, of the agent against itself; 0 for none
    #[arg(long, value_name = "G", default_value_t = 16, value_parser = clap::value_parser!(u64).range(..=GAMES_MAX))]
    games_per_setup: u64,
    /// Set-ups that games are played from, as many from each tenth by value
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(STRATA as i64..))]
    sample: u16,
    /// Study only this many set-ups up to the mirror, drawn at random, instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(STRATA as i64..))]
    setups: Option<u16>,
}

/// Runs the study, or goes on with it.
///
/// # Errors
/// If the agent cannot be used, the directory holds another study, the result cannot be written, or a stop came before the end.
pub(super) fn run(args: &MiniArgs, output: &mut dyn Write) -> CommandResult {
    let agent = args.study.load_agent(VARIANT)?;
    let variant: Variant = VARIANT.parse()?;
    variant.dispatch(Mini { args, agent: &agent, output })
}

struct Mini<'a> {
    args: &'a MiniArgs,
    agent: &'a LoadedAgent,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Mini<'_> {
    type Output = CommandResult;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> CommandResult {
        let Mini { args, agent, output } = self;
        let settings = args.settings(variant, agent);
        let set_ups = args.studied(setups::all::<G>(&rules));
        let work = Work {
            settings: &settings,
            set_ups: &set_ups,
            sample: usize::from(args.sample),
            games: args.games_per_setup as usize,
            threads: args.study.thread_count(),
            is_quiet: args.study.json,
        };
        let directory = args.study.directory(NAME);
        let player = agent.player::<G>(variant, &rules, Seeds::new(args.study.seed))?;
        let (journal, done) = work.finish(player.as_ref(), &directory)?;
        let shape = G::shape(&rules);
        let board = Board { files: shape.files, ranks: shape.ranks };
        let findings = Findings::new(&set_ups, &done, work.sample(&done), board.files);
        let Some(summary) = Summary::new(&settings, &findings) else { return Ok(()) };
        let json = serde_json::to_string_pretty(&summary)? + "\n";
        // The disk may be full: that must not cost the summary.
        let saved = save(&journal, &summary, &findings, board, &json);
        if args.study.json {
            output.write_all(json.as_bytes())?;
        } else {
            summary::write_text(&summary, &directory.display().to_string(), output)?;
        }
        saved
    }
}

fn save<G: Notation>(
    journal: &Journal,
    summary: &Summary,
    findings: &Findings<'_, G>,
    board: Board,
    json: &str,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    for (name, table) in [
        ("setups.csv", tables::set_ups(findings)),
        ("budgets.csv", tables::budgets(findings)),
        ("games.csv", tables::games(findings)),
        ("sample.csv", tables::sample(findings)),
        ("calibration.csv", tables::calibration(findings)),
        ("pieces.csv", tables::pieces(findings, board)),
        ("layouts.csv", tables::layouts(findings, board)),
        ("symmetry.csv", tables::groups(findings)),
        ("proofs.csv", tables::proofs(findings)),
    ] {
        journal.write(name, &table.csv())?;
    }
    journal.write("report.html", &page::page(summary, findings, board).html()?)?;
    Ok(journal.write("summary.json", json)?)
}

impl MiniArgs {
    fn settings(&self, variant: &Variant, agent: &LoadedAgent) -> StudySettings {
        let budget = Budget::of(agent.spec(), self.study.simulations);
        let options = [
            ("games-per-setup", self.games_per_setup.to_string()),
            ("sample", self.sample.to_string()),
            (SETUPS_OPTION, self.setups.map_or_else(|| ALL_SETUPS.to_owned(), |setups| setups.to_string())),
        ];
        StudySettings {
            study: NAME.to_owned(),
            variant: variant.to_string(),
            agent: agent.spec().to_string(),
            budget,
            second_budget: budget.second(),
            seed: self.study.seed,
            version: VERSION.to_owned(),
            options: options.map(|(name, value)| (name.to_owned(), value)).into(),
        }
    }

    /// All set-ups, or those that chance draws, in the same order.
    fn studied<G: Game>(&self, mut all: Vec<SetUp<G>>) -> Vec<SetUp<G>> {
        let Some(count) = self.setups else { return all };
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.shuffle(&mut Seeds::new(self.study.seed).stream(Purpose::Openings, STRATA as u64));
        order.truncate(usize::from(count));
        order.sort_unstable();
        let mut place = 0;
        all.retain(|_| {
            place += 1;
            order.binary_search(&(place - 1)).is_ok()
        });
        all
    }
}
