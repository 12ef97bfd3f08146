//! What the parts of a search cost, each by itself: `cargo bench -p heng-mcts`.

use divan::Bencher;
use divan::counter::ItemsCount;
use heng_env::variants::VariantVisitor;
use heng_env::{Game, Notation, Purpose, Seeds, Variant};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::{CachedEvaluator, Evaluation, Evaluator, RolloutEvaluator, UniformEvaluator};
use heng_mcts::search::{Algorithm, Search, SearchConfig};

/// Simulations of a search.
const SIMULATIONS: u32 = 400;

fn main() {
    divan::main();
}

/// A search whose evaluator knows nothing: the tree and the rules. Items are simulations.
#[divan::bench(args = Variant::names())]
fn gumbel(bencher: Bencher<'_, '_>, variant: &str) {
    on(variant, Searching { bencher, algorithm: Algorithm::Gumbel, cache: false });
}

/// The same with the other algorithm.
#[divan::bench(args = Variant::names())]
fn puct(bencher: Bencher<'_, '_>, variant: &str) {
    on(variant, Searching { bencher, algorithm: Algorithm::Puct, cache: false });
}

/// The first again, with a cache that is always full of other positions.
#[divan::bench(args = Variant::names())]
fn cached(bencher: Bencher<'_, '_>, variant: &str) {
    on(variant, Searching { bencher, algorithm: Algorithm::Gumbel, cache: true });
}

/// A playout from the start.
#[divan::bench(args = Variant::names())]
fn playout(bencher: Bencher<'_, '_>, variant: &str) {
    on(variant, Playout(bencher));
}

/// Playing a step after its search, which keeps what the tree knows behind it.
#[divan::bench(args = Variant::names())]
fn advance(bencher: Bencher<'_, '_>, variant: &str) {
    on(variant, Advance(bencher));
}

fn on<V: VariantVisitor<Output = ()>>(variant: &str, benchmark: V) {
    variant.parse::<Variant>().expect("a registered variant").dispatch(benchmark);
}

/// A search that has begun.
fn begun<G: Game>(rules: &G::Rules, algorithm: Algorithm) -> Search<G> {
    let config = SearchConfig { algorithm, simulations: SIMULATIONS, ..SearchConfig::default() }.without_exploration();
    let mut search = Search::new(G::standard_start(rules), config);
    search.begin(&mut Seeds::new(1).stream(Purpose::Test, 0));
    search
}

struct Searching<'a, 'b> {
    bencher: Bencher<'a, 'b>,
    algorithm: Algorithm,
    cache: bool,
}

impl VariantVisitor for Searching<'_, '_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let Searching { bencher, algorithm, cache } = self;
        let mut evaluator: Box<dyn Evaluator<G>> =
            if cache { Box::new(CachedEvaluator::new(UniformEvaluator, 64)) } else { Box::new(UniformEvaluator) };
        bencher.counter(ItemsCount::new(SIMULATIONS)).with_inputs(|| begun::<G>(&rules, algorithm)).bench_local_refs(
            |search| {
                drive(&mut [search], &mut evaluator);
            },
        );
    }
}

struct Playout<'a, 'b>(Bencher<'a, 'b>);

impl VariantVisitor for Playout<'_, '_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let start = G::standard_start(&rules);
        let (mut seed, mut answer) = (0, [Evaluation::default()]);
        self.0.bench_local(|| {
            seed += 1;
            RolloutEvaluator::new(1, Seeds::new(seed)).evaluate(&[&start], &mut answer);
        });
    }
}

struct Advance<'a, 'b>(Bencher<'a, 'b>);

impl VariantVisitor for Advance<'_, '_> {
    type Output = ();

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) {
        let mut searched = begun::<G>(&rules, Algorithm::Puct);
        drive(&mut [&mut searched], &mut UniformEvaluator);
        let best = searched.result().best;
        self.0.with_inputs(|| searched.clone()).bench_local_refs(|search| search.advance(best));
    }
}
