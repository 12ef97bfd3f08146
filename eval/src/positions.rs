//! `eval positions`: positions of random games as a network sees them, and what it says of them, for programs in other
//! languages that run the same network.

use std::io::Write;
use std::path::PathBuf;

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Variant};
use heng_mcts::evaluator::{Evaluation, Evaluator, NetworkEvaluator};
use heng_mcts::net::checkpoint;
use heng_mcts::net::{Device, Network, PlayNet, encode_batch};
use serde::{Deserialize, Serialize};

use crate::agent::AgentProblem;
use crate::bench::sample;
use crate::cli::CommandResult;

/// Positions that the network evaluates at once.
const BATCH: usize = 64;

/// What `eval positions` is asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct PositionsArgs {
    /// The net: a folder with model.safetensors and meta.json
    net: PathBuf,
    /// How many positions, the same ones every time
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
}

/// One line: a position and what the network says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    fen: String,
    /// `[planes, ranks, files]`, row by row.
    inputs: Vec<f32>,
    /// The legal steps as indices.
    actions: Vec<usize>,
    /// Parallel to `actions`.
    policy_logits: Vec<f32>,
    wdl_logits: Vec<f32>,
    /// `ln(1 + steps until the end)`.
    steps_left: f32,
    score: f32,
    /// What the pass that plays says, which has its own arithmetic; parallel to `actions`.
    priors: Vec<f32>,
    wdl: [f32; 3],
}

/// Prints a line for each position.
///
/// # Errors
/// If the net cannot be read or is for positions of other sizes, or the output cannot be written.
pub fn run(args: &PositionsArgs, output: &mut dyn Write) -> CommandResult {
    let (network, meta) = checkpoint::load(&args.net)?;
    let unknown = |source| AgentProblem::UnknownVariant { path: args.net.clone(), source };
    let variant: Variant = meta.variant.parse().map_err(unknown)?;
    variant.dispatch(Printing { args, network, output })
}

struct Printing<'a> {
    args: &'a PositionsArgs,
    network: Network,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Printing<'_> {
    type Output = CommandResult;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> CommandResult {
        let Printing { args, network, output } = self;
        let (found, expected) = (network.shape(), G::shape(&rules));
        if found != expected {
            return Err(AgentProblem::OtherShape { path: args.net.clone(), found, expected }.into());
        }
        let mut player = NetworkEvaluator::new(PlayNet::new(&network, &Device::flex()));
        for positions in sample::positions::<G>(&rules, args.count as usize).chunks(BATCH) {
            for line in lines(&network, &mut player, positions) {
                writeln!(output, "{}", serde_json::to_string(&line)?)?;
            }
        }
        Ok(())
    }
}

fn lines<G: Notation>(network: &Network, player: &mut NetworkEvaluator<G>, positions: &[G]) -> Vec<Line> {
    let positions: Vec<&G> = positions.iter().collect();
    let inputs = encode_batch(&positions);
    let answers = network.answers(&inputs);
    let mut played = vec![Evaluation::default(); positions.len()];
    player.evaluate(&positions, &mut played);
    let mut actions: Vec<Action> = Vec::new();
    let mut lines = Vec::new();
    for (row, (position, evaluation)) in positions.iter().zip(played).enumerate() {
        position.legal_actions(&mut actions);
        let actions: Vec<usize> = actions.iter().map(|action| action.index()).collect();
        lines.push(Line {
            fen: position.fen(),
            inputs: inputs.index_axis(ndarray::Axis(0), row).iter().copied().collect(),
            policy_logits: actions.iter().map(|&action| answers.policy[[row, action]]).collect(),
            actions,
            wdl_logits: answers.wdl.row(row).to_vec(),
            steps_left: answers.steps_left[row],
            score: answers.score[row],
            priors: evaluation.priors,
            wdl: [evaluation.wdl.win, evaluation.wdl.draw, evaluation.wdl.loss],
        });
    }
    lines
}

#[cfg(test)]
mod tests {
    use heng_env::{Seeds, Shape};
    use heng_mcts::net::NetConfig;
    use heng_mcts::net::checkpoint::Origin;

    use super::*;

    fn printed(variant: &str, shape: Shape, count: u32) -> Result<String, String> {
        let root = tempfile::tempdir().unwrap();
        let net = root.path().join("net");
        let config = NetConfig { channels: 8, blocks: 2, ..NetConfig::default() };
        let network = Network::random(&config, shape, Seeds::new(1)).unwrap();
        let origin = Origin { variant: variant.to_owned(), step: 0, seed: 1 };
        checkpoint::save(&net, &network, &origin).unwrap();
        let mut output = Vec::new();
        run(&PositionsArgs { net, count }, &mut output).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(output).unwrap())
    }

    fn softmax(logits: &[f32]) -> Vec<f32> {
        let sum: f32 = logits.iter().map(|logit| logit.exp()).sum();
        logits.iter().map(|logit| logit.exp() / sum).collect()
    }

    fn close(left: &[f32], right: &[f32]) -> bool {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| (left - right).abs() < 1e-4)
    }

    #[test]
    fn each_line_holds_a_position_and_both_passes_agree_on_it() {
        let shape = Shape { files: 9, ranks: 10, input_planes: 21, hand_planes: 0 };
        let text = printed("xiangqi", shape, 70).unwrap();
        let lines: Vec<Line> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 70);
        for line in lines {
            assert_eq!(line.inputs.len(), shape.input_len());
            assert!(close(&softmax(&line.policy_logits), &line.priors), "{line:?}");
            assert!(close(&softmax(&line.wdl_logits), &line.wdl), "{line:?}");
            assert_eq!(line.actions.len(), line.priors.len());
        }
    }

    #[test]
    fn a_net_for_other_positions_is_named() {
        let shape = Shape { files: 9, ranks: 10, input_planes: 20, hand_planes: 0 };
        let error = printed("xiangqi", shape, 1).unwrap_err();
        assert!(error.contains("net: is for positions of 9 files, 10 ranks, 20 input planes"), "{error}");
    }
}
