//! What the games of layouts say.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::super::folder::StudySettings;
use super::super::layout_table::{CellResult, TableResults, mean_of_pairs};
use super::super::payoff::Measured;
use super::super::playing::PlayedGame;
use super::super::session::subtitle;
use super::NamedLayout;
use crate::signed::signed;
use crate::stats::bradley_terry::{Parameter, RatedGame, RatingModel, Ratings, rate};
use crate::stats::{Correlation, correlation};

/// The numbers that are seen first; the tables hold what they are computed from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FixedSummary {
    study: StudySettings,
    /// Games in all.
    pub(super) games: u64,
    /// The mean result for red, from -1 to 1.
    pub(super) red_result: Measured,
    /// What moving first is worth in Elo, in the model that rates the layouts; null where each layout plays itself alone.
    pub(super) first_mover_elo: Option<Parameter>,
    /// The share of draws.
    pub(super) draw_share: f64,
    /// Turns of both sides.
    pub(super) mean_turns: f64,
    pub(super) median_turns: f64,
    /// Games by why they ended.
    pub(super) reasons: BTreeMap<String, u64>,
    /// The layouts, the best first, or in the order of the file where none are rated.
    pub(super) layouts: Vec<LayoutRow>,
    /// Whether results that nobody had were added to keep ratings finite.
    pub(super) is_bounded_by_prior: bool,
    /// What searches expect, where the agent has an opinion.
    pub(super) search: Option<SearchCheck>,
}

/// What is found of a layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct LayoutRow {
    pub(super) name: String,
    /// Its place in the file, from 0.
    pub(super) index: usize,
    /// Its rating; the mean of all is 0.
    pub(super) elo: Option<Parameter>,
    pub(super) games: u64,
    /// Points of its player, a draw being half a point.
    pub(super) points: f64,
    /// Red's mean result with this layout for red; and for black.
    pub(super) red_result_as_red: Option<Measured>,
    pub(super) red_result_as_black: Option<Measured>,
}

/// How well searches of the first positions agree with each other and with the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct SearchCheck {
    /// Starts that were searched.
    pub(super) starts: u64,
    /// The mean expectation for red by both budgets.
    pub(super) mean_red_value: f64,
    pub(super) second_mean_red_value: f64,
    /// By how much the second budget moves a value, on average.
    pub(super) mean_moved: f64,
    /// Correlation of the expectations with the mean results of the cells, where both vary.
    pub(super) correlation_with_games: Option<Correlation>,
    pub(super) second_correlation_with_games: Option<Correlation>,
}

impl FixedSummary {
    pub(super) fn of(
        settings: &StudySettings,
        layouts: &[NamedLayout],
        results: &TableResults,
        is_mirrored: bool,
    ) -> FixedSummary {
        let pairs = || results.cells().flat_map(|(_, cell)| cell.pairs.values());
        let games: Vec<&PlayedGame> = pairs().flatten().collect();
        let count = games.len() as f64;
        let mut turns: Vec<usize> = games.iter().map(|game| game.turns).collect();
        turns.sort_unstable();
        let mut reasons = BTreeMap::new();
        games.iter().for_each(|game| *reasons.entry(game.reason.clone()).or_default() += 1);
        let ratings = if is_mirrored { None } else { ratings(layouts, results) };
        let mut rows: Vec<LayoutRow> =
            (0..layouts.len()).map(|index| row(layouts, results, ratings.as_ref(), index)).collect();
        let elo = |row: &LayoutRow| row.elo.map_or(0.0, |elo| elo.value);
        // Stable, so that equals stay in the order of the file.
        rows.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        FixedSummary {
            study: settings.clone(),
            games: games.len() as u64,
            red_result: mean_of_pairs(pairs()).expect("every cell has a pair"),
            first_mover_elo: ratings.as_ref().and_then(|ratings| ratings.first_mover),
            draw_share: games.iter().filter(|game| game.red_half_points == 1).count() as f64 / count,
            mean_turns: turns.iter().sum::<usize>() as f64 / count,
            median_turns: (turns[turns.len() / 2] + turns[(turns.len() - 1) / 2]) as f64 / 2.0,
            reasons,
            layouts: rows,
            is_bounded_by_prior: ratings.is_some_and(|ratings| ratings.prior),
            search: search_check(results),
        }
    }

    /// Prints the summary on one screen.
    pub(super) fn print(&self, settings: &StudySettings, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{} layouts, {} games\n{}\n", self.layouts.len(), self.games, subtitle(settings))?;
        for paragraph in self.in_words() {
            writeln!(output, "{paragraph}")?;
        }
        writeln!(output)?;
        for row in &self.layouts {
            let rating = match row.elo {
                Some(Parameter { value, interval_95, .. }) => {
                    format!("{value:+5.0} Elo ({:+.0} to {:+.0})", interval_95.low, interval_95.high)
                }
                None => "            ".to_owned(),
            };
            let as_red = row.red_result_as_red.map_or_else(String::new, |result| format!("red {}", result.signed()));
            writeln!(output, "  {:24} {rating:26} {as_red}", row.name)?;
        }
        Ok(())
    }

