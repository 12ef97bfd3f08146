//! Other people's engines, run as child processes and spoken to in UCI, UCCI or the protocol of xboard.
//!
//! Whatever an engine does, nothing here waits longer than it was told to, keeps more than a bounded part of what the
//! engine writes, or leaves a process behind.

mod conversation;
mod error;
mod features;
mod info;
mod lines;
mod options;
mod process;
mod spec;
mod squares;
mod uci;
mod xboard;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use conversation::StopHandle;
pub use error::{EngineError, EngineFailure};
pub use info::{EngineInfo, EngineScore};
pub use process::kill_all;
pub use spec::{EngineSpec, EngineSpecError, FORMS, HELP, Protocol};
pub(crate) use squares::Writing;

use conversation::Conversation;
use process::EngineProcess;

/// How long an engine may take to get ready.
const START_LIMIT: Duration = Duration::from_secs(10);

/// How long an engine thinks about a turn if nobody limits it.
pub(crate) const USUAL_MOVETIME: Duration = Duration::from_secs(1);

/// A game as an engine is told of it.
#[derive(Clone, Copy, Debug)]
pub struct GameText<'a> {
    /// The text of the position in which it began.
    pub start: &'a str,
    /// Whether that is the standard start of the variant, which needs no text.
    pub is_standard_start: bool,
    /// The whole turns since then, in our UCI form: files a to i, ranks 1 to 10.
    pub turns: &'a [String],
    /// Whether red is to act.
    pub red_to_act: bool,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What red and black have left.
    pub remaining: [Duration; 2],
    /// What each gets for a turn.
    pub increment: Duration,
}

/// How far an engine may think about a turn; where nothing is given, what its spec says is used. A clock and a time for
/// the turn both replace the spec's time for the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// Time for this turn.
    pub movetime: Option<Duration>,
    /// The clocks.
    pub clock: Option<Clock>,
    /// Positions to look at.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

impl GoLimits {
    fn or_of(self, spec: &EngineSpec) -> GoLimits {
        let has_time = self.movetime.is_some() || self.clock.is_some();
        let mut limits = GoLimits {
            movetime: if has_time { self.movetime } else { spec.movetime },
            clock: self.clock,
            nodes: self.nodes.or(spec.nodes),
            depth: self.depth.or(spec.depth),
        };
        if limits == GoLimits::default() {
            limits.movetime = Some(USUAL_MOVETIME);
        }
        limits
    }
}

/// What an engine does in its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It plays this, in our UCI form. Whether the turn is legal has not been looked at.
    Turn(String),
    /// It gives up.
    Resigns,
    /// It says that it has no move or that the game is over, in these words.
    NoMove(String),
}

/// An engine's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineAnswer {
    /// What it does.
    pub reply: Reply,
    /// What it told last of its best line.
    pub info: Option<EngineInfo>,
    /// The turn that it expects after its own, in our UCI form.
    pub ponder: Option<String>,
}

/// A running engine. Dropping it ends the process.
pub struct Engine {
    spec: EngineSpec,
    name: String,
    conversation: Conversation,
    session: Box<dyn Session>,
    failure: Option<EngineFailure>,
}

/// A game in the language of a protocol.
trait Session: Send {
    /// A new game.
    fn begin(&mut self, conversation: &mut Conversation) -> Result<(), EngineFailure>;

    /// Asks for a turn.
    fn choose(
        &mut self,
        conversation: &mut Conversation,
        question: &Question<'_>,
        on_info: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineFailure>;
}

/// What an engine is asked.
struct Question<'a> {
    game: &'a GameText<'a>,
    limits: GoLimits,
    patience: Duration,
}

/// An engine that has been greeted: its name, and how to go on.
struct Greeted {
    name: String,
    session: Box<dyn Session>,
}

impl Engine {
    /// Runs an engine, greets it and sets its options and the variant.
    ///
    /// # Errors
    /// If it cannot be run, does not get ready within 10 s, or lacks the variant or an option.
    pub fn start(spec: &EngineSpec, variant_name: &str) -> Result<Engine, EngineError> {
        Engine::start_within(spec, variant_name, START_LIMIT)
    }

    fn start_within(spec: &EngineSpec, variant_name: &str, limit: Duration) -> Result<Engine, EngineError> {
        let words = spec.words().ok_or_else(|| EngineError::Command { command: spec.command.clone() })?;
        let process = EngineProcess::spawn(&words)?;
        let (mut conversation, greeted) = match spec.protocol {
            Protocol::Uci | Protocol::Ucci => {
                let mut conversation = Conversation::new(process, "stop");
                let greeted = uci::greet(&mut conversation, spec, variant_name, limit)?;
                (conversation, greeted)
            }
            Protocol::Xboard => {
                let mut conversation = Conversation::new(process, "?");
                let greeted = xboard::greet(&mut conversation, spec, variant_name, limit)?;
                (conversation, greeted)
            }
        };
        let Greeted { name, mut session } = greeted;
        session.begin(&mut conversation).map_err(|failure| greeting_error(spec, failure))?;
        Ok(Engine { spec: spec.clone(), name, conversation, session, failure: None })
    }

    /// What the engine calls itself; its program if it does not say.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins a new game.
    ///
    /// # Errors
    /// If the engine fails, now or earlier.
    pub fn begin(&mut self) -> Result<(), EngineFailure> {
        self.check()?;
        let begun = self.session.begin(&mut self.conversation);
        self.or_dead(begun)
    }

    /// Asks for a turn and waits for it for as long as `patience`, then tells the engine to stop, and ends it if it does not
    /// answer within 1 s more. `on_info` is told what the engine thinks meanwhile.
    ///
    /// # Errors
    /// If the engine fails, now or earlier.
    pub fn choose(
        &mut self,
        game: &GameText<'_>,
        limits: &GoLimits,
        patience: Duration,
        on_info: &mut dyn FnMut(&EngineInfo),
    ) -> Result<EngineAnswer, EngineFailure> {
        self.check()?;
        let question = Question { game, limits: limits.or_of(&self.spec), patience };
        let answer = self.session.choose(&mut self.conversation, &question, on_info);
        self.or_dead(answer)
    }

    /// What another thread can stop the engine's thinking with.
    pub fn stop_handle(&self) -> StopHandle {
        self.conversation.stop_handle()
    }

    fn check(&self) -> Result<(), EngineFailure> {
        self.failure.clone().map_or(Ok(()), Err)
    }

    fn or_dead<T>(&mut self, result: Result<T, EngineFailure>) -> Result<T, EngineFailure> {
        if let Err(failure) = &result {
            self.failure = Some(failure.clone());
            self.conversation.kill();
        }
        result
    }
}

/// The program's name without its path, for an engine that has not told its own.
fn program_name(spec: &EngineSpec) -> String {
    let program = spec.words().and_then(|words| words.into_iter().next()).unwrap_or_default();
    let name = std::path::Path::new(&program).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or(program)
}

fn greeting_error(spec: &EngineSpec, failure: EngineFailure) -> EngineError {
    EngineError::Greeting { engine: program_name(spec), protocol: spec.protocol.name(), failure }
}
