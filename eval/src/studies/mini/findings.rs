//! What the work shows: every number of the summary, which the tables let one compute again.

use std::collections::BTreeMap;

use heng_mcts::interval::student_quantile;
use serde::Serialize;

use super::games::Played;
use super::pieces::{PieceFit, fit};
use super::search::Searched;
use super::setups::SetUp;
use super::work::Done;
use crate::stats::{Correlation, Z95, correlation, ranks, wilson_interval};

/// From this value on, for either side, a set-up is called lopsided.
pub(super) const LOPSIDED: f64 = 0.5;
/// Up to this value a set-up is called even.
pub(super) const EVEN: f64 = 0.1;
/// From this margin on, the best first turn decides: it is worth that much more than any that begins with another step.
pub(super) const DECISIVE: f64 = 0.3;

/// A number with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Measured {
    pub(super) value: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The values of a group of set-ups for red, each image counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ValueSummary {
    /// Set-ups, each image counted.
    pub(super) set_ups: usize,
    pub(super) mean: f64,
    /// Their standard deviation.
    pub(super) deviation: f64,
    pub(super) mean_absolute: f64,
    /// Shares of them.
    pub(super) better_for_red: f64,
    pub(super) even: f64,
    pub(super) lopsided: f64,
}

/// How values within the second budget differ from those within the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct BudgetSummary {
    pub(super) mean_difference: f64,
    pub(super) mean_absolute_difference: f64,
    /// Spearman's, over set-ups up to the mirror; none if all values are the same.
    pub(super) rank_correlation: Option<f64>,
    /// The share that changed from better for one side to better for the other.
    pub(super) sign_changes: f64,
}

/// What games say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GamesSummary {
    /// Set-ups that were played from.
    pub(super) set_ups: usize,
    pub(super) games: usize,
    pub(super) red_wins: usize,
    pub(super) draws: usize,
    pub(super) black_wins: usize,
    pub(super) mean_turns: f64,
    /// The mean result for red over all set-ups, by strata.
    pub(super) mean_result: Measured,
    /// Of the value of a set-up with the mean result of its games; none if one of them does not vary.
    pub(super) correlation: Option<Correlation>,
    /// The mean squared difference between the value and the result of a game …
    pub(super) squared_error: f64,
    /// … and between the mean of all results and the result.
    pub(super) squared_error_of_mean: f64,
    /// Set-ups whose value lies within the interval of their games.
    pub(super) inside: usize,
}

/// The games from the set-ups of one stratum.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stratum {
    pub(super) set_ups: usize,
    pub(super) games: usize,
    pub(super) mean_value: f64,
    pub(super) result: Measured,
}

/// A symmetry and the set-ups that have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GroupSummary {
    pub(super) group: &'static str,
    #[serde(flatten)]
    pub(super) values: ValueSummary,
}

/// How much the first turn matters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct FirstTurnSummary {
    /// Set-ups of which both turns are known, each image counted.
    pub(super) set_ups: usize,
    pub(super) mean_margin: f64,
    /// The share in which the first turn decides.
    pub(super) decisive: f64,
}

/// Set-ups whose result is certain within the first budget, each image counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct ProofSummary {
    pub(super) red_wins: usize,
    pub(super) draws: usize,
    pub(super) black_wins: usize,
}

/// How well a sum over pieces tells the value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct PiecesSummary {
    pub(super) r_squared: f64,
    pub(super) residual_deviation: f64,
}

/// A set-up and its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Named {
    pub(super) fen: String,
    pub(super) red_value: f64,
    /// Within the second budget.
    pub(super) second_red_value: f64,
}

/// All that is known of the studied set-ups.
pub(super) struct Findings<'a, G> {
    pub(super) set_ups: &'a [SetUp<G>],
    pub(super) done: &'a Done,
    /// Places of set-ups that games were played from, by strata.
    pub(super) strata: Vec<Vec<usize>>,
    pub(super) pieces: Option<PieceFit>,
}

