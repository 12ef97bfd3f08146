//! 3×3 convolutions by Winograd's minimal filtering F(3×3, 3×3) (Lavin and Gray 2015, arXiv:1509.09308).
//!
//! A tile of 3×3 outputs needs a tile of 5×5 inputs. In a transformed space, that of the points 0, 1, -1, 2 and infinity, the
//! convolution is 25 products of single numbers instead of 81: transform the inputs, multiply with the transformed weights,
//! transform back. For many tiles and channels the products are 25 matrix products.

use super::grid::Grid;
use super::product::{Sums, multiply};
use super::simd::{Kernel, Lanes, PANEL_VECTORS, Work};
use super::transform::{both_ways, inputs_to_points, points_to_outputs, weights_to_points};

/// Outputs of a tile in each direction.
pub(crate) const TILE: usize = 3;
/// Weights in each direction.
pub(crate) const TAPS: usize = 3;
/// Inputs of a tile in each direction, and points of the transformed space.
pub(crate) const REACH: usize = TILE + TAPS - 1;
/// Products of a tile.
pub(crate) const POINTS: usize = REACH * REACH;

/// The weights of a 3×3 convolution, transformed and in the order in which they are read.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    kernel: Kernel,
    inputs: usize,
    outputs: usize,
    /// `[outputs / panel, points, inputs, panel]`
    panels: Vec<f32>,
}

/// What happens to the sums of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Nothing.
    Linear,
    /// `relu`
    Relu,
    /// What was in the outputs before is added, then `relu`.
    AddedRelu,
}

/// Working memory: the transformed tiles of some boards.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    /// `[points, tiles, inputs]`
    pub(super) inputs: Vec<f32>,
    /// `[points, tiles, panel]`
    pub(super) outputs: Vec<f32>,
}

impl Tiles {
    /// Memory for up to `boards` boards and `channels` inputs.
    pub(crate) fn new(kernel: Kernel, grid: &Grid, boards: usize, channels: usize) -> Tiles {
        let tiles = (boards * grid.tiles()).next_multiple_of(kernel.rows());
        Tiles { inputs: vec![0.0; POINTS * tiles * channels], outputs: vec![0.0; POINTS * tiles * kernel.panel()] }
    }
}

impl Convolution {
    /// Transforms `weight`, `[3, 3, inputs, outputs]`. The outputs are whole panels of `kernel`.
    pub(crate) fn new(kernel: Kernel, weight: &[f32], inputs: usize, outputs: usize) -> Convolution {
        let mut panels = vec![0.0; POINTS * inputs * outputs];
        kernel.run(Prepare { weight, inputs, outputs, panels: &mut panels });
        Convolution { kernel, inputs, outputs, panels }
    }

    /// Replaces `out` by what `finish` makes of `input * weight + bias`, on the squares inside the first `boards` boards.
    ///
    /// `input` is `[boards, area, inputs]` and `out` `[boards, area, outputs]`; `bias` is `[outputs]`, or
    /// `[boards, outputs]` where each board has its own.
    pub(crate) fn apply(
        &self,
        (grid, boards): (&Grid, usize),
        (input, bias): (&[f32], &[f32]),
        out: &mut [f32],
        finish: Finish,
        tiles: &mut Tiles,
    ) {
        self.kernel.run(Apply { convolution: self, grid, boards, input, bias, finish, out, tiles });
    }
}

/// The transform of weights, output by output.
struct Prepare<'a> {
    weight: &'a [f32],
    inputs: usize,
    outputs: usize,
    panels: &'a mut [f32],
}

impl Work for Prepare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Prepare { weight, inputs, outputs, panels } = self;
        let (weight, panels) = (L::vectors(weight), L::vectors_mut(panels));
        let vectors = outputs / L::LANES;
        for input in 0..inputs {
            for vector in 0..vectors {
                let tap = |rank: usize, file: usize| weight[((rank * TAPS + file) * inputs + input) * vectors + vector];
                let points: [[_; REACH]; REACH] = both_ways(tap, |taps| weights_to_points(lanes, taps));
                for (file, column) in points.into_iter().enumerate() {
                    for (rank, value) in column.into_iter().enumerate() {
                        let point = rank * REACH + file;
                        let row = (vector / PANEL_VECTORS * POINTS + point) * inputs + input;
                        panels[row * PANEL_VECTORS + vector % PANEL_VECTORS] = value;
                    }
                }
            }
        }
    }
}

