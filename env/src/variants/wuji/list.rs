//! From sets of points to a list of actions in ascending order.
//!
//! How many points a piece reaches is nothing that a processor could foresee, and a wrong guess costs as much as several
//! actions. So a few are written for each word whether there are so many or not, and the next ones overwrite those too many.

use super::points::{FILES, Point, Points, SQUARES, STRIDE};
use crate::Action;

/// Pieces whose actions are written at once: more than a side has in any game, but a text may have more.
pub(super) const AT_ONCE: usize = 32;

/// Actions that are written for a word without asking: as many as most words have.
const UNASKED: usize = 3;

/// For each bit of a word the square of its point if that of the lowest one is 0; and something for the word without bits.
static SQUARES_OF_BITS: [u8; 65] = {
    let mut squares = [0; 65];
    let mut bit = 0;
    while bit < 64 {
        squares[bit] = (bit - (STRIDE - FILES) * (bit / STRIDE)) as u8;
        bit += 1;
    }
    squares
};

/// Where pieces may go, at most [`AT_ONCE`] of them; all points as the actor sees them.
#[derive(Debug)]
pub(super) struct Ends {
    starts: Points,
    /// In the order of the starts.
    ends: [Points; AT_ONCE],
    /// Actions in all.
    count: usize,
}

impl Ends {
    /// No ends yet for pieces on `starts`.
    pub(super) fn of(starts: Points) -> Ends {
        Ends { starts, ends: [Points::EMPTY; AT_ONCE], count: 0 }
    }

    /// Sets where the piece on `start` may go.
    #[inline(always)]
    pub(super) fn set(&mut self, start: Point, ends: Points) {
        self.ends[(self.starts & Points::below(start)).count() % AT_ONCE] = ends;
        self.count += ends.count();
    }

    /// Appends the actions in ascending order.
    pub(super) fn write(&self, actions: &mut Vec<Action>) {
        let mut at = actions.len();
        let end = at + self.count;
        actions.resize(end + UNASKED, Action::new(0));
        for (start, ends) in self.starts.iter().zip(self.ends) {
            let first = start.square() * SQUARES;
            for (word, square) in ends.words() {
                at = write_word(word, first + square, at, actions);
            }
        }
        actions.truncate(end);
    }
}

/// Writes the actions of the bits of a word, the lowest of which stands for `first`; returns where the next one belongs.
#[inline(always)]
fn write_word(mut word: u64, first: usize, at: usize, actions: &mut [Action]) -> usize {
    let next = at + word.count_ones() as usize;
    let mut take = || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        Action::new(first + SQUARES_OF_BITS[bit] as usize)
    };
    let unasked = [take(), take(), take()];
    actions[at..at + UNASKED].copy_from_slice(&unasked);
    if next > at + UNASKED {
        actions[at + UNASKED..next].fill_with(take);
    }
    next
}
