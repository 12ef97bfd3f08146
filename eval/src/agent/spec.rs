//! Agents as they are written: one word each.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use heng_mcts::search::{Algorithm, UnknownAlgorithm};
use thiserror::Error;

use crate::engine::{EngineSpec, EngineSpecError, Protocol};

/// The forms that an agent may have, for error messages and help.
pub const FORMS: &str =
    "random, rollout:N, alphabeta:D, runs/NAME, runs/NAME@N, net:DIR, uci:COMMAND, ucci:COMMAND, xboard:COMMAND";

/// The forms again, each with what it is, for the end of help texts.
pub const HELP: &str = "\
Agents:
  random          any legal step
  rollout:N       tree search with N random playouts a step, as in rollout:200
  alphabeta:D     alpha-beta search, D turns deep, as in alphabeta:3
  runs/NAME       the newest net of a run
  runs/NAME@N     its net number N, as in runs/quickstart@42
  net:DIR         a net in a folder with model.safetensors and meta.json
  uci:COMMAND     another program, spoken to in UCI, as in \"uci:fairy-stockfish?nodes=1000\"
  ucci:COMMAND    the same in UCCI, the protocol of Xiangqi engines
  xboard:COMMAND  the same in version 2 of the protocol of xboard
  A net searches with 64 simulations a step unless options follow it, as in
  \"runs/quickstart?sims=200&search=puct\" (quoted for the shell):
  sims=N and search=gumbel (the usual one), puct or policy (no search at all)
  A program thinks 1 s a turn unless limits follow it in the same way: movetime=MS,
  nodes=N, depth=D; option.NAME=VALUE sets one of its own options";

/// The most simulations, playouts or plies that make sense to ask for.
const MOST_SIMULATIONS: u32 = 1_000_000;
const MOST_DEPTH: u32 = 64;

/// An agent as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentSpec {
    /// `random`: every legal step with the same chance.
    Random,
    /// `rollout:N`: tree search with `N` random playouts a step.
    Rollout {
        /// Playouts for each step.
        playouts: u32,
    },
    /// `alphabeta:D`: alpha-beta search of `D` turns.
    AlphaBeta {
        /// Turns to look ahead.
        depth: u32,
    },
    /// `runs/NAME` or `runs/NAME@N`: a net of a run.
    Run {
        /// The run's directory.
        directory: PathBuf,
        /// Which net; the newest if not given.
        net: Option<u64>,
        /// How it searches.
        search: SearchOptions,
    },
    /// `net:DIR`: a net outside a run.
    Net {
        /// The directory with `model.safetensors` and `meta.json`.
        directory: PathBuf,
        /// How it searches.
        search: SearchOptions,
    },
    /// `uci:COMMAND`, `ucci:COMMAND` or `xboard:COMMAND`: a program of others.
    Engine(EngineSpec),
}

impl AgentSpec {
    /// Whether time, in place of the limits of both, makes one player of them.
    pub fn is_same_in_time(&self, other: &AgentSpec) -> bool {
        match (self, other) {
            (AgentSpec::AlphaBeta { .. }, AgentSpec::AlphaBeta { .. })
            | (AgentSpec::Rollout { .. }, AgentSpec::Rollout { .. }) => true,
            _ => self == other,
        }
    }
}

/// How a network searches, as far as it is given after `?`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// Simulations for each step.
    pub simulations: Option<u32>,
    /// The algorithm; `policy` is no search at all: the step that the network likes best.
    pub algorithm: Option<Algorithm>,
}

/// Why a word is no agent: what is wrong with it and what was expected. The word itself is left to who asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct AgentSpecError(String);

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<AgentSpec, AgentSpecError> {
        parse(text).map_err(AgentSpecError)
    }
}

fn parse(text: &str) -> Result<AgentSpec, String> {
    // A command may hold anything, a `?` included.
    if Protocol::ALL.iter().any(|protocol| text.strip_prefix(protocol.name()).is_some_and(|rest| rest.starts_with(':')))
    {
        return text.parse().map(AgentSpec::Engine).map_err(|error: EngineSpecError| error.to_string());
    }
    let (name, options) = match text.split_once('?') {
        Some((name, options)) => (name, Some(options)),
        None => (text, None),
    };
    let spec = parse_name(name)?;
    match (spec, options) {
        (spec, None) => Ok(spec),
        (AgentSpec::Run { directory, net, .. }, Some(options)) => {
            Ok(AgentSpec::Run { directory, net, search: parse_options(options)? })
        }
        (AgentSpec::Net { directory, .. }, Some(options)) => {
            Ok(AgentSpec::Net { directory, search: parse_options(options)? })
        }
        (_, Some(options)) => Err(format!("`?{options}` is for networks only")),
    }
}

fn parse_name(name: &str) -> Result<AgentSpec, String> {
    let search = SearchOptions::default();
    if name == "random" {
        return Ok(AgentSpec::Random);
    }
    match name.split_once(':') {
        Some(("rollout", number)) => {
            let playouts = parse_number("number of playouts", number, MOST_SIMULATIONS)?;
            Ok(AgentSpec::Rollout { playouts })
        }
        Some(("alphabeta", number)) => {
            let depth = parse_number("depth", number, MOST_DEPTH)?;
            Ok(AgentSpec::AlphaBeta { depth })
        }
        Some(("net", "")) => Err("expected a directory after `net:`".to_owned()),
        Some(("net", directory)) => Ok(AgentSpec::Net { directory: directory.into(), search }),
        _ if ["rollout", "alphabeta", "net", "uci", "ucci", "xboard"].contains(&name) => {
            Err(format!("expected a `:` and a value after `{name}`"))
        }
        _ => parse_run(name),
    }
}

