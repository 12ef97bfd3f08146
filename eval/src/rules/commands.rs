//! The commands of the line protocol.

use heng_env::notation::{FenError, NotationError, TooManyTurns, every_turn};
use heng_env::perft::perft;
use heng_env::variants::{VariantError, VariantVisitor};
use heng_env::{Action, Notation, Variant};
use thiserror::Error;

/// The most turns that `turns` lists.
const TURNS_MAX: usize = 1_000_000;

/// The most steps that `perft` looks ahead: far beyond what anybody could wait for.
const DEPTH_MAX: usize = 100;

/// Why a command is not answered.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    #[error("empty line, expected a command")]
    Empty,
    #[error("unknown command `{0}`, expected one of legal, apply, result, perft, turn, turns, start, game")]
    Unknown(String),
    #[error("expected `{0}`")]
    Usage(&'static str),
    #[error(transparent)]
    Variant(#[from] VariantError),
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Notation(#[from] NotationError),
    #[error("step {number}: {source}")]
    Step { number: usize, source: NotationError },
    #[error("depth is `{0}`, expected 0 to {DEPTH_MAX}")]
    Depth(String),
    #[error("the position is in the middle of a turn")]
    MiddleOfTurn,
    #[error(transparent)]
    TooManyTurns(#[from] TooManyTurns),
}

/// The answer to a line without its end.
pub(super) fn answer(line: &str) -> Result<String, CommandError> {
    let (word, rest) = split_word(line);
    let command = match word {
        "" => return Err(CommandError::Empty),
        "legal" => Command::Legal,
        "apply" => Command::Apply,
        "result" => Command::Result,
        "perft" => Command::Perft,
        "turn" => Command::Turn,
        "turns" => Command::Turns,
        "start" => Command::Start,
        "game" => Command::Game,
        _ => return Err(CommandError::Unknown(word.to_owned())),
    };
    let (variant, argument) = split_word(rest);
    if variant.is_empty() {
        return Err(CommandError::Usage(command.usage()));
    }
    variant.parse::<Variant>()?.dispatch(Question { command, argument })
}

fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

#[derive(Clone, Copy)]
enum Command {
    Legal,
    Apply,
    Result,
    Perft,
    Turn,
    Turns,
    Start,
    Game,
}

impl Command {
    const fn usage(self) -> &'static str {
        match self {
            Command::Legal => "legal V FEN",
            Command::Apply => "apply V FEN | STEP",
            Command::Result => "result V FEN",
            Command::Perft => "perft V FEN DEPTH",
            Command::Turn => "turn V FEN | TEXT",
            Command::Turns => "turns V FEN",
            Command::Start => "start V",
            Command::Game => "game V FEN | STEP STEP …",
        }
    }
}

/// A command with what follows the variant.
struct Question<'a> {
    command: Command,
    argument: &'a str,
}

impl VariantVisitor for Question<'_> {
    type Output = Result<String, CommandError>;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Result<String, CommandError> {
        let usage = CommandError::Usage(self.command.usage());
        let position = |text: &str| Ok::<G, CommandError>(G::from_fen(&rules, text.trim())?.without_draw_rules());
        let halves = || self.argument.split_once('|').map(|(left, right)| (left.trim(), right.trim()));
        match self.command {
            Command::Start if self.argument.is_empty() => Ok(G::standard_start(&rules).fen()),
            Command::Start => Err(usage),
            _ if self.argument.is_empty() => Err(usage),
            Command::Legal => Ok(legal(&position(self.argument)?)),
            Command::Result => Ok(result_name(&position(self.argument)?).to_owned()),
            Command::Turns => turns(&position(self.argument)?),
            Command::Perft => {
                let (fen, depth) = self.argument.rsplit_once(char::is_whitespace).ok_or(usage)?;
                let depth_error = || CommandError::Depth(depth.to_owned());
                let depth = depth.parse().ok().filter(|depth| *depth <= DEPTH_MAX).ok_or_else(depth_error)?;
                Ok(perft(&position(fen)?, depth).to_string())
            }
            Command::Apply => {
                let (fen, step) = halves().ok_or(usage)?;
                let mut game = position(fen)?;
                let action = game.parse_step(step)?;
                game.apply(action);
                Ok(game.fen())
            }
            Command::Turn => {
                let (fen, text) = halves().ok_or(usage)?;
                let mut game = position(fen)?;
                for action in game.parse_turn(text)? {
                    game.apply(action);
                }
                Ok(game.fen())
            }
            Command::Game => {
                let (fen, steps) = halves().unwrap_or((self.argument, ""));
                game(G::from_fen(&rules, fen)?, steps)
            }
        }
    }
}

fn legal<G: Notation>(game: &G) -> String {
    let mut actions: Vec<Action> = Vec::new();
    game.legal_actions(&mut actions);
    in_byte_order(actions.into_iter().map(|action| game.step_text(action)).collect())
}

fn turns<G: Notation>(game: &G) -> Result<String, CommandError> {
    if game.outcome().is_none() && !game.at_turn_start() {
        return Err(CommandError::MiddleOfTurn);
    }
    let turns = every_turn(game, TURNS_MAX)?;
    Ok(in_byte_order(turns.iter().map(|steps| game.turn_text(steps)).collect()))
}

fn in_byte_order(mut texts: Vec<String>) -> String {
    texts.sort_unstable();
    texts.join(" ")
}

fn result_name<G: Notation>(game: &G) -> &'static str {
    match game.outcome() {
        None => "ongoing",
        Some(outcome) => outcome.winner.map_or("draw", G::side_name),
    }
}

/// Plays `steps` with repetition and limits; those after the end are left out.
fn game<G: Notation>(mut game: G, steps: &str) -> Result<String, CommandError> {
    let mut played = 0;
    for step in steps.split_whitespace() {
        if game.outcome().is_some() {
            break;
        }
        let action = game.parse_step(step).map_err(|source| CommandError::Step { number: played + 1, source })?;
        game.apply(action);
        played += 1;
    }
    let reason = game.outcome().map_or("-", |outcome| outcome.reason.name());
    Ok(format!("{} {reason} {played} | {}", result_name(&game), game.fen()))
}
