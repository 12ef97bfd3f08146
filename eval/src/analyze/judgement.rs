//! What a turn gave away, and the mark for it.

use heng_env::Side;
use heng_mcts::value::RedValue;

/// How bad a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    pub(super) const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The least loss of expected result that earns the mark. These are lichess.org's thresholds for the drop of its winning
    /// chances, which have the same scale (`CpAdvice` in lila's modules/tree/src/main/Advice.scala).
    const fn threshold(self) -> f32 {
        match self {
            Mark::Inaccuracy => 0.1,
            Mark::Mistake => 0.2,
            Mark::Blunder => 0.3,
        }
    }

    /// As it is written behind a turn.
    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// What it is called.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// The same for a number of them.
    pub(super) const fn counted(self, count: usize) -> &'static str {
        match (self, count) {
            (_, 1) => self.name(),
            (Mark::Inaccuracy, _) => "inaccuracies",
            (Mark::Mistake, _) => "mistakes",
            (Mark::Blunder, _) => "blunders",
        }
    }
}

/// A difference of values that is only one of their rounding.
const ROUNDING: f32 = 1e-6;

/// What is to be said of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judgement {
    /// Whether it is the best one, or leads to the same position.
    pub(super) is_best: bool,
    /// How much less its player expects after it than after the best one, 0 at least; unknown where a value is.
    pub(super) loss: Option<f32>,
    pub(super) mark: Option<Mark>,
}

impl Judgement {
    /// Judges a turn of `mover`: `best` is the value of the best turn, `after` that of the one that was played.
    pub(super) fn of(mover: Side, best: Option<RedValue>, after: Option<RedValue>, is_best: bool) -> Judgement {
        let drop = |(best, after): (RedValue, RedValue)| (best.for_side(mover) - after.for_side(mover)).max(0.0);
        // Whoever plays the best turn gives nothing away. That the search sees more one turn later is no fault of theirs.
        let loss = best.zip(after).map(|values| if is_best { 0.0 } else { drop(values) });
        let is_earned = |mark: &Mark| loss.is_some_and(|loss| loss + ROUNDING >= mark.threshold());
        Judgement { is_best, loss, mark: Mark::ALL.into_iter().rfind(is_earned) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(mover: Side, best: f32, after: f32, is_best: bool) -> (f32, Option<Mark>) {
        let red = |value| Some(RedValue::from_side(value, Side::Red));
        let judgement = Judgement::of(mover, red(best), red(after), is_best);
        ((judgement.loss.unwrap() * 100.0).round() / 100.0, judgement.mark)
    }

    #[test]
    fn a_mark_is_earned_by_the_drop_from_the_best_turn() {
        for (mover, best, after, loss, mark) in [
            (Side::Red, 0.5, 0.5, 0.0, None),
            (Side::Red, 0.5, 0.41, 0.09, None),
            (Side::Red, 0.5, 0.4, 0.1, Some(Mark::Inaccuracy)),
            (Side::Red, 0.5, 0.31, 0.19, Some(Mark::Inaccuracy)),
            (Side::Red, 0.5, 0.3, 0.2, Some(Mark::Mistake)),
            (Side::Red, 0.1, -0.2, 0.3, Some(Mark::Blunder)),
            (Side::Red, 1.0, -1.0, 2.0, Some(Mark::Blunder)),
            // The same values are black's the other way round.
            (Side::Black, -0.5, -0.4, 0.1, Some(Mark::Inaccuracy)),
            (Side::Black, -0.5, 0.5, 1.0, Some(Mark::Blunder)),
            // A turn that turns out better than the best loses nothing.
            (Side::Red, 0.0, 0.9, 0.0, None),
            (Side::Black, 0.5, 0.1, 0.0, None),
        ] {
            assert_eq!(judged(mover, best, after, false), (loss, mark), "{mover:?} {best} {after}");
        }
    }

    #[test]
    fn the_best_turn_has_no_mark_whatever_comes_of_it() {
        assert_eq!(judged(Side::Red, 0.9, -0.9, true), (0.0, None));
        assert_eq!(judged(Side::Black, -0.9, 0.9, true), (0.0, None));
    }

    #[test]
    fn what_is_not_known_is_not_judged() {
        let judgement = Judgement::of(Side::Red, None, Some(RedValue::default()), false);
        assert_eq!((judgement.loss, judgement.mark), (None, None));
    }
}
