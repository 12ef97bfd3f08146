//! What a run directory says about itself: configuration, metrics and nets.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::chart::Line;
use super::strength::{self, NetRating};
use super::{ReportError, read_text};

/// The small files of a run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The variant as the configuration writes it.
    pub(super) variant: String,
    /// The configuration, as it stands in the file.
    pub(super) config: String,
    pub(super) metrics: Metrics,
    pub(super) nets: Vec<Net>,
    pub(super) strengths: Vec<Strength>,
    pub(super) ratings: Vec<NetRating>,
}

/// The result of the games that the newest net played after learning, against one opponent.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Strength {
    pub(super) opponent: String,
    pub(super) games: u64,
    /// Mean score of the net and its 95 % interval, from 0 to 1.
    pub(super) score: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) simulations: u64,
    pub(super) iteration: u64,
}

/// A net of the run.
#[derive(Clone, Debug)]
pub(super) struct Net {
    pub(super) number: u64,
    /// The description beside the weights.
    pub(super) meta: Map<String, Value>,
}

impl Run {
    pub(super) fn read(directory: &Path) -> Result<Run, ReportError> {
        let path = directory.join("config.toml");
        let config = read_text(&path)?;
        let table: toml::Table = toml::from_str(&config).map_err(|error| ReportError::bad(&path, one_line(&error)))?;
        let variant = match table.get("variant") {
            Some(toml::Value::String(variant)) => variant.clone(),
            Some(other) => return Err(ReportError::bad(&path, format!("key `variant`: `{other}` is no text"))),
            None => return Err(ReportError::bad(&path, "key `variant` is missing")),
        };
        let metrics = Metrics::read(&directory.join("metrics.jsonl"))?;
        let nets = read_nets(&directory.join("nets"))?;
        let strengths = read_strengths(&directory.join("after.json"))?;
        let ratings = strength::read(&directory.join("ratings.jsonl"))?;
        Ok(Run { variant, config, metrics, nets, strengths, ratings })
    }
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().lines().collect::<Vec<_>>().join(" ")
}

/// The results in a file that is there only if such games were played.
fn read_strengths(path: &Path) -> Result<Vec<Strength>, ReportError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        bytes => serde_json::from_slice(&bytes.map_err(|source| ReportError::io(path, source))?)
            .map_err(|error| ReportError::bad(path, error.to_string())),
    }
}

/// The nets that are complete, by number. One that is being written has a name that is no number.
fn read_nets(folder: &Path) -> Result<Vec<Net>, ReportError> {
    let mut nets = Vec::new();
    for path in list(folder)? {
        let number = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        let meta = path.join("meta.json");
        if let (Some(number), true) = (number, path.is_dir()) {
            let text = read_text(&meta)?;
            let meta = serde_json::from_str(&text).map_err(|error| ReportError::bad(&meta, error.to_string()))?;
            nets.push(Net { number, meta });
        }
    }
    nets.sort_by_key(|net| net.number);
    Ok(nets)
}

/// The entries of a folder; none if it does not exist yet.
pub(super) fn list(folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let failed = |source| ReportError::io(folder, source);
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries.map_err(failed)?.map(|entry| Ok(entry.map_err(failed)?.path())).collect(),
    }
}

/// What a run has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spent {
    pub(crate) seconds: f64,
    pub(crate) evaluations: f64,
}

/// The lines of `metrics.jsonl`. Keys may be missing or null: then there is nothing to show of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Metrics {
    lines: Vec<Map<String, Value>>,
}

