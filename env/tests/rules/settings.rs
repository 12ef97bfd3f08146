//! Settings of the Eternal variants: whatever is accepted is what the game starts from and ends by.

use std::collections::{HashMap, HashSet};

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Reason, Rng, Seeds, Variant};
use proptest::prelude::*;
use rand::RngExt;

use crate::variant;

fn rng(index: u64) -> Rng {
    Seeds::new(17).stream(Purpose::Test, index)
}

/// The text of the start, which belongs to the number of a game.
struct StartText(u64);

impl VariantVisitor for StartText {
    type Output = String;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> String {
        G::start(&rules, &mut rng(self.0)).fen()
    }
}

/// The letters of a position text's board by square, without stones and empty squares.
fn pieces(fen: &str) -> HashMap<String, char> {
    let board = fen.split(' ').next().expect("a board");
    let mut pieces = HashMap::new();
    for (rank, row) in board.rsplit('/').enumerate() {
        let mut file = 0_u8;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as u8,
                None => {
                    if letter != '*' {
                        pieces.insert(format!("{}{}", (b'a' + file) as char, rank + 1), letter);
                    }
                    file += 1;
                }
            }
        }
    }
    pieces
}

/// Squares of red's side in random order, with at most one of its palace among the first twelve.
fn red_squares() -> impl Strategy<Value = Vec<String>> {
    const PALACE: [&str; 4] = ["d1", "e1", "d2", "e2"];
    let outside: Vec<String> = (1..=4)
        .flat_map(|rank| ('a'..='h').map(move |file| format!("{file}{rank}")))
        .filter(|square| !PALACE.contains(&square.as_str()))
        .collect();
    (Just(outside).prop_shuffle(), prop::option::of((0..12_usize, prop::sample::select(&PALACE)))).prop_map(
        |(mut squares, guard)| {
            if let Some((place, square)) = guard {
                squares[place] = square.to_owned();
            }
            squares.truncate(12);
            squares
        },
    )
}

fn turned_over(square: &str) -> String {
    let (file, rank) = square.split_at(1);
    format!("{file}{}", 10 - rank.parse::<u8>().expect("a rank"))
}

const KINDS: [char; 12] = ['R', 'R', 'N', 'N', 'C', 'C', 'B', 'B', 'M', 'M', 'P', 'P'];

proptest! {
    #[test]
    fn any_setting_is_read_without_a_panic(
        name in prop::sample::select(Variant::names()),
        key in "red|black|turn_limit|[a-z_]{0,4}",
        value in "([RNCBMPrn]?[a-i]?[0-9]){0,13}|[0-9-]{0,6}|\\PC{0,8}",
    ) {
        let text = format!("{name}:{key}={value}");
        if let Ok(variant) = text.parse::<Variant>() {
            prop_assert_eq!(variant.to_string(), text);
            variant.dispatch(StartText(0));
        }
    }

    #[test]
    fn a_layout_that_is_set_is_where_the_game_starts(red in red_squares(), black in red_squares()) {
        let black: Vec<String> = black.iter().map(|square| turned_over(square)).collect();
        let text = |squares: &[String]| -> String {
            KINDS.iter().zip(squares).map(|(kind, square)| format!("{kind}{square}")).collect()
        };
        let named = format!("eternal-fixed:red={},black={}", text(&red), text(&black));
        let found = pieces(&variant(&named).dispatch(StartText(0)));
        let mut expected: HashMap<String, char> = red.into_iter().zip(KINDS).collect();
        expected.extend(black.into_iter().zip(KINDS.map(|kind| kind.to_ascii_lowercase())));
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn mini_starts_from_each_of_the_ninety_arrangements_for_either_side_alone() {
    let starts: Vec<HashMap<String, char>> =
        (0..3000).map(|index| pieces(&variant("eternal-mini").dispatch(StartText(index)))).collect();
    let arrangement = |start: &HashMap<String, char>, squares: [&str; 6]| -> String {
        squares.iter().map(|&square| start[square].to_ascii_uppercase()).collect()
    };
    let red = |start: &_| arrangement(start, ["b3", "c3", "d3", "e3", "c2", "d2"]);
    let black = |start: &_| arrangement(start, ["b5", "c5", "d5", "e5", "c6", "d6"]);
    assert_eq!(starts.iter().map(red).collect::<HashSet<_>>().len(), 90);
    assert_eq!(starts.iter().map(black).collect::<HashSet<_>>().len(), 90);
    let both: HashSet<String> = starts.iter().map(|start| red(start) + &black(start)).collect();
    // Of 8,100 set-ups, 3,000 uniform draws find some 2,500.
    assert!((2300..2700).contains(&both.len()), "{}", both.len());
}

/// Plays random games to their end; returns how many ended by the limit.
struct EndsByLimit(u64);

impl VariantVisitor for EndsByLimit {
    type Output = usize;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> usize {
        let mut ended_by_limit = 0;
        for index in 0..20 {
            let mut rng = rng(index);
            let mut game = G::start(&rules, &mut rng);
            let before = if variant.name() == "eternal-free" { 6 } else { 0 };
            let mut legal = Vec::new();
            while game.outcome().is_none() {
                game.legal_actions(&mut legal);
                game.apply(legal[rng.random_range(0..legal.len())]);
            }
            let turns = (game.turns_played() - before) as u64;
            let by_limit = game.outcome().is_some_and(|outcome| outcome.reason == Reason::Limit);
            // A win with the last turn comes first.
            assert!(if by_limit { turns == self.0 } else { turns <= self.0 }, "{variant}: {turns} turns");
            ended_by_limit += usize::from(by_limit);
        }
        ended_by_limit
    }
}

#[test]
fn the_turn_limit_ends_the_playing_phase_after_just_that_many_turns() {
    for limit in [1, 2, 7, 20] {
        for name in ["eternal-free", "eternal-fixed", "eternal-mini"] {
            let ended = variant(&format!("{name}:turn_limit={limit}")).dispatch(EndsByLimit(limit));
            assert!(ended > 0, "{name}, limit {limit}");
        }
    }
}
