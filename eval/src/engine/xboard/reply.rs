//! What a line of an engine of xboard means.

/// A line, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// It moves.
    Move(&'a str),
    /// It gives up.
    Resigns,
    /// It claims that the game is over.
    Result(&'a str),
    /// It has read everything up to the ping of this number.
    Pong(u32),
    /// It does not take a move, a position or a command that matters.
    Refusal,
    /// Thinking output, and talk.
    Other,
}

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The commands without which a game goes on all the same.
const DISPENSABLE: [&str; 8] = ["accepted", "rejected", "easy", "post", "protover", "variant", "time", "otim"];

pub(super) fn read_line(line: &str) -> Line<'_> {
    let line = line.trim();
    let first = line.split_ascii_whitespace().next().unwrap_or_default();
    let rest = line[first.len()..].trim();
    match first {
        "move" => Line::Move(rest),
        // Version 1, as GNU Chess wrote it.
        "My" if rest.starts_with("move is") => Line::Move(rest["move is".len()..].trim_start_matches(':').trim()),
        "resign" => Line::Resigns,
        "pong" => rest.parse().map_or(Line::Other, Line::Pong),
        "tellusererror" => Line::Refusal,
        "Illegal" if rest.starts_with("move") => Line::Refusal,
        "Error" if !is_dispensable(rest) => Line::Refusal,
        _ if RESULTS.contains(&first) => Line::Result(line),
        _ => Line::Other,
    }
}

/// `Error (unknown command): post` is no reason to give up.
fn is_dispensable(error: &str) -> bool {
    let command = error.rsplit_once(':').map_or(error, |(_, command)| command);
    command.split_ascii_whitespace().next().is_some_and(|command| DISPENSABLE.contains(&command))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_means_what_the_protocol_says() {
        for (line, meaning) in [
            ("move h2e2", Line::Move("h2e2")),
            ("My move is: h2e2", Line::Move("h2e2")),
            ("My move is h2e2", Line::Move("h2e2")),
            ("resign", Line::Resigns),
            ("1-0 {White mates}", Line::Result("1-0 {White mates}")),
            ("1/2-1/2 {3 repetitions}", Line::Result("1/2-1/2 {3 repetitions}")),
            ("pong 12", Line::Pong(12)),
            ("pong", Line::Other),
            ("Illegal move: h9g7", Line::Refusal),
            ("Illegal move (game over): b0c2", Line::Refusal),
            ("Error (unknown command): h9g7", Line::Refusal),
            ("Error (unkown command): post", Line::Other),
            ("tellusererror Illegal position", Line::Refusal),
            ("1 8 0 138 1. Pa3-a4 Cb7xb0", Line::Other),
            ("", Line::Other),
        ] {
            assert_eq!(read_line(line), meaning, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in "\\PC{0,3}(move|My|move is|Error|Illegal|pong|1-0|\\PC{0,3}|[ :\t]){0,6}") {
            read_line(&line);
        }
    }
}
