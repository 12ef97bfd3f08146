//! One game as a client sees it: a position that it gives, and an agent that thinks about it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heng_env::notation::FenError;
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Rng, Seeds, Variant};
use heng_mcts::net::Device;

use super::Dialect;
use super::command::Go;
use super::options::Options;
use super::output::{Output, Style, whole_turns};
use crate::agent::{Agent, Clock, LoadedAgent, Opinion, Request, Thinking, ThinkingLimits, Time};
use crate::draw::terminal::{self, Ink};
use crate::draw::{Letters, Trace};
use crate::engine::Writing;
use crate::game_file;
use crate::interrupt::Interrupt;
use crate::playing_on::playing_on;

/// The variant whose clients have habits of their own.
const XIANGQI: &str = "xiangqi";

/// Which field of its position texts counts the quiet moves.
const QUIET_FIELD: usize = 4;

/// The most turns of one game, as in files of games.
const MOST_TURNS: usize = game_file::MOST_TURNS;

/// The one game that the agent follows.
const SLOT: usize = 0;

/// What a session can be asked, whatever is played.
pub(super) trait Session: Send {
    /// Another game begins.
    fn new_game(&mut self);

    /// Plays `turns` from a position text, or from the start.
    ///
    /// # Errors
    /// If the text is no position or a turn is not legal; then the position is the one before.
    fn set_position(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), String>;

    /// Turns that the next answer must not be.
    ///
    /// # Errors
    /// If one is not legal.
    fn ban(&mut self, turns: &[String]) -> Result<(), String>;

    /// The index of the side that decides.
    fn side(&self) -> usize;

    /// Thinks as `job` says and answers.
    fn think(&mut self, job: &Job);

    /// The board for a person.
    fn board(&self) -> String;
}

/// What there is to think about, and what ends it.
pub(super) struct Job {
    pub(super) go: Go,
    pub(super) options: Options,
    pub(super) output: Output,
    pub(super) stop: Interrupt,
    /// Whether an answer may be given: not while the opponent has not played what is pondered about, nor in an endless search that
    /// nobody has stopped.
    pub(super) may_answer: Arc<AtomicBool>,
}

/// How long to wait between two looks at whether an answer may be given.
const PATIENCE: Duration = Duration::from_millis(1);

/// Reads the agent's files and sets up its session. The seed draws what the agent leaves to chance.
///
/// # Errors
/// If the agent cannot play the variant.
pub(super) fn open(
    dialect: Dialect,
    options: &Options,
    device: &Device,
    seed: u64,
) -> Result<Box<dyn Session>, Box<dyn std::error::Error + Send + Sync>> {
    let agent = options.agent.load_on(device)?;
    options.variant.dispatch(Opening {
        dialect,
        counts_from_zero: options.counts_from_zero,
        agent,
        seeds: Seeds::new(seed),
    })
}

struct Opening {
    dialect: Dialect,
    counts_from_zero: bool,
    agent: LoadedAgent,
    seeds: Seeds,
}

impl VariantVisitor for Opening {
    type Output = Result<Box<dyn Session>, Box<dyn std::error::Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let agent = self.agent.player::<G>(variant, &rules, self.seeds)?;
        let start = G::standard_start(&rules);
        let writing = match variant.name() {
            XIANGQI => Writing::Points { first_rank: u8::from(!self.counts_from_zero) },
            _ => Writing::Same,
        };
        Ok(Box::new(GameSession {
            dialect: self.dialect,
            writing,
            is_xiangqi: variant.name() == XIANGQI,
            rules,
            agent,
            rng: self.seeds.stream(Purpose::Match, 0),
            position: start.clone(),
            played: Played { start: start.fen(), steps: Vec::new() },
            told: Played { start: String::new(), steps: Vec::new() },
            banned: Vec::new(),
        }))
    }
}

/// How a position came about.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Played {
    start: String,
    steps: Vec<Action>,
}

struct GameSession<G: Notation> {
    dialect: Dialect,
    writing: Writing,
    is_xiangqi: bool,
    rules: G::Rules,
    agent: Box<dyn Agent<G>>,
    rng: Rng,
    position: G,
    played: Played,
    /// How far the agent has followed the game.
    told: Played,
    /// First steps of turns that must not be played.
    banned: Vec<Action>,
}

impl<G: Notation> Session for GameSession<G> {
    fn new_game(&mut self) {
        self.agent.begin(SLOT);
        self.told = Played { start: String::new(), steps: Vec::new() };
    }

