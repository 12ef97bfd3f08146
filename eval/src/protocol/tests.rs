//! Conversations with the engine as a client has them.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Variant};
use heng_mcts::net::Device;
use proptest::prelude::*;

use super::options::Options;
use super::{Dialect, serve};

/// A client at the other end of two pipes.
struct Client {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    engine: JoinHandle<Result<(), String>>,
}

impl Client {
    fn new(dialect: Dialect, agent: &str) -> Client {
        let (engine_input, input) = io::pipe().unwrap();
        let (output, engine_output) = io::pipe().unwrap();
        let options = Options::new(dialect, "xiangqi".parse().unwrap(), agent.parse().unwrap());
        let work = move || {
            let served = serve(dialect, options, Device::flex(), 1, BufReader::new(engine_input), engine_output);
            served.map_err(|error| error.to_string())
        };
        Client { input: Some(input), output: BufReader::new(output), engine: std::thread::spawn(work) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line.
    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// The lines up to the first that begins with `word`, which is the last of them.
    fn hear_until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            let line = lines.last().unwrap();
            if line.starts_with(word) {
                return lines;
            }
            assert!(!line.is_empty(), "`{word}` was expected after {lines:?}");
        }
    }

    /// What is answered to `line` before the engine is ready for the next.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.say(line);
        self.say("isready");
        let mut lines = self.hear_until("readyok");
        lines.pop();
        lines
    }

    fn best(&mut self, go: &str) -> String {
        self.say(go);
        let last = self.hear_until("bestmove").pop().unwrap();
        last.split(' ').nth(1).unwrap().to_owned()
    }

    fn leave(mut self) -> Vec<String> {
        self.say("quit");
        self.input = None;
        let rest = self.output.lines().map(Result::unwrap).collect();
        self.engine.join().unwrap().unwrap();
        rest
    }
}

#[test]
fn a_greeting_names_the_engine_and_its_options() {
    let mut client = Client::new(Dialect::Uci, "random");
    client.say("uci");
    let lines = client.hear_until("uciok");
    assert!(lines[0].starts_with("id name Heng ") && lines[1].starts_with("id author "), "{lines:?}");
    let names = ["UCI_Variant", "Threads", "Hash", "Ponder", "MultiPV", "Simulations", "Move Overhead"];
    for name in names {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {name} type "))), "{name}");
    }
    client.leave();
    let mut client = Client::new(Dialect::Ucci, "random");
    client.say("ucci");
    assert!(client.hear_until("ucciok").iter().any(|line| line == "option usemillisec type check default true"));
    assert_eq!(client.leave(), ["bye"]);
}

/// Plays one game through the protocol and checks every turn by the rules.
struct WholeGame {
    agent: &'static str,
}

/// Turns after which a game may be left.
const TURNS_ENOUGH: usize = 40;

impl VariantVisitor for WholeGame {
    type Output = ();

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) {
        let mut client = Client::new(Dialect::Uci, self.agent);
        assert_eq!(client.ask(&format!("setoption name UCI_Variant value {variant}")), [""; 0]);
        let (mut game, mut turns) = (G::standard_start(&rules), Vec::new());
        while game.outcome().is_none() && turns.len() < TURNS_ENOUGH {
            client.say(&format!("position startpos moves {}", turns.join(" ")));
            let turn = client.best("go nodes 6");
            let steps = game.parse_turn(&turn).unwrap_or_else(|error| panic!("{variant}: {error} after {turns:?}"));
            steps.into_iter().for_each(|action| game.apply(action));
            turns.push(turn);
        }
        assert_eq!(client.leave(), [""; 0]);
    }
}

#[test]
fn whole_turns_of_every_variant_are_legal() {
    for variant in Variant::all() {
        for agent in ["random", "rollout:6", "alphabeta:1"] {
            variant.dispatch(WholeGame { agent });
        }
    }
}

#[test]
fn commands_are_answered_while_a_search_runs() {
    for agent in ["rollout:10", "alphabeta:2", "random"] {
        let mut client = Client::new(Dialect::Uci, agent);
        client.say("position startpos");
        client.say("go infinite");
        client.say("isready");
        client.hear_until("readyok");
        for line in ["position startpos moves h3e3", "go nodes 3", "setoption name UCI_Variant value eternal-mini"] {
            client.say(line);
            let error = client.hear_until("info string error").pop().unwrap();
            assert_eq!(error, "info string error a search is running, expected `stop` first");
        }
        client.say("setoption name MultiPV value 2");
        client.say("stop");
        client.hear_until("bestmove");
        assert_eq!(client.ask("position startpos moves h3e3"), [""; 0]);
        client.best("go nodes 3");
        client.say("go infinite");
        client.leave();
    }
}

