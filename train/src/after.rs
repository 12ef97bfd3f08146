//! `after.json`: what the network that a run ended with scored against opponents that never change.

use std::{fs, io};

use heng_env::{Notation, Seeds};
use heng_mcts::search::SearchConfig;
use serde::{Deserialize, Serialize};

use crate::benchmark::{Benchmark, Opponent, Rival, Score};
use crate::config::Config;
use crate::console::Console;
use crate::error::TrainError;
use crate::run_dir::{RunDir, RunDirError, write_atomically};
use crate::stop::Stop;
use crate::trainer::Trainer;

/// The games against one opponent, counted for the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AfterResult {
    /// The opponent: `random`, `rollout:N` or `alphabeta:D`.
    pub opponent: String,
    /// Games played.
    pub games: u64,
    /// Games the network won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games it lost.
    pub losses: u64,
    /// Points a game, a draw counted as one half, from 0 to 1.
    pub score: f64,
    /// Lower end of the 95 % interval of the score.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// Simulations of the network in each step.
    pub simulations: u32,
    /// The iteration that the network is of.
    pub iteration: u64,
}

impl AfterResult {
    fn new(opponent: Opponent, score: Score, simulations: u32, iteration: u64) -> AfterResult {
        let (low, high) = score.interval();
        let Score { wins, draws, losses } = score;
        let games = wins + draws + losses;
        let opponent = opponent.to_string();
        // To a hundredth of a percent: more says nothing, and few digits are read back as they were written.
        let [score, low, high] = [score.share(), low, high].map(|share| (share * 1e4).round() / 1e4);
        AfterResult { opponent, games, wins, draws, losses, score, low, high, simulations, iteration }
    }

    /// The score with its interval, and the counts.
    pub fn summary(&self) -> String {
        format!(
            "{:5.1} % ({:.1} to {:.1})  {} won, {} drawn, {} lost",
            100.0 * self.score,
            100.0 * self.low,
            100.0 * self.high,
            self.wins,
            self.draws,
            self.losses,
        )
    }
}

/// Plays the games of `[after]`, prints what they come to and keeps it in the run, where it replaces what was there.
///
/// # Errors
/// If the file cannot be written.
pub fn play<G: Notation>(
    run: &RunDir,
    trainer: &Trainer<'_, G>,
    config: &Config,
    console: &Console,
    stop: &Stop,
) -> Result<(), TrainError> {
    let simulations = config.after.simulations;
    let search = SearchConfig { simulations, ..config.search.clone() };
    let benchmark = Benchmark {
        rules: trainer.rules().clone(),
        net: trainer.play_net(),
        search: search.without_exploration(),
        pairs: 0..config.after.games as u64 / 2,
        seeds: Seeds::new(config.seed),
    };
    if benchmark.pairs.is_empty() {
        return Ok(());
    }
    console.line(&format!("games of the new network, at {simulations} simulations a step:"));
    let mut results = Vec::new();
    for text in &config.after.opponents {
        let Ok(opponent) = text.parse::<Opponent>() else { continue };
        if stop.is_requested() {
            break;
        }
        let bar = console.bar(format!("against {opponent}"), 0, 2 * benchmark.pairs.end, "games");
        let score = trainer.pool().install(|| benchmark.play::<G>(&Rival::Fixed(opponent), &bar, stop).both());
        bar.finish_and_clear();
        if stop.is_requested() {
            // The games that ended first are no fair sample.
            break;
        }
        let result = AfterResult::new(opponent, score, simulations, trainer.iteration());
        console.line(&format!("against {:<12} {}", result.opponent, result.summary()));
        results.push(result);
        // After every opponent: whoever stops the run in between keeps what was played.
        write(run, &results)?;
    }
    Ok(())
}

fn write(run: &RunDir, results: &[AfterResult]) -> Result<(), RunDirError> {
    let text = serde_json::to_string_pretty(results).unwrap_or_default();
    write_atomically(&run.after(), format!("{text}\n").as_bytes())
}

/// Reads the results of a run of so many iterations; empty if there are none.
///
/// # Errors
/// If the file is there but cannot be read or understood, or does not fit itself or the run.
pub fn read(run: &RunDir, iterations: u64) -> Result<Vec<AfterResult>, TrainError> {
    let path = run.after();
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(RunDirError::io(&path, "read"))?,
    };
    let wrong = |problem| TrainError::Inconsistent { path: path.display().to_string(), problem };
    let results: Vec<AfterResult> = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    for result in &results {
        check(result, iterations).map_err(|problem| wrong(format!("against {}: {problem}", result.opponent)))?;
    }
    Ok(results)
}

fn check(result: &AfterResult, iterations: u64) -> Result<(), String> {
    let &AfterResult { games, wins, draws, losses, .. } = result;
    if [wins, draws, losses].into_iter().try_fold(0_u64, u64::checked_add) != Some(games) {
        return Err(format!("{games} games, but {wins} won, {draws} drawn and {losses} lost"));
    }
    let AfterResult { low, score, high, .. } = result;
    if ![0.0, *low, *score, *high, 1.0].is_sorted() {
        return Err(format!("score {score} from {low} to {high}, expected numbers from 0 to 1 in this order"));
    }
    if result.iteration > iterations {
        return Err(format!("iteration {}, the run has got to {iterations}", result.iteration));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_back_as_themselves_and_damaged_ones_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let run = RunDir::create(&directory.path().join("run")).unwrap();
        assert_eq!(read(&run, 0).unwrap(), []);
        let lost = AfterResult::new(Opponent::Rollout(200), Score { losses: 4, ..Score::default() }, 64, 7);
        let won = AfterResult::new(Opponent::Random, Score { wins: 4, ..Score::default() }, 64, 7);
        write(&run, std::slice::from_ref(&lost)).unwrap();
        write(&run, &[won.clone(), lost.clone()]).unwrap();
        assert_eq!(read(&run, 7).unwrap(), [won, lost]);
        let text = fs::read_to_string(run.after()).unwrap();
        for (damaged, iterations, problem) in [
            (text.clone(), 6, "against random: iteration 7, the run has got to 6"),
            (text.replacen("\"wins\": 4", "\"wins\": 3", 1), 7, "against random: 4 games, but 3 won"),
            (text.replacen("\"score\": 1.0", "\"score\": 1.5", 1), 7, "against random: score 1.5 from "),
            (text.replacen("\"wins\"", "\"winners\"", 1), 7, "unknown field `winners`"),
            (text[..text.len() / 2].to_owned(), 7, "EOF while parsing"),
        ] {
            fs::write(run.after(), damaged).unwrap();
            let error = read(&run, iterations).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{}: {problem}", run.after().display())), "{error}");
        }
    }
}
