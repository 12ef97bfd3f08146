//! The page of the study.

use std::collections::BTreeMap;

use heng_env::{Notation, Side};

use super::super::folder::StudySettings;
use super::super::histogram::{self, Bar};
use super::super::layout_table::{EXPLORED_TURNS, TableResults, mean_of_pairs};
use super::super::page::{Block, Drawing, Fact, Page, Section};
use super::super::playing::PlayedGame;
use super::super::session::subtitle;
use super::super::{grid, layout};
use super::summary::{FixedSummary, LayoutRow};
use super::{NamedLayout, tables};
use crate::draw::svg::{self, Options, Setting};
use crate::signed::signed;

/// Groups of game lengths.
const LENGTH_GROUPS: usize = 12;

pub(super) fn page<G: Notation>(
    settings: &StudySettings,
    rules: &G::Rules,
    layouts: &[NamedLayout],
    results: &TableResults,
    summary: &FixedSummary,
) -> Page {
    let games: Vec<&PlayedGame> = results.cells().flat_map(|(_, cell)| cell.pairs.values().flatten()).collect();
    let is_mirrored = results.cells().all(|([red, black], _)| red == black);
    let mut sections = vec![ratings(layouts, summary, is_mirrored), boards::<G>(rules, layouts, summary)];
    if !is_mirrored {
        sections.push(matrix(results, summary));
    }
    sections.extend([lengths_and_points(&games), method(settings)]);
    Page {
        title: format!("{} layouts of Eternal Chess", layouts.len()),
        subtitle: subtitle(settings),
        words: summary.in_words(),
        facts: facts(summary),
        sections,
    }
}

fn facts(summary: &FixedSummary) -> Vec<Fact> {
    let fact = |value: String, name: &str| Fact { value, name: name.to_owned() };
    let mut facts = vec![
        fact(summary.games.to_string(), "games"),
        fact(signed(summary.red_result.value), "red’s mean result"),
        fact(format!("{:.0} %", 100.0 * summary.draw_share), "draws"),
        fact(format!("{:.0}", summary.median_turns), "turns, median"),
    ];
    facts.extend(summary.first_mover_elo.map(|elo| fact(format!("{:+.0}", elo.value), "Elo for moving first")));
    facts
}

fn ratings(layouts: &[NamedLayout], summary: &FixedSummary, is_mirrored: bool) -> Section {
    let note = if is_mirrored {
        "Each layout plays itself. Red’s result is the mean over games, from -1 to 1, with its 95 % interval: above 0 the layout \
         favours who moves first."
    } else {
        "Ratings are those of Davidson’s model with an advantage of the first mover; the mean of all is 0, “from” and “to” are the ends \
         of 95 % intervals. Red’s result is the mean over games, from -1 to 1: a good layout has a high one as red, a low one as black."
    };
    Section {
        title: if is_mirrored { "Layouts against themselves" } else { "Ratings" }.to_owned(),
        notes: vec![note.to_owned()],
        blocks: vec![Block::table("", tables::rated(layouts, summary))],
    }
}

fn boards<G: Notation>(rules: &G::Rules, layouts: &[NamedLayout], summary: &FixedSummary) -> Section {
    let drawing = |row: &LayoutRow| {
        let layout = &layouts[row.index].layout;
        let start = G::from_fen(rules, &layout::start(layout, layout)).expect("a start is a position");
        let rating = row.elo.map(|elo| {
            let interval = elo.interval_95;
            format!("{:+.0} Elo ({:+.0} to {:+.0})", elo.value, interval.low, interval.high)
        });
        let as_red = row.red_result_as_red.map(|found| format!("red’s result as red {}", signed(found.value)));
        Drawing {
            title: row.name.clone(),
            svg: svg::board(&start.diagram(), &Options::new(Setting::Page)),
            notes: rating.into_iter().chain(as_red).chain([layout.text(Side::Red)]).collect(),
        }
    };
    Section {
        title: "The layouts".to_owned(),
        notes: vec!["Drawn on both sides; black’s stands opposite.".to_owned()],
        blocks: vec![Block::small(summary.layouts.iter().map(drawing).collect())],
    }
}

