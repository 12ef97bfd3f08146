//! Version 2 of the Chess Engine Communication Protocol, which xboard speaks
//! (<https://www.gnu.org/software/xboard/engine-intf.html>).
//!
//! The engine is kept in force mode except while it thinks, so that it never moves unasked.

mod position;
mod reply;

use std::time::{Duration, Instant};

use super::conversation::{Conversation, Waiting};
use super::error::{EngineError, EngineFailure};
use super::features::Features;
use super::info::{EngineInfo, read_thinking};
use super::options;
use super::spec::EngineSpec;
use super::squares::Writing;
use super::{Clock, EngineAnswer, GameText, GoLimits, Greeted, Question, Reply, Session, greeting_error, program_name};
use reply::{Line, read_line};

const XIANGQI: &str = "xiangqi";

/// How long an engine may be silent before it counts as one of version 1, which knows no features. xboard gives it 2 s.
const FEATURE_LIMIT: Duration = Duration::from_secs(3);

/// How long a new game may take to prepare.
const NEW_GAME_LIMIT: Duration = Duration::from_secs(10);

/// What an engine that is limited by depth alone gets for a turn.
const ENDLESS: Duration = Duration::from_secs(24 * 3600);

struct XboardSession {
    features: Features,
    writing: Writing,
    variant: String,
    /// Whether the variant has to be named for each new game.
    names_variant: bool,
    /// The game that the engine has on its board.
    board: Option<Board>,
    /// Whether the engine stands at a new game of which it knows nothing yet.
    is_clear: bool,
    pings: u32,
}

/// What an engine has been told, or has played, since `new`.
#[derive(Default)]
struct Board {
    start: String,
    turns: Vec<String>,
    time_control: Option<String>,
    depth: Option<u32>,
}

/// Greets an engine and sets the variant and its options.
pub(super) fn greet(
    conversation: &mut Conversation,
    spec: &EngineSpec,
    variant: &str,
    limit: Duration,
) -> Result<Greeted, EngineError> {
    let features = read_features(conversation, limit).map_err(|failure| greeting_error(spec, failure))?;
    let name = features.name.clone().unwrap_or_else(|| program_name(spec));
    for (option, value) in &spec.options {
        let (option, value) = options::checked(&name, &features.options, option, value)?;
        conversation.send(setting(option, &value));
    }
    let names_variant = match &features.variants {
        None => false,
        Some(names) if !names.iter().any(|name| name == variant) => {
            let offered = options::listed(names.iter().map(String::as_str));
            return Err(EngineError::Variant { engine: name, variant: variant.to_owned(), offered });
        }
        Some(names) => names.len() > 1,
    };
    let is_xiangqi = variant == XIANGQI;
    let writing = if is_xiangqi { Writing::Points { first_rank: spec.first_rank.unwrap_or(0) } } else { Writing::Same };
    let variant = variant.to_owned();
    let session = XboardSession { features, writing, variant, names_variant, board: None, is_clear: false, pings: 0 };
    Ok(Greeted { name, session: Box::new(session) })
}

fn setting(option: &options::OfferedOption, value: &str) -> String {
    match (&option.values, value) {
        (options::Values::Button, _) => format!("option {}", option.name),
        (options::Values::Check, _) => format!("option {}={}", option.name, u8::from(value == "true")),
        _ => format!("option {}={value}", option.name),
    }
}

/// Reads features until they are done, or for as long as an engine without features needs to be recognised.
fn read_features(conversation: &mut Conversation, limit: Duration) -> Result<Features, EngineFailure> {
    let begin = Instant::now();
    let mut features = Features::default();
    conversation.send("xboard");
    conversation.send("protover 2");
    loop {
        let wait = if features.done.is_none() { FEATURE_LIMIT.min(limit) } else { limit };
        match conversation.line_until(begin + wait)? {
            Some(line) => features.read(&line).into_iter().for_each(|answer| conversation.send(answer)),
            None if features.done.is_none() => return Ok(features),
            None => return Err(EngineFailure::Timeout { after: begin.elapsed(), expected: "`feature done=1`" }),
        }
        if features.done == Some(true) {
            return Ok(features);
        }
    }
}

