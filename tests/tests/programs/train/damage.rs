//! Runs with damaged or missing files: resuming says what is wrong and leaves everything as it was.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::support::{contents, fail, inspect, succeed, text, tiny_config};

/// What can happen to a run, and what resuming says of it.
type Damage = (&'static str, fn(&Path));

const DAMAGES: &[Damage] = &[
    ("metrics.jsonl: 1 iterations, state.json says 2", |run| {
        let lines = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
        fs::write(run.join("metrics.jsonl"), &lines[..lines.len() - 1]).unwrap();
    }),
    ("metrics.jsonl: 0 iterations, state.json says 2", |run| fs::write(run.join("metrics.jsonl"), "").unwrap()),
    ("metrics.jsonl: 0 iterations, state.json says 2", |run| fs::remove_file(run.join("metrics.jsonl")).unwrap()),
    ("games/000001-*.parquet: 0 steps, expected ", |run| empty(&run.join("games"))),
    ("state.json: missing, but the run has got to iteration 2", |run| {
        fs::remove_file(run.join("state/state.json")).unwrap();
    }),
    ("state.json: missing, but the run has got to iteration 2", |run| {
        empty(&run.join("state"));
        empty(&run.join("nets"));
        fs::remove_file(run.join("metrics.jsonl")).unwrap();
    }),
    ("nets/000002/model.safetensors: truncated or overlong: 9 bytes", |run| {
        fs::write(run.join("nets/000002/model.safetensors"), "truncated").unwrap();
    }),
    ("nets/000002/meta.json: no such file", |run| fs::remove_file(run.join("nets/000002/meta.json")).unwrap()),
    ("nets/000002/meta.json: seed ", |run| set_config(run, "seed", "77")),
    ("nets/000002/meta.json: variant ", |run| set_config(run, "variant", "\"eternal-mini:turn_limit=13\"")),
    ("state.json: `positions` is 5, the iterations add up to ", |run| set_state(run, "positions", 5.into())),
    ("state.json: `games` is 0, the iterations add up to ", |run| set_state(run, "games", 0.into())),
    ("state.json: `learn_steps` is 9999, the iterations add up to ", |run| set_state(run, "learn_steps", 9999.into())),
    ("state.json: `samples_owed` must be from 0 to a batch, found 1e300", |run| {
        set_state(run, "samples_owed", 1e300.into());
    }),
    ("metrics.jsonl: 2 iterations, state.json says 18446744073709551615", |run| {
        set_state(run, "iteration", u64::MAX.into());
    }),
];

fn empty(folder: &Path) {
    fs::remove_dir_all(folder).unwrap();
    fs::create_dir(folder).unwrap();
}

/// Gives a key of the resolved configuration another value.
fn set_config(run: &Path, key: &str, value: &str) {
    let source = fs::read_to_string(run.join("config.toml")).unwrap();
    let start = format!("{key} = ");
    let line = source.lines().find(|line| line.starts_with(&start)).unwrap();
    fs::write(run.join("config.toml"), source.replacen(line, &format!("{start}{value}"), 1)).unwrap();
}

/// Gives a counter of a run another value.
fn set_state(run: &Path, key: &str, value: Value) {
    let path = run.join("state/state.json");
    let mut state: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    state[key] = value;
    fs::write(path, state.to_string()).unwrap();
}

/// Writes the files of a whole run anew, and nothing else.
fn restore(run: &Path, files: &BTreeMap<String, Vec<u8>>) {
    fs::remove_dir_all(run).unwrap();
    for (name, contents) in files {
        let path = run.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
}

#[test]
fn a_damaged_run_is_refused_and_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["run", text(&tiny_config(folder.path())), "--out", text(&run), "--iterations", "2"]);
    let whole = contents(&run, &[""]);
    for (expected, damage) in DAMAGES {
        restore(&run, &whole);
        damage(&run);
        let damaged = contents(&run, &[""]);
        let error = fail(&["resume", text(&run)]);
        assert!(error.contains(expected), "{expected}: {error}");
        assert!(contents(&run, &[""]) == damaged, "{expected}: resuming changed the run");
        fail(&["inspect", text(&run)]);
    }
    restore(&run, &whole);
    inspect(&run);
}

#[test]
fn the_newest_network_is_written_again_if_it_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    succeed(&["run", text(&tiny_config(folder.path())), "--out", text(&run), "--iterations", "2"]);
    let nets = contents(&run, &["nets"]);
    fs::remove_dir_all(run.join("nets/000002")).unwrap();
    succeed(&["resume", text(&run)]);
    assert!(contents(&run, &["nets"]) == nets);
    inspect(&run);
}
