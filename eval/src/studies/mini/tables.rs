//! The tables of the study.

use std::collections::BTreeMap;

use heng_env::Side;

use super::findings::Findings;
use super::search::FirstTurn;
use super::setups::{SetUp, mirror, square_text};
use crate::studies::table::{Cell, Look, Table, column};

/// The size of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pub(super) files: usize,
    pub(super) ranks: usize,
}

impl Board {
    /// A square of `side`, as its owner counts it, on the board.
    pub(super) fn square(self, side: Side, own_square: usize) -> usize {
        match side {
            Side::Red => own_square,
            Side::Black => (self.ranks - 1 - own_square / self.files) * self.files + own_square % self.files,
        }
    }
}

/// Every studied set-up with what was found within the first budget.
pub(super) fn set_ups<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("set_up", "", Look::Plain),
        column("fen", "set-up", Look::Plain),
        column("copies", "", Look::Plain),
        column("red_layout", "", Look::Plain),
        column("black_layout", "", Look::Plain),
        column("is_mirror_image", "", Look::Plain),
        column("is_facing", "", Look::Plain),
        column("is_turned", "", Look::Plain),
        column("red_value", "value for red", Look::Signed),
        column("draw", "draw", Look::Percent),
        column("proof_red_result", "proven", Look::Plain),
        column("proof_distance", "in", Look::Plain),
        column("proof_unit", "", Look::Plain),
        column("best_turn", "best first turn", Look::Plain),
        column("best_red_value", "", Look::Signed),
        column("second_turn", "second", Look::Plain),
        column("second_red_value", "", Look::Signed),
        column("margin", "margin", Look::Signed),
    ]);
    let flag = |is: bool| Cell::from(usize::from(is));
    for (index, set_up) in findings.set_ups.iter().enumerate() {
        let found = findings.searched(index);
        let second = found.second.as_ref();
        let proof = found.proof;
        let unit = |in_turns: bool| if in_turns { "turns" } else { "steps" };
        table.push(vec![
            index.into(),
            set_up.fen.as_str().into(),
            set_up.copies.into(),
            set_up.layouts[0].as_str().into(),
            set_up.layouts[1].as_str().into(),
            flag(set_up.is_mirror_image()),
            flag(set_up.is_facing),
            flag(set_up.is_turned),
            found.red_value.into(),
            found.draw.into(),
            proof.map(|proof| f64::from(proof.red_result)).into(),
            proof.map(|proof| u64::from(proof.distance)).into(),
            proof.map(|proof| unit(proof.in_turns)).into(),
            found.best.text.as_str().into(),
            found.best.red_value.into(),
            second.map(|turn| turn.text.as_str()).into(),
            second.and_then(|turn: &FirstTurn| turn.red_value).into(),
            found.margin().into(),
        ]);
    }
    table
}

/// The values within both budgets.
pub(super) fn budgets<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("set_up", "", Look::Plain),
        column("copies", "", Look::Plain),
        column("red_value", "", Look::Signed),
        column("second_red_value", "", Look::Signed),
    ]);
    for (index, set_up) in findings.set_ups.iter().enumerate() {
        let values = [findings.value(index), findings.second_value(index)];
        table.push(vec![index.into(), set_up.copies.into(), values[0].into(), values[1].into()]);
    }
    table
}

/// Every game.
pub(super) fn games<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("set_up", "", Look::Plain),
        column("game", "", Look::Plain),
        column("stratum", "", Look::Plain),
        column("red_result", "", Look::Plain),
        column("reason", "", Look::Plain),
        column("turns", "", Look::Plain),
    ]);
    for (stratum, members) in findings.strata.iter().enumerate() {
        for &index in members {
            for (number, game) in findings.done.games[&index].iter().enumerate() {
                table.push(vec![
                    index.into(),
                    number.into(),
                    stratum.into(),
                    f64::from(game.red_result).into(),
                    game.reason.as_str().into(),
                    game.turns.into(),
                ]);
            }
        }
    }
    table
}

/// The set-ups that games were played from.
pub(super) fn sample<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("set_up", "", Look::Plain),
        column("fen", "set-up", Look::Plain),
        column("stratum", "", Look::Plain),
        column("games", "games", Look::Plain),
        column("red_value", "value for red", Look::Signed),
        column("red_mean_result", "mean result for red", Look::Signed),
        column("low", "from", Look::Signed),
        column("high", "to", Look::Signed),
    ]);
    for (stratum, members) in findings.strata.iter().enumerate() {
        for &index in members {
            let result = findings.result(index);
            table.push(vec![
                index.into(),
                findings.set_ups[index].fen.as_str().into(),
                stratum.into(),
                findings.done.games[&index].len().into(),
                findings.value(index).into(),
                result.value.into(),
                result.low.into(),
                result.high.into(),
            ]);
        }
    }
    table
}

