//! `eval uci` and `eval ucci`: an agent as an engine for graphical clients and for other engines' programs.
//!
//! UCI is that of chess (Kahlen and Huber 2004) with the extensions of Fairy-Stockfish: the option `UCI_Variant`, and ranks
//! from 1 to 10 in Xiangqi. UCCI 3.0 is its sibling for Xiangqi (www.xqbase.com/protocol/cchess_ucci.htm), with ranks from 0 to 9.
//! In the other games a move is a whole written turn.
//!
//! Lines are read while a search runs on a thread of its own, so that every command is answered at once.

mod command;
mod options;
mod output;
mod session;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use heng_env::Variant;
use heng_mcts::net::Device;

use crate::agent::{self, AgentSpec};
use crate::bounded_lines::{BadLine, next_line};
use crate::cli::CommandResult;
use crate::device::DeviceArgs;
use crate::interrupt::Interrupt;
use command::{Command, Go};
use options::{Effect, Options};
use output::Output;
use session::{Job, Session};

/// What both protocols are asked for.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = agent::HELP)]
pub struct ProtocolArgs {
    /// Who plays, an agent: see below
    #[arg(long, value_name = "A", default_value = "alphabeta:4")]
    agent: AgentSpec,
    /// The variant at the start, NAME or NAME:key=value,…; xiangqi, or what the agent's net is for, if not given
    #[arg(long, value_name = "V")]
    variant: Option<Variant>,
    /// Where chance decides: the same seed answers the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    device: DeviceArgs,
}

/// What UCI is asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct UciArgs {
    /// Count the ranks of Xiangqi from 0 to 9 and not from 1 to 10, for clients of the Cyclone dialect, such as uci2wb
    #[arg(long)]
    cyclone: bool,
    #[command(flatten)]
    protocol: ProtocolArgs,
}

/// The protocol that a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The universal chess interface.
    Uci,
    /// The universal Chinese chess protocol.
    Ucci,
}

impl Dialect {
    /// The commands, for error messages.
    const fn commands(self) -> &'static str {
        match self {
            Dialect::Uci => "uci, isready, setoption, ucinewgame, position, go, ponderhit, stop, d, quit",
            Dialect::Ucci => "ucci, isready, setoption, position, banmoves, go, ponderhit, stop, quit",
        }
    }

    /// The answer where there is no turn to play.
    const fn no_turn(self) -> &'static str {
        match self {
            Dialect::Uci => "bestmove (none)",
            Dialect::Ucci => "nobestmove",
        }
    }

    /// The last word of the greeting.
    const fn ok(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Ucci => "ucciok",
        }
    }
}

/// Speaks UCI on standard input and output until `quit`, or the end of the input.
///
/// # Errors
/// If the device is not there, the agent does not exist, or input or output fail. A wrong command is no error: it is answered.
pub fn run_uci(args: &UciArgs) -> CommandResult {
    run(&args.protocol, Dialect::Uci, args.cyclone)
}

/// Speaks UCCI, in the same way.
///
/// # Errors
/// As [`run_uci`].
pub fn run_ucci(args: &ProtocolArgs) -> CommandResult {
    run(args, Dialect::Ucci, true)
}

fn run(args: &ProtocolArgs, dialect: Dialect, counts_from_zero: bool) -> CommandResult {
    let device = args.device.open()?;
    let variant = match &args.variant {
        Some(variant) => variant.clone(),
        // The net is read for its variant now, and again when it is to play: by then the client may want another.
        None => match args.agent.load_on(&device)?.variant() {
            Some(variant) => variant.clone(),
            None => "xiangqi".parse()?,
        },
    };
    let options = Options { counts_from_zero, ..Options::new(dialect, variant, args.agent.clone()) };
    // An agent that cannot play is told at once, and not when the client has begun a game.
    drop(session::open(dialect, &options, &device, args.seed)?);
    serve(dialect, options, device, args.seed, io::BufReader::new(io::stdin()), io::stdout())
}

/// Something that happened.
enum Event {
    Line(Result<String, BadLine>),
    /// The input is over, or cannot be read.
    End(Option<io::Error>),
    /// The search is over: it has answered, or failed.
    Answered,
}

/// Lines that wait while the engine is busy; a client that says more waits, too.
const LINES_WAITING: usize = 64;

/// Commands that wait for a search to end.
const COMMANDS_WAITING: usize = 4096;

/// Speaks `dialect` with whoever is at the other end of `input` and `output`.
fn serve(
    dialect: Dialect,
    options: Options,
    device: Device,
    seed: u64,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> CommandResult {
    let (lines, events) = sync_channel(LINES_WAITING);
    let answers = lines.clone();
    std::thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &lines))?;
    let output = Output::new(output);
    let server = Server {
        dialect,
        options,
        device,
        seed,
        output: output.clone(),
        session: None,
        search: None,
        waiting: VecDeque::new(),
        answers,
    };
    let ended = server.run(events);
    match output.failure() {
        Some(error) => Err(error.into()),
        None => ended,
    }
}

