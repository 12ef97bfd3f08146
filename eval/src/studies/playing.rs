//! Games in which one agent plays both sides, each with its own random numbers.

use heng_env::{Action, Notation, Outcome, Rng, Seeds, Side, Variant};
use heng_mcts::value::RedValue;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::budget::Budget;
use crate::agent::{Agent, AgentError, Forfeit, LoadedAgent, Opinion, Request};
use crate::interrupt::Interrupt;

/// Steps among which an exploring agent draws.
const CANDIDATES: usize = 8;

/// How much worse a step may look, of results from -1 to 1, to be drawn e times less often, where an agent does not count visits.
/// About half a typical piece for `alphabeta:D`.
const SCORE_TEMPERATURE: f32 = 0.05;

/// The one game that a player follows.
const SLOT: usize = 0;

/// An agent that plays both sides, for one thread.
pub(crate) struct Player<G> {
    agent: Box<dyn Agent<G>>,
    stop: Interrupt,
}

/// Something that came to an end; `None` if a stop was asked for before.
pub(crate) type Ended<T> = Option<Result<T, Forfeit>>;

/// A game as studies keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayedGame {
    /// 2 if red won, 1 for a draw, 0 if black won.
    pub(crate) red_half_points: u8,
    /// Why the game ended.
    pub(crate) reason: String,
    /// Turns of both sides in the playing phase.
    pub(crate) turns: usize,
    /// Points of red and of black.
    pub(crate) points: [u8; 2],
}

impl PlayedGame {
    /// The result for red, from -1 to 1.
    pub(crate) fn red_result(&self) -> f64 {
        f64::from(self.red_half_points) - 1.0
    }

    /// What is wrong with a game that was read, if anything is.
    pub(crate) fn problem(&self) -> Option<String> {
        let points = self.red_half_points;
        (points > 2).then(|| format!("a game has {points} half points of red, expected 0 to 2"))
    }

    fn of<G: Notation>(position: &G, outcome: Outcome, turns_before: usize) -> PlayedGame {
        let red_half_points = match outcome.winner {
            Some(Side::Red) => 2,
            None => 1,
            Some(Side::Black) => 0,
        };
        let turns = position.turns_played() - turns_before;
        PlayedGame { red_half_points, reason: outcome.reason.name().to_owned(), turns, points: points_of(position) }
    }
}

/// The points of both sides, the fourth field of a position text: `2-1`.
fn points_of<G: Notation>(position: &G) -> [u8; 2] {
    let fen = position.fen();
    let score = fen.split(' ').nth(3).and_then(|score| score.split_once('-'));
    score.map_or([0, 0], |(red, black)| [red, black].map(|points| points.parse().unwrap_or_default()))
}

impl<G: Notation> Player<G> {
    /// `agent` as a player of `variant`.
    ///
    /// # Errors
    /// If it cannot play the variant.
    pub(crate) fn new(
        agent: &LoadedAgent,
        variant: &Variant,
        rules: &G::Rules,
        seed: u64,
        stop: &Interrupt,
    ) -> Result<Player<G>, AgentError> {
        Ok(Player { agent: agent.player(variant, rules, Seeds::new(seed))?, stop: stop.clone() })
    }

    /// The same agent for another thread.
    pub(crate) fn fresh(&self) -> Player<G> {
        Player { agent: self.agent.fresh(), stop: self.stop.clone() }
    }

    /// A game begins at `start`.
    pub(crate) fn begin(&mut self, start: &G) {
        self.agent.begin(SLOT);
        self.agent.set_out(SLOT, start, &[]);
    }

    /// What the agent expects of a position for red, from -1 to 1, and nothing if it has no opinion. It looks at it as if it had never seen
    /// another one.
    pub(crate) fn red_value(&mut self, position: &G, budget: Budget, rng: &mut Rng) -> Ended<Option<f64>> {
        self.begin(position);
        let side = position.side_to_act();
        let opinion = self.think(position, budget, 1, rng)?;
        let value = |score| f64::from(RedValue::from_side(score, side).for_side(Side::Red));
        Some(opinion.map(|opinion| opinion.score.map(value)))
    }

