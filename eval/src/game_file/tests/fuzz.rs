//! Whatever a file holds, reading it ends, quickly and with at most one error.

use proptest::prelude::*;
use proptest::sample::select;

use super::super::{Form, MOST_TURNS, read_games, write_dhtmlxq, write_pgn};
use super::round_trip::random_game;
use super::{turn_texts, variant};

/// Reads a file, and checks that what is read can be written and read again.
fn check(contents: &[u8]) -> Result<(), TestCaseError> {
    let reading = read_games(contents, &variant("xiangqi"));
    prop_assert!(reading.games.len() <= contents.len());
    for game in reading.games {
        prop_assert!(game.turns().len() <= MOST_TURNS);
        let text = write_pgn(&game, Form::Wxf);
        let again = read_games(text.as_bytes(), &variant("xiangqi"));
        prop_assert_eq!(again.error, None, "{}", text);
        let [again] = &again.games[..] else { return Err(TestCaseError::fail(text)) };
        // Values may have more digits than are written: what is written stays as it is.
        prop_assert_eq!(write_pgn(again, Form::Wxf), text);
        prop_assert_eq!(turn_texts(again), turn_texts(&game));
        prop_assert_eq!(again.start(), game.start());
        if game.variant().name() == "xiangqi" {
            let text = write_dhtmlxq(&game).expect("Xiangqi");
            prop_assert_eq!(read_games(text.as_bytes(), &variant("xiangqi")).error, None, "{}", text);
        }
    }
    if let Some(error) = reading.error {
        let text = error.to_string();
        prop_assert!(text.len() < 2000 && text.lines().count() == 1, "{}", text);
    }
    Ok(())
}

const PARTS: [&str; 40] = [
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "\n",
    "\n\n",
    " ",
    "*",
    "1-0",
    "1.",
    "2...",
    "$3",
    "!?",
    "\"",
    "\\",
    "[Event \"x\"]\n",
    "[FEN \"4k4/9/9/9/9/9/9/9/9/5K3 b\"]",
    "[Variant \"eternal-mini\"]",
    "[Format \"UCI\"]",
    "[Format \"WXF\"]",
    "h2e2",
    "h9g7",
    "h3e3",
    "h10g8",
    "C2=5",
    "炮二平五",
    "马8进7",
    "{red +0.5, 1 s; x}",
    "[DhtmlXQ]",
    "[/DhtmlXQ]",
    "[DhtmlXQ_movelist]",
    "7747",
    "7062",
    "[/DhtmlXQ_movelist]",
    "[DhtmlXQ_comment1]",
    "\u{feff}",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_read_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        check(&bytes)?;
    }

    #[test]
    fn random_parts_of_files_are_read_without_panic(parts in proptest::collection::vec(select(PARTS.to_vec()), 0..60)) {
        check(parts.concat().as_bytes())?;
    }

    #[test]
    fn altered_files_are_read_without_panic(
        name in select(vec!["xiangqi", "eternal-free", "eternal-mini", "wuji-flexible"]),
        form in select(Form::ALL.to_vec()),
        as_blocks in any::<bool>(),
        seed in 0..5_u64,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 0..6),
    ) {
        let game = random_game(&variant(name), seed, 40);
        let text = write_dhtmlxq(&game).ok().filter(|_| as_blocks).unwrap_or_else(|| write_pgn(&game, form));
        let mut bytes = [text.as_bytes(), text.as_bytes()].concat();
        for (place, byte, kind) in changes {
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        check(&bytes)?;
    }
}
