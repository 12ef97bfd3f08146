//! Games written and read back, files as other programs write them, and files that are no good.

mod fuzz;
mod round_trip;
mod wild;

use heng_env::Variant;

use super::{Reading, SavedGame, read_games};

fn variant(name: &str) -> Variant {
    name.parse().expect("a registered variant")
}

fn read(contents: &[u8]) -> Reading {
    read_games(contents, &variant("xiangqi"))
}

/// The games of a file in which nothing is wrong.
fn games(contents: &[u8]) -> Vec<SavedGame> {
    let Reading { games, error } = read(contents);
    assert_eq!(error, None, "{}", String::from_utf8_lossy(contents));
    games
}

fn turn_texts(game: &SavedGame) -> Vec<&str> {
    game.turns().iter().map(|turn| turn.text()).collect()
}
