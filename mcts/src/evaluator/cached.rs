//! Remembers answers.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use heng_env::Game;

use super::{Evaluation, Evaluator};

/// Answers positions it has seen from memory and asks another evaluator for the rest, each position once a batch.
///
/// When it is full the oldest answer makes room, whatever else happens, so a run can be repeated exactly.
#[derive(Clone, Debug)]
pub struct CachedEvaluator<E> {
    inner: E,
    capacity: usize,
    slots: Vec<(u64, Evaluation)>,
    slot_of: ByKey,
    oldest: usize,
    hits: u64,
    misses: u64,
    /// Memory for what the inner evaluator answers, in more places than it was asked for, maybe.
    fresh: Vec<Evaluation>,
    plan: Plan,
}

/// Something for each position, by its key.
type ByKey = HashMap<u64, usize, BuildHasherDefault<KeyItself>>;

/// Hashes a position's key by itself: it is a hash already.
#[derive(Clone, Copy, Debug, Default)]
struct KeyItself(u64);

impl Hasher for KeyItself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("a key is one number");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Where the answers to a batch come from.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// Which positions the inner evaluator is asked about, with their keys.
    asked: Vec<(usize, u64)>,
    /// Which positions get which of its answers.
    waiting: Vec<(usize, usize)>,
    /// Which positions get the answer in which slot.
    known: Vec<(usize, usize)>,
    /// The place in `asked` of every key in it.
    place_of: ByKey,
}

impl Plan {
    fn asked_of<'a, G>(&self, positions: &[&'a G]) -> Vec<&'a G> {
        self.asked.iter().map(|&(index, _)| positions[index]).collect()
    }
}

impl<E> CachedEvaluator<E> {
    /// Remembers at most `capacity` answers of `inner`; with 0 it only removes duplicates from batches.
    pub fn new(inner: E, capacity: usize) -> CachedEvaluator<E> {
        CachedEvaluator {
            inner,
            capacity,
            slots: Vec::new(),
            slot_of: ByKey::default(),
            oldest: 0,
            hits: 0,
            misses: 0,
            fresh: Vec::new(),
            plan: Plan::default(),
        }
    }

    /// The evaluator behind it.
    pub fn inner(&self) -> &E {
        &self.inner
    }

    /// Puts another evaluator behind it and forgets every answer.
    pub fn replace_inner(&mut self, inner: E) {
        self.inner = inner;
        self.slots.clear();
        self.slot_of.clear();
        self.oldest = 0;
    }

    /// Positions answered without the evaluator behind it.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Positions that the evaluator behind it had to answer.
    pub fn misses(&self) -> u64 {
        self.misses
    }

    /// Keeps an answer, and leaves what it takes the place of, for its memory.
    fn remember(&mut self, key: u64, evaluation: &mut Evaluation) {
        if self.slots.len() < self.capacity {
            self.slot_of.insert(key, self.slots.len());
            self.slots.push((key, std::mem::take(evaluation)));
        } else if let Some((old_key, old)) = self.slots.get_mut(self.oldest) {
            self.slot_of.remove(old_key);
            self.slot_of.insert(key, self.oldest);
            *old_key = key;
            std::mem::swap(old, evaluation);
            self.oldest = (self.oldest + 1) % self.capacity;
        }
    }

    /// Finds out which answers are known, and which positions are the same.
    fn make_plan<G: Game>(&mut self, positions: &[&G]) {
        let Plan { asked, waiting, known, place_of } = &mut self.plan;
        asked.clear();
        waiting.clear();
        known.clear();
        place_of.clear();
        for (index, position) in positions.iter().enumerate() {
            let key = position.key();
            if let Some(&slot) = self.slot_of.get(&key) {
                known.push((index, slot));
                continue;
            }
            let place = *place_of.entry(key).or_insert(asked.len());
            if place == asked.len() {
                asked.push((index, key));
            }
            waiting.push((index, place));
        }
        self.hits += (positions.len() - asked.len()) as u64;
        self.misses += asked.len() as u64;
    }

