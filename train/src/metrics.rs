//! `metrics.jsonl`: one line of numbers an iteration.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use heng_mcts::net::Losses;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::reanalysis::ReanalysisStatistics;
use crate::run_dir::{RunDirError, write_atomically};
use crate::selfplay::SelfPlayStatistics;
use crate::tensorboard::Scalars;

/// A line of `metrics.jsonl` that is none.
#[derive(Debug, Error)]
#[error("{}:{line}: {problem}", path.display())]
pub struct MetricsError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// What one iteration did. What was not measured, because nothing finished or nothing was learnt, is `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metrics {
    /// The iteration, from 1.
    pub iteration: u64,
    /// When it ended, in seconds since 1970.
    pub unix_time: f64,
    /// Seconds the run has worked so far, over all times it was resumed.
    pub seconds: f64,
    /// Seconds of self-play in this iteration, and of reanalysis.
    pub selfplay_seconds: f64,
    /// Seconds of learning in this iteration.
    pub learn_seconds: f64,
    /// Games that finished.
    pub games: u64,
    /// Their positions that are learnt from.
    pub positions: u64,
    /// Positions evaluated for the searches, those of reanalysis included.
    pub evaluations: u64,
    /// Positions of earlier iterations that were searched anew.
    #[serde(default)]
    pub reanalysed: u64,
    /// Those of the evaluations that this took.
    #[serde(default)]
    pub reanalysis_evaluations: u64,
    /// Games a second of self-play.
    pub games_per_second: f64,
    /// Positions a second of self-play.
    pub positions_per_second: f64,
    /// Evaluations a second of self-play.
    pub evaluations_per_second: f64,
    /// Share of the evaluations of self-play that the cache answered.
    pub cache_hit_rate: Option<f64>,
    /// Learning steps in this iteration.
    pub learn_steps: u64,
    /// Learning steps of the run so far.
    pub learn_steps_total: u64,
    /// Positions a second of learning.
    pub learn_positions_per_second: Option<f64>,
    /// The learning rate of the last step.
    pub learning_rate: Option<f64>,
    /// The weighted sum of the losses; this and the following are means over the iteration's learning steps.
    pub loss_total: Option<f64>,
    /// Cross-entropy of the policy.
    pub loss_policy: Option<f64>,
    /// Cross-entropy of win, draw and loss.
    pub loss_value: Option<f64>,
    /// Loss of the steps left.
    pub loss_steps_left: Option<f64>,
    /// Loss of the final score.
    pub loss_score: Option<f64>,
    /// Cross-entropy of the softened policy; this and the two that follow are `null` where the head has no weight.
    pub loss_soft_policy: Option<f64>,
    /// Cross-entropy of win, draw and loss as the searches of the next turns see them.
    pub loss_short_term_value: Option<f64>,
    /// Cross-entropy of the opponent's reply; a position without one counts as 0.
    pub loss_opponent_reply: Option<f64>,
    /// Entropy of the network's policy.
    pub policy_entropy: Option<f64>,
    /// Entropy of the target policy, below which the policy loss cannot fall.
    pub target_entropy: Option<f64>,
    /// Mean absolute error of the network's expected result, from 0 to 2.
    pub value_error: Option<f64>,
    /// Entropy of the policies that the searches of self-play found.
    pub search_entropy: Option<f64>,
    /// Mean squared error of the search's expected result at the root, from 0 to 4.
    pub root_value_error: Option<f64>,
    /// Norm of the gradient before clipping.
    pub gradient_norm: Option<f64>,
    /// Mean length of the games, in turns of both sides.
    pub game_turns: Option<f64>,
    /// Mean length of the games, in steps.
    pub game_steps: Option<f64>,
    /// Share of the games that red won.
    pub red_wins: Option<f64>,
    /// Share of the games that black won.
    pub black_wins: Option<f64>,
    /// Share of draws.
    pub draws: Option<f64>,
    /// Games that were forked off earlier ones; this and the following are 0 in the files of earlier versions.
    #[serde(default)]
    pub forks: u64,
    /// Games that began near the end of earlier ones.
    #[serde(default)]
    pub endgames: u64,
    /// Games that a side gave up.
    #[serde(default)]
    pub resigned: u64,
    /// Games in which a side would have given up, had they not been played to the end.
    #[serde(default)]
    pub resign_checked: u64,
    /// Those of them that this side did not lose.
    #[serde(default)]
    pub resign_wrong: u64,
    /// Positions in the replay window.
    pub window: u64,
    /// Games of the run so far.
    pub games_total: u64,
    /// Positions of the run so far.
    pub positions_total: u64,
    /// Memory of the process, in megabytes.
    pub memory_mb: Option<f64>,
}

