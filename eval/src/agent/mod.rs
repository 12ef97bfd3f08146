//! Whatever can choose a step: at random, by search, by hand.
//!
//! An agent plays many games at once, so that the positions its searches ask about are evaluated in one batch.

mod alphabeta;
mod engine;
mod load;
mod pursuit;
mod random;
mod search;
mod spec;
mod thinking;

use heng_env::{Action, Game, Rng};

pub use alphabeta::AlphaBetaAgent;
pub use engine::EngineAgent;
pub use load::{AgentError, AgentProblem, LoadedAgent, complete_nets};
pub use random::RandomAgent;
pub use search::{OwnEvaluator, SearchAgent};
pub use spec::{AgentSpec, AgentSpecError, FORMS, HELP, SearchOptions};
pub use thinking::{Clock, Distance, Forfeit, Limits as ThinkingLimits, Line, Opinion, Thinking, Time, Verdict};

/// A game that waits for a step of the agent.
pub struct Request<'a, G> {
    /// Which of the agent's games it is; the same from [`Agent::begin`] to the end of the game.
    pub slot: usize,
    /// The position, which is not finished.
    pub position: &'a G,
    /// The agent's own random numbers for this game.
    pub rng: &'a mut Rng,
}

/// A step that an agent has chosen, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The step.
    pub action: Action,
    /// What the agent expects for the side to act, from -1 (loses) to 1 (wins); `None` if it has no opinion.
    pub score: Option<f32>,
    /// The steps that the agent expects, its own first; empty if it has no opinion.
    pub line: Vec<Action>,
}

impl Choice {
    /// A step without an opinion.
    pub fn only(action: Action) -> Choice {
        Choice { action, score: None, line: Vec::new() }
    }
}

impl From<Opinion> for Choice {
    /// The first step of the best line.
    fn from(opinion: Opinion) -> Choice {
        let line = opinion.lines.into_iter().next().map(|line| line.steps).unwrap_or_default();
        Choice { action: line[0], score: opinion.score, line }
    }
}

/// What an agent answers: a step, or why it loses the game.
pub type Decision<T> = Result<T, Forfeit>;

/// A player of many games at once.
///
/// A choice may depend on the game itself, on what [`Agent::played`] has told of it, and on the request's random
/// numbers: never on the other games of a batch or on earlier games, or a match could not be repeated with another
/// number of threads.
pub trait Agent<G: Game>: Send {
    /// A game begins in `slot`: forgets what was there before.
    fn begin(&mut self, slot: usize);

    /// Tells an agent that cares how the game of `slot` came to its present position: `steps` were played from `start`.
    fn set_out(&mut self, slot: usize, start: &G, steps: &[Action]) {
        let _ = (slot, start, steps);
    }

    /// How many requests the agent likes to get at once: 1 unless it gains by answering them together.
    fn batch_size(&self) -> usize {
        1
    }

    /// Whether the agent can only follow one game at a time, as a program of others does.
    fn is_single(&self) -> bool {
        false
    }

    /// Chooses a legal step for each request, in the same order, within the agent's own limits.
    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Decision<Choice>>;

    /// Thinks about one position within the limits of `thinking`, and tells `report` now and then how far it is. The first step
    /// of the first line is the agent's choice.
    ///
    /// # Errors
    /// If the agent gives the game up, one way or the other.
    fn think(
        &mut self,
        request: &mut Request<'_, G>,
        thinking: &Thinking,
        report: &mut dyn FnMut(&Opinion),
    ) -> Decision<Opinion>;

    /// Tells that `action` was played in the game of `slot`, by whichever side.
    fn played(&mut self, slot: usize, action: Action);

    /// The same agent with no games, for another thread. What is costly to load is shared.
    fn fresh(&self) -> Box<dyn Agent<G>>;
}
