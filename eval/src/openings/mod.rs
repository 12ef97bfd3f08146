//! Where the games of a match begin.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use heng_env::notation::{FenError, NotationError};
use heng_env::{Action, Game, Notation, Purpose, Rng, Seeds};
use rand::RngExt;
use thiserror::Error;

use crate::interrupt::Interrupt;

/// The forms of a source, for the end of a help text.
pub const HELP: &str = "\
Openings:
  random:K        K random turns, both sides' counted, from the start or, where
                  the variant has them, from random set-ups; without --openings
                  random:0 where set-ups are random, random:4 elsewhere
  FILE            one opening a line, in their order, again from the first when
                  used up; a line is a position text, or turns from the start,
                  or both with a | between them, and # begins a comment:
                    b1c3 b9c7
                    6/2cc2/1rrnn1/******/1RRNN1/2CC2/6 r - 0-0 1 | b3c3a1

Example:
  eval match \"runs/quickstart?sims=64\" alphabeta:3 --games 100 --openings random:2";

/// Random turns at the start of a game where the start is fixed: two of each side.
const TURNS_OF_FIXED_START: u32 = 4;

/// The most random turns that may be asked for.
const TURNS_MAX: u32 = 100;

/// Draws of an opening that is over or was drawn before, until this one and all later ones are taken as they come.
const DRAWS_MAX: usize = 100;

/// Where openings come from, as it is written: `random:K` or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSource {
    /// This many random turns from the start; where the set-up is left to chance, from a random one.
    Random {
        /// Turns, both sides' counted.
        turns: u32,
    },
    /// A file with one opening a line: a position text, or written turns from the start.
    File(PathBuf),
}

impl OpeningSource {
    /// What makes games differ: random set-ups, or random turns where the start is fixed.
    pub fn default_for<G: Game>(rules: &G::Rules) -> OpeningSource {
        OpeningSource::Random { turns: if G::has_random_start(rules) { 0 } else { TURNS_OF_FIXED_START } }
    }
}

impl FromStr for OpeningSource {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningSource, String> {
        match text.split_once(':') {
            Some(("random", turns)) => match turns.parse() {
                Ok(turns) if turns <= TURNS_MAX => Ok(OpeningSource::Random { turns }),
                _ => Err(format!("number of random turns is `{turns}`, expected 0 to {TURNS_MAX}")),
            },
            _ if text.is_empty() => Err("expected random:K or a file".to_owned()),
            _ => Ok(OpeningSource::File(text.into())),
        }
    }
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Random { turns } => write!(out, "random:{turns}"),
            OpeningSource::File(path) => write!(out, "{}", path.display()),
        }
    }
}

/// The beginning of a game, played before the agents take over.
#[derive(Clone, Debug)]
pub struct Opening<G> {
    /// The position in which the game starts.
    pub start: G,
    /// The turns that are played from there, each as its steps.
    pub turns: Vec<Vec<Action>>,
    /// The position after them, at the start of a turn and not finished.
    pub position: G,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file has no opening in it.
    #[error("{}: no opening in it, expected one a line", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A line is no opening.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: LineProblem,
    },
    /// Every opening that was drawn ended the game.
    #[error("{turns} random turns end every game, expected fewer")]
    AlwaysOver {
        /// How many turns were asked for.
        turns: u32,
    },
}

/// What is wrong with a line of a file of openings.
#[derive(Debug, Error)]
pub enum LineProblem {
    /// It is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// It holds something that is no turn there.
    #[error("turn {number}: {source}")]
    Turn {
        /// Which turn of the line, from 1.
        number: usize,
        /// What is wrong with it.
        source: NotationError,
    },
    /// The game would be over.
    #[error("the game is over there")]
    Over,
    /// The position is within a turn.
    #[error("the position is in the middle of a turn")]
    MiddleOfTurn,
}

