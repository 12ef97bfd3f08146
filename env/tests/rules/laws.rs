//! The laws of [`heng_env::conformance`] for every registered variant.

use heng_env::conformance::{Summary, check};
use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Seeds, Variant};

/// Random games of each variant.
const GAMES: u64 = 12;

struct Laws;

impl VariantVisitor for Laws {
    type Output = Summary;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Summary {
        check::<G>(&rules, Seeds::new(1), GAMES).unwrap_or_else(|violation| panic!("{variant}: {violation}"))
    }
}

#[test]
fn every_variant_obeys_the_laws_on_random_games() {
    for variant in Variant::all() {
        let summary = variant.dispatch(Laws);
        assert_eq!(summary.games, GAMES, "{variant}");
        assert!(summary.steps >= summary.turns && summary.turns >= GAMES, "{variant}: {summary:?}");
        assert_eq!(summary.outcomes.values().sum::<u64>(), GAMES, "{variant}: {summary:?}");
    }
}

#[test]
fn a_low_turn_limit_breaks_no_law() {
    for text in ["eternal-free:turn_limit=3", "eternal-fixed:turn_limit=5", "eternal-mini:turn_limit=1"] {
        crate::variant(text).dispatch(Laws);
    }
}

#[test]
fn the_settings_of_wuji_break_no_law() {
    let crowded = "5k7/13/4R3R4/13/2P7P2/13/13/2p7p2/13/4r3r4/13/6K6_g_0_30";
    for settings in [
        "royal_zone=half,promotion=all".to_owned(),
        format!("able_throne=true,pawn_sideways=true,start={crowded}"),
        format!("royal_zone=half,bomb=five,able_throne=true,start={crowded}"),
    ] {
        crate::variant(&format!("wuji-flexible:{settings}")).dispatch(Laws);
    }
}
