//! Openings of the real game where starts are few, and stops.

use heng_env::Variant;
use heng_env::variants::VariantVisitor;

use super::*;

/// Draws random openings without turns: set-ups alone.
struct Drawing<'a> {
    count: usize,
    interrupt: &'a Interrupt,
}

impl VariantVisitor for Drawing<'_> {
    type Output = Vec<String>;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Vec<String> {
        let source = OpeningSource::Random { turns: 0 };
        let drawn = openings::<G>(&source, &rules, self.count, Seeds::new(1), self.interrupt).unwrap();
        drawn.iter().map(|opening| opening.position.fen()).collect()
    }
}

fn set_ups(count: usize, interrupt: &Interrupt) -> Vec<String> {
    "eternal-mini".parse::<Variant>().unwrap().dispatch(Drawing { count, interrupt })
}

#[test]
fn openings_are_different_until_they_are_used_up() {
    let interrupt = Interrupt::default();
    let few = set_ups(1000, &interrupt);
    assert_eq!(few.iter().collect::<HashSet<_>>().len(), 1000);
    // There are 8,100 set-ups.
    let many = set_ups(20_000, &interrupt);
    assert_eq!((many.len(), &many[..1000]), (20_000, &few[..]));
    assert!(many.iter().collect::<HashSet<_>>().len() > 7500);
}

#[test]
fn a_stop_ends_the_drawing() {
    let interrupt = Interrupt::default();
    interrupt.request();
    assert_eq!(set_ups(1000, &interrupt), Vec::<String>::new());
}