    fn set_position(&mut self, start: Option<&str>, turns: &[String]) -> Result<(), String> {
        let mut position = match start {
            Some(text) => self.read_position(text).map_err(|error| error.to_string())?,
            None => G::standard_start(&self.rules),
        };
        if turns.len() > MOST_TURNS {
            return Err(format!("{} turns, expected at most {MOST_TURNS}", turns.len()));
        }
        if !position.at_turn_start() {
            return Err("the position is in the middle of a turn".to_owned());
        }
        let mut played = Played { start: position.fen(), steps: Vec::new() };
        for (index, text) in turns.iter().enumerate() {
            position = playing_on(position);
            let steps = self.read_turn(&position, text).map_err(|error| format!("turn {}: {error}", index + 1))?;
            steps.iter().for_each(|&action| position.apply(action));
            played.steps.extend(steps);
        }
        (self.position, self.played) = (position, played);
        self.banned.clear();
        Ok(())
    }

    fn ban(&mut self, turns: &[String]) -> Result<(), String> {
        let first = |text: &String| Ok::<Action, String>(self.read_turn(&self.position, text)?[0]);
        self.banned = turns.iter().map(first).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn side(&self) -> usize {
        self.position.side_to_act().index()
    }

    fn think(&mut self, job: &Job) {
        let answer = self.answer(job).unwrap_or_else(|error| {
            job.output.error(&error);
            self.dialect.no_turn().to_owned()
        });
        job.output.line(&answer);
    }

    fn board(&self) -> String {
        let names = heng_env::Side::BOTH.map(G::side_name);
        let last: Vec<Trace> = Vec::new();
        let options = terminal::Options {
            letters: Letters::Latin,
            ink: Ink::Plain,
            view: heng_env::Side::Red,
            names,
            last: &last,
        };
        format!("{}position text: {}\n", terminal::board(&self.position.diagram(), &options), self.position.fen())
    }
}

impl<G: Notation> GameSession<G> {
    fn read_turn(&self, position: &G, text: &str) -> Result<Vec<Action>, String> {
        // What is no pair of points may still be a turn, as people write them.
        let ours = self.writing.read(text).unwrap_or_else(|| text.to_owned());
        position.parse_turn(&ours).map_err(|error| match ours == text {
            true => error.to_string(),
            false => format!("`{text}`, with ranks from 1 {error}"),
        })
    }

    /// A client may play on beyond the limit on quiet moves, whatever its counter says.
    fn read_position(&self, text: &str) -> Result<G, FenError> {
        let text = self.completed(text);
        G::from_fen(&self.rules, &text).or_else(|error| {
            if !self.is_xiangqi || error.field != "quiet" {
                return Err(error);
            }
            let mut fields: Vec<&str> = text.split_whitespace().collect();
            let is_number = |field: &&mut &str| field.parse::<u32>().is_ok();
            match fields.get_mut(QUIET_FIELD).filter(is_number) {
                Some(quiet) => *quiet = "0",
                None => return Err(error),
            }
            G::from_fen(&self.rules, &fields.join(" "))
        })
    }

    /// Clients of Xiangqi leave out the last fields of a position text.
    fn completed(&self, text: &str) -> String {
        const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];
        let given: Vec<&str> = text.split_whitespace().collect();
        let missing = if self.is_xiangqi { DEFAULTS.get(given.len()..).unwrap_or_default() } else { &[] };
        [&given[..], missing].concat().join(" ")
    }

    fn style(&self, options: &Options) -> Style {
        Style { dialect: self.dialect, shows_wdl: options.shows_wdl, writing: self.writing }
    }

    /// Lets the agent follow the game to the position that is asked about.
    fn tell(&mut self) {
        let known = self.told.steps.len();
        let goes_on = self.told.start == self.played.start && self.played.steps.starts_with(&self.told.steps);
        if goes_on {
            self.played.steps[known..].iter().for_each(|&action| self.agent.played(SLOT, action));
        } else {
            self.agent.begin(SLOT);
        }
        self.told = self.played.clone();
    }

