//! A layout that is given, to which the best reply is wanted.

use heng_env::Side;
use heng_env::variants::eternal::{Board, FullBoard};
use thiserror::Error;

use super::super::layout::{Layout, LayoutError, place_text, word};
use super::super::layout_table::{LayoutTable, Pairing};
use super::super::placement_tree::PLACEMENTS_OF_TURN;
use super::kept::PlacedGame;

/// Characters of one placement.
const PLACEMENT_LEN: usize = 3;

/// A layout with the order in which it is placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) side: Side,
    pub(super) text: String,
    pub(super) layout: Layout,
}

/// Why nothing can be looked for.
#[derive(Debug, Error)]
pub(super) enum GivenError {
    #[error("--against: `{0}` does not begin with a piece on a square, as in `Cd4Ne4…`")]
    NoSide(String),
    #[error("--against: {0}")]
    Layout(#[from] LayoutError),
    #[error("--against: `{place}` stands in {}'s own palace, where nothing can be placed", word(*side))]
    Palace { place: String, side: Side },
}

impl Given {
    /// Reads twelve placements of one side.
    ///
    /// # Errors
    /// If they are no layout that a side can place.
    pub(super) fn read(text: &str) -> Result<Given, GivenError> {
        let side = Layout::side_of(text).ok_or_else(|| GivenError::NoSide(text.to_owned()))?;
        let layout = Layout::read(side, text)?;
        // As its owner sees the board, a layout stands where red's does (RULES 1.3: nothing is placed in the own palace).
        let palace = FullBoard::palace(Side::Red);
        let in_palace = layout.places().iter().find(|(_, square)| palace >> square & 1 != 0);
        match in_palace {
            Some(&place) => Err(GivenError::Palace { place: place_text(side, place), side }),
            None => Ok(Given { side, text: text.to_owned(), layout }),
        }
    }

    /// The placement that comes next when these of both sides are made.
    pub(super) fn next(&self, placements: &str) -> Option<&str> {
        let index = placements.len() / PLACEMENT_LEN;
        let turn = index / (2 * PLACEMENTS_OF_TURN);
        let own = turn * PLACEMENTS_OF_TURN + index % PLACEMENTS_OF_TURN;
        self.text.get(own * PLACEMENT_LEN..(own + 1) * PLACEMENT_LEN)
    }

    /// The given layout against the agent's reply, the first, and `others` of the other side with their mirror images.
    pub(super) fn table(&self, reply: &PlacedGame, others: &[Layout]) -> LayoutTable {
        let [red, black] = reply.layouts();
        let mut replies = vec![if self.side == Side::Red { black } else { red }];
        for layout in others.iter().flat_map(|layout| [layout.clone(), layout.mirrored()]) {
            if !replies.contains(&layout) {
                replies.push(layout);
            }
        }
        let given = vec![self.layout.clone()];
        let (red, black) = if self.side == Side::Red { (given, replies) } else { (replies, given) };
        let cells = (0..red.len()).flat_map(|row| (0..black.len()).map(move |column| [row, column])).collect();
        LayoutTable { name: "against".to_owned(), number: 1, red, black, cells, pairing: Pairing::Twice }
    }

    /// The cell of a reply.
    pub(super) fn cell(&self, reply: usize) -> [usize; 2] {
        if self.side == Side::Red { [0, reply] } else { [reply, 0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: &str = "Cd4Ne4Pf4Re3Ra1Nb1Bc1Bf1Ch3Ma3Mb3Pg3";

    #[test]
    fn a_given_layout_is_placed_in_its_order() {
        let red = Given::read(RED).unwrap();
        assert_eq!((red.side, red.next(""), red.next("Cd4")), (Side::Red, Some("Cd4"), Some("Ne4")));
        // After red's first turn and black's come red's second four.
        assert_eq!(red.next(&"Xa1".repeat(8)), Some("Ra1"));
        assert_eq!(red.next(&"Xa1".repeat(24)), None);
        let black = Given::read(&red.layout.text(Side::Black)).unwrap();
        assert_eq!((black.side, black.layout == red.layout), (Side::Black, true));
        let first: String = (4..8).filter_map(|index| black.next(&"Xa1".repeat(index))).collect();
        assert_eq!(first, black.text[..12]);
    }

    #[test]
    fn what_cannot_be_placed_is_told() {
        for (text, problem) in [
            ("", "--against: `` does not begin with a piece on a square"),
            ("Cd4", "--against: `Cd4` is no layout of red: "),
            (&RED.replace("Cd4", "Cd1"), "--against: `Cd1` stands in red's own palace"),
            (&RED.replace("Pg3", "Pg9"), "`Pg9` is not on red's side"),
        ] {
            let error = Given::read(text).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
