//! Games of an agent against itself from a set-up.

use heng_env::{Action, Notation, Outcome, Purpose, Rng, Seeds, Side};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, Choice, Decision, Forfeit, Opinion, Request};
use crate::interrupt::Interrupt;
use crate::studies::budget::Budget;

/// The turns of both sides in which steps are drawn among the best: without them all games from a set-up would be the same.
pub(super) const SAMPLED_TURNS: usize = 4;

/// How many of the best steps they are drawn among.
pub(super) const SAMPLED_LINES: usize = 4;

/// How much worse a step may be for its chance to fall to 37 %: a step that is worth `d` less than the best has a chance
/// that is exp(-d / 0.1) times as large.
pub(super) const TEMPERATURE: f64 = 0.1;

/// Streams of random numbers of the games lie far behind those of searches, so many for each set-up.
const FIRST_STREAM: u64 = 1 << 40;
const STREAMS_OF_SET_UP: u64 = 1 << 20;

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Played {
    /// 1 if red won, 0 for a draw, -1 if black won.
    pub(super) red_result: i8,
    /// Why it ended, in the words of matches.
    pub(super) reason: String,
    /// Turns of both sides.
    pub(super) turns: usize,
    /// Its steps as indices.
    pub(super) steps: Vec<usize>,
}

/// A game that is played.
struct Running<G> {
    position: G,
    rng: Rng,
    turns: usize,
    steps: Vec<Action>,
    end: Option<(i8, String)>,
}

impl<G: Notation> Running<G> {
    fn apply(&mut self, action: Action) {
        self.position.apply(action);
        self.steps.push(action);
        let outcome = self.position.outcome();
        self.turns += usize::from(outcome.is_some() || self.position.at_turn_start());
        self.end = outcome.map(|Outcome { winner, reason }| (red_result(winner), reason.name().to_owned()));
    }

    fn give_up(&mut self, forfeit: &Forfeit) {
        self.end = Some((red_result(Some(self.position.side_to_act().other())), forfeit.word().to_owned()));
    }
}

fn red_result(winner: Option<Side>) -> i8 {
    match winner {
        Some(Side::Red) => 1,
        None => 0,
        Some(Side::Black) => -1,
    }
}

/// Plays `count` games from `start`, the set-up with this number, side by side; nothing if a stop was asked for meanwhile.
///
/// Steps of the first turns are drawn, the others are the agent's own within its own limits. No colours are swapped: both players
/// are the same.
pub(super) fn play<G: Notation>(
    agent: &mut dyn Agent<G>,
    start: &G,
    set_up: usize,
    count: usize,
    seeds: Seeds,
    interrupt: &Interrupt,
) -> Option<Vec<Played>> {
    let stream = |game: usize| FIRST_STREAM + set_up as u64 * STREAMS_OF_SET_UP + game as u64;
    let running = |game: usize| Running {
        position: start.clone(),
        rng: seeds.stream(Purpose::Match, stream(game)),
        turns: 0,
        steps: Vec::new(),
        end: None,
    };
    let mut games: Vec<Running<G>> = (0..count).map(running).collect();
    if agent.is_single() {
        // A program of others follows one game at a time.
        for game in &mut games {
            play_together(agent, start, std::slice::from_mut(game), interrupt)?;
        }
    } else {
        play_together(agent, start, &mut games, interrupt)?;
    }
    let played = |game: Running<G>| {
        let (red_result, reason) = game.end?;
        let steps = game.steps.iter().map(|step| step.index()).collect();
        Some(Played { red_result, reason, turns: game.turns, steps })
    };
    games.into_iter().map(played).collect()
}

fn play_together<G: Notation>(
    agent: &mut dyn Agent<G>,
    start: &G,
    games: &mut [Running<G>],
    interrupt: &Interrupt,
) -> Option<()> {
    for slot in 0..games.len() {
        agent.begin(slot);
        agent.set_out(slot, start, &[]);
    }
    loop {
        for (slot, game) in games.iter_mut().enumerate() {
            while game.end.is_none() && game.turns < SAMPLED_TURNS {
                let decision = draw_step(agent, slot, game, interrupt);
                if interrupt.is_requested() {
                    return None;
                }
                apply(agent, slot, game, decision);
            }
        }
        let mut waiting: Vec<(usize, &mut Running<G>)> =
            games.iter_mut().enumerate().filter(|(_, game)| game.end.is_none()).collect();
        if waiting.is_empty() {
            return Some(());
        }
        for batch in waiting.chunks_mut(agent.batch_size().max(1)) {
            if interrupt.is_requested() {
                return None;
            }
            let request =
                |(slot, game): &mut (usize, &mut Running<G>)| (*slot, game.position.clone(), game.rng.clone());
            let mut asked: Vec<(usize, G, Rng)> = batch.iter_mut().map(request).collect();
            let mut requests: Vec<Request<'_, G>> =
                asked.iter_mut().map(|(slot, position, rng)| Request { slot: *slot, position, rng }).collect();
            let decisions = agent.choose(&mut requests);
            for (((slot, game), (_, _, rng)), decision) in batch.iter_mut().zip(asked).zip(decisions) {
                game.rng = rng;
                apply(agent, *slot, game, decision.map(|choice: Choice| choice.action));
            }
        }
    }
}

fn apply<G: Notation>(agent: &mut dyn Agent<G>, slot: usize, game: &mut Running<G>, decision: Decision<Action>) {
    match decision {
        Ok(action) => {
            game.apply(action);
            agent.played(slot, action);
        }
        Err(forfeit) => game.give_up(&forfeit),
    }
}

/// One of the best steps, the better the likelier.
fn draw_step<G: Notation>(
    agent: &mut dyn Agent<G>,
    slot: usize,
    game: &mut Running<G>,
    interrupt: &Interrupt,
) -> Decision<Action> {
    let thinking = Budget::own_thinking(SAMPLED_LINES, interrupt);
    let mut request = Request { slot, position: &game.position, rng: &mut game.rng };
    let opinion = agent.think(&mut request, &thinking, &mut |_| {})?;
    Ok(drawn(&opinion, game.rng.random_range(0.0..1.0)))
}

/// The step that `number`, from 0 to below 1, stands for. Steps of which nothing is known are not drawn unless they come first.
fn drawn(opinion: &Opinion, number: f64) -> Action {
    let first = opinion.lines[0].steps[0];
    let scores = opinion.lines.iter().filter_map(|line| Some((*line.steps.first()?, f64::from(line.score?))));
    let scores: Vec<(Action, f64)> = scores.collect();
    let best = scores.iter().map(|&(_, score)| score).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|&(_, score)| ((score - best) / TEMPERATURE).exp()).collect();
    let mut left = number * weights.iter().sum::<f64>();
    for (&(action, _), weight) in scores.iter().zip(&weights) {
        left -= weight;
        if left < 0.0 {
            return action;
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Line;

    #[test]
    fn better_steps_are_likelier() {
        let line =
            |index: usize, score: f32| Line { steps: vec![Action::new(index)], score: Some(score), ..Line::default() };
        let opinion = Opinion { lines: vec![line(5, 0.5), line(6, 0.4), line(7, -1.0)], ..Opinion::default() };
        let count = |index| (0..1000).filter(|&n| drawn(&opinion, f64::from(n) / 1000.0) == Action::new(index)).count();
        assert_eq!((count(5), count(6), count(7)), (732, 268, 0), "1 / (1 + 1/e) of them");
        assert_eq!(drawn(&Opinion::only(Action::new(9)), 0.5), Action::new(9));
    }
}
