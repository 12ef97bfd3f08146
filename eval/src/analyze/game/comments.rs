//! The analysed game as PGN, with values and marks in its comments.

use super::{AnalysedTurn, Analysis};
use crate::game_file::{Form, write_pgn};

/// The tag that names who commented a game.
const ANNOTATOR: &str = "Annotator";

/// The game as a file. What its comments said before stands behind what is said now; values take the place of those before.
pub(super) fn pgn(analysis: &Analysis) -> String {
    let mut game = analysis.game.clone();
    for (saved, turn) in game.turns_mut().iter_mut().zip(&analysis.turns) {
        saved.value = turn.value.or(saved.value);
        let before = saved.comment.take();
        let words = remark(turn).into_iter().chain(before).collect::<Vec<_>>();
        saved.comment = (!words.is_empty()).then(|| words.join(". "));
    }
    let annotator = match game.tag(ANNOTATOR) {
        Some(other) if other != analysis.agent => format!("{other}, {}", analysis.agent),
        _ => analysis.agent.clone(),
    };
    game.set_tag(ANNOTATOR, annotator);
    write_pgn(&game, Form::Iccs)
}

/// `?? loses 0.45, better is h2e2`; nothing for a turn without a mark.
fn remark(turn: &AnalysedTurn) -> Option<String> {
    let mark = turn.judgement.mark?;
    let loss = turn.judgement.loss.unwrap_or_default();
    // The players' form is the one that looks the same whatever coordinates a file has.
    let better = turn.better().map(|better| better.players_text.as_ref().unwrap_or(&better.text));
    let better = better.map_or_else(String::new, |better| format!(", better is {better}"));
    Some(format!("{} loses {loss:.2}{better}", mark.symbol()))
}
