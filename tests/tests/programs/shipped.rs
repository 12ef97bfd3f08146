//! The net that comes with the program.

use std::path::Path;
use std::process::Command;

#[test]
fn the_net_that_is_shipped_is_small_and_beats_an_agent_that_looks_ahead() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/nets/eternal-mini");
    let size: u64 = ["model.safetensors", "meta.json", "config.toml"]
        .iter()
        .map(|name| std::fs::metadata(folder.join(name)).expect("a file of the net").len())
        .sum();
    assert!(size < 2_000_000, "{size} bytes");
    let agent = format!("net:{}?sims=32", folder.display());
    let mut eval = Command::new(crate::binary("eval"));
    let output = eval.args(["match", &agent, "alphabeta:1", "--games", "6", "--json"]).output().expect("eval runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["wins"].as_u64() >= Some(5), "{report}");
}
