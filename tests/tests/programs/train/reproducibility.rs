//! The same seed, configuration and program give the same run.

use super::support::{contents, inspect, succeed, text, tiny_config};

/// All that is off unless asked for and has to do with what is learnt.
const LEARNING_TARGETS: &[&str] = &[
    "net.auxiliary_heads=true",
    "learn.soft_policy_weight=8",
    "learn.short_term_value_weight=1",
    "learn.opponent_reply_weight=0.15",
    "replay.reanalysis_share=0.3",
    "search.algorithm=puct",
    "search.puct.forced_playouts=2",
];

/// Trains twice with one thread and with two, and once with another seed.
fn check_threads(settings: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let run = |name: &str, threads: &str, seed: &str| {
        let out = folder.path().join(name);
        let options = ["--iterations", "2", "--threads", threads, "--seed", seed];
        succeed(&[&["run", text(&config), "--out", text(&out)], &options[..], &settings[..]].concat());
        let inspection = inspect(&out);
        assert_eq!(inspection["iterations"], 2);
        assert!(inspection["learn_steps"].as_u64() > Some(2), "{inspection}");
        assert_eq!(inspection["latest"]["reanalysed"].as_u64() > Some(0), !settings.is_empty(), "{inspection}");
        assert_eq!(inspection["latest"]["loss_opponent_reply"].is_null(), settings.is_empty(), "{inspection}");
        contents(&out, &["nets", "games"])
    };
    let one = run("one", "1", "5");
    let two = run("two", "2", "5");
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    assert!(one.len() >= 2 * 3 + 2, "{:?}", one.keys());
    assert!(one == two, "the same files have other contents");
    assert!(run("other", "2", "6") != two, "another seed gives another run");
}

#[test]
fn the_number_of_threads_changes_no_bit_of_a_run() {
    check_threads(&[]);
}

#[test]
fn the_number_of_threads_changes_no_bit_of_a_run_with_more_to_learn() {
    check_threads(LEARNING_TARGETS);
}
