//! What a client can set.

use std::time::Duration;

use heng_env::Variant;
use heng_env::variants::VariantError;
use thiserror::Error;

use super::Dialect;
use crate::agent::{AgentSpec, AgentSpecError};

/// The settings of a session.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// What is played.
    pub(super) variant: Variant,
    /// Who plays.
    pub(super) agent: AgentSpec,
    /// Threads of a search.
    pub(super) threads: usize,
    /// Bytes of a search, at most.
    pub(super) memory: usize,
    /// Lines to report.
    pub(super) lines: usize,
    /// Time that is kept back for the way to the client.
    pub(super) overhead: Duration,
    /// Simulations a step where `go` gives no limit; 0 for the agent's own.
    pub(super) simulations: u64,
    /// Whether scores come with chances of a win, a draw and a loss.
    pub(super) shows_wdl: bool,
    /// Whether the ranks of Xiangqi are counted from 0.
    pub(super) counts_from_zero: bool,
    /// In UCCI, whether times are in milliseconds and not in seconds.
    pub(super) is_in_milliseconds: bool,
}

const MEBIBYTE: usize = 1 << 20;
const MEMORY_MAX: u64 = 1 << 16;
const LINES_MAX: u64 = 256;
const OVERHEAD_MAX: u64 = 5000;
const SIMULATIONS_MAX: u64 = 100_000_000;

/// Why an option is not set.
#[derive(Debug, Error)]
pub(super) enum OptionError {
    #[error("no option `{0}`")]
    Unknown(String),
    #[error("option `{name}` is `{value}`, expected a number from {least} to {most}")]
    Number { name: &'static str, value: String, least: u64, most: u64 },
    #[error("option `{name}` is `{value}`, expected true or false")]
    Check { name: &'static str, value: String },
    #[error("option `UCI_Variant`: {0}")]
    Variant(#[from] VariantError),
    #[error("option `Agent` is `{text}`: {problem}")]
    Agent { text: String, problem: AgentSpecError },
}

/// What has to be done after an option was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    None,
    /// Another agent or variant: all begins anew.
    Reload,
    /// Whatever was remembered of earlier positions is of no use.
    NewGame,
}

impl Options {
    /// What a session begins with.
    pub(super) fn new(dialect: Dialect, variant: Variant, agent: AgentSpec) -> Options {
        Options {
            variant,
            agent,
            threads: 1,
            memory: 256 * MEBIBYTE,
            lines: 1,
            overhead: Duration::from_millis(10),
            simulations: 0,
            shows_wdl: true,
            counts_from_zero: dialect == Dialect::Ucci,
            is_in_milliseconds: true,
        }
    }

    /// The lines that tell a client which options there are.
    pub(super) fn lines(&self, dialect: Dialect) -> Vec<String> {
        let threads = threads_max();
        let memory = self.memory / MEBIBYTE;
        match dialect {
            Dialect::Uci => {
                let variants = Variant::names().join(" var ");
                vec![
                    format!("option name UCI_Variant type combo default {} var {variants}", self.variant),
                    format!("option name Agent type string default {}", self.agent),
                    format!("option name Threads type spin default 1 min 1 max {threads}"),
                    format!("option name Hash type spin default {memory} min 1 max {MEMORY_MAX}"),
                    "option name Clear Hash type button".to_owned(),
                    "option name Ponder type check default false".to_owned(),
                    format!("option name MultiPV type spin default 1 min 1 max {LINES_MAX}"),
                    format!("option name Simulations type spin default 0 min 0 max {SIMULATIONS_MAX}"),
                    format!("option name Move Overhead type spin default 10 min 0 max {OVERHEAD_MAX}"),
                    "option name UCI_ShowWDL type check default true".to_owned(),
                ]
            }
            Dialect::Ucci => vec![
                "option usemillisec type check default true".to_owned(),
                "option ponder type check default false".to_owned(),
                format!("option hashsize type spin min 1 max {MEMORY_MAX} default {memory}"),
                format!("option threads type spin min 1 max {threads} default 1"),
                format!("option agent type string default {}", self.agent),
                "option newgame type button".to_owned(),
            ],
        }
    }

    /// Whether setting this option changes more than what the next search does.
    pub(super) fn begins_anew(name: &str) -> bool {
        ["uci_variant", "agent", "clear hash", "newgame"].iter().any(|other| name.eq_ignore_ascii_case(other))
    }

    /// Sets an option; names are read in any case, and those of either protocol in both.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                self.variant = value.parse()?;
                return Ok(Effect::Reload);
            }
            "agent" => {
                let parsed = value.parse();
                self.agent = parsed.map_err(|problem| OptionError::Agent { text: value.to_owned(), problem })?;
                return Ok(Effect::Reload);
            }
            "clear hash" | "newgame" => return Ok(Effect::NewGame),
            "threads" => self.threads = number("Threads", value, 1, threads_max())? as usize,
            "hash" | "hashsize" => self.memory = number("Hash", value, 1, MEMORY_MAX)? as usize * MEBIBYTE,
            "multipv" => self.lines = number("MultiPV", value, 1, LINES_MAX)? as usize,
            "move overhead" => self.overhead = Duration::from_millis(number("Move Overhead", value, 0, OVERHEAD_MAX)?),
            "simulations" => self.simulations = number("Simulations", value, 0, SIMULATIONS_MAX)?,
            "uci_showwdl" => self.shows_wdl = check("UCI_ShowWDL", value)?,
            "usemillisec" => self.is_in_milliseconds = check("usemillisec", value)?,
            // Clients set these whether an engine has them or not; none changes what is answered to `go`.
            "ponder" | "uci_analysemode" | "uci_opponent" | "batch" | "debug" | "usebook" | "useegtb" | "bookfiles"
            | "egtbpaths" | "idle" | "pruning" | "knowledge" | "randomness" | "style" | "promotion" => {}
            _ => return Err(OptionError::Unknown(name.to_owned())),
        }
        Ok(Effect::None)
    }

    /// A time as the client meant it.
    pub(super) fn time(&self, dialect: Dialect, time: Duration) -> Duration {
        if dialect == Dialect::Ucci && !self.is_in_milliseconds { time.saturating_mul(1000) } else { time }
    }
}

