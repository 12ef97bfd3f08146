//! The `train` binary.
fn main() {}
