//! Analyses of games.

use std::fs;
use std::path::Path;

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Seeds, Side, Variant};
use rand::RngExt;
use serde_json::Value;

use super::{BLACK_WINS, RED_WINS, analyse, analyse_until, json, number};
use crate::game_file::{Form, SavedGame, read_games, write_pgn};
use crate::interrupt::Interrupt;

/// A game of steps: those of `texts`, then random ones until it is over or has `limit` turns.
struct Played<'a> {
    start: Option<&'a str>,
    texts: &'a [&'a str],
    limit: usize,
}

impl VariantVisitor for Played<'_> {
    type Output = (SavedGame, String);

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> (SavedGame, String) {
        let mut rng = Seeds::new(3).stream(Purpose::Test, 0);
        let start = match self.start {
            Some(text) => G::from_fen(&rules, text).expect("a position"),
            None => G::start(&rules, &mut rng),
        };
        let (mut position, mut steps, mut legal) = (start.clone(), Vec::<Action>::new(), Vec::new());
        for text in self.texts {
            let action = position.parse_step(text).expect("a step");
            steps.push(action);
            position.apply(action);
        }
        while position.outcome().is_none() && position.turns_played() < start.turns_played() + self.limit {
            position.legal_actions(&mut legal);
            let action = legal[rng.random_range(0..legal.len())];
            steps.push(action);
            position.apply(action);
        }
        (SavedGame::from_steps(variant, &start, &steps).expect("legal steps"), position.fen())
    }
}

fn play(variant: &str, played: Played<'_>) -> (SavedGame, String) {
    variant.parse::<Variant>().expect("a variant").dispatch(played)
}

/// The position after a step.
pub(super) fn after_step(variant: &str, start: &str, step: &str) -> String {
    play(variant, Played { start: Some(start), texts: &[step], limit: 0 }).1
}

/// A position in which the game is over.
pub(super) fn finished(variant: &str) -> String {
    play(variant, Played { start: None, texts: &[], limit: 10_000 }).1
}

fn file(directory: &Path, name: &str, contents: &str) -> String {
    let path = directory.join(name);
    fs::write(&path, contents).expect("a file is written");
    path.display().to_string()
}

const SHORT: &str = "1. h2e2 h9g7 2. h0g2 i9h9 *\n";

#[test]
fn values_are_those_of_red_whoever_moves() {
    let directory = tempfile::tempdir().expect("a folder");
    // The winner takes another piece instead and is to drop it: three positions of one player in a row.
    for (start, step, sign) in [(RED_WINS, "d2d6", 1.0), (BLACK_WINS, "d6d2", -1.0)] {
        let (game, _) = play("eternal-mini", Played { start: Some(start), texts: &[step], limit: 0 });
        let path = file(directory.path(), "game.pgn", &write_pgn(&game, Form::Iccs));
        let object = json(&["--game", &path, "--agent", "alphabeta:2"]);
        let turn = &object["turns"][0];
        assert_eq!(number(&turn["red_value"]), sign, "{object}");
        assert_eq!(number(&turn["best"]["red_value"]), sign, "{object}");
        assert!(number(&object["end_red_value"]) * sign > 0.5, "{object}");
        assert!(number(&turn["loss"]) < 0.5, "{object}");
        assert_eq!((&turn["proof"]["result"], &turn["is_best"]), (&"win".into(), &false.into()), "{object}");
        let text = analyse(&["--game", &path, "--agent", "alphabeta:2"]);
        assert!(text.contains("(proven: won in 1 turn)"), "{text}");
    }
}

#[test]
fn a_win_that_is_taken_is_the_best_turn_and_the_end_has_the_value_of_the_result() {
    let directory = tempfile::tempdir().expect("a folder");
    for (start, win, side) in [(RED_WINS, "b5c7#", "red"), (BLACK_WINS, "b3c1#", "black")] {
        let won = format!("[Variant \"eternal-mini\"]\n[FEN \"{start}\"]\n\n{win} *\n");
        let object = json(&["--game", &file(directory.path(), "won.pgn", &won), "--agent", "alphabeta:2"]);
        let sign = if side == "red" { 1.0 } else { -1.0 };
        assert_eq!(number(&object["end_red_value"]), sign, "{object}");
        assert_eq!((&object["turns"][0]["mark"], &object["turns"][0]["is_best"]), (&Value::Null, &true.into()));
        assert_eq!(number(&object["turns"][0]["loss"]), 0.0);
        assert_eq!(object["turns"][0]["side"], side);
    }
}

