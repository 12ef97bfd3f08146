//! Every file in `configs/`.

use std::path::{Path, PathBuf};

use super::support::{inspect, succeed, text};

/// What makes two iterations of any configuration short.
const SHRUNK: &[&str] = &[
    "net.channels=8",
    "net.blocks=1",
    "search.simulations=3",
    "selfplay.groups=2",
    "selfplay.games_per_group=2",
    "selfplay.evaluations_per_iteration=900",
    "selfplay.slices=2",
    "replay.min_positions=8",
    "replay.replay_ratio=0.5",
    "schedule.batch=16",
    "after.games=2",
    "after.opponents=[\"random\", \"rollout:2\"]",
    "after.simulations=2",
    "run.minutes=0",
    "run.iterations=2",
];

fn configs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let entries = std::fs::read_dir(&folder).expect("configs/ is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(paths.len() >= 4, "{paths:?}");
    paths
}

#[test]
fn every_configuration_runs_shrunk_for_two_iterations() {
    let folder = tempfile::tempdir().unwrap();
    for config in configs() {
        let name = text(Path::new(config.file_stem().unwrap())).to_owned();
        let run = folder.path().join(&name);
        let source = std::fs::read_to_string(&config).unwrap();
        let variant = source.lines().find_map(|line| line.strip_prefix("variant = ")).unwrap().trim_matches('"');
        let mut arguments = vec!["run".to_owned(), text(&config).to_owned(), "--out".to_owned(), text(&run).to_owned()];
        let short = format!("variant={variant}:turn_limit=12");
        for setting in SHRUNK.iter().copied().chain([short.as_str()]) {
            arguments.extend(["--set".to_owned(), setting.to_owned()]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let printed = succeed(&arguments);
        assert!(printed.contains("against random") && printed.contains("what to try next"), "{name}: {printed}");
        let inspection = inspect(&run);
        assert_eq!(inspection["iterations"], 2, "{name}");
        let games: Vec<_> = inspection["after"].as_array().unwrap().iter().map(|result| &result["games"]).collect();
        assert_eq!(games, [2, 2], "{name}: {inspection}");
        assert!(inspection["games"].as_u64() > Some(0), "{name}: {inspection}");
        assert!(inspection["learn_steps"].as_u64() > Some(0), "{name}: {inspection}");
    }
}

#[test]
fn the_long_configurations_explain_every_key() {
    for config in configs() {
        if config.ends_with("quickstart.toml") {
            continue;
        }
        let source = std::fs::read_to_string(&config).unwrap();
        let is_key = |line: &&str| line.contains(" = ") && !line.starts_with('#');
        let lines: Vec<&str> = source.lines().collect();
        let keys = lines.iter().filter(|line| is_key(line)).count();
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let options = ["--iterations", "1", "--set", "selfplay.evaluations_per_iteration=1", "--set", "after.games=0"];
        let small = ["--set", "net.channels=8", "--set", "selfplay.games_per_group=1", "--set", "selfplay.slices=1"];
        succeed(&[&["run", text(&config), "--out", text(&run)], &options[..], &small[..]].concat());
        let resolved = std::fs::read_to_string(run.join("config.toml")).unwrap();
        let known = resolved.split("[program]").next().unwrap().lines().filter(is_key).count();
        assert_eq!(keys, known, "{}: keys that it sets, keys that there are", config.display());
    }
}