/// A run is a path: it holds a `/`, or it is a directory that exists.
fn parse_run(name: &str) -> Result<AgentSpec, String> {
    let (directory, net) = match name.rsplit_once('@') {
        Some((directory, net)) => {
            let number = net.parse().map_err(|_| format!("`{net}` is no number of a net, expected one after `@`"))?;
            (directory, Some(number))
        }
        None => (name, None),
    };
    if directory.is_empty() || !(directory.contains('/') || Path::new(directory).is_dir()) {
        return Err(format!("unknown agent, expected one of {FORMS}"));
    }
    Ok(AgentSpec::Run { directory: directory.into(), net, search: SearchOptions::default() })
}

fn parse_options(text: &str) -> Result<SearchOptions, String> {
    let mut options = SearchOptions::default();
    for part in text.split('&') {
        let (key, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is not of the form key=value"))?;
        let set_twice = match key {
            "sims" => {
                let simulations = parse_number("number of simulations", value, MOST_SIMULATIONS)?;
                options.simulations.replace(simulations).is_some()
            }
            "search" => {
                let algorithm = value.parse().map_err(|error: UnknownAlgorithm| error.to_string())?;
                options.algorithm.replace(algorithm).is_some()
            }
            _ => return Err(format!("unknown option `{key}`, expected sims or search")),
        };
        if set_twice {
            return Err(format!("`{key}` is given twice"));
        }
    }
    Ok(options)
}

fn parse_number(what: &str, text: &str, most: u32) -> Result<u32, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("{what} is `{text}`, expected 1 to {most}")),
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentSpec::Random => out.write_str("random"),
            AgentSpec::Rollout { playouts } => write!(out, "rollout:{playouts}"),
            AgentSpec::AlphaBeta { depth } => write!(out, "alphabeta:{depth}"),
            AgentSpec::Run { directory, net, search } => {
                write!(out, "{}", directory.display())?;
                if let Some(net) = net {
                    write!(out, "@{net}")?;
                }
                write!(out, "{search}")
            }
            AgentSpec::Engine(engine) => write!(out, "{engine}"),
            AgentSpec::Net { directory, search } => write!(out, "net:{}{search}", directory.display()),
        }
    }
}

impl fmt::Display for SearchOptions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let simulations = self.simulations.map(|number| format!("sims={number}"));
        let algorithm = self.algorithm.map(|algorithm| format!("search={algorithm}"));
        let parts: Vec<String> = simulations.into_iter().chain(algorithm).collect();
        if parts.is_empty() { Ok(()) } else { write!(out, "?{}", parts.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use heng_mcts::search::SearchConfig;

    use super::*;

    #[test]
    fn an_agent_is_written_as_it_is_read() {
        for text in [
            "random",
            "rollout:200",
            "alphabeta:4",
            "runs/a",
            "/tmp/some run/b@0",
            "runs/a@42?sims=64&search=puct",
            "runs/a?search=policy",
            "net:nets/x?sims=8",
            "uci:fairy-stockfish?nodes=100&option.Skill Level=3",
            "ucci:'a command' --what?",
            "xboard:hoixiangqi?depth=2",
        ] {
            assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_help_names_every_form_and_the_settings_a_net_has_by_itself() {
        for form in FORMS.split(", ") {
            assert!(HELP.contains(&format!("\n  {form} ")), "{form}");
        }
        let config = SearchConfig::default();
        assert!(HELP.contains(&format!("with {} simulations", config.simulations)));
        assert!(HELP.contains(&format!("search={} (the usual one)", config.algorithm)));
    }

    #[test]
    fn an_error_says_what_is_wrong_and_what_was_expected() {
        for (text, problem) in [
            ("", "unknown agent, expected one of random"),
            ("rndom", "unknown agent, expected one of random"),
            ("rollout", "expected a `:` and a value after `rollout`"),
            ("rollout:0", "number of playouts is `0`, expected 1 to 1000000"),
            ("rollout:1e3", "number of playouts is `1e3`"),
            ("alphabeta:-1", "depth is `-1`, expected 1 to 64"),
            ("random?sims=3", "`?sims=3` is for networks only"),
            ("uci:", "`` is no command, expected a program"),
            ("xboard", "expected a `:` and a value after `xboard`"),
            ("uci:x?nodes=0", "nodes is `0`, expected a number above 0"),
            ("net:", "expected a directory after `net:`"),
            ("runs/a@latest", "`latest` is no number of a net"),
            ("runs/a?", "`` is not of the form key=value"),
            ("runs/a?sims=0", "number of simulations is `0`"),
            ("runs/a?sims=1&sims=2", "`sims` is given twice"),
            ("runs/a?depth=1", "unknown option `depth`, expected sims or search"),
            ("runs/a?search=mcts", "unknown search `mcts`, expected gumbel, puct or policy"),
        ] {
            let error = text.parse::<AgentSpec>().unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
