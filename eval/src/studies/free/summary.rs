//! What the study found, in numbers and in words.

use std::io::{self, Write};

use heng_env::Side;
use serde::Serialize;

use super::super::folder::StudySettings;
use super::super::layout::{Layout, word};
use super::super::layout_table::{CellResult, mean_of_pairs};
use super::super::payoff::{Measured, PayoffError, Study, equilibrium, study};
use super::super::placement_tree::PlacementTree;
use super::super::playing::PlayedGame;
use super::super::session::subtitle;
use super::running::Findings;
use crate::signed::signed;
use crate::stats::Z95;

/// The numbers that are seen first; the tables hold what they are computed from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FreeSummary {
    study: StudySettings,
    /// Placement phases.
    pub(super) games: u64,
    /// What searches expect of their ends.
    pub(super) values: Option<ValueSummary>,
    /// Layouts of red and of black that differ by more than a reflection.
    pub(super) distinct_layouts: [u64; 2],
    /// The placement that most games begin with, up to their reflection, and the share of games that do.
    pub(super) first_placement: String,
    pub(super) first_placement_share: f64,
    /// The payoff table.
    pub(super) table: TableSummary,
    /// Replies to the given layout.
    pub(super) against: Option<AgainstSummary>,
}

/// Expectations at the end of the placement phase, for red from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct ValueSummary {
    pub(super) mean_red_value: Measured,
    pub(super) second_mean_red_value: Measured,
    /// By how much the second budget moves a value, on average.
    pub(super) mean_moved: f64,
}

/// The payoff table and its mixtures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TableSummary {
    /// Games played.
    pub(super) games: u64,
    /// What red gets if both sides choose layouts by their mixtures, from -1 to 1.
    pub(super) red_value: Measured,
    /// The same, where searches with either budget stand for the games.
    pub(super) search_red_value: Option<f64>,
    pub(super) second_search_red_value: Option<f64>,
    /// What the mixtures of red and black lose by chance, see the page.
    pub(super) mixture_losses: [Measured; 2],
    /// Red's layouts and black's.
    pub(super) red: Vec<TableLayout>,
    pub(super) black: Vec<TableLayout>,
}

/// A layout in the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct TableLayout {
    pub(super) layout: String,
    /// Placement phases that ended in it.
    pub(super) count: u64,
    /// Its probability in the mixture.
    pub(super) weight: f64,
    /// What it loses against the best reply in the table.
    pub(super) loss: Measured,
}

/// Replies to a given layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AgainstSummary {
    pub(super) given: String,
    /// Whose layout is given, red or black.
    pub(super) side: &'static str,
    /// The replies: the best by their games first.
    pub(super) replies: Vec<Reply>,
}

/// A reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Reply {
    pub(super) layout: String,
    /// Whether the agent placed it when it saw the given layout being placed.
    pub(super) is_agents_own: bool,
    pub(super) red_result: Measured,
    pub(super) red_value: Option<f64>,
    pub(super) second_red_value: Option<f64>,
}

impl FreeSummary {
    /// # Errors
    /// If the payoff table has no mixtures, which does not happen.
    pub(super) fn of(findings: &Findings) -> Result<FreeSummary, PayoffError> {
        let placed = &findings.kept.placed;
        let tree = tree_of(findings);
        let first = tree.nodes[0].by_visits().into_iter().next();
        Ok(FreeSummary {
            study: findings.settings.clone(),
            games: placed.len() as u64,
            values: values(findings),
            distinct_layouts: [0, 1].map(|side| findings.layouts[side].len() as u64),
            first_placement: first.map_or_else(String::new, |(placement, _)| placement.text()),
            first_placement_share: first.map_or(0.0, |(_, edge)| f64::from(edge.visits) / placed.len() as f64),
            table: table(findings)?,
            against: against(findings),
        })
    }

