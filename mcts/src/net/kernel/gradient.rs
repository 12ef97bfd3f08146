//! The gradient of a 3×3 convolution's weights, in the transformed space of [`super::winograd`].
//!
//! There the convolution is 25 matrix products `M = V · U` of tiles and weights; the gradient of the weights is `Vᵀ · dM`,
//! transformed back. The gradient of the inputs is a convolution too, with the weights turned around.

use super::grid::Grid;
use super::product::multiply_transposed;
use super::simd::{Kernel, Lanes, PANEL_VECTORS, Work};
use super::transform::{both_ways, outputs_to_points, points_to_weights};
use super::winograd::{POINTS, REACH, TAPS, TILE, Tiles, transform_inputs};

/// A gradient that is summed over boards.
#[derive(Clone, Debug)]
pub(crate) struct WeightGradient {
    kernel: Kernel,
    inputs: usize,
    outputs: usize,
    /// Inputs filled up to whole rows of a product.
    rows: usize,
    /// `[outputs / panel, points, rows, panel]`
    panels: Vec<f32>,
}

impl WeightGradient {
    /// A gradient of zero, of a convolution of `inputs` to `outputs`, both whole panels of `kernel`.
    pub(crate) fn new(kernel: Kernel, inputs: usize, outputs: usize) -> WeightGradient {
        let rows = inputs.next_multiple_of(kernel.rows());
        WeightGradient { kernel, inputs, outputs, rows, panels: vec![0.0; POINTS * rows * outputs] }
    }

    /// Working memory for [`WeightGradient::add`].
    pub(crate) fn tiles(&self, grid: &Grid, boards: usize) -> Tiles {
        let mut tiles = Tiles::new(self.kernel, grid, boards, self.inputs);
        // The last product of a point reads whole rows beyond its inputs.
        tiles.inputs.resize(tiles.inputs.len() + self.rows, 0.0);
        tiles
    }

    /// Back to zero.
    pub(crate) fn clear(&mut self) {
        self.panels.fill(0.0);
    }

    /// Adds what some boards contribute: their `input`, `[boards, area, inputs]`, and the gradient of their outputs,
    /// `[boards, area, outputs]`, which is zero outside the boards.
    pub(crate) fn add(&mut self, (grid, boards): (&Grid, usize), input: &[f32], outputs: &[f32], tiles: &mut Tiles) {
        self.kernel.run(Add { gradient: self, grid, boards, input, output_gradient: outputs, tiles });
    }

    /// The sum, `[3, 3, inputs, outputs]`.
    pub(crate) fn finish(&self) -> Vec<f32> {
        let mut weight = vec![0.0; TAPS * TAPS * self.inputs * self.outputs];
        self.kernel.run(Back { gradient: self, weight: &mut weight });
        weight
    }
}

struct Add<'a> {
    gradient: &'a mut WeightGradient,
    grid: &'a Grid,
    boards: usize,
    input: &'a [f32],
    output_gradient: &'a [f32],
    tiles: &'a mut Tiles,
}

impl Work for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        match L::ROWS {
            12 => self.run_rows::<L, 12>(lanes),
            _ => self.run_rows::<L, 6>(lanes),
        }
    }
}

impl Add<'_> {
    #[inline(always)]
    fn run_rows<L: Lanes, const ROWS: usize>(self, lanes: L) {
        let Add { gradient, grid, boards, input, output_gradient, tiles } = self;
        let &mut WeightGradient { inputs, outputs, rows, .. } = gradient;
        let width = PANEL_VECTORS * L::LANES;
        let count = transform_inputs(lanes, (grid, boards), input, inputs, &mut tiles.inputs);
        let used = boards * grid.tiles();
        let output_gradient = L::vectors(output_gradient);
        for (index, panel) in gradient.panels.chunks_exact_mut(POINTS * rows * width).enumerate() {
            let square = (index * PANEL_VECTORS, outputs / L::LANES);
            transform_outputs(lanes, (grid, boards), output_gradient, square, L::vectors_mut(&mut tiles.outputs));
            for (point, sums) in panel.chunks_exact_mut(rows * width).enumerate() {
                let transformed = &tiles.inputs[point * count * inputs..];
                let slopes = &tiles.outputs[point * count * width..][..used * width];
                let sums = L::vectors_mut(sums).as_chunks_mut::<PANEL_VECTORS>().0.as_chunks_mut::<ROWS>().0;
                for (block, sums) in sums.iter_mut().enumerate() {
                    let columns = (transformed, block * ROWS, inputs);
                    *sums = multiply_transposed(lanes, columns, slopes, *sums);
                }
            }
        }
    }
}

/// Transforms one panel of the gradient of the outputs into `[points, tiles, panel]`. `first` is the panel's first vector
/// in a square, `vectors` are those of a square.
#[inline(always)]
fn transform_outputs<L: Lanes>(
    lanes: L,
    (grid, boards): (&Grid, usize),
    gradient: &[L::Vector],
    (first, vectors): (usize, usize),
    out: &mut [L::Vector],
) {
    let count = (boards * grid.tiles()).next_multiple_of(L::ROWS);
    // The border beyond the last tiles is there too, and zero.
    let corners = (0..boards).flat_map(|board| grid.corners().iter().map(move |corner| board * grid.area() + corner));
    for (tile, corner) in corners.enumerate() {
        for vector in 0..PANEL_VECTORS {
            let square = |rank: usize, file: usize| {
                let place = corner + (rank + 1) * grid.width() + file + 1;
                gradient[place * vectors + first + vector]
            };
            let points: [[_; REACH]; REACH] = both_ways(square, |line: [_; TILE]| outputs_to_points(lanes, line));
            for (file, column) in points.into_iter().enumerate() {
                for (rank, value) in column.into_iter().enumerate() {
                    out[((rank * REACH + file) * count + tile) * PANEL_VECTORS + vector] = value;
                }
            }
        }
    }
}

/// The transform back, weight by weight.
struct Back<'a> {
    gradient: &'a WeightGradient,
    weight: &'a mut [f32],
}

impl Work for Back<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let &WeightGradient { inputs, outputs, rows, ref panels, .. } = self.gradient;
        let (panels, weight) = (L::vectors(panels), L::vectors_mut(self.weight));
        let vectors = outputs / L::LANES;
        for input in 0..inputs {
            for vector in 0..vectors {
                let point = |rank: usize, file: usize| {
                    let place = vector / PANEL_VECTORS * POINTS + rank * REACH + file;
                    panels[(place * rows + input) * PANEL_VECTORS + vector % PANEL_VECTORS]
                };
                let taps: [[_; TAPS]; TAPS] = both_ways(point, |line| points_to_weights(lanes, line));
                for (file, column) in taps.into_iter().enumerate() {
                    for (rank, value) in column.into_iter().enumerate() {
                        weight[((rank * TAPS + file) * inputs + input) * vectors + vector] = value;
                    }
                }
            }
        }
    }
}
