//! Endings, objections and position texts of Xiangqi (RULES 2).

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Variant};

use crate::positions::check;
use crate::variant;

/// Plays moves from a position and returns `winner reason`, or `ongoing`.
struct Ending<'a> {
    position: &'a str,
    moves: &'a str,
}

impl VariantVisitor for Ending<'_> {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        let mut game = G::from_fen(&rules, self.position).unwrap_or_else(|error| panic!("{}: {error}", self.position));
        for text in self.moves.split_whitespace() {
            let action = game.parse_step(text).unwrap_or_else(|error| panic!("{} {text}: {error}", self.position));
            game.apply(action);
        }
        match game.outcome() {
            None => "ongoing".to_owned(),
            Some(outcome) => format!("{} {}", outcome.winner.map_or("draw", G::side_name), outcome.reason.name()),
        }
    }
}

fn ending(name: &str, position: &str, moves: &str) -> String {
    variant(name).dispatch(Ending { position, moves })
}

#[test]
fn mate_and_stalemate_both_lose() {
    let cases = [
        ("two chariots", "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1", "b1b10", "red mate"),
        ("nothing to move", "3k5/2P6/9/9/9/9/9/9/9/4K4 b - - 0 1", "", "red stalemate"),
        ("cannon behind a screen", "3aka3/9/9/9/9/9/9/4C4/9/3KC4 b - - 0 1", "", "red mate"),
        ("the screen steps aside", "3ak4/4a4/9/9/9/9/9/4C4/9/3KC4 b - - 0 1", "", "ongoing"),
    ];
    for (name, position, moves, expected) in cases {
        assert_eq!(ending("xiangqi", position, moves), expected, "{name}");
    }
}

#[test]
fn sixty_rounds_without_a_capture_are_a_draw_unless_the_last_move_wins() {
    let quiet = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 119 200";
    assert_eq!(ending("xiangqi", quiet, "a2b2"), "draw limit");
    assert_eq!(ending("xiangqi", quiet, ""), "ongoing");
    let winning = "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 119 200";
    assert_eq!(ending("xiangqi", winning, "b1b10"), "red mate");
    let capture = "3k5/9/9/9/9/9/9/9/Rp7/4K4 w - - 119 200";
    assert_eq!(ending("xiangqi", capture, "a2b2"), "ongoing");
    assert_eq!(ending("xiangqi:quiet_limit=4", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 2 9", "a2b2 d10d9"), "draw limit");
}

#[test]
fn a_repetition_comes_before_the_limit_and_after_a_mate() {
    let shuffle = "a2b2 d10d9 b2a2 d9d10 a2b2 d10d9 b2a2 d9d10";
    assert_eq!(ending("xiangqi", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 112 200", shuffle), "draw repetition");
    let (shorter, _) = shuffle.rsplit_once(' ').expect("several moves");
    assert_eq!(ending("xiangqi", "3k5/9/9/9/9/9/9/9/R8/4K4 w - - 113 200", shorter), "draw limit");
}

struct StepError<'a> {
    position: &'a str,
    step: &'a str,
}

impl VariantVisitor for StepError<'_> {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        let game = G::from_fen(&rules, self.position).unwrap_or_else(|error| panic!("{}: {error}", self.position));
        game.parse_step(self.step).map_or_else(|error| error.to_string(), |_| "legal".to_owned())
    }
}

#[test]
fn moves_that_are_not_legal_are_explained() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    let facing = "4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1";
    let cases = [
        (start, "b3b11", "`b3b11` is not a move of two points like `h3e3`, files a-i and ranks 1-10"),
        (start, "b2b3", "b2 is empty"),
        (start, "b8b7", "the cannon on b8 is black's, and red is to move"),
        (start, "a1a1", "a move ends elsewhere than it starts"),
        (start, "a1b1", "red has a piece of its own on b1"),
        (start, "b1d2", "the horse cannot go from b1 to d2: the piece on c1 stands in its way"),
        (start, "b1b3", "red has a piece of its own on b3"),
        (
            start,
            "b1b2",
            "the horse cannot go from b1 to b2: it goes one step along a line, then one diagonally outward",
        ),
        (start, "c1c2", "the elephant cannot go from c1 to c2: it goes exactly two steps diagonally, on its own side"),
        (start, "d1d2", "the advisor cannot go from d1 to d2: it goes one step diagonally, inside its palace"),
        (start, "e1d2", "the general cannot go from e1 to d2: it goes one step along a line, inside its palace"),
        (start, "b3b8", "the cannon cannot go from b3 to b8: it captures along a line over exactly one piece"),
        (start, "b3b9", "the cannon cannot go from b3 to b9: without a capture it goes along a line over empty points"),
        (start, "a1a5", "the chariot cannot go from a1 to a5: it goes along a line over empty points"),
        (start, "a4b4", "the soldier cannot go from a4 to b4: it goes one step forward until it has crossed the river"),
        (facing, "e6d8", "the generals would face each other"),
        ("4k4/9/9/9/9/P8/9/9/4r4/3K5 w - - 0 1", "d1e1", "red's general would be attacked"),
        ("3k5/9/9/9/9/9/8R/9/3r5/4K4 w - - 0 1", "i4i5", "legal"),
        ("3k5/9/9/9/9/9/8R/9/4r4/4K4 w - - 0 1", "i4i5", "red's general would still be attacked"),
        ("3k5/9/9/3P5/9/9/9/9/9/4K4 w - - 0 1", "d7d6", "it goes one step forward or sideways"),
        ("3k5/9/9/9/9/2B6/3p5/9/9/4K4 w - - 0 1", "c5e3", "the piece on d4 blocks its eye"),
    ];
    for (position, step, expected) in cases {
        let found = variant("xiangqi").dispatch(StepError { position, step });
        assert!(found.ends_with(expected), "{position} {step}: {found}");
    }
}

