//! The command line of `train`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::ablate::{self, Experiment, Factor};
use crate::config::Override;
use crate::console::Console;
use crate::error::TrainError;
use crate::stop::Stop;
use crate::{inspect, run};

/// Train an agent from scratch by self-play.
#[derive(Debug, Parser)]
#[command(name = "train", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a run of a configuration file.
    Run {
        /// The configuration, for instance configs/quickstart.toml.
        config: PathBuf,
        /// The folder of the run [default: runs/NAME, NAME being that of the configuration, or if that is taken the first
        /// free one of runs/NAME-2, runs/NAME-3, …].
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// The seed of every random number.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=LARGEST))]
        seed: Option<u64>,
        #[command(flatten)]
        options: Options,
    },
    /// Go on with a run after a stop, a crash or a kill.
    Resume {
        /// The folder of the run.
        run: PathBuf,
        #[command(flatten)]
        options: Options,
    },
    /// Compare configurations: runs at equal network evaluations, several seeds each, rated on the ladder of their variant.
    Ablate {
        /// The configurations; with several, each is an arm.
        #[arg(required = true)]
        configs: Vec<PathBuf>,
        /// A key and its values, for instance --vary search.simulations=16,32; several keys make every combination.
        #[arg(long, value_name = "KEY=A,B,…")]
        vary: Vec<String>,
        /// Runs of each arm, with the seed of the configuration and the following ones.
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
        seeds: u64,
        /// Network evaluations of each run's self-play.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=LARGEST))]
        evaluations: u64,
        /// Ratings along the way of each run; with 0, no ladder is needed.
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(..=1000))]
        ratings: u64,
        /// Games of each arm's last network against the first arm's, for each seed; one more if the number is odd.
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(..=100_000))]
        duel_games: u64,
        /// The folder [default: runs/ablate-NAME, NAME being that of the first configuration].
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Set any key in all arms.
        #[arg(long = "set", value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// Threads; 0 uses every core.
        #[arg(long, value_name = "N")]
        threads: Option<u32>,
    },
    /// Show what a run holds and check every file.
    Inspect {
        /// The folder of the run.
        run: PathBuf,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}

/// Options that replace values of the configuration.
#[derive(Debug, Args)]
struct Options {
    /// Stop when the run has so many iterations; 0 sets no limit.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=LARGEST))]
    iterations: Option<u64>,
    /// Stop after so many minutes from now; 0 sets no limit. A cosine falls over them, in a resumed run once more.
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Where the network runs: flex (this computer's processor), cuda:0 or wgpu.
    #[arg(long)]
    device: Option<String>,
    /// Threads; 0 uses every core. They do not change what is played and learnt.
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// Set any key of the configuration, for instance --set search.simulations=32.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Options {
    fn overrides(&self) -> Result<Vec<Override>, TrainError> {
        let mut overrides = Vec::new();
        for text in &self.set {
            overrides.push(Override::parse(text)?);
        }
        if let Some(iterations) = self.iterations {
            overrides.push(Override::option("iterations", "run.iterations", whole(iterations)));
        }
        if let Some(minutes) = self.minutes {
            overrides.push(Override::option("minutes", "run.minutes", minutes));
        }
        if let Some(device) = &self.device {
            overrides.push(Override::option("device", "run.device", device.clone()));
        }
        if let Some(threads) = self.threads {
            overrides.push(Override::option("threads", "run.threads", i64::from(threads)));
        }
        Ok(overrides)
    }
}

/// TOML's whole numbers have a sign.
const LARGEST: u64 = i64::MAX as u64;

fn whole(number: u64) -> i64 {
    i64::try_from(number).expect("clap lets no larger number through")
}

/// Runs the program on the arguments of the process.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match execute(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody can be told if stderr is closed too.
            let _ = writeln!(io::stderr(), "error: {}", error.to_string().replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<(), TrainError> {
    match command {
        Command::Run { config, out, seed, options } => {
            let mut overrides = options.overrides()?;
            overrides.extend(seed.map(|seed| Override::option("seed", "seed", whole(seed))));
            let console = Console::new();
            run::start(&config, out, &overrides, &console, &listen(&console)?)
        }
        Command::Resume { run, options } => {
            let console = Console::new();
            run::resume(&run, &options.overrides()?, &console, &listen(&console)?)
        }
        Command::Ablate { configs, vary, seeds, evaluations, ratings, duel_games, out, set, threads } => {
            let factors = vary.iter().map(|text| Factor::parse(text)).collect::<Result<Vec<_>, _>>()?;
            let mut overrides = set.iter().map(|text| Override::parse(text)).collect::<Result<Vec<_>, _>>()?;
            overrides.extend(threads.map(|threads| Override::option("threads", "run.threads", i64::from(threads))));
            let name = configs[0].file_stem().unwrap_or_default().to_string_lossy();
            let out = out.unwrap_or_else(|| PathBuf::from("runs").join(format!("ablate-{name}")));
            let arms = ablate::arms(&configs, &factors);
            let console = Console::new();
            Experiment { arms, overrides, seeds, evaluations, ratings, duel_games, out }
                .run(&console, &listen(&console)?)
        }
        Command::Inspect { run, json } => show(&run, json),
    }
}

fn show(run: &std::path::Path, json: bool) -> Result<(), TrainError> {
    let inspection = inspect::inspect(run)?;
    let text =
        if json { serde_json::to_string_pretty(&inspection).unwrap_or_default() } else { inspection.to_string() };
    match writeln!(io::stdout(), "{text}") {
        // A reader that has seen enough, such as `head`, is no failure.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(TrainError::System { doing: "write to standard output", problem: error.to_string() })
        }
        _ => Ok(()),
    }
}

fn listen(console: &Console) -> Result<Stop, TrainError> {
    Stop::on_signals(console)
        .map_err(|error| TrainError::System { doing: "listen to signals", problem: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
