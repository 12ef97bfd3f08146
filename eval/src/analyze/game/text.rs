//! The analysis of a game for a terminal.

use std::io::{self, Write};

use console::measure_text_width;
use heng_env::Side;
use heng_mcts::value::RedValue;

use super::super::words::{counted, proven};
use super::summary::Summary;
use super::{AnalysedTurn, Analysis};
use crate::draw::Letters;
use crate::draw::terminal::{self, Ink, Options};
use crate::signed::signed;

/// Writes the table of turns, then what there is to say of each side.
pub(super) fn write(analysis: &Analysis, letters: Letters, ink: Ink, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{}", analysis.title())?;
    let agent = &analysis.agent;
    writeln!(output, "by {agent}; value: what red expects before the turn, loss: what its player gave away by it\n")?;
    write_turns(analysis, output)?;
    if analysis.is_stopped() {
        let (done, all) = (analysis.turns.len(), counted(analysis.game.turns().len() as u64, "turn"));
        writeln!(output, "\nstopped after {done} of {all}")?;
    }
    writeln!(output)?;
    let summaries = Side::BOTH.map(|side| Summary::of(analysis, side));
    for summary in &summaries {
        let loss = summary.mean_loss.map_or_else(String::new, |loss| format!(", mean loss {loss:.2}"));
        let (name, turns, marks) = (analysis.name(summary.side), summary.turns_in_words(), summary.marks_in_words());
        writeln!(output, "{name:<6} {turns}{loss}, {marks}")?;
    }
    for index in summaries.iter().filter_map(|summary| summary.biggest_blunder) {
        write_blunder(analysis, index, letters, ink, output)?;
    }
    Ok(())
}

fn write_turns(analysis: &Analysis, output: &mut dyn Write) -> io::Result<()> {
    let played: Vec<String> =
        analysis.turns.iter().map(|turn| format!("{} {}", turn.told(), turn.symbol()).trim_end().to_owned()).collect();
    let width = played.iter().map(|text| measure_text_width(text)).max().unwrap_or(0).max("played".len());
    let fill = " ".repeat(width - "played".len());
    writeln!(output, "turn  side    value   loss  played{fill}  best, if another")?;
    for (index, (turn, played)) in analysis.turns.iter().zip(&played).enumerate() {
        let fill = " ".repeat(width - measure_text_width(played));
        let (name, value, loss) = (analysis.name(turn.side), red(turn.value), lost(turn));
        let line = format!("{:>4}  {name:<6}  {value:>5}  {loss:>5}  {played}{fill}  {}", index + 1, remark(turn));
        writeln!(output, "{}", line.trim_end())?;
    }
    writeln!(output, " end          {:>5}", red(analysis.end))
}

/// A value as red sees it.
fn red(value: Option<RedValue>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| signed(value.for_side(Side::Red)))
}

fn lost(turn: &AnalysedTurn) -> String {
    match turn.judgement.loss {
        None => "-".to_owned(),
        Some(loss) => format!("{loss:.2}"),
    }
}

/// The best turn where it was not played, and what is certain before it.
fn remark(turn: &AnalysedTurn) -> String {
    let better = turn.better().map_or_else(String::new, |better| better.told());
    match turn.verdict {
        Some(verdict) => format!("{better} (proven: {})", proven(verdict)).trim_start().to_owned(),
        None => better,
    }
}

fn write_blunder(
    analysis: &Analysis,
    index: usize,
    letters: Letters,
    ink: Ink,
    output: &mut dyn Write,
) -> io::Result<()> {
    let turn = &analysis.turns[index];
    let (name, loss) = (analysis.name(turn.side), turn.judgement.loss.unwrap_or_default());
    let better = turn.better().map_or_else(String::new, |better| format!("; better is {}", better.told()));
    let (number, played) = (index + 1, turn.told());
    writeln!(output, "\nthe biggest blunder of {name} is turn {number}: {played} loses {loss:.2}{better}\n")?;
    let options = Options { letters, ink, view: Side::Red, names: analysis.side_names, last: &turn.picture.played };
    output.write_all(terminal::board(&turn.picture.diagram, &options).as_bytes())
}
