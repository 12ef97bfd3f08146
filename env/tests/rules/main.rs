//! Tests of the rules: vectors, laws on random games, endings, texts that are wrong, and playthroughs.

mod colours;
mod eternal;
mod fuzz;
mod laws;
mod playthrough;
mod positions;
mod repetition;
mod settings;
mod vectors;
mod wuji;
mod xiangqi;
mod xiangqi_notation;

use heng_env::Variant;

/// Variants by name.
fn variant(text: &str) -> Variant {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The path of a data file.
fn data_path(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}
