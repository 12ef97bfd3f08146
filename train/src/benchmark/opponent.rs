//! Opponents that never change.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Who a network plays against to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Any legal step, all alike.
    Random,
    /// Tree search with this many random playouts a step.
    Rollout(u32),
    /// Alpha-beta search, this many turns deep.
    AlphaBeta(u32),
}

/// The most playouts a step; `eval` has the same limit.
const PLAYOUTS_MAX: u32 = 1_000_000;

/// The most turns that alpha-beta looks ahead; `eval` has the same limit.
const DEPTH_MAX: u32 = 64;

/// A text that names no opponent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "has the unknown opponent `{0}`, expected `random`, `rollout:N` with N from 1 to {PLAYOUTS_MAX}, or `alphabeta:D` with D from 1 to {DEPTH_MAX}"
)]
pub struct UnknownOpponent(String);

impl FromStr for Opponent {
    type Err = UnknownOpponent;

    fn from_str(text: &str) -> Result<Opponent, UnknownOpponent> {
        let number = |digits: &str, most: u32| digits.parse().ok().filter(|number| (1..=most).contains(number));
        let opponent = match text.split_once(':') {
            None if text == "random" => Some(Opponent::Random),
            Some(("rollout", playouts)) => number(playouts, PLAYOUTS_MAX).map(Opponent::Rollout),
            Some(("alphabeta", depth)) => number(depth, DEPTH_MAX).map(Opponent::AlphaBeta),
            _ => None,
        };
        opponent.ok_or_else(|| UnknownOpponent(text.to_owned()))
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Random => out.write_str("random"),
            Opponent::Rollout(playouts) => write!(out, "rollout:{playouts}"),
            Opponent::AlphaBeta(depth) => write!(out, "alphabeta:{depth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_written_as_they_are_read() {
        for text in ["random", "rollout:200", "alphabeta:4"] {
            assert_eq!(text.parse::<Opponent>().unwrap().to_string(), text);
        }
        let wrong =
            ["", "rollout", "rollout:0", "rollout:1000001", "rollout:x", "alphabeta:0", "alphabeta:65", "random:1"];
        for text in wrong {
            assert_eq!(text.parse::<Opponent>(), Err(UnknownOpponent(text.to_owned())));
        }
    }
}
