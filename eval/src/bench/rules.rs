//! The rules: perft, and what a node of the search costs.

use std::hint::black_box;

use heng_env::perft::perft;
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Variant};

use super::{Benchmark, sample};

/// Positions that are worked through in turn: few enough to stay in the cache, as those of a search do.
const POSITIONS: usize = 256;

/// Steps to look ahead, so that one count takes some hundredths of a second.
fn depth(variant: &Variant) -> usize {
    match variant.name() {
        "eternal-free" | "wuji-simple" | "wuji-advanced" | "wuji-flexible" => 3,
        _ => 4,
    }
}

/// The benchmarks of every variant.
pub(super) fn all() -> Vec<Benchmark> {
    let variants = Variant::all();
    let perft = variants.iter().map(|variant| variant.dispatch(Perft));
    perft.chain(variants.iter().flat_map(|variant| variant.dispatch(Node))).collect()
}

struct Perft;

impl VariantVisitor for Perft {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let (start, depth) = (G::standard_start(&rules), depth(variant));
        Benchmark::rate(format!("perft {variant} {depth}"), "steps/s", move || move || perft(black_box(&start), depth))
    }
}

/// What the rules cost at each node of a search: a copy of the position, its legal steps, one of them played, the key of what
/// comes of it; and the planes of a position.
struct Node;

impl VariantVisitor for Node {
    type Output = Vec<Benchmark>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Vec<Benchmark> {
        let for_encoding = rules.clone();
        vec![
            Benchmark::cost(format!("node {variant}"), move || {
                let positions = sample::positions::<G>(&rules, POSITIONS);
                let (mut next, mut actions) = (positions[0].clone(), Vec::<Action>::new());
                move || {
                    for (index, position) in positions.iter().enumerate() {
                        position.legal_actions(&mut actions);
                        next.clone_from(position);
                        next.apply(actions[index % actions.len()]);
                        black_box(next.key());
                    }
                    positions.len() as u64
                }
            }),
            Benchmark::cost(format!("encode {variant}"), move || {
                let positions = sample::positions::<G>(&for_encoding, POSITIONS);
                let mut planes = vec![0.0; G::shape(&for_encoding).input_len()];
                move || {
                    for position in &positions {
                        position.encode(black_box(&mut planes));
                    }
                    positions.len() as u64
                }
            }),
        ]
    }
}
