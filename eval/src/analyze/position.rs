//! One position: the candidates, what they are worth and what is expected after them.

mod spinner;
mod text;

use std::io::Write;
use std::time::Instant;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Side, Variant};
use heng_mcts::value::Wdl;
use serde::Serialize;

use super::analyst::{Analyst, Effort};
use super::proof::Proof;
use super::words::{file_name, turns_of};
use super::{AnalyzeArgs, AnalyzeError};
use crate::agent::{Line, LoadedAgent, Opinion};
use crate::cli::CommandResult;
use crate::draw::terminal::{self, Options};
use crate::interrupt::Interrupt;
use crate::play::result_text;
use spinner::Spinner;

/// Candidates that are printed where nobody says how many.
const CANDIDATES: u64 = 3;

/// The word for the standard start.
const START: &str = "start";

/// All that is printed of a position. Values are those of the side that they name.
#[derive(Debug, Serialize)]
struct Report {
    variant: String,
    fen: String,
    agent: String,
    /// Who is to move.
    side: &'static str,
    /// How the game ended, if it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<End>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    nodes: u64,
    depth: u32,
    seconds: f64,
    candidates: Vec<Candidate>,
}

/// The end of a game.
#[derive(Debug, Serialize)]
struct End {
    winner: Option<&'static str>,
    reason: &'static str,
}

/// An expected result.
#[derive(Debug, Serialize)]
struct Value {
    /// Whose it is.
    side: &'static str,
    /// From -1 to 1.
    result: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    chances: Option<Chances>,
}

/// The same as chances.
#[derive(Clone, Copy, Debug, Serialize)]
struct Chances {
    win: f32,
    draw: f32,
    loss: f32,
}

/// A turn that could be played.
#[derive(Debug, Serialize)]
struct Candidate {
    turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    players_text: Option<String>,
    /// Whether `turn` is a whole turn, or as much of it as the agent has looked at.
    is_whole: bool,
    actions: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    visits: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
    continuation: Vec<Reply>,
}

/// A whole turn that is expected.
#[derive(Debug, Serialize)]
struct Reply {
    side: &'static str,
    turn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    players_text: Option<String>,
}

/// Analyses the position that `args` names.
pub(super) fn run(
    args: &AnalyzeArgs,
    variant: &Variant,
    listen: impl FnOnce() -> Result<Interrupt, ctrlc::Error>,
    output: &mut dyn Write,
) -> CommandResult {
    let agent = args.agent.load_on(&args.device.open()?)?;
    let effort = args.effort(listen()?);
    variant.dispatch(Study { args, agent, effort, output })
}

struct Study<'a> {
    args: &'a AnalyzeArgs,
    agent: LoadedAgent,
    effort: Effort,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Study<'_> {
    type Output = CommandResult;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> CommandResult {
        let Study { args, agent, effort, output } = self;
        let position = match args.fen.as_deref() {
            None | Some(START) => G::standard_start(&rules),
            Some(text) => G::from_fen(&rules, text).map_err(AnalyzeError::Position)?,
        };
        let mut analyst = Analyst::new(&agent, variant, &rules, effort)?;
        let begun = Instant::now();
        let opinion = match position.outcome() {
            None => {
                let spinner = Spinner::new(args.json);
                let lines = args.multipv.unwrap_or(CANDIDATES) as usize;
                analyst.opinion(&position, lines, &mut |opinion| spinner.show(&position, opinion))?
            }
            Some(_) => Opinion::default(),
        };
        let report = Report {
            variant: variant.to_string(),
            agent: agent.spec().to_string(),
            seconds: begun.elapsed().as_secs_f64(),
            ..Report::of(&position, &opinion)
        };
        if args.json {
            writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?;
            return Ok(());
        }
        writeln!(output, "{}", board(args, &position))?;
        if let Some(outcome) = position.outcome() {
            writeln!(output, "{}", result_text::<G>(outcome))?;
            return Ok(());
        }
        text::write(&report, Side::BOTH.map(G::side_name), output)?;
        Ok(())
    }
}

fn board<G: Notation>(args: &AnalyzeArgs, position: &G) -> String {
    let options = Options {
        letters: args.letters.unwrap_or_default(),
        ink: args.color.ink(),
        view: Side::Red,
        names: Side::BOTH.map(G::side_name),
        last: &[],
    };
    terminal::board(&position.diagram(), &options)
}

impl Report {
    fn of<G: Notation>(position: &G, opinion: &Opinion) -> Report {
        let side = position.side_to_act();
        let outcome = position
            .outcome()
            .map(|outcome| End { winner: outcome.winner.map(file_name), reason: outcome.reason.name() });
        Report {
            variant: String::new(),
            fen: position.fen(),
            agent: String::new(),
            side: file_name(side),
            outcome,
            value: value(side, opinion.score, opinion.wdl),
            nodes: opinion.nodes,
            depth: opinion.depth,
            seconds: 0.0,
            candidates: opinion.lines.iter().filter_map(|line| candidate(position, line)).collect(),
        }
    }
}

fn value(side: Side, score: Option<f32>, wdl: Option<Wdl>) -> Option<Value> {
    let chances = wdl.map(|Wdl { win, draw, loss }| Chances { win, draw, loss });
    let result = score.or(wdl.map(Wdl::score))?;
    Some(Value { side: file_name(side), result, chances })
}

/// The candidate that a line begins with; nothing if it has no step.
fn candidate<G: Notation>(position: &G, line: &Line) -> Option<Candidate> {
    let side = position.side_to_act();
    let mut turns = turns_of(position, &line.steps).into_iter();
    let first = turns.next()?;
    let reply = |turn: super::words::LineTurn| Reply {
        side: file_name(turn.side),
        turn: turn.text,
        players_text: turn.players_text,
    };
    Some(Candidate {
        turn: first.text,
        players_text: first.players_text,
        is_whole: first.is_whole,
        actions: first.steps.iter().map(|action| action.index()).collect(),
        value: value(side, line.score, line.wdl),
        visits: line.visits,
        prior: line.prior,
        proof: line.verdict.map(|verdict| Proof::of(side, verdict)),
        continuation: turns.filter(|turn| turn.is_whole).map(reply).collect(),
    })
}
