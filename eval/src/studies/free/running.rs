//! The study from its agent to its page.

use std::error::Error;
use std::io::Write;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Side, Variant};

use super::super::budget::Budget;
use super::super::folder::{StudySettings, VERSION};
use super::super::layout_table::{LayoutTable, TablePlan};
use super::super::playing::Player;
use super::super::session::{Session, SessionError};
use super::against::Given;
use super::choice::{FoundLayout, layouts_of, table};
use super::kept::{Kept, Piece};
use super::placing::Placing;
use super::summary::FreeSummary;
use super::{FreeArgs, NAME, page, tables};
use crate::agent::LoadedAgent;

/// The random numbers of the reply, far from those of all placement phases.
const REPLY_STREAM: u64 = 1 << 40;

pub(super) struct Running<'a> {
    pub(super) args: &'a FreeArgs,
    pub(super) given: Option<Given>,
    pub(super) agent: LoadedAgent,
    pub(super) output: &'a mut dyn Write,
}

/// Red's layouts and black's.
type Layouts = [Vec<FoundLayout>; 2];

/// Everything that was found.
pub(super) struct Findings {
    pub(super) settings: StudySettings,
    pub(super) kept: Kept,
    /// Red's layouts and black's.
    pub(super) layouts: Layouts,
    /// Those of them that played each other.
    pub(super) table: LayoutTable,
    /// The given layout and the replies to it.
    pub(super) against: Option<(Given, LayoutTable)>,
}

impl VariantVisitor for Running<'_> {
    type Output = Result<(), Box<dyn Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let Running { args, given, agent, output } = self;
        let settings = settings(args, variant, &agent);
        let mut kept = Kept::default();
        let games = args.games as usize;
        let mut session = Session::open(&args.study, &settings, |piece: Piece| kept.add(piece, games))?;
        let player = Player::<G>::new(&agent, variant, &rules, settings.seed, &session.interrupt)?;
        let mut work = Work { args, rules: &rules, settings: &settings, player: &player, session: &mut session };
        let Some((layouts, table)) = work.layouts_and_table(&mut kept)? else { return Ok(()) };
        let against = match given {
            Some(given) => match work.replies(given, &table, &mut kept)? {
                Some(against) => Some(against),
                None => return Ok(()),
            },
            None => None,
        };
        session.progress.finish();
        let findings = Findings { settings, kept, layouts, table, against };
        let summary = FreeSummary::of(&findings)?;
        for (name, table) in tables::all(&findings, &summary) {
            session.journal.write(name, &table.csv())?;
        }
        let json = serde_json::to_string_pretty(&summary)? + "\n";
        session.journal.write("summary.json", &json)?;
        session.journal.write("report.html", &page::page::<G>(&rules, &findings, &summary).html()?)?;
        if args.study.json {
            write!(output, "{json}")?;
        } else {
            summary.print(&findings.settings, output)?;
            writeln!(output, "\ntables and page in {}", args.study.directory(NAME).display())?;
        }
        Ok(())
    }
}

fn settings(args: &FreeArgs, variant: &Variant, agent: &LoadedAgent) -> StudySettings {
    let budget = Budget::of(agent.spec(), args.study.simulations);
    let options = [
        ("games", args.games.to_string()),
        ("layouts", args.layouts.to_string()),
        ("pairs", args.pairs.to_string()),
        ("explored-turns", args.explored_turns.to_string()),
        ("against", args.against.clone().unwrap_or_default()),
    ];
    StudySettings {
        study: NAME.to_owned(),
        variant: variant.to_string(),
        agent: agent.spec().to_string(),
        budget,
        second_budget: budget.second(),
        seed: args.study.seed,
        version: VERSION.to_owned(),
        options: options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}

/// What is to be done, part by part.
struct Work<'a, G: Notation> {
    args: &'a FreeArgs,
    rules: &'a G::Rules,
    settings: &'a StudySettings,
    player: &'a Player<G>,
    session: &'a mut Session,
}

impl<'a, G: Notation> Work<'a, G> {
    fn plan(&self) -> TablePlan {
        let StudySettings { budget, second_budget, seed, .. } = *self.settings;
        TablePlan { pairs: self.args.pairs as usize, budget, second_budget, seed }
    }

    fn placing<'b>(&self, given: Option<&'b Given>) -> Placing<'b, G>
    where
        'a: 'b,
    {
        let StudySettings { budget, second_budget, .. } = *self.settings;
        // The reply to a given layout is the best that the agent knows.
        let explored_turns = if given.is_some() { 0 } else { usize::from(self.args.explored_turns) };
        Placing { rules: self.rules, budget, second_budget, explored_turns, given }
    }

    /// Plays the placement phases, then the layouts against each other. Nothing if a stop was asked for.
    fn layouts_and_table(&mut self, kept: &mut Kept) -> Result<Option<(Layouts, LayoutTable)>, SessionError> {
        let all = self.args.games as usize;
        let missing: Vec<usize> = (0..all).filter(|game| !kept.placed.contains_key(game)).collect();
        self.session.progress.begin(all - missing.len(), all);
        self.session.progress.set_message("placements");
        let (placing, seeds, player) = (self.placing(None), Seeds::new(self.settings.seed), self.player);
        let place = |player: &mut Player<G>, &game: &usize| {
            let mut rng = seeds.stream(Purpose::Openings, game as u64);
            Some(placing.play(player, game, &mut rng)?.map(Piece::Placed))
        };
        self.session.work(player, &missing, place, |piece| kept.add(piece, all).expect("what was played is right"))?;
        if self.session.is_stopped() {
            return Ok(None);
        }
        let layouts = Side::BOTH.map(|side| layouts_of(side, kept.placed.values()));
        let table = table([&layouts[0], &layouts[1]], self.args.layouts as usize);
        let is_finished = self.play_table(&table, kept)?;
        Ok(is_finished.then_some((layouts, table)))
    }

    /// Says whether all is done.
    fn play_table(&mut self, table: &LayoutTable, kept: &mut Kept) -> Result<bool, SessionError> {
        let plan = self.plan();
        let results = kept.tables.entry(table.name.clone()).or_default();
        let all = table.piece_count(&plan);
        self.session.progress.begin(all - table.missing(&plan, results), all);
        self.session.progress.set_message("games of layouts");
        table.work(self.player, self.rules, &plan, self.session, results)?;
        Ok(!self.session.is_stopped())
    }

    /// The agent's reply to `given`, and how it and the layouts of the other side fare. Nothing if a stop was asked for.
    fn replies(
        &mut self,
        given: Given,
        table: &LayoutTable,
        kept: &mut Kept,
    ) -> Result<Option<(Given, LayoutTable)>, SessionError> {
        if kept.reply.is_none() {
            let mut rng = Seeds::new(self.settings.seed).stream(Purpose::Openings, REPLY_STREAM);
            let mut player = self.player.fresh();
            let reply = match self.placing(Some(&given)).play(&mut player, 0, &mut rng) {
                Some(Ok(reply)) => reply,
                Some(Err(forfeit)) => {
                    return Err(SessionError::Forfeit { agent: self.settings.agent.clone(), forfeit });
                }
                None => {
                    self.session.is_stopped();
                    return Ok(None);
                }
            };
            self.session.keep(&Piece::Reply(reply.clone()))?;
            kept.reply = Some(reply);
        }
        let Some(reply) = &kept.reply else { return Ok(None) };
        let others = if given.side == Side::Red { &table.black } else { &table.red };
        let against = given.table(reply, others);
        Ok(self.play_table(&against, kept)?.then_some((given, against)))
    }
}