impl<'a, G> Findings<'a, G> {
    /// Of work that is finished.
    pub(super) fn new(set_ups: &'a [SetUp<G>], done: &'a Done, strata: Vec<Vec<usize>>, files: usize) -> Self {
        let values: Vec<f64> = (0..set_ups.len()).map(|index| done.searches[0][&index].red_value).collect();
        let pieces = fit(&set_ups.iter().collect::<Vec<_>>(), &values, files);
        Findings { set_ups, done, strata, pieces }
    }

    pub(super) fn searched(&self, index: usize) -> &Searched {
        &self.done.searches[0][&index]
    }

    pub(super) fn value(&self, index: usize) -> f64 {
        self.searched(index).red_value
    }

    /// The value within the second budget.
    pub(super) fn second_value(&self, index: usize) -> f64 {
        self.done.searches[1][&index].red_value
    }

    fn copies(&self, index: usize) -> f64 {
        self.set_ups[index].copies as f64
    }

    /// The mean of `number` over set-ups, each image counted.
    fn mean(&self, indices: &[usize], number: impl Fn(usize) -> f64) -> f64 {
        let weight: f64 = indices.iter().map(|&index| self.copies(index)).sum();
        indices.iter().map(|&index| self.copies(index) * number(index)).sum::<f64>() / weight
    }

    pub(super) fn everything(&self) -> Vec<usize> {
        (0..self.set_ups.len()).collect()
    }

    /// The values of a group; none if it is empty.
    pub(super) fn values(&self, indices: &[usize]) -> Option<ValueSummary> {
        if indices.is_empty() {
            return None;
        }
        let share = |is: &dyn Fn(f64) -> bool| self.mean(indices, |index| f64::from(u8::from(is(self.value(index)))));
        let mean = self.mean(indices, |index| self.value(index));
        Some(ValueSummary {
            set_ups: indices.iter().map(|&index| self.set_ups[index].copies).sum(),
            mean,
            deviation: self.mean(indices, |index| (self.value(index) - mean).powi(2)).sqrt(),
            mean_absolute: self.mean(indices, |index| self.value(index).abs()),
            better_for_red: share(&|value| value > 0.0),
            even: share(&|value| value.abs() <= EVEN),
            lopsided: share(&|value| value.abs() >= LOPSIDED),
        })
    }

    pub(super) fn budgets(&self) -> BudgetSummary {
        let all = self.everything();
        let difference = |index: usize| self.second_value(index) - self.value(index);
        let first: Vec<f64> = all.iter().map(|&index| self.value(index)).collect();
        let second: Vec<f64> = all.iter().map(|&index| self.second_value(index)).collect();
        let pairs: Vec<(f64, f64)> = ranks(&first).into_iter().zip(ranks(&second)).collect();
        BudgetSummary {
            mean_difference: self.mean(&all, difference),
            mean_absolute_difference: self.mean(&all, |index| difference(index).abs()),
            rank_correlation: correlation(&pairs).map(|found| found.value),
            sign_changes: self
                .mean(&all, |index| f64::from(u8::from(self.value(index) * self.second_value(index) < 0.0))),
        }
    }

    /// Symmetric set-ups and the others.
    pub(super) fn groups(&self) -> Vec<GroupSummary> {
        type Is<G> = fn(&SetUp<G>) -> bool;
        let groups: [(&str, Is<G>); 5] = [
            ("all", |_| true),
            ("its own mirror image", SetUp::is_mirror_image),
            ("same layout, like facing like", |set_up| set_up.is_facing),
            ("same layout, turned half round", |set_up| set_up.is_turned),
            ("none of these", |set_up| !set_up.is_mirror_image() && !set_up.is_facing && !set_up.is_turned),
        ];
        let summary = |(group, is): (&'static str, Is<G>)| {
            let members: Vec<usize> = self.everything().into_iter().filter(|&index| is(&self.set_ups[index])).collect();
            Some(GroupSummary { group, values: self.values(&members)? })
        };
        groups.into_iter().filter_map(summary).collect()
    }

