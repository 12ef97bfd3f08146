//! Results that are certain, and how they climb the tree (MCTS-Solver, Winands et al. 2008, with draws).
//!
//! A node belongs to one path from the root, so a draw by repetition or by a limit is as certain in the tree as a win.

use heng_env::{Outcome, Side};

use super::tree::Edge;
use crate::value::{RedValue, RedWdl, Wdl};

/// The result of a position under best play, known for certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins; nobody in a draw.
    pub winner: Option<Side>,
    /// Steps to the end in the line that proved it: the winner needs no more than that.
    pub steps: u16,
}

impl Proof {
    /// A finished game.
    pub fn of(outcome: Outcome) -> Proof {
        Proof { winner: outcome.winner, steps: 0 }
    }

    /// The same as chances.
    pub fn wdl(self) -> RedWdl {
        match self.winner {
            Some(winner) => Wdl { win: 1.0, draw: 0.0, loss: 0.0 }.to_red(winner),
            None => RedWdl { win: 0.0, draw: 1.0, loss: 0.0 },
        }
    }

    /// The same as an expected result.
    pub fn value(self) -> RedValue {
        self.wdl().value()
    }

    /// Whether it is a win for `side`.
    pub fn is_win(self, side: Side) -> bool {
        self.winner == Some(side)
    }

    /// Whether it is a loss for `side`.
    pub fn is_loss(self, side: Side) -> bool {
        self.winner == Some(side.other())
    }

    /// How much `side` likes it: wins before draws before losses, quick wins, late losses.
    pub(super) fn rank(self, side: Side) -> i32 {
        let steps = i32::from(self.steps);
        let far = i32::from(u16::MAX) + 1;
        match self.winner {
            None => 0,
            Some(winner) if winner == side => far - steps,
            Some(_) => steps - far,
        }
    }

    fn one_step_earlier(self) -> Proof {
        Proof { winner: self.winner, steps: self.steps.saturating_add(1) }
    }
}

/// What the edges of a node prove about it, where `side` decides: one won edge wins; with every edge proven it is
/// worth the best of them.
pub(super) fn prove(edges: &[Edge], side: Side) -> Option<Proof> {
    let proofs = || edges.iter().filter_map(|edge| edge.proof);
    let best = proofs().max_by_key(|proof| proof.rank(side))?;
    let decided = best.is_win(side) || proofs().count() == edges.len();
    decided.then(|| best.one_step_earlier())
}
