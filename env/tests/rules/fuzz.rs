//! Texts of all sorts: readers answer with an error or a value that reads back, and never panic.

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Purpose, Seeds, Variant};
use proptest::prelude::*;

/// What is read in one test: position texts, steps and turns.
struct Texts<'a> {
    positions: &'a [String],
    steps: &'a [String],
}

impl VariantVisitor for &Texts<'_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let start = G::start(&rules, &mut Seeds::new(3).stream(Purpose::Test, 0));
        self.read_steps(&start);
        for text in self.positions {
            if let Ok(game) = G::from_fen(&rules, text) {
                let again = G::from_fen(&rules, &game.fen());
                assert_eq!(again.map(|game| game.fen()).as_ref(), Ok(&game.fen()), "{text}");
                self.read_steps(&game);
            }
        }
    }
}

impl Texts<'_> {
    fn read_steps<G: Notation>(&self, game: &G) {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        for text in self.steps {
            if let Ok(action) = game.parse_step(text) {
                assert!(actions.contains(&action), "{text}");
                assert_eq!(&game.step_text(action), text);
            }
            if let Ok(steps) = game.parse_turn(text) {
                assert_eq!(game.parse_turn(&game.turn_text(&steps)), Ok(steps), "{text}");
            }
        }
    }
}

fn check(positions: &[String], steps: &[String]) {
    let texts = Texts { positions, steps };
    Variant::all().iter().for_each(|variant| variant.dispatch(&texts));
}

/// Good position texts to damage.
const POSITIONS: [&str; 13] = [
    "8/8/8/8/********/8/8/8/8 r RRNNCCBBMMPPrrnnccbbmmpp 0-0 p1",
    "m5mb/nrp5/1b6/6n1/********/1B2N1R1/2B1R1C1/1M5N/2P4P r CMrccp 0-0 p5",
    "m2c3b/nrp5/cb5p/1m1N2n1/********/1B4R1/2B1R1C1/C6N/M1P2M1P b r 0-0 10",
    "1NM5/4C3/1P3m1p/3b1C1p/b*1**2*/2m2crR/M2r1PB1/1N4c1/2n1R1Bn b - 3-2 70",
    "R2n2/R4c/5r/1***1*/Nn3N/cCC3/1r4 r - 0-0 55",
    "1n2R1/r3n1/c2c2/1**CR1/3N2/1C4/r5 r N 0-0 141",
    "rnlbxqkaxblnr/13/1c3z1z3c1/13/p1p1p1p1p1p1p/13/13/P1P1P1P1P1P1P/13/1C3Z1Z3C1/13/RNLBXQKAXBLNR r 0 1",
    "5k7/1n1x1lb4n1/12r/2X4c4b/4p5x1p/p3P3pC2c/P7PqP2/13/3L9/N11X/5AK2N3/RB4R6 g 3 93",
    "6k6/6a2n3/10C2/11R1/13/P8P2p/3p1X4l2/5B1x5/8r4/A7pNR1L/8z1r2/Kx1+p9 g 1 162",
    "12k/13/13/13/13/5r7/13/3Q9/13/1n11/12r/K11r r 5 40",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "2bc5/C1PR1k3/9/p1p6/9/6B2/1RC6/3A1A3/9/4K1B2 b - - 7 41",
];

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>(), step in any::<String>()) {
        check(&[text], &[step]);
    }

    #[test]
    fn a_damaged_position_text_is_read_without_a_panic(
        base in prop::sample::select(&POSITIONS),
        at in any::<prop::sample::Index>(),
        length in 0_usize..3,
        patch in "[rRnNcCbBmMpPkKaAqQlLxXzZheHE*+/0-9 pgw-]{0,3}",
    ) {
        let start = at.index(base.len());
        let end = (start + length).min(base.len());
        check(&[[&base[..start], &patch, &base[end..]].concat()], &[]);
    }

    #[test]
    fn anything_like_a_step_is_read_without_a_panic(
        base in prop::sample::select(&POSITIONS),
        texts in prop::collection::vec("[<>RNCBMP]?([a-i][0-9]){0,5}[#+x]?", 8),
        moves in prop::collection::vec("[a-m](1[0-2]|[1-9])@?[a-m](1[0-2]|[1-9])", 8),
        placements in prop::collection::vec("([RNCBMP][a-h][1-9]){1,4}", 4),
    ) {
        check(&[base.to_owned()], &[texts, moves, placements].concat());
    }
}
