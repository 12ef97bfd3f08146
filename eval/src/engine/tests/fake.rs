//! Engines of a few lines of shell script, each with its own way to misbehave.
#![cfg(unix)]

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::engine::{
    Engine, EngineAnswer, EngineError, EngineFailure, EngineSpec, GameText, GoLimits, Protocol, Reply,
};

/// Enough for an honest script on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
const IMPATIENCE: Duration = Duration::from_millis(200);

/// How much longer than a limit anything may take on a busy machine.
const SLACK: Duration = Duration::from_secs(5);

pub(super) const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

pub(super) fn spec(protocol: Protocol, script: &str) -> EngineSpec {
    let script = script.replace('\n', " ");
    let script = shlex::try_quote(&script).unwrap();
    format!("{protocol}:sh -c {script}").parse().unwrap()
}

/// A script that does what UCI asks for, but for what it does at `go`. Its name is the number of its process.
fn uci(at_go: &str) -> EngineSpec {
    spec(
        Protocol::Uci,
        &format!(
            "while read -r word rest; do case $word in
            uci) echo id name $$; echo uciok;;
            isready) echo readyok;;
            go) {at_go};;
            quit) exit;;
            esac; done"
        ),
    )
}

fn xboard(features: &str, at_go: &str) -> EngineSpec {
    spec(
        Protocol::Xboard,
        &format!(
            "while read -r word rest; do case $word in
            protover) echo feature myname=$$ {features};;
            ping) echo pong $rest;;
            go) {at_go};;
            quit) exit;;
            esac; done"
        ),
    )
}

pub(super) fn start(spec: &EngineSpec) -> Engine {
    Engine::start_within(spec, "xiangqi", PATIENCE).unwrap_or_else(|error| panic!("{spec}: {error}"))
}

fn ask(engine: &mut Engine, turns: &[&str], patience: Duration) -> Result<EngineAnswer, EngineFailure> {
    let turns: Vec<String> = turns.iter().copied().map(String::from).collect();
    let red_to_act = turns.len().is_multiple_of(2);
    let game = GameText { start: START, is_standard_start: true, turns: &turns, red_to_act };
    engine.choose(&game, &GoLimits::default(), patience, &mut |_| {})
}

fn turn(answer: Result<EngineAnswer, EngineFailure>) -> String {
    match answer.map(|answer| answer.reply) {
        Ok(Reply::Turn(turn)) => turn,
        other => panic!("no turn: {other:?}"),
    }
}

/// Whether the process runs, as far as the system shows that in files. One that has ended and waits for its parent is not
/// running.
fn runs(process: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(process).join("stat"));
    status.is_ok_and(|status| !status.rsplit(')').next().unwrap_or_default().trim().starts_with('Z'))
}

fn assert_ends(process: &str) {
    let begin = Instant::now();
    while runs(process) {
        assert!(begin.elapsed() < SLACK, "{process} lives on");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_engine_that_does_not_start_says_why() {
    let missing = spec(Protocol::Uci, "").to_string().replace("sh -c", "no-such-engine");
    let error = Engine::start(&missing.parse().unwrap(), "xiangqi").err().unwrap();
    assert_eq!(error, EngineError::NotFound { program: "no-such-engine".into() });
    for protocol in Protocol::ALL {
        let broken = spec(protocol, "echo no net >&2; exit 3");
        let error = Engine::start_within(&broken, "xiangqi", PATIENCE).err().unwrap().to_string();
        let expected = format!(
            "`sh` does not get ready as an engine of {protocol}: \
             the engine broke off: exit status: 3, last words `no net`"
        );
        assert_eq!(error, expected);
    }
}

/// Runs the same check for each of `cases`, all at once: they wait more than they work.
fn for_each_at_once<T: Copy + Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    let check = &check;
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || check(case));
        }
    });
}

#[test]
fn an_engine_that_does_not_get_ready_in_time_is_ended() {
    let is_ended = |spec: &EngineSpec| {
        let begin = Instant::now();
        let error = Engine::start_within(spec, "xiangqi", IMPATIENCE).err().unwrap();
        let is_timeout = matches!(error, EngineError::Greeting { failure: EngineFailure::Timeout { .. }, .. });
        assert!(is_timeout, "{spec}: {error}");
        assert!(begin.elapsed() < IMPATIENCE + SLACK, "{spec}");
    };
    for_each_at_once(["sleep 1000", "cat /dev/urandom", "cat /dev/zero", "yes id name x", "yes >&2"], |script| {
        is_ended(&spec(Protocol::Uci, script));
        is_ended(&spec(Protocol::Ucci, script));
    });
    is_ended(&xboard("done=0", ":"));
}

