//! A program of others as a player.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heng_env::{Action, Notation, Variant};
use heng_mcts::value::Wdl;

use super::thinking::{Clock, Distance, Forfeit, Limits, Line, Opinion, Thinking, Time, Verdict};
use super::{Agent, Choice, Decision, Request};
use crate::engine::{
    self, Engine, EngineAnswer, EngineFailure, EngineInfo, EngineScore, EngineSpec, GameText, GoLimits, Reply,
};

/// How long to wait beyond the time that an engine was given, before it is told to stop and gets another second.
const GRACE: Duration = Duration::from_secs(1);

/// How long to wait for an engine that was given no time but nodes or a depth.
const PATIENCE: Duration = Duration::from_secs(120);

/// What "until it is stopped" is for an engine: a day.
const ENDLESS: Duration = Duration::from_secs(24 * 60 * 60);

/// How long to wait between two looks at whether an engine is to stop.
const STOP_INTERVAL: Duration = Duration::from_millis(2);

/// Plays what an engine answers. It is started when it is needed, and again after it has broken down.
pub struct EngineAgent<G> {
    spec: EngineSpec,
    variant: Variant,
    engine: Option<Engine>,
    /// The game that the engine follows.
    game: Option<Followed<G>>,
    /// Whether the engine has been told of a new game and has not been asked anything since.
    is_ready: bool,
}

/// A game since the engine was first asked about it.
struct Followed<G> {
    slot: usize,
    start: String,
    is_standard_start: bool,
    turns: Vec<String>,
    position: G,
    turn_start: G,
    steps: Vec<Action>,
    /// The rest of the turn that the engine has answered with.
    pending: Vec<Action>,
    /// Whether the engine has not been asked about it yet.
    is_new: bool,
}

impl<G: Notation> Followed<G> {
    fn new(slot: usize, position: &G) -> Followed<G> {
        let start = position.fen();
        Followed {
            slot,
            is_standard_start: start == G::standard_start(position.rules()).fen(),
            start,
            turns: Vec::new(),
            position: position.clone(),
            turn_start: position.clone(),
            steps: Vec::new(),
            pending: Vec::new(),
            is_new: true,
        }
    }

    fn apply(&mut self, action: Action) {
        self.position.apply(action);
        self.steps.push(action);
        if self.pending.first() == Some(&action) {
            self.pending.remove(0);
        } else {
            self.pending.clear();
        }
        if self.position.at_turn_start() || self.position.outcome().is_some() {
            self.turns.push(self.turn_start.turn_text(&self.steps));
            self.turn_start = self.position.clone();
            self.steps.clear();
        }
    }
}

impl<G: Notation> EngineAgent<G> {
    /// A player by the engine of `spec`, which is not started yet.
    pub fn new(spec: EngineSpec, variant: Variant) -> EngineAgent<G> {
        EngineAgent { spec, variant, engine: None, game: None, is_ready: false }
    }

    /// The game of `slot`, followed from `position` if it was not before.
    fn follow(&mut self, slot: usize, position: &G) -> &mut Followed<G> {
        let is_there = self.game.as_ref().is_some_and(|game| {
            let same = game.position.turns_played() == position.turns_played() && game.position.key() == position.key();
            game.slot == slot && same
        });
        if !is_there {
            self.game = None;
        }
        self.game.get_or_insert_with(|| Followed::new(slot, position))
    }

    fn started(&mut self) -> Result<&mut Engine, Forfeit> {
        if self.engine.is_none() {
            let started = Engine::start(&self.spec, self.variant.name());
            self.engine = Some(started.map_err(|error| Forfeit::Crash(error.to_string()))?);
        }
        self.engine.as_mut().ok_or_else(|| Forfeit::Crash("it is not there".to_owned()))
    }

    /// Starts the engine if it does not run, and announces a new game. What goes wrong is told when it is asked for a turn.
    fn get_ready(&mut self) {
        if self.is_ready || self.started().is_err() {
            return;
        }
        let begun = self.engine.as_mut().map(Engine::begin);
        self.is_ready = matches!(begun, Some(Ok(())));
        if !self.is_ready {
            self.engine = None;
        }
    }

