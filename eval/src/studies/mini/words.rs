//! What was found, in plain words.

use heng_env::{Notation, Side};

use super::findings::{EVEN, GamesSummary, LOPSIDED};
use super::search::RedProof;
use super::summary::{Summary, budgets_in_words, percent};
use crate::report::number::grouped;
use crate::signed::signed;

/// A mean value up to this, for either side, is called next to nothing.
const NOTHING: f64 = 0.02;

/// What a side is called at the beginning of a title.
pub(super) fn side_name<G: Notation>(side: Side) -> String {
    let name = G::side_name(side);
    name[..1].to_uppercase() + &name[1..]
}

/// A kind of piece in words.
pub(super) fn kind(letter: char) -> String {
    match letter {
        'R' => "rook (R)".to_owned(),
        'N' => "knight (N)".to_owned(),
        'C' => "cannon (C)".to_owned(),
        other => other.to_string(),
    }
}

/// A certain result.
pub(super) fn proof(proof: RedProof) -> String {
    let result = match proof.red_result {
        0 => return "proven draw".to_owned(),
        1 => "red wins",
        _ => "black wins",
    };
    let unit = match (proof.in_turns, proof.distance) {
        (true, 1) => "turn",
        (true, _) => "turns",
        (false, 1) => "step",
        (false, _) => "steps",
    };
    format!("proven: {result} in {} {unit}", proof.distance)
}

/// What stands on top of the page.
pub(super) fn found(summary: &Summary) -> Vec<String> {
    let values = &summary.values;
    let worth = match values.mean {
        // Where the effort of the search matters more than the move, the values do not tell.
        mean if mean.abs() <= summary.budgets.mean_difference.abs() => "of unclear worth",
        mean if mean > NOTHING => "an advantage",
        mean if mean < -NOTHING => "a disadvantage",
        _ => "worth next to nothing",
    };
    let spread = match values.deviation > values.mean.abs() {
        true => "The set-up matters more",
        false => "The set-up matters less",
    };
    let which = if summary.is_sample() { "a random sample of " } else { "" };
    let mut words = vec![
        format!(
            "Moving first is {worth} by these values: over {which}{} set-ups ({} up to the mirror) {} expects {} for \
             red on average, where 1 is a win and -1 a loss. {spread}: values spread by {:.2} around that.",
            grouped(values.set_ups as u64),
            grouped(summary.classes as u64),
            summary.settings.agent,
            signed(values.mean),
            values.deviation
        ),
        format!(
            "{} of the set-ups are better for red, {} are even (within {EVEN} of 0), {} lopsided ({LOPSIDED} or more \
             for either side). {} are proven wins for red, {} for black.",
            percent(values.better_for_red),
            percent(values.even),
            percent(values.lopsided),
            grouped(summary.proofs.red_wins as u64),
            grouped(summary.proofs.black_wins as u64)
        ),
    ];
    words.extend(summary.games.as_ref().map(games));
    words.push(format!(
        "How sure is this? With {} in place of {} {}. All values are those of one agent: a stronger one may see \
         other things.",
        summary.settings.second_budget,
        summary.settings.budget,
        budgets_in_words(&summary.budgets)
    ));
    words
}

fn games(games: &GamesSummary) -> String {
    let result = &games.mean_result;
    let better = games.squared_error < games.squared_error_of_mean;
    let predicts = if better { "predict results better than" } else { "do not predict results better than" };
    format!(
        "In {} games of the agent against itself red scored {} on average (95 % interval {} to {}). The values \
         {predicts} the mean of all games would (squared error {:.2} against {:.2}).",
        grouped(games.games as u64),
        signed(result.value),
        signed(result.low),
        signed(result.high),
        games.squared_error,
        games.squared_error_of_mean
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_said_in_words() {
        for (red_result, distance, in_turns, words) in [
            (1, 1, true, "proven: red wins in 1 turn"),
            (-1, 8, false, "proven: black wins in 8 steps"),
            (0, 3, false, "proven draw"),
        ] {
            assert_eq!(proof(RedProof { red_result, distance, in_turns }), words);
        }
    }
}
