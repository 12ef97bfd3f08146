//! The layers of the network, on channels-last tensors.

use burn::module::{Module, Param};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Int, Tensor, TensorData};
use heng_env::Shape;
use heng_env::seeds::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::config::NetConfig;
use super::convolution::convolve;

/// Values that the value head gives: win, draw, loss, steps left, score.
pub(crate) const VALUE_OUTPUTS: usize = 5;

/// Where the initial weights come from.
pub(crate) struct Init<'a> {
    /// Without it all weights are zero, for a module that is about to be filled.
    pub(crate) rng: Option<&'a mut Rng>,
    pub(crate) device: &'a Device,
}

impl Init<'_> {
    /// Weights of standard deviation `gain / sqrt(inputs)`, and a bias of zero.
    pub(crate) fn affine(&mut self, inputs: usize, outputs: usize, gain: f32) -> Affine {
        let deviation = gain / (inputs as f32).sqrt();
        let mut values = vec![0.0; inputs * outputs];
        if let Some(rng) = &mut self.rng {
            let mut draw = || -> f32 { StandardNormal.sample(rng) };
            values.iter_mut().for_each(|value| *value = deviation * draw());
        }
        let weight = Tensor::from_data(TensorData::new(values, [inputs, outputs]), self.device);
        let bias = Tensor::zeros([outputs], self.device);
        Affine { weight: Param::from_tensor(weight), bias: Param::from_tensor(bias) }
    }
}

/// `x · weight + bias`.
#[derive(Module, Debug)]
pub(crate) struct Affine {
    /// `[inputs, outputs]`; for a 3×3 convolution the inputs are `tap * channels + channel`.
    weight: Param<Tensor<2>>,
    /// `[outputs]`
    bias: Param<Tensor<1>>,
}

impl Affine {
    /// A layer with these weights.
    #[cfg(test)]
    pub(crate) fn of(weight: Tensor<2>, bias: Tensor<1>) -> Affine {
        Affine { weight: Param::from_tensor(weight), bias: Param::from_tensor(bias) }
    }

    /// `[rows, inputs]` to `[rows, outputs]`.
    pub(crate) fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        x.matmul(self.weight.val()) + self.bias.val().unsqueeze()
    }
}

/// The squares of a batch of boards.
pub(crate) struct Board {
    pub(crate) batch: usize,
    pub(crate) squares: usize,
    ranks: usize,
    files: usize,
    /// For each square its nine neighbours, `[batch * squares * 9]`; outside the board the zero row behind the last one.
    /// None on this computer's processor, which has a faster way.
    neighbours: Option<Tensor<1, Int>>,
}

impl Board {
    pub(crate) fn new(batch: usize, ranks: usize, files: usize, device: &Device) -> Board {
        if device.clone().inner() != Device::flex() {
            return Board::gathered(batch, ranks, files, device);
        }
        Board { batch, squares: ranks * files, ranks, files, neighbours: None }
    }

    /// Boards whose squares are gathered, on any device.
    pub(crate) fn gathered(batch: usize, ranks: usize, files: usize, device: &Device) -> Board {
        let neighbours = Some(Board::neighbours(batch, ranks, files, device));
        Board { batch, squares: ranks * files, ranks, files, neighbours }
    }

    fn neighbours(batch: usize, ranks: usize, files: usize, device: &Device) -> Tensor<1, Int> {
        let outside = (batch * ranks * files) as i32;
        let mut neighbours = Vec::with_capacity(batch * ranks * files * 9);
        for square in 0..outside as usize {
            let (rank, file) = (square / files % ranks, square % files);
            for tap in 0..9 {
                let (to_rank, to_file) = (rank + tap / 3, file + tap % 3);
                let inside = (1..=ranks).contains(&to_rank) && (1..=files).contains(&to_file);
                let neighbour = square + tap / 3 * files + tap % 3;
                neighbours.push(if inside { (neighbour - files - 1) as i32 } else { outside });
            }
        }
        let length = neighbours.len();
        Tensor::from_data(TensorData::new(neighbours, [length]), device)
    }

    /// `relu(x * weight + bias + boards + residual)`, a 3×3 convolution with what is added to it.
    ///
    /// `x` is `[batch * squares, inputs]`, `boards` `[batch, outputs]`, and `residual` and the result are
    /// `[batch * squares, outputs]`.
    pub(crate) fn convolve(
        &self,
        x: Tensor<2>,
        affine: &Affine,
        boards: Option<Tensor<2>>,
        residual: Option<Tensor<2>>,
    ) -> Tensor<2> {
        let (weight, bias) = (affine.weight.val(), affine.bias.val().unsqueeze());
        let bias = match boards {
            None => bias,
            Some(boards) => bias + boards,
        };
        let Some(neighbours) = &self.neighbours else {
            return convolve(x, weight, bias, residual, (self.ranks, self.files));
        };
        let [rows, inputs] = x.dims();
        let [_, outputs] = weight.dims();
        let zero = Tensor::zeros([1, inputs], &x.device());
        let gathered = Tensor::cat(vec![x, zero], 0).select(0, neighbours.clone()).reshape([rows, 9 * inputs]);
        let product = gathered.matmul(weight).reshape([self.batch, self.squares, outputs]);
        let sum = (product + bias.unsqueeze_dim::<3>(1)).reshape([rows, outputs]);
        relu(match residual {
            None => sum,
            Some(residual) => sum + residual,
        })
    }

