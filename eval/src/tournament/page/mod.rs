//! The page of a tournament: who is best and how sure that is, the ratings, and what the nets of a run learnt over time.

mod learning;
mod words;

use heng_env::Side;
use minijinja::context;
use minijinja::value::Value;

use super::TournamentReport;
use crate::report::strip::{self, Interval, Scale};
use crate::web_page::{self, markup};

const TEMPLATE: &str = include_str!("page.html");

/// The page as HTML, which needs nothing but itself.
///
/// # Errors
/// Never, as long as the template is sound.
pub(super) fn html(report: &TournamentReport, side_names: [&str; 2]) -> Result<String, minijinja::Error> {
    web_page::render(
        TEMPLATE,
        &[strip::STYLE_SHEET],
        context! {
            title => words::title(report),
            subtitle => words::subtitle(report),
            words => words::summary(report),
            is_rated => report.ratings.is_some(),
            ranking => ranking(report),
            charts => learning::charts(report),
            tables => [Some(points(report)), superiority(report)].into_iter().flatten().collect::<Vec<_>>(),
            model => words::model(report, side_names[Side::Red.index()]),
        },
    )
}

fn interval(report: &TournamentReport, agent: usize) -> Option<Interval> {
    let elo = report.ratings.as_ref()?.players[agent].elo;
    Some(Interval { value: elo.value, low: elo.interval_95.low, high: elo.interval_95.high })
}

fn ranking(report: &TournamentReport) -> Vec<Value> {
    let scale = Scale::around(report.ranking.iter().filter_map(|&agent| interval(report, agent)));
    let row = |&agent: &usize| {
        let (games, points) = report.total(agent);
        let found = interval(report, agent);
        let strip = scale.zip(found).map(|(scale, interval)| markup(scale.strip(interval)));
        let in_words = |Interval { low, high, .. }: Interval| match high > low {
            true => format!("{low:+.0} to {high:+.0}"),
            false => "set to 0".to_owned(),
        };
        context! {
            agent => &report.settings.agents[agent],
            elo => found.map(|interval| format!("{:+.0}", interval.value + 0.0)),
            interval => found.map(in_words),
            strip,
            games,
            points => points.to_string(),
        }
    };
    report.ranking.iter().map(row).collect()
}

/// A table with a row and a column for each agent, by rank; a cell has a text and a share, which colours it.
fn table(report: &TournamentReport, cell: impl Fn(usize, usize) -> Option<(String, f64)>) -> Vec<Value> {
    let class = |share: f64| match share {
        share if share >= 0.8 => "best",
        share if share >= 0.6 => "good",
        share if share <= 0.2 => "worst",
        share if share <= 0.4 => "bad",
        _ => "",
    };
    let row = |&row: &usize| {
        let cells = report.ranking.iter().map(|&column| match cell(row, column) {
            Some((text, share)) => context! { text, class => class(share) },
            None => context! { text => "–", class => "" },
        });
        context! { agent => &report.settings.agents[row], cells => cells.collect::<Vec<_>>() }
    };
    report.ranking.iter().map(row).collect()
}

fn points(report: &TournamentReport) -> Value {
    let rows = table(report, |row, column| {
        let score = report.cross_table[row][column];
        let games = score.games();
        (games > 0).then(|| (format!("{}", score.points()), score.points() / games as f64))
    });
    context! { title => "Who took points from whom", rows, note => "Points of the row against the column: a win is 1, a draw ½." }
}

fn superiority(report: &TournamentReport) -> Option<Value> {
    let ratings = report.ratings.as_ref()?;
    let rows = table(report, |row, column| {
        let share = ratings.superiority[row][column];
        (row != column).then(|| (format!("{:.1}", 100.0 * share), share))
    });
    Some(
        context! { title => "Who is stronger", rows, note => "How likely it is, in percent, that the row is stronger than the column." },
    )
}

#[cfg(test)]
mod tests;
