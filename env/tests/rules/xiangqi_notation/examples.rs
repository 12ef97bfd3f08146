//! Moves in all forms, and the other ways of writing them that are read.

use heng_env::Notation;
use heng_env::variants::xiangqi::notation::Form;

use super::{START, game};

const START_BLACK: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b";
/// Two chariots on file a and two cannons on file h.
const PAIRS: &str = "3k5/9/R6C1/9/9/R8/9/9/7C1/4K4 w";
/// Two black horses on file h and two black chariots on file a.
const BLACK_PAIRS: &str = "3k5/r6n1/9/7n1/9/r8/9/9/9/4K4 b";
/// Advisors and elephants that share a file as in any game.
const GUARDS: &str = "3k5/9/9/9/9/2B6/9/3A5/9/2BA1K3 w";
/// The same for black.
const BLACK_GUARDS: &str = "3a1kb2/9/3a5/9/6b2/9/9/9/9/3K5 b";
/// Advisors and elephants that share a file as in no game.
const COMPOSED_GUARDS: &str = "3k5/9/9/9/9/9/9/9/2BA5/2BA1K3 w";
const TWO_SOLDIERS: &str = "3k5/9/4P4/9/4P4/P8/9/9/9/4K4 w";
const THREE_SOLDIERS: &str = "3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w";
const FOUR_SOLDIERS: &str = "3k5/4P4/4P4/4P4/4P4/9/9/9/9/4K4 w";
const FIVE_SOLDIERS: &str = "2P1k4/2P6/2P6/2P6/2P6/9/9/9/9/3K5 w";
const FIVE_BLACK_SOLDIERS: &str = "3k5/9/9/9/9/2p6/2p6/2p6/2p6/2p1K4 b";
/// The example of xqbase.com/protocol/cchess_move.htm.
const TWO_AND_TWO: &str = "9/3P1P3/4k4/3P1P3/9/9/9/9/9/3K5 w";
const TWO_AND_TWO_BLACK: &str = "4k4/9/9/9/9/2p6/p5p2/2p6/6p2/3K5 b";
/// The example of wxf.org/xq/computer/wxf_notation.html.
const THREE_AND_TWO: &str = "4k1P2/2P6/6P2/2P6/6P2/9/9/9/9/3K5 w";

