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