struct Apply<'a> {
    convolution: &'a Convolution,
    grid: &'a Grid,
    boards: usize,
    input: &'a [f32],
    bias: &'a [f32],
    finish: Finish,
    out: &'a mut [f32],
    tiles: &'a mut Tiles,
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
        let Apply { convolution, grid, boards, input, bias, finish, out, tiles } = self;
        let &Convolution { inputs, outputs, .. } = convolution;
        let width = PANEL_VECTORS * L::LANES;
        let count = transform_inputs(lanes, (grid, boards), input, inputs, &mut tiles.inputs);
        for (index, panel) in convolution.panels.chunks_exact(POINTS * inputs * width).enumerate() {
            let points = tiles.inputs.chunks_exact(count * inputs).zip(tiles.outputs.chunks_exact_mut(count * width));
            for (weights, (rows, sums)) in panel.chunks_exact(inputs * width).zip(points) {
                multiply_point::<L, ROWS>(lanes, rows, weights, sums);
            }
            let panel = Panel { first: index * PANEL_VECTORS, vectors: outputs / L::LANES, bias: L::vectors(bias) };
            let out = L::vectors_mut(out);
            match finish {
                Finish::Linear => panel.write(lanes, (grid, boards), &tiles.outputs, out, |_, sum| sum),
                Finish::Relu => {
                    panel.write(lanes, (grid, boards), &tiles.outputs, out, |_, sum| lanes.max(sum, lanes.splat(0.0)));
                }
                Finish::AddedRelu => panel.write(lanes, (grid, boards), &tiles.outputs, out, |old, sum| {
                    lanes.max(lanes.add(old, sum), lanes.splat(0.0))
                }),
            }
        }
    }
}

/// Multiplies all tiles of one point, `[tiles, inputs]`, with the weights of one panel there.
#[inline(always)]
fn multiply_point<L: Lanes, const ROWS: usize>(lanes: L, rows: &[f32], weights: &[f32], sums: &mut [f32]) {
    let inputs = weights.len() / (PANEL_VECTORS * L::LANES);
    let sums = L::vectors_mut(sums).as_chunks_mut::<PANEL_VECTORS>().0.as_chunks_mut::<ROWS>().0;
    for (rows, sums) in rows.chunks_exact(ROWS * inputs).zip(sums) {
        let mut split: [&[f32]; ROWS] = [&[]; ROWS];
        split.iter_mut().zip(rows.chunks_exact(inputs)).for_each(|(split, row)| *split = row);
        let zero: Sums<L> = [lanes.splat(0.0); PANEL_VECTORS];
        *sums = multiply(lanes, split, weights, [zero; ROWS]);
    }
}

/// Transforms the tiles of `input`, `[boards, area, channels]`, into `out`, `[points, tiles, channels]`. Returns how many
/// tiles there are, with those that fill up the rows of a product; what is in these does not matter.
#[inline(always)]
pub(super) fn transform_inputs<L: Lanes>(
    lanes: L,
    (grid, boards): (&Grid, usize),
    input: &[f32],
    channels: usize,
    out: &mut [f32],
) -> usize {
    let (input, out) = (L::vectors(input), L::vectors_mut(out));
    let vectors = channels / L::LANES;
    let count = (boards * grid.tiles()).next_multiple_of(L::ROWS);
    let corners = (0..boards).flat_map(|board| grid.corners().iter().map(move |corner| board * grid.area() + corner));
    for (tile, corner) in corners.enumerate() {
        for vector in 0..vectors {
            let square = |rank: usize, file: usize| input[(corner + rank * grid.width() + file) * vectors + vector];
            let points: [[_; REACH]; REACH] = both_ways(square, |line| inputs_to_points(lanes, line));
            for (file, column) in points.into_iter().enumerate() {
                for (rank, value) in column.into_iter().enumerate() {
                    out[((rank * REACH + file) * count + tile) * vectors + vector] = value;
                }
            }
        }
    }
    count
}

/// The way back of one panel of outputs.
struct Panel<'a, V> {
    /// Its first vector of outputs.
    first: usize,
    /// Vectors of outputs of a square.
    vectors: usize,
    bias: &'a [V],
}

impl<V: Copy> Panel<'_, V> {
    /// Transforms `points`, `[points, tiles, panel]`, and writes the squares on the boards.
    #[inline(always)]
    fn write<L: Lanes<Vector = V>>(
        &self,
        lanes: L,
        (grid, boards): (&Grid, usize),
        points: &[f32],
        out: &mut [V],
        finish: impl Fn(V, V) -> V,
    ) {
        let &Panel { first, vectors, bias, .. } = self;
        let points = L::vectors(points);
        let count = (boards * grid.tiles()).next_multiple_of(L::ROWS);
        let bias_step = if bias.len() == vectors { 0 } else { vectors };
        for board in 0..boards {
            for (index, (corner, &(ranks, files))) in grid.corners().iter().zip(grid.extents()).enumerate() {
                let tile = board * grid.tiles() + index;
                // A tile's outputs start a rank and a file behind its inputs.
                let start = board * grid.area() + corner + grid.width() + 1;
                for vector in 0..PANEL_VECTORS {
                    let bias = bias[board * bias_step + first + vector];
                    let point = |rank: usize, file: usize| {
                        points[((rank * REACH + file) * count + tile) * PANEL_VECTORS + vector]
                    };
                    let sums: [[_; TILE]; TILE] = both_ways(point, |line| points_to_outputs(lanes, line));
                    for (file, column) in sums.into_iter().enumerate().take(files) {
                        for (rank, value) in column.into_iter().enumerate().take(ranks) {
                            let out = &mut out[(start + rank * grid.width() + file) * vectors + first + vector];
                            *out = finish(*out, lanes.add(value, bias));
                        }
                    }
                }
            }
        }
    }
}
