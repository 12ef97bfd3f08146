//! Both colours see the same game: a position with its colours swapped and its ranks turned over has the same planes and the
//! same steps, in the same order.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Purpose, Seeds, Variant};
use rand::seq::IndexedRandom;

/// The text of the position with the colours swapped. The number of fields tells whose position texts these are.
fn swapped(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    match fields[..] {
        [board, side, hand, score, turn] => {
            let hand = swap_case(hand);
            let (red, black): (Vec<char>, Vec<char>) = hand.chars().partition(|letter| letter.is_ascii_uppercase());
            let hand: String = red.into_iter().chain(black).collect();
            let (red, black) = score.split_once('-').expect("a score has two parts");
            format!("{} {} {hand} {black}-{red} {turn}", swapped_board(board), swapped_side(side, "r", "b"))
        }
        [board, side, quiet, turn] => {
            format!("{} {} {quiet} {turn}", swapped_board(board), swapped_side(side, "r", "g"))
        }
        [board, side, "-", "-", quiet, round] => {
            format!("{} {} - - {quiet} {round}", swapped_board(board), swapped_side(side, "w", "b"))
        }
        _ => panic!("`{fen}` is the position text of no family"),
    }
}

/// The ranks in the opposite order, with the pieces' colours swapped; a `+` stays before its letter.
fn swapped_board(board: &str) -> String {
    board.rsplit('/').map(swap_case).collect::<Vec<_>>().join("/")
}

fn swapped_side<'a>(side: &str, red: &'a str, other: &'a str) -> &'a str {
    if side == red { other } else { red }
}

fn swap_case(text: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    text.chars().map(swap).collect()
}

struct Twins;

impl VariantVisitor for Twins {
    type Output = ();

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) {
        let mut compared = 0;
        for index in 0..6 {
            let mut rng = Seeds::new(7).stream(Purpose::Test, index);
            let mut game = G::start(&rules, &mut rng);
            let mut actions: Vec<Action> = Vec::new();
            loop {
                game.legal_actions(&mut actions);
                let Some(&action) = actions.choose(&mut rng) else { break };
                let fen = game.fen();
                // In the placement phase red is always one turn ahead: such a position has no twin.
                if !fen.contains(" p") {
                    let twin =
                        G::from_fen(&rules, &swapped(&fen)).unwrap_or_else(|error| panic!("{variant} {fen}: {error}"));
                    compare(&game, &twin, &rules, &actions);
                    compared += 1;
                }
                game.apply(action);
            }
        }
        assert!(compared > 100, "{variant}: {compared} positions");
    }
}

fn compare<G: Notation>(game: &G, twin: &G, rules: &G::Rules, actions: &[Action]) {
    let mut twin_actions = Vec::new();
    twin.legal_actions(&mut twin_actions);
    assert_eq!(twin_actions, actions, "steps of {} and {}", game.fen(), twin.fen());
    let mut fresh = G::from_fen(rules, &game.fen()).expect("a written position is read");
    fresh.set_repetitions(0);
    let planes = |game: &G| {
        let mut planes = vec![f32::NAN; G::shape(rules).input_len()];
        game.encode(&mut planes);
        planes
    };
    assert_eq!(planes(twin), planes(&fresh), "planes of {} and {}", game.fen(), twin.fen());
    assert_eq!(twin.heuristic(), fresh.heuristic(), "static value of {} and {}", game.fen(), twin.fen());
}

#[test]
fn both_colours_see_the_same_board_and_the_same_steps_in_the_same_order() {
    for variant in Variant::all() {
        variant.dispatch(Twins);
    }
}
