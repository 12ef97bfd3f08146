//! The command `go`: how far to think.

use std::time::Duration;

use super::Dialect;
use crate::engine::{Clock, Question};

/// The command for the limits of a question.
pub(super) fn command(dialect: Dialect, question: &Question<'_>) -> String {
    match dialect {
        Dialect::Uci => uci(question),
        Dialect::Ucci => ucci(question),
    }
}

/// In UCI, whichever limit is reached first ends the thinking.
fn uci(question: &Question<'_>) -> String {
    let limits = &question.limits;
    let mut words = vec!["go".to_owned()];
    words.extend(limits.movetime.map(|time| format!("movetime {}", milliseconds(time))));
    words.extend(limits.clock.map(|Clock { remaining: [red, black], increment }| {
        let increment = increment.as_millis();
        let (red, black) = (milliseconds(red), milliseconds(black));
        format!("wtime {red} btime {black} winc {increment} binc {increment}")
    }));
    words.extend(limits.nodes.map(|number| format!("nodes {number}")));
    words.extend(limits.depth.map(|plies| format!("depth {plies}")));
    words.join(" ")
}

/// UCCI has one limit at a time, and no time for a single move: one move to go is the same. Time comes first, since it is
/// what a game can be lost by.
fn ucci(question: &Question<'_>) -> String {
    let limits = &question.limits;
    if let Some(time) = limits.movetime {
        return format!("go time {} movestogo 1", milliseconds(time));
    }
    if let Some(Clock { remaining: [red, black], increment }) = limits.clock {
        let (own, other) = if question.game.red_to_act { (red, black) } else { (black, red) };
        let (own, other, increment) = (milliseconds(own), milliseconds(other), increment.as_millis());
        return format!("go time {own} increment {increment} opptime {other} oppincrement {increment}");
    }
    match (limits.nodes, limits.depth) {
        (Some(number), _) => format!("go nodes {number}"),
        (None, Some(plies)) => format!("go depth {plies}"),
        (None, None) => "go depth 1".to_owned(),
    }
}

/// A time of 0 is no time at all to some engines.
fn milliseconds(time: Duration) -> u128 {
    time.as_millis().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{GameText, GoLimits};

    fn commands(limits: GoLimits) -> [String; 2] {
        let game = GameText { start: "", is_standard_start: true, turns: &[], red_to_act: false };
        let question = Question { game: &game, limits, patience: Duration::ZERO };
        [Dialect::Uci, Dialect::Ucci].map(|dialect| command(dialect, &question))
    }

    #[test]
    fn the_limits_are_said_as_each_protocol_has_them() {
        let seconds = Duration::from_secs;
        let none = GoLimits::default();
        let movetime = GoLimits { movetime: Some(Duration::from_millis(250)), nodes: Some(9), ..none };
        assert_eq!(commands(movetime), ["go movetime 250 nodes 9", "go time 250 movestogo 1"]);
        let clock = Clock { remaining: [seconds(60), seconds(50)], increment: seconds(1) };
        assert_eq!(
            commands(GoLimits { clock: Some(clock), ..none }),
            [
                "go wtime 60000 btime 50000 winc 1000 binc 1000",
                "go time 50000 increment 1000 opptime 60000 oppincrement 1000"
            ]
        );
        assert_eq!(commands(GoLimits { nodes: Some(7), ..none }), ["go nodes 7", "go nodes 7"]);
        assert_eq!(commands(GoLimits { depth: Some(3), ..none }), ["go depth 3", "go depth 3"]);
    }
}