#[test]
fn what_is_wrong_with_a_position_text_is_named() {
    let form = "expected `<board> <side> - - <quiet> <round>`";
    let cases = [
        ("", format!("`board`: missing, {form}")),
        ("4k4/9/9/9/9/9/9/9/9/3K5", format!("`side`: missing, {form}")),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", format!("`third`: missing, {form}")),
        ("4k4/9/9/9/9/9/9/9/3K5 w - - 0 1", "`board`: 9 ranks, expected 10".to_owned()),
        ("4k4/9/9/9/9/9/9/9/9/3K7 w - - 0 1", "`board`: rank 1 `3K7` has 11 squares, expected 9".to_owned()),
        ("4k4/9/9/9/9/RRR11111111/9/9/9/3K5 w - - 0 1", {
            "`board`: rank 5 `RRR11111111` has two digits side by side, expected their sum".to_owned()
        }),
        ("4k4/9/9/9/9/RNBAKABNRPP/9/9/9/3K5 w - - 0 1", {
            "`board`: rank 5 `RNBAKABNRPP` has 11 squares, expected 9".to_owned()
        }),
        ("4k4/9/9/9/9/8Z/9/9/9/3K5 w - - 0 1", {
            "`board`: `Z` in rank 5, expected a letter of KABNRCP or kabnrcp, or a digit".to_owned()
        }),
        ("9/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "`board`: black has no general, expected one `k`".to_owned()),
        ("4k4/9/9/9/9/9/9/9/9/9 w - - 0 1", "`board`: red has no general, expected one `K`".to_owned()),
        ("4k4/9/9/9/9/9/9/9/9/3KK4 w - - 0 1", {
            "`board`: red has 2 pieces `K` (general), expected at most 1".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/9/9/RRRK5 w - - 0 1", {
            "`board`: red has 3 pieces `R` (chariot), expected at most 2".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/9/9/2K6 w - - 0 1", {
            "`board`: red's general `K` on c1, where it cannot be: expected its palace".to_owned()
        }),
        ("4k4/9/9/9/A8/9/9/9/9/3K5 w - - 0 1", {
            "`board`: red's advisor `A` on a6, where it cannot be: expected its palace".to_owned()
        }),
        ("4k4/9/9/9/B8/9/9/9/9/3K5 w - - 0 1", {
            "`board`: red's elephant `B` on a6, where it cannot be: expected its own half".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w - - 0 1", {
            "`board`: red's soldier `P` on a3, where it cannot be: expected its starting rank or further on".to_owned()
        }),
        ("3k5/9/9/9/9/9/9/9/9/3K5 w - - 0 1", { "`board`: the generals on d1 and d10 face each other".to_owned() }),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w - - 0 1", {
            "`side`: `w`, but it could capture black's general on e10".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/9/9/3K5 g - - 0 1", "`side`: `g`, expected `w` (red) or `b`".to_owned()),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w KQ - 0 1", {
            "`third`: `KQ`, expected `-`, as Xiangqi has no use for it".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 121 1", {
            "`quiet`: `121`, expected the moves since the last capture, from 0 to 120".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - -1 1", {
            "`quiet`: `-1`, expected the moves since the last capture, from 0 to 120".to_owned()
        }),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 0", "`round`: `0`, expected a number from 1 to 20000".to_owned()),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 2", { "`round`: `2` follows it, expected the end of the text".to_owned() }),
        ("8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p1", { format!("`round`: missing, {form}") }),
        ("13/6k6/13/13/13/13/13/13/13/13/6K6/13 r 0 1", format!("`quiet`: missing, {form}")),
    ];
    for (text, expected) in &cases {
        check("xiangqi", &[(text, expected)]);
    }
}

#[test]
fn settings_of_xiangqi_are_checked() {
    for (text, expected) in [
        ("xiangqi:quiet_limit=0", "setting `quiet_limit`: `0` is not a number of moves from 1 to 10000"),
        ("xiangqi:quiet_limit=x", "setting `quiet_limit`: `x` is not a number of moves from 1 to 10000"),
        ("xiangqi:turn_limit=5", "variant `xiangqi` has no setting `turn_limit`, expected one of quiet_limit"),
    ] {
        let error = text.parse::<Variant>().expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
