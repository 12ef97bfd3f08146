//! The notations of Xiangqi: examples of every convention, errors, and every legal move of many positions both ways.

mod errors;
mod examples;
mod fuzz;
mod random;

use heng_env::Notation;
use heng_env::variants::xiangqi::Xiangqi;

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";

/// A game from the first two fields of a position text.
fn game(board_and_side: &str) -> Xiangqi {
    let text = format!("{board_and_side} - - 0 1");
    Xiangqi::from_fen(&Default::default(), &text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