fn read_lines(mut input: impl BufRead, lines: &SyncSender<Event>) {
    let mut buffer = Vec::new();
    loop {
        let event = match next_line(&mut input, &mut buffer) {
            Ok(Some(line)) => Event::Line(line.map(str::to_owned)),
            Ok(None) => Event::End(None),
            Err(error) => Event::End(Some(error)),
        };
        let is_end = matches!(event, Event::End(_));
        // Nobody listens any more after `quit`.
        if lines.send(event).is_err() || is_end {
            return;
        }
    }
}

/// A search that runs.
struct Running {
    go: Go,
    stop: Interrupt,
    may_answer: Arc<AtomicBool>,
    /// The index of the side that it thinks for.
    side: usize,
    thread: JoinHandle<Box<dyn Session>>,
}

impl Running {
    /// Whether it ends without being told to.
    fn will_answer(&self) -> bool {
        self.may_answer.load(Ordering::SeqCst) || self.stop.is_requested()
    }
}

struct Server {
    dialect: Dialect,
    options: Options,
    device: Device,
    seed: u64,
    output: Output,
    /// There is none while a search has it, and before it is needed.
    session: Option<Box<dyn Session>>,
    search: Option<Running>,
    /// Commands that came while a search ran that ends by itself: a script need not wait for its answers.
    waiting: VecDeque<Command>,
    answers: SyncSender<Event>,
}

/// Tells the server that a search is over, however it ends.
struct Notice(SyncSender<Event>);

impl Drop for Notice {
    fn drop(&mut self) {
        // Nobody listens any more after `quit`.
        let _ = self.0.send(Event::Answered);
    }
}

/// Why nothing can be changed now.
const IS_SEARCHING: &str = "a search is running, expected `stop` first";

impl Server {
    fn run(mut self, events: Receiver<Event>) -> CommandResult {
        let mut is_ending = false;
        for event in events {
            match event {
                Event::Line(Ok(line)) => match command::parse(self.dialect, &line) {
                    Ok(Command::Quit) => break,
                    Ok(command) => self.receive(command),
                    Err(error) => {
                        self.output.error(&error);
                        // A client waits for an answer whatever was wrong.
                        if self.search.is_none() && line.split_whitespace().next() == Some("go") {
                            self.output.line(self.dialect.no_turn());
                        }
                    }
                },
                Event::Line(Err(error)) => self.output.error(&error),
                Event::Answered => self.take_back_session(),
                Event::End(Some(error)) => {
                    self.stop();
                    return Err(error.into());
                }
                // What ends by itself may still be wanted by a script that has said all it has to say.
                Event::End(None) => is_ending = true,
            }
            self.obey_waiting();
            if is_ending {
                match &self.search {
                    None => return Ok(()),
                    Some(search) if !search.will_answer() => search.stop.request(),
                    Some(_) => {}
                }
            }
        }
        // The events are gone by now, so that the search cannot wait for somebody to listen.
        self.stop();
        self.take_back_session();
        if self.dialect == Dialect::Ucci {
            self.output.line("bye");
        }
        Ok(())
    }

    /// Obeys what has waited, up to the next search and what is said of that.
    fn obey_waiting(&mut self) {
        let is_of_search = |command: &Command| matches!(command, Command::Stop | Command::PonderHit);
        while self.search.is_none() || self.waiting.front().is_some_and(is_of_search) {
            let Some(command) = self.waiting.pop_front() else { return };
            self.obey(command);
        }
    }

    /// Obeys a command, or lets it wait for the search to end.
    fn receive(&mut self, command: Command) {
        let Some(search) = &self.search else { return self.obey(command) };
        if !self.waiting.is_empty() && matches!(command, Command::Stop | Command::PonderHit) {
            // It is said of the search that waits; that there is no time to lose is true of this one, too.
            if command == Command::Stop {
                search.stop.request();
            }
            self.waiting.push_back(command);
            return;
        }
        let is_for_now = matches!(
            command,
            Command::Hello | Command::IsReady | Command::PonderHit | Command::Stop | Command::Nothing | Command::Quit
        );
        let sets_next = matches!(&command, Command::SetOption { name, .. } if !Options::begins_anew(name));
        if is_for_now || sets_next && self.waiting.is_empty() {
            self.obey(command);
        } else if !search.will_answer() {
            self.output.error(&IS_SEARCHING);
        } else if self.waiting.len() == COMMANDS_WAITING {
            self.output.error(&"too many commands wait for the search to end");
        } else {
            self.waiting.push_back(command);
        }
    }

