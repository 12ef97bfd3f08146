//! The tables of the study.

use heng_env::{Side, variants::eternal::Kind};

use super::super::layout::word;
use super::super::layout_results;
use super::super::layout_table::LayoutTable;
use super::super::placement_tree::PLACEMENTS_OF_TURN;
use super::super::table::{Look, Table, column};
use super::heat_maps::HeatCounts;
use super::running::Findings;
use super::summary::{FreeSummary, TableLayout, tree_of};

/// Every table with the name of its file.
pub(super) fn all(findings: &Findings, summary: &FreeSummary) -> Vec<(&'static str, Table)> {
    let results = |table: &LayoutTable| findings.kept.tables.get(&table.name).cloned().unwrap_or_default();
    let payoffs = results(&findings.table);
    let mut tables = vec![
        ("placements.csv", placements(findings)),
        ("ends.csv", ends(findings)),
        ("squares.csv", squares(findings)),
        ("layouts.csv", layouts(findings, usize::MAX)),
        ("tree_nodes.csv", tree_nodes(findings)),
        ("tree_ways.csv", tree_ways(findings)),
        ("payoffs.csv", layout_results::cells(&payoffs, &layout_name(&findings.table))),
        ("payoff_games.csv", layout_results::games(&payoffs, &layout_name(&findings.table))),
        ("mixtures.csv", mixtures(summary)),
    ];
    if let Some((_, table)) = &findings.against {
        let results = results(table);
        let name = layout_name(table);
        tables.push(("replies.csv", layout_results::cells(&results, &name)));
        tables.push(("reply_games.csv", layout_results::games(&results, &name)));
    }
    tables
}

/// Layouts found by a study have no other name than their text.
pub(super) fn layout_name(table: &LayoutTable) -> impl Fn(Side, usize) -> String {
    |side, index| if side == Side::Red { table.red[index].text(side) } else { table.black[index].text(side) }
}

/// Every placement in its order.
fn placements(findings: &Findings) -> Table {
    let names = ["game", "number", "turn", "side", "piece", "square"];
    let mut table = Table::new(&names.map(|name| column(name, "", Look::Plain)));
    for game in findings.kept.placed.values() {
        for (index, placement) in game.read().unwrap_or_default().into_iter().enumerate() {
            let text = placement.text();
            table.push(vec![
                game.game.into(),
                (index + 1).into(),
                (index / PLACEMENTS_OF_TURN + 1).into(),
                word(placement.side).into(),
                text[..1].into(),
                text[1..].into(),
            ]);
        }
    }
    table
}

/// The ends of the placement phases.
fn ends(findings: &Findings) -> Table {
    let names = ["game", "red_layout", "black_layout", "red_value", "second_red_value"];
    let mut table = Table::new(&names.map(|name| column(name, "", Look::Plain)));
    for game in findings.kept.placed.values() {
        let [red, black] = game.layouts();
        table.push(vec![
            game.game.into(),
            red.text(Side::Red).into(),
            black.text(Side::Black).into(),
            game.red_value.into(),
            game.second_red_value.into(),
        ]);
    }
    table
}

/// How often each piece was placed on each square, by side and its turn.
fn squares(findings: &Findings) -> Table {
    let names = ["side", "turn", "piece", "square", "count"];
    let mut table = Table::new(&names.map(|name| column(name, "", Look::Plain)));
    let counts = HeatCounts::of(findings);
    for side in Side::BOTH {
        for turn in 0..HeatCounts::TURNS {
            for kind in Kind::ALL {
                for (square, count) in counts.squares(side, Some(turn), kind) {
                    let kind = kind.letter().to_string();
                    table.push(vec![word(side).into(), (turn + 1).into(), kind.into(), square.into(), count.into()]);
                }
            }
        }
    }
    table
}

/// The layouts of both sides up to their mirror images, the most frequent first, so many of each side.
pub(super) fn layouts(findings: &Findings, most: usize) -> Table {
    let mut table = Table::new(&[
        column("side", "side", Look::Plain),
        column("layout", "layout", Look::Plain),
        column("count", "times", Look::Plain),
        column("share", "share", Look::Percent),
        column("red_value", "search, for red", Look::Signed),
        column("second_red_value", "second budget", Look::Signed),
    ]);
    for side in Side::BOTH {
        for found in findings.layouts[side.index()].iter().take(most) {
            table.push(vec![
                word(side).into(),
                found.layout.text(side).into(),
                found.count.into(),
                (found.count as f64 / findings.kept.placed.len() as f64).into(),
                found.red_value.into(),
                found.second_red_value.into(),
            ]);
        }
    }
    table
}

fn tree_nodes(findings: &Findings) -> Table {
    let names = ["node", "pieces", "visits", "red_value"];
    let mut table = Table::new(&names.map(|name| column(name, "", Look::Plain)));
    for (index, node) in tree_of(findings).nodes.iter().enumerate() {
        table.push(vec![index.into(), node.depth.into(), u64::from(node.visits).into(), node.red_value().into()]);
    }
    table
}

fn tree_ways(findings: &Findings) -> Table {
    let names = ["from", "to", "side", "placement", "visits"];
    let mut table = Table::new(&names.map(|name| column(name, "", Look::Plain)));
    for (index, node) in tree_of(findings).nodes.iter().enumerate() {
        for (placement, edge) in &node.children {
            table.push(vec![
                index.into(),
                edge.node.into(),
                word(placement.side).into(),
                placement.text().into(),
                u64::from(edge.visits).into(),
            ]);
        }
    }
    table
}

/// What a layout is called in the payoff table: `R1`, `B2`.
pub(super) fn number(side: Side, index: usize) -> String {
    format!("{}{}", if side == Side::Red { 'R' } else { 'B' }, index + 1)
}

/// The layouts of the payoff table with their shares of the mixtures.
pub(super) fn mixtures(summary: &FreeSummary) -> Table {
    let mut table = Table::new(&[
        column("side", "side", Look::Plain),
        column("number", "number", Look::Plain),
        column("weight", "share of the mixture", Look::Percent),
        column("loss", "loses", Look::Rounded),
        column("loss_low", "from", Look::Rounded),
        column("loss_high", "to", Look::Rounded),
        column("count", "times", Look::Plain),
        column("layout", "layout", Look::Plain),
    ]);
    for (side, layouts) in [(Side::Red, &summary.table.red), (Side::Black, &summary.table.black)] {
        for (index, TableLayout { layout, count, weight, loss }) in layouts.iter().enumerate() {
            table.push(vec![
                word(side).into(),
                number(side, index).into(),
                (*weight).into(),
                loss.value.into(),
                loss.low.into(),
                loss.high.into(),
                (*count).into(),
                layout.clone().into(),
            ]);
        }
    }
    table
}
