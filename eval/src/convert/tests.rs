//! Whole conversions, as the command makes them.

use std::fs;
use std::path::Path;

use clap::Parser;
use serde_json::Value;

use super::{ConvertArgs, run};
use crate::report::tests::write_run;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: ConvertArgs,
}

/// What the command prints, and its error.
fn convert(arguments: &[&str]) -> (String, Option<String>) {
    let line = Line::try_parse_from(["convert"].iter().chain(arguments)).expect("a good command line");
    let mut output = Vec::new();
    let error = run(&line.args, &mut output).err().map(|error| error.to_string());
    (String::from_utf8(output).expect("text"), error)
}

fn file(directory: &Path, name: &str, contents: &str) -> String {
    let path = directory.join(name);
    fs::write(&path, contents).expect("a file is written");
    path.display().to_string()
}

const GAME: &str = "[Red \"x\"]\n1. h2e2 {red +0.25, 0.5 s; good} h9g7 1/2-1/2\n";

#[test]
fn a_game_goes_through_every_form_and_comes_back() {
    let directory = tempfile::tempdir().expect("a folder");
    let first = file(directory.path(), "first.pgn", GAME);
    let (pgn, error) = convert(&[&first]);
    assert_eq!(error, None);
    assert!(pgn.ends_with("\n\n1. h2e2 {red +0.25, 0.500 s; good} 1... h9g7 1/2-1/2\n"), "{pgn}");
    for (to, notation) in
        [("pgn", "chinese"), ("pgn", "traditional"), ("pgn", "wxf"), ("pgn", "uci"), ("dhtmlxq", "wxf")]
    {
        let (text, error) = convert(&[&first, "--to", to, "--notation", notation]);
        assert_eq!(error, None);
        let second = file(directory.path(), "second", &text);
        assert_eq!(convert(&[&second]), (pgn.clone(), None), "{text}");
    }
    let (chinese, _) = convert(&[&first, "--notation", "traditional"]);
    assert!(chinese.contains("炮二平五 {") && chinese.contains("1... 馬8進7 "), "{chinese}");
    let (blocks, _) = convert(&[&first, &first, "--to", "dhtmlxq"]);
    assert_eq!(blocks.matches("[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]").count(), 2);
}

#[test]
fn json_has_a_line_for_each_game() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "games.pgn", &GAME.repeat(2));
    let (lines, error) = convert(&[&path, "--to", "json"]);
    assert_eq!((lines.lines().count(), error), (2, None));
    let game: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(game["tags"], serde_json::json!({ "Red": "x" }));
    assert_eq!((&game["result"], &game["notation"]), (&"1/2-1/2".into(), &"uci".into()));
    let turn = serde_json::json!({
        "side": "red", "turn": "h3e3", "actions": [25 * 90 + 22], "red_value": 0.25, "seconds": 0.5, "comment": "good",
    });
    assert_eq!(game["turns"][0], turn);
}

#[test]
fn games_of_a_run_come_with_what_the_search_expected() {
    let directory = tempfile::tempdir().expect("a folder");
    let name = write_run(directory.path(), 12);
    let (run, file) = (directory.path().display().to_string(), directory.path().join(name).display().to_string());
    let (all, error) = convert(&[&run]);
    assert_eq!(error, None);
    assert_eq!(all.matches("[Event \"Self-play\"]").count(), 4);
    assert_eq!(all.matches("[Variant \"eternal-mini\"]").count(), 4);
    assert!(all.contains("{red +0.00}"), "{all}");
    let (one, error) = convert(&[&file, "--to", "json"]);
    assert_eq!((one.lines().count(), error), (2, None));
    let again = self::file(directory.path(), "again.pgn", &all);
    assert_eq!(convert(&[&again]), (all, None));
}

#[test]
fn what_comes_before_an_error_is_written_and_no_file_is_overwritten() {
    let directory = tempfile::tempdir().expect("a folder");
    let path = file(directory.path(), "bad.pgn", &format!("{GAME}\n1. h2e2 h2e3 1-0\n"));
    let (text, error) = convert(&[&path]);
    assert!(text.contains("1/2-1/2\n\n[Game ") && text.ends_with("\n\n1. h2e2 *\n"), "{text}");
    let error = error.expect("the second game is wrong");
    let expected = format!("{path}, line 4, game 2: round 1, black: `h2e3` is not legal here: ");
    assert!(error.starts_with(&expected), "{error}");

    let out = directory.path().join("out.pgn").display().to_string();
    assert_eq!(convert(&[&path, "--out", &out]).1, Some(error));
    assert_eq!(fs::read_to_string(&out).expect("a file"), text);
    assert!(convert(&[&path, "--out", &out]).1.expect("the file is there").starts_with(&out));
    assert_eq!(fs::read_to_string(&out).expect("a file"), text);

    let missing = directory.path().join("missing").display().to_string();
    assert!(convert(&[&missing]).1.expect("no such file").starts_with(&missing));
    let other = file(directory.path(), "wuji.pgn", "[Variant \"wuji-simple\"]\n*");
    let error = convert(&[&other, "--to", "dhtmlxq"]).1.expect("not Xiangqi");
    assert!(error.starts_with(&format!("{other}, game 1: a game of `wuji-simple` cannot")), "{error}");
    let empty = directory.path().join("empty");
    fs::create_dir(&empty).expect("a folder");
    assert!(convert(&[&empty.display().to_string()]).1.expect("no run").contains("no such run"));
}
