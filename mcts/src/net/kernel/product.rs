//! The one loop that a position costs: some rows times a panel of weights.

use super::simd::{Lanes, PANEL_VECTORS};

/// Inputs between two checks of the rows' bounds: rows come in whole steps. Checking each input costs a tenth of the time.
pub(crate) const STEP: usize = 4;

/// The sums of one row with one panel.
pub(crate) type Sums<L> = [<L as Lanes>::Vector; PANEL_VECTORS];

/// `sums + rows · panel`, for as many rows as the registers hold.
///
/// The rows are equally long; `panel` is `[inputs, panel]`. Sums are taken and given by value, which keeps them in
/// registers.
#[inline(always)]
pub(crate) fn multiply<L: Lanes, const ROWS: usize>(
    lanes: L,
    rows: [&[f32]; ROWS],
    panel: &[f32],
    mut sums: [Sums<L>; ROWS],
) -> [Sums<L>; ROWS] {
    let weights = L::vectors(panel).as_chunks::<PANEL_VECTORS>().0.as_chunks::<STEP>().0;
    // Loops, where `map` would do: it is not always inlined, and a call costs a tenth of the time.
    let mut steps: [&[[f32; STEP]]; ROWS] = [&[]; ROWS];
    for (steps, row) in steps.iter_mut().zip(rows) {
        *steps = &row.as_chunks().0[..weights.len()];
    }
    for (step, weights) in weights.iter().enumerate() {
        let mut inputs = [&[0.0; STEP]; ROWS];
        for (inputs, steps) in inputs.iter_mut().zip(steps) {
            *inputs = &steps[step];
        }
        for (input, weights) in weights.iter().enumerate() {
            for (inputs, sums) in inputs.iter().zip(&mut sums) {
                let factor = lanes.splat(inputs[input]);
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum = lanes.multiply_add(factor, weight, *sum);
                }
            }
        }
    }
    sums
}

/// `sums + rowsᵀ · panel`, for `ROWS` of the columns of `rows`, from `first` on.
///
/// `rows` is `[count, stride]`, with at least `ROWS` numbers behind its last row; `panel` is `[count, panel]`.
#[inline(always)]
pub(crate) fn multiply_transposed<L: Lanes, const ROWS: usize>(
    lanes: L,
    (rows, first, stride): (&[f32], usize, usize),
    panel: &[f32],
    mut sums: [Sums<L>; ROWS],
) -> [Sums<L>; ROWS] {
    let weights = L::vectors(panel).as_chunks::<PANEL_VECTORS>().0;
    for (row, weights) in weights.iter().enumerate() {
        let factors = rows[row * stride + first..].first_chunk::<ROWS>().expect("rows have numbers behind them");
        for (&factor, sums) in factors.iter().zip(&mut sums) {
            let factor = lanes.splat(factor);
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum = lanes.multiply_add(factor, weight, *sum);
            }
        }
    }
    sums
}
