//! Every row of the test vectors, for each registered variant.

use std::fs;

use heng_env::notation::every_turn;
use heng_env::perft::{divide, perft};
use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Variant};

use crate::data_path;

/// Counts above this are left to release builds by hand.
const PERFT_NODES_MAX: u64 = 6_000_000;

/// More turns than any row has.
const TURNS_MAX: usize = 1_000_000;

/// A row of one of the files, without its variant.
struct Row<'a> {
    file: &'a str,
    fields: Vec<&'a str>,
}

impl VariantVisitor for &Row<'_> {
    type Output = ();

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) {
        let text = self.fields[0];
        let place = format!("{}, {variant}, `{text}`", self.file);
        let read = |text: &str| {
            let game = G::from_fen(&rules, text).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(game.fen(), text, "{place}");
            game.without_draw_rules()
        };
        let mut game = read(text);
        match self.file {
            "perft.tsv" => check_perft(&game, self.fields[1], &place),
            "legal.tsv" => assert_eq!(steps(&game), self.fields[1], "{place}"),
            "apply.tsv" => {
                let step = game.parse_step(self.fields[1]).unwrap_or_else(|error| panic!("{place}: {error}"));
                game.apply(step);
                assert_eq!(game.fen(), self.fields[2], "{place}");
                assert_eq!(game.outcome(), read(self.fields[2]).outcome(), "{place}");
            }
            "result.tsv" => {
                let result = match game.outcome() {
                    None => "ongoing",
                    Some(outcome) => outcome.winner.map_or("draw", G::side_name),
                };
                assert_eq!(result, self.fields[1], "{place}");
            }
            _ => check_turns(&game, self.fields[1], &place),
        }
    }
}

fn check_perft<G: Notation>(game: &G, counts: &str, place: &str) {
    for (depth, count) in (1..).zip(counts.split_whitespace()) {
        let expected: u64 = count.parse().expect("a count");
        if expected <= PERFT_NODES_MAX {
            assert_eq!(perft(game, depth), expected, "{place}, depth {depth}");
        }
    }
    assert_eq!(divide(game, 2).iter().map(|&(_, count)| count).sum::<u64>(), perft(game, 2), "{place}, divided");
    assert_eq!(perft(game, 0), 1, "{place}");
}

fn steps<G: Notation>(game: &G) -> String {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let mut texts: Vec<String> = actions.into_iter().map(|action| game.step_text(action)).collect();
    texts.sort();
    texts.join(" ")
}

fn check_turns<G: Notation>(game: &G, expected: &str, place: &str) {
    let turns = every_turn(game, TURNS_MAX).unwrap_or_else(|error| panic!("{place}: {error}"));
    let mut texts: Vec<String> = turns.iter().map(|steps| game.turn_text(steps)).collect();
    for (steps, text) in turns.iter().zip(&texts) {
        assert_eq!(game.parse_turn(text).as_ref(), Ok(steps), "{place}: {text}");
        assert_eq!(game.parse_turn(text.trim_end_matches(['#', '+', 'x'])).as_ref(), Ok(steps), "{place}: {text}");
    }
    texts.sort();
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(texts, expected, "{place}");
}

/// Checks the rows of every registered variant and returns their number.
fn check_file(file: &str) -> usize {
    let rows = fs::read_to_string(data_path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut count = 0;
    for line in rows.lines() {
        let (name, fields) = line.split_once('\t').unwrap_or_else(|| panic!("{file}: `{line}` has no columns"));
        if let Ok(variant) = name.parse::<Variant>() {
            variant.dispatch(&Row { file, fields: fields.split('\t').collect() });
            count += 1;
        }
    }
    count
}

#[test]
fn step_counts_are_those_of_the_vectors() {
    assert!(check_file("perft.tsv") >= 65);
}

#[test]
fn legal_steps_are_those_of_the_vectors() {
    assert!(check_file("legal.tsv") >= 1500);
}

#[test]
fn steps_lead_where_the_vectors_say() {
    assert!(check_file("apply.tsv") >= 1411);
}

#[test]
fn results_are_those_of_the_vectors() {
    assert!(check_file("result.tsv") >= 1500);
}

#[test]
fn written_turns_are_those_of_the_vectors() {
    assert!(check_file("turns.tsv") >= 15);
}
