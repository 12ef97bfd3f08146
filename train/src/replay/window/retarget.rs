//! Positions of the window that are searched anew, and what they are learnt towards from then on.

use heng_env::game::Notation;
use heng_env::seeds::Rng;
use heng_mcts::value::Wdl;
use rand::seq::index;

use super::{ReplayWindow, mix};
use crate::replay::ReplayError;

/// A position of a window, as long as nothing is pushed into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u64);

impl<G: Notation> ReplayWindow<G> {
    /// Draws `count` different positions evenly from those of iterations before `iteration`; all of them if there are fewer.
    pub fn draw_older(&self, iteration: u64, count: usize, rng: &mut Rng) -> Vec<Place> {
        let end = self.blocks.back().map_or(0, |block| block.end);
        let begin = end - self.len() as u64;
        let older = self.blocks.iter().rev().find(|block| block.file.iteration < iteration);
        let length = older.map_or(0, |block| block.end.saturating_sub(begin)) as usize;
        let drawn = index::sample(rng, length, count.min(length));
        drawn.into_iter().map(|index| Place(begin + index as u64)).collect()
    }

    /// The position at a place, to be searched; `None` if its text does not say all that decided about its legal steps.
    ///
    /// # Errors
    /// If the position text cannot be read.
    pub fn position_to_search(&self, place: Place) -> Result<Option<G>, ReplayError> {
        let (block, place) = self.locate(place.0);
        let block = &self.blocks[block];
        let sample = &block.samples[place];
        let position = self.position(block, sample)?;
        let mut legal = Vec::new();
        position.legal_actions(&mut legal);
        Ok((legal[..] == sample.actions[..]).then_some(position))
    }

    /// Learns from now on towards `policy`, a probability for each legal step of the position, and `root`, the chances of its
    /// side to act after the search. The result of its game keeps its part of the value target.
    ///
    /// The policy is that of the opponent's reply for the positions before it, too. Short-term values stay as they are.
    pub fn retarget(&mut self, place: Place, policy: Vec<f32>, root: Wdl) {
        let share = self.config.root_value_share;
        let (block, place) = self.locate(place.0);
        let sample = &mut self.blocks[block].samples[place];
        debug_assert_eq!(policy.len(), sample.actions.len(), "one probability for each legal step");
        sample.policy = policy.into();
        sample.target = mix(sample.outcome, root, share);
    }
}