/// The openings of `count` pairs of games. Random ones are all different until new ones are hard to find; those of a file
/// come in its order, again from its beginning when it is used up. A stop leaves fewer of them.
///
/// # Errors
/// If the file cannot be read or has a line that is no opening, or random turns end every game.
pub fn openings<G: Notation>(
    source: &OpeningSource,
    rules: &G::Rules,
    count: usize,
    seeds: Seeds,
    interrupt: &Interrupt,
) -> Result<Vec<Opening<G>>, OpeningError> {
    match source {
        OpeningSource::Random { turns } => random_openings(*turns, rules, count, seeds, interrupt),
        OpeningSource::File(path) => {
            let openings = read_openings(path, rules)?;
            Ok(openings.iter().cycle().take(count).cloned().collect())
        }
    }
}

fn random_openings<G: Notation>(
    turns: u32,
    rules: &G::Rules,
    count: usize,
    seeds: Seeds,
    interrupt: &Interrupt,
) -> Result<Vec<Opening<G>>, OpeningError> {
    let mut seen = HashSet::new();
    // Looking on for new ones would cost every later pair all its draws.
    let mut are_scarce = false;
    let mut openings = Vec::with_capacity(count);
    for index in 0..count {
        if interrupt.is_requested() {
            break;
        }
        let mut rng = seeds.stream(Purpose::Openings, index as u64);
        let mut drawn = None;
        let mut is_new = false;
        for _ in 0..DRAWS_MAX {
            let Some(opening) = random_opening::<G>(turns, rules, &mut rng) else { continue };
            is_new = !are_scarce && seen.insert(opening.position.fen());
            drawn = Some(opening);
            if is_new || are_scarce {
                break;
            }
        }
        are_scarce |= !is_new;
        openings.push(drawn.ok_or(OpeningError::AlwaysOver { turns })?);
    }
    Ok(openings)
}

/// An opening of random turns, unless it ends the game.
fn random_opening<G: Notation>(turns: u32, rules: &G::Rules, rng: &mut Rng) -> Option<Opening<G>> {
    let start = G::start(rules, rng);
    let mut position = start.clone();
    let mut played = Vec::new();
    let mut actions = Vec::new();
    for _ in 0..turns {
        let mut steps = Vec::new();
        loop {
            position.legal_actions(&mut actions);
            let action = actions[rng.random_range(0..actions.len())];
            position.apply(action);
            steps.push(action);
            if position.outcome().is_some() {
                return None;
            }
            if position.at_turn_start() {
                break;
            }
        }
        played.push(steps);
    }
    Some(Opening { start, turns: played, position })
}

fn read_openings<G: Notation>(path: &Path, rules: &G::Rules) -> Result<Vec<Opening<G>>, OpeningError> {
    let text = std::fs::read_to_string(path).map_err(|source| OpeningError::Read { path: path.to_owned(), source })?;
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = read_opening(line, rules).map_err(|problem| OpeningError::Line {
            path: path.to_owned(),
            line: index + 1,
            problem,
        })?;
        openings.push(opening);
    }
    if openings.is_empty() { Err(OpeningError::Empty { path: path.to_owned() }) } else { Ok(openings) }
}

/// Only a position text has a `/`.
fn read_opening<G: Notation>(line: &str, rules: &G::Rules) -> Result<Opening<G>, LineProblem> {
    let (start, turns) = match line.split_once('|') {
        Some((fen, turns)) => (G::from_fen(rules, fen.trim())?, turns),
        None if line.contains('/') => (G::from_fen(rules, line)?, ""),
        None => (G::standard_start(rules), line),
    };
    if !start.at_turn_start() {
        return Err(LineProblem::MiddleOfTurn);
    }
    let mut position = start.clone();
    let mut played = Vec::new();
    for (index, text) in turns.split_whitespace().enumerate() {
        let steps = position.parse_turn(text).map_err(|source| LineProblem::Turn { number: index + 1, source })?;
        steps.iter().for_each(|&action| position.apply(action));
        played.push(steps);
    }
    if position.outcome().is_some() {
        return Err(LineProblem::Over);
    }
    Ok(Opening { start, turns: played, position })
}

#[cfg(test)]
mod tests;