/// Black's last turn but one leaves red's rook where it can be taken for nothing.
const EXAMPLE: &str = include_str!("../../../../docs/example.pgn");

#[test]
fn a_blunder_is_marked_counted_and_drawn() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "game.pgn", EXAMPLE);
    let arguments = ["--game", &path, "--agent", "alphabeta:2"];
    let object = json(&arguments);
    let turn = &object["turns"][11];
    assert_eq!((&turn["mark"], &turn["best"]["players_text"]), (&"??".into(), &"炮2平7".into()), "{turn}");
    // Black gives away what red gains.
    let gain = number(&object["turns"][12]["red_value"]) - number(&turn["red_value"]);
    assert!((number(&turn["loss"]) - gain).abs() < 1e-6, "{object}");
    assert_eq!((&object["black"]["blunders"], &object["black"]["biggest_blunder"]), (&1.into(), &12.into()));
    assert_eq!((&object["red"]["blunders"], &object["red"]["biggest_blunder"]), (&0.into(), &Value::Null));
    let text = analyse(&arguments);
    assert!(text.contains("i8i4 (炮9进4) ??") && text.contains("0 mistakes ?, 1 blunder ??\n"), "{text}");
    let (_, drawn) =
        text.split_once("\nthe biggest blunder of black is turn 12: i8i4 (炮9进4) loses ").expect("it is told");
    assert!(drawn.contains("better is b8g8 (炮2平7)\n\n") && drawn.contains("[c]"), "{text}");
}

#[test]
fn a_random_game_of_every_variant_is_analysed_and_written_in_every_form() {
    let directory = tempfile::tempdir().expect("a folder");
    for variant in Variant::names() {
        let (game, _) = play(variant, Played { start: None, texts: &[], limit: 12 });
        let path = file(directory.path(), &format!("{variant}.pgn"), &write_pgn(&game, Form::Iccs));
        let out = |ending: &str| directory.path().join(format!("{variant}-out.{ending}")).display().to_string();
        let arguments = ["--game", &path, "--agent", "rollout:2"];
        let object = json(&[&arguments[..], &["--out", &out("pgn")]].concat());
        let turns = object["turns"].as_array().expect("a list");
        assert_eq!((turns.len(), object["is_stopped"].as_bool()), (game.turns().len(), Some(false)), "{variant}");

        let again = read_games(&fs::read(out("pgn")).expect("a file"), &"xiangqi".parse().expect("a variant"));
        assert_eq!(again.error, None, "{variant}");
        assert_eq!(again.games[0].turns().len(), turns.len());
        for (saved, turn) in again.games[0].turns().iter().zip(turns) {
            assert_eq!(saved.steps().iter().map(|step| step.index() as u64).collect::<Vec<_>>(), indices(turn));
            let value = f64::from(saved.value.expect("a value").for_side(Side::Red));
            assert!((value - number(&turn["red_value"])).abs() < 0.006, "{variant} {turn}");
            let said = saved.comment.as_deref().unwrap_or_default();
            assert_eq!(said.split(' ').next().filter(|mark| !mark.is_empty()), turn["mark"].as_str(), "{said}");
        }

        let text = analyse(&[&arguments[..], &["--out", &out("html")]].concat());
        assert!(text.ends_with(&format!("wrote {}\n", out("html"))), "{text}");
        let page = fs::read_to_string(out("html")).expect("a page");
        assert_eq!(page.matches("<li class=\"turn\"").count(), turns.len(), "{variant}");
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("src="), "{variant}");
        let blunders = turns.iter().filter(|turn| turn["mark"] == "??").count();
        assert_eq!(page.matches("class=\"board\"").count(), blunders, "{variant}");
        assert!(!page.contains("NaN"), "{variant}");

        analyse(&[&arguments[..], &["--out", &out("svg")]].concat());
        let curve = fs::read_to_string(out("svg")).expect("a curve");
        assert!(curve.starts_with("<svg xmlns=") && curve.ends_with("</svg>\n") && !curve.contains("NaN"), "{curve}");
    }
}

