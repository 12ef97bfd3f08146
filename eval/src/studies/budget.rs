//! How long an agent looks at each position of a study.

use std::fmt;
use std::time::Duration;

use heng_env::Side;
use serde::{Deserialize, Serialize};

use crate::agent::{AgentSpec, Thinking, ThinkingLimits};
use crate::interrupt::Interrupt;

/// Simulations of a search where neither `--sims` nor the agent says how many.
const SIMULATIONS: u64 = 256;

/// How much smaller the second budget is, by which one sees how far values depend on it.
const SECOND_SHARE: u64 = 4;

/// The effort of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Budget {
    /// Simulations, or whatever the agent counts.
    Simulations(u64),
    /// Turns to look ahead.
    Turns(u32),
}

impl Budget {
    /// What was asked for; otherwise what the agent does by itself.
    pub(crate) fn of(agent: &AgentSpec, simulations: Option<u64>) -> Budget {
        match (simulations, agent) {
            (Some(simulations), _) => Budget::Simulations(simulations),
            (None, AgentSpec::AlphaBeta { depth }) => Budget::Turns(*depth),
            (None, AgentSpec::Rollout { playouts }) => Budget::Simulations(u64::from(*playouts)),
            (None, AgentSpec::Run { search, .. } | AgentSpec::Net { search, .. }) => {
                Budget::Simulations(search.simulations.map_or(SIMULATIONS, u64::from))
            }
            (None, _) => Budget::Simulations(SIMULATIONS),
        }
    }

    /// Another budget for the same positions: a quarter of the simulations, or a turn less; a turn more where there is no less.
    pub(crate) fn second(self) -> Budget {
        match self {
            Budget::Simulations(simulations) => Budget::Simulations((simulations / SECOND_SHARE).max(1)),
            Budget::Turns(1) => Budget::Turns(2),
            Budget::Turns(turns) => Budget::Turns(turns - 1),
        }
    }

    /// A search within this budget that reports so many of the best steps.
    pub(crate) fn thinking(self, lines: usize, stop: &Interrupt) -> Thinking {
        let limits = match self {
            Budget::Simulations(nodes) => ThinkingLimits { nodes: Some(nodes), ..ThinkingLimits::default() },
            Budget::Turns(depth) => ThinkingLimits { depth: Some(depth), ..ThinkingLimits::default() },
        };
        thinking(limits, lines, stop)
    }

    /// A search within the agent's own limits that reports so many of the best steps.
    pub(crate) fn own_thinking(lines: usize, stop: &Interrupt) -> Thinking {
        thinking(ThinkingLimits::default(), lines, stop)
    }
}

fn thinking(limits: ThinkingLimits, lines: usize, stop: &Interrupt) -> Thinking {
    // No limit here is one of time, so that it does not matter whose clock it would be.
    Thinking { lines, ..Thinking::begin(limits, Side::Red.index(), Duration::ZERO, stop.clone()) }
}

impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Simulations(1) => write!(out, "1 simulation"),
            Budget::Simulations(simulations) => write!(out, "{simulations} simulations"),
            Budget::Turns(1) => write!(out, "1 turn"),
            Budget::Turns(turns) => write!(out, "{turns} turns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_those_of_the_agent_unless_asked_for_and_the_second_one_differs() {
        for (agent, simulations, first, second) in [
            ("alphabeta:3", None, Budget::Turns(3), Budget::Turns(2)),
            ("alphabeta:1", None, Budget::Turns(1), Budget::Turns(2)),
            ("alphabeta:3", Some(900), Budget::Simulations(900), Budget::Simulations(225)),
            ("rollout:40", None, Budget::Simulations(40), Budget::Simulations(10)),
            ("runs/a", None, Budget::Simulations(256), Budget::Simulations(64)),
            ("runs/a?sims=3", None, Budget::Simulations(3), Budget::Simulations(1)),
        ] {
            let budget = Budget::of(&agent.parse().unwrap(), simulations);
            assert_eq!((budget, budget.second()), (first, second), "{agent}");
        }
    }
}
