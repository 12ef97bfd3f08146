//! Positions of the replay window searched anew with a newer network (MuZero Reanalyze, Schrittwieser et al. 2020 and 2021).
//!
//! A group's searches share batches of one evaluator and draw from one random stream; groups know nothing of each other or of
//! threads, as in self-play.

use heng_env::{Notation, Rng};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::Evaluator;
use heng_mcts::search::{Algorithm, Search, SearchConfig};
use heng_mcts::value::Wdl;
use serde::{Deserialize, Serialize};

use crate::replay::{Place, ReplayError, ReplayWindow};

/// What was searched anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReanalysisStatistics {
    /// Positions with new targets.
    pub positions: u64,
    /// Positions evaluated for the searches.
    pub evaluations: u64,
}

impl ReanalysisStatistics {
    /// Adds other counts.
    pub fn merge(&mut self, other: &ReanalysisStatistics) {
        self.positions += other.positions;
        self.evaluations += other.evaluations;
    }
}

/// The new targets of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTargets {
    /// Where it is in the window.
    pub place: Place,
    /// Probability of each legal step.
    pub policy: Vec<f32>,
    /// Chances of the side to act after the search.
    pub root: Wdl,
}

/// Evaluations that a search with these settings takes at most.
pub fn evaluations_of(search: &SearchConfig) -> u64 {
    match search.algorithm {
        Algorithm::Policy => 1,
        Algorithm::Gumbel | Algorithm::Puct => 1 + u64::from(search.simulations),
    }
}

/// Searches the positions at `places` as self-play would, `at_once` at the same time, and returns their new targets, in the
/// order of the places, and how many positions were evaluated.
///
/// # Errors
/// If a position text cannot be read.
pub fn search_anew<G: Notation>(
    window: &ReplayWindow<G>,
    places: &[Place],
    (search, at_once): (&SearchConfig, usize),
    evaluator: &mut impl Evaluator<G>,
    rng: &mut Rng,
) -> Result<(Vec<NewTargets>, u64), ReplayError> {
    let (mut targets, mut evaluations) = (Vec::with_capacity(places.len()), 0);
    for places in places.chunks(at_once.max(1)) {
        let mut searches = Vec::with_capacity(places.len());
        let mut searched = Vec::with_capacity(places.len());
        for &place in places {
            if let Some(position) = window.position_to_search(place)? {
                let mut search = Search::new(position, search.clone());
                search.begin(rng);
                searches.push(search);
                searched.push(place);
            }
        }
        evaluations += drive(&mut searches, evaluator);
        targets.extend(searches.iter().zip(searched).map(|(search, place)| {
            let result = search.result();
            NewTargets { place, policy: result.policy, root: result.value.to_side(result.side) }
        }));
    }
    Ok((targets, evaluations))
}

#[cfg(test)]
mod tests;
