//! Games as DhtmlXQ.

use std::fmt::Write;
use std::iter;

use heng_env::variants::xiangqi::RANKS;
use thiserror::Error;

use super::super::comment::Remark;
use super::super::pgn;
use super::super::replay::is_standard_start;
use super::super::{Form, SavedGame, written_turns};
use super::{LINE_END, TAGS, binit};

/// The form has no place for the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a game of `{variant}` cannot be written as DhtmlXQ, expected one of xiangqi")]
pub struct NotXiangqi {
    /// The game's variant.
    pub variant: String,
}

/// The game as a DhtmlXQ block. Tags that the form does not know are left out.
///
/// # Errors
/// If it is not one of Xiangqi.
pub fn write_dhtmlxq(game: &SavedGame) -> Result<String, NotXiangqi> {
    if game.variant.name() != "xiangqi" {
        return Err(NotXiangqi { variant: game.variant.to_string() });
    }
    let mut text = "[DhtmlXQ]\n".to_owned();
    let mut field = |name: &str, value: &str| {
        let _ = writeln!(text, "[DhtmlXQ_{name}]{}[/DhtmlXQ_{name}]", plain(value));
    };
    for (name, tag) in TAGS {
        if let Some(value) = game.tag(tag) {
            field(name, value);
        }
    }
    field("result", game.result.chinese());
    if let Some(termination) = &game.termination {
        field("endtype", termination);
    }
    field("binit", &binit::write(&binit::from_fen(&game.start)));
    // The points do not say who moves, nor how many quiet moves came before.
    if !is_standard_start(&game.variant, &game.start) {
        field("fen", &game.start);
    }
    field("movelist", &move_list(game));
    field("length", &game.turns.len().to_string());
    let of_start = Remark { text: game.comment.clone(), ..Remark::default() };
    for (number, remark) in iter::once(of_start).chain(game.turns.iter().map(pgn::remark)).enumerate() {
        if let Some(comment) = remark.written() {
            field(&format!("comment{number}"), comment.trim_start_matches('{').trim_end_matches('}'));
        }
    }
    text.push_str("[/DhtmlXQ]\n");
    Ok(text)
}

/// A value on one line in which nothing looks like the end of a field.
fn plain(value: &str) -> String {
    value.trim().replace('\n', LINE_END).replace("[DhtmlXQ", "［DhtmlXQ").replace("[/DhtmlXQ", "［/DhtmlXQ")
}

fn move_list(game: &SavedGame) -> String {
    let mut digits = String::with_capacity(4 * game.turns.len());
    for turn in written_turns(game, Form::Iccs) {
        for point in turn.text.as_bytes().chunks_exact(2) {
            let (file, rank) = (point[0].saturating_sub(b'a'), point[1].saturating_sub(b'0'));
            let _ = write!(digits, "{file}{}", (RANKS - 1).saturating_sub(usize::from(rank)));
        }
    }
    digits
}
