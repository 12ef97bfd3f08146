//! Texts that are no moves here, and what is said about them.

use heng_env::variants::xiangqi::notation::Form;

use super::{START, game};

const TWO_SHARED_FILES: &str = "9/3P1P3/4k4/3P1P3/9/9/9/9/9/3K5 w";
const CHARIOTS: &str = "3k5/9/R8/9/9/R8/9/9/9/4K4 w";
const NOT_CHINESE: &str = "is not a move like `炮二平五`, `马8进7` or `前车退一`: a piece and its file, or 前, 中, 后 or a \
                           number and a piece that shares its file, then 进, 退 or 平 and a number from 1 to 9";
const NOT_WXF: &str = "is not a move like `C2=5`, `H8+7` or `R+-1`: a piece of KAEHRCP and its file, or + or - where it \
                       shares its file, then +, - or = and a number from 1 to 9";

fn check(form: Form, cases: &[(&str, &str, &str)]) {
    for (position, text, expected) in cases {
        let read = game(position).read_move(text, form).map_err(|error| error.to_string());
        assert_eq!(read, Err(format!("`{text}` {expected}")), "{position}");
    }
}

#[test]
fn a_malformed_text_is_told_what_was_expected() {
    for text in [
        "",
        "炮",
        "炮二",
        "炮二平",
        "炮二平十",
        "炮二平0",
        "炮炮平五",
        "炮二五平",
        "二平五炮",
        "前前进一",
        "炮二平五五",
    ] {
        check(Form::Simplified, &[(START, text, NOT_CHINESE)]);
    }
    for text in ["六兵进一", "前兵四五进一", "C2=5", "h3e3", " 炮二平五", "炮二 平五"] {
        check(Form::Traditional, &[(START, text, NOT_CHINESE)]);
    }
    for text in
        ["", "C", "C2=", "C2=0", "C2x5", "C25", "C2=55", "X2=5", "G5+1", "63=4", "2C=5", "+-=5", "炮二平五", "h3e3"]
    {
        check(Form::Wxf, &[(START, text, NOT_WXF)]);
    }
    let iccs = "is not a move of two points like `h2e2` or `H2-E2`, files a-i and ranks 0-9";
    for text in ["", "h2", "h2e", "h2e10", "h2--e2", "h2 e2", "j2e2", "h2j2", "C2=5", "炮二平五"] {
        check(Form::Iccs, &[(START, text, iccs)]);
    }
    let uci = "is not a move of two points like `h3e3`, files a-i and ranks 1-10";
    for text in ["", "h3", "h3e", "h0e2", "h3e11", "h03e3", "H3E3", "h3-e3", "j3e3", "h3e3e", "炮二平五"] {
        check(Form::Uci, &[(START, text, uci)]);
    }
}

#[test]
fn a_piece_that_is_not_there_is_named() {
    check(
        Form::Simplified,
        &[
            (START, "炮三平五", "is not legal here: red has no cannon on file 三"),
            (START, "炮1平5", "is not legal here: red has no cannon on file 一"),
            (START, "前炮平五", "is not legal here: red does not have two cannons that share a file"),
            (START, "中兵进一", "is not legal here: red does not have three or five soldiers that share a file"),
            (START, "五兵进一", "is not legal here: red does not have five soldiers that share a file"),
            (START, "前四进一", "is not legal here: red does not have two soldiers that share file 四"),
            (
                TWO_SHARED_FILES,
                "中四平五",
                "is not legal here: red does not have three or five soldiers that share file 四",
            ),
            ("3k5/9/9/9/9/9/9/9/9/4K4 b", "車9进1", "is not legal here: black has no chariot on file 9"),
        ],
    );
    check(
        Form::Wxf,
        &[
            (START, "C3=5", "is not legal here: red has no cannon on file 3"),
            (START, "R+=5", "is not legal here: red does not have two chariots that share a file"),
            (START, "++=5", "is not legal here: red does not have four or five soldiers that share a file"),
            (START, "33=4", "is not legal here: red does not have three soldiers that share file 3"),
        ],
    );
}

#[test]
fn what_speaks_against_a_move_is_said_of_each_piece_that_may_be_meant() {
    let blocked = "is not legal here: the cannon cannot go from h3 to h9: without a capture it goes along a line over empty \
                   points";
    check(
        Form::Simplified,
        &[
            (START, "炮二进六", blocked),
            (START, "炮二平二", "is not legal here: a move ends elsewhere than it starts"),
            (START, "车一进三", "is not legal here: red has a piece of its own on i4"),
            (START, "马二进五", "is not legal here: the horse on h1 cannot go forward to file 五"),
            (START, "马二退一", "is not legal here: the horse on h1 cannot go back to file 一"),
            (START, "马二平三", "is not legal here: the horse on h1 cannot go sideways"),
            (START, "炮二退三", "is not legal here: the cannon on h3 cannot go 3 back: the board ends before"),
            (
                CHARIOTS,
                "车九进五",
                "is not legal here: the chariot on a8 cannot go 5 forward: the board ends before; the chariot cannot go from \
                 a5 to a10: it goes along a line over empty points",
            ),
        ],
    );
    check(Form::Wxf, &[(START, "C2+6", blocked)]);
    check(Form::Iccs, &[(START, "h2h8", blocked), (START, "e4e5", "is not legal here: e5 is empty")]);
    check(Form::Uci, &[(START, "h3h9", blocked)]);
}

#[test]
fn a_text_that_fits_several_moves_is_told_how_each_is_written() {
    let advisors = "3k5/9/9/9/9/9/9/9/3A5/3A1K3 w";
    check(
        Form::Simplified,
        &[
            (
                CHARIOTS,
                "车九平八",
                "has more than one meaning: `前车平八` (the chariot on a8) or `后车平八` (the chariot on a5)",
            ),
            (
                advisors,
                "仕六进五",
                "has more than one meaning: `前仕进五` (the advisor on d2) or `后仕进五` (the advisor on d1)",
            ),
        ],
    );
    check(
        Form::Traditional,
        &[(
            TWO_SHARED_FILES,
            "前兵进一",
            "has more than one meaning: `前四進一` (the soldier on f9) or `前六進一` (the soldier on d9)",
        )],
    );
    check(
        Form::Wxf,
        &[(
            TWO_SHARED_FILES,
            "P4=5",
            "has more than one meaning: `4+=5` (the soldier on f9) or `4-=5` (the soldier on f7)",
        )],
    );
}
