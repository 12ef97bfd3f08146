//! What a client says, line by line, in either protocol.

use std::time::Duration;

use thiserror::Error;

use super::Dialect;

/// A command that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `uci` or `ucci`.
    Hello,
    /// `ucicyclone`: `uci` from a client that counts the ranks of Xiangqi from 0.
    HelloCyclone,
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption { name: String, value: String },
    /// `ucinewgame`.
    NewGame,
    /// `position`: a position text, or none for the start, and the turns since.
    Position { start: Option<String>, turns: Vec<String> },
    /// `banmoves`: turns that must not be played.
    BanMoves(Vec<String>),
    /// `go`.
    Go(Go),
    /// `ponderhit`.
    PonderHit,
    /// `stop`.
    Stop,
    /// `quit`.
    Quit,
    /// `d`: the board for a person.
    Display,
    /// What asks for nothing: an empty line, `debug`, `register`.
    Nothing,
}

/// What `go` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Turns to choose among, if not all.
    pub(super) among: Vec<String>,
    /// Think in the opponent's time.
    pub(super) is_ponder: bool,
    /// Until it is stopped.
    pub(super) is_infinite: bool,
    /// Time for this turn.
    pub(super) movetime: Option<Duration>,
    /// Time on the clocks: in UCI of red and black, in UCCI of the side that decides and of the other.
    pub(super) time: [Option<Duration>; 2],
    /// What a turn adds, in the same order.
    pub(super) increment: [Option<Duration>; 2],
    /// Turns until time is added.
    pub(super) turns_to_go: Option<u32>,
    /// Turns to look ahead.
    pub(super) depth: Option<u32>,
    /// Simulations.
    pub(super) nodes: Option<u64>,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum CommandError {
    #[error("unknown command `{0}`, expected one of {1}")]
    Unknown(String, &'static str),
    #[error("expected `{0}`")]
    Usage(&'static str),
    #[error("`{word}` is `{value}`, expected {expected}")]
    Value { word: String, value: String, expected: &'static str },
    #[error("unknown word `{0}` after go")]
    UnknownLimit(String),
}

/// The most that a number of nodes or milliseconds may be.
const NUMBER_MAX: u64 = 1 << 52;

/// Reads a line.
pub(super) fn parse(dialect: Dialect, line: &str) -> Result<Command, CommandError> {
    let (word, rest) = split_word(line);
    let ucci = dialect == Dialect::Ucci;
    match word {
        "uci" if !ucci => Ok(Command::Hello),
        "ucicyclone" if !ucci => Ok(Command::HelloCyclone),
        "ucci" if ucci => Ok(Command::Hello),
        "isready" => Ok(Command::IsReady),
        "setoption" if ucci => set_ucci_option(rest),
        "setoption" => set_uci_option(rest),
        "ucinewgame" if !ucci => Ok(Command::NewGame),
        "position" => position(rest),
        "banmoves" if ucci => Ok(Command::BanMoves(words(rest))),
        "go" => go(dialect, rest).map(Command::Go),
        "ponderhit" => Ok(Command::PonderHit),
        "stop" => Ok(Command::Stop),
        "quit" => Ok(Command::Quit),
        "d" => Ok(Command::Display),
        "" | "debug" | "register" | "probe" => Ok(Command::Nothing),
        _ => Err(CommandError::Unknown(word.to_owned(), dialect.commands())),
    }
}

fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    (word, rest.trim())
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// `name NAME [value VALUE]`, where both may have spaces.
fn set_uci_option(text: &str) -> Result<Command, CommandError> {
    let usage = CommandError::Usage("setoption name NAME [value VALUE]");
    let ("name", rest) = split_word(text) else { return Err(usage) };
    let parts: Vec<&str> = rest.split_whitespace().collect();
    let split = parts.iter().position(|&part| part == "value").unwrap_or(parts.len());
    let name = parts[..split].join(" ");
    let value = parts.get(split + 1..).unwrap_or_default().join(" ");
    if name.is_empty() { Err(usage) } else { Ok(Command::SetOption { name, value }) }
}

/// `NAME [VALUE]`.
fn set_ucci_option(text: &str) -> Result<Command, CommandError> {
    let (name, value) = split_word(text);
    if name.is_empty() {
        return Err(CommandError::Usage("setoption NAME [VALUE]"));
    }
    Ok(Command::SetOption { name: name.to_owned(), value: value.to_owned() })
}

fn position(text: &str) -> Result<Command, CommandError> {
    let usage = || CommandError::Usage("position startpos|fen FEN [moves TURN …]");
    let all: Vec<&str> = text.split_whitespace().collect();
    let split = all.iter().position(|&word| word == "moves").unwrap_or(all.len());
    let turns = all.get(split + 1..).unwrap_or_default().iter().map(|&turn| turn.to_owned()).collect();
    let start = match all[..split] {
        ["startpos"] => None,
        ["fen", ref fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err(usage()),
    };
    Ok(Command::Position { start, turns })
}

fn go(dialect: Dialect, text: &str) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut rest = text.split_whitespace();
    while let Some(word) = rest.next() {
        match word {
            "ponder" => go.is_ponder = true,
            // A draw is offered, which the rules here do not know.
            "draw" if dialect == Dialect::Ucci => {}
            "infinite" => go.is_infinite = true,
            "searchmoves" => {
                go.among = rest.map(str::to_owned).collect();
                return Ok(go);
            }
            "depth" if dialect == Dialect::Ucci && rest.clone().next() == Some("infinite") => {
                rest.next();
                go.is_infinite = true;
            }
            _ => set_limit(&mut go, dialect, word, rest.next())?,
        }
    }
    Ok(go)
}

fn set_limit(go: &mut Go, dialect: Dialect, word: &str, value: Option<&str>) -> Result<(), CommandError> {
    let number = || number(word, value);
    let time = || milliseconds(word, value);
    let ucci = dialect == Dialect::Ucci;
    match word {
        "movetime" => go.movetime = Some(time()?),
        "wtime" if !ucci => go.time[0] = Some(time()?),
        "btime" if !ucci => go.time[1] = Some(time()?),
        "winc" if !ucci => go.increment[0] = Some(time()?),
        "binc" if !ucci => go.increment[1] = Some(time()?),
        "time" if ucci => go.time[0] = Some(time()?),
        "opptime" if ucci => go.time[1] = Some(time()?),
        "increment" if ucci => go.increment[0] = Some(time()?),
        "oppincrement" if ucci => go.increment[1] = Some(time()?),
        "movestogo" => go.turns_to_go = Some(number()?.clamp(1, u64::from(u32::MAX)) as u32),
        "oppmovestogo" if ucci => drop(number()?),
        "depth" | "mate" => go.depth = Some(number()?.clamp(1, u64::from(u32::MAX)) as u32),
        "nodes" => go.nodes = Some(number()?.max(1)),
        _ => return Err(CommandError::UnknownLimit(word.to_owned())),
    }
    Ok(())
}

fn number(word: &str, value: Option<&str>) -> Result<u64, CommandError> {
    let value = value.unwrap_or_default();
    value.parse().ok().filter(|&number| number <= NUMBER_MAX).ok_or_else(|| CommandError::Value {
        word: word.to_owned(),
        value: value.to_owned(),
        expected: "a number, 0 or more",
    })
}

/// A time in the client's unit. A clock that has run out is below zero with some clients.
fn milliseconds(word: &str, value: Option<&str>) -> Result<Duration, CommandError> {
    let text = value.unwrap_or_default();
    match text.parse::<i64>() {
        Ok(number) if number < 0 => Ok(Duration::ZERO),
        _ => Ok(Duration::from_millis(number(word, value)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(dialect: Dialect, line: &str) -> String {
        match parse(dialect, line) {
            Ok(command) => format!("{command:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_position_has_a_start_and_turns() {
        let position = |start: Option<&str>, turns: &[&str]| {
            let turns = turns.iter().map(|&turn| turn.to_owned()).collect();
            Ok(Command::Position { start: start.map(str::to_owned), turns })
        };
        assert_eq!(parse(Dialect::Uci, " position  startpos "), position(None, &[]));
        assert_eq!(parse(Dialect::Uci, "position startpos moves h3e3 h10g8"), position(None, &["h3e3", "h10g8"]));
        assert_eq!(parse(Dialect::Ucci, "position fen 9/9 w - - 0 1 moves"), position(Some("9/9 w - - 0 1"), &[]));
        for line in ["position", "position fen", "position fen moves a1a2", "position moves", "position startpos x"] {
            assert_eq!(read(Dialect::Uci, line), "expected `position startpos|fen FEN [moves TURN …]`");
        }
    }

    #[test]
    fn options_are_set_as_each_protocol_writes_them() {
        let set = |name: &str, value: &str| Ok(Command::SetOption { name: name.to_owned(), value: value.to_owned() });
        assert_eq!(parse(Dialect::Uci, "setoption name Move Overhead value 20"), set("Move Overhead", "20"));
        assert_eq!(parse(Dialect::Uci, "setoption name Agent value runs/a b"), set("Agent", "runs/a b"));
        assert_eq!(parse(Dialect::Uci, "setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(parse(Dialect::Ucci, "setoption usemillisec true"), set("usemillisec", "true"));
        assert_eq!(parse(Dialect::Ucci, "setoption newgame"), set("newgame", ""));
        assert_eq!(read(Dialect::Uci, "setoption Hash 3"), "expected `setoption name NAME [value VALUE]`");
        assert_eq!(read(Dialect::Uci, "setoption name value 3"), "expected `setoption name NAME [value VALUE]`");
        assert_eq!(read(Dialect::Ucci, "setoption"), "expected `setoption NAME [VALUE]`");
    }

    #[test]
    fn limits_are_read_in_any_order() {
        let milliseconds = |number| Some(Duration::from_millis(number));
        let uci = "go btime 5 wtime 6 winc 1 binc 2 movestogo 3 depth 4 nodes 7 movetime 8 searchmoves a1a2 b1b2";
        let expected = Go {
            among: vec!["a1a2".to_owned(), "b1b2".to_owned()],
            movetime: milliseconds(8),
            time: [milliseconds(6), milliseconds(5)],
            increment: [milliseconds(1), milliseconds(2)],
            turns_to_go: Some(3),
            depth: Some(4),
            nodes: Some(7),
            ..Go::default()
        };
        assert_eq!(parse(Dialect::Uci, uci), Ok(Command::Go(expected)));
        let ucci = "go ponder draw time 6 increment 1 opptime 5 oppincrement 2";
        let expected = Go {
            is_ponder: true,
            time: [milliseconds(6), milliseconds(5)],
            increment: [milliseconds(1), milliseconds(2)],
            ..Go::default()
        };
        assert_eq!(parse(Dialect::Ucci, ucci), Ok(Command::Go(expected)));
        let endless = Go { is_infinite: true, ..Go::default() };
        assert_eq!(parse(Dialect::Uci, "go infinite"), Ok(Command::Go(endless.clone())));
        assert_eq!(parse(Dialect::Ucci, "go depth infinite"), Ok(Command::Go(endless)));
        let late = Go { time: [Some(Duration::ZERO), None], ..Go::default() };
        assert_eq!(parse(Dialect::Uci, "go wtime -20"), Ok(Command::Go(late)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, error) in [
            ("ucci", "unknown command `ucci`, expected one of uci, isready"),
            ("quit!", "unknown command `quit!`"),
            ("go nodes", "`nodes` is ``, expected a number, 0 or more"),
            ("go nodes -5", "`nodes` is `-5`"),
            ("go movetime 99999999999999999999", "`movetime` is `99999999999999999999`"),
            ("go time 5", "unknown word `time` after go"),
            ("banmoves a1a2", "unknown command `banmoves`"),
        ] {
            assert!(read(Dialect::Uci, line).starts_with(error), "{}", read(Dialect::Uci, line));
        }
    }
}