/// Means over learning steps.
#[derive(Clone, Debug, Default)]
pub struct LossMeans {
    sum: [f64; 9],
    /// Of the heads that only learning uses; none without a weight.
    auxiliary: [Option<f64>; 3],
    steps: u64,
}

impl LossMeans {
    /// Adds a learning step.
    pub fn add(&mut self, losses: &Losses) {
        let parts = [
            losses.total,
            losses.policy,
            losses.value,
            losses.steps_left,
            losses.score,
            losses.policy_entropy,
            losses.target_entropy,
            losses.value_error,
            losses.gradient_norm,
        ];
        self.steps += 1;
        for (sum, part) in self.sum.iter_mut().zip(parts) {
            *sum += f64::from(part);
        }
        let auxiliary = [losses.soft_policy, losses.short_term_value, losses.opponent_reply];
        for (sum, part) in self.auxiliary.iter_mut().zip(auxiliary) {
            *sum = part.map(|part| sum.unwrap_or(0.0) + f64::from(part));
        }
    }

    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The means; `None` before the first step.
    fn means(&self) -> [Option<f64>; 9] {
        self.sum.map(|sum| ratio(sum, self.steps as f64))
    }

    fn auxiliary_means(&self) -> [Option<f64>; 3] {
        self.auxiliary.map(|sum| ratio(sum?, self.steps as f64))
    }
}

/// What [`Metrics::new`] puts together.
#[derive(Clone, Debug)]
pub struct Measured<'a> {
    /// The iteration, from 1.
    pub iteration: u64,
    /// Seconds the run has worked so far.
    pub seconds: f64,
    /// Seconds of self-play.
    pub selfplay_seconds: f64,
    /// Its self-play.
    pub statistics: &'a SelfPlayStatistics,
    /// What was searched anew.
    pub reanalysis: ReanalysisStatistics,
    /// Seconds of learning.
    pub learn_seconds: f64,
    /// Positions in a batch.
    pub batch: usize,
    /// What learning measured.
    pub losses: &'a LossMeans,
    /// The learning rate of the last step.
    pub learning_rate: Option<f32>,
    /// Learning steps of the run so far.
    pub learn_steps_total: u64,
    /// Positions in the replay window.
    pub window: u64,
    /// Games of the run so far.
    pub games_total: u64,
    /// Positions of the run so far.
    pub positions_total: u64,
}

impl Metrics {
    /// The line of an iteration that ends now.
    pub fn new(measured: &Measured<'_>) -> Metrics {
        let &Measured { statistics, reanalysis, losses, selfplay_seconds, learn_seconds, .. } = measured;
        let evaluations = statistics.evaluations + reanalysis.evaluations;
        let [total, policy, value, steps_left, score, entropy, target_entropy, value_error, norm] = losses.means();
        let [soft_policy, short_term_value, opponent_reply] = losses.auxiliary_means();
        let a_second = |count: u64| ratio(count as f64, selfplay_seconds).unwrap_or(0.0);
        let a_game = |count: u64| ratio(count as f64, statistics.games as f64);
        let learnt = (losses.steps() * measured.batch as u64) as f64;
        Metrics {
            iteration: measured.iteration,
            unix_time: unix_time(),
            seconds: measured.seconds,
            selfplay_seconds,
            learn_seconds,
            games: statistics.games,
            positions: statistics.samples,
            evaluations,
            reanalysed: reanalysis.positions,
            reanalysis_evaluations: reanalysis.evaluations,
            games_per_second: a_second(statistics.games),
            positions_per_second: a_second(statistics.samples),
            evaluations_per_second: a_second(evaluations),
            cache_hit_rate: ratio(statistics.cache_hits as f64, statistics.evaluations as f64),
            learn_steps: losses.steps(),
            learn_steps_total: measured.learn_steps_total,
            learn_positions_per_second: ratio(learnt, learn_seconds).filter(|_| losses.steps() > 0),
            learning_rate: measured.learning_rate.map(f64::from),
            loss_total: total,
            loss_policy: policy,
            loss_value: value,
            loss_steps_left: steps_left,
            loss_score: score,
            loss_soft_policy: soft_policy,
            loss_short_term_value: short_term_value,
            loss_opponent_reply: opponent_reply,
            policy_entropy: entropy,
            target_entropy,
            value_error,
            search_entropy: ratio(statistics.policy_entropy, statistics.samples as f64),
            root_value_error: ratio(statistics.value_error, statistics.samples as f64),
            gradient_norm: norm,
            game_turns: a_game(statistics.turns),
            game_steps: a_game(statistics.steps),
            red_wins: a_game(statistics.red_wins),
            black_wins: a_game(statistics.black_wins),
            draws: a_game(statistics.draws),
            forks: statistics.forks,
            endgames: statistics.endgames,
            resigned: statistics.resigned,
            resign_checked: statistics.resign_checked,
            resign_wrong: statistics.resign_wrong,
            window: measured.window,
            games_total: measured.games_total,
            positions_total: measured.positions_total,
            memory_mb: memory_stats::memory_stats().map(|memory| memory.physical_mem as f64 / 1e6),
        }
    }

