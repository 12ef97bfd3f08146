//! An agent that is asked about positions, each for itself.

use std::time::Duration;

use heng_env::{Action, Notation, Purpose, Rng, Seeds, Variant};

use super::AnalyzeError;
use crate::agent::{Agent, LoadedAgent, Opinion, Request, Thinking, ThinkingLimits};
use crate::interrupt::Interrupt;

/// The one game that the agent follows.
const SLOT: usize = 0;

/// How an agent thinks, whatever it thinks about.
#[derive(Clone, Debug)]
pub(super) struct Effort {
    pub(super) limits: ThinkingLimits,
    pub(super) threads: usize,
    pub(super) seed: u64,
    pub(super) stop: Interrupt,
}

/// An agent that gives its opinion. It remembers nothing from one position to the next, so that no opinion depends on those before it.
pub(super) struct Analyst<G> {
    agent: Box<dyn Agent<G>>,
    name: String,
    effort: Effort,
}

impl<G: Notation> Analyst<G> {
    /// The agent as a player of `variant`.
    pub(super) fn new(
        agent: &LoadedAgent,
        variant: &Variant,
        rules: &G::Rules,
        effort: Effort,
    ) -> Result<Analyst<G>, AnalyzeError> {
        let player = agent.player(variant, rules, Seeds::new(effort.seed))?;
        Ok(Analyst { agent: player, name: agent.spec().to_string(), effort })
    }

    /// Whether somebody has asked for an end.
    pub(super) fn is_stopped(&self) -> bool {
        self.effort.stop.is_requested()
    }

    /// The opinion on a position that is not finished, with so many of its best steps. `report` is told how far it is.
    pub(super) fn opinion(
        &mut self,
        position: &G,
        lines: usize,
        report: &mut dyn FnMut(&Opinion),
    ) -> Result<Opinion, AnalyzeError> {
        let (mut thinking, mut rng) = self.begin(position, 0);
        thinking.lines = lines;
        self.think(position, &thinking, &mut rng, report)
    }

    /// The opinion on one step alone. The number chooses the random numbers.
    pub(super) fn opinion_of_step(&mut self, position: &G, step: Action, number: u64) -> Result<Opinion, AnalyzeError> {
        let (mut thinking, mut rng) = self.begin(position, number);
        thinking.among = Some(vec![step]);
        self.think(position, &thinking, &mut rng, &mut |_| {})
    }

    /// The opinion with its best turn, to the turn's end; no turn if nothing is known. The number chooses the random numbers.
    pub(super) fn best_turn(&mut self, position: &G, number: u64) -> Result<(Opinion, Vec<Action>), AnalyzeError> {
        let (thinking, mut rng) = self.begin(position, number);
        let opinion = self.think(position, &thinking, &mut rng, &mut |_| {})?;
        let (mut position, mut turn) = (position.clone(), Vec::new());
        let mut line = opinion.lines.first().map(|line| line.steps.clone()).unwrap_or_default();
        while !line.is_empty() {
            for action in line {
                self.agent.played(SLOT, action);
                position.apply(action);
                turn.push(action);
                if position.at_turn_start() || position.outcome().is_some() {
                    return Ok((opinion, turn));
                }
            }
            // What is expected does not reach the end of the turn: the agent goes on as if it played.
            let next = self.think(&position, &thinking, &mut rng, &mut |_| {})?;
            line = next.lines.into_iter().next().map(|line| line.steps).unwrap_or_default();
        }
        Ok((opinion, turn))
    }

    fn begin(&mut self, position: &G, number: u64) -> (Thinking, Rng) {
        self.agent.begin(SLOT);
        let Effort { limits, threads, seed, stop } = &self.effort;
        let mut thinking = Thinking::begin(*limits, position.side_to_act().index(), Duration::ZERO, stop.clone());
        thinking.threads = *threads;
        (thinking, Seeds::new(*seed).stream(Purpose::Match, number))
    }

    fn think(
        &mut self,
        position: &G,
        thinking: &Thinking,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Opinion),
    ) -> Result<Opinion, AnalyzeError> {
        let mut request = Request { slot: SLOT, position, rng };
        let opinion = self.agent.think(&mut request, thinking, report);
        opinion.map_err(|forfeit| AnalyzeError::Forfeit { agent: self.name.clone(), forfeit })
    }
}