impl Session for XboardSession {
    fn begin(&mut self, conversation: &mut Conversation) -> Result<(), EngineFailure> {
        self.clear(conversation, NEW_GAME_LIMIT)
    }

    fn choose(
        &mut self,
        conversation: &mut Conversation,
        question: &Question<'_>,
        on_info: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineFailure> {
        self.set_up(conversation, question)?;
        if let Some(result) = self.synchronise(conversation, question.patience)? {
            self.board = None;
            return Ok(EngineAnswer { reply: reply_of_result(&result, question.game), info: None, ponder: None });
        }
        self.set_limits(conversation, question);
        conversation.send("go");
        let answer = self.wait_for_move(conversation, question, on_info);
        conversation.send("force");
        let answer = answer?;
        match (&answer.reply, &mut self.board) {
            (Reply::Turn(turn), Some(board)) => board.turns.push(turn.clone()),
            _ => self.board = None,
        }
        Ok(answer)
    }
}

impl XboardSession {
    /// A new game. What the engine still says of the last one, such as its result, is dropped.
    fn clear(&mut self, conversation: &mut Conversation, patience: Duration) -> Result<(), EngineFailure> {
        self.board = None;
        conversation.send("new");
        if self.names_variant {
            conversation.send(format!("variant {}", self.variant));
        }
        conversation.send("force");
        self.synchronise(conversation, patience)?;
        self.is_clear = true;
        Ok(())
    }

    /// Brings the game onto the engine's board: only what is new if the engine has the turns before it.
    fn set_up(&mut self, conversation: &mut Conversation, question: &Question<'_>) -> Result<(), EngineFailure> {
        let game = question.game;
        let goes_on = |board: &Board| board.start == game.start && game.turns.starts_with(&board.turns);
        let known = match self.board.as_ref().filter(|board| goes_on(board)) {
            Some(board) => board.turns.len(),
            None => {
                if !self.is_clear {
                    self.clear(conversation, question.patience)?;
                }
                self.start_anew(conversation, game)?;
                0
            }
        };
        for turn in &game.turns[known..] {
            let turn = self.writing.write(turn);
            conversation.send(if self.features.usermove { format!("usermove {turn}") } else { turn });
        }
        if let Some(board) = &mut self.board {
            board.turns = game.turns.to_vec();
        }
        Ok(())
    }

    fn start_anew(&mut self, conversation: &Conversation, game: &GameText<'_>) -> Result<(), EngineFailure> {
        if !game.is_standard_start {
            if !self.features.setboard {
                return Err(EngineFailure::Unsupported { missing: "`setboard`", reason: "for this start" });
            }
            let is_xiangqi = self.variant == XIANGQI;
            let start = if is_xiangqi { position::xboard_fen(game.start) } else { game.start.to_owned() };
            conversation.send(format!("setboard {start}"));
        }
        conversation.send("easy");
        conversation.send("post");
        self.is_clear = false;
        self.board = Some(Board { start: game.start.to_owned(), ..Board::default() });
        Ok(())
    }

    /// Waits until the engine has read everything, if it can tell. Returns the result that it claims, if any.
    fn synchronise(
        &mut self,
        conversation: &mut Conversation,
        patience: Duration,
    ) -> Result<Option<String>, EngineFailure> {
        let mut result = None;
        let mut look = |line: &str| match read_line(line) {
            Line::Refusal => Err(EngineFailure::protocol(line, "that it takes the moves of the game")),
            Line::Result(text) => {
                result = Some(text.to_owned());
                Ok(None)
            }
            Line::Pong(number) => Ok(Some(number)),
            _ => Ok(None),
        };
        if !self.features.ping {
            while let Some(line) = conversation.line_now() {
                look(&line)?;
            }
            return Ok(result);
        }
        self.pings += 1;
        let ping = self.pings;
        conversation.send(format!("ping {ping}"));
        let limit = patience.max(Duration::from_secs(1));
        conversation.wait_for(limit, "`pong`", |line| Ok(look(line)?.filter(|&number| number == ping)))?;
        Ok(result)
    }

