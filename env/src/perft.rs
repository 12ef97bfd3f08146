//! Counting of step sequences, the classic check of a move generator.

use crate::game::{Action, Game};

/// Counts the sequences of `depth` steps from `game`; a finished game has no step.
///
/// A step is a single decision, not a turn. Repetition and the limits on turns and quiet moves end no game here.
pub fn perft<G: Game>(game: &G, depth: usize) -> u64 {
    let game = game.without_draw_rules();
    count(&game, &mut levels(&game, depth))
}

/// The legal steps of `game` with the count of the sequences of `depth` steps that begin with each; empty for depth 0.
pub fn divide<G: Game>(game: &G, depth: usize) -> Vec<(Action, u64)> {
    let game = game.without_draw_rules();
    let mut levels = levels(&game, depth);
    let Some((level, below)) = levels.split_first_mut() else { return Vec::new() };
    game.legal_actions(&mut level.actions);
    let actions = level.actions.iter();
    actions.map(|&action| (action, count(after(&mut level.next, &game, action), below))).collect()
}

/// What counting needs at one depth; keeping it saves allocations.
struct Level<G> {
    actions: Vec<Action>,
    next: G,
}

fn levels<G: Game>(game: &G, depth: usize) -> Vec<Level<G>> {
    (0..depth).map(|_| Level { actions: Vec::new(), next: game.clone() }).collect()
}

/// Counts with one level for each step; the last one is counted without playing it.
fn count<G: Game>(game: &G, levels: &mut [Level<G>]) -> u64 {
    let Some((level, below)) = levels.split_first_mut() else { return 1 };
    if below.is_empty() {
        return game.legal_count() as u64;
    }
    game.legal_actions(&mut level.actions);
    level.actions.iter().map(|&action| count(after(&mut level.next, game, action), below)).sum()
}

fn after<'a, G: Game>(next: &'a mut G, game: &G, action: Action) -> &'a G {
    next.clone_from(game);
    next.apply(action);
    next
}
