//! Runs many games' searches against one evaluator, in batches.

use std::borrow::BorrowMut;

use heng_env::Game;

use crate::evaluator::{Evaluation, Evaluator};
use crate::search::{Leaf, Search};

/// Gathers leaves from many searches into batches. Keeps its buffers between calls.
///
/// Searches never see each other, so neither their number nor the size of the batches changes what any of them finds,
/// as long as the evaluator answers each position alike in every batch.
#[derive(Debug)]
pub struct Driver<G> {
    batch_max: usize,
    leaves: Vec<(usize, Leaf<G>)>,
    evaluations: Vec<Evaluation>,
    /// Who is asked first, so that a full batch does not always leave the same searches out.
    first: usize,
}

impl<G: Game> Driver<G> {
    /// A driver of batches of at most `batch_max` positions (at least one).
    pub fn new(batch_max: usize) -> Driver<G> {
        Driver { batch_max: batch_max.max(1), leaves: Vec::new(), evaluations: Vec::new(), first: 0 }
    }

    /// One batch: asks every search in turn, again and again, until the batch is full or nobody can hand out more;
    /// evaluates; gives the answers back. Returns the number of positions evaluated. With 0 every search is done, and what
    /// is done can be advanced and begun anew between two calls.
    pub fn tick<S: BorrowMut<Search<G>>>(&mut self, searches: &mut [S], evaluator: &mut impl Evaluator<G>) -> usize {
        self.gather(searches);
        self.answer(searches, |positions, out| evaluator.evaluate(positions, out))
    }

    /// The first half of [`Driver::tick`]: gathers a batch and submits it. While the evaluator is at work, the caller can drive
    /// other searches with another driver and evaluator.
    pub fn submit<S: BorrowMut<Search<G>>>(&mut self, searches: &mut [S], evaluator: &mut impl Evaluator<G>) {
        self.gather(searches);
        if !self.leaves.is_empty() {
            evaluator.submit(&positions(&self.leaves));
        }
    }

    /// The second half, with the same searches and evaluator.
    pub fn collect<S: BorrowMut<Search<G>>>(&mut self, searches: &mut [S], evaluator: &mut impl Evaluator<G>) -> usize {
        self.answer(searches, |positions, out| evaluator.collect(positions, out))
    }

    fn answer<S: BorrowMut<Search<G>>>(
        &mut self,
        searches: &mut [S],
        evaluate: impl FnOnce(&[&G], &mut [Evaluation]),
    ) -> usize {
        let count = self.leaves.len();
        if count == 0 {
            return 0;
        }
        if self.evaluations.len() < count {
            self.evaluations.resize_with(count, Evaluation::default);
        }
        evaluate(&positions(&self.leaves), &mut self.evaluations[..count]);
        for ((index, leaf), evaluation) in self.leaves.drain(..).zip(&self.evaluations) {
            searches[index].borrow_mut().complete(leaf, evaluation);
        }
        count
    }

    fn gather<S: BorrowMut<Search<G>>>(&mut self, searches: &mut [S]) {
        let count = searches.len();
        let first = if self.first < count { self.first } else { 0 };
        loop {
            let before = self.leaves.len();
            for index in (first..count).chain(0..first) {
                if self.leaves.len() == self.batch_max {
                    self.first = index;
                    return;
                }
                if let Some(leaf) = searches[index].borrow_mut().next_leaf() {
                    self.leaves.push((index, leaf));
                }
            }
            if self.leaves.len() == before {
                return;
            }
        }
    }
}

fn positions<G>(leaves: &[(usize, Leaf<G>)]) -> Vec<&G> {
    leaves.iter().map(|(_, leaf)| leaf.position()).collect()
}

/// Runs searches that have begun until every one of them is done. Returns the number of positions evaluated.
pub fn drive<G: Game, S: BorrowMut<Search<G>>>(searches: &mut [S], evaluator: &mut impl Evaluator<G>) -> u64 {
    let mut driver = Driver::new(usize::MAX);
    let mut evaluations = 0;
    loop {
        match driver.tick(searches, evaluator) {
            0 => return evaluations,
            count => evaluations += count as u64,
        }
    }
}
