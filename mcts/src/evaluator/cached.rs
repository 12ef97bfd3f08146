//! Remembers answers.

use std::collections::HashMap;

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
    slot_of: HashMap<u64, usize>,
    oldest: usize,
    hits: u64,
    misses: u64,
    fresh: Vec<Evaluation>,
}

impl<E> CachedEvaluator<E> {
    /// Remembers at most `capacity` answers of `inner`; with 0 it only removes duplicates from batches.
    pub fn new(inner: E, capacity: usize) -> CachedEvaluator<E> {
        CachedEvaluator {
            inner,
            capacity,
            slots: Vec::new(),
            slot_of: HashMap::new(),
            oldest: 0,
            hits: 0,
            misses: 0,
            fresh: Vec::new(),
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

    fn remember(&mut self, key: u64, evaluation: Evaluation) {
        if self.slots.len() < self.capacity {
            self.slot_of.insert(key, self.slots.len());
            self.slots.push((key, evaluation));
        } else if let Some(slot) = self.slots.get_mut(self.oldest) {
            self.slot_of.remove(&slot.0);
            self.slot_of.insert(key, self.oldest);
            *slot = (key, evaluation);
            self.oldest = (self.oldest + 1) % self.capacity;
        }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for CachedEvaluator<E> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        let mut asked: Vec<&G> = Vec::new();
        let mut asked_keys = Vec::new();
        let mut place_of: HashMap<u64, usize> = HashMap::new();
        let mut waiting = Vec::new();
        for (index, &position) in positions.iter().enumerate() {
            let key = position.key();
            if let Some(&slot) = self.slot_of.get(&key) {
                out[index].clone_from(&self.slots[slot].1);
                continue;
            }
            let place = *place_of.entry(key).or_insert(asked.len());
            if place == asked.len() {
                asked.push(position);
                asked_keys.push(key);
            }
            waiting.push((index, place));
        }
        self.hits += (positions.len() - asked.len()) as u64;
        self.misses += asked.len() as u64;
        if asked.is_empty() {
            return;
        }
        self.fresh.resize_with(asked.len(), Evaluation::default);
        self.inner.evaluate(&asked, &mut self.fresh);
        for (index, place) in waiting {
            out[index].clone_from(&self.fresh[place]);
        }
        for (place, key) in asked_keys.into_iter().enumerate() {
            let evaluation = std::mem::take(&mut self.fresh[place]);
            self.remember(key, evaluation);
        }
    }
}
