//! Files in the ways in which other programs write them. The games are openings that everyone plays.

use encoding_rs::{GB18030, GBK};

use super::super::{GameResult, MOST_TURNS, read_games};
use super::{games, read, turn_texts, variant};

/// Central cannon against screen horses.
const OPENING: [&str; 8] = ["h3e3", "h10g8", "h1g3", "i10h10", "i1h1", "b10c8", "c4c5", "g7g6"];

const CHINESE: &str = "[Game \"Chinese Chess\"]\n[Event \"公开赛\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\
    \n 1. 炮二平五  马８进７\n 2. 马二进三  车９平８\n{红方出车}\n 3. 车一平二 马２进３ 4.兵七进一 卒7进1\n 1-0\n";

#[test]
fn one_game_is_the_same_in_every_form() {
    let traditional =
        "[Format \"Chinese\"]\n1、炮二平五 馬8進7 2、傌二進三 車9平8 3、俥一平二 馬2進3 4、兵七進一 卒7進1 紅勝";
    let wxf = "[Format \"WXF\"]\n[Result \"1-0\"]\n1. C2=5 H8+7 {classic} 2. H2+3 R9=8 $1 (2... P7+1 (2... C8=6) {)} 3. R1=2)\n\
               3. r1=2 h2+3 ; R1=1\n% not a move\n4. P7+1!? P7+1 1-0";
    let dots = "1. C2.5 H8+7 2. H2+3 R9.8 3. R1.2 H2+3 4. P7+1 P7+1 1-0";
    let server = "[Format \"ICCS\"]\n1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 4. C3-C4 G6-G5 1-0";
    let iccs = "1.h2e2 1...h9g7 2.h0g2 i9h9 3.i0h0 b9c7 4.c3c4 g6g5 1-0";
    let uci = "h3e3 h10g8 h1g3 i10h10 i1h1 b10c8 c4c5 g7g6 red";
    let mixed = "[Result \"红胜\"]\n1. 炮二平五 ………… \n1. ..... H8+7 2. H0-G2 i9h9 3. R1=2 b9c7 4. c3c4 P7+1";
    let dhtmlxq = "<!--[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title][DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_movelist]774770627967807\n0897910222625\n6364[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_2_1]6364[/DhtmlXQ_move_0_2_1]\n\
        [/DhtmlXQ]-->";
    for text in [CHINESE, traditional, wxf, dots, server, iccs, uci, mixed, dhtmlxq] {
        let read = games(text.as_bytes());
        assert_eq!(read.len(), 1, "{text}");
        assert_eq!(turn_texts(&read[0]), OPENING, "{text}");
        assert_eq!(read[0].result, GameResult::RedWon, "{text}");
    }
}

#[test]
fn texts_are_read_in_the_encodings_of_chinese_programs() {
    let utf8 = games(CHINESE.as_bytes());
    assert_eq!((utf8[0].tag("event"), utf8[0].tag("Red")), (Some("公开赛"), Some("甲")));
    assert_eq!(utf8[0].turns()[3].comment.as_deref(), Some("红方出车"));
    let utf16: Vec<u8> = "\u{feff}".chars().chain(CHINESE.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
    for encoded in [
        format!("\u{feff}{CHINESE}").into_bytes(),
        CHINESE.replace('\n', "\r\n").into_bytes(),
        GBK.encode(CHINESE).0.into_owned(),
        GB18030.encode(CHINESE).0.into_owned(),
        utf16,
    ] {
        assert_eq!(games(&encoded), utf8);
    }
}

#[test]
fn fields_of_dhtmlxq_become_tags_and_comments() {
    let text = "[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n[DhtmlXQ_event]杯赛[/DhtmlXQ_event]\n\
        [DhtmlXQ_date]2021-05-06[/DhtmlXQ_date]\n[DhtmlXQ_place][/DhtmlXQ_place]\n[DhtmlXQ_redname]甲[/DhtmlXQ_redname]\n\
        [DhtmlXQ_black]乙[/DhtmlXQ_black]\n[DhtmlXQ_blacktime][/DhtmlXQ_time]\n[DhtmlXQ_result]和局[/DhtmlXQ_result]\n\
        [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[DhtmlXQ_comment0]开始||了[/DhtmlXQ_comment0]\n\
        [DhtmlXQ_comment2]屏风马[/DhtmlXQ_comment2]\n[DhtmlXQ_comment1_2]变化[/DhtmlXQ_comment1_2]\n[/DhtmlXQ]\n\
        [DhtmlXQ][DhtmlXQ_binit]9999999959999999999999999999999999999999409999999999999999999999[/DhtmlXQ_binit]\n\
        [DhtmlXQ_movelist]4030[/DhtmlXQ_movelist][/DhtmlXQ]";
    let read = games(text.as_bytes());
    let tags: Vec<_> = read[0].tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tags, [("Event", "杯赛"), ("Date", "2021.05.06"), ("Red", "甲"), ("Black", "乙")]);
    assert_eq!((read[0].result, read[0].comment.as_deref()), (GameResult::Draw, Some("开始\n了")));
    let comments: Vec<_> = read[0].turns().iter().map(|turn| turn.comment.as_deref()).collect();
    assert_eq!(comments, [None, Some("屏风马")]);
    assert_eq!(read[1].start(), "4k4/9/9/9/9/9/9/9/9/5K3 b - - 0 1");
    assert_eq!(turn_texts(&read[1]), ["e10d10"]);
}

