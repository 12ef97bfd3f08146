//! `eval play`: a person at a board in the terminal, against any agent.

mod command;
mod dialogue;
mod lines;
mod nearest;
mod save;
pub(crate) mod table;

use std::io::Write;

use clap::{Args, ValueEnum};
use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Seeds, Side, Variant};

use crate::agent::{AgentSpec, LoadedAgent};
use crate::cli::CommandResult;
use crate::draw::Letters;
use crate::draw::terminal::Color;
use dialogue::{Dialogue, Setup};
use lines::Lines;

/// Play in the terminal against an agent.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// The variant, as NAME or NAME:key=value,…
    variant: Variant,
    /// The opponent.
    #[arg(long, default_value = "rollout:200")]
    agent: AgentSpec,
    /// Your side; red moves first.
    #[arg(long, value_enum, default_value = "red")]
    side: Seat,
    /// Where chance decides: the set-up of the game and the agent's choices.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What stands for the pieces.
    #[arg(long, value_enum, default_value = "latin")]
    letters: Letters,
    /// When the board is coloured.
    #[arg(long, value_enum, default_value = "auto")]
    color: Color,
    /// Begin with this position text.
    #[arg(long)]
    fen: Option<String>,
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
    let agent = args.agent.load()?;
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
        let seeds = Seeds::new(self.args.seed);
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

#[cfg(test)]
mod tests;
