//! Everything about a search that a person can set.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How a step is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Gumbel AlphaZero: sequential halving at the root (Danihelka et al. 2022).
    #[default]
    Gumbel,
    /// AlphaZero's PUCT with first-play urgency and Dirichlet noise (Silver et al. 2018).
    Puct,
    /// No tree: the priors of one evaluation of the root.
    Policy,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: [Algorithm; 3] = [Algorithm::Gumbel, Algorithm::Puct, Algorithm::Policy];

    /// The word it is written as.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Gumbel => "gumbel",
            Algorithm::Puct => "puct",
            Algorithm::Policy => "policy",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The name of an algorithm that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown search `{0}`, expected gumbel, puct or policy")]
pub struct UnknownAlgorithm(pub String);

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Algorithm, UnknownAlgorithm> {
        Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == text)
            .ok_or_else(|| UnknownAlgorithm(text.to_owned()))
    }
}

/// A setting that makes no sense.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("search setting `{key}` is {value}, expected {expected}")]
pub struct SearchConfigError {
    /// The setting, with its section.
    pub key: &'static str,
    /// What it was set to.
    pub value: f64,
    /// What makes sense.
    pub expected: &'static str,
}

/// Settings of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// How a step is chosen.
    pub algorithm: Algorithm,
    /// New simulations for each step that is not forced; those in a kept subtree come on top.
    pub simulations: u32,
    /// Noise at the root and temperature, as self-play needs them; matches switch them off.
    pub explore: bool,
    /// Whether a position in which a step wins the game at once counts as won without an evaluation, where the variant finds such
    /// steps by itself ([`Game::winning_actions`](heng_env::Game::winning_actions)): a search of few simulations then overlooks none.
    pub immediate_wins: bool,
    /// Whether a step after which the other side could win the game at once counts as lost without an evaluation, where the variant
    /// finds such steps by itself ([`Game::losing_actions`](heng_env::Game::losing_actions)): simulations go to the others.
    pub immediate_losses: bool,
    /// Leaves of one tree that may be out for evaluation at once. With 1 the tree is the one of a sequential search.
    pub leaves_in_flight: u32,
    /// Settings of the algorithm `gumbel`.
    pub gumbel: GumbelConfig,
    /// Settings of the algorithm `puct`.
    pub puct: PuctConfig,
}

impl Default for SearchConfig {
    fn default() -> SearchConfig {
        SearchConfig {
            algorithm: Algorithm::Gumbel,
            simulations: 64,
            explore: true,
            immediate_wins: true,
            immediate_losses: true,
            leaves_in_flight: 1,
            gumbel: GumbelConfig::default(),
            puct: PuctConfig::default(),
        }
    }
}

impl SearchConfig {
    /// The same search as matches use it: no noise, no temperature, the best step every time.
    pub fn without_exploration(self) -> SearchConfig {
        SearchConfig { explore: false, ..self }
    }

    /// The search of an agent with a network in matches, studies and analyses: `simulations` a step, no noise, and fewer steps
    /// considered at the root where there are few simulations to compare them with. The eighth was measured at 64 simulations
    /// (`docs/learning.md`); the upper end is the paper's 16.
    pub fn for_matches(algorithm: Algorithm, simulations: u32) -> SearchConfig {
        let considered = (simulations / 8).clamp(4, GumbelConfig::default().considered);
        let gumbel = GumbelConfig { considered, ..GumbelConfig::default() };
        SearchConfig { algorithm, simulations, gumbel, ..SearchConfig::default() }.without_exploration()
    }

    /// The search of the `rollout:N` agents, to be driven with a [`RolloutEvaluator`](crate::evaluator::RolloutEvaluator):
    /// `simulations` of them a step, each of which ends in one random playout.
    pub fn for_rollouts(simulations: u32) -> SearchConfig {
        let plain = SearchConfig { immediate_wins: false, immediate_losses: false, ..SearchConfig::default() };
        SearchConfig { simulations, algorithm: Algorithm::Puct, ..plain }.without_exploration()
    }

