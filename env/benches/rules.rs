//! What the rules cost: the parts of a search's node for every variant over the same positions of random games, and perft.
//!
//! `cargo bench -p heng-env -- TEXT` runs those whose name contains the text. Times are those of one position.

use divan::Bencher;
use divan::counter::ItemsCount;
use heng_env::perft::perft;
use heng_env::variants::VariantVisitor;
use heng_env::{Action, Game, Notation, Purpose, Seeds, Variant};
use rand::RngExt;

/// Positions that are worked through in turn: few enough to stay in the cache, as those of a search do. A sample is a round.
const POSITIONS: u32 = 256;

/// Rounds, of which the median counts.
const ROUNDS: u32 = 1000;

/// Turns of a random game from which positions are taken.
const TURNS: usize = 60;

fn main() {
    divan::main();
}

/// The legal steps of a position.
#[divan::bench(args = Variant::names(), sample_size = POSITIONS, sample_count = ROUNDS)]
fn legal(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Legal, bencher);
}

/// A copy of a position into one that is there already.
#[divan::bench(args = Variant::names(), sample_size = POSITIONS, sample_count = ROUNDS)]
fn copy(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Copy, bencher);
}

/// A copy of a position, and a step played in it.
#[divan::bench(args = Variant::names(), sample_size = POSITIONS, sample_count = ROUNDS)]
fn apply(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Apply, bencher);
}

/// The key of a position.
#[divan::bench(args = Variant::names(), sample_size = POSITIONS, sample_count = ROUNDS)]
fn key(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Key, bencher);
}

/// The planes of a position.
#[divan::bench(args = Variant::names(), sample_size = POSITIONS, sample_count = ROUNDS)]
fn encode(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Encode, bencher);
}

/// A node of a search: the legal steps of a position, one of them played in a copy, and the key of what comes of it.
#[divan::bench(args = Variant::names(), sample_size = POSITIONS, sample_count = ROUNDS)]
fn node(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Node, bencher);
}

/// Steps counted from the start.
#[divan::bench(args = Variant::names(), sample_size = 1, sample_count = 20)]
fn count(bencher: Bencher<'_, '_>, name: &str) {
    run(name, Part::Perft, bencher);
}

/// What is measured.
#[derive(Clone, Copy)]
enum Part {
    Legal,
    Copy,
    Apply,
    Key,
    Encode,
    Node,
    Perft,
}

struct Bench<'a, 'b> {
    part: Part,
    bencher: Bencher<'a, 'b>,
}

fn run(name: &str, part: Part, bencher: Bencher<'_, '_>) {
    let variant: Variant = name.parse().expect("a registered name is a variant");
    variant.dispatch(Bench { part, bencher });
}

impl VariantVisitor for Bench<'_, '_> {
    type Output = ();

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) {
        let Bench { part, bencher } = self;
        if let Part::Perft = part {
            let (start, depth) = (G::standard_start(&rules), depth(variant));
            let steps = perft(&start, depth);
            return bencher.counter(ItemsCount::new(steps)).bench_local(|| perft(&start, depth));
        }
        let sampled = sampled::<G>(&rules);
        let mut turn = sampled.iter().cycle();
        let mut next = || turn.next().expect("there are positions");
        let mut copy = sampled[0].0.clone();
        let mut actions = Vec::new();
        let mut planes = vec![0.0; G::shape(&rules).input_len()];
        match part {
            Part::Legal => bencher.bench_local(|| {
                next().0.legal_actions(&mut actions);
                actions.len()
            }),
            Part::Copy => bencher.bench_local(|| copy.clone_from(&next().0)),
            Part::Apply => bencher.bench_local(|| play(&mut copy, next())),
            Part::Key => bencher.bench_local(|| next().0.key()),
            Part::Encode => bencher.bench_local(|| next().0.encode(&mut planes)),
            Part::Node => bencher.bench_local(|| {
                let sample = next();
                sample.0.legal_actions(&mut actions);
                play(&mut copy, sample);
                copy.key()
            }),
            Part::Perft => {}
        }
    }
}

fn play<G: Game>(copy: &mut G, (position, action): &(G, Action)) {
    copy.clone_from(position);
    copy.apply(*action);
}

/// Steps to look ahead, so that one count takes some hundredths of a second.
fn depth(variant: &Variant) -> usize {
    match variant.name() {
        "eternal-free" | "wuji-simple" | "wuji-advanced" | "wuji-flexible" => 3,
        _ => 4,
    }
}

/// Positions that are not finished, from random games of random length, each with a step.
fn sampled<G: Game>(rules: &G::Rules) -> Vec<(G, Action)> {
    let mut actions = Vec::new();
    let mut position = |index: u64| {
        let mut rng = Seeds::new(4).stream(Purpose::Test, index);
        let mut game = G::start(rules, &mut rng);
        let turns = rng.random_range(0..TURNS);
        while game.turns_played() < turns && game.outcome().is_none() {
            game.legal_actions(&mut actions);
            game.apply(actions[rng.random_range(0..actions.len())]);
        }
        game.legal_actions(&mut actions);
        let action = actions.get(index as usize % actions.len().max(1))?;
        Some((game, *action))
    };
    (0..).filter_map(&mut position).take(POSITIONS as usize).collect()
}
