//! The forward pass that plays on this computer's processor: the arithmetic of [`Model`](super::model::Model), without
//! gradients, allocations or threads, and without the logits of illegal steps.

use heng_env::Action;

use super::kernel::{Convolution, Finish, Grid, Kernel, SquareProduct, Tiles, fill_up, multiply_add};
use super::layers::VALUE_OUTPUTS;
use super::network::Network;
use crate::evaluator::Evaluation;
use crate::value::Wdl;

/// Boards that go through the network together: few enough to stay in the processor's cache.
pub(crate) const BOARDS: usize = 8;

/// A network's weights, in the order in which the kernel reads them.
#[derive(Debug)]
pub(crate) struct FastNet {
    kernel: Kernel,
    grid: Grid,
    /// Planes of an encoded position.
    planes: usize,
    /// Planes as they are stored, filled up to whole vectors.
    stored_planes: usize,
    /// Channels as they are stored, filled up to whole panels.
    stored_channels: usize,
    channels: usize,
    input: Layer,
    blocks: Vec<FastBlock>,
    /// The 1×1 convolutions of all heads side by side: start, end, hand planes, value features.
    heads: SquareProduct,
    policy_channels: usize,
    hand_planes: usize,
    value_channels: usize,
    value_hidden: Dense,
    value_outputs: Dense,
}

/// A 3×3 convolution.
#[derive(Debug)]
struct Layer {
    weight: Convolution,
    /// Filled up to whole panels.
    bias: Vec<f32>,
}

#[derive(Debug)]
struct FastBlock {
    first: Layer,
    pool: Option<Dense>,
    second: Layer,
}

/// A layer that runs once a board.
#[derive(Debug)]
struct Dense {
    /// `[inputs, outputs]`
    weight: Vec<f32>,
    bias: Vec<f32>,
}

/// The working memory of one evaluator. The borders of its boards stay zero.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// One encoded position, `[planes, squares]`.
    encoded: Vec<f32>,
    /// `[boards, area, stored planes]`
    input: Vec<f32>,
    /// `[boards, area, stored channels]`
    trunk: Vec<f32>,
    /// `[boards, area, stored channels]`
    hidden: Vec<f32>,
    /// `[boards, area, head outputs]`
    heads: Vec<f32>,
    /// Bias of a block's first convolution for each board, `[boards, stored channels]`.
    bias: Vec<f32>,
    tiles: Tiles,
    pooled: Vec<f32>,
    dense: Vec<f32>,
}

impl FastNet {
    pub(crate) fn new(network: &Network, kernel: Kernel) -> FastNet {
        let (config, shape) = (&network.config, network.shape);
        let stored_planes = shape.input_planes.next_multiple_of(kernel.lanes());
        let stored_channels = config.channels.next_multiple_of(kernel.panel());
        let layer = |name: &str| Layer::new(network, kernel, name, stored_channels);
        let block = |index| {
            let mut first = layer(&format!("blocks.{index}.first"));
            let pool = config.pools(index).then(|| Dense::new(network, &format!("blocks.{index}.pool")));
            if let Some(pool) = &pool {
                first.bias.iter_mut().zip(&pool.bias).for_each(|(bias, pooled)| *bias += pooled);
            }
            FastBlock { first, pool, second: layer(&format!("blocks.{index}.second")) }
        };
        FastNet {
            kernel,
            grid: Grid::new(shape.ranks, shape.files),
            planes: shape.input_planes,
            stored_planes,
            stored_channels,
            channels: config.channels,
            input: Layer::new(network, kernel, "input", stored_planes),
            blocks: (0..config.blocks).map(block).collect(),
            heads: heads(network, kernel),
            policy_channels: config.policy_channels,
            hand_planes: shape.hand_planes,
            value_channels: config.value_channels,
            value_hidden: Dense::new(network, "value.hidden"),
            value_outputs: Dense::new(network, "value.outputs"),
        }
    }

