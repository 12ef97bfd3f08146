//! The `train` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    heng_train::cli::run()
}
