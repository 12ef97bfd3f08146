//! Whole analyses, as the command makes them.

mod games;

use std::io::Write;

use clap::Parser;
use serde_json::Value;

use super::{AnalyzeArgs, game, position};
use crate::cli::CommandResult;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

/// Red wins with the knight on b5, which reaches the palace.
const RED_WINS: &str = "6/2cc2/1Nr1n1/**rn**/1RR1N1/2CC2/6 r - 0-0 9";
/// The same board turned round: black wins.
const BLACK_WINS: &str = "6/2cc2/1rr1n1/**RN**/1nR1N1/2CC2/6 b - 0-0 10";

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: AnalyzeArgs,
}

/// What the command prints, and its error. Somebody has stopped it before, if it is to be stopped.
fn analyse_until(stop: &Interrupt, arguments: &[&str]) -> (String, Option<String>) {
    let line = Line::try_parse_from(["analyze"].iter().chain(arguments)).expect("a good command line");
    let mut output = Vec::new();
    let result = run(&line.args, stop, &mut output);
    let text = String::from_utf8(output).expect("text");
    (text, result.err().map(|error| error.to_string()))
}

fn run(args: &AnalyzeArgs, stop: &Interrupt, output: &mut dyn Write) -> CommandResult {
    match (&args.variant, &args.game) {
        (Some(variant), _) => position::run(args, variant, || Ok(stop.clone()), output),
        (None, Some(path)) => {
            game::run(args, path, &mut Progress::new(0, "positions", true), |_| Ok(stop.clone()), output)
        }
        (None, None) => unreachable!("clap demands one"),
    }
}

/// What the command prints, which must succeed.
fn analyse(arguments: &[&str]) -> String {
    let (text, error) = analyse_until(&Interrupt::default(), arguments);
    assert_eq!(error, None, "{arguments:?}");
    text
}

fn json(arguments: &[&str]) -> Value {
    let text = analyse(&[arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_position_or_a_game_is_asked_for_but_not_both() {
    for arguments in [
        &[][..],
        &["xiangqi", "--game", "x.pgn"],
        &["xiangqi", "start", "--game", "x.pgn"],
        &["xiangqi", "--out", "x.svg"],
        &["xiangqi", "--number", "2"],
        &["--game", "x.pgn", "--out", "x.txt"],
        &["--game", "x.pgn", "--multipv", "2"],
        &["xiangqi", "--sims", "1", "--movetime", "1"],
    ] {
        assert!(Line::try_parse_from(["analyze"].iter().chain(arguments)).is_err(), "{arguments:?}");
    }
}

#[test]
fn a_position_is_shown_with_its_candidates_and_what_follows_them() {
    let text = analyse(&["xiangqi", "start", "--agent", "alphabeta:2", "--multipv", "2"]);
    assert!(text.starts_with("     a  b  c  d  e  f  g  h  i\n 10  r "), "{text}");
    assert!(text.contains("\n\nred to move, alphabeta:2 expects "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("1. ") || line.starts_with("2. ")).count(), 2, "{text}");
    assert!(text.contains("   then ") && text.contains("进"), "{text}");
    assert!(!text.contains("3. "), "{text}");
}

#[test]
fn whoever_wins_at_once_is_said_to_and_the_value_is_its_own() {
    for (fen, side) in [(RED_WINS, "red"), (BLACK_WINS, "black")] {
        for agent in ["alphabeta:2", "rollout:300"] {
            let arguments = ["eternal-mini", fen, "--agent", agent, "--multipv", "1"];
            let object = json(&arguments);
            assert_eq!(object["side"], side);
            let value = &object["candidates"][0]["value"];
            assert_eq!((&value["side"], number(&value["result"])), (&side.into(), 1.0), "{agent} {object}");
            let proof = &object["candidates"][0]["proof"];
            assert_eq!((&proof["side"], &proof["result"]), (&side.into(), &"win".into()), "{agent} {object}");
            let text = analyse(&arguments);
            assert!(
                text.contains(&format!("\n1. {}  +1.00 for {side}", object["candidates"][0]["turn"].as_str().unwrap())),
                "{text}"
            );
            assert!(text.contains("proven: won in 1 "), "{text}");
        }
    }
}

#[test]
fn within_a_turn_the_value_is_still_that_of_its_player() {
    // The first step of d2d6b6x, after which the captured piece is to be dropped.
    for (start, step, side) in [(RED_WINS, "d2d6", "red"), (BLACK_WINS, "d6d2", "black")] {
        let after = games::after_step("eternal-mini", start, step);
        let object = json(&["eternal-mini", &after, "--agent", "alphabeta:2"]);
        assert_eq!((&object["side"], &object["value"]["side"]), (&side.into(), &side.into()), "{after}");
        assert!(number(&object["value"]["result"]) > 0.5, "{after} {object}");
        assert_eq!(object["candidates"][0]["is_whole"], true, "{object}");
    }
}

#[test]
fn the_numbers_of_the_text_are_those_of_the_json() {
    let arguments = ["eternal-mini", "--agent", "rollout:60", "--seed", "5"];
    let (object, text) = (json(&arguments), analyse(&arguments));
    assert!(text.contains(&format!("\n{} nodes in ", object["nodes"])), "{text}");
    let expected = |value: &Value| {
        let chance = |name: &str| (number(&value["chances"][name]) as f32 * 100.0).round();
        let [win, draw, loss] = ["win", "draw", "loss"].map(chance);
        let result = number(&value["result"]);
        format!("{result:+.2} for red (win {win:.0} %, draw {draw:.0} %, loss {loss:.0} %)")
    };
    assert!(text.contains(&format!("red to move, rollout:60 expects {}\n", expected(&object["value"]))), "{text}");
    let candidates = object["candidates"].as_array().expect("a list");
    assert_eq!(candidates.len(), 3);
    for candidate in candidates {
        let visits = format!(", {} visit", candidate["visits"]);
        let prior = format!(", prior {:.1} %", number(&candidate["prior"]) * 100.0);
        let line = text.lines().find(|line| line.contains(&expected(&candidate["value"]))).expect("its line");
        assert!(line.contains(&visits) && line.contains(&prior), "{line} {candidate}");
    }
}

#[test]
fn a_game_that_is_over_is_said_to_be() {
    for variant in ["eternal-mini", "wuji-simple"] {
        let fen = games::finished(variant);
        let text = analyse(&[variant, &fen]);
        assert!(text.contains("wins: ") || text.contains("a draw: "), "{text}");
        let object = json(&[variant, &fen]);
        assert!(object["outcome"]["reason"].is_string(), "{object}");
        assert_eq!(object["candidates"], serde_json::json!([]));
    }
}

#[test]
fn what_is_wrong_with_a_position_is_told_on_one_line() {
    let (text, error) = analyse_until(&Interrupt::default(), &["xiangqi", "4k4/9/9/9/9/9/9/9/9/4K4 q - - 0 1"]);
    let error = error.expect("there is no such side");
    assert_eq!(text, "");
    assert!(error.starts_with("the position: ") && !error.contains('\n'), "{error}");
}

#[test]
fn an_agent_without_an_opinion_says_so() {
    let text = analyse(&["wuji-simple", "--agent", "random"]);
    assert!(text.contains("red to move, random has no opinion of its value\n"), "{text}");
    assert!(json(&["wuji-simple", "--agent", "random"]).get("value").is_none());
}
