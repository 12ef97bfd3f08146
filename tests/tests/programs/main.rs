//! The two binaries as a user runs them, and the commands of the README.

mod engines;
mod eval;
mod layout_studies;
mod ratings;
mod readme;
mod shipped;
mod studies;
mod train;

use std::path::{Path, PathBuf};

/// A binary of this build. Cargo builds it for the tests of its own crate.
fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    let profile = test.parent().and_then(Path::parent).expect("tests are in target/PROFILE/deps");
    let binary = profile.join(name);
    assert!(binary.exists(), "{} is not built: run `cargo test --workspace`", binary.display());
    binary
}