/// A position and a move in the order of [`Form::ALL`].
const WRITTEN: [(&str, [&str; 5]); 56] = [
    (START, ["炮二平五", "炮二平五", "C2=5", "h2e2", "h3e3"]),
    (START, ["炮八进七", "炮八進七", "C8+7", "b2b9", "b3b10"]),
    (START, ["马八进七", "馬八進七", "H8+7", "b0c2", "b1c3"]),
    (START, ["车一进一", "車一進一", "R1+1", "i0i1", "i1i2"]),
    (START, ["相三进五", "相三進五", "E3+5", "g0e2", "g1e3"]),
    (START, ["仕六进五", "仕六進五", "A6+5", "d0e1", "d1e2"]),
    (START, ["帅五进一", "帥五進一", "K5+1", "e0e1", "e1e2"]),
    (START, ["兵七进一", "兵七進一", "P7+1", "c3c4", "c4c5"]),
    (START_BLACK, ["炮8平5", "砲8平5", "C8=5", "h7e7", "h8e8"]),
    (START_BLACK, ["马8进7", "馬8進7", "H8+7", "h9g7", "h10g8"]),
    (START_BLACK, ["车9进1", "車9進1", "R9+1", "i9i8", "i10i9"]),
    (START_BLACK, ["象3进5", "象3進5", "E3+5", "c9e7", "c10e8"]),
    (START_BLACK, ["士4进5", "士4進5", "A4+5", "d9e8", "d10e9"]),
    (START_BLACK, ["将5进1", "將5進1", "K5+1", "e9e8", "e10e9"]),
    (START_BLACK, ["卒1进1", "卒1進1", "P1+1", "a6a5", "a7a6"]),
    (PAIRS, ["前车平八", "前車平八", "R+=8", "a7b7", "a8b8"]),
    (PAIRS, ["后车退一", "後車退一", "R--1", "a4a3", "a5a4"]),
    (PAIRS, ["前炮退三", "前炮退三", "C+-3", "h7h4", "h8h5"]),
    (PAIRS, ["后炮平四", "後炮平四", "C-=4", "h1f1", "h2f2"]),
    (BLACK_PAIRS, ["前马退9", "前馬退9", "H+-9", "h6i8", "h7i9"]),
    (BLACK_PAIRS, ["后马进9", "後馬進9", "H-+9", "h8i6", "h9i7"]),
    (BLACK_PAIRS, ["后车进3", "後車進3", "R-+3", "a8a5", "a9a6"]),
    (BLACK_PAIRS, ["前车平5", "前車平5", "R+=5", "a4e4", "a5e5"]),
    (GUARDS, ["仕六退五", "仕六退五", "A6-5", "d2e1", "d3e2"]),
    (GUARDS, ["相七进五", "相七進五", "E7+5", "c0e2", "c1e3"]),
    (GUARDS, ["相七退五", "相七退五", "E7-5", "c4e2", "c5e3"]),
    (BLACK_GUARDS, ["士4进5", "士4進5", "A4+5", "d9e8", "d10e9"]),
    (BLACK_GUARDS, ["象7退5", "象7退5", "E7-5", "g5e7", "g6e8"]),
    (COMPOSED_GUARDS, ["后仕进五", "後仕進五", "A-+5", "d0e1", "d1e2"]),
    (COMPOSED_GUARDS, ["前仕进五", "前仕進五", "A++5", "d1e2", "d2e3"]),
    (COMPOSED_GUARDS, ["仕六退五", "仕六退五", "A6-5", "d1e0", "d2e1"]),
    (COMPOSED_GUARDS, ["前相进九", "前相進九", "E++9", "c1a3", "c2a4"]),
    (COMPOSED_GUARDS, ["后相进九", "後相進九", "E-+9", "c0a2", "c1a3"]),
    (TWO_SOLDIERS, ["前兵进一", "前兵進一", "P++1", "e7e8", "e8e9"]),
    (TWO_SOLDIERS, ["后兵平四", "後兵平四", "P-=4", "e5f5", "e6f6"]),
    (TWO_SOLDIERS, ["兵九进一", "兵九進一", "P9+1", "a4a5", "a5a6"]),
    (THREE_SOLDIERS, ["前兵平六", "前兵平六", "P+=6", "e7d7", "e8d8"]),
    (THREE_SOLDIERS, ["中兵平六", "中兵平六", "P5=6", "e6d6", "e7d7"]),
    (THREE_SOLDIERS, ["后兵平六", "後兵平六", "P-=6", "e5d5", "e6d6"]),
    (FOUR_SOLDIERS, ["一兵平四", "一兵平四", "++=4", "e8f8", "e9f9"]),
    (FOUR_SOLDIERS, ["二兵平四", "二兵平四", "P+=4", "e7f7", "e8f8"]),
    (FOUR_SOLDIERS, ["三兵平四", "三兵平四", "P-=4", "e6f6", "e7f7"]),
    (FOUR_SOLDIERS, ["四兵平四", "四兵平四", "--=4", "e5f5", "e6f6"]),
    (FIVE_SOLDIERS, ["一兵平八", "一兵平八", "++=8", "c9b9", "c10b10"]),
    (FIVE_SOLDIERS, ["三兵平八", "三兵平八", "P7=8", "c7b7", "c8b8"]),
    (FIVE_SOLDIERS, ["五兵平六", "五兵平六", "--=6", "c5d5", "c6d6"]),
    (FIVE_BLACK_SOLDIERS, ["一卒平2", "一卒平2", "++=2", "c0b0", "c1b1"]),
    (FIVE_BLACK_SOLDIERS, ["四卒平2", "四卒平2", "P-=2", "c3b3", "c4b4"]),
    (TWO_AND_TWO, ["前四进一", "前四進一", "4++1", "f8f9", "f9f10"]),
    (TWO_AND_TWO, ["后六平五", "後六平五", "6-=5", "d6e6", "d7e7"]),
    (TWO_AND_TWO_BLACK, ["前3平2", "前3平2", "3+=2", "c2b2", "c3b3"]),
    (TWO_AND_TWO_BLACK, ["后7进1", "後7進1", "7-+1", "g3g2", "g4g3"]),
    (TWO_AND_TWO_BLACK, ["卒1平2", "卒1平2", "P1=2", "a3b3", "a4b4"]),
    (THREE_AND_TWO, ["前三平四", "前三平四", "3+=4", "g9f9", "g10f10"]),
    (THREE_AND_TWO, ["中三平四", "中三平四", "33=4", "g7f7", "g8f8"]),
    (THREE_AND_TWO, ["后七平六", "後七平六", "7-=6", "c6d6", "c7d7"]),
];

