//! A game as one line of JSON.

use heng_env::Side;
use serde::{Serialize, Serializer};

use crate::game_file::{Form, SavedGame, written_turns};

#[derive(Serialize)]
struct Game<'a> {
    variant: String,
    #[serde(serialize_with = "as_object")]
    tags: &'a [(String, String)],
    start: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
    /// How moves of Xiangqi are written here.
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<&'static str>,
    turns: Vec<Turn<'a>>,
    result: &'static str,
    termination: Option<&'a str>,
}

#[derive(Serialize)]
struct Turn<'a> {
    side: &'static str,
    turn: String,
    /// Steps as indices of the side that decides.
    actions: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    red_value: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<&'a str>,
}

/// Names as keys, in their order.
fn as_object<S: Serializer>(tags: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(tags.iter().map(|(name, value)| (name, value)))
}

/// The line of a game with its end. Moves of Xiangqi are written in UCI if nothing else is asked for.
pub(super) fn line(game: &SavedGame, notation: Option<Form>) -> serde_json::Result<String> {
    let form = notation.unwrap_or(Form::Uci);
    let turns = game.turns().iter().zip(written_turns(game, form));
    let turns = turns.map(|(turn, written)| Turn {
        // As in the games of a run: the same names for all variants.
        side: if written.side == Side::Red { "red" } else { "black" },
        turn: written.text,
        actions: turn.steps().iter().map(|action| action.index()).collect(),
        red_value: turn.value.map(|value| value.for_side(Side::Red)),
        seconds: turn.time.map(|time| time.as_secs_f64()),
        comment: turn.comment.as_deref(),
    });
    let line = Game {
        variant: game.variant().to_string(),
        tags: &game.tags,
        start: game.start(),
        comment: game.comment.as_deref(),
        notation: (game.variant().name() == "xiangqi").then(|| form.name()),
        turns: turns.collect(),
        result: game.result.text(),
        termination: game.termination.as_deref(),
    };
    Ok(serde_json::to_string(&line)? + "\n")
}