#[test]
fn games_of_earlier_versions_are_read() {
    let text = "[Game \"12\"]\n[Pair \"6\"]\n[Variant \"wuji-simple\"]\n[Seed \"1\"]\n[Red \"a\"]\n[Green \"b\"]\n\
        [Start \"rnlbxqkaxblnr/13/1c3z1z3c1/13/p1p1p1p1p1p1p/13/13/P1P1P1P1P1P1P/13/1C3Z1Z3C1/13/RNLBXQKAXBLNR r 0 1\"]\n\
        [Result \"green\"]\n[Reason \"mate\"]\n\n1. a5a6 a8a7\ngreen\n";
    let game = games(text.as_bytes()).remove(0);
    assert_eq!((game.variant().name(), game.result), ("wuji-simple", GameResult::BlackWon));
    assert_eq!(game.termination.as_deref(), Some("mate"));
    let tags: Vec<_> = game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(tags, [("Round", "12"), ("Pair", "6"), ("Seed", "1"), ("Red", "a"), ("Black", "b")]);
    assert_eq!(game.turns().len(), 2);
}

#[test]
fn a_game_goes_on_behind_a_repetition_but_not_behind_a_mate() {
    let shuffle = "h0g2 h9g7 g2h0 g7h9 ".repeat(5);
    let game = games(shuffle.as_bytes()).remove(0);
    assert_eq!((game.turns().len(), game.result), (20, GameResult::Unfinished));
    let third = "h0g2 h9g7 g2h0 g7h9 ".repeat(2);
    let game = games(third.as_bytes()).remove(0);
    assert_eq!((game.result, game.termination.as_deref()), (GameResult::Draw, Some("repetition")));
    let mate = "[FEN \"3k5/R8/9/9/9/9/9/9/9/1R2K4 w\"]\n1. b0b9";
    let game = games(mate.as_bytes()).remove(0);
    assert_eq!((game.result, game.termination.as_deref()), (GameResult::RedWon, Some("mate")));
    let reading = read(format!("{mate} d9d8").as_bytes());
    let error = "line 2, game 1: round 1, black: `d9d8` comes after the end of the game (mate)";
    assert_eq!(reading.error.map(|error| error.to_string()).as_deref(), Some(error));
    assert_eq!(reading.games[0].turns().len(), 1);
}

#[test]
fn an_error_names_line_game_round_and_move_and_keeps_what_came_before() {
    let good = "[Event \"x\"]\n1. h2e2 1-0\n\n";
    for (bad, turns, error) in [
        (
            "[Event \"y\"]\n1. h2e2 h9g7\n2. h0g3 i9h9 0-1",
            2,
            "line 6, game 2: round 2, red: `h0g3` is not legal here: ",
        ),
        ("[Format \"UCI\"]\nh3e3 h10g8 {x}\nh2e2", 2, "line 6, game 2: round 2, red: `h2e2` is not legal here: "),
        ("1. 炮二平五 马8进6", 1, "line 4, game 2: round 1, black: `马8进6` is not legal here: "),
        ("1. C2=5 what", 1, "line 4, game 2: round 1, black: `what` is not a move like `C2=5`"),
        ("h2e2 {never\nclosed", 1, "line 4, game 2: the comment that begins here has no end"),
        ("h2e2\n(h9g7 (x)", 1, "line 5, game 2: the variation that begins here has no end"),
        ("h2e2 ) h9g7", 1, "line 4, game 2: `)` closes nothing"),
        ("[Event \"x]\nh2e2", 0, "line 4, game 2: `[Event \"x]` is no tag, expected [Name \"value\"] on one line"),
        ("[Event \"y\"]\n[Variant \"chess\"]", 9, "line 5, game 2: tag `Variant`: unknown variant `chess`, expected "),
        ("[FEN \"9/9 w\"]", 9, "line 4, game 2: start of the game: position text, field `board`: 2 ranks, expected 10"),
    ] {
        let reading = read(format!("{good}{bad}").as_bytes());
        let found = reading.error.expect(bad).to_string();
        assert!(found.starts_with(error), "{found}\nexpected {error}");
        assert_eq!(found.lines().count(), 1, "{found}");
        assert_eq!(turn_texts(&reading.games[0]), ["h3e3"]);
        match reading.games.get(1) {
            Some(game) => assert_eq!((game.turns().len(), game.result), (turns, GameResult::Unfinished), "{bad}"),
            None => assert_eq!(turns, 9, "{bad}"),
        }
    }
}

