//! A network at rest: its sizes and its weights, on no device.

use burn::tensor::Device;
use heng_env::Shape;
use heng_env::seeds::{Purpose, Seeds};

use super::config::{NetConfig, NetConfigError};
use super::model::Model;

/// One named array of weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its place in the model, such as `blocks.0.first.weight`.
    pub name: String,
    /// Its sizes: `[inputs, outputs]` of a weight, `[outputs]` of a bias.
    pub dims: Vec<usize>,
    /// Its values, row by row.
    pub values: Vec<f32>,
}

impl Parameter {
    /// Whether it is a bias, to which weight decay does not apply.
    pub fn is_bias(&self) -> bool {
        self.dims.len() == 1
    }
}

/// A network at rest, made into a [`Model`] or a [`PlayNet`](super::PlayNet) to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub(crate) config: NetConfig,
    pub(crate) shape: Shape,
    pub(crate) parameters: Vec<Parameter>,
}

impl Network {
    /// A network with random weights, the same for the same `seeds`.
    ///
    /// # Errors
    /// If a size in `config` is out of range.
    pub fn random(config: &NetConfig, shape: Shape, seeds: Seeds) -> Result<Network, NetConfigError> {
        config.validate()?;
        let mut rng = seeds.stream(Purpose::Weights, 0);
        let parameters = Model::random(config, &shape, &mut rng, &Device::flex()).parameters();
        Ok(Network { config: config.clone(), shape, parameters })
    }

    /// The sizes of the network.
    pub fn config(&self) -> &NetConfig {
        &self.config
    }

    /// The sizes of the positions it evaluates.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All weights, in the model's order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// How many numbers the network has learned.
    pub fn weight_count(&self) -> usize {
        self.parameters.iter().map(|parameter| parameter.values.len()).sum()
    }

    /// The network as a Burn module on `device`.
    pub fn to_model(&self, device: &Device) -> Model {
        Model::filled(&self.config, &self.shape, &self.parameters, device)
    }

    /// The parameter of this name, which the model has.
    pub(crate) fn parameter(&self, name: &str) -> &Parameter {
        let found = self.parameters.iter().find(|parameter| parameter.name == name);
        found.unwrap_or_else(|| panic!("the model has no parameter {name}"))
    }
}