#[test]
fn an_engine_that_ends_while_it_thinks_has_crashed() {
    for (at_go, how) in [
        ("echo out of memory >&2; exit 7", "exit status: 7, last words `out of memory`"),
        ("kill -9 $$", "signal: 9 (SIGKILL)"),
        ("sleep 1000 & exit 4", "exit status: 4"),
        ("exec 1>&-; sleep 1000", "it closed its output and lives on"),
    ] {
        let mut engine = start(&uci(at_go));
        let process = engine.name().to_owned();
        let failure = ask(&mut engine, &[], PATIENCE).unwrap_err();
        assert_eq!(failure, EngineFailure::Crash { how: how.into() });
        assert_eq!(ask(&mut engine, &[], PATIENCE).unwrap_err(), failure, "it stays dead");
        assert_eq!(engine.begin().unwrap_err(), failure);
        assert_ends(&process);
    }
}

#[test]
fn an_engine_that_never_answers_is_told_to_stop_and_then_ended() {
    let floods = ["yes info depth 1 score cp 3 pv h3e3", "cat /dev/zero", "yes garbage", "yes >&2"];
    for_each_at_once([":", "sleep 1000"].into_iter().chain(floods), |at_go| {
        let mut engine = start(&uci(at_go));
        let process = engine.name().to_owned();
        let begin = Instant::now();
        let failure = ask(&mut engine, &[], IMPATIENCE).unwrap_err();
        assert!(matches!(failure, EngineFailure::Timeout { .. }), "{at_go}: {failure}");
        assert!(begin.elapsed() < IMPATIENCE + Duration::from_secs(1) + SLACK, "{at_go}");
        assert_ends(&process);
    });
}

#[test]
fn an_engine_that_stops_when_it_is_told_to_has_answered() {
    let obeys = "while read -r word rest; do case $word in stop) echo bestmove h3e3; break;; esac; done";
    let mut engine = start(&uci(obeys));
    assert_eq!(turn(ask(&mut engine, &[], IMPATIENCE)), "h3e3");
    let stop = engine.stop_handle();
    stop.stop();
    let stopper = thread::spawn(move || {
        for _ in 0..1000 {
            thread::sleep(Duration::from_millis(10));
            stop.stop();
        }
    });
    let begin = Instant::now();
    assert_eq!(turn(ask(&mut engine, &[], PATIENCE)), "h3e3");
    assert!(begin.elapsed() < PATIENCE);
    drop(stopper);
}

#[test]
fn a_flood_of_a_hundred_megabytes_is_waded_through() {
    let mut engine = start(&uci("head -c 100000000 /dev/zero; echo; echo bestmove h3e3"));
    assert_eq!(turn(ask(&mut engine, &[], PATIENCE)), "h3e3");
    let mut engine = start(&uci("yes info depth 1 score cp 3 pv h3e3 | head -c 10000000; echo; echo bestmove h3e3"));
    let answer = ask(&mut engine, &[], PATIENCE);
    assert_eq!(answer.clone().unwrap().info.unwrap().pv, ["h3e3"]);
    assert_eq!(turn(answer), "h3e3");
}

#[test]
fn what_is_no_move_is_not_played() {
    for at_go in ["echo bestmove", "echo bestmove h3", "echo bestmove 炮二平五", "echo bestmove h0e0 ponder h3e3"] {
        let failure = ask(&mut start(&uci(at_go)), &[], PATIENCE).unwrap_err();
        assert!(matches!(failure, EngineFailure::Protocol { .. }), "{at_go}: {failure}");
    }
    let answer = ask(&mut start(&uci("echo 'bestmove (none)'")), &[], PATIENCE).unwrap();
    assert_eq!(answer.reply, Reply::NoMove("(none)".into()));
}

#[test]
fn turns_of_other_variants_are_passed_as_they_are_written() {
    let mut engine = Engine::start_within(&uci("echo bestmove c2c4,d1+ ponder b5*"), "eternal-free", PATIENCE).unwrap();
    let answer = ask(&mut engine, &["a1b2+x"], PATIENCE).unwrap();
    assert_eq!(answer.reply, Reply::Turn("c2c4,d1+".into()));
    assert_eq!(answer.ponder.as_deref(), Some("b5*"));
}