/// A position, a form, other ways of writing a move in it, and the move.
const READ_AS_WELL: [(&str, Form, &str, &str); 35] = [
    // Any character for either side, any numerals, any width.
    (START, Form::Simplified, "包2平5 砲二平５ 炮２平五 砲八平五", "h3e3 h3e3 h3e3 b3e3"),
    (START, Form::Traditional, "俥一进1 车一進一 傌八进七 马8進7", "i1i2 i1i2 b1c3 b1c3"),
    (START, Form::Simplified, "象三进五 士六进五 将五进一 將5進1 卒七进一", "g1e3 d1e2 e1e2 e1e2 c4c5"),
    (
        START_BLACK,
        Form::Simplified,
        "马８进７ 傌八進七 相3进5 仕4进5 帅5进1 帥五进一",
        "h10g8 h10g8 c10e8 d10e9 e10e9 e10e9",
    ),
    (START_BLACK, Form::Traditional, "兵1进1 俥9进1 包8平5", "a7a6 i10i9 h8e8"),
    // The word behind the name, numbers for two, and the file where only one can make the move.
    (PAIRS, Form::Simplified, "车前平八 炮后平四 一车平八 2炮平四 後车退1", "a8b8 h2f2 a8b8 h2f2 a5a4"),
    (PAIRS, Form::Traditional, "车九退四 炮二退四", "a5a1 h8h4"),
    (GUARDS, Form::Simplified, "前仕退五 前相退五 后相进五", "d3e2 c5e3 c1e3"),
    (COMPOSED_GUARDS, Form::Simplified, "前仕退五", "d2e1"),
    // Numbers for three, the ends of four and five, and black's numbers in digits.
    (THREE_SOLDIERS, Form::Simplified, "一兵平六 二兵平六 3兵平六", "e8d8 e7d7 e6d6"),
    (THREE_SOLDIERS, Form::Simplified, "兵五进一", "e8e9"),
    (FOUR_SOLDIERS, Form::Simplified, "前兵平四 后兵平四 4兵平四", "e9f9 e6f6 e6f6"),
    (FIVE_SOLDIERS, Form::Simplified, "前兵平八 中兵平八 后兵平八", "c10b10 c8b8 c6b6"),
    (FIVE_BLACK_SOLDIERS, Form::Simplified, "1卒平2 ５兵平２ 后卒平2", "c1b1 c5b5 c5b5"),
    // Two shared files: with the name, numbered on the file, and numbered through both files.
    (TWO_AND_TWO, Form::Simplified, "前兵四平五 后兵六平五 一四平五", "f9e9 d7e7 f9e9"),
    (TWO_AND_TWO, Form::Simplified, "一兵平五 二兵平五 三兵平五 四兵平五", "f9e9 f7e7 d9e9 d7e7"),
    (TWO_AND_TWO, Form::Simplified, "前兵平七 后兵平三", "d9c9 f7g7"),
    (TWO_AND_TWO_BLACK, Form::Simplified, "前卒3平2 1卒平2 ２卒平2 三卒平8 四兵平8", "c3b3 c3b3 c5b5 g2h2 g4h4"),
    (THREE_AND_TWO, Form::Traditional, "中兵三平四 二兵平四 5兵平六 中兵平二", "g8f8 g8f8 c7d7 g8h8"),
    (START, Form::Wxf, "C2.5 c2=5 H8+7 N8+7 n8+7 E3+5 B3+5 P7+1 S7+1", "h3e3 h3e3 b1c3 b1c3 b1c3 g1e3 g1e3 c4c5 c4c5"),
    (START_BLACK, Form::Wxf, "h8+7 r9+1 K5+1", "h10g8 i10i9 e10e9"),
    (PAIRS, Form::Wxf, "+R=8 -R-1 r+.8 R9-4 +C-3 -c.4", "a8b8 a5a4 a8b8 a5a1 h8h5 h2f2"),
    (GUARDS, Form::Wxf, "A+-5 +A-5 E-+5", "d3e2 d3e2 c1e3"),
    (THREE_SOLDIERS, Form::Wxf, "15=6 25=6 35=6 P==6 P.=6 =P=6", "e8d8 e7d7 e6d6 e7d7 e7d7 e7d7"),
    (THREE_SOLDIERS, Form::Wxf, "Pa=6 Pb=6 pc.6", "e8d8 e7d7 e6d6"),
    (FOUR_SOLDIERS, Form::Wxf, "++.4 +P.4 -P.4 15=4 45=4", "e9f9 e8f8 e7f7 e9f9 e6f6"),
    (FIVE_SOLDIERS, Form::Wxf, "P+=8 P-=8 57=6 Pe=6", "c9b9 c7b7 c6d6 c6d6"),
    (FIVE_BLACK_SOLDIERS, Form::Wxf, "33=2 53=2 P3=2", "c3b3 c5b5 c3b3"),
    (TWO_AND_TWO, Form::Wxf, "4+.5 14=5 24=5 16=5 26=5", "f9e9 f9e9 f7e7 d9e9 d7e7"),
    (TWO_AND_TWO, Form::Wxf, "Pa=5 Pb=5 Pc=5 Pd=5 P+=7", "f9e9 f7e7 d9e9 d7e7 d9c9"),
    (THREE_AND_TWO, Form::Wxf, "3+.4 33.4 3-.4 7+.6 7-.6", "g10f10 g8f8 g6f6 c9d9 c7d7"),
    (THREE_AND_TWO, Form::Wxf, "13=4 23=4 17=6 27=6 P3=4", "g10f10 g8f8 c9d9 c7d7 g8f8"),
    (START, Form::Iccs, "H2-E2 h2-e2 H2E2 b0c2", "h3e3 h3e3 h3e3 b1c3"),
    (START, Form::Uci, "h3h10 a1a2", "h3h10 a1a2"),
    (START_BLACK, Form::Iccs, "I9-I8", "i10i9"),
];

