//! The summary: the findings in numbers, as JSON and on one screen.

use std::io::{self, Write};

use serde::Serialize;

use super::findings::{
    BudgetSummary, DECISIVE, EVEN, Findings, FirstTurnSummary, GamesSummary, GroupSummary, LOPSIDED, Named,
    PiecesSummary, ProofSummary, ValueSummary,
};
use crate::signed::signed;
use crate::studies::folder::StudySettings;

/// The option that says how many set-ups are studied, and its value for all of them.
pub(super) const SETUPS_OPTION: &str = "setups";
pub(super) const ALL_SETUPS: &str = "all";

/// The version of `summary.json`.
const FORMAT: u32 = 1;

/// Set-ups that are named of each kind.
pub(super) const NAMED: usize = 6;

/// What was found, in numbers. Values are those of red, from -1 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Summary {
    format: u32,
    #[serde(flatten)]
    pub(super) settings: StudySettings,
    /// Set-ups up to the mirror.
    pub(super) classes: usize,
    pub(super) values: ValueSummary,
    pub(super) budgets: BudgetSummary,
    /// Null if nothing was played.
    pub(super) games: Option<GamesSummary>,
    /// Null where there are too few set-ups.
    pub(super) pieces: Option<PiecesSummary>,
    pub(super) groups: Vec<GroupSummary>,
    /// Null if the agent compares no turns.
    pub(super) first_turns: Option<FirstTurnSummary>,
    pub(super) proofs: ProofSummary,
    pub(super) fairest: Vec<Named>,
    pub(super) best_for_red: Vec<Named>,
    pub(super) best_for_black: Vec<Named>,
}

impl Summary {
    /// Of findings; none if no set-up was studied.
    pub(super) fn new<G>(settings: &StudySettings, findings: &Findings<'_, G>) -> Option<Summary> {
        let named = |indices: Vec<usize>| indices.into_iter().map(|index| findings.named(index)).collect();
        Some(Summary {
            format: FORMAT,
            settings: settings.clone(),
            classes: findings.set_ups.len(),
            values: findings.values(&findings.everything())?,
            budgets: findings.budgets(),
            games: findings.games(),
            pieces: findings
                .pieces
                .as_ref()
                .map(|fit| PiecesSummary { r_squared: fit.r_squared, residual_deviation: fit.residual_deviation }),
            groups: findings.groups(),
            first_turns: findings.first_turns(),
            proofs: findings.proofs(),
            fairest: named(fairest(findings)),
            best_for_red: named(best_for_red(findings)),
            best_for_black: named(best_for_black(findings)),
        })
    }
}

impl Summary {
    /// Whether only some of the set-ups were studied.
    pub(super) fn is_sample(&self) -> bool {
        self.settings.options.get(SETUPS_OPTION).is_some_and(|setups| setups != ALL_SETUPS)
    }
}

/// Close to 0 within both budgets.
pub(super) fn fairest<G>(findings: &Findings<'_, G>) -> Vec<usize> {
    findings.least(NAMED, |first, second| first.abs().max(second.abs()))
}

/// Good for red within both budgets.
pub(super) fn best_for_red<G>(findings: &Findings<'_, G>) -> Vec<usize> {
    findings.least(NAMED, |first, second| -first.min(second))
}

/// Good for black within both budgets.
pub(super) fn best_for_black<G>(findings: &Findings<'_, G>) -> Vec<usize> {
    findings.least(NAMED, f64::max)
}

/// A share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Prints the summary on one screen.
pub(super) fn write_text(summary: &Summary, folder: &str, out: &mut dyn Write) -> io::Result<()> {
    let Summary { settings, values, budgets, proofs, .. } = summary;
    writeln!(
        out,
        "{} set-ups of {} ({} up to the mirror), by {}, {} each, checked with {}, seed {}\n",
        values.set_ups,
        settings.variant,
        summary.classes,
        settings.agent,
        settings.budget,
        settings.second_budget,
        settings.seed
    )?;
    let line = |out: &mut dyn Write, name: &str, text: String| writeln!(out, "{name:<16}{text}");
    let spread = format!("spread {:.2} (standard deviation over set-ups)", values.deviation);
    line(out, "value for red", format!("{} on average, {spread}", signed(values.mean)))?;
    let shares = [values.better_for_red, values.even, values.lopsided].map(percent);
    let [red, even, lopsided] = &shares;
    line(
        out,
        "fairness",
        format!("{red} better for red, {even} even (within {EVEN}), {lopsided} lopsided ({LOPSIDED} or more)"),
    )?;
    let certain = format!("{} won by red, {} by black, {} drawn", proofs.red_wins, proofs.black_wins, proofs.draws);
    line(out, "proven", certain)?;
    line(out, "second budget", budgets_in_words(budgets))?;
    if let Some(games) = &summary.games {
        let GamesSummary { red_wins, draws, black_wins, mean_result, .. } = games;
        line(
            out,
            "games",
            format!(
                "{} from {} set-ups: red won {red_wins}, drew {draws}, lost {black_wins}",
                games.games, games.set_ups
            ),
        )?;
        let (low, high) = (signed(mean_result.low), signed(mean_result.high));
        line(out, "", format!("mean result for red {} (95 %: {low} to {high})", signed(mean_result.value)))?;
        line(out, "prediction", prediction_in_words(games))?;
    }
    if let Some(pieces) = &summary.pieces {
        let share = percent(pieces.r_squared);
        line(out, "pieces", format!("a sum over pieces and squares explains {share} of the variance of values"))?;
    }
    if let Some(turns) = &summary.first_turns {
        let (share, margin) = (percent(turns.decisive), turns.mean_margin);
        line(
            out,
            "first turn",
            format!("decides in {share} of the set-ups (best by {DECISIVE} or more), {margin:.2} on average"),
        )?;
    }
    for (name, set_ups) in [
        ("fairest", &summary.fairest),
        ("best for red", &summary.best_for_red),
        ("best for black", &summary.best_for_black),
    ] {
        if let Some(first) = set_ups.first() {
            line(out, name, format!("{} ({})", first.fen, signed(first.red_value)))?;
        }
    }
    writeln!(out, "\nwrote {folder}/report.html and the tables beside it")
}

/// How far values moved.
pub(super) fn budgets_in_words(budgets: &BudgetSummary) -> String {
    let ranks = budgets.rank_correlation.map_or_else(String::new, |ranks| format!(", rank correlation {ranks:.2}"));
    let (moved, shift) = (budgets.mean_absolute_difference, signed(budgets.mean_difference));
    let changed = percent(budgets.sign_changes);
    format!("values move by {moved:.2} ({shift} for red on average), {changed} change sides{ranks}")
}

/// How well values predict results.
pub(super) fn prediction_in_words(games: &GamesSummary) -> String {
    let found = games.correlation.map_or_else(String::new, |found| {
        format!("correlation {:.2} (95 %: {:.2} to {:.2}), ", found.value, found.low, found.high)
    });
    let (error, constant) = (games.squared_error, games.squared_error_of_mean);
    format!("{found}squared error {error:.2} against {constant:.2} of the mean result for every set-up")
}
