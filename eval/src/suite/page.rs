//! The page of a suite: for each variant its agents with their ratings.

use minijinja::context;
use minijinja::value::Value;

use super::report::{STAR, SuiteReport, SuiteRow};
use crate::report::strip::{self, Interval, Scale};
use crate::web_page::{self, markup};

const TEMPLATE: &str = include_str!("page.html");

/// The page as HTML, which needs nothing but itself.
///
/// # Errors
/// Never, as long as the template is sound.
pub(super) fn html(report: &SuiteReport) -> Result<String, minijinja::Error> {
    let (agents, ladders) = report.counts();
    web_page::render(
        TEMPLATE,
        &[strip::STYLE_SHEET],
        context! {
            title => "Suite",
            agents,
            ladders,
            games => report.games,
            seed => report.seed,
            left_out => &report.left_out,
            variants => report.rows.chunk_by(|one, other| one.variant == other.variant).map(section).collect::<Vec<_>>(),
            star => report.has_star().then_some(STAR),
        },
    )
}

fn interval(row: &SuiteRow) -> Option<Interval> {
    row.rating.map(|rating| Interval { value: rating.elo, low: rating.low, high: rating.high })
}

/// The agents on one ladder; their strips have a scale of their own, as ladders have nothing in common.
fn section(rows: &[SuiteRow]) -> Value {
    let scale = Scale::around(rows.iter().filter_map(interval));
    let row = |row: &SuiteRow| {
        let strip = scale.zip(interval(row)).map(|(scale, interval)| markup(scale.strip(interval)));
        let (points, games) = row.points();
        context! {
            agent => &row.agent,
            elo => row.elo_in_words(),
            interval => row.interval_in_words(),
            against => row.against(),
            strip,
            points => points.to_string(),
            games,
        }
    };
    context! { name => &rows[0].variant, rows => rows.iter().map(row).collect::<Vec<_>>() }
}