    /// Asks the engine about a turn that has not begun, within limits or its own.
    fn ask(
        &mut self,
        thinking: Option<&Thinking>,
        on_info: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, Forfeit> {
        if self.game.as_ref().is_some_and(|game| game.is_new) {
            self.get_ready();
        }
        self.started()?;
        let (Some(engine), Some(game)) = (&mut self.engine, &mut self.game) else {
            return Err(Forfeit::Crash("it is not there".to_owned()));
        };
        let side = game.position.side_to_act().index();
        let text = GameText {
            start: &game.start,
            is_standard_start: game.is_standard_start,
            turns: &game.turns,
            red_to_act: side == 0,
        };
        let limits = thinking.map_or_else(GoLimits::default, |thinking| limits_of(&thinking.limits));
        let patience = thinking.and_then(|thinking| patience(&thinking.limits, side));
        let patience = patience.unwrap_or_else(|| own_patience(&self.spec));
        let answer = stoppable(engine, thinking, |engine| engine.choose(&text, &limits, patience, on_info));
        game.is_new = false;
        self.is_ready = false;
        answer.map_err(|failure| {
            // The next game begins with a new process.
            self.engine = None;
            forfeit_of(&failure)
        })
    }

    fn turn(
        &mut self,
        slot: usize,
        position: &G,
        thinking: Option<&Thinking>,
        report: &mut dyn FnMut(&Opinion),
    ) -> Decision<Opinion> {
        let game = self.follow(slot, position);
        if let Some(&next) = game.pending.first() {
            return Ok(Opinion::only(next));
        }
        let turn_start = game.turn_start.clone();
        let begun = game.steps.len();
        let mut tell = |info: &EngineInfo| {
            let opinion = opinion_of(&turn_start, info, &[]);
            if !opinion.lines[0].steps.is_empty() {
                report(&opinion);
            }
        };
        let mut answer = self.ask(thinking, &mut tell)?;
        if matches!(answer.reply, Reply::NoMove(_)) {
            // It may see a draw, by repetition or a limit, where the rules do not: it is asked about the position by itself.
            self.game = None;
            self.follow(slot, &turn_start);
            answer = self.ask(thinking, &mut tell)?;
        }
        let steps = match &answer.reply {
            Reply::Turn(text) => {
                let parsed = turn_start.parse_turn(text);
                parsed.map_err(|error| Forfeit::IllegalMove(error.to_string()))?
            }
            Reply::Resigns => return Err(Forfeit::Resignation),
            Reply::NoMove(words) => return Err(Forfeit::IllegalMove(format!("`{words}`, while the game goes on"))),
        };
        // Asked in the middle of a turn, the engine answers for the whole.
        let rest = steps.get(begun..).unwrap_or_default().to_vec();
        if rest.is_empty() {
            return Err(Forfeit::IllegalMove("it does not go on with the turn".to_owned()));
        }
        let mut opinion = match &answer.info {
            Some(info) => opinion_of(&turn_start, info, &steps),
            None => Opinion::only(steps[0]),
        };
        let steps = &mut opinion.lines[0].steps;
        steps.drain(..begun.min(steps.len()));
        if let Some(game) = &mut self.game {
            game.pending = rest;
        }
        Ok(opinion)
    }
}

/// Runs `work` while a thread watches whether somebody wants it to stop.
fn stoppable<T>(engine: &mut Engine, thinking: Option<&Thinking>, work: impl FnOnce(&mut Engine) -> T) -> T {
    let Some(thinking) = thinking else { return work(engine) };
    let (handle, is_done) = (engine.stop_handle(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::SeqCst) {
                if thinking.stop.is_requested() {
                    return handle.stop();
                }
                std::thread::sleep(STOP_INTERVAL);
            }
        });
        let result = work(engine);
        is_done.store(true, Ordering::SeqCst);
        result
    })
}

fn limits_of(limits: &Limits) -> GoLimits {
    let clock = |clock: &Clock| engine::Clock { remaining: clock.left, increment: clock.increment[0] };
    let (movetime, clock) = match &limits.time {
        Some(Time::Turn(time)) => (Some(*time), None),
        Some(Time::Clock(given)) => (None, Some(clock(given))),
        None => (limits.is_endless.then_some(ENDLESS), None),
    };
    GoLimits { movetime, clock, nodes: limits.nodes, depth: limits.depth }
}