    /// The numbers for TensorBoard, with names such as `loss/policy`.
    pub fn scalars(&self) -> Scalars {
        let fields = serde_json::to_value(self).unwrap_or_default();
        let fields = fields.as_object().into_iter().flatten();
        let values = fields
            .filter(|(name, _)| !matches!(name.as_str(), "iteration" | "unix_time"))
            .filter_map(|(name, value)| Some((tag(name), value.as_f64()? as f32)))
            .collect();
        Scalars { step: self.iteration, unix_time: self.unix_time, values }
    }

    /// Reads a file of metrics. A last line without its end, as a killed process leaves it, is left out.
    ///
    /// # Errors
    /// If the file cannot be read or a whole line is no line of metrics.
    pub fn read_all(path: &Path) -> Result<Result<Vec<Metrics>, MetricsError>, RunDirError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(RunDirError::io(path, "read"))?,
        };
        Ok(parse(path, &text))
    }
}

fn parse(path: &Path, text: &str) -> Result<Vec<Metrics>, MetricsError> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut read: Vec<Metrics> = Vec::new();
    for (index, line) in whole.lines().enumerate() {
        let bad = |problem| MetricsError { path: path.to_owned(), line: index + 1, problem };
        let metrics: Metrics = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        let expected = read.last().map_or(1, |last| last.iteration + 1);
        if metrics.iteration != expected {
            return Err(bad(format!("iteration {}, expected {expected}", metrics.iteration)));
        }
        read.push(metrics);
    }
    Ok(read)
}

/// `metrics.jsonl`, open for more lines.
#[derive(Debug)]
pub struct MetricsFile {
    path: PathBuf,
    file: File,
}

impl MetricsFile {
    /// Makes the file hold `history` and nothing else, which drops the lines of iterations that were not committed, and
    /// goes on from there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn rewrite(path: &Path, history: &[Metrics]) -> Result<MetricsFile, RunDirError> {
        write_atomically(path, &history.iter().flat_map(line).collect::<Vec<u8>>())?;
        let file = OpenOptions::new().append(true).open(path).map_err(RunDirError::io(path, "open"))?;
        Ok(MetricsFile { path: path.to_owned(), file })
    }

    /// Adds a line and syncs it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, metrics: &Metrics) -> Result<(), RunDirError> {
        let written = self.file.write_all(&line(metrics)).and_then(|()| self.file.sync_all());
        written.map_err(RunDirError::io(&self.path, "write"))
    }
}

fn line(metrics: &Metrics) -> Vec<u8> {
    let mut line = serde_json::to_vec(metrics).unwrap_or_else(|_| Value::Null.to_string().into_bytes());
    line.push(b'\n');
    line
}

/// The name of a number as TensorBoard groups it: by what is before the slash.
fn tag(name: &str) -> String {
    let groups = [
        ("loss_", "loss"),
        ("learn_", "learning"),
        ("game_", "games"),
        (
            "",
            match name {
                "policy_entropy" | "target_entropy" | "value_error" | "gradient_norm" | "learning_rate" => "learning",
                "red_wins" | "black_wins" | "draws" | "games" | "root_value_error" | "search_entropy" => "games",
                "forks" | "endgames" | "resigned" | "resign_checked" | "resign_wrong" => "games",
                "seconds" | "memory_mb" | "window" | "games_total" | "positions_total" => "run",
                _ => "selfplay",
            },
        ),
    ];
    let group = groups.into_iter().find_map(|(prefix, group)| Some((group, name.strip_prefix(prefix)?)));
    group.map_or_else(|| name.to_owned(), |(group, rest)| format!("{group}/{rest}"))
}