    pub(crate) fn scratch(&self) -> Scratch {
        let area = BOARDS * self.grid.area();
        let zeros = |channels: usize| vec![0.0; area * channels];
        let widest = self.stored_planes.max(self.stored_channels);
        Scratch {
            encoded: vec![0.0; self.planes * self.grid.squares()],
            input: zeros(self.stored_planes),
            trunk: zeros(self.stored_channels),
            hidden: zeros(self.stored_channels),
            heads: zeros(self.heads.outputs()),
            bias: vec![0.0; BOARDS * self.stored_channels],
            tiles: Tiles::new(self.kernel, &self.grid, BOARDS, widest),
            pooled: Vec::new(),
            dense: Vec::new(),
        }
    }

    /// Puts a position into place `board` of the input; `encode` writes `[planes, squares]`.
    pub(crate) fn set_input(&self, scratch: &mut Scratch, board: usize, encode: impl FnOnce(&mut [f32])) {
        encode(&mut scratch.encoded);
        let input = &mut scratch.input[board * self.grid.area() * self.stored_planes..];
        for (plane, values) in scratch.encoded.chunks_exact(self.grid.squares()).enumerate() {
            for (&place, &value) in self.grid.inside().iter().zip(values) {
                input[place * self.stored_planes + plane] = value;
            }
        }
    }

    /// Runs the trunk and the heads' convolutions for the first `boards` boards.
    pub(crate) fn forward(&self, scratch: &mut Scratch, boards: usize) {
        let Scratch { input, trunk, hidden, heads, bias, tiles, pooled, .. } = scratch;
        let batch = (&self.grid, boards);
        self.input.weight.apply(batch, (input, &self.input.bias), trunk, Finish::Relu, tiles);
        for block in &self.blocks {
            let bias = match &block.pool {
                None => &block.first.bias[..],
                Some(pool) => {
                    self.board_biases(block, pool, boards, trunk, bias, pooled);
                    &bias[..boards * self.stored_channels]
                }
            };
            block.first.weight.apply(batch, (trunk, bias), hidden, Finish::Relu, tiles);
            block.second.weight.apply(batch, (hidden, &block.second.bias), trunk, Finish::AddedRelu, tiles);
        }
        self.heads.apply(&self.grid, boards, trunk, heads);
    }

    /// Adds what each board's pooled trunk says to the bias of the block's first convolution.
    fn board_biases(
        &self,
        block: &FastBlock,
        pool: &Dense,
        boards: usize,
        trunk: &[f32],
        bias: &mut [f32],
        pooled: &mut Vec<f32>,
    ) {
        let own = &block.first.bias;
        for (board, bias) in bias.chunks_exact_mut(own.len()).enumerate().take(boards) {
            self.pool(trunk, board, self.stored_channels, 0..self.channels, pooled);
            bias.copy_from_slice(own);
            pool.add(pooled, &mut bias[..self.channels]);
        }
    }

    /// Mean and maximum of `relu` of some channels over the squares of a board.
    fn pool(&self, x: &[f32], board: usize, stride: usize, channels: std::ops::Range<usize>, pooled: &mut Vec<f32>) {
        let count = channels.len();
        pooled.clear();
        pooled.resize(2 * count, 0.0);
        let (mean, max) = pooled.split_at_mut(count);
        let boards = &x[board * self.grid.area() * stride..];
        for &place in self.grid.inside() {
            let values = &boards[place * stride..][channels.clone()];
            for ((mean, max), &value) in mean.iter_mut().zip(max.iter_mut()).zip(values) {
                *mean += value.max(0.0);
                *max = max.max(value);
            }
        }
        mean.iter_mut().for_each(|mean| *mean /= self.grid.squares() as f32);
    }

