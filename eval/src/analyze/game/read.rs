//! The game of a file that is asked for.

use std::error::Error;
use std::path::Path;

use super::super::AnalyzeError;
use super::super::words::counted;
use crate::convert::{ConvertError, USUAL_VARIANT, contents};
use crate::game_file::{FileText, Games, SavedGame};

/// The game with this number, from 1, and what is wrong with the file in it.
///
/// # Errors
/// If the file cannot be read or nothing of the game can.
pub(super) fn game(
    path: &Path,
    number: u64,
) -> Result<(SavedGame, Option<ConvertError>), Box<dyn Error + Send + Sync>> {
    let text = FileText::of(&contents(path)?);
    let variant = USUAL_VARIANT.parse()?;
    let mut games = Games::new(&text, &variant);
    let wrong = |source| ConvertError::Read { path: path.to_owned(), source };
    let mut count = 0;
    while let Some(game) = games.next() {
        let game = game.map_err(wrong)?;
        count += 1;
        if count == number {
            // An error in a game comes behind it; one of a later game does not matter here.
            let error = games.next().and_then(Result::err).filter(|error| error.game as u64 == number);
            return Ok((game, error.map(wrong)));
        }
    }
    Err(AnalyzeError::NoSuchGame { path: path.to_owned(), found: counted(count, "game"), wanted: number }.into())
}
