//! Tells the program which git commit it was built from, if any.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Changes with every commit and checkout. A path that does not exist would mean a build every time.
    if Path::new("../.git/logs/HEAD").exists() {
        println!("cargo::rerun-if-changed=../.git/logs/HEAD");
    }
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output();
    if let Some(output) = output.ok().filter(|output| output.status.success()) {
        println!("cargo::rustc-env=HENG_GIT_HASH={}", String::from_utf8_lossy(&output.stdout).trim());
    }
}
