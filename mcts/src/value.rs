//! Values that know whose they are.
//!
//! A turn has several steps by the same player, so nothing may flip a sign by depth. A network speaks for the side to
//! act ([`Wdl`]); a tree keeps values from red's point of view ([`RedWdl`]) and turns them at each node by the side that
//! decides there.

use heng_env::game::{Outcome, Side};

/// Chances of a win, a draw and a loss of the side to act; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// The side to act wins.
    pub win: f32,
    /// A draw.
    pub draw: f32,
    /// The side to act loses.
    pub loss: f32,
}

impl Wdl {
    /// Nothing is known.
    pub const EVEN: Wdl = Wdl { win: 1.0 / 3.0, draw: 1.0 / 3.0, loss: 1.0 / 3.0 };

    /// Expected result for the side to act, from -1 to 1.
    pub fn score(self) -> f32 {
        self.win - self.loss
    }

    /// The same chances as red sees them, where `side` is the side to act.
    pub fn to_red(self, side: Side) -> RedWdl {
        match side {
            Side::Red => RedWdl { win: self.win, draw: self.draw, loss: self.loss },
            Side::Black => RedWdl { win: self.loss, draw: self.draw, loss: self.win },
        }
    }
}

/// Chances of a win, a draw and a loss of red; they sum to one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedWdl {
    /// Red wins.
    pub win: f32,
    /// A draw.
    pub draw: f32,
    /// Red loses.
    pub loss: f32,
}

impl RedWdl {
    /// The chances of a finished game.
    pub fn of(outcome: Outcome) -> RedWdl {
        match outcome.winner {
            Some(Side::Red) => RedWdl { win: 1.0, draw: 0.0, loss: 0.0 },
            Some(Side::Black) => RedWdl { win: 0.0, draw: 0.0, loss: 1.0 },
            None => RedWdl { win: 0.0, draw: 1.0, loss: 0.0 },
        }
    }

    /// The expected result.
    pub fn value(self) -> RedValue {
        RedValue(self.win - self.loss)
    }

    /// The same chances as `side` sees them.
    pub fn to_side(self, side: Side) -> Wdl {
        match side {
            Side::Red => Wdl { win: self.win, draw: self.draw, loss: self.loss },
            Side::Black => Wdl { win: self.loss, draw: self.draw, loss: self.win },
        }
    }
}

/// An expected result from red's point of view, from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
pub struct RedValue(f32);

impl RedValue {
    /// The value that is `score` for `side`.
    pub fn from_side(score: f32, side: Side) -> RedValue {
        match side {
            Side::Red => RedValue(score),
            Side::Black => RedValue(-score),
        }
    }

    /// The value for `side`.
    pub fn for_side(self, side: Side) -> f32 {
        match side {
            Side::Red => self.0,
            Side::Black => -self.0,
        }
    }
}
