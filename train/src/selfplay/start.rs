//! Where games begin: at the start of the variant, or at a position of a game that was finished before.

use std::collections::VecDeque;

use heng_env::game::{Action, Notation};
use heng_env::seeds::Rng;
use rand::RngExt;

use super::config::SelfPlayConfig;
use super::group::FinishedGame;
use crate::replay::Record;

/// Finished games that a group remembers for each kind of start: about as many as it plays at once, so that they are of
/// the newest network or the one before.
const REMEMBERED_GAMES: usize = 64;

/// Where a game began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// At the start of the variant.
    Start,
    /// At an early position of a finished game, with another turn than was played there.
    Fork,
    /// A few turns before the end of a finished game.
    Endgame,
}

/// How a game begins.
#[derive(Clone, Debug)]
pub(super) struct GameStart<G> {
    /// The first position, at the start of a turn. Its history is empty: what came before it in another game is no
    /// repetition in this one.
    pub(super) position: G,
    pub(super) origin: Origin,
    /// The first step, where it is given.
    pub(super) departure: Option<Action>,
}

/// Positions of the newest finished games of one group, for its later games to begin from.
///
/// Only games that began at the start of the variant are remembered, lest short games from near the end crowd out
/// the others and feed on themselves. A group remembers nothing after a stop, as the games in flight are forgotten, too:
/// until games are finished again, all begin at the start.
#[derive(Clone, Debug, Default)]
pub(super) struct FinishedPositions {
    /// Of each game, the early positions that it can be left at.
    early: VecDeque<Vec<EarlyPosition>>,
    /// Of each game that somebody won, the texts of the last positions.
    late: VecDeque<Vec<String>>,
}

/// The first position of a turn, where a game can be left.
#[derive(Clone, Debug, PartialEq)]
struct EarlyPosition {
    fen: String,
    /// The steps that were not played.
    others: Vec<Action>,
    /// What the search gave them, parallel to `others`.
    shares: Vec<f32>,
}

impl FinishedPositions {
    /// Remembers a finished game in place of the oldest one.
    pub(super) fn remember(&mut self, game: &FinishedGame, config: &SelfPlayConfig) {
        if game.origin != Origin::Start {
            return;
        }
        let turns: Vec<&Record> = turn_starts(&game.records).collect();
        if config.fork_share > 0.0 {
            let early = turns.iter().take(config.fork_turns).filter_map(|record| EarlyPosition::of(record));
            push(&mut self.early, early.collect());
        }
        // Where nobody won, or somebody gave up, no result is near.
        if config.endgame_share > 0.0 && game.outcome.winner.is_some() && !game.is_resigned() {
            let late = turns.iter().rev().take(config.endgame_turns).map(|record| record.decision.fen.clone());
            push(&mut self.late, late.collect());
        }
    }

    /// How a new game begins. With both shares at 0, nothing is drawn for it but what the variant draws itself.
    pub(super) fn begin<G: Notation>(&self, rules: &G::Rules, config: &SelfPlayConfig, rng: &mut Rng) -> GameStart<G> {
        let (forks, all) = (config.fork_share, config.fork_share + config.endgame_share);
        let drawn = if all > 0.0 { rng.random::<f64>() } else { 1.0 };
        let start = match drawn {
            drawn if drawn < forks => self.fork(rules, rng),
            drawn if drawn < all => self.endgame(rules, rng),
            _ => None,
        };
        start.unwrap_or_else(|| GameStart { position: G::start(rules, rng), origin: Origin::Start, departure: None })
    }

    /// The step that leaves the game is drawn as the search of that game would have had it, had it not had its first
    /// choice: a turn worth looking at, for no further evaluation. Turns drawn evenly mostly lose a piece, and games that
    /// are lost from the start teach little about openings.
    fn fork<G: Notation>(&self, rules: &G::Rules, rng: &mut Rng) -> Option<GameStart<G>> {
        let early = any(any(&self.early, rng)?, rng)?;
        let position = G::from_fen(rules, &early.fen).ok()?;
        Some(GameStart { position, origin: Origin::Fork, departure: Some(early.draw(rng)?) })
    }

    fn endgame<G: Notation>(&self, rules: &G::Rules, rng: &mut Rng) -> Option<GameStart<G>> {
        let fen = any(any(&self.late, rng)?, rng)?;
        Some(GameStart { position: G::from_fen(rules, fen).ok()?, origin: Origin::Endgame, departure: None })
    }
}

impl EarlyPosition {
    /// `None` where there was no choice.
    fn of(record: &Record) -> Option<EarlyPosition> {
        let decision = &record.decision;
        let others = decision.actions.iter().zip(&decision.policy).filter(|&(&action, _)| action != decision.action);
        let (others, shares): (Vec<Action>, Vec<f32>) = others.map(|(&action, &share)| (action, share)).unzip();
        (!others.is_empty()).then(|| EarlyPosition { fen: decision.fen.clone(), others, shares })
    }

    /// One of the other steps by its share, or any where the search left them none.
    fn draw(&self, rng: &mut Rng) -> Option<Action> {
        let mut left = rng.random::<f32>() * self.shares.iter().sum::<f32>();
        let mut shares = self.others.iter().zip(&self.shares);
        let drawn = shares.find(|&(_, &share)| {
            left -= share;
            left < 0.0
        });
        drawn.map(|(&action, _)| action).or_else(|| any(&self.others, rng).copied())
    }
}

/// The first step of each turn.
fn turn_starts(records: &[Record]) -> impl Iterator<Item = &Record> {
    records.chunk_by(|record, next| record.decision.turn == next.decision.turn).filter_map(<[Record]>::first)
}

/// Adds a game that has such positions, and forgets the oldest if there are too many.
fn push<T>(games: &mut VecDeque<Vec<T>>, positions: Vec<T>) {
    if positions.is_empty() {
        return;
    }
    if games.len() == REMEMBERED_GAMES {
        games.pop_front();
    }
    games.push_back(positions);
}

fn any<'a, T>(of: impl IntoIterator<Item = &'a T, IntoIter: ExactSizeIterator>, rng: &mut Rng) -> Option<&'a T> {
    let mut items = of.into_iter();
    let count = items.len() as u32;
    if count == 0 { None } else { items.nth(rng.random_range(0..count) as usize) }
}
