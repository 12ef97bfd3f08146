//! The transposition table: what the search of this turn has found out about positions, in bounded memory.

use heng_env::Action;

use super::score::{Proof, Score, Window};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// What is known about one position. Scores count turns from that position, not from the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    generation: u32,
    turns_left: u16,
    action: u16,
    score: Score,
    bound: Bound,
}

impl Entry {
    pub(super) fn action(&self) -> Action {
        Action::new(self.action as usize)
    }

    /// The value that ends the search of this position for `turns_left` more turns, if the entry decides it.
    ///
    /// Searches of another depth would answer another question, so only an equal depth counts; proofs found with fewer
    /// turns hold for more.
    pub(super) fn cutoff(&self, turns_left: u32, window: Window) -> Option<Score> {
        let stored = u32::from(self.turns_left);
        let holds = stored == turns_left || stored < turns_left && self.is_proof();
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        };
        (holds && decides).then_some(self.score)
    }

    fn is_proof(&self) -> bool {
        match self.score.proof() {
            Some(Proof::WinIn(_)) => self.bound != Bound::Upper,
            Some(Proof::LossIn(_)) => self.bound != Bound::Lower,
            None => false,
        }
    }
}

/// What a finished search of a position says about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finding {
    pub(super) turns_left: u32,
    pub(super) action: Action,
    pub(super) score: Score,
    pub(super) bound: Bound,
}

/// Two entries a bucket: the deepest of this turn, and the newest of the others.
#[derive(Clone, Debug)]
pub(super) struct Table {
    buckets: Vec<[Option<Entry>; 2]>,
    generation: u32,
}

impl Table {
    /// A table of at most `entries` entries, and at least two.
    pub(super) fn new(entries: usize) -> Table {
        let buckets = (entries / 2).max(1);
        let buckets = if buckets.is_power_of_two() { buckets } else { buckets.next_power_of_two() / 2 };
        Table { buckets: vec![[None; 2]; buckets], generation: 0 }
    }

    /// Forgets everything, without touching the memory.
    pub(super) fn clear(&mut self) {
        self.generation += 1;
    }

    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        let bucket = &self.buckets[self.index(key)];
        bucket.iter().flatten().find(|entry| entry.key == key && entry.generation == self.generation)
    }

    pub(super) fn insert(&mut self, key: u64, finding: Finding) {
        let entry = Entry {
            key,
            generation: self.generation,
            turns_left: finding.turns_left.min(u32::from(u16::MAX)) as u16,
            action: finding.action.index() as u16,
            score: finding.score,
            bound: finding.bound,
        };
        let generation = self.generation;
        let index = self.index(key);
        let [deepest, newest] = &mut self.buckets[index];
        let gives_way = deepest
            .is_none_or(|old| old.key == key || old.generation != generation || old.turns_left <= entry.turns_left);
        if gives_way {
            if deepest.is_some_and(|old| old.key != key && old.generation == generation) {
                *newest = *deepest;
            }
            *deepest = Some(entry);
        } else {
            *newest = Some(entry);
        }
    }

    fn index(&self, key: u64) -> usize {
        // Multiplied, so that keys whose low bits are alike still spread.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & (self.buckets.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Window = Window { alpha: Score::LEAST, beta: Score::GREATEST };

    fn finding(turns_left: u32, score: Score, bound: Bound) -> Finding {
        Finding { turns_left, action: Action::new(3), score, bound }
    }

    #[test]
    fn an_entry_decides_only_searches_of_its_depth() {
        let mut table = Table::new(16);
        table.insert(7, finding(2, Score::of_static(50), Bound::Exact));
        let entry = table.get(7).unwrap();
        assert_eq!(entry.action(), Action::new(3));
        assert_eq!(entry.cutoff(2, OPEN), Some(Score::of_static(50)));
        assert_eq!(entry.cutoff(1, OPEN), None);
        assert_eq!(entry.cutoff(3, OPEN), None);
    }

    #[test]
    fn a_proof_holds_for_deeper_searches() {
        let mut table = Table::new(16);
        table.insert(7, finding(2, Score::win_in(1), Bound::Exact));
        assert_eq!(table.get(7).unwrap().cutoff(5, OPEN), Some(Score::win_in(1)));
        table.insert(7, finding(2, Score::win_in(1), Bound::Upper));
        assert_eq!(table.get(7).unwrap().cutoff(5, OPEN), None);
    }

    #[test]
    fn a_bound_decides_only_outside_the_window() {
        let mut table = Table::new(16);
        table.insert(7, finding(1, Score::of_static(50), Bound::Lower));
        let entry = table.get(7).unwrap();
        assert_eq!(entry.cutoff(1, Window::above(Score::of_static(10))), Some(Score::of_static(50)));
        assert_eq!(entry.cutoff(1, Window::above(Score::of_static(60))), None);
    }

    #[test]
    fn a_full_bucket_keeps_the_deepest_and_the_newest() {
        let mut table = Table::new(2);
        for (key, depth) in [(1, 3), (2, 1), (3, 2)] {
            table.insert(key, finding(depth, Score::DRAW, Bound::Exact));
        }
        assert!(table.get(1).is_some() && table.get(2).is_none() && table.get(3).is_some());
        table.clear();
        assert!(table.get(1).is_none() && table.get(3).is_none());
    }
}
