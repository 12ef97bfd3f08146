//! A game as text.

use heng_env::{Action, Notation, Side, Variant};

use super::table::{Table, Turn};
use crate::agent::Forfeit;
use crate::game_file::{Form, GameResult, IllegalStep, SavedGame, write_pgn};

/// The game in the form in which matches save theirs. `players` are red's and black's.
///
/// # Errors
/// Never for a game that was played.
pub(super) fn text<G: Notation>(
    variant: &Variant,
    table: &Table<G>,
    players: [&str; 2],
    seed: u64,
) -> Result<String, IllegalStep> {
    let turns = table.turns().iter().flat_map(Turn::steps);
    let steps: Vec<Action> = turns.chain(table.pending()).copied().collect();
    let mut game = SavedGame::from_steps(variant, table.start(), &steps)?;
    if let Some(side) = table.resigned() {
        game.result = if side == Side::Red { GameResult::BlackWon } else { GameResult::RedWon };
        game.termination = Some(Forfeit::Resignation.word().to_owned());
    }
    game.set_tag("Event", "a game in the terminal");
    game.set_tag("Red", players[0]);
    game.set_tag("Black", players[1]);
    game.set_tag("Seed", seed.to_string());
    game.set_tag("End", table.position().fen());
    Ok(write_pgn(&game, Form::Iccs))
}
