//! Which positions a game has seen, as far as they can come again, and the moves between them.

use crate::Side;
use crate::zobrist::Hash;

/// Occurrences of a position that end the game, in every family.
pub(crate) const REPETITION_LIMIT: usize = 3;

/// A position at the start of a turn, and how it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment<M> {
    /// What repetition compares.
    pub(crate) hash: Hash,
    /// Whether the turn that led here gave check.
    pub(crate) gives_check: bool,
    /// The turn that led here; `None` at the beginning, or where a text stands for the history.
    pub(crate) turn: Option<M>,
}

/// The starts of turn since the last irreversible turn, the current one last. Sides alternate.
#[derive(Debug)]
pub(crate) struct History<M> {
    moments: Vec<Moment<M>>,
}

impl<M: Copy> History<M> {
    /// A history that begins here.
    pub(crate) fn new(hash: Hash) -> History<M> {
        History { moments: vec![Moment { hash, gives_check: false, turn: None }] }
    }

    /// Goes on after a turn that can be undone by others.
    pub(crate) fn push(&mut self, moment: Moment<M>) {
        self.moments.push(moment);
    }

    /// Begins again after an irreversible turn: nothing before it can occur again.
    pub(crate) fn restart(&mut self, moment: Moment<M>) {
        self.moments.clear();
        self.moments.push(moment);
    }

    /// Whether one of the positions has this hash.
    pub(crate) fn contains(&self, hash: Hash) -> bool {
        self.moments.iter().any(|moment| moment.hash == hash)
    }

    /// Earlier occurrences of the current position.
    pub(crate) fn occurrences_before(&self) -> usize {
        let Some((current, earlier)) = self.moments.split_last() else { return 0 };
        // The side to decide is the same in every other moment, which comes first in each pair.
        earlier.rchunks_exact(2).filter(|pair| pair[0].hash == current.hash).count()
    }

    /// If the current position occurs for the third time, what followed its first occurrence, the current moment last.
    pub(crate) fn cycle(&self) -> Option<&[Moment<M>]> {
        let (current, earlier) = self.moments.split_last()?;
        let same_side = self.moments.iter().enumerate().skip(earlier.len() % 2).step_by(2);
        let mut occurrences = same_side.filter(|(_, moment)| moment.hash == current.hash).map(|(index, _)| index);
        let first = occurrences.next()?;
        (1 + occurrences.count() >= REPETITION_LIMIT).then(|| &self.moments[first + 1..])
    }

    /// Replaces the history by one in which the current position has occurred `count` times before.
    pub(crate) fn set_occurrences_before(&mut self, count: u8) {
        let Some(&current) = self.moments.last() else { return };
        let current = Moment { turn: None, gives_check: false, ..current };
        // Between two occurrences the other side was to decide, which no position of this side equals.
        let other = Moment { hash: Hash { plain: !current.hash.plain, mirror: !current.hash.mirror }, ..current };
        self.moments.clear();
        for _ in 0..count {
            self.moments.extend([current, other]);
        }
        self.moments.push(current);
    }

    /// The history of the reflected game; `mirror` reflects a turn.
    pub(crate) fn mirrored(&self, mirror: impl Fn(M) -> M) -> History<M> {
        let reflect = |moment: &Moment<M>| Moment {
            hash: moment.hash.mirrored(),
            turn: moment.turn.map(&mirror),
            gives_check: moment.gives_check,
        };
        History { moments: self.moments.iter().map(reflect).collect() }
    }
}

/// Who gave check with every turn of a cycle, if one side did and the other did not. `to_decide` is to decide after it.
pub(crate) fn perpetual_checker<M>(cycle: &[Moment<M>], to_decide: Side) -> Option<Side> {
    let all_check = |newest: usize| {
        let mut turns = cycle.iter().rev().skip(newest).step_by(2).peekable();
        turns.peek().is_some() && turns.all(|moment| moment.gives_check)
    };
    match (all_check(0), all_check(1)) {
        (true, false) => Some(to_decide.other()),
        (false, true) => Some(to_decide),
        _ => None,
    }
}

impl<M> Default for History<M> {
    fn default() -> Self {
        History { moments: Vec::new() }
    }
}

impl<M: Copy> Clone for History<M> {
    fn clone(&self) -> Self {
        History { moments: self.moments.clone() }
    }

    /// Keeps the memory: a search clones its root once a simulation.
    fn clone_from(&mut self, source: &Self) {
        self.moments.clone_from(&source.moments);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u64) -> Hash {
        Hash { plain: number, mirror: number + 100 }
    }

    fn history(numbers: &[u64], checks: &[usize]) -> History<()> {
        let mut history = History::new(hash(numbers[0]));
        for (index, &number) in numbers.iter().enumerate().skip(1) {
            history.push(Moment { hash: hash(number), gives_check: checks.contains(&index), turn: Some(()) });
        }
        history
    }

    #[test]
    fn the_cycle_begins_after_the_first_occurrence_and_ends_with_the_third() {
        assert_eq!(history(&[7, 1, 2, 3, 4], &[]).cycle(), None);
        assert_eq!(history(&[1, 2, 3, 4, 1, 2, 3, 4], &[]).cycle(), None);
        let third = history(&[9, 8, 1, 2, 3, 4, 1, 2, 3, 4, 1], &[]);
        assert_eq!(third.occurrences_before(), 2);
        assert_eq!(third.cycle().map(<[_]>::len), Some(8));
        let third = history(&[1, 2, 3, 4, 1, 2, 3, 4, 1], &[]);
        assert_eq!(third.cycle().map(<[_]>::len), Some(8));
        let mut again = history(&[1, 2, 3, 4, 1, 2, 3, 4, 1], &[]);
        again.restart(Moment { hash: hash(1), gives_check: false, turn: Some(()) });
        assert_eq!((again.occurrences_before(), again.cycle()), (0, None));
        again.set_occurrences_before(2);
        assert_eq!((again.occurrences_before(), again.cycle().map(<[_]>::len)), (2, Some(4)));
    }

    #[test]
    fn only_who_checks_with_every_turn_while_the_other_does_not_is_a_perpetual_checker() {
        let checker = |checks: &[usize]| {
            let history = history(&[1, 2, 3, 4, 1, 2, 3, 4, 1], checks);
            perpetual_checker(history.cycle().expect("the third occurrence"), Side::Red)
        };
        assert_eq!(checker(&[]), None);
        assert_eq!(checker(&[1, 3, 5, 7]), Some(Side::Red));
        assert_eq!(checker(&[2, 4, 6, 8]), Some(Side::Black));
        assert_eq!(checker(&[2, 4, 6]), None);
        assert_eq!(checker(&[1, 2, 3, 4, 5, 6, 7, 8]), None);
        assert_eq!(checker(&[1, 2, 3, 4, 5, 7]), Some(Side::Red));
    }
}
