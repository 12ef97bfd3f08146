//! Wrong configurations and damaged files: one line that names the file and what is wrong.

use std::path::{Path, PathBuf};

use super::support::{TINY, contents, fail, inspect, output, succeed, text, tiny_config};

#[test]
fn a_wrong_configuration_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("x.toml");
    let run = folder.path().join("run");
    let place = format!("error: {}", config.display());
    for (from, to, expected) in [
        ("batch = 16", "bach = 16", ": unknown key `schedule.bach`, expected one of `batch`"),
        ("batch = 16", "batch = 0", ": `schedule.batch` must be from 1 to 65536, found 0"),
        ("batch = 16", "batch = \"16\"", ": `schedule.batch`: invalid type: string \"16\", expected"),
        ("eternal-mini:turn_limit=12", "eternal-mini:turn_limit=0", ": `variant` cannot be used: "),
        ("eternal-mini:turn_limit=12", "eternal-tiny", ": `variant` cannot be used: unknown variant `eternal-tiny`"),
        ("simulations = 4", "simulations = -4", ": `search.simulations`: invalid value"),
        ("replay_ratio = 1.0", "replay_ratio = nan", ": `replay.replay_ratio` must be from"),
    ] {
        let source = TINY.replacen(from, to, 1);
        let line = source.lines().position(|line| line.contains(to)).unwrap() + 1;
        std::fs::write(&config, source).unwrap();
        let error = fail(&["run", text(&config), "--out", text(&run)]);
        assert!(error.starts_with(&format!("{place}:{line}{expected}")), "{to}: {error}");
        assert!(!run.exists(), "{to}");
    }
    let missing = fail(&["run", text(&folder.path().join("y.toml")), "--out", text(&run)]);
    assert!(missing.contains("y.toml: cannot read: "), "{missing}");
    let no_run = fail(&["resume", text(folder.path())]);
    assert!(no_run.ends_with(": not a run: it has no config.toml"), "{no_run}");
}

#[test]
fn wrong_usage_has_status_2() {
    for arguments in
        [&["run"][..], &["walk"], &["run", "x.toml", "--iterations", "many"], &["resume", "x", "--out", "y"]]
    {
        assert_eq!(output(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_run_is_never_overwritten_and_never_becomes_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_config(folder.path());
    let run = folder.path().join("run");
    succeed(&["run", text(&config), "--out", text(&run), "--iterations", "1"]);
    let before = contents(&run, &["nets", "games", "state"]);
    let error = fail(&["run", text(&config), "--out", text(&run)]);
    assert!(error.contains(": exists already; `cargo run --release --bin train -- resume "), "{error}");
    for (setting, key) in [("seed=9", "seed"), ("variant=eternal-mini", "variant"), ("net.blocks=2", "net")] {
        let error = fail(&["resume", text(&run), "--set", setting]);
        assert!(error.starts_with(&format!("error: `{key}` cannot change in a run that has begun")), "{error}");
    }
    assert_eq!(contents(&run, &["nets", "games", "state"]), before);
    inspect(&run);
}

#[test]
fn every_damaged_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["run", text(&tiny_config(folder.path())), "--out", text(&run), "--iterations", "1"]);
    inspect(&run);
    let checked = contents(&run, &["nets", "games", "state"]).into_keys();
    let checked = checked.chain(["config.toml", "metrics.jsonl", "events.out.tfevents.heng"].map(str::to_owned));
    for name in checked {
        let path = run.join(&name);
        let whole = std::fs::read(&path).unwrap();
        let mut altered = whole.clone();
        let middle = altered.len() / 2;
        altered[middle] ^= 0x20;
        if altered != whole && !name.ends_with(".toml") && !name.ends_with(".json") && !name.ends_with(".jsonl") {
            std::fs::write(&path, &altered).unwrap();
            is_named(&run, &path, "altered");
        }
        // A shorter event file is what a kill leaves, and is written anew on resuming.
        if !name.starts_with("events") {
            std::fs::write(&path, &whole[..whole.len() / 3]).unwrap();
            is_named(&run, &path, "truncated");
            std::fs::remove_file(&path).unwrap();
            is_named(&run, &path, "missing");
        }
        std::fs::write(&path, &whole).unwrap();
    }
    inspect(&run);
}

fn is_named(run: &Path, path: &Path, damage: &str) {
    let error = fail(&["inspect", text(run)]);
    let name = path.file_name().unwrap().to_str().unwrap();
    // A games file that is missing has no name any more but that of its iteration.
    let is_missing_game = damage == "missing" && name.ends_with(".parquet");
    let expected = if is_missing_game { "games/000001-*.parquet" } else { name };
    assert!(error.contains(expected), "{damage} {}: {error}", PathBuf::from(path).display());
}
