//! Every file in `configs/`.

use std::path::{Path, PathBuf};
use std::process::Command;

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
    // Ladders are of variants as they are, without the setting that ends games soon.
    "rating.every=0",
    "run.minutes=0",
    "run.iterations=2",
];

fn configs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let entries = std::fs::read_dir(&folder).expect("configs/ is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    // Ladders have a folder of their own there.
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    paths.sort();
    assert!(paths.len() >= 8, "{paths:?}");
    paths
}

/// The variant with a limit that ends games soon.
fn with_short_games(variant: &str) -> String {
    let setting = if variant.starts_with("eternal") { "turn_limit=12" } else { "quiet_limit=4" };
    let separator = if variant.contains(':') { ',' } else { ':' };
    format!("{variant}{separator}{setting}")
}

/// Trains by a configuration for two iterations and a third one after that, and plays the network.
fn check_shrunk(config: &Path, variant: &str, folder: &Path) {
    let name = format!("{} {variant}", config.display());
    let run = folder.join(variant.replace(':', "-")).join(config.file_stem().expect("a file"));
    let mut arguments = vec!["run".to_owned(), text(config).to_owned(), "--out".to_owned(), text(&run).to_owned()];
    let short = format!("variant={}", with_short_games(variant));
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
    succeed(&["resume", text(&run), "--iterations", "3"]);
    assert_eq!(inspect(&run)["iterations"], 3, "{name}");
    let agent = format!("{}?sims=2", text(&run));
    let mut eval = Command::new(crate::binary("eval"));
    let output = eval.args(["match", &agent, "random", "--games", "2", "--json"]).output().expect("eval runs");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_configuration_trains_resumes_and_plays_shrunk() {
    let folder = tempfile::tempdir().unwrap();
    for config in configs() {
        let source = std::fs::read_to_string(&config).unwrap();
        let variant = source.lines().find_map(|line| line.strip_prefix("variant = ")).unwrap().trim_matches('"');
        check_shrunk(&config, variant, folder.path());
    }
}

#[test]
fn the_flexible_variant_trains_resumes_and_plays_shrunk() {
    let folder = tempfile::tempdir().unwrap();
    let config = configs().into_iter().find(|path| path.ends_with("half-hour.toml")).expect("the configuration");
    check_shrunk(&config, "wuji-flexible:bomb=five,able_throne=true,promotion=all", folder.path());
}

#[test]
fn the_long_configurations_explain_every_key() {
    for config in configs() {
        if ["quickstart.toml", "half-hour.toml", "hour.toml", "plain-alphazero.toml"]
            .iter()
            .any(|short| config.ends_with(short))
        {
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
