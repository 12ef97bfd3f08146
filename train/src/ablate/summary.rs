//! What the arms of an experiment came to, with intervals over seeds.

use std::fmt::Write;

use heng_mcts::interval::student_quantile;
use serde::Serialize;

use super::duel::{Duel, against_first};

/// A point of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Positions that self-play had evaluated.
    pub evaluations: f64,
    /// The rating.
    pub elo: f64,
}

/// The curves of an arm, one a seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmCurves {
    /// The arm.
    pub name: String,
    /// By seed: its ratings, in order.
    pub curves: Vec<Vec<Point>>,
    /// Seconds of work of each seed.
    pub seconds: Vec<f64>,
}

/// A mean over seeds with its 95 % interval; the interval is missing for a single seed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub half_width: Option<f64>,
}

/// A point of an arm's mean curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanPoint {
    /// Mean number of evaluations.
    pub evaluations: f64,
    /// The rating over seeds.
    pub elo: Estimate,
}

/// What an arm came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmSummary {
    /// The arm.
    pub name: String,
    /// The mean curve: as many points as all its seeds have.
    pub curve: Vec<MeanPoint>,
    /// The last rating.
    pub last: Option<Estimate>,
    /// The mean over the curve, in which the errors of single ratings cancel.
    pub whole: Option<Estimate>,
    /// How much the mean over the curve is above the first arm's, seed by seed.
    pub above_first: Option<Estimate>,
    /// Points of its last network in games against the first arm's, in percent, a draw counted as one half.
    pub against_first: Option<Estimate>,
    /// Evaluations that its mean curve needs to reach the last rating of the first arm's, as a share of those of the first arm;
    /// missing if it does not get there.
    pub evaluations_share: Option<f64>,
    /// Mean seconds of work.
    pub seconds: f64,
}

/// The mean of numbers and its interval by Student's distribution.
pub(super) fn estimate(numbers: &[f64]) -> Option<Estimate> {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half_width = (numbers.len() > 1).then(|| student_quantile(numbers.len() - 1) * (variance / count).sqrt());
    (!numbers.is_empty()).then_some(Estimate { mean, half_width })
}

/// What the arms came to, each compared with the first.
pub(super) fn summarize(arms: &[ArmCurves], duels: &[Duel]) -> Vec<ArmSummary> {
    let first = arms.first();
    let first_curve = first.map(mean_curve).unwrap_or_default();
    let summary = |arm: &ArmCurves| {
        let curve = mean_curve(arm);
        let means = curve_means(arm);
        ArmSummary {
            name: arm.name.clone(),
            last: curve.last().map(|point| point.elo),
            whole: estimate(&means),
            above_first: first.filter(|first| first.name != arm.name).and_then(|first| {
                let pairs = means.iter().zip(curve_means(first)).map(|(own, first)| own - first);
                estimate(&pairs.collect::<Vec<_>>())
            }),
            against_first: against_first(&arm.name, duels),
            evaluations_share: first_curve.last().and_then(|goal| {
                let needed = |curve: &[MeanPoint]| evaluations_until(curve, goal.elo.mean);
                Some(needed(&curve)? / needed(&first_curve)?)
            }),
            seconds: arm.seconds.iter().sum::<f64>() / arm.seconds.len().max(1) as f64,
            curve,
        }
    };
    arms.iter().map(summary).collect()
}

/// For each seed the mean of its ratings.
fn curve_means(arm: &ArmCurves) -> Vec<f64> {
    let mean = |curve: &Vec<Point>| curve.iter().map(|point| point.elo).sum::<f64>() / curve.len() as f64;
    arm.curves.iter().filter(|curve| !curve.is_empty()).map(mean).collect()
}

fn mean_curve(arm: &ArmCurves) -> Vec<MeanPoint> {
    let length = arm.curves.iter().map(Vec::len).min().unwrap_or(0);
    let point = |index: usize| {
        let of = |value: fn(&Point) -> f64| arm.curves.iter().map(|curve| value(&curve[index])).collect::<Vec<_>>();
        let evaluations = estimate(&of(|point| point.evaluations))?.mean;
        Some(MeanPoint { evaluations, elo: estimate(&of(|point| point.elo))? })
    };
    (0..length).filter_map(point).collect()
}

/// Where the curve first reaches `elo`, on straight lines between its points.
fn evaluations_until(curve: &[MeanPoint], elo: f64) -> Option<f64> {
    let index = curve.iter().position(|point| point.elo.mean >= elo)?;
    let end = &curve[index];
    let Some(start) = index.checked_sub(1).map(|before| &curve[before]) else { return Some(end.evaluations) };
    let part = (elo - start.elo.mean) / (end.elo.mean - start.elo.mean);
    Some(start.evaluations + part * (end.evaluations - start.evaluations))
}

/// The summaries as a table in Markdown; without ratings it has no columns for them.
pub(super) fn table(arms: &[ArmSummary], seeds: usize) -> String {
    let is_rated = arms.iter().any(|arm| arm.last.is_some());
    let mut header = vec!["arm", "points against the first arm"];
    if is_rated {
        header.extend(RATING_COLUMNS);
    }
    header.push("minutes");
    let rule = vec!["---"; header.len()];
    let mut rows = vec![row(&header), row(&rule)];
    rows.extend(arms.iter().map(|arm| {
        let mut cells = vec![format!("`{}`", arm.name.replace('|', "\\|"))];
        cells.push(arm.against_first.map_or_else(missing, |estimate| estimate.percent()));
        if is_rated {
            cells.extend(rating_cells(arm));
        }
        cells.push(format!("{:.1}", arm.seconds / 60.0));
        row(&cells)
    }));
    let what = if is_rated { "Points in percent, ratings in Elo on the ladder" } else { "Points in percent" };
    let over = match seeds {
        1 => "1 seed, without intervals".to_owned(),
        _ => format!("{seeds} seeds ± 95 % (Student's distribution)"),
    };
    format!("{}\n\n{what}, mean of {over}.", rows.join("\n"))
}

