//! Counting of step sequences, the classic check of a move generator.

use crate::game::{Action, Game};

/// Counts the sequences of `depth` steps from `game`; a finished game has no step.
///
/// A step is a single decision, not a turn. Repetition and the limits on turns and quiet moves end no game here.
pub fn perft<G: Game>(game: &G, depth: usize) -> u64 {
    count(&game.without_draw_rules(), &mut vec![Vec::new(); depth])
}

/// The legal steps of `game` with the count of the sequences of `depth` steps that begin with each; empty for depth 0.
pub fn divide<G: Game>(game: &G, depth: usize) -> Vec<(Action, u64)> {
    let Some(depth_below) = depth.checked_sub(1) else { return Vec::new() };
    let game = game.without_draw_rules();
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let mut buffers = vec![Vec::new(); depth_below];
    actions.into_iter().map(|action| (action, count(&after(&game, action), &mut buffers))).collect()
}

/// Counts with one buffer of steps for each level below; the last level is counted without playing it.
fn count<G: Game>(game: &G, buffers: &mut [Vec<Action>]) -> u64 {
    let Some((actions, below)) = buffers.split_first_mut() else { return 1 };
    game.legal_actions(actions);
    if below.is_empty() {
        return actions.len() as u64;
    }
    actions.iter().map(|&action| count(&after(game, action), below)).sum()
}

fn after<G: Game>(game: &G, action: Action) -> G {
    let mut next = game.clone();
    next.apply(action);
    next
}
