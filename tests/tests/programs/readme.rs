//! Every command of the README and of the pages it leads to, as a reader would type it and in that order; only the numbers
//! are smaller.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::engines::installed;

/// What makes a command short: what the README says, and what is run instead.
const SHORTER: &[(&str, &str)] = &[
    (
        "run configs/quickstart.toml",
        "run configs/quickstart.toml --iterations 2 --set variant=eternal-mini:turn_limit=12 --set net.channels=8 \
         --set net.blocks=1 --set search.simulations=4 --set selfplay.groups=2 --set selfplay.games_per_group=4 \
         --set selfplay.evaluations_per_iteration=1500 --set replay.min_positions=16 --set replay.replay_ratio=0.5 \
         --set after.games=2 --set after.opponents='[\"random\"]' --set after.simulations=2",
    ),
    (
        "run configs/half-hour.toml",
        "run configs/half-hour.toml --iterations 2 --set variant=xiangqi:quiet_limit=4 --set net.channels=8 \
         --set net.blocks=1 --set search.simulations=3 --set selfplay.groups=2 --set selfplay.games_per_group=2 \
         --set selfplay.evaluations_per_iteration=900 --set replay.min_positions=8 --set replay.replay_ratio=0.5 \
         --set after.games=2 --set after.simulations=2",
    ),
    ("resume runs/quickstart", "resume runs/quickstart --iterations 3"),
    (" --minutes 30", ""),
    ("--games 200", "--games 2"),
    ("--games 100", "--games 2"),
    ("match alphabeta:4", "match alphabeta:1"),
    ("match alphabeta:3", "match alphabeta:1"),
    ("openings mini", "openings mini --agent alphabeta:1 --setups 40 --sample 10 --games-per-setup 2"),
    (
        "openings free --agent alphabeta:1",
        "openings free --agent rollout:2 --games 4 --layouts 2 --pairs 1 --turn-limit 6",
    ),
    ("openings fixed --agent alphabeta:1", "openings fixed --agent rollout:2 --games 4 --turn-limit 4"),
    ("analyze ", "analyze --agent alphabeta:2 "),
    ("--games 20 ", "--games 2 "),
    ("--games 40 ", "--games 2 "),
    ("--games 100 ", "--games 2 "),
    ("--sprt 0,50", "--sprt 0,50 --games 4"),
    ("rollout:100 ", "rollout:10 "),
    ("rollout:200", "rollout:5"),
    ("sims=64", "sims=2"),
];

/// Programs of others that commands need.
const PROGRAMS: &[&str] = &["fairy-stockfish", "hoixiangqi"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folders of files that commands name.
const CONFIGS: &[&str] = &[
    "configs",
    "configs/ladders",
    "configs/layouts",
    "configs/nets",
    "configs/nets/eternal-free",
    "configs/nets/eternal-mini",
];

/// The game that the README analyses.
const EXAMPLE: &str = "docs/example.pgn";

/// Pages that a reader types commands from, in reading order.
const PAGES: &[&str] = &["README.md", "docs/rules.md", "docs/engines.md", "docs/formats.md"];

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The lines behind `$ ` in the console blocks of a page.
fn commands(name: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_console = false;
    for line in page(name).lines() {
        match line.strip_prefix("```") {
            Some(kind) => in_console = kind == "console",
            None => commands.extend(line.strip_prefix("$ ").filter(|_| in_console).map(str::to_owned)),
        }
    }
    commands
}

/// The command with the binaries of this build and smaller numbers; `None` for those that build or are this test.
fn prepared(command: &str) -> Option<String> {
    let mut prepared = command.to_owned();
    for name in ["train", "eval"] {
        prepared = prepared.replace(
            &format!("cargo run --release --bin {name} --"),
            crate::binary(name).to_str().expect("the path is text"),
        );
    }
    for (long, short) in SHORTER {
        prepared = prepared.replace(long, short);
    }
    let is_there = PROGRAMS.iter().all(|program| !prepared.contains(program) || installed(program).is_some());
    (is_there && !prepared.starts_with("cargo ") && !prepared.starts_with("git ")).then_some(prepared)
}

#[test]
fn every_command_of_the_readme_works() {
    let folder = tempfile::tempdir().expect("a folder");
    for configs in CONFIGS {
        let (entries, copies) = (std::fs::read_dir(root().join(configs)), folder.path().join(configs));
        std::fs::create_dir(&copies).expect("a folder");
        let paths = entries.expect("the folder is there").map(|entry| entry.expect("an entry").path());
        for path in paths.filter(|path| path.is_file()) {
            std::fs::copy(&path, copies.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    std::fs::create_dir(folder.path().join("docs")).expect("a folder");
    std::fs::copy(root().join(EXAMPLE), folder.path().join(EXAMPLE)).expect("a copy");
    let commands = PAGES.iter().flat_map(|page| commands(page));
    let commands: Vec<String> = commands.filter_map(|command| prepared(&command)).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for command in commands {
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}\n{printed}\n{errors}");
        assert!(!printed.is_empty() || !errors.is_empty(), "{command} says nothing");
    }
}

/// The headings of a page as links name them.
fn headings(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a page");
    let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let link = |title: &str| {
        let kept = title.chars().filter(|&letter| letter.is_alphanumeric() || letter == ' ' || letter == '-');
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    titles.map(link).collect()
}

#[test]
fn the_pages_show_only_files_that_are_there() {
    for name in PAGES {
        let (text, folder) = (page(name), root().join(name).with_file_name(""));
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            assert!(folder.join(file).exists(), "{name}: {link}");
            let is_there = || headings(&folder.join(file)).iter().any(|known| known == heading);
            assert!(heading.is_empty() || is_there(), "{name}: {link}");
        }
    }
}
