//! The tables of layouts against each other, which all studies of layouts have.

use heng_env::Side;

use super::layout_table::{TableResults, mean_of_pairs};
use super::payoff::Measured;
use super::table::{Cell, Look, Table, column};

/// What a study calls the layout of a side with this number.
pub(crate) type NameOf<'a> = &'a dyn Fn(Side, usize) -> String;

/// A number and the ends of its interval.
pub(crate) fn with_interval(measured: Option<Measured>) -> [Cell; 3] {
    [measured.map(|found| found.value), measured.map(|found| found.low), measured.map(|found| found.high)]
        .map(Cell::from)
}

/// Each layout of red against each of black.
pub(crate) fn cells(results: &TableResults, name: NameOf<'_>) -> Table {
    let mut table = Table::new(&[
        column("red_layout", "red", Look::Plain),
        column("black_layout", "black", Look::Plain),
        column("games", "games", Look::Plain),
        column("red_result", "red’s result", Look::Signed),
        column("red_result_low", "from", Look::Signed),
        column("red_result_high", "to", Look::Signed),
        column("red_value", "search", Look::Signed),
        column("second_red_value", "second budget", Look::Signed),
    ]);
    for ([red, black], cell) in results.cells() {
        let mut row: Vec<Cell> = vec![name(Side::Red, red).into(), name(Side::Black, black).into()];
        row.push((2 * cell.pairs.len()).into());
        row.extend(with_interval(mean_of_pairs(cell.pairs.values())));
        row.extend([cell.red_value.into(), cell.second_red_value.into()]);
        table.push(row);
    }
    table
}

/// Every game.
pub(crate) fn games(results: &TableResults, name: NameOf<'_>) -> Table {
    let names = [
        "red_layout",
        "black_layout",
        "pair",
        "game",
        "red_half_points",
        "reason",
        "turns",
        "red_points",
        "black_points",
    ];
    let mut table = Table::new(&names.map(|name| column(name, "", Look::Plain)));
    for ([red, black], cell) in results.cells() {
        for (pair, games) in &cell.pairs {
            for (number, game) in games.iter().enumerate() {
                table.push(vec![
                    name(Side::Red, red).into(),
                    name(Side::Black, black).into(),
                    (*pair).into(),
                    number.into(),
                    u64::from(game.red_half_points).into(),
                    game.reason.clone().into(),
                    game.turns.into(),
                    u64::from(game.points[0]).into(),
                    u64::from(game.points[1]).into(),
                ]);
            }
        }
    }
    table
}
