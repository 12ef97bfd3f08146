//! Engines as they are written: the protocol, the command, and limits and options after a `?`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::error::shown;

/// The forms of an engine, for error messages and help.
pub const FORMS: &str = "uci:COMMAND, ucci:COMMAND, xboard:COMMAND";

/// The forms again, each with what it is, for the end of help texts.
pub const HELP: &str = "\
  uci:COMMAND     another program, spoken to in UCI, as in \"uci:fairy-stockfish?movetime=100\"
  ucci:COMMAND    the same in UCCI, the protocol of Xiangqi engines
  xboard:COMMAND  the same in version 2 of the protocol of xboard
  An engine thinks 1 s a turn unless limits follow it: movetime=MS, nodes=N, depth=D;
  option.NAME=VALUE sets one of its own options, ranks=0 says that it calls the first rank 0";

/// How long an engine may be told to think about one turn: a day.
const MOST_MILLISECONDS: u64 = 86_400_000;

/// The language in which an engine is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Chinese Chess Protocol, version 3.0.
    Ucci,
    /// The Chess Engine Communication Protocol, version 2.
    Xboard,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 3] = [Protocol::Uci, Protocol::Ucci, Protocol::Xboard];

    /// The word before the `:`, which is also what the engine is greeted with.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
            Protocol::Xboard => "xboard",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// An engine as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// The program and its arguments, quoted as for a shell.
    pub command: String,
    /// How long it thinks about a turn.
    pub movetime: Option<Duration>,
    /// How many positions it looks at for a turn.
    pub nodes: Option<u64>,
    /// How many plies it looks ahead.
    pub depth: Option<u32>,
    /// What it calls the first rank, 0 or 1; if not given, what is usual for the protocol.
    pub first_rank: Option<u8>,
    /// Its own options, in the order in which they are set.
    pub options: Vec<(String, String)>,
}

/// Why a text is no engine: what is wrong with it and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineSpecError {
    /// No protocol before the `:`.
    #[error("unknown protocol `{0}`, expected one of {FORMS}")]
    Protocol(String),
    /// Nothing after the `:`, or quotes that do not close.
    #[error("`{0}` is no command, expected a program and its arguments, quoted as for a shell")]
    Command(String),
    /// Not of the form key=value.
    #[error("`{0}` is not of the form key=value")]
    Pair(String),
    /// A key that means nothing here.
    #[error("unknown setting `{0}`, expected movetime, nodes, depth, ranks or option.NAME")]
    Key(String),
    /// A value out of range.
    #[error("{key} is `{value}`, expected {expected}")]
    Value {
        /// The setting.
        key: &'static str,
        /// What was given.
        value: String,
        /// The values that make sense.
        expected: &'static str,
    },
    /// The protocol has no such limit.
    #[error("{key} is no limit of the protocol {protocol}, expected {expected}")]
    Limit {
        /// The limit.
        key: &'static str,
        /// The protocol.
        protocol: Protocol,
        /// Its limits.
        expected: &'static str,
    },
    /// Percent signs that encode no text.
    #[error("`{0}` is not percent-encoded text, expected one line like `a%26b`")]
    Encoding(String),
    /// The same setting again.
    #[error("`{0}` is given twice")]
    Twice(String),
}

impl EngineSpec {
    /// The program and its arguments; `None` if the quotes do not close or there is no word.
    pub fn words(&self) -> Option<Vec<String>> {
        words(&self.command)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), EngineSpecError> {
        let is_set = match key {
            "movetime" => {
                let milliseconds = number("movetime", value, 1..=MOST_MILLISECONDS, "1 to 86400000 milliseconds")?;
                self.movetime.replace(Duration::from_millis(milliseconds)).is_some()
            }
            "nodes" => self.nodes.replace(number("nodes", value, 1..=u64::MAX, "a number above 0")?).is_some(),
            "depth" => {
                let depth = number("depth", value, 1..=1000, "1 to 1000")?;
                self.depth.replace(depth as u32).is_some()
            }
            "ranks" => self.first_rank.replace(number("ranks", value, 0..=1, "0 or 1")? as u8).is_some(),
            _ => return self.set_option(key, value),
        };
        if is_set { Err(EngineSpecError::Twice(shown(key))) } else { Ok(()) }
    }

    fn set_option(&mut self, key: &str, value: &str) -> Result<(), EngineSpecError> {
        let name = key.strip_prefix("option.").filter(|name| !name.trim().is_empty());
        let name = decoded(name.ok_or_else(|| EngineSpecError::Key(shown(key)))?)?;
        if self.options.iter().any(|(other, _)| other.eq_ignore_ascii_case(&name)) {
            return Err(EngineSpecError::Twice(shown(key)));
        }
        self.options.push((name, decoded(value)?));
        Ok(())
    }
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<EngineSpec, EngineSpecError> {
        let (protocol, rest) = text.split_once(':').unwrap_or((text, ""));
        let protocol = Protocol::ALL.into_iter().find(|candidate| candidate.name() == protocol);
        let protocol = protocol.ok_or_else(|| EngineSpecError::Protocol(before_colon(text)))?;
        let (command, pairs) = match rest.rsplit_once('?') {
            Some((command, pairs)) if looks_like_pairs(pairs) => (command, Some(pairs)),
            _ => (rest, None),
        };
        if words(command).is_none() {
            return Err(EngineSpecError::Command(shown(command)));
        }
        let command = command.trim_start().to_owned();
        let (movetime, nodes, depth, first_rank) = (None, None, None, None);
        let mut spec = EngineSpec { protocol, command, movetime, nodes, depth, first_rank, options: Vec::new() };
        for pair in pairs.into_iter().flat_map(|pairs| pairs.split('&')) {
            let (key, value) = pair.split_once('=').ok_or_else(|| EngineSpecError::Pair(shown(pair)))?;
            spec.set(key, value)?;
        }
        if protocol == Protocol::Xboard && spec.nodes.is_some() {
            return Err(EngineSpecError::Limit { key: "nodes", protocol, expected: "movetime or depth" });
        }
        Ok(spec)
    }
}