/// Value against result, by strata.
pub(super) fn calibration<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("stratum", "tenth", Look::Plain),
        column("set_ups", "set-ups", Look::Plain),
        column("games", "games", Look::Plain),
        column("red_value", "mean value for red", Look::Signed),
        column("red_mean_result", "mean result for red", Look::Signed),
        column("low", "from", Look::Signed),
        column("high", "to", Look::Signed),
    ]);
    for (number, stratum) in findings.strata().into_iter().enumerate() {
        table.push(vec![
            (number + 1).into(),
            stratum.set_ups.into(),
            stratum.games.into(),
            stratum.mean_value.into(),
            stratum.result.value.into(),
            stratum.result.low.into(),
            stratum.result.high.into(),
        ]);
    }
    table
}

/// What each piece on each square is worth.
pub(super) fn pieces<G>(findings: &Findings<'_, G>, board: Board) -> Table {
    let mut table = Table::new(&[
        column("side", "side", Look::Plain),
        column("piece", "piece", Look::Plain),
        column("square", "square", Look::Plain),
        column("red_effect", "effect on red's value", Look::Signed),
        column("low", "from", Look::Signed),
        column("high", "to", Look::Signed),
    ]);
    for effect in findings.pieces.iter().flat_map(|fit| &fit.effects) {
        let side = if effect.side == Side::Red { "red" } else { "black" };
        table.push(vec![
            side.into(),
            effect.letter.to_string().into(),
            square_text(board.square(effect.side, effect.own_square), board.files).into(),
            effect.red_effect.into(),
            (effect.red_effect - effect.half_width).into(),
            (effect.red_effect + effect.half_width).into(),
        ]);
    }
    table
}

/// Symmetric set-ups and the others.
pub(super) fn groups<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("group", "set-ups that are", Look::Plain),
        column("set_ups", "number", Look::Plain),
        column("red_mean", "mean value for red", Look::Signed),
        column("deviation", "spread", Look::Rounded),
        column("mean_absolute", "mean distance from 0", Look::Rounded),
        column("even", "even", Look::Percent),
        column("lopsided", "lopsided", Look::Percent),
    ]);
    for group in findings.groups() {
        let values = group.values;
        table.push(vec![
            group.group.into(),
            values.set_ups.into(),
            values.mean.into(),
            values.deviation.into(),
            values.mean_absolute.into(),
            values.even.into(),
            values.lopsided.into(),
        ]);
    }
    table
}

/// Certain results by their distance.
pub(super) fn proofs<G>(findings: &Findings<'_, G>) -> Table {
    let mut table = Table::new(&[
        column("red_result", "result for red", Look::Plain),
        column("distance", "distance", Look::Plain),
        column("unit", "in", Look::Plain),
        column("set_ups", "set-ups", Look::Plain),
    ]);
    for ((red_result, distance, in_turns), count) in findings.proof_counts() {
        let unit = if in_turns { "turns" } else { "steps" };
        table.push(vec![f64::from(red_result).into(), u64::from(distance).into(), unit.into(), count.into()]);
    }
    table
}

/// A layout in the hands of either side, against all others.
#[derive(Clone, Debug, Default)]
struct LayoutValue {
    /// Sums of values for the owner, and how many set-ups they are of, as red and as black.
    sums: [(f64, usize); 2],
}

/// What each layout is worth, up to the mirror, the best first.
pub(super) fn layouts<G>(findings: &Findings<'_, G>, board: Board) -> Table {
    let mut values: BTreeMap<String, LayoutValue> = BTreeMap::new();
    for (index, set_up) in findings.set_ups.iter().enumerate() {
        for side in Side::BOTH {
            let value = match side {
                Side::Red => findings.value(index),
                Side::Black => -findings.value(index),
            };
            let sum = &mut values.entry(class_of(set_up, side, board.files)).or_default().sums[side.index()];
            *sum = (sum.0 + value * set_up.copies as f64, sum.1 + set_up.copies);
        }
    }
    let mean = |(sum, count): (f64, usize)| (count > 0).then(|| sum / count as f64);
    let mut rows: Vec<(String, [Option<f64>; 2], Option<f64>)> = Vec::new();
    for (layout, LayoutValue { sums }) in values {
        let means = sums.map(mean);
        let both = means[0].zip(means[1]).map(|(red, black)| (red + black) / 2.0);
        rows.push((layout, means, both));
    }
    rows.sort_by(|one, other| {
        let key = |row: &(String, [Option<f64>; 2], Option<f64>)| row.2.unwrap_or(f64::NEG_INFINITY);
        key(other).total_cmp(&key(one)).then_with(|| one.0.cmp(&other.0))
    });
    let mut table = Table::new(&[
        column("layout", "layout", Look::Plain),
        column("as_red", "value as red", Look::Signed),
        column("as_black", "value as black", Look::Signed),
        column("mean", "mean of both", Look::Signed),
    ]);
    for (layout, [red, black], both) in rows {
        table.push(vec![layout.into(), red.into(), black.into(), both.into()]);
    }
    table
}

/// The layout of a side or its image, whichever text comes first.
fn class_of<G>(set_up: &SetUp<G>, side: Side, files: usize) -> String {
    let mut image: Vec<(char, usize)> =
        set_up.pieces[side.index()].iter().map(|&(letter, square)| (letter, mirror(square, files))).collect();
    image.sort_by_key(|&(_, square)| square);
    let image = image.iter().map(|&(letter, square)| format!("{letter}{}", square_text(square, files))).collect();
    set_up.layouts[side.index()].clone().min(image)
}
