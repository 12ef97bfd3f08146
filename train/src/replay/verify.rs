//! The full check of a games file: every game is played again by the rules.

use heng_env::Notation;
use heng_env::game::Action;

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
    match position.outcome() {
        Some(outcome) => same("outcome", first.outcome.winner, outcome.winner)
            .and_then(|()| same("reason", first.outcome.reason, outcome.reason))
            .and_then(|()| same("red_lead", records[last].red_lead, position.red_lead())),
        None => Err(BadValue::new("outcome", "the game is not over after this row")),
    }
    .map_err(|bad| (last, bad))
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
    same("steps_left", record.steps_left as usize, steps_left)?;
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