#[test]
fn pondering_ends_with_a_hit_or_a_stop() {
    let mut client = Client::new(Dialect::Uci, "rollout:10");
    client.say("go ponder nodes 5");
    client.say("isready");
    client.hear_until("readyok");
    client.say("ponderhit");
    client.hear_until("bestmove");
    client.say("go ponder wtime 5000 btime 5000");
    client.say("stop");
    client.hear_until("bestmove");
    client.say("ponderhit");
    client.hear_until("info string error nothing is pondered about");
    client.leave();
}

#[test]
fn several_lines_begin_with_different_turns() {
    for agent in ["rollout:10", "alphabeta:2"] {
        let mut client = Client::new(Dialect::Uci, agent);
        client.say("setoption name MultiPV value 3");
        client.say("go nodes 200");
        let lines = client.hear_until("bestmove");
        let last: Vec<&String> = lines[lines.len() - 4..lines.len() - 1].iter().collect();
        let mut firsts: Vec<&str> =
            last.iter().map(|line| line.split_once(" pv ").unwrap().1.split(' ').next().unwrap()).collect();
        assert_eq!(lines.last().unwrap().split(' ').nth(1), Some(firsts[0]));
        for (index, line) in last.iter().enumerate() {
            assert!(line.contains(&format!("multipv {} score ", index + 1)), "{line}");
            assert_eq!(line.contains(" wdl "), agent.starts_with("rollout"), "{line}");
        }
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 3, "{agent}");
        client.leave();
    }
}

#[test]
fn only_allowed_turns_are_played() {
    for agent in ["rollout:10", "alphabeta:2", "random"] {
        let mut client = Client::new(Dialect::Uci, agent);
        for _ in 0..3 {
            let best = client.best("go nodes 20 searchmoves a4a5 i4i5");
            assert!(["a4a5", "i4i5"].contains(&best.as_str()), "{best}");
        }
        client.leave();
        let mut client = Client::new(Dialect::Ucci, agent);
        client.say("position fen 5k3/9/9/9/9/9/9/9/4A4/4KA3 w - - 0 1");
        client.say("banmoves e1f2 e1d2 e1d0");
        let best = client.best("go nodes 20");
        assert_eq!(best, "e0d0");
        client.say("position fen 5k3/9/9/9/9/9/9/9/4A4/4KA3 w - - 0 1");
        client.say("banmoves e1f2 e1d2 e1d0 e0d0");
        client.say("go nodes 20");
        assert_eq!(client.hear_until("nobestmove").len(), 2);
        client.leave();
    }
}

#[test]
fn ranks_are_counted_as_the_client_counts_them() {
    let mut client = Client::new(Dialect::Ucci, "alphabeta:2");
    client.say("position startpos moves h2e2 h9g7");
    client.say("go depth 2");
    let lines = client.hear_until("bestmove");
    let turns = lines.iter().flat_map(|line| line.split_once(" pv ").unwrap_or(("", line)).1.split(' '));
    assert!(turns.clone().count() > lines.len() && turns.into_iter().all(|turn| !turn.contains("10")), "{lines:?}");
    client.leave();
    let mut client = Client::new(Dialect::Uci, "alphabeta:1");
    client.say("ucicyclone");
    client.hear_until("uciok");
    // As uci2wb has it, without the last fields of the text.
    let short = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves h2e2 h9g7";
    assert_eq!(client.ask(short), [""; 0]);
    let error = client.ask("position startpos moves h3e3").remove(0);
    assert!(error.starts_with("info string error turn 1: `h3e3`, with ranks from 1 `h4e4` is not legal"), "{error}");
    client.leave();
}

#[test]
fn a_game_that_is_over_has_no_turn_unless_a_client_plays_on_after_a_repetition() {
    let mut client = Client::new(Dialect::Uci, "alphabeta:1");
    client.say("position fen 3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1 moves b8b10");
    assert_eq!(client.best("go"), "(none)", "it is mate");
    let round = "a1a2 a10a9 a2a1 a9a10 ";
    client.say(&format!("position startpos moves {}", round.repeat(4)));
    assert_ne!(client.best("go"), "(none)");
    client.leave();
}

