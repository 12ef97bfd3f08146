//! A game as text, and files that overwrite nothing.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

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

/// Writes a file that must not exist yet.
///
/// # Errors
/// If it exists or cannot be written; what was begun is removed.
pub(crate) fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // The disk is full: half a game would only mislead.
        let _ = std::fs::remove_file(path);
    }
    written
}
