//! Positions to work on: out of random games, the same ones every time.

use heng_env::{Game, Purpose, Seeds};
use rand::RngExt;

/// Turns of a random game from which positions are taken.
const TURNS: usize = 60;

/// `count` positions that are not finished, from random games of random length.
pub(crate) fn positions<G: Game>(rules: &G::Rules, count: usize) -> Vec<G> {
    let mut actions = Vec::new();
    (0..)
        .filter_map(|index| {
            let mut rng = Seeds::new(4).stream(Purpose::Test, index);
            let mut game = G::start(rules, &mut rng);
            let turns = rng.random_range(0..TURNS);
            while game.turns_played() < turns && game.outcome().is_none() {
                game.legal_actions(&mut actions);
                game.apply(actions[rng.random_range(0..actions.len())]);
            }
            game.outcome().is_none().then_some(game)
        })
        .take(count)
        .collect()
}