#[test]
fn commands_wait_for_a_search_that_ends_by_itself() {
    let mut client = Client::new(Dialect::Uci, "rollout:30");
    for line in ["position startpos", "go nodes 300", "position startpos moves h3e3", "setoption name MultiPV value 2"]
    {
        client.say(line);
    }
    client.say("go nodes 20");
    client.say("setoption name UCI_Variant value eternal-mini");
    client.say("position startpos");
    client.say("go nodes 5");
    client.input = None;
    let lines: Vec<String> = client.output.lines().map(Result::unwrap).collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 3, "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
    client.engine.join().unwrap().unwrap();
}

#[test]
fn what_is_wrong_is_told_and_forgotten() {
    let mut client = Client::new(Dialect::Uci, "random");
    for (line, error) in [
        ("hello", "unknown command `hello`, expected one of uci, "),
        ("position startpos moves a1a9", "turn 1: `a1a9` is not legal here: "),
        ("position fen 9 w - - 0 1", "position text, field `board`: "),
        ("setoption name Hash value 0", "option `Hash` is `0`"),
        ("setoption name Agent value runs/none", "agent `runs/none`: runs/none: "),
        ("setoption name Agent value random", ""),
        ("position fen 9/9 w - - x 1", "position text, field `board`: "),
        ("go nodes", "`nodes` is ``"),
    ] {
        let lines = client.ask(line);
        let first = lines.first().map_or("", String::as_str);
        let is_answered = lines.last().is_some_and(|last| last == "bestmove (none)");
        assert!(is_answered || line != "go nodes", "a client waits for an answer: {lines:?}");
        assert!(first.starts_with(&format!("info string error {error}")) || error.is_empty(), "{line}: {lines:?}");
    }
    client.say("go searchmoves a1a9");
    let lines = client.hear_until("bestmove (none)");
    assert!(lines[0].starts_with("info string error `a1a9` is not legal here"), "{lines:?}");
    // The counter of quiet moves is beyond the limit.
    client.say("position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 130 90");
    assert_ne!(client.best("go"), "(none)");
    client.leave();
}

#[test]
fn a_script_that_ends_gets_its_answer() {
    let output = Arc::new(Mutex::new(Vec::new()));
    struct Shared(Arc<Mutex<Vec<u8>>>);
    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let options = Options::new(Dialect::Uci, "eternal-mini".parse().unwrap(), "rollout:20".parse().unwrap());
    let input = io::Cursor::new("position startpos\ngo infinite");
    serve(Dialect::Uci, options, Device::flex(), 1, input, Shared(Arc::clone(&output))).unwrap();
    let text = String::from_utf8(output.lock().unwrap().clone()).unwrap();
    assert!(text.lines().last().unwrap().starts_with("bestmove "), "{text}");
}

/// Words that mean something, in any order, and some that mean nothing.
fn line() -> impl Strategy<Value = String> {
    let words = [
        "uci",
        "ucci",
        "ucicyclone",
        "isready",
        "setoption",
        "name",
        "value",
        "UCI_Variant",
        "eternal-mini",
        "xiangqi",
        "Threads",
        "MultiPV",
        "Hash",
        "newgame",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "h3e3",
        "h2e2",
        "d2d3",
        "banmoves",
        "go",
        "nodes",
        "depth",
        "movetime",
        "wtime",
        "btime",
        "time",
        "infinite",
        "ponder",
        "ponderhit",
        "stop",
        "searchmoves",
        "1",
        "2",
        "-1",
        "99999999999999999999",
        "é",
        "w",
        "-",
        "0",
        "d",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "9/9/9/9/9/9/9/9/9/9",
        "debug",
        "Agent",
        "random",
    ];
    prop_oneof![
        6 => prop::collection::vec(prop::sample::select(words.to_vec()), 0..8).prop_map(|words| words.join(" ")),
        1 => "[ -~]{0,40}".prop_filter("it would end the conversation", |text| text.trim() != "quit"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_is_said_the_engine_stays_ready(lines in prop::collection::vec(line(), 0..30), is_uci in any::<bool>()) {
        let dialect = if is_uci { Dialect::Uci } else { Dialect::Ucci };
        let mut client = Client::new(dialect, "random");
        for line in lines {
            client.ask(&line);
        }
        client.say("stop");
        client.ask("");
        client.leave();
    }
}