    pub(super) fn first_turns(&self) -> Option<FirstTurnSummary> {
        let margin = |index: usize| self.searched(index).margin();
        let known: Vec<usize> = self.everything().into_iter().filter(|&index| margin(index).is_some()).collect();
        let margin = |index: usize| margin(index).unwrap_or_default();
        (!known.is_empty()).then(|| FirstTurnSummary {
            set_ups: known.iter().map(|&index| self.set_ups[index].copies).sum(),
            mean_margin: self.mean(&known, margin),
            decisive: self.mean(&known, |index| f64::from(u8::from(margin(index) >= DECISIVE))),
        })
    }

    /// Set-ups by their certain result and its distance, each image counted: `(red_result, distance, in_turns)`.
    pub(super) fn proof_counts(&self) -> BTreeMap<(i8, u32, bool), usize> {
        let mut counts = BTreeMap::new();
        for (index, set_up) in self.set_ups.iter().enumerate() {
            if let Some(proof) = self.searched(index).proof {
                *counts.entry((proof.red_result, proof.distance, proof.in_turns)).or_default() += set_up.copies;
            }
        }
        counts
    }

    pub(super) fn proofs(&self) -> ProofSummary {
        let mut summary = ProofSummary::default();
        for ((red_result, ..), count) in self.proof_counts() {
            match red_result {
                0 => summary.draws += count,
                1 => summary.red_wins += count,
                _ => summary.black_wins += count,
            }
        }
        summary
    }

    pub(super) fn named(&self, index: usize) -> Named {
        Named {
            fen: self.set_ups[index].fen.clone(),
            red_value: self.value(index),
            second_red_value: self.second_value(index),
        }
    }

    /// The set-ups for which `badness`, of the values within both budgets, is least.
    pub(super) fn least(&self, count: usize, badness: impl Fn(f64, f64) -> f64) -> Vec<usize> {
        let mut order = self.everything();
        let key = |&index: &usize| badness(self.value(index), self.second_value(index));
        let distance = |index: &usize| self.searched(*index).proof.map_or(u32::MAX, |proof| proof.distance);
        order.sort_by(|one, other| key(one).total_cmp(&key(other)).then(distance(one).cmp(&distance(other))));
        order.truncate(count);
        order
    }

    /// What the games of a set-up say of it.
    pub(super) fn result(&self, index: usize) -> Measured {
        let games = &self.done.games[&index];
        let value = mean(games.iter().map(result_of));
        from_share(value, games.len())
    }

    pub(super) fn strata(&self) -> Vec<Stratum> {
        let stratum = |members: &Vec<usize>| {
            let means: Vec<f64> = members.iter().map(|&index| self.result(index).value).collect();
            Stratum {
                set_ups: members.len(),
                games: members.iter().map(|index| self.done.games[index].len()).sum(),
                mean_value: mean(members.iter().map(|&index| self.value(index))),
                result: of_means(&means),
            }
        };
        self.strata.iter().filter(|members| !members.is_empty()).map(stratum).collect()
    }

