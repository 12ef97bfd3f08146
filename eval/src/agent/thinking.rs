//! How long to think about a turn, and what came of it.

use std::time::{Duration, Instant};

use heng_env::{Action, Game};
use heng_mcts::value::Wdl;
use thiserror::Error;

use crate::interrupt::Interrupt;

/// Turns that a clock is made to last for when nobody says how many are left.
const TURNS_TO_GO: u32 = 20;

/// The share of an increment that is spent at once, in percent.
const INCREMENT_SPENT: u32 = 75;

/// What ends the thinking about a turn, besides a stop. Where a limit is given it takes the place of the agent's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time.
    pub time: Option<Time>,
    /// Simulations, or steps applied, for each step of the turn.
    pub nodes: Option<u64>,
    /// Turns to look ahead, where the agent searches by depth.
    pub depth: Option<u32>,
    /// Until it is stopped.
    pub is_endless: bool,
}

/// Time for thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// This long for the turn.
    Turn(Duration),
    /// What is left on the clocks.
    Clock(Clock),
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left of each side, red first.
    pub left: [Duration; 2],
    /// Time that each side gets for a turn.
    pub increment: [Duration; 2],
    /// Turns of a side until time is added, if it is known.
    pub turns_to_go: Option<u32>,
}

impl Clock {
    /// How much of its time the side with this index should spend on a turn: its share of what is left, and most of the
    /// increment, but never more than half of what is left.
    pub fn allowance(&self, side: usize) -> Duration {
        let left = self.left[side];
        let turns = self.turns_to_go.map_or(TURNS_TO_GO, |turns| turns.clamp(1, TURNS_TO_GO));
        let wanted = left / turns + self.increment[side] * INCREMENT_SPENT / 100;
        let last_turn = self.turns_to_go == Some(1);
        wanted.min(if last_turn { left } else { left / 2 })
    }
}

impl Limits {
    /// The time that the side with this index has for its turn.
    pub fn allowance(&self, side: usize) -> Option<Duration> {
        self.time.map(|time| match time {
            Time::Turn(time) => time,
            Time::Clock(clock) => clock.allowance(side),
        })
    }

    /// Whether the agent's own limits hold.
    pub fn are_own(&self) -> bool {
        *self == Limits::default()
    }
}

/// The thinking about one turn, from its first step to its last.
#[derive(Clone, Debug)]
pub struct Thinking {
    /// What ends it.
    pub limits: Limits,
    /// When the turn has to be played; in the middle of it a part of what is left.
    pub deadline: Option<Instant>,
    /// Whether somebody has asked for an end.
    pub stop: Interrupt,
    /// How many of the best steps to report.
    pub lines: usize,
    /// Steps to choose among, if not all.
    pub among: Option<Vec<Action>>,
    /// Threads that may be used.
    pub threads: usize,
    /// Bytes that the agent's memory of this search may take.
    pub memory: usize,
}

/// Memory of a search where nothing else is said.
const MEMORY_BYTES: usize = 1 << 30;

impl Thinking {
    /// Begins now, for the side with this index: `overhead` is kept back for the way of the answer.
    pub fn begin(limits: Limits, side: usize, overhead: Duration, stop: Interrupt) -> Thinking {
        let deadline = limits.allowance(side).map(|time| Instant::now() + time.saturating_sub(overhead));
        Thinking { limits, deadline, stop, lines: 1, among: None, threads: 1, memory: MEMORY_BYTES }
    }

    /// Whether it is time to answer, if one more piece of work takes as long as `next`. `ends_turn` tells whether the step that
    /// would be played is the last of the turn: any other leaves half of the time to those that follow.
    pub fn is_over(&self, begun: Instant, next: Duration, ends_turn: impl FnOnce() -> bool) -> bool {
        if self.stop.is_requested() {
            return true;
        }
        let Some(deadline) = self.deadline else { return false };
        let end = Instant::now() + next;
        let half = begun + deadline.saturating_duration_since(begun) / 2;
        end >= deadline || end >= half && !ends_turn()
    }

    /// The legal steps to choose among, of which there is at least one where the game is not over.
    pub fn candidates<G: Game>(&self, position: &G) -> Vec<Action> {
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        if let Some(among) = &self.among
            && actions.iter().any(|action| among.contains(action))
        {
            actions.retain(|action| among.contains(action));
        }
        actions
    }

