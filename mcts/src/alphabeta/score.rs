//! Values of the search and the windows between them, which know whose they are.

use heng_env::{Outcome, Side};

/// A value for the side to act at the position it belongs to.
///
/// A turn has several steps by the same side, so a value is turned only by [`Score::seen_by`], which asks who acts at
/// both positions, and never by depth. Proven ends are worth more than any static value, fast wins and late losses the
/// most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

const WIN: i32 = 1_000_000;
const LONGEST_PROOF: i32 = 10_000;

/// What is certain about a position, for the side to act. The turn that is being played is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to act wins in that many turns, both sides' counted.
    WinIn(u32),
    /// The side to act loses in that many turns, both sides' counted.
    LossIn(u32),
}

impl Score {
    /// Nobody wins.
    pub const DRAW: Score = Score(0);
    /// Below every value.
    pub(super) const LEAST: Score = Score(-WIN);
    /// Above every value.
    pub(super) const GREATEST: Score = Score(WIN);

    /// A win in `turns` turns.
    pub(super) const fn win_in(turns: u32) -> Score {
        let turns = if turns > LONGEST_PROOF as u32 { LONGEST_PROOF } else { turns as i32 };
        Score(WIN - turns)
    }

    /// The worth for `side` of a game that ends with the `turns`-th turn.
    pub(super) fn of(outcome: Outcome, side: Side, turns: u32) -> Score {
        match outcome.winner {
            None => Score::DRAW,
            Some(winner) => Score::win_in(turns).seen_by(winner, side),
        }
    }

    /// A static value, which is never taken for a proof.
    pub(super) fn of_static(value: i32) -> Score {
        let most = WIN - LONGEST_PROOF - 1;
        Score(value.clamp(-most, most))
    }

    /// This value of the side `from` as the side `to` sees it.
    #[must_use]
    pub fn seen_by(self, from: Side, to: Side) -> Score {
        if from == to { self } else { Score(-self.0) }
    }

    /// The value in hundredths of a typical piece; proven ends lie far outside the range of static values.
    pub fn hundredths(self) -> i32 {
        self.0
    }

    /// What is certain, if anything is.
    pub fn proof(self) -> Option<Proof> {
        let turns = WIN - self.0.abs();
        if turns > LONGEST_PROOF {
            return None;
        }
        Some(if self.0 > 0 { Proof::WinIn(turns as u32) } else { Proof::LossIn(turns as u32) })
    }

    /// The next smaller value.
    pub(super) fn just_below(self) -> Score {
        Score(self.0 - 1)
    }

    /// The value counted from a position that lies `turns` turns after the root, as the table keeps it.
    pub(super) fn stored_at(self, turns: u32) -> Score {
        self.moved_by(turns as i32)
    }

    /// The inverse of [`Score::stored_at`].
    pub(super) fn read_at(self, turns: u32) -> Score {
        self.moved_by(-(turns as i32))
    }

    fn moved_by(self, turns: i32) -> Score {
        match self.proof() {
            None => self,
            Some(Proof::WinIn(_)) => Score(self.0 + turns),
            Some(Proof::LossIn(_)) => Score(self.0 - turns),
        }
    }
}

/// The values that still matter at a position, for its side to act: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    /// The window that only asks whether a value exceeds `alpha`.
    pub(super) fn above(alpha: Score) -> Window {
        Window { alpha, beta: Score(alpha.0 + 1) }
    }

    /// This window of the side `from` as the side `to` sees it.
    pub(super) fn seen_by(self, from: Side, to: Side) -> Window {
        if from == to {
            return self;
        }
        Window { alpha: self.beta.seen_by(from, to), beta: self.alpha.seen_by(from, to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heng_env::Reason;

    #[test]
    fn a_fast_win_beats_a_late_one_and_a_late_loss_beats_a_fast_one() {
        let red = Outcome::win(Side::Red, Reason::Points);
        assert!(Score::of(red, Side::Red, 1) > Score::of(red, Side::Red, 3));
        assert!(Score::of(red, Side::Black, 3) > Score::of(red, Side::Black, 1));
        assert!(Score::of(red, Side::Red, 9_999) > Score::of_static(i32::MAX));
        assert!(Score::of(red, Side::Black, 9_999) < Score::of_static(-i32::MAX));
        assert_eq!(Score::of(Outcome::draw(Reason::Limit), Side::Black, 1), Score::DRAW);
    }

    #[test]
    fn only_ends_are_proofs() {
        assert_eq!(Score::win_in(3).proof(), Some(Proof::WinIn(3)));
        assert_eq!(Score::win_in(3).seen_by(Side::Red, Side::Black).proof(), Some(Proof::LossIn(3)));
        assert_eq!(Score::of_static(i32::MAX).proof(), None);
        assert_eq!(Score::DRAW.proof(), None);
    }

    #[test]
    fn the_table_keeps_the_distance_from_the_position() {
        for score in [Score::win_in(5), Score::win_in(5).seen_by(Side::Red, Side::Black), Score::of_static(123)] {
            assert_eq!(score.stored_at(2).read_at(2), score);
        }
        assert_eq!(Score::win_in(5).stored_at(2), Score::win_in(3));
    }

    #[test]
    fn a_window_turns_with_the_side() {
        let window = Window { alpha: Score::of_static(-5), beta: Score::of_static(7) };
        let turned = window.seen_by(Side::Red, Side::Black);
        assert_eq!((turned.alpha, turned.beta), (Score::of_static(-7), Score::of_static(5)));
        assert_eq!(window.seen_by(Side::Red, Side::Red).alpha, window.alpha);
    }
}