impl Metrics {
    pub(crate) fn read(path: &Path) -> Result<Metrics, ReportError> {
        match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Metrics::default()),
            bytes => Metrics::parse(path, &String::from_utf8_lossy(&bytes.map_err(|e| ReportError::io(path, e))?)),
        }
    }

    /// A last line without its end is left out: a process that is killed, or still writing, leaves it so.
    fn parse(path: &Path, text: &str) -> Result<Metrics, ReportError> {
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = Vec::new();
        for (index, line) in whole.lines().enumerate() {
            let bad = |problem| ReportError::Line { path: path.to_owned(), line: index + 1, problem };
            match serde_json::from_str(line) {
                Ok(Value::Object(fields)) => lines.push(fields),
                Ok(_) => return Err(bad("expected an object of numbers".to_owned())),
                Err(error) => return Err(bad(error.to_string())),
            }
        }
        Ok(Metrics { lines })
    }

    pub(super) fn iterations(&self) -> usize {
        self.lines.len()
    }

    /// A number over the iterations.
    pub(super) fn line(&self, label: &str, key: &str) -> Line {
        let place = |index: usize, line| number(line, "iteration").unwrap_or(index as f64 + 1.0);
        let points =
            self.lines.iter().enumerate().map(|(index, line)| (place(index, line), number(line, key))).collect();
        Line { label: label.to_owned(), points, ..Line::default() }
    }

    /// What the first `count` iterations took; nothing if one of them is not there.
    pub(crate) fn spent(&self, count: u64) -> Option<Spent> {
        let mut spent = Spent::default();
        let mut found = 0;
        for line in self.lines.iter().filter(|line| number(line, "iteration").is_some_and(|n| n <= count as f64)) {
            found += 1;
            spent.seconds = spent.seconds.max(number(line, "seconds")?);
            spent.evaluations += number(line, "evaluations")?;
        }
        (found == count).then_some(spent)
    }

    /// The last value that was measured.
    pub(super) fn last(&self, key: &str) -> Option<f64> {
        self.lines.iter().rev().find_map(|line| number(line, key))
    }

    /// The sum over all iterations; `None` if it was never measured.
    pub(super) fn sum(&self, key: &str) -> Option<f64> {
        self.lines.iter().filter_map(|line| number(line, key)).reduce(|sum, value| sum + value)
    }
}

fn number(line: &Map<String, Value>, key: &str) -> Option<f64> {
    line.get(key)?.as_f64().filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Metrics, String> {
        Metrics::parse(Path::new("metrics.jsonl"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn missing_and_null_numbers_leave_gaps() {
        let metrics =
            parse("{\"iteration\":1,\"games\":2}\n{\"iteration\":2,\"games\":null}\n{\"games\":4}\n").unwrap();
        assert_eq!(metrics.line("games", "games").points, [(1.0, Some(2.0)), (2.0, None), (3.0, Some(4.0))]);
        assert_eq!((metrics.last("games"), metrics.sum("games")), (Some(4.0), Some(6.0)));
        assert_eq!((metrics.last("memory_mb"), metrics.sum("memory_mb")), (None, None));
    }

    #[test]
    fn what_a_net_took_is_known_where_all_iterations_before_it_are() {
        let line = |iteration: u64, seconds: f64| {
            format!("{{\"iteration\":{iteration},\"seconds\":{seconds},\"evaluations\":100}}\n")
        };
        let metrics = parse(&[line(1, 2.5), line(2, 5.0), line(4, 9.0)].concat()).unwrap();
        assert_eq!(metrics.spent(0), Some(Spent::default()));
        assert_eq!(metrics.spent(2), Some(Spent { seconds: 5.0, evaluations: 200.0 }));
        assert_eq!((metrics.spent(3), metrics.spent(4)), (None, None));
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_other_bad_lines_are_named() {
        assert_eq!(parse("{\"iteration\":1}\n{\"itera").unwrap().iterations(), 1);
        assert_eq!(parse("").unwrap().iterations(), 0);
        let error = parse("{\"iteration\":1}\n{\"itera\n{}\n").unwrap_err();
        assert!(error.starts_with("metrics.jsonl:2: "), "{error}");
        assert_eq!(parse("{}\n7\n").unwrap_err(), "metrics.jsonl:2: expected an object of numbers");
    }
}