    /// Prints the summary on one screen.
    pub(super) fn print(&self, settings: &StudySettings, output: &mut dyn Write) -> io::Result<()> {
        writeln!(output, "{} placement phases, {} games of layouts", self.games, self.table.games)?;
        writeln!(output, "{}\n", subtitle(settings))?;
        for paragraph in self.in_words() {
            writeln!(output, "{paragraph}")?;
        }
        for (side, layouts) in [("red", &self.table.red), ("black", &self.table.black)] {
            writeln!(output, "\n{side}’s mixture")?;
            for TableLayout { layout, weight, loss, .. } in layouts {
                let Measured { value, low, high } = loss;
                writeln!(output, "  {:5.1} %  {layout}  loses {value:.2} ({low:.2} to {high:.2})", 100.0 * weight)?;
            }
        }
        Ok(())
    }

    /// What was found and how sure it is.
    pub(super) fn in_words(&self) -> Vec<String> {
        let [red, black] = self.distinct_layouts;
        let mut words = vec![format!(
            "In {} placement phases red chose {red} different layouts and black {black}, where a layout and its mirror image count \
             once. The most usual first piece is {} ({:.0} % of the games, or its mirror image).",
            self.games,
            self.first_placement,
            100.0 * self.first_placement_share
        )];
        if let Some(ValueSummary { mean_red_value, second_mean_red_value, mean_moved }) = self.values {
            words.push(format!(
                "When all pieces stand, searches expect {} for red on average ({} to {}; 1 is a sure win). The second \
                 budget says {}, and moves a single value by {mean_moved:.2} on average.",
                signed(mean_red_value.value),
                signed(mean_red_value.low),
                signed(mean_red_value.high),
                signed(second_mean_red_value.value)
            ));
        }
        let Measured { value, low, high } = self.table.red_value;
        let game = signed(value);
        let who = match (low > 0.0, high < 0.0) {
            (true, _) => "red is better off",
            (_, true) => "black is better off",
            _ => "neither side is surely better off",
        };
        words.push(format!(
            "If both sides chose well among the {} and {} layouts that played each other, red would get {game} a game ({} \
             to {}): {who}.{}",
            self.table.red.len(),
            self.table.black.len(),
            signed(low),
            signed(high),
            self.search_words()
        ));
        words.push(self.mixture_words());
        words.extend(self.against.as_ref().map(AgainstSummary::in_words));
        words
    }

    fn search_words(&self) -> String {
        match (self.table.search_red_value, self.table.second_search_red_value) {
            (Some(first), Some(second)) => {
                let [first, second] = [first, second].map(signed);
                format!(
                    " With searches in place of the games it would be {first}, and {second} with the second budget."
                )
            }
            _ => String::new(),
        }
    }

    fn mixture_words(&self) -> String {
        let pure = |layouts: &[TableLayout]| {
            let least = layouts.iter().min_by(|one, other| one.loss.value.total_cmp(&other.loss.value));
            least.map_or(0.0, |layout| layout.loss.value)
        };
        let [red, black] = self.table.mixture_losses;
        format!(
            "Always choosing the same layout loses {:.2} at least for red and {:.2} for black against the best reply in the table. The \
             mixtures lose {:.2} and {:.2} when the table is drawn again from its games, which is how much they hang on chance.",
            pure(&self.table.red),
            pure(&self.table.black),
            red.value,
            black.value
        )
    }
}

impl AgainstSummary {
    fn in_words(&self) -> String {
        let Some(best) = self.replies.first() else { return String::new() };
        let whose = if best.is_agents_own { "the one that the agent itself placed" } else { "a layout of the table" };
        let own = self.replies.iter().find(|reply| reply.is_agents_own && !best.is_agents_own);
        let own = own
            .map_or_else(String::new, |own| format!(" The agent’s own reply gets {}.", signed(own.red_result.value)));
        format!(
            "Against the given layout of {} the best of {} replies is {}, {whose}: {} for red ({} to {}).{own} \
             The best of many is partly the luckiest.",
            self.side,
            self.replies.len(),
            best.layout,
            signed(best.red_result.value),
            signed(best.red_result.low),
            signed(best.red_result.high)
        )
    }
}

/// The graph of all placements.
pub(super) fn tree_of(findings: &Findings) -> PlacementTree {
    let mut tree = PlacementTree::new();
    for game in findings.kept.placed.values() {
        tree.add(&game.read().unwrap_or_default(), game.red_value);
    }
    tree
}