    /// Reads the answer for one board out of the heads.
    pub(crate) fn read(&self, scratch: &mut Scratch, board: usize, actions: &[Action], out: &mut Evaluation) {
        let [win, draw, loss, ..] = self.value(scratch, board);
        let mut wdl = [win, draw, loss];
        softmax(&mut wdl);
        out.wdl = Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] };
        let heads = &scratch.heads[board * self.grid.area() * self.heads.outputs()..];
        out.priors.clear();
        out.priors.extend(actions.iter().map(|&action| self.logit(heads, action)));
        softmax(&mut out.priors);
    }

    /// The value head's outputs before their softmax.
    pub(crate) fn value(&self, scratch: &mut Scratch, board: usize) -> [f32; VALUE_OUTPUTS] {
        let Scratch { heads, pooled, dense, .. } = scratch;
        let first = 2 * self.policy_channels + self.hand_planes;
        let channels = first..first + self.value_channels;
        self.pool(heads, board, self.heads.outputs(), channels, pooled);
        dense.clear();
        dense.extend_from_slice(&self.value_hidden.bias);
        self.value_hidden.add(pooled, dense);
        dense.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut outputs = [0.0; VALUE_OUTPUTS];
        outputs.copy_from_slice(&self.value_outputs.bias);
        self.value_outputs.add(dense, &mut outputs);
        outputs
    }

    /// The logit of one step.
    fn logit(&self, heads: &[f32], action: Action) -> f32 {
        let (squares, length) = (self.grid.squares(), self.policy_channels);
        let (plane, square) = (action.index() / squares, action.index() % squares);
        let features = |square: usize| &heads[self.grid.inside()[square] * self.heads.outputs()..];
        if plane >= squares {
            return features(square)[2 * length + plane - squares];
        }
        let (start, end) = (&features(plane)[..length], &features(square)[length..2 * length]);
        let product: f32 = start.iter().zip(end).map(|(start, end)| start * end).sum();
        product * (length as f32).powf(-0.5)
    }
}

impl Layer {
    /// The layer of this name, whose inputs are stored as so many.
    fn new(network: &Network, kernel: Kernel, name: &str, stored_inputs: usize) -> Layer {
        let weight = network.parameter(&format!("{name}.weight"));
        let mut bias = network.parameter(&format!("{name}.bias")).values.clone();
        let (inputs, outputs) = (weight.dims[0] / 9, weight.dims[1]);
        let stored_outputs = outputs.next_multiple_of(kernel.panel());
        bias.resize(stored_outputs, 0.0);
        let weight = fill_up(&weight.values, [inputs, outputs], [stored_inputs, stored_outputs]);
        Layer { weight: Convolution::new(kernel, &weight, stored_inputs, stored_outputs), bias }
    }
}

/// The 1×1 convolutions of all heads side by side.
fn heads(network: &Network, kernel: Kernel) -> SquareProduct {
    let all = ["policy.start", "policy.end", "policy.hand", "value.squares"];
    let parts = all.into_iter().filter(|&part| part != "policy.hand" || network.shape.hand_planes > 0);
    let parameter = |part: &str, kind: &str| network.parameter(&format!("{part}.{kind}"));
    let weights: Vec<_> = parts.clone().map(|part| parameter(part, "weight")).collect();
    let mut bias: Vec<f32> = parts.flat_map(|part| &parameter(part, "bias").values).copied().collect();
    let (inputs, outputs) = (weights[0].dims[0], bias.len());
    let row =
        |row: usize| weights.iter().flat_map(move |weight| &weight.values[row * weight.dims[1]..][..weight.dims[1]]);
    let joined: Vec<f32> = (0..inputs).flat_map(row).copied().collect();
    let stored = [inputs, outputs].map(|count| count.next_multiple_of(kernel.panel()));
    bias.resize(stored[1], 0.0);
    SquareProduct::new(kernel, &fill_up(&joined, [inputs, outputs], stored), bias)
}

impl Dense {
    fn new(network: &Network, name: &str) -> Dense {
        let values = |part: &str| network.parameter(&format!("{name}.{part}")).values.clone();
        Dense { weight: values("weight"), bias: values("bias") }
    }

    /// Adds `input · weight` to `sums`, without the bias.
    fn add(&self, input: &[f32], sums: &mut [f32]) {
        for (&factor, weights) in input.iter().zip(self.weight.chunks_exact(sums.len())) {
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = multiply_add(factor, weight, *sum));
        }
    }
}

/// Turns logits into probabilities.
pub(crate) fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = (*logit - most).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|value| *value /= sum);
}
