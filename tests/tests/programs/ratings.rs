//! Tournaments, ladders and suites as a user runs them.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::eval::{eval, stderr, stdout};

/// A tournament of three agents whose ratings are saved as a ladder.
fn tournament(folder: &Path, options: &[&str]) -> Output {
    let agents = ["tournament", "random", "rollout:4", "alphabeta:1", "--variant", "eternal-mini:turn_limit=20"];
    let ladder = folder.join("eternal-mini.toml");
    let games = ["--games", "6", "--save-ladder", ladder.to_str().expect("a path")];
    eval(&[&agents[..], &games, options].concat())
}

#[test]
fn a_tournament_keeps_games_a_page_and_a_ladder() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out_argument = out.to_str().expect("a path");
    let play = || tournament(folder.path(), &["--out", out_argument, "--json"]);
    let output = play();
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let ladder = || fs::read_to_string(folder.path().join("eternal-mini.toml")).expect("a ladder");
    let first = (read("games.pgn"), read("report.html"), ladder());
    assert_eq!(first.0.matches("[Event ").count(), 18);
    assert!(first.0.contains("[Event \"random against alphabeta:1\"]") && first.0.contains("[Round \"3.2\"]"));
    assert!(first.1.contains("Tournament of 3 agents"), "{}", first.1);
    let made_by = "# Made by: eval tournament random rollout:4 alphabeta:1 --variant 'eternal-mini:turn_limit=20' --games 6 \
                   --openings random:0 --seed 1 --anchor random\n";
    assert!(first.2.contains(made_by), "{}", first.2);
    let again = play();
    assert_eq!(stdout(&again), stdout(&output), "nothing is played twice");
    assert_eq!((read("games.pgn"), read("report.html"), ladder()), first);
    let pgn = out.join("games.pgn");
    let converted = eval(&["convert", pgn.to_str().expect("a path"), "--to", "json"]);
    assert!(converted.status.success(), "{}", stderr(&converted));
    assert_eq!(stdout(&converted).lines().count(), 18);
}

#[test]
fn a_tournament_on_the_clock_keeps_the_time_of_each_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let agents = ["tournament", "random", "rollout:4", "--variant", "eternal-mini:turn_limit=6", "--games", "2"];
    let clock = ["--movetime", "5", "--time-margin", "5000", "--out", out];
    let output = eval(&[&agents[..], &clock].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("2 games a pairing, 5 ms a turn, seed 1"), "{}", stdout(&output));
    let games = fs::read_to_string(folder.path().join("games.pgn")).expect("games");
    assert!(games.contains("[TimeControl \"5 ms a turn\"]") && games.contains(" s}"), "{games}");
    let saved = eval(&[&agents[..], &["--movetime", "5", "--save-ladder", "ladder.toml"]].concat());
    assert_eq!(saved.status.code(), Some(2), "a clock rates the machine, too");
}

#[test]
fn a_suite_is_the_same_with_any_threads_and_in_any_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let ladders = folder.path().to_str().expect("a path");
    let made = tournament(folder.path(), &[]);
    assert!(made.status.success(), "{}", stderr(&made));
    let suite = |options: &[&str]| {
        let output = eval(&[&["suite", "rollout:8", "random", "--ladders", ladders, "--json"][..], options].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    let whole = suite(&["--games", "30", "--threads", "1"]);
    assert_eq!(suite(&["--games", "30", "--threads", "2"]), whole);
    let out = folder.path().join("out");
    let out_argument = out.to_str().expect("a path");
    suite(&["--games", "14", "--out", out_argument]);
    assert_eq!(suite(&["--games", "30", "--out", out_argument]), whole);
    let report: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    let row = |index: usize| &report["rows"][index];
    assert_eq!((&row(0)["variant"], &row(0)["rating"]["games"]), (&"eternal-mini".into(), &30.into()));
    let random = [row(0), row(1)].into_iter().find(|row| row["agent"] == "random").expect("a row");
    let rungs = random["rungs"].as_array().expect("rungs");
    assert!(!rungs.is_empty() && rungs.iter().all(|rung| rung["agent"] != "random"), "{random}");
    for name in ["report.json", "report.html", "ratings.csv", "suite.json"] {
        assert!(out.join(name).is_file(), "{name}");
    }
}

#[test]
fn a_suite_leaves_out_what_cannot_be_played_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let ladders = folder.path().to_str().expect("a path");
    let suite = |arguments: &[&str]| eval(&[&["suite", "--games", "2", "--ladders", ladders], arguments].concat());
    let none = suite(&["random"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("holds no ladder, expected VARIANT.toml"), "{}", stderr(&none));
    let rung = |agent: &str| format!("[[rung]]\nagent = \"{agent}\"\nelo = 0\nlow = 0\nhigh = 0\ngames = 1\n");
    let head = "variant = \"eternal-mini:turn_limit=10\"\nversion = \"0.1.0\"\nseed = 1\nopenings = \"random:0\"\n\
                first_mover = 0\ndraws = 0\n";
    let write = |rungs: &[String]| {
        fs::write(folder.path().join("eternal-mini.toml"), format!("{head}{}", rungs.concat())).expect("a file");
    };
    write(&[rung("uci:no-such-program"), rung("rollout:2")]);
    let played = suite(&["random"]);
    assert!(played.status.success(), "{}", stderr(&played));
    let text = stdout(&played);
    assert!(text.contains("\nleft out  eternal-mini, a rung: agent `uci:no-such-program`: "), "{text}");
    assert!(text.contains("rollout:2 (2)"), "{text}");
    write(&[rung("random")]);
    let alone = suite(&["random"]);
    assert_eq!(alone.status.code(), Some(1));
    let error = "error: nobody can be rated: eternal-mini: `random`, since no rung is left to play against\n";
    assert_eq!(stderr(&alone), error);
}