    /// None if nothing was played.
    pub(super) fn games(&self) -> Option<GamesSummary> {
        let sample: Vec<usize> = self.strata.iter().flatten().copied().collect();
        let games: Vec<(usize, &Played)> =
            sample.iter().flat_map(|&index| self.done.games[&index].iter().map(move |game| (index, game))).collect();
        if games.is_empty() {
            return None;
        }
        let count = |result: i8| games.iter().filter(|(_, game)| game.red_result == result).count();
        let all = mean(games.iter().map(|(_, game)| result_of(game)));
        let pairs: Vec<(f64, f64)> =
            sample.iter().map(|&index| (self.value(index), self.result(index).value)).collect();
        let is_inside = |index: &&usize| {
            let Measured { low, high, .. } = self.result(**index);
            (low..=high).contains(&self.value(**index))
        };
        Some(GamesSummary {
            set_ups: sample.len(),
            games: games.len(),
            red_wins: count(1),
            draws: count(0),
            black_wins: count(-1),
            mean_turns: mean(games.iter().map(|(_, game)| game.turns as f64)),
            mean_result: self.mean_result(),
            correlation: correlation(&pairs),
            squared_error: mean(games.iter().map(|&(index, game)| (result_of(game) - self.value(index)).powi(2))),
            squared_error_of_mean: mean(games.iter().map(|(_, game)| (result_of(game) - all).powi(2))),
            inside: sample.iter().filter(is_inside).count(),
        })
    }

    /// The mean over strata, which hold as many set-ups each, with the error of a stratified sample (Cochran, Sampling Techniques,
    /// 1977, section 5.3), or of a simple one where a stratum has a single set-up.
    fn mean_result(&self) -> Measured {
        let strata: Vec<Vec<f64>> = self
            .strata
            .iter()
            .filter(|members| !members.is_empty())
            .map(|members| members.iter().map(|&index| self.result(index).value).collect())
            .collect();
        let count = strata.len() as f64;
        let value = mean(strata.iter().map(|means| mean(means.iter().copied())));
        if strata.iter().any(|means| means.len() < 2) {
            let means: Vec<f64> = strata.concat();
            let Measured { low, high, value: simple } = of_means(&means);
            return Measured { value, low: (low - simple + value).max(-1.0), high: (high - simple + value).min(1.0) };
        }
        let square: f64 = strata.iter().map(|means| variance(means) / means.len() as f64).sum::<f64>() / count.powi(2);
        let degrees = strata.iter().map(|means| means.len() - 1).sum();
        let half = student_quantile(degrees) * square.sqrt();
        Measured { value, low: (value - half).max(-1.0), high: (value + half).min(1.0) }
    }
}

fn result_of(game: &Played) -> f64 {
    f64::from(game.red_result)
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0_usize), |(sum, count), number| (sum + number, count + 1));
    sum / count.max(1) as f64
}

fn variance(numbers: &[f64]) -> f64 {
    let center = mean(numbers.iter().copied());
    numbers.iter().map(|number| (number - center).powi(2)).sum::<f64>() / (numbers.len() as f64 - 1.0)
}

/// A mean result from -1 to 1 of so many trials with Wilson's interval, as if it were a share of wins: draws make it too wide,
/// never too narrow.
fn from_share(value: f64, trials: usize) -> Measured {
    let (low, high) = wilson_interval((1.0 + value) / 2.0, trials as f64, Z95);
    Measured { value, low: 2.0 * low - 1.0, high: 2.0 * high - 1.0 }
}

/// The mean of set-ups' mean results, with Student's interval over set-ups; Wilson's where they are all the same.
fn of_means(means: &[f64]) -> Measured {
    let value = mean(means.iter().copied());
    if means.len() < 2 || variance(means) < 1e-12 {
        return from_share(value, means.len());
    }
    let half = student_quantile(means.len() - 1) * (variance(means) / means.len() as f64).sqrt();
    Measured { value, low: (value - half).max(-1.0), high: (value + half).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_a_width_even_where_all_results_are_the_same() {
        let certain = of_means(&[1.0; 5]);
        assert!(certain.value == 1.0 && certain.high == 1.0 && (0.0..0.5).contains(&certain.low), "{certain:?}");
        let found = of_means(&[0.1, 0.3, 0.2]);
        assert!((found.value - 0.2).abs() < 1e-12 && (found.high - 0.2 - 4.303 * 0.1 / 3_f64.sqrt()).abs() < 1e-9);
        let games = from_share(0.0, 16);
        assert!((games.low + games.high).abs() < 1e-12 && games.high > 0.4 && games.high < 0.5, "{games:?}");
    }
}
