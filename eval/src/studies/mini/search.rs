//! What an agent thinks of a set-up.

use heng_env::{Action, Notation, Purpose, Seeds, Side};
use heng_mcts::value::RedValue;
use serde::{Deserialize, Serialize};

use super::setups::SetUp;
use crate::agent::{Agent, Distance, Forfeit, Line, Request, Verdict};
use crate::analyze::words::turns_of;
use crate::interrupt::Interrupt;
use crate::studies::budget::Budget;

/// How many of the best first steps are asked for: the best, and the one that it is compared with.
const LINES: usize = 2;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Searched {
    /// What the agent expects of the set-up for red, from -1 to 1.
    pub(super) red_value: f64,
    /// The chance of a draw, from an agent that knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) draw: Option<f64>,
    /// What is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<RedProof>,
    /// The best first turn.
    pub(super) best: FirstTurn,
    /// The best one that begins with another step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) second: Option<FirstTurn>,
}

/// A certain result of a set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RedProof {
    /// 1 if red wins, 0 for a draw, -1 if red loses.
    pub(super) red_result: i8,
    /// How far away the end is.
    pub(super) distance: u32,
    /// Whether that is counted in turns of both sides, and not in steps.
    pub(super) in_turns: bool,
}

/// A first turn of red's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FirstTurn {
    /// As it is written; its first steps where the search saw no more of it.
    pub(super) text: String,
    /// Its steps as indices.
    pub(super) steps: Vec<usize>,
    /// What the agent expects after it for red, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) red_value: Option<f64>,
}

impl Searched {
    /// How much better for red the best first step is than the second, which tells whether the first turn decides.
    pub(super) fn margin(&self) -> Option<f64> {
        Some(self.best.red_value? - self.second.as_ref()?.red_value?)
    }
}

/// Why a search found nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum SearchProblem {
    /// It gave the game up.
    #[error("{0}")]
    Forfeit(#[from] Forfeit),
    /// It says nothing of what it expects.
    #[error("says nothing of what it expects, expected an agent that does")]
    NoOpinion,
}

/// Asks `agent`; nothing if a stop was asked for meanwhile. `number` is that of the search among all of the study.
pub(super) fn search<G: Notation>(
    agent: &mut dyn Agent<G>,
    set_up: &SetUp<G>,
    budget: Budget,
    (seeds, number): (Seeds, u64),
    interrupt: &Interrupt,
) -> Option<Result<Searched, SearchProblem>> {
    // What was found for another set-up must not matter.
    agent.begin(0);
    let mut rng = seeds.stream(Purpose::Match, number);
    let mut request = Request { slot: 0, position: &set_up.position, rng: &mut rng };
    let thought = agent.think(&mut request, &budget.thinking(LINES, interrupt), &mut |_| {});
    if interrupt.is_requested() {
        return None;
    }
    let opinion = match thought {
        Ok(opinion) => opinion,
        Err(forfeit) => return Some(Err(forfeit.into())),
    };
    let side = set_up.position.side_to_act();
    let mut turns = opinion.lines.iter().filter_map(|line| first_turn(&set_up.position, line));
    let (Some(score), Some(best)) = (opinion.score, turns.next()) else { return Some(Err(SearchProblem::NoOpinion)) };
    Some(Ok(Searched {
        red_value: for_red(score, side),
        draw: opinion.wdl.map(|wdl| to_a_millionth(wdl.draw)),
        proof: opinion.lines[0].verdict.map(|verdict| proof(verdict, side)),
        best,
        second: turns.next(),
    }))
}

fn first_turn<G: Notation>(start: &G, line: &Line) -> Option<FirstTurn> {
    let turn = turns_of(start, &line.steps).into_iter().next()?;
    let steps = turn.steps.iter().map(|step: &Action| step.index()).collect();
    let red_value = line.score.map(|score| for_red(score, start.side_to_act()));
    Some(FirstTurn { text: turn.text, steps, red_value })
}

fn proof(verdict: Verdict, side: Side) -> RedProof {
    let (distance, in_turns) = match verdict.distance {
        Distance::Turns(turns) => (turns, true),
        Distance::Steps(steps) => (steps, false),
    };
    let red_result = RedValue::from_side(f32::from(verdict.result), side).for_side(Side::Red) as i8;
    RedProof { red_result, distance, in_turns }
}

fn for_red(score: f32, side: Side) -> f64 {
    to_a_millionth(RedValue::from_side(score, side).for_side(Side::Red))
}

/// A number as it is kept: more digits would be those of its binary form.
fn to_a_millionth(value: f32) -> f64 {
    (f64::from(value) * 1e6).round() / 1e6
}
