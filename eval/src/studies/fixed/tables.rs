//! The tables of the study.

use heng_env::Side;

use super::super::layout_table::{TableResults, mean_of_pairs};
use super::super::payoff::Measured;
use super::super::table::{Cell, Look, Table, column};
use super::NamedLayout;
use super::summary::FixedSummary;

/// Every table with the name of its file.
pub(super) fn all(
    layouts: &[NamedLayout],
    results: &TableResults,
    summary: &FixedSummary,
) -> [(&'static str, Table); 3] {
    [
        ("layouts.csv", rated(layouts, summary)),
        ("cells.csv", cells(layouts, results)),
        ("games.csv", games(layouts, results)),
    ]
}

/// A number and the ends of its interval.
fn three(measured: Option<Measured>) -> [Cell; 3] {
    [measured.map(|found| found.value), measured.map(|found| found.low), measured.map(|found| found.high)]
        .map(Cell::from)
}

/// The layouts with their ratings, the best first.
pub(super) fn rated(layouts: &[NamedLayout], summary: &FixedSummary) -> Table {
    let mut table = Table::new(&[
        column("layout", "layout", Look::Plain),
        column("red", "", Look::Plain),
        column("elo", "Elo", Look::Whole),
        column("elo_low", "from", Look::Whole),
        column("elo_high", "to", Look::Whole),
        column("games", "games", Look::Plain),
        column("points", "points", Look::Plain),
        column("red_result_as_red", "red’s result as red", Look::Signed),
        column("red_result_as_red_low", "from", Look::Signed),
        column("red_result_as_red_high", "to", Look::Signed),
        column("red_result_as_black", "red’s result as black", Look::Signed),
        column("red_result_as_black_low", "from", Look::Signed),
        column("red_result_as_black_high", "to", Look::Signed),
    ]);
    for row in &summary.layouts {
        let elo =
            row.elo.map(|elo| Measured { value: elo.value, low: elo.interval_95.low, high: elo.interval_95.high });
        let mut cells: Vec<Cell> = vec![row.name.clone().into(), layouts[row.index].layout.text(Side::Red).into()];
        cells.extend(three(elo));
        cells.extend([row.games.into(), row.points.into()]);
        cells.extend(three(row.red_result_as_red));
        cells.extend(three(row.red_result_as_black));
        table.push(cells);
    }
    table
}

/// Each layout of red against each of black.
fn cells(layouts: &[NamedLayout], results: &TableResults) -> Table {
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
        let mut row: Vec<Cell> = vec![layouts[red].name.clone().into(), layouts[black].name.clone().into()];
        row.push((2 * cell.pairs.len()).into());
        row.extend(three(mean_of_pairs(cell.pairs.values())));
        row.extend([cell.red_value.into(), cell.second_red_value.into()]);
        table.push(row);
    }
    table
}

/// Every game.
fn games(layouts: &[NamedLayout], results: &TableResults) -> Table {
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
                    layouts[red].name.clone().into(),
                    layouts[black].name.clone().into(),
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