    /// Whether only time or a stop ends it.
    pub fn is_open(&self) -> bool {
        self.limits.is_endless || self.deadline.is_some()
    }
}

/// What an agent thinks of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// The best steps, the best first: at least one, unless nothing is known yet.
    pub lines: Vec<Line>,
    /// What the agent expects of the position for the side to act.
    pub score: Option<f32>,
    /// The same as chances, from an agent that knows them.
    pub wdl: Option<Wdl>,
    /// Simulations, or steps applied.
    pub nodes: u64,
    /// Turns that it looked ahead.
    pub depth: u32,
}

/// A step and what is expected to follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// The step, then the steps that are expected after it.
    pub steps: Vec<Action>,
    /// Expected result of the side to act, from -1 to 1; `None` if the agent has no opinion.
    pub score: Option<f32>,
    /// The same as chances, from an agent that knows them.
    pub wdl: Option<Wdl>,
    /// Simulations that went this way, by an agent that counts them.
    pub visits: Option<u32>,
    /// The probability before the search, from an agent that has one.
    pub prior: Option<f32>,
    /// What is certain.
    pub verdict: Option<Verdict>,
}

/// A certain result for the side to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub result: i8,
    /// How far away the end is, if it is known.
    pub distance: Distance,
}

/// How far away a proven end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// Steps, of which a turn may have several.
    Steps(u32),
    /// Turns of both sides.
    Turns(u32),
}

impl Opinion {
    /// A step without an opinion.
    pub fn only(action: Action) -> Opinion {
        let line = Line { steps: vec![action], ..Line::default() };
        Opinion { lines: vec![line], ..Opinion::default() }
    }
}

/// Why an agent does not play on: it loses the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Forfeit {
    /// Its process ended or spoke nonsense.
    #[error("crashed: {0}")]
    Crash(String),
    /// It did not answer.
    #[error("did not answer: {0}")]
    NoAnswer(String),
    /// It played what the rules do not allow.
    #[error("played an illegal move: {0}")]
    IllegalMove(String),
    /// It gave up.
    #[error("resigned")]
    Resignation,
    /// It thought for too long.
    #[error("ran out of time: {0}")]
    Time(String),
}

impl Forfeit {
    /// The word that results have for it.
    pub const fn word(&self) -> &'static str {
        match self {
            Forfeit::Crash(_) => "crash",
            Forfeit::NoAnswer(_) => "no-answer",
            Forfeit::IllegalMove(_) => "illegal-move",
            Forfeit::Resignation => "resignation",
            Forfeit::Time(_) => "time-forfeit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(left: Duration, increment: Duration, turns_to_go: Option<u32>) -> Clock {
        Clock { left: [left, SECOND], increment: [increment, Duration::ZERO], turns_to_go }
    }

    #[test]
    fn a_clock_is_divided_among_the_turns_to_come() {
        assert_eq!(clock(60 * SECOND, Duration::ZERO, None).allowance(0), 3 * SECOND);
        assert_eq!(clock(60 * SECOND, 4 * SECOND, None).allowance(0), 6 * SECOND);
        assert_eq!(clock(60 * SECOND, Duration::ZERO, Some(6)).allowance(0), 10 * SECOND);
        assert_eq!(clock(60 * SECOND, Duration::ZERO, Some(1)).allowance(0), 60 * SECOND);
        assert_eq!(clock(2 * SECOND, 100 * SECOND, None).allowance(0), SECOND, "half of what is left at most");
        assert_eq!(clock(60 * SECOND, 4 * SECOND, None).allowance(1), SECOND / 20);
    }

    #[test]
    fn steps_that_do_not_end_the_turn_leave_half_of_its_time() {
        let limits = Limits { time: Some(Time::Turn(1000 * SECOND)), ..Limits::default() };
        let thinking = Thinking::begin(limits, 0, Duration::ZERO, Interrupt::default());
        let begun = Instant::now();
        assert!(!thinking.is_over(begun, 400 * SECOND, || false));
        assert!(thinking.is_over(begun, 600 * SECOND, || false));
        assert!(!thinking.is_over(begun, 600 * SECOND, || true));
        assert!(thinking.is_over(begun, 1000 * SECOND, || true));
        thinking.stop.request();
        assert!(thinking.is_over(begun, Duration::ZERO, || true));
    }
}
