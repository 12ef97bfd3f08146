//! How a network plays: a forward pass without gradients, on the processor or on another device.

use std::sync::Arc;

use heng_env::{Action, Game, Shape};

use super::device::Device;
use super::device_pass::{DevicePass, Pending};
use super::fast::{BOARDS, FastNet, Scratch};
use super::kernel::Kernel;
use super::network::Network;
use crate::evaluator::Evaluation;

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
    Burn(Arc<DevicePass>),
}

/// The working memory of one evaluator.
#[derive(Debug)]
pub(crate) struct Memory {
    scratch: Option<Scratch>,
    actions: Vec<Action>,
    /// What [`PlayNet::submit`] left for [`PlayNet::collect`].
    pending: Option<Pending>,
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
        let pass = Pass::Burn(Arc::new(DevicePass::new(network.to_model(device), device.clone())));
        PlayNet { shape: network.shape, pass }
    }

    /// The sizes of the positions it evaluates.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether it runs on this computer's processor, which then has no time for anything else.
    pub fn is_on_processor(&self) -> bool {
        matches!(self.pass, Pass::Fast(_))
    }

    pub(crate) fn memory(&self) -> Memory {
        let scratch = match &self.pass {
            Pass::Fast(net) => Some(net.scratch()),
            Pass::Burn(_) => None,
        };
        Memory { scratch, actions: Vec::new(), pending: None }
    }

    /// Evaluates `positions` into `out`.
    pub(crate) fn evaluate<G: Game>(&self, memory: &mut Memory, positions: &[&G], out: &mut [Evaluation]) {
        let Memory { scratch, actions, .. } = memory;
        match (&self.pass, scratch) {
            (Pass::Fast(net), Some(scratch)) => {
                for (positions, out) in positions.chunks(BOARDS).zip(out.chunks_mut(BOARDS)) {
                    evaluate_on_processor(net, scratch, actions, positions, out);
                }
            }
            (Pass::Burn(pass), _) if !positions.is_empty() => pass.submit(positions).collect(out),
            _ => {}
        }
    }

    /// Hands `positions` to the device; the processor would have to do the work at once.
    pub(crate) fn submit<G: Game>(&self, memory: &mut Memory, positions: &[&G]) {
        memory.pending = match &self.pass {
            Pass::Burn(pass) if !positions.is_empty() => Some(pass.submit(positions)),
            _ => None,
        };
    }

    /// The answers to the `positions` that were submitted last.
    pub(crate) fn collect<G: Game>(&self, memory: &mut Memory, positions: &[&G], out: &mut [Evaluation]) {
        match memory.pending.take() {
            Some(pending) => pending.collect(out),
            None => self.evaluate(memory, positions, out),
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
