//! Values, proofs and lines as people read them.

use heng_env::{Action, Notation, Side};
use heng_mcts::value::Wdl;

use crate::agent::{Distance, Verdict};

/// Chances: `win 45 %, draw 20 %, loss 35 %`.
pub(super) fn chances(wdl: Wdl) -> String {
    let percent = |share: f32| format!("{:.0} %", share * 100.0);
    format!("win {}, draw {}, loss {}", percent(wdl.win), percent(wdl.draw), percent(wdl.loss))
}

/// A number of things: `1 turn`, `3 turns`.
pub(crate) fn counted(count: u64, singular: &str) -> String {
    if count == 1 { format!("1 {singular}") } else { format!("{count} {singular}s") }
}

/// What is certain for the side to move: `won in 3 steps`, `drawn`, `lost in 1 turn`.
pub(super) fn proven(verdict: Verdict) -> String {
    let result = match verdict.result {
        0 => return "drawn".to_owned(),
        result if result > 0 => "won",
        _ => "lost",
    };
    let distance = match verdict.distance {
        Distance::Steps(steps) => counted(steps.into(), "step"),
        Distance::Turns(turns) => counted(turns.into(), "turn"),
    };
    format!("{result} in {distance}")
}

/// A side by the name that files have for it in all variants.
pub(super) const fn file_name(side: Side) -> &'static str {
    match side {
        Side::Red => "red",
        Side::Black => "black",
    }
}

/// A turn of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineTurn {
    /// Who plays it.
    pub(crate) side: Side,
    /// The written turn; of one that is not complete its steps with spaces between them.
    pub(crate) text: String,
    /// The same as the players of the game write it, where that is another form.
    pub(crate) players_text: Option<String>,
    /// Its steps.
    pub(crate) steps: Vec<Action>,
    /// Whether the line completes it, or ends the game with it.
    pub(crate) is_whole: bool,
}

impl LineTurn {
    /// All that there is of it in writing.
    pub(super) fn told(&self) -> String {
        told(&self.text, self.players_text.as_deref())
    }
}

/// A written turn, and behind it the form of the game's players.
pub(super) fn told(text: &str, players_text: Option<&str>) -> String {
    match players_text {
        Some(other) => format!("{text} ({other})"),
        None => text.to_owned(),
    }
}

/// The turns that `steps` make from `start`, which may be in the middle of one.
pub(crate) fn turns_of<G: Notation>(start: &G, steps: &[Action]) -> Vec<LineTurn> {
    let mut turns = Vec::new();
    let (mut position, mut turn_start, mut begun) = (start.clone(), start.clone(), 0);
    for (index, &action) in steps.iter().enumerate() {
        if position.outcome().is_some() {
            break;
        }
        position.apply(action);
        let is_whole = position.at_turn_start() || position.outcome().is_some();
        if is_whole || index + 1 == steps.len() {
            turns.push(turn(&turn_start, &position, &steps[begun..=index], is_whole));
            turn_start = position.clone();
            begun = index + 1;
        }
    }
    turns
}

fn turn<G: Notation>(start: &G, end: &G, steps: &[Action], is_whole: bool) -> LineTurn {
    // A turn that goes no further has no written form but its steps.
    let text = if end.at_turn_start() { start.turn_text(steps) } else { step_texts(start, steps) };
    let players_text = if end.at_turn_start() { start.players_text(steps) } else { None };
    LineTurn { side: start.side_to_act(), text, players_text, steps: steps.to_vec(), is_whole }
}

fn step_texts<G: Notation>(start: &G, steps: &[Action]) -> String {
    let mut position = start.clone();
    let mut texts = Vec::with_capacity(steps.len());
    for &action in steps {
        texts.push(position.step_text(action));
        position.apply(action);
    }
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_results_are_said_in_words() {
        for (result, distance, words) in [
            (1, Distance::Steps(3), "won in 3 steps"),
            (1, Distance::Steps(1), "won in 1 step"),
            (0, Distance::Steps(3), "drawn"),
            (-1, Distance::Turns(4), "lost in 4 turns"),
        ] {
            assert_eq!(proven(Verdict { result, distance }), words);
        }
    }
}
