//! `eval perft`: counts step sequences and measures the move generator.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use heng_env::perft::{divide, perft};
use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Variant};

/// What `eval perft` is asked for.
#[derive(Clone, Debug, clap::Args)]
pub struct PerftArgs {
    /// The variant: NAME or NAME:key=value,…
    variant: Variant,
    /// How many steps (not turns) to look ahead
    #[arg(value_parser = clap::value_parser!(u8).range(0..=100))]
    depth: u8,
    /// The position to count from, instead of the variant's start
    #[arg(long, value_name = "F")]
    fen: Option<String>,
    /// Print the count behind each first step too
    #[arg(long)]
    divide: bool,
}

/// Counts, and prints the count, the time and the speed.
///
/// # Errors
/// If the position text is not valid or the output cannot be written.
pub fn run(args: &PerftArgs, output: &mut dyn Write) -> Result<(), Box<dyn Error + Send + Sync>> {
    args.variant.dispatch(Counting { args, output })
}

struct Counting<'a> {
    args: &'a PerftArgs,
    output: &'a mut dyn Write,
}

impl VariantVisitor for Counting<'_> {
    type Output = Result<(), Box<dyn Error + Send + Sync>>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let game = match &self.args.fen {
            Some(fen) => G::from_fen(&rules, fen)?,
            None => G::standard_start(&rules),
        };
        let depth = usize::from(self.args.depth);
        writeln!(self.output, "{variant} {}", game.fen())?;
        let started = Instant::now();
        let nodes = if self.args.divide && depth > 0 {
            let mut lines: Vec<(String, u64)> =
                divide(&game, depth).into_iter().map(|(action, nodes)| (game.step_text(action), nodes)).collect();
            lines.sort();
            for (step, nodes) in &lines {
                writeln!(self.output, "{step} {nodes}")?;
            }
            lines.iter().map(|(_, nodes)| nodes).sum()
        } else {
            perft(&game, depth)
        };
        writeln!(self.output, "depth {depth}: {}", summary(nodes, started.elapsed()))?;
        Ok(())
    }
}

fn summary(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9);
    format!("{nodes} nodes in {seconds:.3} s, {rate:.0} nodes/s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_shows_count_time_and_speed() {
        assert_eq!(summary(5000, Duration::from_millis(2500)), "5000 nodes in 2.500 s, 2000 nodes/s");
    }
}