#[test]
fn a_move_is_written_and_read_in_every_form() {
    for (position, texts) in WRITTEN {
        let game = game(position);
        let action = game.parse_step(texts[4]).unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(Form::ALL.map(|form| game.move_text(action, form)), texts.map(String::from), "{position}");
        for (form, text) in Form::ALL.into_iter().zip(texts) {
            assert_eq!(game.read_move(text, form), Ok(action), "{position} {text}");
            if form != Form::Iccs {
                assert_eq!(game.parse_turn(text), Ok(vec![action]), "{position} {text}");
            }
        }
    }
}

#[test]
fn other_ways_of_writing_a_move_are_read() {
    for (position, form, texts, moves) in READ_AS_WELL {
        let game = game(position);
        let (texts, moves): (Vec<&str>, Vec<&str>) = (texts.split(' ').collect(), moves.split(' ').collect());
        assert_eq!(texts.len(), moves.len(), "{texts:?}");
        for (text, expected) in texts.into_iter().zip(moves) {
            let read = game.read_move(text, form).map(|action| game.step_text(action));
            assert_eq!(read.as_deref(), Ok(expected), "{position} {text}");
        }
    }
}

#[test]
fn forms_are_found_by_name() {
    for form in Form::ALL {
        assert_eq!(form.name().parse(), Ok(form));
    }
    let error = "`san` is no notation, expected `chinese`, `traditional`, `wxf`, `iccs` or `uci`";
    assert_eq!("san".parse::<Form>().map_err(|error| error.to_string()), Err(error.to_owned()));
}
