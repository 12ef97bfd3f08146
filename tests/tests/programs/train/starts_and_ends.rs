//! Runs whose games begin in others and are given up, and what reads such games.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::support::{contents, inspect, succeed, text, tiny_config};

/// Forks, endgames and resignation, each as often as it goes.
const MIXED: &[&str] = &[
    "selfplay.fork_share=0.4",
    "selfplay.endgame_share=0.4",
    "selfplay.resign_threshold=0.02",
    "selfplay.resign_turns=1",
    "selfplay.resign_playthrough_share=0.5",
];

/// Starts such a run with more options.
fn run(config: &Path, out: &Path, options: &[&str]) {
    let mut arguments = vec!["run", text(config), "--out", text(out)];
    MIXED.iter().for_each(|setting| arguments.extend(["--set", setting]));
    succeed(&[&arguments, options].concat());
}

/// The sum of a metric over the iterations of a run.
fn sum(run: &Path, key: &str) -> u64 {
    let metrics = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    let value = |line: &str| serde_json::from_str::<Value>(line).unwrap()[key].as_u64().expect("a count");
    metrics.lines().map(value).sum()
}

fn eval(arguments: &[&str]) -> String {
    let output = Command::new(crate::binary("eval")).args(arguments).output().expect("eval runs");
    assert!(output.status.success(), "eval {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn games_that_begin_in_others_or_are_given_up_can_be_inspected_converted_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    for (variant, has_winners) in [
        ("eternal-mini:turn_limit=30", true),
        ("eternal-free:turn_limit=4", false),
        ("xiangqi:quiet_limit=10", false),
        ("wuji-simple:quiet_limit=10", false),
    ] {
        let out = folder.path().join(variant.split(':').next().unwrap());
        let with_variant = format!("variant={variant}");
        run(&config, &out, &["--iterations", "3", "--set", &with_variant]);
        let inspection = inspect(&out);
        assert!(sum(&out, "forks") > 0, "{variant}: {inspection}");
        if has_winners {
            for key in ["endgames", "resigned", "resign_checked"] {
                assert!(sum(&out, key) > 0, "{variant}: no {key}");
            }
        }
        let games: Vec<Value> = eval(&["convert", text(&out), "--to", "json"])
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(inspection["games"].as_u64(), Some(games.len() as u64), "{variant}");
        let resigned = games.iter().filter(|game| game["termination"] == "resignation").count() as u64;
        assert_eq!(resigned, sum(&out, "resigned"), "{variant}");
        let pgn = out.join("games.pgn");
        eval(&["convert", text(&out), "--out", text(&pgn)]);
        let again = eval(&["convert", text(&pgn), "--to", "json"]);
        for (line, game) in again.lines().zip(&games) {
            let read: Value = serde_json::from_str(line).unwrap();
            for key in ["start", "result", "termination"] {
                assert_eq!(read[key], game[key], "{variant}");
            }
            let actions = |game: &Value| {
                let turns = game["turns"].as_array().unwrap();
                turns.iter().map(|turn| turn["actions"].clone()).collect::<Vec<_>>()
            };
            assert_eq!(actions(&read), actions(game), "{variant}");
        }
        assert_eq!(again.lines().count(), games.len(), "{variant}");
        eval(&["report", text(&out)]);
    }
}

#[test]
fn games_that_begin_in_others_depend_on_no_thread_and_a_run_of_them_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    let play = |name: &str, threads: &str| {
        let out = folder.path().join(name);
        run(&config, &out, &["--iterations", "2", "--threads", threads]);
        succeed(&["resume", text(&out), "--iterations", "4"]);
        assert_eq!(inspect(&out)["iterations"], 4);
        contents(&out, &["nets", "games"])
    };
    assert!(play("one", "1") == play("two", "2"), "the same files have other contents");
}
