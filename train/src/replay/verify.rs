//! The full check of a games file: every game is played again by the rules.

use heng_env::Notation;
use heng_env::game::{Action, Outcome, Reason};

use super::chunk::Chunk;
use super::error::{BadValue, ReplayError};
use super::record::Record;

/// Plays every game of a chunk again and compares each position, its legal steps and the result.
///
/// # Errors
/// The first row that the rules contradict.
pub fn verify<G: Notation>(rules: &G::Rules, chunk: &Chunk) -> Result<(), ReplayError> {
    let mut row = 0;
    for game in chunk.records.chunk_by(|record, next| record.game == next.game) {
        verify_game::<G>(rules, game).map_err(|(step, bad)| bad.at(&chunk.path, row + step))?;
        row += game.len();
    }
    Ok(())
}

/// Checks the records of one game; an error comes with the index of its record.
fn verify_game<G: Notation>(rules: &G::Rules, records: &[Record]) -> Result<(), (usize, BadValue)> {
    let first = &records[0];
    let mut position =
        G::from_fen(rules, &first.decision.fen).map_err(|error| (0, BadValue::new("fen", error.to_string())))?;
    let mut legal = Vec::new();
    for (step, record) in records.iter().enumerate() {
        let checked = verify_record(&position, &mut legal, record, records.len() - step)
            .and_then(|()| same("step", record.decision.step, step as u32))
            .and_then(|()| same("outcome", record.outcome.winner, first.outcome.winner))
            .and_then(|()| same("reason", record.outcome.reason, first.outcome.reason));
        checked.map_err(|bad| (step, bad))?;
        position.apply(record.decision.action);
    }
    let last = records.len() - 1;
    verify_end(&position, &records[last]).map_err(|bad| (last, bad))
}

/// Compares how the game ended with the position after its last row.
fn verify_end<G: Notation>(end: &G, last: &Record) -> Result<(), BadValue> {
    let Outcome { winner, reason } = last.outcome;
    match end.outcome() {
        Some(outcome) => same("outcome", winner, outcome.winner)
            .and_then(|()| same("reason", reason, outcome.reason))
            .and_then(|()| same("red_lead", last.red_lead, Some(end.red_lead()))),
        // A side resigns when it has to decide.
        None if reason == Reason::Resignation => same("outcome", winner, Some(end.side_to_act().other())),
        None => Err(BadValue::new("outcome", "the game is not over after this row")),
    }
}

fn verify_record<G: Notation>(
    position: &G,
    legal: &mut Vec<Action>,
    record: &Record,
    steps_left: usize,
) -> Result<(), BadValue> {
    if let Some(outcome) = position.outcome() {
        return Err(BadValue::new("step", format!("the game has already ended: {}", outcome.reason.name())));
    }
    same("fen", record.decision.fen.as_str(), position.fen().as_str())?;
    same("side", record.decision.side, position.side_to_act())?;
    same("repetitions", record.decision.repetitions, position.repetitions())?;
    same("turn", record.decision.turn as usize, position.turns_played())?;
    let is_resigned = record.outcome.reason == Reason::Resignation;
    same("steps_left", record.steps_left, (!is_resigned).then_some(steps_left as u32))?;
    position.legal_actions(legal);
    if record.decision.actions != *legal {
        let problem = format!("{} actions that are not the {} legal ones", record.decision.actions.len(), legal.len());
        return Err(BadValue::new("actions", problem));
    }
    Ok(())
}

fn same<T: PartialEq + std::fmt::Debug>(column: &'static str, found: T, expected: T) -> Result<(), BadValue> {
    if found == expected {
        return Ok(());
    }
    Err(BadValue::new(column, format!("found {found:?}, the rules say {expected:?}")))
}
