//! A 3×3 convolution with its bias, residual and `relu` as one operation of Burn, for this computer's processor.
//!
//! Burn's own `conv2d`, and a gather followed by a matrix product, are two to four times slower there. Values and gradients
//! come from the kernels that also play. Other devices take the gather and the matrix product.

// The macro's own code needs names that are public.
#![allow(unreachable_pub, missing_docs)]

mod flex;

use burn::backend::autodiff::checkpoint::base::Checkpointer;
use burn::backend::autodiff::checkpoint::strategy::CheckpointStrategy;
use burn::backend::autodiff::grads::Gradients;
use burn::backend::autodiff::ops::{Backward, Ops, OpsKind};
use burn::backend::tensor::FloatTensor;
use burn::backend::{Autodiff, Backend, Dispatch, TensorMetadata, backend_extension};
use burn::tensor::Tensor;

/// Backends with the operation.
#[backend_extension(Flex, Autodiff)]
pub trait Convolve: Backend {
    /// `relu(x * weight + bias)`, see [`convolve`].
    fn convolve(
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        ranks: usize,
        files: usize,
    ) -> FloatTensor<Self>;

    /// `relu(x * weight + bias + residual)`, see [`convolve`].
    fn convolve_residual(
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        residual: FloatTensor<Self>,
        ranks: usize,
        files: usize,
    ) -> FloatTensor<Self>;
}

/// Backends that can take the operation's gradients.
pub trait ConvolveBack: Convolve {
    /// The gradients of the operation's operands from that of its result.
    fn convolve_back(saved: &Saved<Self>, gradient: FloatTensor<Self>, wants_input: bool) -> Slopes<Self>;
}

/// What the gradients are computed from.
#[derive(Clone, Debug)]
pub struct Saved<B: Backend> {
    x: FloatTensor<B>,
    weight: FloatTensor<B>,
    out: FloatTensor<B>,
    /// Rows of the bias: one, or one for each board.
    bias_rows: usize,
    ranks: usize,
    files: usize,
}

/// The gradients of the operands.
pub struct Slopes<B: Backend> {
    /// Of the input, if it was asked for.
    x: Option<FloatTensor<B>>,
    weight: FloatTensor<B>,
    bias: FloatTensor<B>,
    residual: FloatTensor<B>,
}

/// `relu(x * weight + bias + residual)` for a batch of boards of these ranks and files.
///
/// `x` is `[boards * squares, inputs]`, `weight` `[9 * inputs, outputs]` with the taps outermost, `bias` `[1, outputs]` or
/// `[boards, outputs]`, and `residual` and the result are `[boards * squares, outputs]`.
pub(crate) fn convolve(
    x: Tensor<2>,
    weight: Tensor<2>,
    bias: Tensor<2>,
    residual: Option<Tensor<2>>,
    (ranks, files): (usize, usize),
) -> Tensor<2> {
    let (x, weight, bias) = (x.into_dispatch(), weight.into_dispatch(), bias.into_dispatch());
    Tensor::from_dispatch(match residual {
        None => Dispatch::convolve(x, weight, bias, ranks, files),
        Some(residual) => Dispatch::convolve_residual(x, weight, bias, residual.into_dispatch(), ranks, files),
    })
}

impl<B: ConvolveBack, C: CheckpointStrategy> Convolve for Autodiff<B, C> {
    fn convolve(
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        ranks: usize,
        files: usize,
    ) -> FloatTensor<Self> {
        let [input, weights, added] = [&x, &weight, &bias].map(|operand| operand.primitive().clone());
        let out = B::convolve(input, weights, added, ranks, files);
        let nodes = [x.node(), weight.node(), bias.node()];
        match Plain.prepare::<C>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                prepared.finish(Saved::new::<C>([&x, &weight, &bias], &out, (ranks, files)), out)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(out),
        }
    }

    fn convolve_residual(
        x: FloatTensor<Self>,
        weight: FloatTensor<Self>,
        bias: FloatTensor<Self>,
        residual: FloatTensor<Self>,
        ranks: usize,
        files: usize,
    ) -> FloatTensor<Self> {
        let operands = [&x, &weight, &bias, &residual].map(|operand| operand.primitive().clone());
        let [input, weights, added, residuals] = operands;
        let out = B::convolve_residual(input, weights, added, residuals, ranks, files);
        let nodes = [x.node(), weight.node(), bias.node(), residual.node()];
        match WithResidual.prepare::<C>(nodes).compute_bound().stateful() {
            OpsKind::Tracked(prepared) => {
                prepared.finish(Saved::new::<C>([&x, &weight, &bias], &out, (ranks, files)), out)
            }
            OpsKind::UnTracked(prepared) => prepared.finish(out),
        }
    }
}

impl<B: Backend> Saved<B> {
    fn new<C: CheckpointStrategy>(
        [x, weight, bias]: [&FloatTensor<Autodiff<B, C>>; 3],
        out: &FloatTensor<B>,
        (ranks, files): (usize, usize),
    ) -> Saved<B> {
        let bias_rows = bias.primitive().shape()[0];
        Saved {
            x: x.primitive().clone(),
            weight: weight.primitive().clone(),
            out: out.clone(),
            bias_rows,
            ranks,
            files,
        }
    }
}

/// The way back without a residual.
#[derive(Debug)]
struct Plain;

impl<B: ConvolveBack> Backward<B, 3> for Plain {
    type State = Saved<B>;

    fn backward(self, ops: Ops<Saved<B>, 3>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let [x, weight, bias] = ops.parents;
        let slopes = B::convolve_back(&ops.state, gradients.consume::<B>(&ops.node), x.is_some());
        let slopes = [slopes.x, Some(slopes.weight), Some(slopes.bias)];
        for (node, slope) in [x, weight, bias].into_iter().zip(slopes) {
            if let (Some(node), Some(slope)) = (node, slope) {
                gradients.register::<B>(node.id, slope);
            }
        }
    }
}

/// The way back with a residual.
#[derive(Debug)]
struct WithResidual;

impl<B: ConvolveBack> Backward<B, 4> for WithResidual {
    type State = Saved<B>;

    fn backward(self, ops: Ops<Saved<B>, 4>, gradients: &mut Gradients, _: &mut Checkpointer) {
        let [x, weight, bias, residual] = ops.parents;
        let slopes = B::convolve_back(&ops.state, gradients.consume::<B>(&ops.node), x.is_some());
        let slopes = [slopes.x, Some(slopes.weight), Some(slopes.bias), Some(slopes.residual)];
        for (node, slope) in [x, weight, bias, residual].into_iter().zip(slopes) {
            if let (Some(node), Some(slope)) = (node, slope) {
                gradients.register::<B>(node.id, slope);
            }
        }
    }
}

#[cfg(test)]
mod tests;
