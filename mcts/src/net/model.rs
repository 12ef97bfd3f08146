//! The network as a Burn module: what trains, and what runs on devices other than this computer's processor.
//!
//! Tensors are channels-last, `[batch * squares, channels]`. On a processor a 3×3 convolution is an operation of our own,
//! `convolution`; on other devices it is a gather of nine neighbours and one matrix product. There is no normalisation: the second
//! convolution of each block starts at zero and the first one is scaled down with the depth (Fixup, Zhang et al. 2019),
//! so that a position's output never depends on what else is in its batch.

use burn::module::{Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use heng_env::Shape;
use heng_env::seeds::Rng;

use super::auxiliary::{AuxiliaryHeads, AuxiliaryOutputs};
use super::config::NetConfig;
use super::layers::{Affine, Block, Board, Init, PolicyHead, VALUE_OUTPUTS, ValueHead};
use super::learner_config::LearnerConfig;
use super::network::Parameter;

/// What the network says about a batch of positions.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// Logits of all steps, legal or not, `[batch, actions]`.
    pub policy: Tensor<2>,
    /// Logits of win, draw and loss of the side to act, `[batch, 3]`.
    pub wdl: Tensor<2>,
    /// `ln(1 + steps until the end)`, `[batch]`.
    pub steps_left: Tensor<1>,
    /// The final lead of the side to act, from -1 to 1, `[batch]`.
    pub score: Tensor<1>,
}

/// The network: trunk, policy head and value head, and maybe heads that only learning uses.
#[derive(Module, Debug)]
pub struct Model {
    input: Affine,
    blocks: Vec<Block>,
    policy: PolicyHead,
    value: ValueHead,
    /// Behind all others, so that those start with the same random weights whether or not it is there.
    auxiliary: Option<AuxiliaryHeads>,
}

impl Model {
    /// A network with random weights, which start every policy near uniform and every value near even.
    pub(crate) fn random(config: &NetConfig, shape: &Shape, rng: &mut Rng, device: &Device) -> Model {
        Model::new(config, shape, Init { rng: Some(rng), device })
    }

    /// A network with the values of `parameters`, which have its names and sizes in its order.
    pub(crate) fn filled(config: &NetConfig, shape: &Shape, parameters: &[Parameter], device: &Device) -> Model {
        let empty = Model::new(config, shape, Init { rng: None, device });
        empty.map(&mut Writer { parameters: parameters.iter(), device })
    }

    fn new(config: &NetConfig, shape: &Shape, mut init: Init) -> Model {
        Model {
            input: init.affine(9 * shape.input_planes, config.channels, 2.0),
            blocks: (0..config.blocks).map(|index| Block::new(config, index, &mut init)).collect(),
            policy: PolicyHead::new(config, shape, &mut init),
            value: ValueHead::new(config, VALUE_OUTPUTS, &mut init),
            auxiliary: config.auxiliary_heads.then(|| AuxiliaryHeads::new(config, shape, &mut init)),
        }
    }

    /// Runs the network on `inputs`, `[batch, planes, ranks, files]`, as it plays.
    pub fn forward(&self, inputs: Tensor<4>) -> Outputs {
        let (trunk, board) = self.trunk(inputs);
        self.outputs(trunk, &board)
    }

    /// The same, and what the auxiliary heads say that `config` gives a weight; nothing if there are none.
    pub(crate) fn forward_to_learn(&self, inputs: Tensor<4>, config: &LearnerConfig) -> (Outputs, AuxiliaryOutputs) {
        let (trunk, board) = self.trunk(inputs);
        let auxiliary = self.auxiliary.as_ref().map(|heads| heads.forward(&trunk, &board, config));
        (self.outputs(trunk, &board), auxiliary.unwrap_or_default())
    }

    /// `[batch, planes, ranks, files]` to `[batch * squares, channels]`.
    fn trunk(&self, inputs: Tensor<4>) -> (Tensor<2>, Board) {
        let [batch, planes, ranks, files] = inputs.dims();
        let board = Board::new(batch, ranks, files, &inputs.device());
        // [batch, planes, squares] -> [batch * squares, planes]
        let squares = inputs.reshape([batch, planes, board.squares]).swap_dims(1, 2);
        let squares = squares.reshape([batch * board.squares, planes]);
        let mut trunk = board.convolve(squares, &self.input, None, None);
        for block in &self.blocks {
            trunk = block.forward(trunk, &board);
        }
        (trunk, board)
    }

    fn outputs(&self, trunk: Tensor<2>, board: &Board) -> Outputs {
        let value = self.value.forward(trunk.clone(), board);
        Outputs {
            policy: self.policy.forward(trunk, board),
            wdl: value.clone().narrow(1, 0, 3),
            steps_left: value.clone().narrow(1, 3, 1).squeeze_dim(1),
            score: value.narrow(1, 4, 1).squeeze_dim::<1>(1).tanh(),
        }
    }

    /// The parameters in the module's order, with their names.
    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        let mut reader = Reader { path: Vec::new(), gradients: None, parameters: Vec::new() };
        self.visit(&mut reader);
        reader.parameters
    }

    /// The gradients in the order of [`Model::parameters`], as `values` of the same names.
    pub(crate) fn gradients(&self, gradients: &Gradients) -> Vec<Parameter> {
        let mut reader = Reader { path: Vec::new(), gradients: Some(gradients), parameters: Vec::new() };
        self.visit(&mut reader);
        reader.parameters
    }
}

/// Copies parameters, or their gradients, out of a module.
struct Reader<'a> {
    path: Vec<String>,
    gradients: Option<&'a Gradients>,
    parameters: Vec<Parameter>,
}

impl ModuleVisitor for Reader<'_> {
    fn enter_module(&mut self, name: &str, _container: &str) {
        self.path.push(name.to_owned());
    }

    fn exit_module(&mut self, _name: &str, _container: &str) {
        self.path.pop();
    }

    fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
        let tensor = param.val();
        let dims = tensor.dims().to_vec();
        let values = match self.gradients {
            None => tensor.into_data(),
            Some(gradients) => match tensor.grad(gradients) {
                Some(gradient) => gradient.into_data(),
                None => TensorData::zeros::<f32, _>(dims.clone()),
            },
        };
        let values = values.try_to_vec().expect("parameters are f32");
        self.parameters.push(Parameter { name: self.path.join("."), dims, values });
    }
}

/// Puts new values into a module's parameters, one after the other.
struct Writer<'a> {
    parameters: std::slice::Iter<'a, Parameter>,
    device: &'a Device,
}

impl ModuleMapper for Writer<'_> {
    fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
        let parameter = self.parameters.next().expect("as many parameters as the module has");
        assert_eq!(parameter.dims, param.val().dims(), "{} fits the module", parameter.name);
        let data = TensorData::new(parameter.values.clone(), parameter.dims.clone());
        Param::from_tensor(Tensor::from_data(data, self.device))
    }
}
