//! Finished pieces of work, as they are kept line by line.

use std::collections::BTreeMap;

use heng_env::Side;
use serde::{Deserialize, Serialize};

use super::super::layout::{Layout, read_place};
use super::super::layout_table::{TablePiece, TableResults};
use super::super::placement_tree::{PLACEMENTS_OF_TURN, Placement};
use super::super::playing::PlayedGame;

/// Placements of both sides.
const PLACEMENTS: usize = 24;

/// A placement phase that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PlacedGame {
    pub(super) game: usize,
    /// The placements in their order: `Cd4Ne4…`.
    pub(super) placements: String,
    /// What searches with both budgets expect of its end for red, from -1 to 1.
    pub(super) red_value: Option<f64>,
    pub(super) second_red_value: Option<f64>,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Piece {
    /// A placement phase.
    Placed(PlacedGame),
    /// The agent's reply to the given layout.
    Reply(PlacedGame),
    /// A piece of a table.
    Table(TablePiece),
}

impl PlacedGame {
    /// The placements with their sides; nothing if the text is not that of a whole placement phase.
    pub(super) fn read(&self) -> Option<Vec<Placement>> {
        let read = |(index, text): (usize, &[u8])| {
            let side = Side::BOTH[index / PLACEMENTS_OF_TURN % 2];
            Some(Placement { side, place: read_place(side, text)? })
        };
        let placements: Option<Vec<_>> = self.placements.as_bytes().chunks(3).enumerate().map(read).collect();
        placements.filter(|placements| placements.len() == PLACEMENTS)
    }

    /// The layouts of red and black; empty ones if the text is wrong, which [`Kept::add`] does not let in.
    pub(super) fn layouts(&self) -> [Layout; 2] {
        let placements = self.read().unwrap_or_default();
        Side::BOTH.map(|side| {
            Layout::new(placements.iter().filter(|placement| placement.side == side).map(|placement| placement.place))
        })
    }

    fn problem(&self) -> Option<String> {
        let is_whole = self.read().is_some()
            && Side::BOTH
                .iter()
                .zip(self.layouts())
                .all(|(&side, layout)| Layout::read(side, &layout.text(side)).as_ref() == Ok(&layout));
        (!is_whole).then(|| format!("`{}` is no placement phase", self.placements))
    }
}

/// All that is finished.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// By number.
    pub(super) placed: BTreeMap<usize, PlacedGame>,
    pub(super) reply: Option<PlacedGame>,
    /// By the name of the table.
    pub(super) tables: BTreeMap<String, TableResults>,
}

impl Kept {
    /// Adds a line, or says what is wrong with it.
    pub(super) fn add(&mut self, piece: Piece, games: usize) -> Result<(), String> {
        match piece {
            Piece::Placed(game) if game.game >= games => {
                return Err(format!("game {} is not part of the study", game.game));
            }
            Piece::Placed(game) | Piece::Reply(game) if game.problem().is_some() => {
                return Err(game.problem().unwrap_or_default());
            }
            Piece::Placed(game) => {
                self.placed.insert(game.game, game);
            }
            Piece::Reply(game) => self.reply = Some(game),
            Piece::Table(piece) => {
                let (TablePiece::Value { table, .. } | TablePiece::Pair { table, .. }) = &piece;
                if let TablePiece::Pair { games, .. } = &piece
                    && let Some(problem) = games.iter().find_map(PlayedGame::problem)
                {
                    return Err(problem);
                }
                self.tables.entry(table.clone()).or_default().add(piece);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(placements: &str) -> PlacedGame {
        PlacedGame { game: 0, placements: placements.to_owned(), red_value: Some(0.5), second_red_value: None }
    }

    const WHOLE: &str = "Ra1Nb1Bc1Bf1Ra9Nb9Bc9Bf9Ng1Rh1Cb3Cg3Ng9Rh9Cb7Cg7Md3Me3Pc4Pf4Md7Me7Pc6Pf6";

    #[test]
    fn a_placement_phase_is_read_with_its_sides() {
        let game = placed(WHOLE);
        let placements = game.read().unwrap();
        let texts: Vec<String> = placements.iter().map(|placement| placement.text()).collect();
        assert_eq!(texts.concat(), WHOLE);
        let [red, black] = game.layouts();
        assert_eq!(red, black, "both stand alike");
        assert_eq!(Kept::default().add(Piece::Placed(game), 1), Ok(()));
    }

    #[test]
    fn wrong_lines_are_told() {
        for (piece, problem) in [
            (Piece::Placed(placed("Ra1")), "`Ra1` is no placement phase"),
            (Piece::Reply(placed(&WHOLE.replace("Pf6", "Pf1"))), "is no placement phase"),
            (Piece::Placed(PlacedGame { game: 3, ..placed(WHOLE) }), "game 3 is not part of the study"),
        ] {
            let error = Kept::default().add(piece, 2).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
    }
}
