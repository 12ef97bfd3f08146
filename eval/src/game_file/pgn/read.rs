//! A game of a PGN file, played by the rules.

use heng_env::variants::VariantError;
use heng_env::variants::xiangqi::notation::Form;
use heng_env::{Outcome, Variant};

use super::super::comment::Remark;
use super::super::error::{Located, Problem};
use super::super::replay::{Replayed, replay};
use super::super::result::GameResult;
use super::super::{SavedGame, UNFINISHED};
use super::scan::RawGame;

/// The most fields of a position text that a file leaves out: all behind the side.
const REST_OF_FEN: &str = "- - 0 1";

/// What a file writes for a tag whose value is not known.
const UNKNOWN: [&str; 3] = ["?", "????.??.??", ""];

/// The game, and what is wrong with it. There is none where not even its start can be read.
pub(in super::super) fn build(mut raw: RawGame<'_>, default_variant: &Variant) -> (Option<SavedGame>, Option<Located>) {
    let variant = match take_variant(&mut raw, default_variant) {
        Ok(variant) => variant,
        Err((line, error)) => return (None, Some((line, Problem::Variant(error)))),
    };
    let start = take(&mut raw, &["FEN", "Start"]);
    let coordinates = take(&mut raw, &["Format"]).and_then(|(format, _)| coordinates(&format));
    let start_text = start.as_ref().map(|(text, _)| completed(text, &variant));
    let replayed = match replay(&variant, start_text.as_deref(), &raw.words, coordinates) {
        Ok(replayed) => replayed,
        Err(error) => return (None, Some((start.map_or(0, |(_, line)| line), Problem::Start(error)))),
    };
    let Replayed { start, turns, outcome, error } = replayed;
    let error = error.or(raw.error.take());
    let mut game = SavedGame::bare(variant, start, turns);
    game.comment = Remark::read_all(raw.comments.iter().copied()).text;
    take_result(&mut raw, &mut game, outcome, error.is_some());
    game.tags = other_tags(raw);
    (Some(game), error)
}

/// The first of the tags `names` that is there, taken out, with its line.
fn take(raw: &mut RawGame<'_>, names: &[&str]) -> Option<(String, usize)> {
    let is_wanted = |name: &str| names.iter().any(|wanted| wanted.eq_ignore_ascii_case(name));
    let index = raw.tags.iter().position(|(name, _, _)| is_wanted(name))?;
    let (_, value, line) = raw.tags.remove(index);
    Some((value, line))
}

/// Names are read in any capitals: others write `Xiangqi`.
fn take_variant(raw: &mut RawGame<'_>, default_variant: &Variant) -> Result<Variant, (usize, VariantError)> {
    let Some((text, line)) = take(raw, &["Variant"]) else { return Ok(default_variant.clone()) };
    let read = text.parse().or_else(|error| text.to_ascii_lowercase().parse().map_err(|_: VariantError| error));
    read.map_err(|error| (line, error))
}

/// Which of ICCS and UCI the tag `Format` names.
fn coordinates(format: &str) -> Option<Form> {
    match format.trim().to_ascii_lowercase().as_str() {
        "iccs" | "ucci" => Some(Form::Iccs),
        "uci" => Some(Form::Uci),
        _ => None,
    }
}

/// A position of Xiangqi with the fields that files leave out.
fn completed(text: &str, variant: &Variant) -> String {
    match (variant.name(), text.split_whitespace().count()) {
        ("xiangqi", 1) => format!("{text} w {REST_OF_FEN}"),
        ("xiangqi", 2) => format!("{text} {REST_OF_FEN}"),
        _ => text.to_owned(),
    }
}

/// What is written behind the turns counts most, then the tag, then the rules.
fn take_result(raw: &mut RawGame<'_>, game: &mut SavedGame, outcome: Option<Outcome>, is_broken: bool) {
    let tag = take(raw, &["Result"]).map(|(value, _)| GameResult::from_tag(&value));
    let reason = take(raw, &["Termination", "Reason"]).map(|(value, _)| value).filter(|value| value != "-");
    if is_broken {
        game.termination = Some(UNFINISHED.to_owned());
        return;
    }
    let known = |result: &GameResult| *result != GameResult::Unfinished;
    let written = raw.result.filter(known).or(tag).or(raw.result);
    game.result = written.unwrap_or(GameResult::from(outcome));
    let by_rules = outcome.filter(|outcome| game.result == GameResult::from(Some(*outcome)));
    game.termination = reason.or(by_rules.map(|outcome| outcome.reason.name().to_owned()));
}

/// The tags that the fields of a game do not say, under the names that are used here.
fn other_tags(raw: RawGame<'_>) -> Vec<(String, String)> {
    let mut tags: Vec<(String, String)> = Vec::new();
    for (name, value, _) in raw.tags {
        let name = match name.to_ascii_lowercase().as_str() {
            "setup" | "format" | "fen" | "start" | "reason" | "termination" => continue,
            "game" if value.bytes().all(|byte| byte.is_ascii_digit()) => "Round",
            "game" => continue,
            "white" => "Red",
            "green" => "Black",
            _ => name,
        };
        let is_new = tags.iter().all(|(known, _)| !known.eq_ignore_ascii_case(name));
        if is_new && !(super::write::LEADING.contains(&name) && UNKNOWN.contains(&value.as_str())) {
            tags.push((name.to_owned(), value));
        }
    }
    tags
}
