//! Games of self-play, from the files of a run.

use std::fs;
use std::path::{Path, PathBuf};

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Variant};
use heng_mcts::value::RedValue;

use super::ConvertError;
use crate::game_file::{GameResult, SavedGame};
use crate::report::ReportError;
use crate::report::games::{self, Contents, Game};

type Error = Box<dyn std::error::Error + Send + Sync>;

/// The games files of a run, or of its folder of games.
pub(super) fn files(directory: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let is_run = directory.join("games").is_dir();
    let run = if is_run { directory } else { directory.parent().unwrap_or(directory) };
    if !is_run && directory.file_name().is_none_or(|name| name != "games") {
        return Err(ReportError::NoRun { path: directory.join("games") });
    }
    Ok(games::files(run)?.into_iter().map(|file| file.path).collect())
}

/// The games of a file, one by one.
pub(super) fn games(
    path: &Path,
    asked: Option<&Variant>,
) -> Result<impl Iterator<Item = Result<SavedGame, ReportError>>, Error> {
    let Contents { metadata, games } = games::read_whole(path)?;
    let value = |key: &str| metadata.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let variant = match value("heng.variant").or_else(|| configured_variant(path)) {
        Some(text) => text.parse().map_err(|source| ReportError::Variant { path: path.to_owned(), source })?,
        None => asked.cloned().ok_or_else(|| ConvertError::NoVariant { path: path.to_owned() })?,
    };
    let tags = [("Iteration", value("heng.iteration")), ("Seed", value("heng.seed"))];
    let path = path.to_owned();
    Ok(games.into_iter().map(move |game| {
        let mut saved = variant.dispatch(Saving { path: &path, game: &game })?;
        saved.set_tag("Event", "Self-play");
        saved.set_tag("Round", game.number.to_string());
        tags.iter().for_each(|(name, value)| {
            if let Some(value) = value {
                saved.set_tag(name, value.as_str());
            }
        });
        Ok(saved)
    }))
}

/// The variant that the configuration of a run names, which `path` is a games file of.
fn configured_variant(path: &Path) -> Option<String> {
    let config = path.parent()?.parent()?.join("config.toml");
    let table: toml::Table = toml::from_str(&fs::read_to_string(config).ok()?).ok()?;
    table.get("variant")?.as_str().map(str::to_owned)
}

struct Saving<'a> {
    path: &'a Path,
    game: &'a Game,
}

impl VariantVisitor for Saving<'_> {
    type Output = Result<SavedGame, ReportError>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Result<SavedGame, ReportError> {
        let Saving { path, game } = self;
        let bad =
            |step: usize, problem| ReportError::Row { path: path.to_owned(), row: game.rows.start + step, problem };
        let start = G::from_fen(&rules, &game.fen).map_err(|error| bad(0, error.to_string()))?;
        let steps: Vec<Action> = game.steps.iter().map(|&(action, _)| Action::new(usize::from(action))).collect();
        let mut saved = SavedGame::from_steps(variant, &start, &steps)
            .map_err(|illegal| bad(illegal.number, illegal.to_string()))?;
        saved.result = GameResult::named(&game.outcome)
            .ok_or_else(|| bad(0, format!("outcome `{}`, expected red, black or draw", game.outcome)))?;
        saved.termination = Some(game.reason.clone());
        let mut position = start;
        let mut step = 0;
        for turn in saved.turns_mut() {
            // What was expected when the turn began, as only that is said of whole turns.
            let expected = game.steps.get(step).and_then(|&(_, expected)| expected);
            turn.value = expected.map(|score| RedValue::from_side(score, position.side_to_act()));
            step += turn.steps().len();
            turn.steps().iter().for_each(|&action| position.apply(action));
        }
        Ok(saved)
    }
}
