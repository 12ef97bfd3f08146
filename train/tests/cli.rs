//! Has cargo build the binary whenever the tests are built, for the tests that cross crates.

#[test]
fn the_program_says_its_version() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_train")).arg("--version").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), format!("train {}", env!("CARGO_PKG_VERSION")));
}
