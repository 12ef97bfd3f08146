//! All turns that can be played from a position.

use thiserror::Error;

use crate::game::{Action, Game};

/// There are more turns than the caller is ready to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("more than {limit} turns can be played from here")]
pub struct TooManyTurns {
    /// The most turns that were wanted.
    pub limit: usize,
}

/// Every legal turn from `game`, each as its steps; from the middle of a turn, what is left of it.
///
/// A turn that the mover cannot complete ends with the step after which the game is lost for want of one.
///
/// # Errors
/// If there are more than `limit` turns. A placement turn of Eternal Chess can be played in hundreds of millions of ways.
pub fn every_turn<G: Game>(game: &G, limit: usize) -> Result<Vec<Vec<Action>>, TooManyTurns> {
    let mut turns = Vec::new();
    extend(game, &mut Vec::new(), limit, &mut turns)?;
    Ok(turns)
}

fn extend<G: Game>(
    game: &G,
    steps: &mut Vec<Action>,
    limit: usize,
    turns: &mut Vec<Vec<Action>>,
) -> Result<(), TooManyTurns> {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    for action in actions {
        let mut next = game.clone();
        next.apply(action);
        steps.push(action);
        if next.at_turn_start() || next.outcome().is_some() {
            if turns.len() == limit {
                return Err(TooManyTurns { limit });
            }
            turns.push(steps.clone());
        } else {
            extend(&next, steps, limit, turns)?;
        }
        steps.pop();
    }
    Ok(())
}
