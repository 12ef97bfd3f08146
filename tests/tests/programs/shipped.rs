//! The nets that come with the program.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::eval::{eval, stderr, stdout};

fn folder(variant: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/nets").join(variant)
}

#[test]
fn the_nets_that_are_shipped_are_small_and_beat_an_agent_that_looks_ahead_or_plays_out() {
    for (variant, opponent) in [("eternal-mini", "alphabeta:1"), ("eternal-free", "rollout:10")] {
        let folder = folder(variant);
        let size: u64 = ["model.safetensors", "meta.json", "config.toml"]
            .iter()
            .map(|name| std::fs::metadata(folder.join(name)).expect("a file of the net").len())
            .sum();
        assert!(size < 2_000_000, "{variant}: {size} bytes");
        let agent = format!("net:{}?sims=32", folder.display());
        let output = eval(&["match", &agent, opponent, "--variant", variant, "--games", "6", "--json"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let report: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
        assert!(report["wins"].as_u64() >= Some(5), "{report}");
    }
}

#[test]
fn studies_of_openings_need_no_agent_where_a_net_comes_with_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = tempfile::tempdir().expect("a folder");
    for (study, options) in [
        ("mini", &["--setups", "10", "--sample", "10", "--games-per-setup", "0"][..]),
        ("free", &["--games", "2", "--layouts", "1", "--pairs", "1", "--turn-limit", "4"]),
        (
            "fixed",
            &["--layouts", "configs/layouts/eternal-fixed.toml", "--mirrored", "--games", "2", "--turn-limit", "2"],
        ),
    ] {
        let mut command = Command::new(crate::binary("eval"));
        command.args(["openings", study, "--sims", "2", "--out"]).arg(out.path().join(study)).args(options);
        let output = command.current_dir(&root).output().expect("eval runs");
        assert!(output.status.success(), "{study}: {}", stderr(&output));
        assert!(stdout(&output).contains("net:configs/nets/eternal-"), "{study}: {}", stdout(&output));
    }
}