    fn set_limits(&mut self, conversation: &Conversation, question: &Question<'_>) {
        let GoLimits { movetime, clock, depth, .. } = question.limits;
        let Some(board) = &mut self.board else { return };
        let time_control = match (movetime, clock) {
            (Some(time), _) => format!("st {}", whole_seconds(time)),
            (None, Some(clock)) if board.is_clocked() => board.time_control.clone().unwrap_or_else(|| level(clock)),
            (None, Some(clock)) => level(clock),
            (None, None) => format!("st {}", whole_seconds(ENDLESS)),
        };
        if board.time_control.as_ref() != Some(&time_control) {
            conversation.send(time_control.as_str());
            board.time_control = Some(time_control);
        }
        if let (None, Some(clock), false) = (movetime, clock, self.features.ignores_clocks) {
            let [red, black] = clock.remaining.map(|time| time.as_millis() / 10);
            let (own, other) = if question.game.red_to_act { (red, black) } else { (black, red) };
            conversation.send(format!("time {own}"));
            conversation.send(format!("otim {other}"));
        }
        if let Some(depth) = depth.filter(|_| board.depth != depth) {
            conversation.send(format!("sd {depth}"));
            board.depth = Some(depth);
        }
    }

    fn wait_for_move(
        &self,
        conversation: &mut Conversation,
        question: &Question<'_>,
        on_info: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineFailure> {
        // `st` counts whole seconds.
        let stop_after = question.limits.movetime.filter(|time| time.subsec_nanos() != 0);
        let waiting = Waiting { patience: question.patience, stop_after };
        let writing = self.writing;
        let mut best: Option<EngineInfo> = None;
        let reply = conversation.wait_for_answer(waiting, "`move`", |line| match read_line(line) {
            Line::Move(turn) => {
                let turn = writing.read(turn).ok_or_else(|| EngineFailure::protocol(line, writing.example()))?;
                Ok(Some(Reply::Turn(turn)))
            }
            Line::Resigns => Ok(Some(Reply::Resigns)),
            Line::Result(result) => Ok(Some(reply_of_result(result, question.game))),
            Line::Refusal => Err(EngineFailure::protocol(line, "a move")),
            Line::Pong(_) => Ok(None),
            Line::Other => {
                if let Some(info) = read_thinking(line, writing) {
                    on_info(&info);
                    best = Some(info);
                }
                Ok(None)
            }
        })?;
        let ponder = best.as_ref().filter(|info| Some(&reply) == info.pv.first().cloned().map(Reply::Turn).as_ref());
        let ponder = ponder.and_then(|info| info.pv.get(1).cloned());
        Ok(EngineAnswer { reply, info: best, ponder })
    }
}

impl Board {
    fn is_clocked(&self) -> bool {
        self.time_control.as_ref().is_some_and(|control| control.starts_with("level"))
    }
}

/// A time control for the rest of the game: no number of moves, minutes and seconds, and the increment.
fn level(clock: Clock) -> String {
    let longest = clock.remaining.into_iter().max().unwrap_or_default();
    let seconds = whole_seconds(longest);
    format!("level 0 {}:{:02} {}", seconds / 60, seconds % 60, clock.increment.as_secs())
}

fn whole_seconds(time: Duration) -> u64 {
    (time.as_secs() + u64::from(time.subsec_nanos() != 0)).max(1)
}

/// A result that the engine claims instead of a move: it gives up if it is the one who loses.
fn reply_of_result(result: &str, game: &GameText<'_>) -> Reply {
    let lost = if game.red_to_act { "0-1" } else { "1-0" };
    if result.starts_with(lost) { Reply::Resigns } else { Reply::NoMove(result.to_owned()) }
}
