//! Position texts that cannot be, and what is said about them (RULES 1.7, 3.5).

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Variant};

use crate::variant;

struct ErrorOf<'a>(&'a str);

impl VariantVisitor for ErrorOf<'_> {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        match G::from_fen(&rules, self.0) {
            Ok(game) => format!("accepted as {}", game.fen()),
            Err(error) => error.to_string().replacen("position text, field ", "", 1),
        }
    }
}

/// Compares what is said about wrong position texts of a variant.
pub(crate) fn check(name: &str, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(variant(name).dispatch(ErrorOf(text)), *expected, "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_board_is_named() {
    check(
        "eternal-mini",
        &[
            ("6/2cc2/1rrnn1/******/1RRNN1/2CC2 r - 0-0 1", "`board`: 6 ranks, expected 7"),
            ("6/2cc2/1rrnn1/******/1RRNN1/2CC3/6 r - 0-0 1", "`board`: rank 2 `2CC3` has 7 squares, expected 6"),
            (
                "6/2cc2/1rrnn1/******/1RRNN1/2CC11/6 r - 0-0 1",
                "`board`: rank 2 `2CC11` has two digits side by side, expected their sum",
            ),
            ("0/2cc2/1rrnn1/******/1RRNN1/2CC2/6 r - 0-0 1", "`board`: rank 7 `0` counts 0 empty squares"),
            (
                "6/2cc2/1rrnn1/******/1RRNN1/2CB2/6 r - 0-0 1",
                "`board`: `B` in rank 2, expected a letter of RNC or rnc, `*` or a digit",
            ),
            ("6/2cc2/1rrnn1/******/1RRNN1/2CC1*/6 r - 0-0 1", "`board`: a stone on f2, expected stones on rank 4 only"),
            (
                "6/2cc2/1rrnn1/******/1RRNN1/2C3/6 r - 0-0 1",
                "`board`: 1 `C` missing (1 on the board, 0 in hand), expected 2 of each kind for each side",
            ),
            (
                "6/2cc2/1rrnn1/******/1RRRN1/2CC2/6 r - 0-0 1",
                "`board`: 1 `R` too many (3 on the board, 0 in hand), 1 `N` missing (1 on the board, 0 in hand), expected 2 of each kind for each side",
            ),
            (
                "6/2cc2/1rrnn1/******/1R1NN1/2CC2/2RC2 r - 0-0 1",
                "`board`: 1 `C` too many (3 on the board, 0 in hand), expected 2 of each kind for each side",
            ),
            (
                "6/2cc2/1rrnn1/******/1R1NN1/2C3/2RC2 r - 0-0 1",
                "`board`: red's palace holds more than one piece of red, on c1 and d1",
            ),
            (
                "2RC2/2cc2/1rrnn1/******/1R1NN1/2C3/6 b - 0-0 2",
                "`board`: black's palace holds more than one piece of red, on c7 and d7",
            ),
        ],
    );
}

#[test]
fn what_is_wrong_with_the_other_fields_is_named() {
    let board = |rest: &str| format!("6/2cc2/1rrnn1/******/1RRNN1/2CC2/6{rest}");
    let held = |rest: &str| format!("6/2cc2/1rrnn1/******/1RRNN1/2C3/6{rest}");
    let numbers = "expected a number from 1 to 20000, or `p1` to `p6`";
    let points = "expected the points of red and black as in `0-0`, each at most 1";
    let cases = [
        (String::new(), "`board`: missing, expected `<board> <side> <hand> <score> <turn>`".to_owned()),
        (board(" r - 0-0"), "`turn`: missing, expected `<board> <side> <hand> <score> <turn>`".to_owned()),
        (board(" r - 0-0 1 1"), "`turn`: `1` follows it, expected the end of the text".to_owned()),
        (board(" w - 0-0 1"), "`side`: `w`, expected `r` or `b`".to_owned()),
        (board(" r P 0-0 1"), "`hand`: `P` in `P`, expected letters of RNC and rnc, or `-`".to_owned()),
        (held(" r C- 0-0 1"), "`hand`: `-` in `C-`, expected letters of RNC and rnc, or `-`".to_owned()),
        (
            held(" r cC 0-0 1"),
            "`hand`: `C` in `cC` is out of order, expected red's pieces first, in the order RNCBMP".to_owned(),
        ),
        (board(" r - 00 1"), format!("`score`: `00`, {points}")),
        (board(" r - 0-2 1"), format!("`score`: `0-2`, {points}")),
        (board(" r - 0-+1 1"), format!("`score`: `0-+1`, {points}")),
        (board(" r - 1-1 1"), "`score`: `1-1`, but only one side can have the 1 points that win".to_owned()),
        (board(" r - 1-0 1"), "`side`: `r`, but red has won: expected the loser".to_owned()),
        (held(" b C 1-0 2"), "`hand`: `C`, but red has won and nothing is dropped any more".to_owned()),
        (board(" r - 0-0 0"), format!("`turn`: `0`, {numbers}")),
        (board(" r - 0-0 01"), format!("`turn`: `01`, {numbers}")),
        (board(" r - 0-0 -1"), format!("`turn`: `-1`, {numbers}")),
        (board(" r - 0-0 99999999999"), format!("`turn`: `99999999999`, {numbers}")),
        (board(" r - 0-0 p1"), "`turn`: `p1`, but this variant has no placement phase".to_owned()),
    ];
    for (text, expected) in &cases {
        check("eternal-mini", &[(text, expected)]);
    }
}

#[test]
fn hand_side_and_placement_turn_have_to_agree() {
    check(
        "eternal-free",
        &[
            ("8/8/8/8/********/8/8/8/8 b RRNNCCBBMMPPrrnnccbbmmpp 0-0 p1", "`side`: `b`, but `r` decides in turn p1"),
            (
                "8/8/8/8/********/8/8/8/8 b RRNNCCBBMMPPrrnnccbbmmpp 0-0 p2",
                "`hand`: 12 pieces of red, expected 8 in turn p2",
            ),
            (
                "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p3",
                "`hand`: 12 pieces of red, expected 5 to 8 in turn p3",
            ),
            (
                "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p7",
                "`turn`: `p7`, expected `p1` to `p6` in the placement phase",
            ),
            (
                "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-1 p1",
                "`score`: `0-1`, expected `0-0` in the placement phase",
            ),
            (
                "8/8/8/8/***1****/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p1",
                "`board`: 7 stones, expected 8 in the placement phase",
            ),
            (
                "8/8/8/8/********/8/8/8/3R4 r RNNCCBBMMPPrrnnccbbmmpp 0-0 p1",
                "`board`: red has a piece on d1, expected it on the own side outside the palace in the placement phase",
            ),
            (
                "8/8/8/R7/********/8/8/8/8 r RNNCCBBMMPPrrnnccbbmmpp 0-0 p1",
                "`board`: red has a piece on a6, expected it on the own side outside the palace in the placement phase",
            ),
            (
                "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 1",
                "`hand`: `RRNNCCBBMMPPrrnnccbbmmpp` has 24 pieces, expected at most the one captured, or turn `p1` to `p6`",
            ),
            (
                "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmm 0-0 p1",
                "`board`: 2 `p` missing (0 on the board, 0 in hand), expected 2 of each kind for each side",
            ),
        ],
    );
    check(
        "eternal-fixed",
        &[(
            "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p1",
            "`turn`: `p1`, but this variant has no placement phase",
        )],
    );
}

/// A Wuji board with `ranks` as its ranks 8 to 5.
fn wuji_board(ranks: &str) -> String {
    format!("6k6/13/13/13/{ranks}/13/13/13/5K7")
}

#[test]
fn what_is_wrong_with_a_wuji_board_is_named() {
    let letters = "expected a letter of KAQRNLCBXZP or kaqrnlcbxzp, or a number of empty points";
    let cases = [
        ("13/13/13", "11 ranks, expected 12".to_owned()),
        ("13/13/13/12", "rank 5 `12` has 12 squares, expected 13".to_owned()),
        ("13/13/13/13R", "rank 5 `13R` has 14 squares, expected 13".to_owned()),
        ("13/13/13/12RR", "rank 5 `12RR` has 14 squares, expected 13".to_owned()),
        ("13/13/13/0RR11", "rank 5 `0RR11` counts 0 empty squares".to_owned()),
        ("13/13/H12/13", format!("`H` in rank 6, {letters}")),
        ("13/13/*12/13", format!("`*` in rank 6, {letters}")),
        ("13/+R12/13/13", "`+R` in rank 7, expected `+` before `P` or `p` only".to_owned()),
        ("13/12+/13/13", "`+` in rank 7, expected `+` before `P` or `p` only".to_owned()),
        ("13/+p12/13/13", "`+p` in rank 7, but pawns become ministers here: expected `Q` or `q`".to_owned()),
        ("13/13/13/5K7", "2 generals `K` of red, expected 1".to_owned()),
    ];
    for (ranks, problem) in &cases {
        check("wuji-simple", &[(&format!("{} r 0 1", wuji_board(ranks)), &format!("`board`: {problem}"))]);
    }
    check(
        "wuji-advanced",
        &[(
            &format!("{} r 0 1", wuji_board("13/+p12/13/13")),
            "accepted as 6k6/13/13/13/13/+p12/13/13/13/13/13/5K7 r 0 1",
        )],
    );
}

#[test]
fn where_wuji_generals_and_pawns_may_not_stand_is_named() {
    let empty = "13/13/13/13/13/13/13/13/13/13";
    let cases = [
        (format!("13/{empty}/5K7 r 0 1"), "`board`: 0 generals `k` of green, expected 1"),
        (format!("6k6/{empty}/4K8 r 0 1"), "`board`: the general of red on e1, expected it in its palace"),
        (
            format!("6k6/{empty}/6K6 r 0 1"),
            "`board`: the generals on g1 and g12 face each other with nothing between them",
        ),
        (format!("3P2k6/{empty}/5K7 r 0 1"), "`board`: a red P on d12, where it becomes another piece at once"),
        (format!("6k6/{empty}/5K6p r 0 1"), "`board`: a green P on m1, where it becomes another piece at once"),
        (format!("6k6/{empty}/5K6r g 0 1"), "`side`: `g`, but green could capture the general of red"),
        (format!("6k6/{empty}/5K6z g 0 1"), "`side`: `g`, but green could capture the general of red"),
        (format!("Q5k6/{empty}/5K7 r 0 1"), "`side`: `r`, but red could capture the general of green"),
    ];
    for (text, expected) in &cases {
        check("wuji-simple", &[(text, expected)]);
    }
    let half = "13/13/13/13/13/6k6/6K6/13/13/13/13/13 r 0 1";
    check("wuji-advanced", &[(half, "`board`: the generals on g6 and g7 face each other with nothing between them")]);
    let across = "13/13/13/13/13/13/6k6/5K7/13/13/13/13 r 0 1";
    check("wuji-advanced", &[(across, "`board`: the general of green on g6, expected it in its half")]);
}

#[test]
fn what_is_wrong_with_the_other_fields_of_wuji_is_named() {
    let form = "expected `<board> <side> <quiet> <turn>`";
    let cases = [
        ("", format!("`side`: missing, {form}")),
        (" r 0", format!("`turn`: missing, {form}")),
        (" r 0 1 1", "`turn`: `1` follows it, expected the end of the text".to_owned()),
        (" b 0 1", "`side`: `b`, expected `r` or `g`".to_owned()),
        (" r 121 1", "`quiet`: `121`, expected a number of moves from 0 to 120".to_owned()),
        (" r 00 1", "`quiet`: `00`, expected a number of moves from 0 to 120".to_owned()),
        (" r - 1", "`quiet`: `-`, expected a number of moves from 0 to 120".to_owned()),
        (" r 0 0", "`turn`: `0`, expected a number of a round from 1 to 60000".to_owned()),
        (" r 0 99999999999", "`turn`: `99999999999`, expected a number of a round from 1 to 60000".to_owned()),
    ];
    for (rest, expected) in &cases {
        check("wuji-simple", &[(&(wuji_board("13/13/13/13") + rest), expected)]);
    }
}
