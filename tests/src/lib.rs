//! Tests that cross crates, and those of the two binaries as a user runs them: see `tests/`.
