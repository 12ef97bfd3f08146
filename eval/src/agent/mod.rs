//! Whatever can choose a step: at random, by search, by hand.
//!
//! An agent plays many games at once, so that the positions its searches ask about are evaluated in one batch.

mod alphabeta;
mod load;
mod random;
mod search;
mod spec;

use heng_env::{Action, Game, Rng};

pub use alphabeta::{AlphaBeta, AlphaBetaAgent, Found, Limits, Proof, Score};
pub use load::{AgentError, AgentProblem, LoadedAgent};
pub use random::RandomAgent;
pub use search::{OwnEvaluator, SearchAgent};
pub use spec::{AgentSpec, AgentSpecError, FORMS, HELP, SearchOptions};

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

/// A player of many games at once.
///
/// A choice may depend on the game itself, on what [`Agent::played`] has told of it, and on the request's random
/// numbers: never on the other games of a batch or on earlier games, or a match could not be repeated with another
/// number of threads.
pub trait Agent<G: Game>: Send {
    /// A game begins in `slot`: forgets what was there before.
    fn begin(&mut self, slot: usize);

    /// How many requests the agent likes to get at once: 1 unless it gains by answering them together.
    fn batch_size(&self) -> usize {
        1
    }

    /// Chooses a legal step for each request, in the same order.
    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Choice>;

    /// Tells that `action` was played in the game of `slot`, by whichever side.
    fn played(&mut self, slot: usize, action: Action);

    /// The same agent with no games, for another thread. What is costly to load is shared.
    fn fresh(&self) -> Box<dyn Agent<G>>;
}
