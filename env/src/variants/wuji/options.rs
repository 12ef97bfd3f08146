//! What Wuji's variants differ in, and the settings that choose it (RULES 3.4).

use std::sync::Arc;

use super::fen;
use super::points::Points;
use super::position::Position;
use super::tables::{HALVES, PALACE};
use super::{FIRST_POSITION, Wuji};
use crate::variants::{Settings, VariantError};
use crate::{Game, Side};

/// Settings of `wuji-simple` and `wuji-advanced`.
pub const COMMON_KEYS: &[&str] = &["start", "quiet_limit"];
/// Settings of `wuji-flexible`.
pub const FLEXIBLE_KEYS: &[&str] =
    &["start", "quiet_limit", "royal_zone", "bomb", "pawn_sideways", "promotion", "able_throne"];

/// Moves without a capture, a pawn move or a taking of the throne after which a game is a draw: 60 rounds (RULES 3.3).
const QUIET_LIMIT: u16 = 120;

/// Where a general and its guards may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoyalZone {
    /// Nine points.
    Palace,
    /// The own half of the board.
    Half,
}

impl RoyalZone {
    /// What the zone is called.
    pub(super) const fn name(self) -> &'static str {
        match self {
            RoyalZone::Palace => "palace",
            RoyalZone::Half => "half",
        }
    }
}

/// How a bomb moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bomb {
    /// As a rook.
    Slide,
    /// By leaps to any point five steps away.
    Five,
}

/// What a pawn becomes on the enemy's back rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    /// A minister.
    Minister,
    /// A piece that moves as minister, knight and camel.
    All,
}

/// The rules that differ between the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Where a general and its guards may be.
    pub royal_zone: RoyalZone,
    /// How a bomb moves.
    pub bomb: Bomb,
    /// Whether a pawn across the river may also step sideways.
    pub pawn_sideways: bool,
    /// What a pawn becomes on the enemy's back rank.
    pub promotion: Promotion,
    /// Whether a checkmated player may give up a minister or rook for another place of the general.
    pub able_throne: bool,
}

impl Options {
    /// The rules of `wuji-simple`.
    pub const SIMPLE: Options = Options {
        royal_zone: RoyalZone::Palace,
        bomb: Bomb::Slide,
        pawn_sideways: false,
        promotion: Promotion::Minister,
        able_throne: false,
    };

    /// The rules of `wuji-advanced`.
    pub const ADVANCED: Options = Options {
        royal_zone: RoyalZone::Half,
        bomb: Bomb::Five,
        pawn_sideways: true,
        promotion: Promotion::All,
        able_throne: true,
    };

    /// The points on which the general and the guards of `side` move.
    #[inline]
    pub(super) const fn zone(&self, side: Side) -> Points {
        match self.royal_zone {
            RoyalZone::Palace => PALACE[side.index()],
            RoyalZone::Half => HALVES[side.index()],
        }
    }
}

/// What stays fixed during a game.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The rules that differ between the variants.
    pub options: Options,
    /// Moves of both sides without a capture, a pawn move or a taking of the throne after which a game is a draw.
    pub quiet_limit: u16,
    /// What a game starts from.
    pub(super) start: Position,
}

impl Rules {
    pub(super) fn new(options: Options, quiet_limit: u16, start: &str) -> Result<Arc<Rules>, String> {
        let start = fen::read(options, quiet_limit, start).map_err(|error| error.to_string())?;
        let rules = Arc::new(Rules { options, quiet_limit, start });
        match Wuji::standard_start(&rules).outcome() {
            None => Ok(rules),
            Some(outcome) => Err(format!("the game is over before it begins, by {}", outcome.reason.name())),
        }
    }

    /// The rules under `options` and the usual limit, from the built-in start.
    pub(super) fn standard(options: Options) -> Arc<Rules> {
        Rules::new(options, QUIET_LIMIT, FIRST_POSITION).expect("the built-in start is right")
    }
}

/// The rules under `options` from the start that is set. Its fields may be joined by `_`, which no field contains, so that
/// a variant can be written without spaces.
fn rules(settings: &Settings<'_>, options: Options) -> Result<Arc<Rules>, VariantError> {
    let standard = Rules::standard(options);
    let limit = settings.get("quiet_limit", |text| match text.parse() {
        Ok(limit @ 1..=10_000) => Ok(limit),
        _ => Err(format!("`{text}` is not a number of moves from 1 to 10000")),
    })?;
    let limit = limit.unwrap_or(standard.quiet_limit);
    let set = settings.get("start", |text| Rules::new(options, limit, &text.replace('_', " ")))?;
    Ok(set.unwrap_or_else(|| Arc::new(Rules { quiet_limit: limit, ..(*standard).clone() })))
}

/// `wuji-simple` under `settings`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn simple_rules(settings: &Settings<'_>) -> Result<Arc<Rules>, VariantError> {
    rules(settings, Options::SIMPLE)
}

/// `wuji-advanced` under `settings`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn advanced_rules(settings: &Settings<'_>) -> Result<Arc<Rules>, VariantError> {
    rules(settings, Options::ADVANCED)
}

/// `wuji-flexible` under `settings`; what is not set is as in `wuji-simple`.
///
/// # Errors
/// If a setting has an impossible value.
pub fn flexible_rules(settings: &Settings<'_>) -> Result<Arc<Rules>, VariantError> {
    let simple = Options::SIMPLE;
    let royal_zone = one_of(settings, "royal_zone", [("palace", RoyalZone::Palace), ("half", RoyalZone::Half)])?;
    let bomb = one_of(settings, "bomb", [("slide", Bomb::Slide), ("five", Bomb::Five)])?;
    let pawn_sideways = one_of(settings, "pawn_sideways", [("false", false), ("true", true)])?;
    let promotion = one_of(settings, "promotion", [("minister", Promotion::Minister), ("all", Promotion::All)])?;
    let able_throne = one_of(settings, "able_throne", [("false", false), ("true", true)])?;
    let options = Options {
        royal_zone: royal_zone.unwrap_or(simple.royal_zone),
        bomb: bomb.unwrap_or(simple.bomb),
        pawn_sideways: pawn_sideways.unwrap_or(simple.pawn_sideways),
        promotion: promotion.unwrap_or(simple.promotion),
        able_throne: able_throne.unwrap_or(simple.able_throne),
    };
    rules(settings, options)
}

/// The value whose name is set.
fn one_of<T: Copy>(
    settings: &Settings<'_>,
    key: &'static str,
    choices: [(&str, T); 2],
) -> Result<Option<T>, VariantError> {
    settings.get(key, |text| {
        let [(first, _), (second, _)] = choices;
        let chosen = choices.iter().find(|(name, _)| *name == text).map(|&(_, value)| value);
        chosen.ok_or_else(|| format!("`{text}`, expected `{first}` or `{second}`"))
    })
}
