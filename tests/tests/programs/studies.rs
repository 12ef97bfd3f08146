//! Studies of openings as a user runs them, and their tables as another program reads them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::eval::{eval, stderr, stdout};

/// A study of the small board that takes a second or two.
const SMALL: &[&str] = &[
    "openings",
    "mini",
    "--agent",
    "alphabeta:1",
    "--setups",
    "90",
    "--sample",
    "20",
    "--games-per-setup",
    "3",
    "--json",
];

fn study(out: &Path, options: &[&str]) -> String {
    let output = eval(&[SMALL, &["--out", out.to_str().expect("a path")], options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).to_owned()
}

#[test]
fn a_study_is_the_same_with_any_threads_and_goes_on_after_a_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let whole = study(&one, &["--threads", "1"]);
    assert_eq!(study(&two, &["--threads", "2"]), whole);
    let read = |name: &str| fs::read_to_string(two.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let files = ["setups.csv", "games.csv", "pieces.csv", "report.html", "summary.json"];
    let before = files.map(read);
    assert!(before[3].contains("How fair is the game over its set-ups?") && !before[3].contains("://"));
    // A crash has lost the last lines, and half of one more.
    let work = read("work.jsonl");
    let kept: Vec<&str> = work.lines().collect();
    let torn = kept[..kept.len() / 2].join("\n") + "\n" + &kept[kept.len() / 2][..20];
    fs::write(two.join("work.jsonl"), torn).expect("a file");
    assert_eq!(study(&two, &[]), whole);
    assert_eq!(files.map(read), before);
    let other = eval(&[SMALL, &["--out", two.to_str().expect("a path"), "--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(1));
    assert!(stderr(&other).contains("study.json: holds a study whose --seed is `1`, not `2`"), "{}", stderr(&other));
}

/// Has a script of `tests/peers/` compute the numbers of a summary from the tables of a study; left out where pandas is missing.
pub(crate) fn assert_pandas_agrees(script: &str, folder: &Path) {
    // Debian's, which `.ci/run` installs.
    let python = "/usr/bin/python3";
    if !Command::new(python).args(["-c", "import pandas"]).output().is_ok_and(|output| output.status.success()) {
        eprintln!("{python} has no pandas: the tables of studies are not read by another program");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(script);
    let compared = Command::new(python).arg(script).arg(folder).output().expect("python runs");
    let printed = stdout(&compared);
    assert!(compared.status.success() && printed.contains(", 0 differ"), "{printed}{}", stderr(&compared));
}

#[test]
fn pandas_finds_the_numbers_of_the_summary_in_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    study(folder.path(), &[]);
    assert_pandas_agrees("studies.py", folder.path());
}

/// Proofs need deeper searches than a test has time for, so that some are written into what is kept.
#[test]
fn proven_results_are_counted_by_distance_and_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    study(folder.path(), &[]);
    assert!(!read("report.html").contains("Proven results"));
    let proven = [(1, 9), (1, 11), (-1, 8), (0, 3)];
    let proof = |index: usize| match proven.get(index) {
        Some((result, distance)) => {
            format!(",\"proof\":{{\"red_result\":{result},\"distance\":{distance},\"in_turns\":true}},\"best\":")
        }
        None => ",\"best\":".to_owned(),
    };
    let work = read("work.jsonl");
    let parts: Vec<&str> = work.split(",\"best\":").collect();
    let (last, firsts) = parts.split_last().expect("searches");
    let firsts = firsts.iter().enumerate().map(|(index, part)| part.to_string() + &proof(index));
    fs::write(folder.path().join("work.jsonl"), firsts.collect::<String>() + last).expect("a file");
    let summary: serde_json::Value = serde_json::from_str(&study(folder.path(), &[])).expect("JSON");
    let table = read("proofs.csv");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), proven.len(), "{table}");
    for (result, name) in [("1", "red_wins"), ("-1", "black_wins"), ("0", "draws")] {
        let set_ups = rows.iter().filter(|row| row[0] == result).map(|row| row[3].parse::<u64>().expect("a number"));
        assert_eq!(summary["proofs"][name].as_u64(), Some(set_ups.sum()), "{name}: {table}");
    }
    let page = read("report.html");
    assert!(page.contains("Proven results") && page.contains("9 turns of both sides"), "{table}");
    assert_pandas_agrees("studies.py", folder.path());
}

#[test]
fn an_agent_without_an_opinion_and_wrong_options_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().to_str().expect("a path");
    let random = eval(&["openings", "mini", "--agent", "random", "--out", out]);
    assert_eq!(random.status.code(), Some(1));
    let error = stderr(&random);
    assert!(
        error.contains("error: agent `random`, set-up `") && error.contains("says nothing of what it expects"),
        "{error}"
    );
    for wrong in [["--sample", "3"], ["--sims", "0"], ["--setups", "1"]] {
        assert_eq!(eval(&[&["openings", "mini"][..], &wrong].concat()).status.code(), Some(2), "{wrong:?}");
    }
}