fn threads_max() -> u64 {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64
}

fn number(name: &'static str, value: &str, least: u64, most: u64) -> Result<u64, OptionError> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| OptionError::Number { name, value: value.to_owned(), least, most })
}

fn check(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => Err(OptionError::Check { name, value: value.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_is_offered_can_be_set_to_its_default() {
        let mut options = Options::new(Dialect::Uci, "xiangqi".parse().unwrap(), AgentSpec::Random);
        for dialect in [Dialect::Uci, Dialect::Ucci] {
            for line in options.lines(dialect) {
                let line = line.replacen("name ", "", 1);
                let (name, rest) = line.strip_prefix("option ").unwrap().split_once(" type ").unwrap();
                let default = rest.split_once("default ").map_or("", |(_, rest)| rest.split(' ').next().unwrap());
                assert!(options.set(name, default).is_ok(), "{line}");
            }
        }
    }

    #[test]
    fn a_wrong_value_is_named_with_what_was_expected() {
        let mut options = Options::new(Dialect::Uci, "xiangqi".parse().unwrap(), AgentSpec::Random);
        for (name, value, error) in [
            ("Colour", "red", "no option `Colour`"),
            ("hash", "0", "option `Hash` is `0`, expected a number from 1 to 65536"),
            ("MultiPV", "", "option `MultiPV` is ``, expected a number"),
            ("UCI_ShowWDL", "yes", "option `UCI_ShowWDL` is `yes`, expected true or false"),
            ("UCI_Variant", "chess", "option `UCI_Variant`: unknown variant `chess`"),
            ("Agent", "stockfish", "option `Agent` is `stockfish`: unknown agent"),
        ] {
            let found = options.set(name, value).unwrap_err().to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }
}