    /// Answers as planned: `ask` writes what the inner evaluator says, if it was asked anything.
    fn answer<G: Game>(
        &mut self,
        positions: &[&G],
        out: &mut [Evaluation],
        ask: impl FnOnce(&mut E, &[&G], &mut [Evaluation]),
    ) {
        for &(index, slot) in &self.plan.known {
            out[index].clone_from(&self.slots[slot].1);
        }
        let asked = self.plan.asked_of(positions);
        if asked.is_empty() {
            return;
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        if fresh.len() < asked.len() {
            fresh.resize_with(asked.len(), Evaluation::default);
        }
        ask(&mut self.inner, &asked, &mut fresh[..asked.len()]);
        for &(index, place) in &self.plan.waiting {
            out[index].clone_from(&fresh[place]);
        }
        for (place, evaluation) in fresh.iter_mut().enumerate().take(asked.len()) {
            self.remember(self.plan.asked[place].1, evaluation);
        }
        self.fresh = fresh;
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for CachedEvaluator<E> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        self.make_plan(positions);
        self.answer(positions, out, E::evaluate);
    }

    fn submit(&mut self, positions: &[&G]) {
        self.make_plan(positions);
        let asked = self.plan.asked_of(positions);
        if !asked.is_empty() {
            self.inner.submit(&asked);
        }
    }

    fn collect(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        self.answer(positions, out, E::collect);
    }
}

#[cfg(test)]
mod tests {
    use super::super::ScriptedEvaluator;
    use super::*;
    use crate::toy::{Toy, steady};
    use heng_env::{Action, Side};

    /// Positions one step from the start, two of them; then two steps from it.
    fn positions() -> Vec<Toy> {
        let play = |steps: &[usize]| {
            let mut game = Toy::new(steady(Side::Red, 0.3, 9));
            steps.iter().for_each(|&step| game.apply(Action::new(step)));
            game
        };
        vec![play(&[0]), play(&[1]), play(&[0, 0]), play(&[0, 1])]
    }

    fn evaluate<E: Evaluator<Toy>>(cache: &mut CachedEvaluator<E>, positions: &[&Toy]) -> Vec<Evaluation> {
        let mut out = vec![Evaluation::default(); positions.len()];
        cache.evaluate(positions, &mut out);
        out
    }

    #[test]
    fn a_position_is_evaluated_once() {
        let all = positions();
        let batch: Vec<&Toy> = [0, 1, 0, 2, 2].map(|index| &all[index]).to_vec();
        let mut cache = CachedEvaluator::new(ScriptedEvaluator::new(Toy::answer), 10);
        let expected: Vec<Evaluation> = batch.iter().map(|position| position.answer()).collect();
        assert_eq!(evaluate(&mut cache, &batch), expected);
        assert_eq!(evaluate(&mut cache, &batch), expected);
        assert_eq!(cache.inner().batches(), [3]);
        assert_eq!((cache.hits(), cache.misses()), (7, 3));
    }

    #[test]
    fn answers_that_are_collected_later_are_the_same() {
        let all = positions();
        let mut cache = CachedEvaluator::new(ScriptedEvaluator::new(Toy::answer), 2);
        let mut submitted = CachedEvaluator::new(ScriptedEvaluator::new(Toy::answer), 2);
        for batch in [&[0, 1, 0][..], &[1, 2, 3, 3], &[1], &[0, 3]] {
            let batch: Vec<&Toy> = batch.iter().map(|&index| &all[index]).collect();
            let mut out = vec![Evaluation::default(); batch.len()];
            submitted.submit(&batch);
            submitted.collect(&batch, &mut out);
            assert_eq!(out, evaluate(&mut cache, &batch));
            assert_eq!((submitted.hits(), submitted.misses()), (cache.hits(), cache.misses()));
        }
        assert_eq!(submitted.inner().batches(), cache.inner().batches());
    }

    #[test]
    fn the_oldest_answer_makes_room() {
        let all = positions();
        let mut cache = CachedEvaluator::new(ScriptedEvaluator::new(Toy::answer), 2);
        let mut misses = |index: usize| {
            evaluate(&mut cache, &[&all[index]]);
            cache.misses()
        };
        // 0 and 1 are kept; 2 takes the place of 0, then 0 that of 1.
        assert_eq!([0, 1, 0, 2, 1, 0, 2, 1].map(&mut misses), [1, 2, 2, 3, 3, 4, 4, 5]);
    }

    #[test]
    fn without_room_only_duplicates_are_saved() {
        let all = positions();
        let mut cache = CachedEvaluator::new(ScriptedEvaluator::new(Toy::answer), 0);
        for _ in 0..2 {
            assert_eq!(evaluate(&mut cache, &[&all[3], &all[3]]), [all[3].answer(), all[3].answer()]);
        }
        assert_eq!(cache.misses(), 2);
    }

    #[test]
    fn another_evaluator_starts_with_nothing_remembered() {
        let all = positions();
        let mut cache = CachedEvaluator::new(ScriptedEvaluator::new(Toy::answer), 4);
        evaluate(&mut cache, &[&all[0]]);
        cache.replace_inner(ScriptedEvaluator::new(Toy::answer));
        evaluate(&mut cache, &[&all[0]]);
        assert_eq!(cache.inner().evaluations(), 1);
    }
}
