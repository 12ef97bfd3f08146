//! Has cargo build the binary whenever the tests are built, for the tests that cross crates; and what depends on the
//! features that it is built with.

use std::process::{Command, Output};

fn train(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_train")).args(arguments).output().expect("train runs")
}

#[test]
fn the_program_says_its_version() {
    let output = train(&["--version"]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), format!("train {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_device_that_cannot_be_used_starts_nothing() {
    let mut wrong = vec![("tpu", "--device tpu: `run.device`: unknown device `tpu`, expected flex, cuda:N or wgpu")];
    if cfg!(not(feature = "cuda")) {
        wrong.push(("cuda", "device `cuda:0` needs a build with `--features cuda`"));
    }
    if cfg!(not(feature = "wgpu")) {
        wrong.push(("wgpu", "device `wgpu` needs a build with `--features wgpu`"));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/quickstart.toml");
    let run = folder.path().join("run");
    for (device, problem) in wrong {
        let output = train(&["run", config, "--out", run.to_str().expect("a path in UTF-8"), "--device", device]);
        assert_eq!(output.status.code(), Some(1), "{device}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("error: {problem}\n"));
        assert!(!run.exists(), "{device}");
    }
}
