//! The operation against the same arithmetic written with Burn's own operations, values and gradients.

use burn::tensor::{Device, Tensor, TensorData};
use heng_env::seeds::{Purpose, Seeds};
use rand::RngExt as _;

use crate::net::layers::{Affine, Board};

/// Random numbers on a device that keeps gradients.
fn random<const D: usize>(dims: [usize; D], index: u64) -> Tensor<D> {
    let mut rng = Seeds::new(13).stream(Purpose::Test, index);
    let values: Vec<f32> = (0..dims.iter().product()).map(|_| rng.random_range(-1.0..1.0)).collect();
    Tensor::from_data(TensorData::new(values, dims), &Device::flex().autodiff()).require_grad()
}

fn numbers(tensor: Tensor<2>) -> Vec<f32> {
    tensor.into_data().try_to_vec().expect("f32")
}

#[test]
fn values_and_gradients_are_those_of_a_gather_and_a_matrix_product() {
    // Sizes that fill no panel, batches that fill no run of boards, shared and own biases, with and without a residual.
    let cases = [(7, 6, 1, 3, 5), (8, 9, 9, 24, 40), (13, 12, 3, 16, 8), (3, 4, 17, 8, 64)];
    for (ranks, files, batch, inputs, outputs) in cases {
        for (own_bias, with_residual) in [(false, false), (false, true), (true, false), (true, true)] {
            let rows = batch * ranks * files;
            let device = Device::flex().autodiff();
            let x = random([rows, inputs], 1);
            let weight = random([9 * inputs, outputs], 2);
            let bias = random([outputs], 3);
            let own = own_bias.then(|| random([batch, outputs], 4));
            let residual = with_residual.then(|| random([rows, outputs], 5));
            let factors = random([rows, outputs], 6).detach();
            let affine = Affine::of(weight.clone(), bias.clone());
            let boards = [Board::new(batch, ranks, files, &device), Board::gathered(batch, ranks, files, &device)];
            let [found, expected] = boards.map(|board| {
                let out = board.convolve(x.clone(), &affine, own.clone(), residual.clone());
                let gradients = (out.clone() * factors.clone()).sum().backward();
                let operands = [Some(&x), Some(&weight), own.as_ref(), residual.as_ref()];
                let slopes =
                    operands.into_iter().flatten().map(|operand| numbers(operand.grad(&gradients).expect("used")));
                let bias_slope = bias.grad(&gradients).expect("used").unsqueeze();
                let mut all = vec![numbers(out), numbers(bias_slope)];
                all.extend(slopes);
                all
            });
            assert_eq!(found.len(), expected.len());
            for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let size = expected.iter().fold(1.0, |most: f32, value| most.max(value.abs()));
                let error =
                    found.iter().zip(expected).map(|(found, expected)| (found - expected).abs()).fold(0.0, f32::max);
                assert!(
                    error < 1e-5 * size,
                    "{ranks}x{files}, {inputs} to {outputs}: operand {index}, {error} of {size}"
                );
            }
        }
    }
}