/// A mean with the 95 % interval of a normal distribution.
fn mean(numbers: &[f64]) -> Measured {
    let count = numbers.len() as f64;
    let value = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - value).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let half = Z95 * (variance / count).sqrt();
    Measured { value, low: value - half, high: value + half }
}

fn values(findings: &Findings) -> Option<ValueSummary> {
    let both = findings.kept.placed.values().filter_map(|game| Some((game.red_value?, game.second_red_value?)));
    let (first, second): (Vec<f64>, Vec<f64>) = both.unzip();
    if first.is_empty() {
        return None;
    }
    let moved: Vec<f64> = first.iter().zip(&second).map(|(one, other)| (one - other).abs()).collect();
    Some(ValueSummary {
        mean_red_value: mean(&first),
        second_mean_red_value: mean(&second),
        mean_moved: mean(&moved).value,
    })
}

fn table(findings: &Findings) -> Result<TableSummary, PayoffError> {
    let table = &findings.table;
    let results = findings.kept.tables.get(&table.name).cloned().unwrap_or_default();
    let pair_mean = |pair: &[PlayedGame; 2]| pair.iter().map(PlayedGame::red_result).sum::<f64>() / 2.0;
    let cell = |row: usize, column: usize| -> Vec<f64> {
        results.cell([row, column]).map_or_else(Vec::new, |cell| cell.pairs.values().map(pair_mean).collect())
    };
    let size = [table.red.len(), table.black.len()];
    let pairs: Vec<Vec<Vec<f64>>> =
        (0..size[0]).map(|row| (0..size[1]).map(|column| cell(row, column)).collect()).collect();
    let Study { equilibrium: mixtures, red_value, red_losses, black_losses, mixture_losses } =
        study(&pairs, findings.settings.seed)?;
    let by_search = |of: fn(&CellResult) -> Option<f64>| {
        results.values(size, of).map(|values| equilibrium(values.view())).transpose()
    };
    let side = |side: Side, weights: &[f64], losses: &[Measured]| {
        let found = findings.layouts[side.index()].iter().zip(weights).zip(losses);
        found
            .map(|((found, &weight), &loss)| TableLayout {
                layout: found.layout.text(side),
                count: found.count,
                weight,
                loss,
            })
            .collect()
    };
    Ok(TableSummary {
        games: pairs.iter().flatten().map(|pairs| 2 * pairs.len() as u64).sum(),
        red_value,
        search_red_value: by_search(|cell| cell.red_value)?.map(|found| found.red_value),
        second_search_red_value: by_search(|cell| cell.second_red_value)?.map(|found| found.red_value),
        mixture_losses,
        red: side(Side::Red, &mixtures.red, &red_losses),
        black: side(Side::Black, &mixtures.black, &black_losses),
    })
}

fn against(findings: &Findings) -> Option<AgainstSummary> {
    let (given, table) = findings.against.as_ref()?;
    let results = findings.kept.tables.get(&table.name)?;
    let replies = if given.side == Side::Red { &table.black } else { &table.red };
    let reply = |(index, layout): (usize, &Layout)| {
        let cell = results.cell(given.cell(index))?;
        Some(Reply {
            layout: layout.text(given.side.other()),
            is_agents_own: index == 0,
            red_result: mean_of_pairs(cell.pairs.values())?,
            red_value: cell.red_value,
            second_red_value: cell.second_red_value,
        })
    };
    let mut replies: Vec<Reply> = replies.iter().enumerate().filter_map(reply).collect();
    let for_reply = |reply: &Reply| {
        if given.side == Side::Red { -reply.red_result.value } else { reply.red_result.value }
    };
    replies.sort_by(|one, other| for_reply(other).total_cmp(&for_reply(one)));
    Some(AgainstSummary { given: given.text.clone(), side: word(given.side), replies })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_the_interval_of_its_sample() {
        let found = mean(&[0.0, 1.0, 0.0, 1.0]);
        assert!((found.value - 0.5).abs() < 1e-12);
        // The sample's standard deviation is √(1/3), the error of the mean half of it.
        assert!((found.high - 0.5 - Z95 * (1.0_f64 / 3.0).sqrt() / 2.0).abs() < 1e-12, "{found:?}");
        assert_eq!(mean(&[0.25]), Measured { value: 0.25, low: 0.25, high: 0.25 });
    }
}
