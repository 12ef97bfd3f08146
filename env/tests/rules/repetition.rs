//! Judged repetitions of Xiangqi: what the third occurrence of a position means (RULES 2).

use std::fs;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Reason, Variant};

use crate::{data_path, variant};

/// Plays a row's moves; returns the verdict at the end, or where the game ended before.
struct Play<'a> {
    position: &'a str,
    moves: &'a str,
}

impl VariantVisitor for &Play<'_> {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        let mut game = G::from_fen(&rules, self.position).unwrap_or_else(|error| panic!("{}: {error}", self.position));
        let moves: Vec<&str> = self.moves.split(' ').collect();
        for (index, text) in moves.iter().enumerate() {
            if let Some(outcome) = game.outcome() {
                return format!("{} after {index} of {} moves", outcome.reason.name(), moves.len());
            }
            let action = game.parse_step(text).unwrap_or_else(|error| panic!("{} {text}: {error}", self.position));
            game.apply(action);
        }
        let Some(outcome) = game.outcome() else { return "ongoing".to_owned() };
        let reasons = [Reason::Repetition, Reason::PerpetualCheck, Reason::PerpetualChase];
        assert!(reasons.contains(&outcome.reason), "{} {:?}", self.position, outcome);
        outcome.winner.map_or("draw", G::side_name).to_owned()
    }
}

/// The rows of a file on which the verdict differs, with what was found, and the number of all rows.
fn differences(file: &str) -> (Vec<String>, usize) {
    let text = fs::read_to_string(data_path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut different = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, position, moves, expected] = fields.as_slice() else { panic!("{file}: `{line}`") };
        let found = variant(name).dispatch(&Play { position, moves });
        if found != expected {
            different.push(format!("{line}: found {found}"));
        }
    }
    (different, text.lines().count())
}

fn check(file: &str, least: usize) {
    let (different, count) = differences(file);
    assert!(count >= least, "{file} has {count} rows");
    assert!(different.is_empty(), "{} of {count} rows:\n{}", different.len(), different.join("\n"));
}

#[test]
fn published_repetitions_are_judged_as_published() {
    check("repetition.tsv", 16);
}

#[test]
fn other_repetitions_are_judged_as_the_common_engines_judge_them() {
    check("repetition_peer.tsv", 500);
}

/// The engines call these games draws, as they ask for a chase of the move too that first led to the position. The rule book
/// asks it of the moves since then.
#[test]
fn a_move_before_the_first_occurrence_does_not_count() {
    check("repetition_entered.tsv", 30);
}