fn matrix(results: &TableResults, summary: &FixedSummary) -> Section {
    let order: Vec<usize> = summary.layouts.iter().map(|row| row.index).collect();
    let names: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let value = |row: usize, column: usize| {
        let cell = results.cell([order[row], order[column]])?;
        mean_of_pairs(cell.pairs.values()).map(|mean| mean.value)
    };
    let drawing = grid::draw("red's mean results, red's layouts in rows", &names, &names, value);
    let key: Vec<String> =
        summary.layouts.iter().enumerate().map(|(place, row)| format!("{} {}", place + 1, row.name)).collect();
    Section {
        title: "Each against each".to_owned(),
        notes: vec![
            "Red’s mean result: red’s layouts in rows, black’s in columns, in the order of the ratings. A cell has few games; the \
             table cells.csv has its interval."
                .to_owned(),
            key.join(" · "),
        ],
        blocks: vec![Block::Markup { title: String::new(), html: drawing }],
    }
}

fn lengths_and_points(games: &[&PlayedGame]) -> Section {
    let turns: Vec<usize> = games.iter().map(|game| game.turns).collect();
    let mut points: BTreeMap<i8, u64> = BTreeMap::new();
    for game in games {
        *points.entry(game.points[0] as i8 - game.points[1] as i8).or_default() += 1;
    }
    let bar = |label: String, count: u64, class| Bar { name: label.clone(), label, count: count as usize, class };
    let class = |lead: i8| match lead.signum() {
        1 => "red",
        -1 => "black",
        _ => "even",
    };
    let leads =
        (-4..=4).map(|lead: i8| bar(format!("{lead:+}"), points.get(&lead).copied().unwrap_or_default(), class(lead)));
    let results = [("black wins", "black"), ("draw", "even"), ("red wins", "red")].into_iter().zip(0..).map(
        |((name, class), half_points)| {
            let count = games.iter().filter(|game| game.red_half_points == half_points).count();
            bar(name.to_owned(), count as u64, class)
        },
    );
    let lengths = groups(&turns, LENGTH_GROUPS).into_iter().map(|(name, count)| bar(name, count, "plain"));
    let chart = |title: &str, bars: Vec<Bar>, axis: &str| Drawing {
        title: title.to_owned(),
        svg: histogram::draw(&bars, axis),
        notes: Vec::new(),
    };
    let charts = vec![
        chart("Results", results.collect(), "who won"),
        chart("Points", leads.collect(), "red’s points less black’s at the end"),
        chart("Length", lengths.collect(), "turns of both sides, in groups from this number on"),
    ];
    Section { title: "How games end".to_owned(), notes: Vec::new(), blocks: vec![Block::charts(charts)] }
}

fn method(settings: &StudySettings) -> Section {
    Section {
        title: "How this was done".to_owned(),
        notes: vec![format!(
            "{} plays both sides with {} a step. In the first {EXPLORED_TURNS} turns it draws among its best steps, so that games differ; \
             after that it plays the best. What is found holds for this player: a stronger one may see more in a layout. Intervals \
             cover chance in the games, not that. For ratings, all games of two layouts count as hanging together where there are enough \
             pairings.",
            settings.agent, settings.budget
        )],
        blocks: Vec::new(),
    }
}

/// Numbers in groups of equal width from 0 on, at most so many groups: each with its lowest number.
fn groups(numbers: &[usize], groups_max: usize) -> Vec<(String, u64)> {
    let Some(&most) = numbers.iter().max() else { return Vec::new() };
    let round = [1, 2, 5, 10, 20, 50, 100, 200, 500];
    let width = round.into_iter().find(|width| most / width < groups_max).unwrap_or(most / groups_max + 1);
    let mut counts = vec![0; most / width + 1];
    numbers.iter().for_each(|number| counts[number / width] += 1);
    counts.into_iter().enumerate().map(|(index, count)| ((index * width).to_string(), count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_round_groups() {
        let of = |numbers: &[usize]| groups(numbers, 4).into_iter().map(|(_, count)| count).collect::<Vec<_>>();
        assert_eq!(of(&[0, 3, 3]), [1, 0, 0, 2]);
        assert_eq!(of(&[9, 19]), [0, 1, 0, 1]);
        assert_eq!(groups(&[39], 4).last(), Some(&("30".to_owned(), 1)));
        assert!(groups(&[], 4).is_empty());
    }
}
