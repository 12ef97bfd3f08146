//! The one product that a position costs: rows of a board, channels-last, times a packed matrix.
//!
//! A board is stored with a border of zeros, `[(ranks + 2) * (files + 2), channels]`. The nine neighbours of a square are
//! then three runs of `3 * channels` numbers, one in each rank, so that a 3×3 convolution needs no copies. Each square is
//! summed in the same order wherever it stands in a batch, so that the batch cannot change a result.

use std::array;

/// Outputs that are summed at once. At 32 the compiler makes vector code of plain loops; at 16, 20 times slower, only with
/// the highest optimisation.
pub(crate) const PANEL: usize = 32;
/// Squares that are summed at once: with [`PANEL`] outputs each, the sums fill the vector registers. AVX-512 has twice as
/// many, each twice as wide.
const TILE: usize = if cfg!(target_feature = "avx512f") { 6 } else { 2 };

/// Where the squares of a batch of boards stand, border included.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// Squares of a rank, with its border.
    width: usize,
    /// Squares of a board, without its border.
    squares: usize,
    /// Squares of a board, with its border.
    area: usize,
    /// Each square of a board, counted with the border.
    inside: Vec<usize>,
}

impl Grid {
    pub(crate) fn new(ranks: usize, files: usize) -> Grid {
        let width = files + 2;
        let inside = (0..ranks * files).map(|square| (square / files + 1) * width + square % files + 1).collect();
        Grid { width, squares: ranks * files, area: (ranks + 2) * width, inside }
    }

    /// Squares of a board, without its border.
    pub(crate) fn squares(&self) -> usize {
        self.squares
    }

    /// Squares of a board, with its border.
    pub(crate) fn area(&self) -> usize {
        self.area
    }

    /// The squares of a board, counted with the border.
    pub(crate) fn inside(&self) -> &[usize] {
        &self.inside
    }

    /// The square with this index among those of all boards, counted with the border.
    fn place(&self, square: usize) -> usize {
        square / self.squares * self.area + self.inside[square % self.squares]
    }
}

/// Which squares an output square is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Itself.
    Square,
    /// Itself and its eight neighbours.
    Neighbours,
}

/// A weight matrix in the order in which the kernel reads it.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    reach: Reach,
    channels: usize,
    outputs: usize,
    /// `[outputs / PANEL, taps * channels, PANEL]`, the last panel filled up with zeros.
    panels: Vec<f32>,
}

impl Packed {
    /// Packs `weight`, `[taps * channels, outputs]`, of 1 or 9 taps.
    pub(crate) fn new(reach: Reach, weight: &[f32], outputs: usize) -> Packed {
        let inputs = weight.len() / outputs;
        let mut panels = vec![0.0; outputs.div_ceil(PANEL) * inputs * PANEL];
        for (panel, packed) in panels.chunks_exact_mut(inputs * PANEL).enumerate() {
            let first = panel * PANEL;
            let width = PANEL.min(outputs - first);
            for (row, packed) in weight.chunks_exact(outputs).zip(packed.chunks_exact_mut(PANEL)) {
                packed[..width].copy_from_slice(&row[first..first + width]);
            }
        }
        let channels = if reach == Reach::Square { inputs } else { inputs / 9 };
        Packed { reach, channels, outputs, panels }
    }

    /// Outputs for each square.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs
    }

    /// Outputs with the last panel filled up: the length of a bias.
    pub(crate) fn padded_outputs(&self) -> usize {
        self.outputs.next_multiple_of(PANEL)
    }

    /// Replaces `out` by `finish(out, input · weight + bias)` on every square inside the first `boards` boards.
    ///
    /// `input` is `[boards, area, channels]` and `out` `[boards, area, outputs]`; `bias` is `[padded_outputs]`, or
    /// `[boards, padded_outputs]` where each board has its own.
    pub(crate) fn apply(
        &self,
        grid: &Grid,
        boards: usize,
        (input, bias): (&[f32], &[f32]),
        out: &mut [f32],
        finish: impl Fn(f32, f32) -> f32,
    ) {
        let total = boards * grid.squares;
        let padded = self.padded_outputs();
        let bias_step = if bias.len() == padded { 0 } else { padded };
        let panel_len = self.panels.len() * PANEL / padded;
        for (index, panel) in self.panels.chunks_exact(panel_len).enumerate() {
            let first = index * PANEL;
            let width = PANEL.min(self.outputs - first);
            for square in (0..total).step_by(TILE) {
                // The last tile repeats its last square rather than being narrower.
                let squares: [usize; TILE] = array::from_fn(|row| (square + row).min(total - 1));
                let places = squares.map(|square| grid.place(square));
                let mut sums = squares.map(|square| {
                    let start = square / grid.squares * bias_step + first;
                    *bias[start..].first_chunk::<PANEL>().expect("a bias is padded to whole panels")
                });
                self.sum(grid, input, &places, panel, &mut sums);
                for (place, sums) in places.iter().zip(&sums).take(total - square) {
                    let out = &mut out[place * self.outputs + first..][..width];
                    out.iter_mut().zip(sums).for_each(|(out, &sum)| *out = finish(*out, sum));
                }
            }
        }
    }

    /// Adds the products of the squares at `places` with one panel to `sums`.
    #[inline(always)]
    fn sum(&self, grid: &Grid, input: &[f32], places: &[usize; TILE], panel: &[f32], sums: &mut [[f32; PANEL]; TILE]) {
        let channels = self.channels;
        let (back, runs, run) = match self.reach {
            Reach::Square => (0, 1, channels),
            Reach::Neighbours => (grid.width + 1, 3, 3 * channels),
        };
        for (index, weights) in panel.chunks_exact(panel.len() / runs).enumerate() {
            let rows: [&[f32]; TILE] = array::from_fn(|row| {
                let start = (places[row] - back + index * grid.width) * channels;
                &input[start..start + run]
            });
            *sums = multiply(&rows, weights.as_chunks().0, *sums);
        }
    }
}

/// `sums + rows · weights`. The sums are taken and given by value, which keeps them in registers.
#[inline(always)]
fn multiply(rows: &[&[f32]; TILE], weights: &[[f32; PANEL]], mut sums: [[f32; PANEL]; TILE]) -> [[f32; PANEL]; TILE] {
    for (input, weights) in weights.iter().enumerate() {
        for (row, sums) in rows.iter().zip(&mut sums) {
            let factor = row[input];
            for (sum, &weight) in sums.iter_mut().zip(weights) {
                *sum = multiply_add(factor, weight, *sum);
            }
        }
    }
    sums
}

/// `a * b + c`, fused where the processor can: elsewhere fusing would be a slow library call.
#[inline(always)]
pub(crate) fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) { a.mul_add(b, c) } else { a * b + c }
}
