//! 1×1 convolutions: every square's channels times one matrix.

use std::array;

use super::grid::Grid;
use super::product::{Sums, multiply};
use super::simd::{Kernel, Lanes, PANEL_VECTORS, Work};

/// A weight matrix in the order in which it is read, with a bias.
#[derive(Clone, Debug)]
pub(crate) struct SquareProduct {
    kernel: Kernel,
    inputs: usize,
    outputs: usize,
    /// `[outputs / panel, inputs, panel]`
    panels: Vec<f32>,
    /// `[outputs]`
    bias: Vec<f32>,
}

impl SquareProduct {
    /// Packs `weight`, `[inputs, outputs]`. The outputs are whole panels of `kernel`.
    pub(crate) fn new(kernel: Kernel, weight: &[f32], bias: Vec<f32>) -> SquareProduct {
        let (panel, outputs) = (kernel.panel(), bias.len());
        let mut panels = Vec::with_capacity(weight.len());
        for first in (0..outputs).step_by(panel) {
            weight.chunks_exact(outputs).for_each(|row| panels.extend_from_slice(&row[first..first + panel]));
        }
        SquareProduct { kernel, inputs: weight.len() / outputs, outputs, panels, bias }
    }

    /// Outputs for each square.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Replaces `out`, `[boards, area, outputs]`, by `input · weight + bias` on every square inside the first `boards`
    /// boards of `input`, `[boards, area, inputs]`.
    pub(crate) fn apply(&self, grid: &Grid, boards: usize, input: &[f32], out: &mut [f32]) {
        self.kernel.run(Apply { product: self, grid, boards, input, out });
    }
}

struct Apply<'a> {
    product: &'a SquareProduct,
    grid: &'a Grid,
    boards: usize,
    input: &'a [f32],
    out: &'a mut [f32],
}

impl Work for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        match L::ROWS {
            12 => self.run_rows::<L, 12>(lanes),
            _ => self.run_rows::<L, 6>(lanes),
        }
    }
}

impl Apply<'_> {
    #[inline(always)]
    fn run_rows<L: Lanes, const ROWS: usize>(self, lanes: L) {
        let Apply { product, grid, boards, input, out } = self;
        let &SquareProduct { inputs, outputs, .. } = product;
        let (out, bias) = (L::vectors_mut(out), L::vectors(&product.bias));
        let total = boards * grid.squares();
        let stride = outputs / L::LANES;
        for first in (0..total).step_by(ROWS) {
            // The last rows repeat the last square rather than being fewer.
            let places: [usize; ROWS] = array::from_fn(|row| grid.place((first + row).min(total - 1)));
            let mut rows: [&[f32]; ROWS] = [&[]; ROWS];
            for (row, place) in rows.iter_mut().zip(places) {
                *row = &input[place * inputs..][..inputs];
            }
            for (index, panel) in product.panels.chunks_exact(inputs * PANEL_VECTORS * L::LANES).enumerate() {
                let start = index * PANEL_VECTORS;
                let bias: Sums<L> = array::from_fn(|vector| bias[start + vector]);
                let sums = multiply(lanes, rows, panel, [bias; ROWS]);
                for (place, sums) in places.iter().zip(sums) {
                    out[place * stride + start..][..PANEL_VECTORS].copy_from_slice(&sums);
                }
            }
        }
    }
}
