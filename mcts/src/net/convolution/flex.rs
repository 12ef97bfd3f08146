//! The operation on Flex, Burn's backend for processors.

use std::cell::RefCell;
use std::ops::Range;

use burn::backend::Flex;
use burn::backend::flex::FlexTensor;
use burn::tensor::TensorData;

use super::{Convolve, ConvolveBack, Saved, Slopes};
use crate::net::kernel::{Convolution, Finish, Grid, Kernel, Tiles, WeightGradient, fill_up};

/// Boards that are worked on together: few enough to stay in the processor's cache.
const BOARDS: usize = 8;

/// The sizes of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sizes {
    ranks: usize,
    files: usize,
    inputs: usize,
    outputs: usize,
}

impl Sizes {
    fn new(weight: &FlexTensor, ranks: usize, files: usize) -> Sizes {
        let shape = weight.layout().shape();
        Sizes { ranks, files, inputs: shape[0] / 9, outputs: shape[1] }
    }

    fn squares(&self) -> usize {
        self.ranks * self.files
    }

    /// The batch in runs of up to [`BOARDS`] boards.
    fn runs(&self, rows: &[f32], channels: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let boards = rows.len() / (self.squares() * channels);
        (0..boards).step_by(BOARDS).map(move |first| first..boards.min(first + BOARDS))
    }

    /// The rows of some boards.
    fn rows(&self, boards: &Range<usize>, channels: usize) -> Range<usize> {
        let length = self.squares() * channels;
        boards.start * length..boards.end * length
    }
}

/// Boards as the kernels take them, and memory to work in. The borders stay zero.
struct Workspace {
    sizes: Sizes,
    grid: Grid,
    /// Inputs and outputs as they are stored, filled up to whole panels.
    stored: [usize; 2],
    /// `[boards, area, stored inputs]`
    input: Vec<f32>,
    /// `[boards, area, stored outputs]`
    output: Vec<f32>,
    /// For convolutions either way.
    tiles: Tiles,
    gradient: WeightGradient,
    gradient_tiles: Tiles,
}

impl Workspace {
    fn new(sizes: Sizes) -> Workspace {
        let kernel = Kernel::best();
        let grid = Grid::new(sizes.ranks, sizes.files);
        let stored = [sizes.inputs, sizes.outputs].map(|channels| channels.next_multiple_of(kernel.panel()));
        let zeros = |channels: usize| vec![0.0; BOARDS * grid.area() * channels];
        let gradient = WeightGradient::new(kernel, stored[0], stored[1]);
        Workspace {
            sizes,
            input: zeros(stored[0]),
            output: zeros(stored[1]),
            tiles: Tiles::new(kernel, &grid, BOARDS, stored[0].max(stored[1])),
            gradient_tiles: gradient.tiles(&grid, BOARDS),
            gradient,
            stored,
            grid,
        }
    }

    /// Lends the workspace of this thread, made anew if the last call was of other sizes.
    fn lend<R>(sizes: Sizes, work: impl FnOnce(&mut Workspace) -> R) -> R {
        thread_local! {
            static LAST: RefCell<Option<Workspace>> = const { RefCell::new(None) };
        }
        LAST.with_borrow_mut(|last| {
            let fits = last.take_if(|last| last.sizes == sizes);
            work(last.insert(fits.unwrap_or_else(|| Workspace::new(sizes))))
        })
    }
}

/// Puts rows, `[boards * squares, channels]`, onto boards, `[boards, area, stored]`.
fn enter(grid: &Grid, rows: &[f32], channels: usize, boards: &mut [f32], stored: usize) {
    let run = run(grid, channels, stored);
    for (index, row) in rows.chunks_exact(run * channels).enumerate() {
        boards[grid.place(index * run) * stored..][..row.len()].copy_from_slice(row);
    }
}

/// The way back of [`enter`].
fn leave(grid: &Grid, boards: &[f32], stored: usize, rows: &mut [f32], channels: usize) {
    let run = run(grid, channels, stored);
    for (index, row) in rows.chunks_exact_mut(run * channels).enumerate() {
        row.copy_from_slice(&boards[grid.place(index * run) * stored..][..row.len()]);
    }
}

/// Squares that can be copied at once: those of a rank, unless there is a gap behind each.
fn run(grid: &Grid, channels: usize, stored: usize) -> usize {
    if channels == stored { grid.files() } else { 1 }
}

impl Convolve for Flex {
    fn convolve(x: FlexTensor, weight: FlexTensor, bias: FlexTensor, ranks: usize, files: usize) -> FlexTensor {
        forward([x, weight, bias], None, (ranks, files))
    }

    fn convolve_residual(
        x: FlexTensor,
        weight: FlexTensor,
        bias: FlexTensor,
        residual: FlexTensor,
        ranks: usize,
        files: usize,
    ) -> FlexTensor {
        forward([x, weight, bias], Some(&residual), (ranks, files))
    }
}