/// How long to wait for the side with this index; nothing if its own limits hold.
fn patience(limits: &Limits, side: usize) -> Option<Duration> {
    match &limits.time {
        Some(Time::Turn(time)) => Some(*time + GRACE),
        Some(Time::Clock(clock)) => Some(clock.left[side] + GRACE),
        None if limits.is_endless => Some(ENDLESS),
        None if limits.are_own() => None,
        None => Some(PATIENCE),
    }
}

/// How long to wait for an engine whose own limits hold.
fn own_patience(spec: &EngineSpec) -> Duration {
    match spec.movetime {
        Some(time) => time + GRACE,
        None if spec.nodes.is_none() && spec.depth.is_none() => engine::USUAL_MOVETIME + GRACE,
        None => PATIENCE,
    }
}

fn forfeit_of(failure: &EngineFailure) -> Forfeit {
    match failure {
        EngineFailure::Timeout { .. } => Forfeit::NoAnswer(failure.to_string()),
        _ => Forfeit::Crash(failure.to_string()),
    }
}

/// What an engine tells of a turn that begins at `position`; `played` is what it has played, if it has.
fn opinion_of<G: Notation>(position: &G, info: &EngineInfo, played: &[Action]) -> Opinion {
    let mut steps = read_line(position, &info.pv);
    if !steps.starts_with(played) {
        steps = played.to_vec();
    }
    let wdl = info.wdl.map(|[win, draw, loss]| {
        let share = |permille: u16| f32::from(permille) / 1000.0;
        Wdl { win: share(win), draw: share(draw), loss: share(loss) }
    });
    let score = wdl.map(|wdl| wdl.score()).or_else(|| info.score.map(expectation));
    let verdict = match info.score {
        Some(EngineScore::Mate(moves)) => Some(Verdict {
            result: if moves > 0 { 1 } else { -1 },
            distance: Distance::Turns(if moves > 0 { (2 * moves - 1) as u32 } else { 2 * moves.unsigned_abs() }),
        }),
        _ => None,
    };
    let line = Line { steps, score, wdl, visits: None, prior: None, verdict };
    Opinion { lines: vec![line], score, wdl, nodes: info.nodes.unwrap_or(0), depth: info.depth.unwrap_or(0) }
}

/// The steps of turns as an engine writes them, as far as they are legal.
fn read_line<G: Notation>(position: &G, turns: &[String]) -> Vec<Action> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for turn in turns {
        let Ok(steps) = position.parse_turn(turn) else { break };
        steps.iter().for_each(|&action| position.apply(action));
        line.extend(steps);
    }
    line
}

/// A score as an expected result, by the inverse of the formula with which Leela Chess Zero makes hundredths of a pawn.
fn expectation(score: EngineScore) -> f32 {
    match score {
        EngineScore::Cp(hundredths) => {
            ((f64::from(hundredths) / 90.0).atan() / 1.563_754_189_7).clamp(-1.0, 1.0) as f32
        }
        EngineScore::Mate(moves) => {
            if moves > 0 {
                1.0
            } else {
                -1.0
            }
        }
    }
}

impl<G: Notation> Agent<G> for EngineAgent<G> {
    /// Gets the engine ready, too: that is not part of its time for the first turn.
    fn begin(&mut self, slot: usize) {
        if self.game.as_ref().is_some_and(|game| game.slot == slot) {
            self.game = None;
        }
        self.get_ready();
    }

    fn is_single(&self) -> bool {
        true
    }

    fn set_out(&mut self, slot: usize, start: &G, steps: &[Action]) {
        let mut game = Followed::new(slot, start);
        steps.iter().for_each(|&action| game.apply(action));
        self.game = Some(game);
    }

    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Decision<Choice>> {
        let choose = |request: &mut Request<'_, G>| {
            self.turn(request.slot, request.position, None, &mut |_| {}).map(Choice::from)
        };
        requests.iter_mut().map(choose).collect()
    }

    fn think(
        &mut self,
        request: &mut Request<'_, G>,
        thinking: &Thinking,
        report: &mut dyn FnMut(&Opinion),
    ) -> Decision<Opinion> {
        let opinion = self.turn(request.slot, request.position, Some(thinking), report)?;
        Ok(opinion)
    }

    fn played(&mut self, slot: usize, action: Action) {
        if let Some(game) = self.game.as_mut().filter(|game| game.slot == slot) {
            game.apply(action);
        }
    }

    fn fresh(&self) -> Box<dyn Agent<G>> {
        Box::new(EngineAgent::new(self.spec.clone(), self.variant.clone()))
    }
}
