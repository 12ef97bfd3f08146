//! A board as something to draw: what stands where and which squares are special. Terminals and pages draw it.

use crate::game::Side;

/// A piece as people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glyph {
    /// Whose piece it is.
    pub side: Side,
    /// Its letter in position texts, upper case.
    pub letter: char,
    /// Its Chinese character, which may differ between the sides.
    pub character: char,
    /// Whether a `+` stands before the letter in position texts.
    pub promoted: bool,
}

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Occupant {
    /// Nothing.
    #[default]
    Empty,
    /// A river stone.
    Stone,
    /// A piece.
    Piece(Glyph),
}

/// One square of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Square {
    /// What stands there.
    pub occupant: Occupant,
    /// Whether it belongs to a palace.
    pub palace: bool,
    /// Whether it belongs to the river.
    pub river: bool,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Pieces stand on squares.
    Squares,
    /// Pieces stand on the points where lines cross; the river is the gap above rank `river_after`.
    Points {
        /// The last rank below the river, counted from 1.
        river_after: usize,
        /// What is written in the river, in two halves; empty for nothing.
        river_names: [&'static str; 2],
    },
}

/// A drawable position, red at the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Files of the board.
    pub files: usize,
    /// Ranks of the board.
    pub ranks: usize,
    /// How the board is drawn.
    pub style: Style,
    /// Rank by rank from a1.
    pub squares: Vec<Square>,
    /// Pieces in hand, red's first.
    pub hand: Vec<Glyph>,
    /// Who has to put the piece in hand on the board, whosever it is; nobody if the pieces in hand are their owners'.
    pub holder: Option<Side>,
    /// What a reader should know beside the board: score, turn, what is to be decided.
    pub caption: String,
}