    /// The temperature for choosing a step after `turns_played` turns (never steps: a turn has several); 0 means the
    /// best step. Gumbel search explores with its noise instead and always has 0.
    pub fn temperature(&self, turns_played: usize) -> f32 {
        match self.algorithm {
            _ if !self.explore => 0.0,
            Algorithm::Gumbel => 0.0,
            Algorithm::Puct | Algorithm::Policy => self.puct.temperature_at(turns_played),
        }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// The first setting that makes no sense.
    pub fn validate(&self) -> Result<(), SearchConfigError> {
        let positive = |value: f32| value.is_finite() && value > 0.0;
        let not_negative = |value: f32| value.is_finite() && value >= 0.0;
        let (gumbel, puct) = (&self.gumbel, &self.puct);
        let rules: [(&'static str, f64, bool, &'static str); 14] = [
            ("simulations", self.simulations.into(), self.simulations > 0, "at least 1"),
            ("leaves_in_flight", self.leaves_in_flight.into(), self.leaves_in_flight > 0, "at least 1"),
            ("gumbel.considered", gumbel.considered.into(), gumbel.considered > 0, "at least 1"),
            ("gumbel.visit_offset", gumbel.visit_offset.into(), not_negative(gumbel.visit_offset), "0 or more"),
            ("gumbel.value_scale", gumbel.value_scale.into(), positive(gumbel.value_scale), "more than 0"),
            ("puct.exploration", puct.exploration.into(), positive(puct.exploration), "more than 0"),
            ("puct.exploration_base", puct.exploration_base.into(), positive(puct.exploration_base), "more than 0"),
            (
                "puct.first_play_reduction",
                puct.first_play_reduction.into(),
                not_negative(puct.first_play_reduction),
                "0 or more",
            ),
            ("puct.noise_total", puct.noise_total.into(), positive(puct.noise_total), "more than 0"),
            (
                "puct.noise_fraction",
                puct.noise_fraction.into(),
                (0.0..=1.0).contains(&puct.noise_fraction),
                "between 0 and 1",
            ),
            ("puct.forced_playouts", puct.forced_playouts.into(), not_negative(puct.forced_playouts), "0 or more"),
            ("puct.temperature", puct.temperature.into(), not_negative(puct.temperature), "0 or more"),
            (
                "puct.final_temperature",
                puct.final_temperature.into(),
                not_negative(puct.final_temperature),
                "0 or more",
            ),
            ("puct.temperature_turns", puct.temperature_turns.into(), true, "0 or more"),
        ];
        match rules.into_iter().find(|&(_, _, holds, _)| !holds) {
            Some((key, value, _, expected)) => Err(SearchConfigError { key, value, expected }),
            None => Ok(()),
        }
    }
}

/// Settings of Gumbel AlphaZero; the names in brackets are those of the paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelConfig {
    /// Actions of the root that sequential halving starts with (m).
    pub considered: u32,
    /// Added to the visits of the most visited action in the scale of the values (c_visit).
    pub visit_offset: f32,
    /// Scale of the values, which run from 0 for a loss to 1 for a win, against the logits (c_scale).
    pub value_scale: f32,
}

impl Default for GumbelConfig {
    fn default() -> GumbelConfig {
        GumbelConfig { considered: 16, visit_offset: 50.0, value_scale: 1.0 }
    }
}

/// Settings of PUCT. Values run from -1 for a loss to 1 for a win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PuctConfig {
    /// Weight of the priors against the values in a node with few visits.
    pub exploration: f32,
    /// Visits after which that weight begins to grow, by a logarithm.
    pub exploration_base: f32,
    /// An action without a visit counts as its node's value less this, times the root of the visited priors' sum.
    pub first_play_reduction: f32,
    /// Sum of the parameters of the Dirichlet noise at the root; each action gets its share of it.
    pub noise_total: f32,
    /// Share of the noise in the root's priors.
    pub noise_fraction: f32,
    /// k in the least number of visits, √(k · prior · visits of all actions), of an action of a root with noise that was tried
    /// at all. Visits that only this has brought are taken out of the policy again, which is learnt from and drawn from. 0
    /// forces none.
    ///
    /// Forced playouts and policy target pruning: Wu, "Accelerating self-play learning in Go", 2019, section 3.2, with k = 2.
    pub forced_playouts: f32,
    /// Temperature of the steps of the first turns.
    pub temperature: f32,
    /// Turns (both sides') over which the temperature falls, linearly.
    pub temperature_turns: u32,
    /// Temperature from then on; 0 chooses the best step.
    pub final_temperature: f32,
}

impl Default for PuctConfig {
    fn default() -> PuctConfig {
        PuctConfig {
            exploration: 1.25,
            exploration_base: 19_652.0,
            first_play_reduction: 0.25,
            noise_total: 10.0,
            noise_fraction: 0.25,
            forced_playouts: 0.0,
            temperature: 1.0,
            temperature_turns: 20,
            final_temperature: 0.1,
        }
    }
}

impl PuctConfig {
    fn temperature_at(&self, turns_played: usize) -> f32 {
        let passed = if self.temperature_turns == 0 {
            1.0
        } else {
            (turns_played as f32 / self.temperature_turns as f32).min(1.0)
        };
        self.temperature + (self.final_temperature - self.temperature) * passed
    }
}