fn forward(operands: [FlexTensor; 3], residual: Option<&FlexTensor>, (ranks, files): (usize, usize)) -> FlexTensor {
    let [x, weight, bias] = operands.map(|operand| operand.to_contiguous());
    let residual = residual.map(FlexTensor::to_contiguous);
    let sizes = Sizes::new(&weight, ranks, files);
    let (x, residual) = (values(&x), residual.as_ref().map(values));
    let mut out = vec![0.0; x.len() / sizes.inputs * sizes.outputs];
    Workspace::lend(sizes, |Workspace { grid, stored, input, output, tiles, .. }| {
        let [inputs, outputs] = *stored;
        let weight = fill_up(values(&weight), [sizes.inputs, sizes.outputs], *stored);
        let convolution = Convolution::new(Kernel::best(), &weight, inputs, outputs);
        let bias = fill_up(values(&bias), [1, sizes.outputs], [1, outputs]);
        for boards in sizes.runs(x, sizes.inputs) {
            enter(grid, &x[sizes.rows(&boards, sizes.inputs)], sizes.inputs, input, inputs);
            let rows = sizes.rows(&boards, sizes.outputs);
            if let Some(residual) = residual {
                enter(grid, &residual[rows.clone()], sizes.outputs, output, outputs);
            }
            let finish = if residual.is_some() { Finish::AddedRelu } else { Finish::Relu };
            let own_bias = boards.start * outputs..boards.end * outputs;
            let bias = if bias.len() == outputs { &bias[..] } else { &bias[own_bias] };
            convolution.apply((grid, boards.len()), (input, bias), output, finish, tiles);
            leave(grid, output, outputs, &mut out[rows], sizes.outputs);
        }
    });
    tensor(out, sizes.outputs)
}

impl ConvolveBack for Flex {
    fn convolve_back(saved: &Saved<Flex>, gradient: FlexTensor, wants_input: bool) -> Slopes<Flex> {
        let sizes = Sizes::new(&saved.weight, saved.ranks, saved.files);
        let [x, weight, out] = [&saved.x, &saved.weight, &saved.out].map(|operand| operand.to_contiguous());
        let gradient = gradient.to_contiguous();
        // Where `relu` gave zero, nothing goes back.
        let live = values(&gradient).iter().zip(values(&out)).map(|(&slope, &out)| if out > 0.0 { slope } else { 0.0 });
        let slope: Vec<f32> = live.collect();
        let x = values(&x);
        let mut input_slope = vec![0.0; if wants_input { x.len() } else { 0 }];
        let weight_slope = Workspace::lend(sizes, |workspace| {
            let Workspace { grid, stored, input, output, tiles, gradient, gradient_tiles, .. } = workspace;
            let [inputs, outputs] = *stored;
            gradient.clear();
            let turned = turn(values(&weight), sizes);
            let turned = fill_up(&turned, [sizes.outputs, sizes.inputs], [outputs, inputs]);
            let backward = wants_input.then(|| Convolution::new(Kernel::best(), &turned, outputs, inputs));
            let no_bias = vec![0.0; inputs];
            for boards in sizes.runs(x, sizes.inputs) {
                let batch = (&*grid, boards.len());
                let rows = sizes.rows(&boards, sizes.inputs);
                enter(grid, &x[rows.clone()], sizes.inputs, input, inputs);
                enter(grid, &slope[sizes.rows(&boards, sizes.outputs)], sizes.outputs, output, outputs);
                gradient.add(batch, input, output, gradient_tiles);
                if let Some(backward) = &backward {
                    backward.apply(batch, (output, &no_bias), input, Finish::Linear, tiles);
                    leave(grid, input, inputs, &mut input_slope[rows], sizes.inputs);
                }
            }
            take_out(gradient.finish(), *stored, [sizes.inputs, sizes.outputs])
        });
        let bias_slope = sum_rows(&slope, sizes.outputs, saved.bias_rows);
        Slopes {
            x: wants_input.then(|| tensor(input_slope, sizes.inputs)),
            weight: tensor(weight_slope, sizes.outputs),
            bias: tensor(bias_slope, sizes.outputs),
            residual: tensor(slope, sizes.outputs),
        }
    }
}

/// The weights of the convolution that takes gradients back, `[9, outputs, inputs]`.
fn turn(weight: &[f32], Sizes { inputs, outputs, .. }: Sizes) -> Vec<f32> {
    let mut turned = vec![0.0; weight.len()];
    for (tap, weight) in weight.chunks_exact(inputs * outputs).enumerate() {
        let turned = &mut turned[(8 - tap) * inputs * outputs..][..inputs * outputs];
        for (output, row) in turned.chunks_exact_mut(inputs).enumerate() {
            row.iter_mut().enumerate().for_each(|(input, value)| *value = weight[input * outputs + output]);
        }
    }
    turned
}

/// The way back of [`fill_up`].
fn take_out(filled: Vec<f32>, stored: [usize; 2], sizes: [usize; 2]) -> Vec<f32> {
    if stored == sizes {
        return filled;
    }
    let [inputs, outputs] = sizes;
    let mut weight = Vec::with_capacity(filled.len());
    for matrix in filled.chunks_exact(stored[0] * stored[1]) {
        matrix.chunks_exact(stored[1]).take(inputs).for_each(|row| weight.extend_from_slice(&row[..outputs]));
    }
    weight
}

/// Sums runs of rows, so that `count` rows of `channels` numbers are left.
fn sum_rows(rows: &[f32], channels: usize, count: usize) -> Vec<f32> {
    let mut sums = vec![0.0; count * channels];
    for (sums, rows) in sums.chunks_exact_mut(channels).zip(rows.chunks_exact(rows.len() / count)) {
        for row in rows.chunks_exact(channels) {
            sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
    }
    sums
}

/// The numbers of a contiguous tensor.
fn values(tensor: &FlexTensor) -> &[f32] {
    tensor.as_slice().expect("a contiguous tensor of f32")
}

/// `[rows, channels]`
fn tensor(values: Vec<f32>, channels: usize) -> FlexTensor {
    let rows = values.len() / channels;
    FlexTensor::from_data(TensorData::new(values, [rows, channels]))
}
