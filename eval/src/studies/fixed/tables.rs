//! The tables of the study.

use heng_env::Side;

use super::super::layout_results::{self, with_interval};
use super::super::layout_table::TableResults;
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
    let name = |_: Side, index: usize| layouts[index].name.clone();
    [
        ("layouts.csv", rated(layouts, summary)),
        ("cells.csv", layout_results::cells(results, &name)),
        ("games.csv", layout_results::games(results, &name)),
    ]
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
        cells.extend(with_interval(elo));
        cells.extend([row.games.into(), row.points.into()]);
        cells.extend(with_interval(row.red_result_as_red));
        cells.extend(with_interval(row.red_result_as_black));
        table.push(cells);
    }
    table
}
