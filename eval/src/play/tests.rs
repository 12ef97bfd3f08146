//! Whole conversations, driven by lines of text.

use std::fs;
use std::path::Path;

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Seeds, Side, Variant};
use heng_mcts::alphabeta::Limits;

use super::dialogue::{Dialogue, Setup};
use super::lines::Plain;
use crate::agent::AlphaBetaAgent;
use crate::draw::Letters;
use crate::draw::terminal::Ink;
use crate::game_file::{GameResult, read_games};

/// One set-up of eternal-mini, red to move.
const START: &str = "6/2cc2/1rrnn1/******/1RRNN1/2CC2/6 r - 0-0 1";
/// Red wins with the knight on b5, which reaches the palace.
const NEARLY_WON: &str = "6/2cc2/1Nr1n1/**rn**/1RR1N1/2CC2/6 r - 0-0 9";

struct Talk<'a> {
    fen: &'a str,
    side: Side,
    lines: &'a str,
}

impl VariantVisitor for Talk<'_> {
    type Output = String;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> String {
        let setup = Setup::<G> {
            variant: variant.clone(),
            start: (!self.fen.is_empty()).then(|| G::from_fen(&rules, self.fen).unwrap()),
            side: self.side,
            letters: Letters::Latin,
            ink: Ink::Plain,
            agent: Box::new(AlphaBetaAgent::new(Limits::of_depth(1))),
            agent_name: "alphabeta:1".to_owned(),
            seeds: Seeds::new(1),
            rules,
        };
        let mut out = Vec::new();
        Dialogue::new(setup, &mut out).run(&mut Plain(self.lines.as_bytes())).unwrap();
        String::from_utf8(out).unwrap()
    }
}

fn talk(variant: &str, fen: &str, side: Side, lines: &str) -> String {
    variant.parse::<Variant>().unwrap().dispatch(Talk { fen, side, lines })
}

/// What is said after the greeting and the first board, as a person who is red.
fn answers(fen: &str, lines: &str) -> String {
    let greeting = talk("eternal-mini", fen, Side::Red, "");
    let whole = talk("eternal-mini", fen, Side::Red, lines);
    whole[greeting.trim_end().len()..].trim_start().to_owned()
}

#[test]
fn a_turn_is_played_and_answered() {
    let text = answers(START, "c2c4\n");
    assert!(text.starts_with("you play c2c4\n"), "{text}");
    assert!(text.contains("\nblack plays "), "{text}");
    assert!(text.contains("for black)\n"), "{text}");
}

#[test]
fn a_turn_may_be_given_step_by_step_with_or_without_marks() {
    for drop in [">a1", "a1"] {
        let text = answers(START, &format!("b3c3\nmoves >a\nc2c4\n{drop}\n"));
        assert!(text.contains("red drops the captured R"), "{text}");
        assert!(text.contains("  >a1  >a2  >a3\n"), "{text}");
        assert!(text.contains("error: `c2c4` is "), "{text}");
        assert!(text.contains("you play b3c3a1\n"), "{text}");
    }
    assert!(answers(START, "b3c3 >a1\n").starts_with("you play b3c3a1\n"));
}

#[test]
fn a_turn_and_its_steps_may_be_written_in_capitals() {
    assert!(answers(START, "B3C3A1\n").starts_with("you play b3c3a1\n"));
    let text = answers(START, "B3C3\n>A1\nC2C1C7\n");
    assert!(text.contains("red holds its own R") || text.contains("red holds black's"), "{text}");
    assert!(text.contains("you play b3c3a1\n"), "{text}");
    assert!(text.contains("error: `c2c1c7` is "), "{text}");
    assert!(answers(START, "Z9z9\n").starts_with("error: `Z9z9` is not "));
}

