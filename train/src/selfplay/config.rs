//! The `[selfplay]` section of a configuration.

use serde::{Deserialize, Serialize};

use crate::InvalidKey;

/// `[selfplay]`: how games are played for learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlayConfig {
    /// Groups of games. The games of a group share batches of the network; groups run in parallel.
    pub groups: usize,
    /// Games that each group plays at once: with one leaf a game in flight, the largest batch that the network gets.
    pub games_per_group: usize,
    /// Positions evaluated in one iteration, over all groups; what sets the length of an iteration.
    pub evaluations_per_iteration: u64,
    /// Parts of an iteration's self-play after each of which the finished games are saved.
    pub slices: u64,
    /// Evaluations that each group remembers; 0 remembers none.
    pub cache: usize,
    /// Share of the games that open with turns chosen uniformly at random, so that odd positions are learnt too. The
    /// random steps themselves are not learnt from.
    pub random_opening_share: f64,
    /// Most turns, both sides' counted, of such an opening; the number is drawn evenly from 1 to this.
    pub random_opening_turns: usize,
    /// Chance that a random step is one that leaves its side's lead in score or material largest, any of them. Openings
    /// then lead to few pieces and to uneven positions, and games end sooner.
    pub random_opening_greed: f64,
    /// Share of the turns that are searched in full, and learnt from. The others are searched with `fast_simulations` and
    /// without noise, only to play on: games end sooner for the same evaluations, and their results, which the value learns
    /// from, are worth more than a few more policy targets. 1 searches all in full.
    ///
    /// Playout cap randomization: Wu, "Accelerating self-play learning in Go", 2019, section 3.1, with a share of 0.25.
    pub full_search_share: f64,
    /// Simulations for each step of a turn that is not searched in full.
    pub fast_simulations: u32,
    /// Share of the weight of a game's targets that is given to those whose search changed its mind most, in proportion to the
    /// divergence of the target from the network's own policy; the rest is given evenly. 0 weighs all alike.
    ///
    /// Policy surprise weighting: Wu, "Other methods implemented in KataGo", with a share of 0.5
    /// (<https://github.com/lightvector/KataGo/blob/master/docs/KataGoMethods.md>).
    pub surprise_share: f64,
    /// Share of the games that begin at an early position of a game that the group finished lately, with another turn than
    /// was played there, so that more openings are seen than those that the network likes best. Until games have been
    /// finished, also after a stop, all begin at the start.
    ///
    /// Game branching: Wu, "Accelerating self-play learning in Go", 2019, appendix on game randomization; the
    /// configurations of KataGo have it in 4 % of the games (`earlyForkGameProb`). There the network judges some random
    /// moves; here the turn is drawn by the search that was already paid for.
    pub fork_share: f64,
    /// Turns of both sides, from the start of a game, before one of which it is left.
    pub fork_turns: usize,
    /// Share of the games that begin shortly before the end of a game that the group finished lately and that somebody
    /// won, so that results are near when learning begins.
    ///
    /// Reverse curriculum: Florensa et al., "Reverse curriculum generation for reinforcement learning", 2017; Salimans and
    /// Chen, "Learning Montezuma's Revenge from a single demonstration", 2018.
    pub endgame_share: f64,
    /// Most turns, both sides' counted, that were still played from there.
    pub endgame_turns: usize,
    /// Loss less win chance, after the search, from which on a side gives up; 0 for never.
    ///
    /// Silver et al., "Mastering the game of Go without human knowledge", 2017, Methods, where the threshold is chosen so
    /// that fewer than 5 % of the games that are given up would not have been lost.
    pub resign_threshold: f64,
    /// Turns of its own, on end, for which a side has seen that before it gives up.
    pub resign_turns: u32,
    /// Share of the games that are played to the end nevertheless, to count how often giving up would have been wrong.
    pub resign_playthrough_share: f64,
}

impl Default for SelfPlayConfig {
    fn default() -> SelfPlayConfig {
        SelfPlayConfig {
            groups: 4,
            games_per_group: 64,
            evaluations_per_iteration: 400_000,
            slices: 8,
            cache: 50_000,
            random_opening_share: 0.1,
            random_opening_turns: 4,
            random_opening_greed: 0.0,
            full_search_share: 1.0,
            fast_simulations: 16,
            surprise_share: 0.0,
            fork_share: 0.0,
            fork_turns: 8,
            endgame_share: 0.0,
            endgame_turns: 8,
            resign_threshold: 0.0,
            resign_turns: 3,
            resign_playthrough_share: 0.1,
        }
    }
}

/// Games at once that the memory of an ordinary computer holds, with their trees.
const GAMES_MAX: usize = 65_536;

/// Share of the games that may begin in others: those that begin at the start give them their positions.
const REPLAYED_SHARE_MAX: f64 = 0.9;