fn ratio(sum: f64, count: f64) -> Option<f64> {
    (count > 0.0).then(|| sum / count)
}

fn unix_time() -> f64 {
    std::time::UNIX_EPOCH.elapsed().map_or(0.0, |time| time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(iteration: u64) -> Metrics {
        let statistics =
            SelfPlayStatistics { games: 4, red_wins: 1, black_wins: 2, draws: 1, ..SelfPlayStatistics::default() };
        let mut losses = LossMeans::default();
        losses.add(&Losses { total: 1.0, soft_policy: Some(0.5), ..Losses::default() });
        losses.add(&Losses { total: 2.0, soft_policy: Some(1.0), ..Losses::default() });
        let (statistics, losses) = (&statistics, &losses);
        Metrics::new(&Measured {
            iteration,
            seconds: 3.0,
            selfplay_seconds: 2.0,
            statistics,
            reanalysis: ReanalysisStatistics::default(),
            learn_seconds: 0.5,
            batch: 10,
            losses,
            learning_rate: Some(0.5),
            learn_steps_total: 2,
            window: 100,
            games_total: 4,
            positions_total: 100,
        })
    }

    #[test]
    fn rates_shares_and_means_are_what_they_say() {
        let metrics = metrics(1);
        assert_eq!(metrics.games_per_second, 2.0);
        assert_eq!(metrics.learn_positions_per_second, Some(40.0));
        assert_eq!((metrics.red_wins, metrics.black_wins, metrics.draws), (Some(0.25), Some(0.5), Some(0.25)));
        assert_eq!(metrics.loss_total, Some(1.5));
        assert_eq!((metrics.loss_soft_policy, metrics.loss_opponent_reply), (Some(0.75), None));
        assert_eq!(metrics.root_value_error, None);
        let scalars = metrics.scalars().values;
        assert!(scalars.contains(&("loss/total".to_owned(), 1.5)), "{scalars:?}");
        assert!(scalars.contains(&("games/draws".to_owned(), 0.25)), "{scalars:?}");
        assert!(scalars.iter().all(|(name, _)| name != "loss/root_value_error"), "{scalars:?}");
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_a_damaged_line_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        let mut file = MetricsFile::rewrite(&path, &[metrics(1), metrics(2)]).unwrap();
        file.append(&metrics(3)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 20]).unwrap();
        let read = Metrics::read_all(&path).unwrap().unwrap();
        assert_eq!(read.iter().map(|metrics| metrics.iteration).collect::<Vec<_>>(), [1, 2]);
        fs::write(&path, text.replacen("\"games\"", "\"gomes\"", 1)).unwrap();
        let error = Metrics::read_all(&path).unwrap().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}:1: unknown field `gomes`", path.display())), "{error}");
        fs::write(&path, text.replacen("\"iteration\":2", "\"iteration\":7", 1)).unwrap();
        let error = Metrics::read_all(&path).unwrap().unwrap_err().to_string();
        assert!(error.ends_with(":2: iteration 7, expected 2"), "{error}");
    }

    #[test]
    fn a_line_of_an_earlier_version_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        let mut line = serde_json::to_value(metrics(1)).unwrap();
        for new in ["forks", "endgames", "resigned", "resign_checked", "resign_wrong"] {
            assert!(line.as_object_mut().unwrap().remove(new).is_some(), "{new}");
        }
        fs::write(&path, format!("{line}\n")).unwrap();
        let read = Metrics::read_all(&path).unwrap().unwrap();
        assert_eq!(read, [Metrics { unix_time: read[0].unix_time, memory_mb: read[0].memory_mb, ..metrics(1) }]);
    }

    #[test]
    fn a_file_that_is_not_there_has_no_lines() {
        let directory = tempfile::tempdir().unwrap();
        let read = Metrics::read_all(&directory.path().join("metrics.jsonl")).unwrap().unwrap();
        assert!(read.is_empty());
    }
}
