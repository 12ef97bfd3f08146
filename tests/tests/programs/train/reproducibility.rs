//! The same seed, configuration and program give the same run.

use super::support::{contents, inspect, succeed, text, tiny_config};

#[test]
fn the_number_of_threads_changes_no_bit_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    let run = |name: &str, threads: &str, seed: &str| {
        let out = folder.path().join(name);
        let options = ["--iterations", "2", "--threads", threads, "--seed", seed];
        succeed(&[&["run", text(&config), "--out", text(&out)], &options[..]].concat());
        let inspection = inspect(&out);
        assert_eq!(inspection["iterations"], 2);
        assert!(inspection["learn_steps"].as_u64() > Some(2), "{inspection}");
        contents(&out, &["nets", "games"])
    };
    let one = run("one", "1", "5");
    let two = run("two", "2", "5");
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    assert!(one.len() >= 2 * 3 + 2, "{:?}", one.keys());
    assert!(one == two, "the same files have other contents");
    assert!(run("other", "2", "6") != two, "another seed gives another run");
}
