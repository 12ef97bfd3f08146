//! Studies of placements and layouts as a user runs them, and their tables as another program reads them.

use std::fs;
use std::path::Path;

use crate::eval::{eval, stderr, stdout};
use crate::studies::assert_pandas_agrees;

const LAYOUTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/layouts/eternal-fixed.toml");

/// A layout that red can place.
const GIVEN: &str = "Cd4Ne4Pf4Re3Ra1Nb1Bc1Bf1Ch3Ma3Mb3Pg3";

/// Placements of a weak player, who is quick and has opinions.
const FREE: &[&str] = &[
    "openings",
    "free",
    "--agent",
    "rollout:2",
    "--games",
    "12",
    "--layouts",
    "3",
    "--pairs",
    "2",
    "--turn-limit",
    "12",
    "--against",
    GIVEN,
    "--json",
];

const FIXED: &[&str] =
    &["openings", "fixed", "--layouts", LAYOUTS, "--agent", "rollout:2", "--games", "4", "--turn-limit", "6", "--json"];

fn study(arguments: &[&str], out: &Path, options: &[&str]) -> String {
    let output = eval(&[arguments, &["--out", out.to_str().expect("a path")], options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).to_owned()
}

/// Runs a study with one thread and with two, and again after a crash that lost half of the work.
fn assert_same_in_any_parts(arguments: &[&str], files: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let whole = study(arguments, &one, &["--threads", "1"]);
    assert_eq!(study(arguments, &two, &["--threads", "2"]), whole);
    let read = |name: &&str| fs::read_to_string(two.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let before: Vec<String> = files.iter().map(read).collect();
    let work = read(&"work.jsonl");
    let lines: Vec<&str> = work.lines().collect();
    let torn = lines[..lines.len() / 2].join("\n") + "\n" + &lines[lines.len() / 2][..20];
    fs::write(two.join("work.jsonl"), torn).expect("a file");
    assert_eq!(study(arguments, &two, &[]), whole);
    assert_eq!(files.iter().map(read).collect::<Vec<_>>(), before);
    let other = eval(&[arguments, &["--out", two.to_str().expect("a path"), "--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("holds a study whose --seed is `1`, not `2`"), "{}", stderr(&other));
}

#[test]
fn placements_are_the_same_with_any_threads_and_go_on_after_a_stop() {
    assert_same_in_any_parts(FREE, &["payoffs.csv", "mixtures.csv", "replies.csv", "report.html", "summary.json"]);
}

#[test]
fn fixed_layouts_are_the_same_with_any_threads_and_go_on_after_a_stop() {
    assert_same_in_any_parts(FIXED, &["layouts.csv", "cells.csv", "games.csv", "report.html", "summary.json"]);
}

#[test]
fn pandas_finds_the_numbers_of_both_summaries_in_the_tables() {
    for arguments in [FREE, FIXED, &[FIXED, &["--mirrored"]].concat()] {
        let folder = tempfile::tempdir().expect("a folder");
        study(arguments, folder.path(), &[]);
        assert_pandas_agrees("layout_studies.py", folder.path());
    }
}

#[test]
fn pages_need_nothing_else_and_bad_input_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    study(&[FIXED, &["--mirrored"]].concat(), &out, &[]);
    let page = fs::read_to_string(out.join("report.html")).expect("a page");
    assert!(page.contains("Layouts against themselves") && !page.contains("://"), "{page}");
    let file = folder.path().join("layouts.toml");
    fs::write(&file, "[[layout]]\nname = \"a\"\nred = \"Ra1\"\n").expect("a file");
    let file = file.to_str().expect("a path");
    let free = |layout| vec!["openings", "free", "--agent", "random", "--against", layout];
    for (arguments, status, problem) in [
        (
            vec!["openings", "fixed", "--agent", "random", "--layouts", file],
            1,
            "layout `a`, key `red`: `Ra1` is no layout",
        ),
        (vec!["openings", "fixed", "--agent", "random"], 2, "--layouts <FILE>"),
        (free("Cd1"), 1, "error: --against: `Cd1` is no layout of red"),
        (vec!["openings", "free", "--layouts", "0"], 2, "--layouts <K>"),
    ] {
        let output = eval(&arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(problem), "{}", stderr(&output));
    }
}
