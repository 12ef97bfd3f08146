//! The ratings of a run's nets over what the run had taken by then.

use std::path::{Path, PathBuf};

use minijinja::context;
use minijinja::value::Value;

use super::super::TournamentReport;
use crate::agent::AgentSpec;
use crate::report::chart::{self, Axis, Kind, Line};
use crate::report::run::{Metrics, Spent};
use crate::web_page::markup;

/// A chart has colours for so many runs.
const MOST_RUNS: usize = 4;

/// A net of a run that took part.
struct RatedNet {
    spent: Spent,
    elo: f64,
    interval: (f64, f64),
}

/// A run, or one way to search with its nets.
struct LearningRun {
    label: String,
    nets: Vec<RatedNet>,
}

/// Ratings over time and over evaluations, for the runs of which two nets or more took part; none where their metrics are gone.
pub(super) fn charts(report: &TournamentReport) -> Vec<Value> {
    let runs = runs(report);
    let longest = runs.iter().flat_map(|run| &run.nets).map(|net| net.spent.seconds).fold(0.0, f64::max);
    let (unit, seconds) = unit_of(longest);
    let time = Axis { title: format!("training time in {unit}"), is_counted: false };
    let evaluations = Axis { title: "network evaluations in self-play".to_owned(), is_counted: false };
    let mut charts = Vec::new();
    for runs in runs.chunks(MOST_RUNS) {
        charts.extend(chart(runs, "Rating over training time", &time, |spent| spent.seconds / seconds));
        charts.extend(chart(runs, "Rating over evaluations", &evaluations, |spent| spent.evaluations));
    }
    charts
}

fn chart(runs: &[LearningRun], title: &str, axis: &Axis, place: impl Fn(&Spent) -> f64) -> Option<Value> {
    let line = |run: &LearningRun| Line {
        label: escaped(&run.label),
        points: run.nets.iter().map(|net| (place(&net.spent), Some(net.elo))).collect(),
        intervals: run.nets.iter().map(|net| (place(&net.spent), net.interval.0, net.interval.1)).collect(),
    };
    let lines: Vec<Line> = runs.iter().map(line).collect();
    let svg = markup(chart::draw(title, Kind::Lines, axis, &lines)?);
    Some(context! { title, svg, legend => runs.iter().map(|run| run.label.clone()).collect::<Vec<_>>() })
}

/// The unit in which a time has a few digits, and how many seconds it has.
fn unit_of(seconds: f64) -> (&'static str, f64) {
    match seconds {
        0.0..120.0 => ("seconds", 1.0),
        120.0..7_200.0 => ("minutes", 60.0),
        7_200.0..259_200.0 => ("hours", 3_600.0),
        _ => ("days", 86_400.0),
    }
}

/// A run of which nets took part.
struct Participant {
    label: String,
    directory: PathBuf,
    /// The number of each net, and which agent it was.
    nets: Vec<(u64, usize)>,
}

fn participants(agents: &[String]) -> Vec<Participant> {
    let mut found: Vec<Participant> = Vec::new();
    for (agent, name) in agents.iter().enumerate() {
        let Ok(AgentSpec::Run { directory, net: Some(net), search }) = name.parse() else { continue };
        let label = AgentSpec::Run { directory: directory.clone(), net: None, search }.to_string();
        match found.iter_mut().find(|known| known.label == label) {
            Some(known) => known.nets.push((net, agent)),
            None => found.push(Participant { label, directory, nets: vec![(net, agent)] }),
        }
    }
    found.iter_mut().for_each(|run| run.nets.sort_unstable());
    found
}

fn runs(report: &TournamentReport) -> Vec<LearningRun> {
    let Some(ratings) = &report.ratings else { return Vec::new() };
    let rated = |metrics: &Metrics, (net, agent): (u64, usize)| {
        let elo = ratings.players[agent].elo;
        let interval = (elo.interval_95.low, elo.interval_95.high);
        Some(RatedNet { spent: metrics.spent(net)?, elo: elo.value, interval })
    };
    let run = |Participant { label, directory, nets }: Participant| {
        let metrics = metrics_of(&directory)?;
        let nets: Vec<RatedNet> = nets.into_iter().filter_map(|net| rated(&metrics, net)).collect();
        (nets.len() > 1).then_some(LearningRun { label, nets })
    };
    participants(&report.settings.agents).into_iter().filter_map(run).collect()
}

/// A run may be gone when its tournament is looked at again.
fn metrics_of(run: &Path) -> Option<Metrics> {
    Metrics::read(&run.join("metrics.jsonl")).ok()
}

/// A directory may have any name; the chart writes labels as they are.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_that_suits_them() {
        for (seconds, unit) in [(0.0, "seconds"), (119.0, "seconds"), (480.0, "minutes"), (9e4, "hours"), (1e6, "days")]
        {
            assert_eq!(unit_of(seconds).0, unit, "{seconds}");
        }
    }
}