#[test]
fn errors_of_dhtmlxq_name_the_move_and_the_field() {
    for (text, turns, error) in [
        (
            "[DhtmlXQ]\n[DhtmlXQ_movelist]7747\n7747[/DhtmlXQ_movelist]",
            1,
            "line 3, game 1: round 1, black: `h2e2` is not legal here",
        ),
        (
            "[DhtmlXQ_movelist]77477[/DhtmlXQ_movelist]",
            1,
            "line 1, game 1: field `movelist`: `7`, expected four digits",
        ),
        (
            "[DhtmlXQ_movelist]774x[/DhtmlXQ_movelist]",
            0,
            "line 1, game 1: field `movelist`: `774x`, expected four digits",
        ),
        ("\n[DhtmlXQ_binit]12[/DhtmlXQ_binit]", 9, "line 2, game 1: field `binit`: `12`, expected 64 digits"),
        ("[DhtmlXQ_red]x", 0, "line 1, game 1: the field that begins here has no end"),
    ] {
        let reading = read(text.as_bytes());
        let found = reading.error.expect(text).to_string();
        assert!(found.starts_with(error), "{found}\nexpected {error}");
        assert_eq!(reading.games.first().map_or(9, |game| game.turns().len()), turns, "{text}");
    }
}

#[test]
fn what_is_too_long_is_refused() {
    let turns = "h0g2 h9g7 g2h0 g7h9 ".repeat(MOST_TURNS / 4 + 1);
    let cases = [
        (turns, "a game of 10001 turns, expected at most 10000"),
        ("x".repeat(300), "a word of 300 bytes, expected at most 256"),
        ("(".repeat(300), "a nesting of 257 variations, expected at most 256"),
        (format!("{{{}}}", "x".repeat(70_000)), "a comment of 70000 bytes, expected at most 65536"),
        (format!("[Event \"{}\"]", "x".repeat(70_000)), "the line of a tag of 70010 bytes, expected at most 4096"),
        ((0..300).map(|tag| format!("[T{tag} \"\"]\n")).collect(), "a game of 257 tags, expected at most 256"),
    ];
    for (text, error) in cases {
        let found = read(text.as_bytes()).error.expect(error).to_string();
        assert!(found.contains(error), "{found}");
    }
}

#[test]
fn bytes_that_are_no_text_end_a_file() {
    let mut bytes = b"[Event \"x\"]\n1. h2e2 {\xe4\xb8\xad} *\n".to_vec();
    bytes.extend(b"\n1. h2e2 {\xff\xff} *\n");
    let reading = read(&bytes);
    assert_eq!(reading.games.len(), 1);
    assert_eq!(
        reading.error.map(|e| e.to_string()).as_deref(),
        Some("line 4, game 2: not a text in UTF-8, GBK or GB18030")
    );
}

#[test]
fn games_without_a_variant_are_of_the_one_that_is_asked_for() {
    let text = "1. a5a6 a8a7 *";
    let read = read_games(text.as_bytes(), &variant("wuji-advanced"));
    assert_eq!((read.error, read.games[0].variant().name()), (None, "wuji-advanced"));
    let text = "[Variant \"Xiangqi\"]\n[White \"x\"]\nh2e2 *";
    assert_eq!(games(text.as_bytes())[0].tag("Red"), Some("x"));
    for nothing in ["", "*", "\n\n", "{x}", "1. 1-0", "% x"] {
        assert!(games(nothing.as_bytes()).is_empty(), "{nothing}");
    }
}

#[test]
fn chinese_punctuation_stands_between_moves() {
    let reading = read_games("1. 炮二平五，马8进7；2. 马二进三、车9平8。".as_bytes(), &"xiangqi".parse().unwrap());
    assert_eq!(reading.error.map(|error| error.to_string()), None);
    let turns: Vec<&str> = reading.games[0].turns().iter().map(|turn| turn.text()).collect();
    assert_eq!(turns, ["h3e3", "h10g8", "h1g3", "i10h10"]);
}
