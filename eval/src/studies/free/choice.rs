//! The layouts of a side, and which of them play each other.

use std::collections::BTreeMap;

use heng_env::Side;

use super::super::layout::Layout;
use super::super::layout_table::{LayoutTable, Pairing};
use super::kept::PlacedGame;

/// A layout up to its mirror image, with what the placements say of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundLayout {
    pub(super) layout: Layout,
    /// Placement phases that ended in it.
    pub(super) count: u64,
    /// The mean of what searches with both budgets expect of those ends for red, from -1 to 1.
    pub(super) red_value: Option<f64>,
    pub(super) second_red_value: Option<f64>,
}

/// The layouts of a side: the most frequent first, of equally frequent ones those whose owner can expect most.
pub(super) fn layouts_of<'a>(side: Side, games: impl IntoIterator<Item = &'a PlacedGame>) -> Vec<FoundLayout> {
    let mut found: BTreeMap<Layout, Vec<&PlacedGame>> = BTreeMap::new();
    for game in games {
        let layout = game.layouts()[side.index()].up_to_mirror();
        found.entry(layout).or_default().push(game);
    }
    let mean = |games: &[&PlacedGame], of: fn(&PlacedGame) -> Option<f64>| {
        let values: Vec<f64> = games.iter().filter_map(|game| of(game)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let layout = |(layout, games): (Layout, Vec<&PlacedGame>)| FoundLayout {
        layout,
        count: games.len() as u64,
        red_value: mean(&games, |game| game.red_value),
        second_red_value: mean(&games, |game| game.second_red_value),
    };
    let mut found: Vec<FoundLayout> = found.into_iter().map(layout).collect();
    let own = |found: &FoundLayout| found.red_value.map_or(0.0, |value| if side == Side::Red { value } else { -value });
    found.sort_by(|one, other| other.count.cmp(&one.count).then(own(other).total_cmp(&own(one))));
    found
}

/// The first `count` layouts of each side against each other. As a layout stands for its mirror image, too, the second game of a pair
/// has black's mirrored.
pub(super) fn table(layouts: [&[FoundLayout]; 2], count: usize) -> LayoutTable {
    let [red, black] =
        layouts.map(|layouts| layouts.iter().take(count).map(|found| found.layout.clone()).collect::<Vec<_>>());
    let cells = (0..red.len()).flat_map(|row| (0..black.len()).map(move |column| [row, column])).collect();
    LayoutTable { name: "layouts".to_owned(), number: 0, red, black, cells, pairing: Pairing::Mirrored }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(game: usize, placements: &str, red_value: f64) -> PlacedGame {
        PlacedGame { game, placements: placements.to_owned(), red_value: Some(red_value), second_red_value: None }
    }

    #[test]
    fn frequent_layouts_come_first_and_then_good_ones() {
        let one = "Ra1Nb1Bc1Bf1Ra9Nb9Bc9Bf9Ng1Rh1Cb3Ch3Ng9Rh9Cb7Cg7Md3Me3Pc4Pf4Md7Me7Pc6Pf6";
        // Red's cannons on the mirrored squares, placed in another order.
        let image = "Nb1Ra1Bc1Bf1Ra9Nb9Bc9Bf9Ng1Rh1Cg3Ca3Ng9Rh9Cb7Cg7Md3Me3Pc4Pf4Md7Me7Pc6Pf6";
        let other = "Ra1Nb1Bc1Bf1Ra9Nb9Bc9Bf9Ng1Rh1Cb3Cg3Ng9Rh9Cb7Ch7Md3Me3Pc4Pf4Md7Me7Pc6Pf6";
        let games = [placed(0, one, 0.5), placed(1, image, -0.5), placed(2, other, 1.0)];
        let red = layouts_of(Side::Red, &games);
        assert_eq!(
            red.iter().map(|found| (found.count, found.red_value)).collect::<Vec<_>>(),
            [(2, Some(0.0)), (1, Some(1.0))]
        );
        let games = [placed(0, one, 0.5), placed(1, other, -0.5)];
        let black = layouts_of(Side::Black, &games);
        assert_eq!(black[0].red_value, Some(-0.5), "black likes what is bad for red");
        let table = table([&red, &black], 1);
        assert_eq!((table.red.len(), table.cells), (1, vec![[0, 0]]));
    }
}