#[test]
fn what_is_said_unasked_is_no_answer() {
    let twice = "n=$((n + 1)); echo bestmove a${n}a9; echo bestmove b1b2";
    let mut engine = start(&uci(twice));
    assert_eq!(turn(ask(&mut engine, &[], PATIENCE)), "a1a9");
    assert_eq!(turn(ask(&mut engine, &["a1a9", "a10a8"], PATIENCE)), "a2a9");
    let early = spec(
        Protocol::Uci,
        "echo bestmove c1c2; while read -r word rest; do case $word in
        uci) echo bestmove c1c2; echo readyok; echo uciok;;
        isready) echo bestmove c1c2; echo readyok;;
        go) echo bestmove h3e3;;
        quit) exit;;
        esac; done",
    );
    assert_eq!(turn(ask(&mut start(&early), &[], PATIENCE)), "h3e3");
}

#[test]
fn an_engine_that_does_not_read_does_not_block() {
    let deaf = spec(
        Protocol::Uci,
        "read -r line; echo uciok; read -r line; echo readyok; read -r line; read -r line; echo readyok; sleep 1000",
    );
    let mut engine = start(&deaf);
    let turns = vec!["h3e3"; 200_000];
    let failure = ask(&mut engine, &turns, IMPATIENCE).unwrap_err();
    assert!(matches!(failure, EngineFailure::Timeout { .. }), "{failure}");
}

#[test]
fn no_process_is_left_behind() {
    let children = spec(
        Protocol::Uci,
        "trap '' TERM INT HUP; sleep 1000 & while true; do read -r word rest || sleep 1000; case $word in
        uci) echo id name $$ $!; echo uciok;;
        isready) echo readyok;;
        esac; done",
    );
    let engine = start(&children);
    let processes: Vec<String> = engine.name().split(' ').map(String::from).collect();
    let begin = Instant::now();
    drop(engine);
    assert!(begin.elapsed() < SLACK);
    processes.iter().for_each(|process| assert_ends(process));
}

#[test]
fn options_and_variants_that_an_engine_lacks_are_named() {
    let offers = "while read -r word rest; do case $word in
        uci) echo id name Fake;
             echo option name UCI_Variant type combo default chess var chess var shogi;
             echo option name Skill Level type spin default 1 min 0 max 9;
             echo uciok;;
        isready) echo readyok;;
        quit) exit;;
        esac; done";
    let error = Engine::start_within(&spec(Protocol::Uci, offers), "xiangqi", PATIENCE).err().unwrap();
    assert_eq!(error.to_string(), "`Fake` does not play xiangqi, it offers chess, shogi");
    let unknown = format!("{}?option.Skil=3", spec(Protocol::Uci, offers)).parse().unwrap();
    let error = Engine::start_within(&unknown, "chess", PATIENCE).err().unwrap();
    assert_eq!(error.to_string(), "`Fake` has no option `Skil`, expected Skill Level, UCI_Variant");
    let error = Engine::start_within(&xboard("variants=\\\"chess,shogi\\\" done=1", ":"), "xiangqi", PATIENCE);
    assert!(error.err().unwrap().to_string().ends_with("does not play xiangqi, it offers chess, shogi"));
    let error = Engine::start_within(&spec(Protocol::Ucci, "read x; echo ucciok"), "eternal-free", PATIENCE);
    assert_eq!(error.err().unwrap().to_string(), "`sh` does not play eternal-free, it offers xiangqi");
}

#[test]
fn the_answers_of_xboard_are_understood() {
    let lost = Reply::Resigns;
    let drawn = Reply::NoMove("1/2-1/2 {3 repetitions}".into());
    for (at_go, reply) in [
        ("echo move h2e2", Reply::Turn("h3e3".into())),
        ("echo My move is: h2e2", Reply::Turn("h3e3".into())),
        ("echo resign", lost.clone()),
        ("echo '0-1 {Red resigns}'", lost),
        ("echo '1/2-1/2 {3 repetitions}'", drawn),
        ("read line && echo move b2e2", Reply::Turn("b3e3".into())),
    ] {
        let mut engine = start(&xboard("ping=1 done=1", at_go));
        assert_eq!(ask(&mut engine, &[], IMPATIENCE).unwrap().reply, reply, "{at_go}");
    }
    // The result of one game is not that of the next.
    let mut engine = start(&xboard("ping=1 done=1", "echo move h2e2; echo '1-0 {Red mates}'"));
    for turns in [&["a1a2", "a10a9"][..], &[], &["a1a3", "a10a9"]] {
        assert_eq!(turn(ask(&mut engine, turns, PATIENCE)), "h3e3");
    }
    for at_go in ["echo 'Illegal move: h2e2'", "echo 'Error (unknown command): go'", "echo move Ch2e2"] {
        let failure = ask(&mut start(&xboard("ping=1 done=1", at_go)), &[], PATIENCE).unwrap_err();
        assert!(matches!(failure, EngineFailure::Protocol { .. }), "{at_go}: {failure}");
    }
}