impl SelfPlayConfig {
    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        InvalidKey::check_range("groups", self.groups as f64, 1.0, GAMES_MAX as f64)?;
        InvalidKey::check_range("games_per_group", self.games_per_group as f64, 1.0, GAMES_MAX as f64)?;
        let games = self.groups * self.games_per_group;
        if games > GAMES_MAX {
            let problem = format!("makes {games} games at once with {} groups, at most {GAMES_MAX} fit", self.groups);
            return Err(InvalidKey::new("games_per_group", problem));
        }
        InvalidKey::check_range("slices", self.slices as f64, 1.0, 100.0)?;
        if self.evaluations_per_iteration == 0 {
            return Err(InvalidKey::new("evaluations_per_iteration", "must be at least 1, found 0"));
        }
        InvalidKey::check_range("random_opening_share", self.random_opening_share, 0.0, 1.0)?;
        InvalidKey::check_range("random_opening_greed", self.random_opening_greed, 0.0, 1.0)?;
        InvalidKey::check_range("full_search_share", self.full_search_share, 0.01, 1.0)?;
        InvalidKey::check_range("fast_simulations", f64::from(self.fast_simulations), 1.0, 1_000_000.0)?;
        InvalidKey::check_range("surprise_share", self.surprise_share, 0.0, 1.0)?;
        if self.random_opening_share > 0.0 && self.random_opening_turns == 0 {
            let problem = "must be at least 1 where random_opening_share is above 0, found 0";
            return Err(InvalidKey::new("random_opening_turns", problem));
        }
        self.validate_starts()?;
        InvalidKey::check_range("resign_threshold", self.resign_threshold, 0.0, 1.0)?;
        InvalidKey::check_range("resign_turns", f64::from(self.resign_turns), 1.0, 1_000.0)?;
        InvalidKey::check_range("resign_playthrough_share", self.resign_playthrough_share, 0.0, 1.0)
    }

    fn validate_starts(&self) -> Result<(), InvalidKey> {
        InvalidKey::check_range("fork_share", self.fork_share, 0.0, REPLAYED_SHARE_MAX)?;
        InvalidKey::check_range("fork_turns", self.fork_turns as f64, 1.0, 1_000.0)?;
        InvalidKey::check_range("endgame_share", self.endgame_share, 0.0, REPLAYED_SHARE_MAX)?;
        InvalidKey::check_range("endgame_turns", self.endgame_turns as f64, 1.0, 1_000.0)?;
        let sum = self.fork_share + self.endgame_share;
        if sum > REPLAYED_SHARE_MAX {
            let problem = format!("and fork_share must be at most {REPLAYED_SHARE_MAX} together, found {sum}");
            return Err(InvalidKey::new("endgame_share", problem));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_values_are_reported_by_key() {
        let default = SelfPlayConfig::default();
        default.validate().unwrap();
        let wrong = [
            ("groups", SelfPlayConfig { groups: 0, ..default.clone() }),
            ("games_per_group", SelfPlayConfig { games_per_group: 0, ..default.clone() }),
            ("groups", SelfPlayConfig { groups: usize::MAX, ..default.clone() }),
            ("games_per_group", SelfPlayConfig { groups: 5_000, games_per_group: 5_000, ..default.clone() }),
            ("evaluations_per_iteration", SelfPlayConfig { evaluations_per_iteration: 0, ..default.clone() }),
            ("slices", SelfPlayConfig { slices: 0, ..default.clone() }),
            ("random_opening_share", SelfPlayConfig { random_opening_share: -0.1, ..default.clone() }),
            ("random_opening_greed", SelfPlayConfig { random_opening_greed: 1.5, ..default.clone() }),
            ("full_search_share", SelfPlayConfig { full_search_share: 0.0, ..default.clone() }),
            ("fast_simulations", SelfPlayConfig { fast_simulations: 0, ..default.clone() }),
            ("surprise_share", SelfPlayConfig { surprise_share: 1.5, ..default.clone() }),
            ("random_opening_turns", SelfPlayConfig { random_opening_turns: 0, ..default.clone() }),
            ("fork_share", SelfPlayConfig { fork_share: 1.0, ..default.clone() }),
            ("fork_turns", SelfPlayConfig { fork_turns: 0, ..default.clone() }),
            ("endgame_share", SelfPlayConfig { endgame_share: f64::NAN, ..default.clone() }),
            ("endgame_share", SelfPlayConfig { fork_share: 0.5, endgame_share: 0.5, ..default.clone() }),
            ("endgame_turns", SelfPlayConfig { endgame_turns: 0, ..default.clone() }),
            ("resign_threshold", SelfPlayConfig { resign_threshold: 1.5, ..default.clone() }),
            ("resign_turns", SelfPlayConfig { resign_turns: 0, ..default.clone() }),
            ("resign_playthrough_share", SelfPlayConfig { resign_playthrough_share: -0.1, ..default.clone() }),
        ];
        for (key, config) in wrong {
            assert_eq!(config.validate().unwrap_err().key, key);
        }
    }
}
