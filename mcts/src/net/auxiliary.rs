//! Heads that only learning uses: what they foresee makes the trunk that they share with the others better.
//!
//! Neither pass that plays runs them. A head whose weight in the loss is 0 is not run in learning either.

use burn::module::Module;
use burn::tensor::Tensor;
use heng_env::Shape;

use super::config::NetConfig;
use super::layers::{Board, Init, PolicyHead, ValueHead};
use super::learner_config::LearnerConfig;

/// How far ahead the short-term values look: the mean number of turns, of both sides, of exponentially falling weights.
pub const SHORT_TERM_HORIZONS: [u32; 2] = [4, 12];

/// Chances of win, draw and loss at every horizon.
pub(crate) const SHORT_TERM_OUTPUTS: usize = 3 * SHORT_TERM_HORIZONS.len();

/// What the auxiliary heads say about a batch of positions; nothing of those that are switched off.
#[derive(Clone, Debug, Default)]
pub(crate) struct AuxiliaryOutputs {
    /// Logits of the softened policy over all steps, `[batch, actions]`.
    pub(crate) soft_policy: Option<Tensor<2>>,
    /// Logits of win, draw and loss of the side to act at each horizon, `[batch * horizons, 3]`.
    pub(crate) short_term: Option<Tensor<2>>,
    /// Logits of the other side's reply over all steps, `[batch, actions]`, as [`super::batch::Replies`] counts them.
    pub(crate) reply: Option<Tensor<2>>,
}

/// The heads, each like the one of its kind that plays.
#[derive(Module, Debug)]
pub(crate) struct AuxiliaryHeads {
    soft_policy: PolicyHead,
    short_term: ValueHead,
    reply: PolicyHead,
}

impl AuxiliaryHeads {
    pub(crate) fn new(config: &NetConfig, shape: &Shape, init: &mut Init) -> AuxiliaryHeads {
        AuxiliaryHeads {
            soft_policy: PolicyHead::new(config, shape, init),
            short_term: ValueHead::new(config, SHORT_TERM_OUTPUTS, init),
            reply: PolicyHead::new(config, shape, init),
        }
    }

    /// What those heads say that `config` gives a weight, from the `trunk`, `[batch * squares, channels]`.
    pub(crate) fn forward(&self, trunk: &Tensor<2>, board: &Board, config: &LearnerConfig) -> AuxiliaryOutputs {
        let is_on = |weight: f32| weight > 0.0;
        let short_term = || {
            let logits = self.short_term.forward(trunk.clone(), board);
            logits.reshape([board.batch * SHORT_TERM_HORIZONS.len(), 3])
        };
        AuxiliaryOutputs {
            soft_policy: is_on(config.soft_policy_weight).then(|| self.soft_policy.forward(trunk.clone(), board)),
            short_term: is_on(config.short_term_value_weight).then(short_term),
            reply: is_on(config.opponent_reply_weight).then(|| self.reply.forward(trunk.clone(), board)),
        }
    }
}
