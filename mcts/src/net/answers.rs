//! What a network says, in plain numbers, for programs that compare it with another implementation.

use burn::tensor::{Tensor, TensorData};
use ndarray::{Array2, Array4};

use super::device::Device;
use super::layers::VALUE_OUTPUTS;
use super::model::Outputs;
use super::network::Network;

/// What a network says about a batch of positions, before any softmax.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// Logits of all steps, legal or not, `[batch, actions]`.
    pub policy: Array2<f32>,
    /// Logits of win, draw and loss of the side to act, `[batch, 3]`.
    pub wdl: Array2<f32>,
    /// `ln(1 + steps until the end)`, `[batch]`.
    pub steps_left: Vec<f32>,
    /// The final lead of the side to act, from -1 to 1, `[batch]`.
    pub score: Vec<f32>,
}

impl Network {
    /// Runs the model that learns, not the quicker pass that plays, on this computer's processor.
    ///
    /// # Panics
    /// If `inputs` are not `[batch, planes, ranks, files]` of the network's shape.
    pub fn answers(&self, inputs: &Array4<f32>) -> Answers {
        let (batch, planes, ranks, files) = inputs.dim();
        let shape = self.shape();
        assert_eq!((planes, ranks, files), (shape.input_planes, shape.ranks, shape.files), "inputs of another shape");
        let device = Device::flex();
        let data = TensorData::new(inputs.iter().copied().collect::<Vec<f32>>(), [batch, planes, ranks, files]);
        let outputs = self.to_model(&device).forward(Tensor::from_data(data, &device));
        let Outputs { policy, wdl, steps_left, score } = outputs;
        let table = |values: Vec<f32>, width| Array2::from_shape_vec((batch, width), values).expect("a row a position");
        Answers {
            policy: table(numbers(policy), shape.action_count()),
            wdl: table(numbers(wdl), VALUE_OUTPUTS - 2),
            steps_left: numbers(steps_left),
            score: numbers(score),
        }
    }
}

fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().try_to_vec().expect("outputs are f32")
}
