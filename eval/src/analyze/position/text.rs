//! The analysis of a position for a person.

use std::io::{self, Write};

use heng_mcts::value::Wdl;

use super::super::words::{self, counted, told};
use super::{Candidate, Chances, Report, Value};
use crate::signed::signed;

/// Writes what stands below the board. `names` are those of red and black.
pub(super) fn write(report: &Report, names: [&str; 2], output: &mut dyn Write) -> io::Result<()> {
    let side = names[usize::from(report.side != "red")];
    writeln!(output, "{side} to move, {}", expectation(report, side))?;
    writeln!(output, "{}", effort(report))?;
    for (index, candidate) in report.candidates.iter().enumerate() {
        writeln!(output, "\n{}", heading(index + 1, candidate, side))?;
        if !candidate.continuation.is_empty() {
            let turns = candidate.continuation.iter().map(|reply| told(&reply.turn, reply.players_text.as_deref()));
            writeln!(output, "   then {}", turns.collect::<Vec<_>>().join("  "))?;
        }
    }
    Ok(())
}

/// What the agent expects of the position.
fn expectation(report: &Report, side: &str) -> String {
    let agent = &report.agent;
    match &report.value {
        Some(value) => format!("{agent} expects {}", valued(value, side)),
        None => format!("{agent} has no opinion of its value"),
    }
}

/// `+0.35 for red (win 60 %, draw 15 %, loss 25 %)`.
fn valued(value: &Value, side: &str) -> String {
    let result = format!("{} for {side}", signed(value.result));
    match value.chances {
        Some(Chances { win, draw, loss }) => format!("{result} ({})", words::chances(Wdl { win, draw, loss })),
        None => result,
    }
}

fn effort(report: &Report) -> String {
    let depth = match report.depth {
        0 => String::new(),
        depth => format!(", {} deep", counted(depth.into(), "turn")),
    };
    format!("{} in {:.2} s{depth}", counted(report.nodes, "node"), report.seconds)
}

fn heading(number: usize, candidate: &Candidate, side: &str) -> String {
    let turn = told(&candidate.turn, candidate.players_text.as_deref());
    let open = if candidate.is_whole { "" } else { " …" };
    let value = candidate.value.as_ref().map(|value| valued(value, side));
    let visits = candidate.visits.map(|visits| counted(visits.into(), "visit"));
    let prior = candidate.prior.map(|prior| format!("prior {:.1} %", prior * 100.0));
    let proof = candidate.proof.as_ref().map(|proof| format!("proven: {}", words::proven(proof.verdict)));
    let facts: Vec<String> = [value, visits, prior, proof].into_iter().flatten().collect();
    format!("{number}. {turn}{open}  {}", facts.join(", ")).trim_end().to_owned()
}
