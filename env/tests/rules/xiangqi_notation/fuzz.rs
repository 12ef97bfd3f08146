//! Any text in any form is read without a panic, and what is read is written and read the same.
//!
//! A million of each by hand: `PROPTEST_CASES=1000000 cargo test --release -p heng-env --test rules notation::fuzz`.

use heng_env::Notation;
use heng_env::variants::xiangqi::Xiangqi;
use heng_env::variants::xiangqi::notation::Form;
use proptest::prelude::*;

use super::game;

/// Positions with every kind of stack for either side.
const POSITIONS: [&str; 6] = [
    super::START,
    "3k5/r6n1/9/7n1/9/r8/9/9/9/4K4 b",
    "3k5/9/9/9/9/9/9/9/2BA5/2BA1K3 w",
    "3k5/9/9/9/9/2p6/2p6/2p6/2p6/2p1K4 b",
    "4k4/9/9/9/9/2p6/p5p2/2p6/6p2/3K5 b",
    "4k1P2/2P6/6P2/2P6/6P2/9/9/9/9/3K5 w",
];

/// Good texts to damage, for each form.
const TEXTS: [&str; 14] = [
    "炮二平五",
    "马8进7",
    "前車退１",
    "后卒3进1",
    "一兵平四",
    "C2=5",
    "H8+7",
    "R+-1",
    "++.4",
    "33=4",
    "Pa+1",
    "H2-E2",
    "h2e2",
    "a10b10",
];

fn check(game: &Xiangqi, text: &str) {
    for form in Form::ALL {
        if let Ok(action) = game.read_move(text, form) {
            assert_eq!(game.read_move(&game.move_text(action, form), form), Ok(action), "{form} {text}");
        }
    }
    if let Ok(steps) = game.parse_turn(text) {
        assert_eq!(game.parse_turn(&game.turn_text(&steps)), Ok(steps), "{text}");
    }
}

fn any_position() -> impl Strategy<Value = Xiangqi> {
    prop::sample::select(&POSITIONS).prop_map(game)
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(game in any_position(), text in any::<String>()) {
        check(&game, &text);
    }

    #[test]
    fn anything_like_chinese_is_read_without_a_panic(
        game in any_position(),
        text in "[前中后後一二三四五六七八九1-9１-９帅將仕象马車俥炮兵卒]{1,3}[进進退平]?[一二三四五六七八九1-9１-９]?",
    ) {
        check(&game, &text);
    }

    #[test]
    fn anything_like_wxf_is_read_without_a_panic(game in any_position(), text in "[KAEHRCPNBSa-e1-9+=.-]{2}[+=.-][0-9]") {
        check(&game, &text);
    }

    #[test]
    fn anything_like_two_points_is_read_without_a_panic(game in any_position(), text in "[a-jA-J][0-9]{1,2}-?[a-jA-J][0-9]{1,2}") {
        check(&game, &text);
    }

    #[test]
    fn a_damaged_text_is_read_without_a_panic(
        game in any_position(),
        base in prop::sample::select(&TEXTS),
        at in any::<prop::sample::Index>(),
        length in 0_usize..3,
        patch in "([前中后二三3４马炮兵进退平C+=.h0é]|\\PC){0,2}",
    ) {
        let mut characters: Vec<char> = base.chars().collect();
        let start = at.index(characters.len());
        let end = (start + length).min(characters.len());
        characters.splice(start..end, patch.chars());
        check(&game, &characters.into_iter().collect::<String>());
    }
}
