//! The `eval` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    heng_eval::cli::run()
}
