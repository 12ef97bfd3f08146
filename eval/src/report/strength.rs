//! How strong the nets of a run are: `ratings.jsonl`, drawn with its intervals.

use std::fs;
use std::io;
use std::path::Path;

use minijinja::context;
use minijinja::value::Value;
use serde::Deserialize;

use super::ReportError;
use super::chart::{self, Axis, Kind, Line};
use super::number::{compact, grouped};
use crate::web_page::markup;

/// The rating of a net on the run's ladder.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NetRating {
    iteration: u64,
    seconds: f64,
    evaluations: u64,
    elo: f64,
    /// The ends of its 95 % interval.
    low: f64,
    high: f64,
    games: u64,
    simulations: u64,
    rungs: Vec<Rung>,
}

/// An opponent that the net was rated by.
#[derive(Clone, Debug, Deserialize)]
struct Rung {
    agent: String,
    as_red: [u64; 3],
    as_black: [u64; 3],
}

/// The ratings in a file that is there only if nets were rated.
pub(super) fn read(path: &Path) -> Result<Vec<NetRating>, ReportError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|source| ReportError::io(path, source))?,
    };
    let rating = |(index, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| ReportError::bad(path, format!("line {}: {error}", index + 1)))
    };
    text.lines().enumerate().map(rating).collect()
}

/// What a curve is drawn over: for each net the cost of learning until then.
type Cost = fn(&NetRating) -> f64;

/// The curves, over what learning costs.
pub(super) fn charts(ratings: &[NetRating]) -> Vec<Value> {
    let axis = |title: &str, is_counted| Axis { title: title.to_owned(), is_counted };
    let over: [(&str, Axis, Cost); 3] = [
        ("Rating by iteration", Axis::iterations(), |rating| rating.iteration as f64),
        ("Rating by time", axis("minutes of work", false), |rating| rating.seconds / 60.0),
        ("Rating by evaluations", axis("network evaluations in self-play", false), |rating| rating.evaluations as f64),
    ];
    let chart = |(title, axis, cost): (&str, Axis, Cost)| {
        let line = Line {
            label: "Elo".to_owned(),
            points: ratings.iter().map(|rating| (cost(rating), Some(rating.elo))).collect(),
            intervals: ratings.iter().map(|rating| (cost(rating), rating.low, rating.high)).collect(),
        };
        let svg = markup(chart::draw(title, Kind::Lines, &axis, &[line])?);
        let note = "Elo on the ladder of the variant, where random play is near 0; the bars are 95 % intervals.";
        let legend = vec![context! { label => "Elo", index => 0, last => compact(ratings.last()?.elo) }];
        Some(context! { title, note, kind => "lines", legend, svg })
    };
    over.into_iter().filter_map(chart).collect()
}

/// The newest rating as a number on top.
pub(super) fn fact(ratings: &[NetRating]) -> Option<Value> {
    let NetRating { iteration, elo, low, high, games, simulations, rungs, .. } = ratings.last()?;
    let against = |rung: &Rung| {
        let [won, drawn, lost] = [0, 1, 2].map(|ending| rung.as_red[ending] + rung.as_black[ending]);
        format!("{} {won}-{drawn}-{lost}", rung.agent)
    };
    let against: Vec<String> = rungs.iter().map(against).collect();
    let note = format!(
        "95 % interval {low:+.0} to {high:+.0}; {games} games at {simulations} simulations, net of iteration {}: {}",
        grouped(*iteration),
        against.join(", "),
    );
    Some(context! { value => format!("{elo:+.0}"), label => "Elo on the ladder", note })
}