/// What ratings add to the table.
const RATING_COLUMNS: [&str; 4] =
    ["last rating", "mean over the curve", "above the first arm", "evaluations to the first arm's last rating"];

fn rating_cells(arm: &ArmSummary) -> [String; 4] {
    let number = |estimate: Option<Estimate>| estimate.map_or_else(missing, |estimate| estimate.text());
    let share = arm.evaluations_share.map_or_else(|| "not reached".to_owned(), |share| format!("{share:.2} ×"));
    [number(arm.last), number(arm.whole), number(arm.above_first), share]
}

fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}

fn missing() -> String {
    "-".to_owned()
}

impl Estimate {
    fn percent(&self) -> String {
        match self.half_width {
            Some(half_width) => format!("{:.1} % ± {half_width:.1}", self.mean),
            None => format!("{:.1} %", self.mean),
        }
    }

    fn text(&self) -> String {
        match self.half_width {
            Some(half_width) => format!("{:+.0} ± {half_width:.0}", self.mean),
            None => format!("{:+.0}", self.mean),
        }
    }
}

/// All ratings as CSV: one row a rating.
pub(super) fn csv(arms: &[ArmCurves], first_seed: u64) -> String {
    let mut out = "arm,seed,evaluations,elo\n".to_owned();
    for arm in arms {
        for (index, curve) in arm.curves.iter().enumerate() {
            for point in curve {
                let (name, seed) = (arm.name.replace('"', "\"\""), first_seed + index as u64);
                // Writing into a String cannot fail.
                let _ = writeln!(out, "\"{name}\",{seed},{},{}", point.evaluations, point.elo);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(name: &str, curves: &[&[(f64, f64)]]) -> ArmCurves {
        let point = |&(evaluations, elo): &(f64, f64)| Point { evaluations, elo };
        let curves: Vec<Vec<Point>> = curves.iter().map(|curve| curve.iter().map(point).collect()).collect();
        ArmCurves { name: name.to_owned(), seconds: vec![60.0; curves.len()], curves }
    }

    #[test]
    fn means_and_intervals_are_those_of_students_distribution() {
        // Mean 2, standard deviation 1: 4.303 / √3.
        let Estimate { mean, half_width } = estimate(&[1.0, 2.0, 3.0]).unwrap();
        assert!((mean - 2.0).abs() < 1e-12 && (half_width.unwrap() - 2.484).abs() < 1e-3);
        assert_eq!(estimate(&[5.0]), Some(Estimate { mean: 5.0, half_width: None }));
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn an_arm_that_learns_twice_as_fast_needs_half_the_evaluations() {
        let slow = arm("slow", &[&[(100.0, 100.0), (200.0, 200.0)], &[(100.0, 110.0), (200.0, 190.0)]]);
        let fast = arm("fast", &[&[(100.0, 195.0), (200.0, 300.0)], &[(100.0, 195.0), (200.0, 320.0)]]);
        let weak = arm("weak", &[&[(100.0, 0.0)], &[]]);
        let duel =
            |seed, wins| Duel { arm: "fast".to_owned(), seed, simulations: 64, wins, draws: 2, losses: 9 - wins };
        let duels = [duel(1, 7), duel(2, 8)];
        let [slow, fast, weak] = summarize(&[slow, fast, weak], &duels).try_into().unwrap();
        assert_eq!(slow.evaluations_share, Some(1.0));
        let share = fast.evaluations_share.unwrap();
        // 195 at 100 and 310 at 200: 195 is reached after 100 of 200.
        assert!((share - 0.5).abs() < 1e-9, "{share}");
        assert_eq!(slow.last.unwrap().mean, 195.0);
        assert_eq!(fast.above_first.unwrap().mean, (247.5 - 150.0 + 257.5 - 150.0) / 2.0);
        assert_eq!((slow.above_first, weak.evaluations_share, weak.last), (None, None, None));
        let text = table(&[slow, fast, weak], 2);
        assert!(
            text.contains("| `fast` | 77.3 % ± 57.8 | +310 ± 127 | +252 ± 64 | +102 ± 64 | 0.50 × | 1.0 |"),
            "{text}"
        );
        assert!(text.contains("| `weak` | - | - | +0 | -150 | not reached | 1.0 |"), "{text}");
        assert!(
            text.ends_with("ratings in Elo on the ladder, mean of 2 seeds ± 95 % (Student's distribution)."),
            "{text}"
        );
    }

    #[test]
    fn without_ratings_the_table_has_no_columns_for_them() {
        let arms = [arm("slow", &[&[]]), arm("fast", &[&[]])];
        let duel = Duel { arm: "fast".to_owned(), seed: 1, simulations: 64, wins: 7, draws: 2, losses: 1 };
        let text = table(&summarize(&arms, &[duel]), 1);
        let expected = "| arm | points against the first arm | minutes |\n| --- | --- | --- |\n| `slow` | - | 1.0 |\n\
                        | `fast` | 80.0 % | 1.0 |\n\nPoints in percent, mean of 1 seed, without intervals.";
        assert_eq!(text, expected);
    }

    #[test]
    fn every_rating_is_a_row() {
        let text = csv(&[arm("a \"b\"", &[&[(1.0, 2.5)], &[(3.0, -4.0)]])], 7);
        assert_eq!(text, "arm,seed,evaluations,elo\n\"a \"\"b\"\"\",7,1,2.5\n\"a \"\"b\"\"\",8,3,-4\n");
    }
}