fn before_colon(text: &str) -> String {
    shown(text.split(':').next().unwrap_or_default())
}

fn words(command: &str) -> Option<Vec<String>> {
    let one_line = !command.contains(['\n', '\r', '\0']);
    shlex::split(command).filter(|words| one_line && words.first().is_some_and(|program| !program.is_empty()))
}

/// A command may hold a `?` of its own. What follows the last one is meant as settings if it begins with a `key=`.
fn looks_like_pairs(text: &str) -> bool {
    let key = text.split(['=', '&']).next().unwrap_or_default();
    let is_key =
        key.starts_with("option.") || (!key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphabetic()));
    is_key && text.contains('=')
}

fn number(
    key: &'static str,
    value: &str,
    range: std::ops::RangeInclusive<u64>,
    expected: &'static str,
) -> Result<u64, EngineSpecError> {
    let number = value.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| EngineSpecError::Value { key, value: shown(value), expected })
}

/// The text that is written with `%26` for `&` and so on. It goes to an engine as a part of one line.
fn decoded(text: &str) -> Result<String, EngineSpecError> {
    let broken = || EngineSpecError::Encoding(shown(text));
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let code =
            part.get(..2).filter(|code| code.bytes().all(|digit| digit.is_ascii_hexdigit())).ok_or_else(broken)?;
        bytes.push(u8::from_str_radix(code, 16).map_err(|_| broken())?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control)).ok_or_else(broken)
}

fn encoded(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '%' | '&' | '?' | '=' => written.push_str(&format!("%{:02X}", u32::from(letter))),
            _ => written.push(letter),
        }
    }
    written
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let movetime = self.movetime.map(|time| format!("movetime={}", time.as_millis()));
        let nodes = self.nodes.map(|number| format!("nodes={number}"));
        let depth = self.depth.map(|plies| format!("depth={plies}"));
        let ranks = self.first_rank.map(|first| format!("ranks={first}"));
        let options = self.options.iter().map(|(name, value)| format!("option.{}={}", encoded(name), encoded(value)));
        let pairs: Vec<String> = [movetime, nodes, depth, ranks].into_iter().flatten().chain(options).collect();
        write!(out, "{}:{}", self.protocol, self.command)?;
        if pairs.is_empty() { Ok(()) } else { write!(out, "?{}", pairs.join("&")) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_engine_is_written_as_it_is_read() {
        for text in [
            "uci:fairy-stockfish",
            "uci:/opt/my\\ engine --threads 2?movetime=100",
            "ucci:'an engine' \"-x y\"?nodes=5000&depth=3",
            "xboard:hoixiangqi --norc?movetime=1500&depth=4",
            "uci:pikafish?ranks=0&option.Skill Level=3&option.EvalFile=a%26b%3F.nnue&option.Clear Hash=",
            "uci:sh -c 'what?'",
        ] {
            assert_eq!(text.parse::<EngineSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_command_is_split_as_a_shell_would() {
        let spec: EngineSpec = "uci:'an engine' \"-x y\" z\\ z?option.Skill Level=3&option.A=%26".parse().unwrap();
        assert_eq!(spec.words().unwrap(), ["an engine", "-x y", "z z"]);
        assert_eq!(spec.options, [("Skill Level".into(), "3".into()), ("A".into(), "&".into())]);
    }

    #[test]
    fn an_error_says_what_is_wrong_and_what_was_expected() {
        for (text, problem) in [
            ("usi:x", "unknown protocol `usi`, expected one of uci:COMMAND"),
            ("uci", "`` is no command"),
            ("uci:?movetime=3", "`` is no command"),
            ("uci:'x", "`'x` is no command, expected a program"),
            ("uci:x?movetime=0", "movetime is `0`, expected 1 to 86400000 milliseconds"),
            ("uci:x?nodes=-1", "nodes is `-1`, expected a number above 0"),
            ("uci:x?depth=x", "depth is `x`, expected 1 to 1000"),
            ("uci:x?ranks=2", "ranks is `2`, expected 0 or 1"),
            ("uci:x?depth=1&depth=2", "`depth` is given twice"),
            ("uci:x?option.a=1&option.A=2", "`option.A` is given twice"),
            ("uci:x?sims=3", "unknown setting `sims`, expected movetime"),
            ("uci:x?option.=3", "unknown setting `option.`"),
            ("uci:x?depth=3&y", "`y` is not of the form key=value"),
            ("uci:x?option.a=%0a", "`%0a` is not percent-encoded text"),
            ("uci:x?option.a=%+1", "`%+1` is not percent-encoded text"),
            ("xboard:x?nodes=3", "nodes is no limit of the protocol xboard, expected movetime or depth"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.starts_with(problem), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_engine_that_round_trips_or_an_error_of_one_line(
            text in "(uci:|ucci:|xboard:)?[a-z '\"\\\\]{0,8}(\\PC|\n){0,8}(\\?(movetime|nodes|depth|ranks|option\\.[a-c %=]{0,3})=[0-9a-f%&?=]{0,6}){0,2}"
        ) {
            match text.parse::<EngineSpec>() {
                Ok(spec) => prop_assert_eq!(spec.to_string().parse::<EngineSpec>(), Ok(spec)),
                Err(error) => prop_assert_eq!(error.to_string().lines().count(), 1),
            }
        }
    }
}
