//! A game as text, and files that overwrite nothing.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use heng_env::{Notation, Side, Variant};

use super::table::Table;
use crate::game_text::game_text;

/// The game in the form in which matches save theirs. `players` are red's and black's.
pub(super) fn text<G: Notation>(variant: &Variant, table: &Table<G>, players: [&str; 2]) -> String {
    let turns: Vec<&str> = table.turns().iter().map(|turn| turn.text.as_str()).collect();
    let (result, reason) = result(table);
    let [red, black] = Side::BOTH.map(|side| (G::side_name(side), players[side.index()].to_owned()));
    let tags = [
        ("Variant", variant.to_string()),
        red,
        black,
        ("Start", table.start().fen()),
        ("Result", result.to_owned()),
        ("Reason", reason.to_owned()),
        ("Turns", turns.len().to_string()),
        ("End", table.position().fen()),
    ];
    game_text(&tags, &turns, result)
}

fn result<G: Notation>(table: &Table<G>) -> (&'static str, &'static str) {
    match (table.resigned(), table.outcome()) {
        (Some(side), _) => (G::side_name(side.other()), "resignation"),
        (None, Some(outcome)) => (outcome.winner.map_or("draw", G::side_name), outcome.reason.name()),
        (None, None) => ("*", "-"),
    }
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