#[test]
fn help_explains_marks_and_rules_explain_the_game() {
    for variant in Variant::names() {
        let text = talk(variant, "", Side::Red, "help\nrules\n");
        let family: &[&str] = match variant.split('-').next() {
            Some("eternal") => &["<h9 ", ">h8 ", "unless the opponent answers", "the winning point", "mimic"],
            Some("wuji") => &["d5@d5", "camel", "throne"],
            _ => &["h3e3", "炮二平五", "C2=5", "chariot"],
        };
        for expected in family.iter().chain(&["  hint ", "palace"]) {
            assert!(text.contains(expected), "{variant}, {expected}: {text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }
}

#[test]
fn the_seed_is_told_so_that_a_session_can_be_repeated() {
    assert!(
        talk("eternal-mini", "", Side::Red, "").starts_with("eternal-mini: you are red, against alphabeta:1, seed 1\n")
    );
    let drawn: std::collections::HashSet<u64> = (0..8).map(|_| super::new_seed()).collect();
    assert!(drawn.len() > 1 && drawn.iter().all(|&seed| seed < super::SEEDS), "{drawn:?}");
}

#[test]
fn undo_takes_back_steps_then_the_turn_and_its_answer() {
    let fen_after =
        |lines: &str| answers(START, &format!("{lines}fen\n")).trim_end().lines().last().unwrap().to_owned();
    assert_eq!(fen_after("b3c3\nundo\n"), START);
    assert_eq!(fen_after("b3c3a1\nundo\n"), START);
    assert_eq!(fen_after("b3c3a1\nb3b1\nundo\nundo\n"), START);
    assert_eq!(answers(START, "undo\n"), "there is nothing to take back\n\n");
}

#[test]
fn wrong_input_says_what_was_expected_and_what_is_near() {
    let text = answers(START, "c2c1c9\nc2c5\nhnit\nwhat is this\n\n\u{7f}\n");
    assert_eq!(text.matches("error: ").count(), 5, "{text}");
    assert!(text.contains("legal here: "), "{text}");
    assert!(text.contains("did you mean `hint`?"), "{text}");
    assert!(text.contains("`moves` lists the legal steps"), "{text}");
}

#[test]
fn a_whole_game_is_played_to_the_end_and_begun_anew() {
    let lines = "hint\nb5c7\nb5c7\nmoves\nhint\nundo\nresign\nundo\nresign\nnew black\nnew white\nquit\nfen\n";
    let text = answers(NEARLY_WON, lines);
    for expected in [
        "alphabeta:1 would play b5c7# (value +1.00 for red)\n",
        "you play b5c7#\n",
        "\nred wins: it reached the points to win\n",
        "\nthe game is over: `new` begins another",
        "\nthere are no legal steps: the game is over\n",
        "\nred resigns: black wins\n",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(text.matches("red resigns").count(), 2, "{text}");
    assert!(text.contains("a new game, you are black"), "{text}");
    assert!(text.contains("error: `white` is no side, expected red or black"), "{text}");
    assert!(!text.contains(NEARLY_WON), "nothing is read after `quit`: {text}");
}

#[test]
fn the_end_of_the_lines_is_the_end_of_the_conversation() {
    for variant in Variant::names() {
        for side in Side::BOTH {
            let text = talk(variant, "", side, "board\nflip\nletters\nhint\nturns\nmoves\n");
            let second = if variant.starts_with("wuji") { "green" } else { "black" };
            let name = ["red", second][side.index()];
            assert!(text.starts_with(&format!("{variant}: you are {name}")), "{text}");
        }
    }
}

#[test]
fn xiangqi_is_played_in_the_players_own_form() {
    let text = talk("xiangqi", "", Side::Red, "炮二平五\nfen\n");
    assert!(text.contains("you play h3e3 (炮二平五)\n"), "{text}");
    assert!(text.contains("black plays ") && text.contains(" ("), "{text}");
    let text = talk("xiangqi", "", Side::Red, "C2=5\n");
    assert!(text.contains("you play h3e3 (炮二平五)\n"), "{text}");
    let text = talk("xiangqi", "", Side::Red, "H3E3\n");
    assert!(text.contains("you play h3e3 (炮二平五)\n"), "{text}");
    let text = talk("xiangqi", "", Side::Red, "foo9\n");
    assert!(text.contains("error: `foo9` is not a move like `h3e3`, `炮二平五` or `C2=5`\n"), "{text}");
}

#[test]
fn placement_shows_the_hands_and_takes_whole_turns() {
    let text = talk("eternal-free", "", Side::Red, "Ra1Rb1Nc1Ca2\nfen\n");
    assert!(text.contains("red in hand: R R N N C C B B M M P P"), "{text}");
    assert!(text.contains("you play Ra1Rb1Nc1Ca2"), "{text}");
    assert!(text.contains("red in hand: N C B B M M P P"), "{text}");
    assert!(text.contains("0-0 p3"), "{text}");
}

#[test]
fn a_game_is_saved_once_and_can_be_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a game.txt");
    let save = format!("save {}\n", path.display());
    let text = answers(START, &format!("b3c3a1\n{save}{save}save\nsave /nowhere/game\n"));
    assert!(text.contains("saved to "), "{text}");
    assert_eq!(text.matches("error: ").count(), 3, "{text}");
    let saved = fs::read_to_string(&path).unwrap();
    let reading = read_games(saved.as_bytes(), &"xiangqi".parse().unwrap());
    let [game] = &reading.games[..] else { panic!("{saved}") };
    assert_eq!((game.variant().to_string().as_str(), game.start()), ("eternal-mini", START));
    assert_eq!((game.tag("Red"), game.tag("Black")), (Some("person"), Some("alphabeta:1")));
    assert_eq!((game.turns()[0].text(), game.result), ("b3c3a1", GameResult::Unfinished));
    assert!(Path::new(&path).is_file());
}
