//! What a person may type besides steps and turns.

use heng_env::Side;

/// One command, as it is listed by `help`.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) argument: &'static str,
    pub(super) meaning: &'static str,
    command: fn(&str) -> Command<'_>,
}

/// A command that has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Help,
    Rules,
    Board,
    Hint,
    Undo,
    Moves(&'a str),
    Turns(&'a str),
    Fen,
    Flip,
    Letters,
    New(&'a str),
    Resign,
    Save(&'a str),
    Quit,
}

/// Every command, in the order of the help text.
pub(super) const COMMANDS: &[Entry] = &[
    entry("help", "", "this list", |_| Command::Help),
    entry("rules", "", "the rules in short", |_| Command::Rules),
    entry("board", "", "draw the board again", |_| Command::Board),
    entry("hint", "", "what the agent would play for you, and how it sees the game", |_| Command::Hint),
    entry("undo", "", "take back the steps of this turn, or your last turn and the answer to it", |_| Command::Undo),
    entry("moves", "[TEXT]", "the legal steps, or those that begin with TEXT", |text| Command::Moves(text)),
    entry("turns", "[TEXT]", "the legal whole turns, or those that begin with TEXT", |text| Command::Turns(text)),
    entry("fen", "", "the position text", |_| Command::Fen),
    entry("flip", "", "turn the board round", |_| Command::Flip),
    entry("letters", "", "change between Latin letters and Chinese characters", |_| Command::Letters),
    entry("new", "[SIDE]", "a new game, you as SIDE", |text| Command::New(text)),
    entry("resign", "", "give up", |_| Command::Resign),
    entry("save", "FILE", "write the game to a new file", |text| Command::Save(text)),
    entry("quit", "", "leave; so do Ctrl-C and Ctrl-D", |_| Command::Quit),
];

const fn entry(
    name: &'static str,
    argument: &'static str,
    meaning: &'static str,
    command: fn(&str) -> Command<'_>,
) -> Entry {
    Entry { name, argument, meaning, command }
}

/// Reads a command; `None` if the line is none.
pub(super) fn parse(line: &str) -> Option<Command<'_>> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word = match word {
        "?" => "help",
        "exit" | "q" => "quit",
        _ => word,
    };
    COMMANDS.iter().find(|entry| entry.name == word).map(|entry| (entry.command)(rest.trim()))
}

/// The side that a person calls `name`.
pub(super) fn side_of(name: &str, names: [&str; 2]) -> Option<Side> {
    Side::BOTH.into_iter().find(|side| names[side.index()] == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_their_argument() {
        for (line, command) in [
            ("help", Some(Command::Help)),
            ("?", Some(Command::Help)),
            ("rules", Some(Command::Rules)),
            ("q", Some(Command::Quit)),
            ("moves  c2 ", Some(Command::Moves("c2"))),
            ("save a file.txt", Some(Command::Save("a file.txt"))),
            ("c2c4", None),
            ("", None),
        ] {
            assert_eq!(parse(line), command, "{line}");
        }
    }
}