    /// The next step of the game that has begun, which is played. An exploring agent draws among its best steps: by visits where it
    /// counts them, otherwise by how good they look.
    pub(crate) fn play_step(
        &mut self,
        position: &mut G,
        budget: Budget,
        explores: bool,
        rng: &mut Rng,
    ) -> Ended<Action> {
        let opinion = match self.think(position, budget, if explores { CANDIDATES } else { 1 }, rng)? {
            Ok(opinion) => opinion,
            Err(forfeit) => return Some(Err(forfeit)),
        };
        let action = if explores { drawn(&opinion, rng) } else { first(&opinion) };
        let Some(action) = action else { return Some(Err(Forfeit::NoAnswer("no step".to_owned()))) };
        self.follow(position, action);
        Some(Ok(action))
    }

    /// Plays a step that is not the agent's own.
    pub(crate) fn follow(&mut self, position: &mut G, action: Action) {
        position.apply(action);
        self.agent.played(SLOT, action);
    }

    /// Plays from `start` to the end; in the first turns the agent explores.
    pub(crate) fn play_out(
        &mut self,
        start: &G,
        budget: Budget,
        explored_turns: usize,
        rng: &mut Rng,
    ) -> Ended<PlayedGame> {
        self.begin(start);
        let mut position = start.clone();
        let turns_before = start.turns_played();
        loop {
            if let Some(outcome) = position.outcome() {
                return Some(Ok(PlayedGame::of(&position, outcome, turns_before)));
            }
            let explores = position.turns_played() - turns_before < explored_turns;
            if let Err(forfeit) = self.play_step(&mut position, budget, explores, rng)? {
                return Some(Err(forfeit));
            }
        }
    }

    fn think(&mut self, position: &G, budget: Budget, lines: usize, rng: &mut Rng) -> Ended<Opinion> {
        let mut request = Request { slot: SLOT, position, rng };
        let opinion = self.agent.think(&mut request, &budget.thinking(lines, &self.stop), &mut |_| {});
        // What was broken off is no opinion.
        (!self.stop.is_requested()).then_some(opinion)
    }
}

fn first(opinion: &Opinion) -> Option<Action> {
    opinion.lines.first().and_then(|line| line.steps.first()).copied()
}

/// A step drawn among those of `opinion`.
fn drawn(opinion: &Opinion, rng: &mut Rng) -> Option<Action> {
    let best = opinion.lines.iter().filter_map(|line| line.score).fold(f32::NEG_INFINITY, f32::max);
    let counts_visits = opinion.lines.iter().any(|line| line.visits.is_some_and(|visits| visits > 0));
    let weight = |line: &crate::agent::Line| match (counts_visits, line.score) {
        (true, _) => line.visits.unwrap_or_default() as f32,
        (false, Some(score)) => ((score - best) / SCORE_TEMPERATURE).exp(),
        (false, None) => 0.0,
    };
    let weights: Vec<f32> = opinion.lines.iter().map(weight).collect();
    let mut left = rng.random::<f32>() * weights.iter().sum::<f32>();
    let chosen = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    let line = chosen.map_or(opinion.lines.first(), |index| opinion.lines.get(index));
    line.and_then(|line| line.steps.first()).copied()
}

#[cfg(test)]
mod tests {
    use heng_env::Purpose;

    use super::*;
    use crate::agent::Line;

    fn opinion(lines: &[(usize, Option<u32>, Option<f32>)]) -> Opinion {
        let line = |&(step, visits, score): &(usize, Option<u32>, Option<f32>)| Line {
            steps: vec![Action::new(step)],
            visits,
            score,
            ..Line::default()
        };
        Opinion { lines: lines.iter().map(line).collect(), ..Opinion::default() }
    }

    fn shares(opinion: &Opinion) -> [f32; 2] {
        let mut rng = Seeds::new(1).stream(Purpose::Test, 0);
        let mut counts = [0; 2];
        (0..4000).for_each(|_| counts[drawn(opinion, &mut rng).unwrap().index()] += 1);
        counts.map(|count| count as f32 / 4000.0)
    }

    #[test]
    fn an_exploring_agent_draws_by_visits_or_else_by_how_good_steps_look() {
        for (lines, first) in [
            ([(0, Some(30), Some(0.0)), (1, Some(10), Some(0.9))], 0.75),
            ([(0, None, Some(0.1)), (1, None, Some(0.1))], 0.5),
            ([(0, None, Some(0.1)), (1, None, Some(0.05))], 0.731),
            ([(0, None, None), (1, None, None)], 1.0),
        ] {
            let found = shares(&opinion(&lines));
            assert!((found[0] - first).abs() < 0.03, "{lines:?} {found:?}");
        }
        assert_eq!(drawn(&Opinion::default(), &mut Seeds::new(1).stream(Purpose::Test, 0)), None);
    }
}
