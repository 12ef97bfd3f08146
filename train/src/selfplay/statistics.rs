//! Counts of self-play.

use heng_env::game::Side;
use serde::{Deserialize, Serialize};

use super::group::FinishedGame;
use super::start::Origin;
use crate::replay::{Choice, Decision};

/// What a group has done; sums, so that those of several groups can be added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayStatistics {
    /// Positions the searches had evaluated.
    pub evaluations: u64,
    /// Those of them that the cache answered.
    pub cache_hits: u64,
    /// Finished games.
    pub games: u64,
    /// Finished games that red won.
    pub red_wins: u64,
    /// Finished games that black won.
    pub black_wins: u64,
    /// Finished games that nobody won.
    pub draws: u64,
    /// Finished games that were forked off earlier ones.
    pub forks: u64,
    /// Finished games that began near the end of earlier ones.
    pub endgames: u64,
    /// Finished games that a side gave up.
    pub resigned: u64,
    /// Finished games in which a side would have given up, had they not been played to the end.
    pub resign_checked: u64,
    /// Those of them that this side did not lose.
    pub resign_wrong: u64,
    /// Turns of the finished games.
    pub turns: u64,
    /// Steps of the finished games.
    pub steps: u64,
    /// Steps of the finished games that are learnt from.
    pub samples: u64,
    /// Sum over those of the entropy of the target policy, in nats.
    pub policy_entropy: f64,
    /// Sum over those of the squared difference between the score after the search and the result, both from -1 to 1.
    pub value_error: f64,
}

impl SelfPlayStatistics {
    /// Adds the counts of another group.
    pub fn merge(&mut self, other: &SelfPlayStatistics) {
        self.evaluations += other.evaluations;
        self.cache_hits += other.cache_hits;
        self.games += other.games;
        self.red_wins += other.red_wins;
        self.black_wins += other.black_wins;
        self.draws += other.draws;
        self.forks += other.forks;
        self.endgames += other.endgames;
        self.resigned += other.resigned;
        self.resign_checked += other.resign_checked;
        self.resign_wrong += other.resign_wrong;
        self.turns += other.turns;
        self.steps += other.steps;
        self.samples += other.samples;
        self.policy_entropy += other.policy_entropy;
        self.value_error += other.value_error;
    }

    /// Counts a finished game.
    pub(super) fn count_game(&mut self, game: &FinishedGame) {
        self.games += 1;
        *match game.outcome.winner {
            Some(Side::Red) => &mut self.red_wins,
            Some(Side::Black) => &mut self.black_wins,
            None => &mut self.draws,
        } += 1;
        self.forks += u64::from(game.origin == Origin::Fork);
        self.endgames += u64::from(game.origin == Origin::Endgame);
        self.count_resignation(game);
        self.turns += u64::from(game.turns);
        self.steps += game.records.len() as u64;
        for record in game.records.iter().filter(|record| record.is_sample()) {
            self.samples += 1;
            self.count_decision(&record.decision, game.outcome.winner);
        }
    }

    fn count_resignation(&mut self, game: &FinishedGame) {
        match game.gave_up {
            Some(_) if game.is_resigned() => self.resigned += 1,
            Some(side) => {
                self.resign_checked += 1;
                self.resign_wrong += u64::from(game.outcome.winner != Some(side.other()));
            }
            None => {}
        }
    }

    fn count_decision(&mut self, decision: &Decision, winner: Option<Side>) {
        let entropy = |&share: &f32| if share > 0.0 { -f64::from(share) * f64::from(share).ln() } else { 0.0 };
        self.policy_entropy += decision.policy.iter().map(entropy).sum::<f64>();
        let result = winner.map_or(0.0, |winner| if winner == decision.side { 1.0 } else { -1.0 });
        if let (Choice::Search, Some(root)) = (decision.choice, decision.root) {
            self.value_error += (f64::from(root.score()) - result).powi(2);
        }
    }
}
