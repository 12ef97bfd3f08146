//! Every line that an engine is told, from the greeting to the end.
#![cfg(unix)]

use std::time::Duration;

use super::fake::{PATIENCE, START, spec, start};
use crate::engine::{Clock, GameText, GoLimits, Protocol, Reply};

/// What an engine is told that answers `b2e2` and then `h2g2`: two turns of a game, and one of another game that begins
/// elsewhere.
fn told(protocol: Protocol, greeting: &str, ready: &str, answer: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lines");
    let script = format!(
        "n=0; while read -r word rest; do echo $word $rest >> {}; case $word in
        {greeting};;
        {ready};;
        go) n=$((n + 1)); case $n in 1) echo {answer} b2e2;; *) echo {answer} h2g2;; esac;;
        quit) exit;;
        esac; done",
        file.display()
    );
    let mut engine = start(&spec(protocol, &script));
    let turns = ["h3h4", "b10c8", "b3e3", "a10a9"].map(String::from);
    let clock = Clock { remaining: [Duration::from_secs(90), Duration::from_secs(60)], increment: Duration::ZERO };
    for (turns, is_standard_start, limits) in [
        (&turns[..2], true, GoLimits { clock: Some(clock), ..GoLimits::default() }),
        (&turns[..4], true, GoLimits { clock: Some(clock), ..GoLimits::default() }),
        (&turns[..1], false, GoLimits { depth: Some(4), ..GoLimits::default() }),
    ] {
        let game = GameText { start: START, is_standard_start, turns, red_to_act: turns.len().is_multiple_of(2) };
        if !is_standard_start {
            engine.begin().unwrap();
        }
        assert!(matches!(engine.choose(&game, &limits, PATIENCE, &mut |_| {}).unwrap().reply, Reply::Turn(_)));
    }
    drop(engine);
    std::fs::read_to_string(file).unwrap().lines().map(String::from).collect()
}

#[test]
fn uci_is_spoken_as_it_is_written() {
    let greeting = "uci) echo 'option name UCI_Variant type combo default chess var chess var Xiangqi'; echo uciok";
    assert_eq!(
        told(Protocol::Uci, greeting, "isready) echo readyok", "bestmove"),
        [
            "uci",
            "setoption name UCI_Variant value Xiangqi",
            "isready",
            "ucinewgame",
            "isready",
            "isready",
            "position startpos moves h3h4 b10c8",
            "go wtime 90000 btime 60000 winc 0 binc 0",
            "isready",
            "position startpos moves h3h4 b10c8 b3e3 a10a9",
            "go wtime 90000 btime 60000 winc 0 binc 0",
            "ucinewgame",
            "isready",
            "isready",
            &format!("position fen {START} moves h3h4"),
            "go depth 4",
            "quit"
        ]
    );
}

#[test]
fn ucci_is_spoken_as_it_is_written() {
    let greeting = "ucci) echo option UseMilliSec type check; echo option newgame type button; echo ucciok";
    assert_eq!(
        told(Protocol::Ucci, greeting, "isready) echo readyok", "bestmove"),
        [
            "ucci",
            "setoption UseMilliSec true",
            "isready",
            "setoption newgame",
            "isready",
            "isready",
            "position startpos moves h2h3 b9c7",
            "go time 90000 increment 0 opptime 60000 oppincrement 0",
            "isready",
            "position startpos moves h2h3 b9c7 b2e2 a9a8",
            "go time 90000 increment 0 opptime 60000 oppincrement 0",
            "setoption newgame",
            "isready",
            "isready",
            &format!("position fen {START} moves h2h3"),
            "go depth 4",
            "quit"
        ]
    );
}

#[test]
fn xboard_is_spoken_as_it_is_written_and_only_what_is_new_is_said() {
    let features = "ping=1 setboard=1 usermove=1 variants=xiangqi,chess";
    let greeting = format!("protover) echo feature done=0; sleep 0.2; echo feature {features} done=1");
    let told = told(Protocol::Xboard, &greeting, "ping) echo pong $rest", "move");
    let start = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w 0 1";
    let expected = [
        "xboard, protover 2, accepted done, accepted ping, accepted setboard, accepted usermove, accepted variants",
        "accepted done, new, variant xiangqi, force, ping 1",
        "easy, post, usermove h2h3, usermove b9c7, ping 2",
        "level 0 1:30 0, time 9000, otim 6000, go, force",
        "usermove a9a8, ping 3, time 9000, otim 6000, go, force",
        "new, variant xiangqi, force, ping 4",
        &format!("setboard {start}, easy, post, usermove h2h3, ping 5"),
        "st 86400, sd 4, go, force",
        "quit",
    ];
    assert_eq!(told.join(", "), expected.join(", "));
}
