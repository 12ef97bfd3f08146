//! The arithmetic of the network on this computer's processor, channels-last.
//!
//! A board is stored with a border of zeros, `[area, channels]`, where the channels fill whole panels. Every number is summed
//! in the same order wherever its board stands in a batch, so that the batch cannot change a result.

mod gradient;
mod grid;
mod product;
mod simd;
mod squares;
mod transform;
mod winograd;

use std::borrow::Cow;

pub(crate) use gradient::WeightGradient;
pub(crate) use grid::Grid;
pub use simd::Kernel;
pub(crate) use simd::multiply_add;
pub(crate) use squares::SquareProduct;
pub(crate) use winograd::{Convolution, Finish, Tiles};

/// Fills up matrices of these inputs and outputs, `[matrices, inputs, outputs]`, with zeros to `stored` ones.
pub(crate) fn fill_up(weight: &[f32], sizes: [usize; 2], stored: [usize; 2]) -> Cow<'_, [f32]> {
    if sizes == stored {
        return Cow::Borrowed(weight);
    }
    let [inputs, outputs] = sizes;
    let mut filled = vec![0.0; weight.len() / (inputs * outputs) * stored[0] * stored[1]];
    let matrices = weight.chunks_exact(inputs * outputs).zip(filled.chunks_exact_mut(stored[0] * stored[1]));
    for (matrix, filled) in matrices {
        for (row, filled) in matrix.chunks_exact(outputs).zip(filled.chunks_exact_mut(stored[1])) {
            filled[..outputs].copy_from_slice(row);
        }
    }
    Cow::Owned(filled)
}

#[cfg(test)]
mod tests;