    /// The whole turn that the agent plays, as `bestmove` or whatever the protocol has for it.
    fn answer(&mut self, job: &Job) -> Result<String, String> {
        let begun = Instant::now();
        let mut position = playing_on(self.position.clone());
        if position.outcome().is_some() {
            return Ok(self.dialect.no_turn().to_owned());
        }
        self.tell();
        let mut thinking = self.thinking(job)?;
        let style = self.style(&job.options);
        let mut steps = Vec::new();
        let (mut told, mut last) = (Opinion::default(), Opinion::default());
        loop {
            let is_first = steps.is_empty();
            let mut request = Request { slot: SLOT, position: &position, rng: &mut self.rng };
            let opinion = self
                .agent
                .think(&mut request, &thinking, &mut |opinion| {
                    if is_first {
                        tell_opinion(&job.output, style, &self.position, opinion, begun);
                        told = opinion.clone();
                    }
                })
                .map_err(|forfeit| forfeit.to_string())?;
            let Some(&action) = opinion.lines.first().and_then(|line| line.steps.first()) else {
                return Err("the agent has no opinion".to_owned());
            };
            if is_first {
                last = opinion;
            } else {
                last.nodes += opinion.nodes;
                last.lines[0].steps = [&steps[..], &opinion.lines[0].steps].concat();
            }
            steps.push(action);
            self.agent.played(SLOT, action);
            self.told.steps.push(action);
            position.apply(action);
            if position.at_turn_start() || position.outcome().is_some() {
                break;
            }
            (thinking.lines, thinking.among) = (1, None);
        }
        if told != last {
            tell_opinion(&job.output, style, &self.position, &last, begun);
        }
        while !job.may_answer.load(Ordering::SeqCst) && !job.stop.is_requested() {
            std::thread::sleep(PATIENCE);
        }
        Ok(self.best_turn(style, &last.lines[0].steps, &steps))
    }

    /// `line` begins with `steps`, which are a whole turn; the turn that is expected after it is named, too.
    fn best_turn(&self, style: Style, line: &[Action], steps: &[Action]) -> String {
        let turns = whole_turns(&self.position, if line.starts_with(steps) { line } else { steps }).texts;
        let mut turns = turns.iter().map(|turn| style.writing.write(turn));
        let best = turns.next().unwrap_or_default();
        match turns.next() {
            Some(reply) => format!("bestmove {best} ponder {reply}"),
            None => format!("bestmove {best}"),
        }
    }

    fn thinking(&mut self, job: &Job) -> Result<Thinking, String> {
        let (go, options, side) = (&job.go, &job.options, self.position.side_to_act().index());
        let limits = limits_of(go, options, self.dialect, side);
        let waits = go.is_ponder || go.is_infinite;
        let limits = if waits { ThinkingLimits { time: None, is_endless: true, ..limits } } else { limits };
        let mut thinking = Thinking::begin(limits, side, options.overhead, job.stop.clone());
        (thinking.lines, thinking.threads, thinking.memory) = (options.lines, options.threads, options.memory);
        thinking.among = self.among(&go.among)?;
        Ok(thinking)
    }

    /// The first steps of the turns to choose among, if not all.
    fn among(&mut self, turns: &[String]) -> Result<Option<Vec<Action>>, String> {
        let banned = std::mem::take(&mut self.banned);
        if turns.is_empty() && banned.is_empty() {
            return Ok(None);
        }
        let first = |text: &String| Ok::<Action, String>(self.read_turn(&self.position, text)?[0]);
        let mut actions = turns.iter().map(first).collect::<Result<Vec<Action>, String>>()?;
        if turns.is_empty() {
            self.position.legal_actions(&mut actions);
        }
        actions.retain(|action| !banned.contains(action));
        if actions.is_empty() { Err("no turn is left to play".to_owned()) } else { Ok(Some(actions)) }
    }
}

fn tell_opinion<G: Notation>(output: &Output, style: Style, position: &G, opinion: &Opinion, begun: Instant) {
    style.info(position, opinion, begun.elapsed()).iter().for_each(|line| output.line(line));
}

/// What `go` says, for the side with this index.
pub(super) fn limits_of(go: &Go, options: &Options, dialect: Dialect, side: usize) -> ThinkingLimits {
    let time = |time: Option<Duration>| options.time(dialect, time.unwrap_or_default());
    let in_order = |times: [Option<Duration>; 2]| match dialect {
        // UCCI names its own side first.
        Dialect::Ucci if side == 1 => [time(times[1]), time(times[0])],
        _ => times.map(time),
    };
    let own = if dialect == Dialect::Ucci { 0 } else { side };
    let clock = go.time[own].map(|_| {
        Time::Clock(Clock { left: in_order(go.time), increment: in_order(go.increment), turns_to_go: go.turns_to_go })
    });
    let own_nodes = (options.simulations > 0).then_some(options.simulations);
    let given = ThinkingLimits {
        time: go.movetime.map(|movetime| Time::Turn(options.time(dialect, movetime))).or(clock),
        nodes: go.nodes,
        depth: go.depth,
        is_endless: false,
    };
    if given.are_own() { ThinkingLimits { nodes: own_nodes, ..given } } else { given }
}
