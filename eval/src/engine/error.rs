//! What can go wrong with an engine: before its first game, and in a game.

use std::time::Duration;

use thiserror::Error;

/// Why an engine does not start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The command is no command.
    #[error("`{command}` is no command, expected a program and its arguments, quoted as for a shell")]
    Command {
        /// What was given.
        command: String,
    },
    /// No such program.
    #[error("no program `{program}`, expected a path or a name in PATH")]
    NotFound {
        /// The command's first word.
        program: String,
    },
    /// The system does not run it.
    #[error("cannot run `{program}`: {problem}")]
    Spawn {
        /// The command's first word.
        program: String,
        /// What the system says.
        problem: String,
    },
    /// The engine plays other games.
    #[error("`{engine}` does not play {variant}, it offers {offered}")]
    Variant {
        /// The engine's name.
        engine: String,
        /// The game that was asked for.
        variant: String,
        /// What it plays.
        offered: String,
    },
    /// The engine has no such option.
    #[error("`{engine}` has no option `{name}`, expected {expected}")]
    UnknownOption {
        /// The engine's name.
        engine: String,
        /// The option that was asked for.
        name: String,
        /// The options most like it, or all if there are few.
        expected: String,
    },
    /// The engine does not allow this value.
    #[error("option `{name}` of `{engine}` is `{value}`, expected {expected}")]
    OptionValue {
        /// The engine's name.
        engine: String,
        /// The option.
        name: String,
        /// The value that was asked for.
        value: String,
        /// The values that are allowed.
        expected: String,
    },
    /// It breaks down while it is greeted.
    #[error("`{engine}` does not get ready as an engine of {protocol}: {failure}")]
    Greeting {
        /// The program.
        engine: String,
        /// The protocol in which it was greeted.
        protocol: &'static str,
        /// What happened.
        failure: EngineFailure,
    },
}

/// Why an engine gives no answer. It is dead after that; whoever needs it again starts another.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EngineFailure {
    /// The process is gone, or has closed its output.
    #[error("the engine broke off: {how}")]
    Crash {
        /// How it ended, and its last words on the error output.
        how: String,
    },
    /// It was waited for in vain.
    #[error("the engine gave no answer within {:.1} s, expected {expected}", .after.as_secs_f64())]
    Timeout {
        /// How long.
        after: Duration,
        /// What it should have said.
        expected: &'static str,
    },
    /// It said something that its protocol does not allow here.
    #[error("the engine wrote `{line}`, expected {expected}")]
    Protocol {
        /// The line, shortened if it is long.
        line: String,
        /// What it should have said.
        expected: &'static str,
    },
    /// It lacks a part of its protocol that is needed here.
    #[error("the engine has no {missing}, needed {reason}")]
    Unsupported {
        /// The command or feature.
        missing: &'static str,
        /// What for.
        reason: &'static str,
    },
}

/// The most characters of an engine's line that an error shows.
const SHOWN_CHARACTERS: usize = 120;

impl EngineFailure {
    pub(super) fn protocol(line: &str, expected: &'static str) -> EngineFailure {
        EngineFailure::Protocol { line: shown(line), expected }
    }
}

/// The beginning of a line, on one line and without what would change a terminal.
pub(super) fn shown(line: &str) -> String {
    let printable = |character: char| if character.is_control() { ' ' } else { character };
    let mut text: String = line.trim().chars().take(SHOWN_CHARACTERS).map(printable).collect();
    if line.trim().chars().nth(SHOWN_CHARACTERS).is_some() {
        text.push('…');
    }
    text
}
