//! How a network plays: a forward pass without gradients, on the processor or on another device.

use std::sync::Arc;

use burn::tensor::{Tensor, TensorData};
use heng_env::{Action, Game, Shape};

use super::batch::encode_batch;
use super::device::Device;
use super::fast::{BOARDS, FastNet, Scratch, softmax};
use super::kernel::Kernel;
use super::model::{Model, Outputs};
use super::network::Network;
use crate::evaluator::Evaluation;
use crate::value::Wdl;

/// A network ready to play. Cheap to clone, for one evaluator a thread.
#[derive(Clone, Debug)]
pub struct PlayNet {
    shape: Shape,
    pass: Pass,
}

#[derive(Clone, Debug)]
enum Pass {
    /// This computer's processor.
    Fast(Arc<FastNet>),
    /// Whatever else Burn runs on.
    Burn(Arc<Model>, Device),
}

/// The working memory of one evaluator.
#[derive(Debug)]
pub(crate) struct Memory {
    scratch: Option<Scratch>,
    actions: Vec<Action>,
}

impl PlayNet {
    /// Prepares `network` to play on `device`.
    pub fn new(network: &Network, device: &Device) -> PlayNet {
        if *device != Device::flex() {
            return PlayNet::by_model(network, device);
        }
        PlayNet::on_kernel(network, Kernel::best())
    }

    /// Prepares `network` to play on this computer's processor with the instructions of `kernel`.
    pub fn on_kernel(network: &Network, kernel: Kernel) -> PlayNet {
        PlayNet { shape: network.shape, pass: Pass::Fast(Arc::new(FastNet::new(network, kernel))) }
    }

    /// Plays by the Burn model whatever the device.
    pub(crate) fn by_model(network: &Network, device: &Device) -> PlayNet {
        let pass = Pass::Burn(Arc::new(network.to_model(device)), device.clone());
        PlayNet { shape: network.shape, pass }
    }

    /// The sizes of the positions it evaluates.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn memory(&self) -> Memory {
        let scratch = match &self.pass {
            Pass::Fast(net) => Some(net.scratch()),
            Pass::Burn(..) => None,
        };
        Memory { scratch, actions: Vec::new() }
    }

    /// Evaluates `positions` into `out`.
    pub(crate) fn evaluate<G: Game>(&self, memory: &mut Memory, positions: &[&G], out: &mut [Evaluation]) {
        let Memory { scratch, actions } = memory;
        match (&self.pass, scratch) {
            (Pass::Fast(net), Some(scratch)) => {
                for (positions, out) in positions.chunks(BOARDS).zip(out.chunks_mut(BOARDS)) {
                    evaluate_on_processor(net, scratch, actions, positions, out);
                }
            }
            (Pass::Burn(model, device), _) if !positions.is_empty() => {
                evaluate_on_device((model, device), actions, positions, out);
            }
            _ => {}
        }
    }
}

fn evaluate_on_processor<G: Game>(
    net: &FastNet,
    scratch: &mut Scratch,
    actions: &mut Vec<Action>,
    positions: &[&G],
    out: &mut [Evaluation],
) {
    for (board, position) in positions.iter().enumerate() {
        net.set_input(scratch, board, |planes| position.encode(planes));
    }
    net.forward(scratch, positions.len());
    for (board, (position, out)) in positions.iter().zip(out).enumerate() {
        position.legal_actions(actions);
        net.read(scratch, board, actions, out);
    }
}

fn evaluate_on_device<G: Game>(
    (model, device): (&Model, &Device),
    actions: &mut Vec<Action>,
    positions: &[&G],
    out: &mut [Evaluation],
) {
    let inputs = encode_batch(positions);
    let (batch, planes, ranks, files) = inputs.dim();
    let data = TensorData::new(inputs.into_raw_vec_and_offset().0, [batch, planes, ranks, files]);
    let Outputs { policy, wdl, .. } = model.forward(Tensor::from_data(data, device));
    let policy: Vec<f32> = policy.into_data().try_to_vec().expect("logits are f32");
    let wdl: Vec<f32> = wdl.into_data().try_to_vec().expect("logits are f32");
    let rows = policy.chunks_exact(policy.len() / batch).zip(wdl.as_chunks::<3>().0);
    for ((position, out), (logits, &wdl)) in positions.iter().zip(out).zip(rows) {
        let mut wdl = wdl;
        softmax(&mut wdl);
        out.wdl = Wdl { win: wdl[0], draw: wdl[1], loss: wdl[2] };
        position.legal_actions(actions);
        out.priors.clear();
        out.priors.extend(actions.iter().map(|action| logits[action.index()]));
        softmax(&mut out.priors);
    }
}