    /// Mean and maximum over each board, `[batch * squares, channels]` to `[batch, 2 * channels]`.
    fn pool(&self, x: Tensor<2>) -> Tensor<2> {
        let [_, channels] = x.dims();
        let boards = x.reshape([self.batch, self.squares, channels]);
        let mean = boards.clone().mean_dim(1).reshape([self.batch, channels]);
        let max = boards.max_dim(1).reshape([self.batch, channels]);
        Tensor::cat(vec![mean, max], 1)
    }
}

/// `relu(x + second(relu(first(x) + pool(x))))`, where the pooled term is there in some of the blocks.
#[derive(Module, Debug)]
pub(crate) struct Block {
    first: Affine,
    pool: Option<Affine>,
    second: Affine,
}

impl Block {
    pub(crate) fn new(config: &NetConfig, index: usize, init: &mut Init) -> Block {
        let channels = config.channels;
        let gain = (2.0 / config.blocks as f32).sqrt();
        Block {
            first: init.affine(9 * channels, channels, gain),
            pool: config.pools(index).then(|| init.affine(2 * channels, channels, 0.5)),
            second: init.affine(9 * channels, channels, 0.0),
        }
    }

    pub(crate) fn forward(&self, x: Tensor<2>, board: &Board) -> Tensor<2> {
        let pooled = self.pool.as_ref().map(|pool| pool.forward(board.pool(x.clone())));
        let hidden = board.convolve(x.clone(), &self.first, pooled, None);
        board.convolve(hidden, &self.second, None, Some(x))
    }
}

/// Logits of all steps: a product of start and end square for moves, a 1×1 convolution for the hand planes.
#[derive(Module, Debug)]
pub(crate) struct PolicyHead {
    start: Affine,
    end: Affine,
    hand: Option<Affine>,
}

impl PolicyHead {
    pub(crate) fn new(config: &NetConfig, shape: &Shape, init: &mut Init) -> PolicyHead {
        let (channels, length) = (config.channels, config.policy_channels);
        PolicyHead {
            start: init.affine(channels, length, 1.0),
            end: init.affine(channels, length, 0.3),
            hand: (shape.hand_planes > 0).then(|| init.affine(channels, shape.hand_planes, 0.3)),
        }
    }

    /// `[batch * squares, channels]` to `[batch, actions]`.
    pub(crate) fn forward(&self, x: Tensor<2>, board: &Board) -> Tensor<2> {
        let (batch, squares) = (board.batch, board.squares);
        let boards = |x: Tensor<2>| {
            let [_, channels] = x.dims();
            x.reshape([batch, squares, channels])
        };
        let start = boards(self.start.forward(x.clone()));
        let end = boards(self.end.forward(x.clone()));
        let scale = (start.dims()[2] as f32).powf(-0.5);
        // [batch, start squares, end squares]
        let moves = start.matmul(end.swap_dims(1, 2)).mul_scalar(scale).reshape([batch, squares * squares]);
        let Some(hand) = &self.hand else { return moves };
        // [batch, squares, planes] -> [batch, planes, squares]
        let hand = boards(hand.forward(x)).swap_dims(1, 2);
        let planes = hand.dims()[1];
        Tensor::cat(vec![moves, hand.reshape([batch, planes * squares])], 1)
    }
}

/// Some numbers about the whole board, from features pooled over it.
#[derive(Module, Debug)]
pub(crate) struct ValueHead {
    squares: Affine,
    hidden: Affine,
    outputs: Affine,
}

impl ValueHead {
    pub(crate) fn new(config: &NetConfig, outputs: usize, init: &mut Init) -> ValueHead {
        let relu_gain = f32::sqrt(2.0);
        ValueHead {
            squares: init.affine(config.channels, config.value_channels, relu_gain),
            hidden: init.affine(2 * config.value_channels, config.value_hidden, relu_gain),
            outputs: init.affine(config.value_hidden, outputs, 0.3),
        }
    }

    /// `[batch * squares, channels]` to `[batch, outputs]`.
    pub(crate) fn forward(&self, x: Tensor<2>, board: &Board) -> Tensor<2> {
        let pooled = board.pool(relu(self.squares.forward(x)));
        self.outputs.forward(relu(self.hidden.forward(pooled)))
    }
}
