//! Runs small enough for a test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A run that plays a few short games an iteration with a tiny network.
pub(crate) const TINY: &str = r#"
variant = "eternal-mini:turn_limit=12"

[net]
channels = 8
blocks = 1
policy_channels = 4
value_channels = 4
value_hidden = 4

[search]
simulations = 4
gumbel.considered = 4

[selfplay]
groups = 2
games_per_group = 3
evaluations_per_iteration = 1_200
slices = 3
cache = 1_000

[replay]
min_positions = 16
replay_ratio = 1.0

[learn]
shards = 2

[schedule]
batch = 16
warmup_steps = 2
"#;

/// The `train` binary with arguments.
pub(super) fn train(arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::binary("train"));
    command.args(arguments);
    command
}

/// Runs `train` to its end.
pub(crate) fn output(arguments: &[&str]) -> Output {
    train(arguments).output().expect("the binary starts")
}

/// Runs `train`, which must succeed, and returns what it printed.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    let output = output(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "train {arguments:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// Runs `train`, which must fail with status 1 and one line, and returns that line.
pub(crate) fn fail(arguments: &[&str]) -> String {
    let output = output(arguments);
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "train {arguments:?}\n{errors}");
    let lines: Vec<&str> = errors.lines().collect();
    let [line] = lines[..] else { panic!("train {arguments:?}: expected one line\n{errors}") };
    assert!(line.starts_with("error: "), "{line}");
    line.to_owned()
}

/// What `train inspect --json` says about a run.
pub(crate) fn inspect(run: &Path) -> Value {
    serde_json::from_str(&succeed(&["inspect", text(run), "--json"])).expect("JSON")
}

/// A path as a text.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a path of a test is a text")
}

/// Writes the tiny configuration into a folder.
pub(crate) fn tiny_config(folder: &Path) -> PathBuf {
    let path = folder.join("tiny.toml");
    std::fs::write(&path, TINY).expect("a file can be written");
    path
}

/// The contents of every file in some folders of a run, by its path inside the run.
pub(crate) fn contents(run: &Path, folders: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in folders {
        collect(run, &run.join(folder), &mut found);
    }
    found
}

fn collect(run: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(run, &path, found);
        } else {
            let name = text(path.strip_prefix(run).expect("inside the run")).to_owned();
            found.insert(name, std::fs::read(&path).expect("the file can be read"));
        }
    }
}