fn indices(turn: &Value) -> Vec<u64> {
    turn["actions"].as_array().expect("a list").iter().map(|action| action.as_u64().expect("an index")).collect()
}

#[test]
fn the_table_has_the_numbers_of_the_json() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "game.pgn", SHORT);
    let arguments = ["--game", &path, "--agent", "alphabeta:2"];
    let (object, text) = (json(&arguments), analyse(&arguments));
    let rows: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("turn ")).skip(1).collect();
    for (turn, row) in object["turns"].as_array().expect("a list").iter().zip(&rows) {
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(cells[0], turn["number"].to_string());
        assert_eq!(cells[1], turn["side"]);
        assert_eq!(cells[2].parse::<f64>().ok(), Some((number(&turn["red_value"]) * 100.0).round() / 100.0));
        assert!(row.contains(turn["turn"].as_str().expect("a text")), "{row} {turn}");
        assert!(row.contains(&format!("({})", turn["players_text"].as_str().expect("a text"))), "{row} {turn}");
    }
    assert!(rows[4].starts_with(" end  "), "{text}");
    assert!(text.contains("\nred    2 turns, mean loss ") && text.contains("\nblack  2 turns, mean loss "), "{text}");
}

#[test]
fn what_was_read_is_analysed_before_an_error_is_told() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "bad.pgn", &format!("{SHORT}\n[Red \"x\"]\n\n1. h2e2 h2h3 *\n"));
    let arguments = ["--game", &path, "--agent", "alphabeta:1"];
    assert_eq!(json(&arguments)["turns"].as_array().map(Vec::len), Some(4), "the first game is sound");
    let (text, error) = analyse_until(&Interrupt::default(), &[&arguments[..], &["--number", "2", "--json"]].concat());
    let object: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(object["turns"].as_array().map(Vec::len), Some(1));
    let error = error.expect("the second is not");
    assert!(error.starts_with(&format!("{path}, line ")) && error.contains("`h2h3`"), "{error}");
    assert_eq!(object["error"], error.as_str());

    let good = file(directory.path(), "good.pgn", SHORT);
    let (text, error) = analyse_until(&Interrupt::default(), &["--game", &good, "--number", "3"]);
    let expected = format!("{good}: holds 1 game, expected one with number 3");
    assert_eq!((text.as_str(), error), ("", Some(expected)));
}

#[test]
fn no_file_is_overwritten_and_none_is_left_half() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "game.pgn", SHORT);
    let (text, error) = analyse_until(&Interrupt::default(), &["--game", &path, "--out", &path]);
    assert_eq!((text.as_str(), error), ("", Some(format!("{path}: is there already, expected a new file"))));
    assert_eq!(fs::read_to_string(&path).expect("a file"), SHORT);
    let missing = directory.path().join("none/x.svg").display().to_string();
    let (_, error) = analyse_until(&Interrupt::default(), &["--game", &path, "--out", &missing]);
    assert!(error.expect("no such folder").starts_with(&format!("{missing}: cannot write: ")));
}

#[test]
fn a_stop_leaves_what_is_known() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "game.pgn", SHORT);
    let stop = Interrupt::default();
    stop.request();
    let (text, error) = analyse_until(&stop, &["--game", &path]);
    assert!(error.is_none() && text.contains("\nstopped after 0 of 4 turns\n"), "{text}");
    let (text, error) = analyse_until(&stop, &["eternal-mini", "--agent", "rollout:1000"]);
    assert!(error.is_none() && text.contains("red to move"), "{text}");
}

#[test]
fn a_game_that_goes_on_after_a_repetition_is_analysed_to_its_end() {
    let directory = tempfile::tempdir().expect("a folder");
    let there_and_back = "a0a1 a9a8 a1a0 a8a9 ".repeat(4);
    let path = file(directory.path(), "game.pgn", &format!("{there_and_back} h2e2 *\n"));
    let object = json(&["--game", &path, "--agent", "alphabeta:1"]);
    assert_eq!(object["turns"].as_array().map(Vec::len), Some(17));
    assert!(object["turns"][16]["best"]["turn"].is_string());
}
