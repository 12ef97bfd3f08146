//! `eval play`: a person at a board in the terminal, against any agent.

mod command;
mod dialogue;
mod lines;
mod nearest;
pub(crate) mod save;
pub(crate) mod table;

use std::hash::{BuildHasher, RandomState};
use std::io::Write;

use clap::{Args, ValueEnum};
use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Seeds, Side, Variant};

use crate::agent::{self, AgentSpec, LoadedAgent};
use crate::cli::CommandResult;
use crate::device::DeviceArgs;
use crate::draw::Letters;
use crate::draw::terminal::Color;
pub(crate) use dialogue::result_text;
use dialogue::{Dialogue, Setup};
use lines::Lines;

/// Seeds that are drawn where none is given.
const SEEDS: u64 = 1_000_000;

/// Play in the terminal against an agent.
#[derive(Clone, Debug, Args)]
#[command(after_help = agent::HELP)]
pub struct PlayArgs {
    /// The variant, as NAME or NAME:key=value,…
    variant: Variant,
    /// The opponent, an agent: see below.
    #[arg(long, default_value = "rollout:200")]
    agent: AgentSpec,
    /// Your side; red moves first.
    #[arg(long, value_enum, default_value = "red")]
    side: Seat,
    /// Where chance decides: the set-up of the game and the agent's choices; a new one each time if not given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// What stands for the pieces.
    #[arg(long, value_enum, default_value = "latin")]
    letters: Letters,
    /// When the board is coloured.
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
    /// Begin with this position text.
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    device: DeviceArgs,
}

/// The seat of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seat {
    Red,
    #[value(alias = "green")]
    Black,
}

/// Plays on standard input and `output` until the person leaves.
///
/// # Errors
/// If the agent cannot be loaded, the first position is wrong, or the terminal fails.
pub fn run(args: &PlayArgs, output: &mut dyn Write) -> CommandResult {
    let agent = args.agent.load_on(&args.device.open()?)?;
    let mut lines = lines::standard_input()?;
    args.variant.dispatch(Game { args, agent, lines: lines.as_mut(), output })
}

struct Game<'a> {
    args: &'a PlayArgs,
    agent: LoadedAgent,
    lines: &'a mut dyn Lines,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Game<'_> {
    type Output = CommandResult;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> CommandResult {
        let seeds = Seeds::new(self.args.seed.unwrap_or_else(new_seed));
        let setup = Setup::<G> {
            variant: variant.clone(),
            start: self
                .args
                .fen
                .as_deref()
                .map(|text| G::from_fen(&rules, text))
                .transpose()
                .map_err(|error| format!("--fen: {error}"))?,
            side: match self.args.side {
                Seat::Red => Side::Red,
                Seat::Black => Side::Black,
            },
            letters: self.args.letters,
            ink: self.args.color.ink(),
            agent: self.agent.player(variant, &rules, seeds)?,
            agent_name: self.agent.spec().to_string(),
            seeds,
            rules,
        };
        Ok(Dialogue::new(setup, self.output).run(self.lines)?)
    }
}

/// A seed that was not there before, short enough to be typed again.
fn new_seed() -> u64 {
    RandomState::new().hash_one(()) % SEEDS
}

#[cfg(test)]
mod tests;
