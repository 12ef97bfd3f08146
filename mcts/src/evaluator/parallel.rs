//! One batch on several threads.

use heng_env::Game;
use rayon::prelude::*;

use super::{Evaluation, Evaluator};

/// Divides each batch among evaluators that work at the same time, on the threads of the rayon pool it is called in.
///
/// An evaluator answers each position alike in every batch, so the answers do not depend on how many there are.
#[derive(Clone, Debug)]
pub struct ParallelEvaluator<E> {
    workers: Vec<E>,
}

impl<E> ParallelEvaluator<E> {
    /// Shares the work among `workers`, of which there is at least one.
    ///
    /// # Panics
    /// If there is none.
    pub fn new(workers: Vec<E>) -> ParallelEvaluator<E> {
        assert!(!workers.is_empty(), "somebody has to do the work");
        ParallelEvaluator { workers }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Evaluator<G> for ParallelEvaluator<E> {
    fn evaluate(&mut self, positions: &[&G], out: &mut [Evaluation]) {
        let share = positions.len().div_ceil(self.workers.len()).max(1);
        if share == positions.len() {
            return self.workers[0].evaluate(positions, out);
        }
        let work = positions.par_chunks(share).zip(out.par_chunks_mut(share));
        work.zip(&mut self.workers).for_each(|((positions, out), worker)| worker.evaluate(positions, out));
    }
}

#[cfg(test)]
mod tests {
    use heng_env::Side;

    use super::super::ScriptedEvaluator;
    use super::*;
    use crate::toy::{Toy, steady};

    #[test]
    fn the_answers_are_those_of_one_evaluator_for_any_number_of_workers() {
        let games: Vec<Toy> = (0..7).map(|depth| Toy::new(steady(Side::Red, depth as f32 / 10.0, 9))).collect();
        let positions: Vec<&Toy> = games.iter().collect();
        let expected: Vec<Evaluation> = games.iter().map(Toy::answer).collect();
        for workers in 1..10 {
            let mut evaluator = ParallelEvaluator::new(vec![ScriptedEvaluator::new(Toy::answer); workers]);
            for count in 0..=positions.len() {
                let mut out = vec![Evaluation::default(); count];
                evaluator.evaluate(&positions[..count], &mut out);
                assert_eq!(out, expected[..count]);
            }
        }
    }
}
