//! The analysis of a game as one object of JSON. Values are those of red.

use heng_env::{Action, Side};
use heng_mcts::value::RedValue;
use serde::Serialize;

use super::super::judgement::Mark;
use super::super::proof::Proof;
use super::super::words::file_name;
use super::summary::Summary;
use super::{AnalysedTurn, Analysis};

#[derive(Serialize)]
struct Game<'a> {
    variant: String,
    agent: &'a str,
    start: &'a str,
    result: &'static str,
    termination: Option<&'a str>,
    turns: Vec<Turn<'a>>,
    /// Of the position after the last turn.
    end_red_value: Option<f32>,
    /// Whether somebody stopped it before the last turn.
    is_stopped: bool,
    red: SideSummary,
    black: SideSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Turn<'a> {
    number: usize,
    side: &'static str,
    turn: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    players_text: Option<&'a str>,
    actions: Vec<usize>,
    red_value: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
    best: Option<Best<'a>>,
    is_best: bool,
    loss: Option<f32>,
    mark: Option<&'static str>,
}

#[derive(Serialize)]
struct Best<'a> {
    turn: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    players_text: Option<&'a str>,
    actions: Vec<usize>,
    red_value: Option<f32>,
}

#[derive(Serialize)]
struct SideSummary {
    turns: usize,
    mean_loss: Option<f32>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    /// The number of a turn.
    biggest_blunder: Option<usize>,
}

/// The object, on several lines.
pub(super) fn object(analysis: &Analysis) -> serde_json::Result<String> {
    let Analysis { agent, game, error, .. } = analysis;
    let [red, black] = Side::BOTH.map(|side| side_summary(&Summary::of(analysis, side)));
    let object = Game {
        variant: game.variant().to_string(),
        agent,
        start: game.start(),
        result: game.result.text(),
        termination: game.termination.as_deref(),
        turns: analysis.turns.iter().enumerate().map(turn).collect(),
        end_red_value: red_value(analysis.end),
        is_stopped: analysis.is_stopped(),
        red,
        black,
        error: error.as_deref(),
    };
    serde_json::to_string_pretty(&object)
}

fn turn((index, turn): (usize, &AnalysedTurn)) -> Turn<'_> {
    let best = turn.best.as_ref().map(|(best, value)| Best {
        turn: &best.text,
        players_text: best.players_text.as_deref(),
        actions: indices(&best.steps),
        red_value: red_value(*value),
    });
    Turn {
        number: index + 1,
        side: file_name(turn.side),
        turn: &turn.text,
        players_text: turn.players_text.as_deref(),
        actions: indices(&turn.steps),
        red_value: red_value(turn.value),
        proof: turn.verdict.map(|verdict| Proof::of(turn.side, verdict)),
        best,
        is_best: turn.judgement.is_best,
        loss: turn.judgement.loss,
        mark: turn.judgement.mark.map(Mark::symbol),
    }
}

fn red_value(value: Option<RedValue>) -> Option<f32> {
    value.map(|value| value.for_side(Side::Red) + 0.0)
}

fn indices(steps: &[Action]) -> Vec<usize> {
    steps.iter().map(|action| action.index()).collect()
}

fn side_summary(summary: &Summary) -> SideSummary {
    let [inaccuracies, mistakes, blunders] = summary.marks;
    SideSummary {
        turns: summary.turns,
        mean_loss: summary.mean_loss,
        inaccuracies,
        mistakes,
        blunders,
        biggest_blunder: summary.biggest_blunder.map(|index| index + 1),
    }
}