    /// What was found and how sure it is, a sentence or two each.
    pub(super) fn in_words(&self) -> Vec<String> {
        let [value, low, high] = [self.red_result.value, self.red_result.low, self.red_result.high].map(signed);
        let mut words = vec![format!(
            "Red, who moves first, gets {value} a game on average (95 % interval {low} to {high}; 1 is a win of every \
             game). {:.0} % of the games are draws, and half of them last {:.0} turns or more.",
            100.0 * self.draw_share,
            self.median_turns,
        )];
        if let Some(Parameter { value, interval_95, .. }) = self.first_mover_elo {
            words.push(format!(
                "Moving first is worth {value:+.0} Elo ({:+.0} to {:+.0}), all layouts taken together.",
                interval_95.low, interval_95.high
            ));
        }
        words.extend(self.best_and_worst());
        if self.is_bounded_by_prior {
            words.push("Results are one-sided: half a draw that nobody played keeps ratings finite.".to_owned());
        }
        words.extend(self.search.map(|search| search.in_words()));
        words
    }

    fn best_and_worst(&self) -> Option<String> {
        let [best, .., worst] = &self.layouts[..] else { return None };
        let (best_elo, worst_elo) = (best.elo?, worst.elo?);
        if best_elo.value == worst_elo.value {
            return Some("All layouts are rated alike.".to_owned());
        }
        let apart = if best_elo.interval_95.low > worst_elo.interval_95.high {
            "their intervals do not overlap"
        } else {
            "their intervals overlap, so that this order may be chance"
        };
        Some(format!(
            "The best layout for both colours is “{}” ({:+.0} Elo), the worst “{}” ({:+.0}); {apart}.",
            best.name, best_elo.value, worst.name, worst_elo.value
        ))
    }
}

impl SearchCheck {
    fn in_words(self) -> String {
        let found = |Correlation { value, low, high }| Measured { value, low, high }.signed();
        let agreement = match (self.correlation_with_games, self.second_correlation_with_games) {
            (None, None) => {
                "How well that predicts the games cannot be told: the starts are too few, or all alike.".to_owned()
            }
            (first, second) => {
                let [first, second] = [first, second].map(|one| one.map_or_else(|| "unknown".to_owned(), found));
                format!("Their correlation with the results of the games is {first} and {second}.")
            }
        };
        format!(
            "Searches of the first positions expect {} for red with the first budget and {} with the second, which moves \
             a value by {:.2} on average. {agreement}",
            signed(self.mean_red_value),
            signed(self.second_mean_red_value),
            self.mean_moved,
        )
    }
}

/// The ratings of layouts, whose games hang together by pairing: two layouts may suit each other.
fn ratings(layouts: &[NamedLayout], results: &TableResults) -> Option<Ratings> {
    let names: Vec<String> = layouts.iter().map(|named| named.name.clone()).collect();
    let mut games = Vec::new();
    for ([first, second], cell) in results.cells() {
        let cluster = first.min(second) * layouts.len() + first.max(second);
        let rated = |game: &PlayedGame| RatedGame { first, second, half_points: game.red_half_points, cluster };
        games.extend(cell.pairs.values().flatten().map(rated));
    }
    rate(&names, &games, &RatingModel::default()).ok()
}

fn row(layouts: &[NamedLayout], results: &TableResults, ratings: Option<&Ratings>, index: usize) -> LayoutRow {
    let of_side = |side: usize| {
        let cells = results.cells().filter(move |(cell, _)| cell[side] == index);
        cells.flat_map(|(_, cell)| cell.pairs.values()).collect::<Vec<_>>()
    };
    let [as_red, as_black] = [of_side(0), of_side(1)];
    let red_points = |pairs: &[&[PlayedGame; 2]]| {
        pairs.iter().flat_map(|pair| pair.iter()).map(|game| f64::from(game.red_half_points) / 2.0).sum::<f64>()
    };
    let games = 2 * (as_red.len() + as_black.len());
    LayoutRow {
        name: layouts[index].name.clone(),
        index,
        elo: ratings.map(|ratings| ratings.players[index].elo),
        games: games as u64,
        points: red_points(&as_red) + 2.0 * as_black.len() as f64 - red_points(&as_black),
        red_result_as_red: mean_of_pairs(as_red.iter().copied()),
        red_result_as_black: mean_of_pairs(as_black.iter().copied()),
    }
}

fn search_check(results: &TableResults) -> Option<SearchCheck> {
    let known = |cell: &CellResult| {
        let result = mean_of_pairs(cell.pairs.values())?.value;
        Some([cell.red_value?, cell.second_red_value?, result])
    };
    let known: Vec<[f64; 3]> = results.cells().filter_map(|(_, cell)| known(cell)).collect();
    if known.is_empty() {
        return None;
    }
    let column = |index: usize| known.iter().map(|row| row[index]).collect::<Vec<_>>();
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let [first, second, result] = [column(0), column(1), column(2)];
    let moved: Vec<f64> = first.iter().zip(&second).map(|(one, other)| (one - other).abs()).collect();
    let with_games =
        |values: &[f64]| correlation(&values.iter().copied().zip(result.iter().copied()).collect::<Vec<_>>());
    Some(SearchCheck {
        starts: known.len() as u64,
        mean_red_value: mean(&first),
        second_mean_red_value: mean(&second),
        mean_moved: mean(&moved),
        correlation_with_games: with_games(&first),
        second_correlation_with_games: with_games(&second),
    })
}
