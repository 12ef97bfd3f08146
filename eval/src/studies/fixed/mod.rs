//! `eval openings fixed`: given layouts of Eternal Chess, each against each or against itself.

mod file;
mod page;
mod summary;
mod tables;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Variant};
use sha2::{Digest, Sha256};

use super::budget::Budget;
use super::command::StudyArgs;
use super::folder::{StudySettings, VERSION};
use super::layout_table::{LayoutTable, Pairing, TableLine, TablePlan, TableResults};
use super::playing::Player;
use super::session::Session;
use crate::agent::LoadedAgent;
pub(super) use file::NamedLayout;
use summary::FixedSummary;

/// The study, as it is called on the command line.
const NAME: &str = "fixed";

/// The most games of a pairing.
const GAMES_MAX: u64 = 100_000;

/// Each colour has a pair of games.
const GAMES_OF_ROUND: usize = 4;

/// What `eval openings fixed` is asked for.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct FixedArgs {
    #[command(flatten)]
    study: StudyArgs,
    /// The layouts: a TOML file with `[[layout]]` tables of `name` and `red`, as configs/layouts/eternal-fixed.toml
    #[arg(long, value_name = "FILE")]
    layouts: PathBuf,
    /// Games of each pairing, half of them with each colour, rounded up to a multiple of 4 (with --mirrored to an even number)
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=GAMES_MAX))]
    games: u64,
    /// Each layout only against itself: what red's first move is worth in it
    #[arg(long)]
    mirrored: bool,
    /// Turns of both sides after which a game is a draw; 300 if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    turn_limit: Option<u16>,
}

/// Runs the study.
///
/// # Errors
/// If the file or the agent cannot be used, the directory holds another study, or the result cannot be written.
pub(super) fn run(args: &FixedArgs, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    let layouts = file::read(&args.layouts, if args.mirrored { 1 } else { 2 })?;
    let agent = args.study.load_agent("eternal-fixed")?;
    // Its positions are among those of the free game: a net for that plays them, too.
    let name = match agent.variant() {
        Some(variant) if variant.name() == "eternal-free" => "eternal-free",
        _ => "eternal-fixed",
    };
    let limit = args.turn_limit.map_or_else(String::new, |limit| format!(":turn_limit={limit}"));
    let variant: Variant = format!("{name}{limit}").parse()?;
    variant.dispatch(Running { args, layouts, agent, output })
}

struct Running<'a> {
    args: &'a FixedArgs,
    layouts: Vec<NamedLayout>,
    agent: LoadedAgent,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Running<'_> {
    type Output = Result<(), Box<dyn Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let Running { args, layouts, agent, output } = self;
        let settings = args.settings(variant, &layouts, &agent);
        let table = args.table(&layouts);
        let plan = TablePlan {
            pairs: args.pairs_of_cell(),
            budget: settings.budget,
            second_budget: settings.second_budget,
            seed: settings.seed,
        };
        let mut results = TableResults::default();
        let mut session = Session::open(&args.study, &settings, |TableLine::Table(piece)| {
            if let Some(problem) = table.problem(&piece, &plan) {
                return Err(problem);
            }
            results.add(piece);
            Ok(())
        })?;
        let all = table.piece_count(&plan);
        session.progress.begin(all - table.missing(&plan, &results), all);
        let player = Player::<G>::new(&agent, variant, &rules, settings.seed, &session.interrupt)?;
        table.work(&player, &rules, &plan, &mut session, &mut results)?;
        if session.is_stopped() {
            return Ok(());
        }
        session.progress.finish();
        let summary = FixedSummary::of(&settings, &layouts, &results, args.mirrored);
        for (name, table) in tables::all(&layouts, &results, &summary) {
            session.journal.write(name, &table.csv())?;
        }
        let json = serde_json::to_string_pretty(&summary)? + "\n";
        session.journal.write("summary.json", &json)?;
        let page = page::page::<G>(&settings, &rules, &layouts, &results, &summary);
        session.journal.write("report.html", &page.html()?)?;
        if args.study.json {
            write!(output, "{json}")?;
        } else {
            summary.print(&settings, output)?;
            writeln!(output, "\ntables and page in {}", args.study.directory(NAME).display())?;
        }
        Ok(())
    }
}

impl FixedArgs {
    /// Pairs of games of a layout for red and one for black.
    fn pairs_of_cell(&self) -> usize {
        (self.games as usize).div_ceil(if self.mirrored { 2 } else { GAMES_OF_ROUND })
    }

    fn settings(&self, variant: &Variant, layouts: &[NamedLayout], agent: &LoadedAgent) -> StudySettings {
        let budget = Budget::of(agent.spec(), self.study.simulations);
        let mut digest = Sha256::new();
        for NamedLayout { name, layout } in layouts {
            digest.update(format!("{name} {}\n", layout.text(heng_env::Side::Red)));
        }
        let sum: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let options = [
            ("layouts", format!("{} ({sum})", layouts.len())),
            ("games", (2 * self.pairs_of_cell() * if self.mirrored { 1 } else { 2 }).to_string()),
            ("mirrored", self.mirrored.to_string()),
        ];
        StudySettings {
            study: NAME.to_owned(),
            variant: variant.to_string(),
            agent: agent.spec().to_string(),
            budget,
            second_budget: budget.second(),
            seed: self.study.seed,
            version: VERSION.to_owned(),
            options: options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }

    fn table(&self, layouts: &[NamedLayout]) -> LayoutTable {
        let all = 0..layouts.len();
        let is_played = |&[red, black]: &[usize; 2]| (red == black) == self.mirrored;
        let cells = all.clone().flat_map(|red| all.clone().map(move |black| [red, black])).filter(is_played).collect();
        let side: Vec<_> = layouts.iter().map(|named| named.layout.clone()).collect();
        let name = "layouts".to_owned();
        LayoutTable { name, number: 0, red: side.clone(), black: side, cells, pairing: Pairing::Twice }
    }
}
