//! The command line of `eval`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use thiserror::Error;

use crate::interrupt::Interrupt;
use crate::protocol::{self, ProtocolArgs, UciArgs};
use crate::{
    agent, analyze, bench, convert, match_play, perft, play, positions, report, rules, studies, suite, tournament,
};

/// How a command ends. An [`io::Error`] is one of the output; errors of files and of the input name them.
pub type CommandResult = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// The input cannot be read. Inside an [`io::Error`] it tells that one from one of the output.
#[derive(Debug, Error)]
#[error("cannot read standard input: {0}")]
pub struct InputError(io::Error);

impl InputError {
    /// `error`, met while reading the input.
    pub fn wrap(error: io::Error) -> io::Error {
        io::Error::other(InputError(error))
    }
}

/// The program was called in a way that its options alone do not show to be wrong.
#[derive(Debug, Error)]
#[error("{problem}")]
pub struct UsageError {
    command: &'static str,
    problem: &'static str,
}

impl UsageError {
    /// What is wrong with the call of a command.
    pub fn new(command: &'static str, problem: &'static str) -> UsageError {
        UsageError { command, problem }
    }
}

/// The exit status of a program that was called wrongly, which is that of the options' reader.
const EXIT_USAGE: u8 = 2;

/// Plays agents against each other and measures what they are worth.
#[derive(Debug, Parser)]
#[command(name = "eval", version, max_term_width = 100, after_help = agent::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play two agents against each other and estimate the difference in strength
    Match(match_play::MatchArgs),
    /// Play agents against each other, all or one against the rest, and rate them
    Tournament(tournament::TournamentArgs),
    /// Rate runs and other agents on the ladders of their variants, agents that never change
    Suite(suite::SuiteArgs),
    /// Study how games of Eternal Chess begin: set-ups, placements and layouts
    Openings(studies::OpeningsArgs),
    /// Play in the terminal against an agent
    Play(play::PlayArgs),
    /// Say what an agent thinks of a position, or of every turn of a game
    Analyze(analyze::AnalyzeArgs),
    /// Be an engine for clients that speak UCI
    Uci(UciArgs),
    /// Be an engine for clients that speak UCCI, the protocol of Xiangqi
    Ucci(ProtocolArgs),
    /// Write a page with the learning curves and some games of a run
    Report(report::ReportArgs),
    /// Convert game records: PGN, DhtmlXQ and the games of a run to PGN, DhtmlXQ or JSON
    Convert(convert::ConvertArgs),
    /// Serve the rules line by line: legal, apply, result, perft, turn, turns, start, game
    Rules,
    /// Count the sequences of steps from a position
    Perft(perft::PerftArgs),
    /// Measure the speed of rules, search, network, learning and self-play on this machine
    Bench(bench::BenchArgs),
    /// Print positions of random games as a network sees them, with what it says, as lines of JSON
    Positions(positions::PositionsArgs),
}

/// Runs the command that the program's arguments name.
///
/// The exit status is 0 if it is done, 1 with one `error:` line on stderr if it failed, 2 if it was called wrongly.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match dispatch(cli.command).or_else(ignore_closed_output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody can be told if stderr is closed too.
            let _ = writeln!(io::stderr(), "error: {}", on_one_line(&error.to_string()));
            let Some(UsageError { command, .. }) = error.downcast_ref() else { return ExitCode::FAILURE };
            let _ = writeln!(io::stderr(), "\nFor more information, try 'eval {command} --help'.");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn dispatch(command: Command) -> CommandResult {
    match command {
        // Their searches write from other threads.
        Command::Uci(args) => {
            Interrupt::end_at_once();
            protocol::run_uci(&args)
        }
        Command::Ucci(args) => {
            Interrupt::end_at_once();
            protocol::run_ucci(&args)
        }
        command => dispatch_to(command, &mut io::stdout().lock()),
    }
}

fn dispatch_to(command: Command, mut output: &mut dyn Write) -> CommandResult {
    match command {
        Command::Uci(_) | Command::Ucci(_) => {}
        Command::Match(args) => match_play::run(&args, &mut output)?,
        Command::Tournament(args) => tournament::run(&args, &mut output)?,
        Command::Suite(args) => suite::run(&args, &mut output)?,
        Command::Openings(args) => studies::run(&args, &mut output)?,
        Command::Play(args) => {
            Interrupt::end_at_once();
            play::run(&args, &mut output)?;
        }
        Command::Analyze(args) => analyze::run(&args, &mut output)?,
        Command::Report(args) => report::run(&args, &mut output)?,
        Command::Convert(args) => convert::run(&args, &mut output)?,
        Command::Rules => rules::serve(io::stdin().lock(), &mut output)?,
        Command::Perft(args) => perft::run(&args, &mut output)?,
        Command::Bench(args) => bench::run(&args, &mut output)?,
        Command::Positions(args) => positions::run(&args, &mut output)?,
    }
    output.flush()?;
    Ok(())
}

/// A reader that has seen enough, such as `head`, is no failure.
fn ignore_closed_output(error: Box<dyn std::error::Error + Send + Sync>) -> CommandResult {
    match error.downcast_ref::<io::Error>() {
        Some(io_error) if io_error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Some(io_error) if io_error.get_ref().is_some_and(|inner| inner.is::<InputError>()) => Err(error),
        Some(io_error) => Err(format!("cannot write to standard output: {io_error}").into()),
        None => Err(error),
    }
}

fn on_one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn a_closed_output_is_no_failure() {
        assert!(ignore_closed_output(io::Error::from(io::ErrorKind::BrokenPipe).into()).is_ok());
        let error = ignore_closed_output(io::Error::from(io::ErrorKind::StorageFull).into()).unwrap_err().to_string();
        let input = InputError::wrap(io::Error::from(io::ErrorKind::BrokenPipe));
        assert!(
            ignore_closed_output(input.into()).unwrap_err().to_string().starts_with("cannot read standard input: ")
        );
        assert!(error.starts_with("cannot write to standard output: "), "{error}");
    }
}