    fn obey(&mut self, command: Command) {
        let done = match command {
            Command::Hello => self.greet(),
            Command::HelloCyclone => {
                (self.options.counts_from_zero, self.session) = (true, None);
                self.greet()
            }
            Command::IsReady => self.answer_ready(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => self.with_session(|session| {
                session.new_game();
                Ok(())
            }),
            Command::Position { start, turns } => {
                self.with_session(|session| session.set_position(start.as_deref(), &turns))
            }
            Command::BanMoves(turns) => self.with_session(|session| session.ban(&turns)),
            Command::Go(go) => {
                if let Err(error) = self.go(go) {
                    // A client waits for an answer whatever was wrong.
                    self.output.error(&error);
                    self.output.line(self.dialect.no_turn());
                }
                Ok(())
            }
            Command::PonderHit => self.ponder_hit(),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::Display => {
                let output = self.output.clone();
                self.with_session(|session| {
                    session.board().lines().for_each(|line| output.line(line));
                    Ok(())
                })
            }
            Command::Nothing | Command::Quit => Ok(()),
        };
        if let Err(error) = done {
            self.output.error(&error);
        }
    }

    fn greet(&mut self) -> Result<(), String> {
        self.output.line(concat!("id name Heng ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Heng developers");
        self.options.lines(self.dialect).iter().for_each(|line| self.output.line(line));
        self.output.line(self.dialect.ok());
        Ok(())
    }

    /// A search is no reason to wait; reading the agent's files is.
    fn answer_ready(&mut self) -> Result<(), String> {
        let ready = if self.search.is_some() { Ok(()) } else { self.with_session(|_| Ok(())) };
        if let Err(error) = ready {
            self.output.error(&error);
        }
        self.output.line("readyok");
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let mut options = self.options.clone();
        let effect = options.set(name, value).map_err(|error| error.to_string())?;
        match effect {
            Effect::None => {}
            Effect::Reload => {
                options.agent.load_on(&self.device).map_err(|error| error.to_string())?;
                self.session = None;
            }
            Effect::NewGame => {
                if let Some(session) = &mut self.session {
                    session.new_game();
                }
            }
        }
        self.options = options;
        Ok(())
    }

    /// Does something with the session, which is set up if there is none.
    fn with_session(&mut self, work: impl FnOnce(&mut dyn Session) -> Result<(), String>) -> Result<(), String> {
        if self.session.is_none() {
            let opened = session::open(self.dialect, &self.options, &self.device, self.seed);
            self.session = Some(opened.map_err(|error| error.to_string())?);
        }
        match &mut self.session {
            Some(session) => work(session.as_mut()),
            None => Ok(()),
        }
    }

    fn go(&mut self, go: Go) -> Result<(), String> {
        self.with_session(|_| Ok(()))?;
        let Some(mut session) = self.session.take() else { return Ok(()) };
        let side = session.side();
        let answers_at_once = !(go.is_infinite || go.is_ponder);
        let job = Job {
            go: go.clone(),
            options: self.options.clone(),
            output: self.output.clone(),
            stop: Interrupt::default(),
            may_answer: Arc::new(AtomicBool::new(answers_at_once)),
        };
        let (stop, may_answer) = (job.stop.clone(), Arc::clone(&job.may_answer));
        let notice = Notice(self.answers.clone());
        let work = move || {
            let _notice = notice;
            session.think(&job);
            session
        };
        let thread = std::thread::Builder::new().name("search".to_owned()).spawn(work);
        let thread = thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        self.search = Some(Running { go, stop, may_answer, side, thread });
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop.request();
        }
    }

    /// The opponent has played what was pondered about: from now on the clock runs.
    fn ponder_hit(&mut self) -> Result<(), String> {
        let is_pondering = |search: &&mut Running| search.go.is_ponder && !search.stop.is_requested();
        let Some(search) = self.search.as_mut().filter(is_pondering) else {
            return Err("nothing is pondered about".to_owned());
        };
        search.go.is_ponder = false;
        search.may_answer.store(true, Ordering::SeqCst);
        let limits = session::limits_of(&search.go, &self.options, self.dialect, search.side);
        let allowance = limits.allowance(search.side);
        let stop = search.stop.clone();
        match allowance {
            Some(time) => {
                let time = time.saturating_sub(self.options.overhead);
                let wait = move || {
                    std::thread::sleep(time);
                    stop.request();
                };
                // Without a thread to wait there is no time to think on.
                if std::thread::Builder::new().spawn(wait).is_err() {
                    search.stop.request();
                }
            }
            None => stop.request(),
        }
        Ok(())
    }

    /// The search has ended: takes the session back.
    fn take_back_session(&mut self) {
        let Some(search) = self.search.take() else { return };
        match search.thread.join() {
            Ok(session) => self.session = Some(session),
            // The next command sets up another one.
            Err(_) => self.output.error(&"the search failed"),
        }
    }
}
