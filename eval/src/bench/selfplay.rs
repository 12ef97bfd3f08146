//! Self-play as training does it, without its files: groups of games that share batches. On the processor each thread has one
//! group; where the network runs on a device it has two, one of which searches while the batch of the other is evaluated.

use heng_env::variants::VariantVisitor;
use heng_env::{Game, Notation, Purpose, Rng, Seeds, Variant};
use heng_mcts::drive::Driver;
use heng_mcts::evaluator::NetworkEvaluator;
use heng_mcts::net::{Device, NetConfig, PlayNet};
use heng_mcts::search::{Search, SearchConfig};
use rayon::prelude::*;

use super::{Benchmark, network, sample};

/// Games of a group.
const GAMES: usize = 32;
/// Simulations of a step.
const SIMULATIONS: u32 = 32;
/// Batches after which the clock is looked at.
const BATCHES: usize = 8;

/// Two sizes on the small board, each with one thread and with `threads`.
pub(super) fn all(threads: usize, device: &Device) -> Vec<Benchmark> {
    let mini: Variant = "eternal-mini".parse().expect("a registered variant");
    let mut all = Vec::new();
    for (channels, blocks) in [(64, 6), (32, 4)] {
        for threads in if threads == 1 { vec![1] } else { vec![1, threads] } {
            all.push(mini.dispatch(SelfPlay {
                config: network::config(channels, blocks),
                threads,
                device: device.clone(),
            }));
        }
    }
    all
}

struct SelfPlay {
    config: NetConfig,
    threads: usize,
    device: Device,
}

impl VariantVisitor for SelfPlay {
    type Output = Benchmark;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Benchmark {
        let SelfPlay { config, threads, device } = self;
        let name = format!("self-play {}x{} {variant}, {threads} threads", config.channels, config.blocks);
        Benchmark::rate(name, "evaluations/s", move || {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
            let net = PlayNet::new(&network::network::<G>(&config, &rules), &device);
            let in_turn = if net.is_on_processor() { 1 } else { 2 };
            let group = |index| Group::new(&rules, &net, index as u64);
            let mut groups: Vec<Group<G>> = (0..threads * in_turn).map(group).collect();
            move || pool.install(|| groups.par_chunks_mut(in_turn).map(play_in_turn).sum())
        })
    }
}

struct Group<G> {
    searches: Vec<Search<G>>,
    starts: Vec<G>,
    driver: Driver<G>,
    evaluator: NetworkEvaluator<G>,
    rng: Rng,
}

impl<G: Game> Group<G> {
    fn new(rules: &G::Rules, net: &PlayNet, index: u64) -> Group<G> {
        let config = SearchConfig { simulations: SIMULATIONS, ..SearchConfig::default() };
        let starts = sample::positions::<G>(rules, GAMES);
        let mut rng = Seeds::new(3).stream(Purpose::Test, index);
        let begin = |start: &G| {
            let mut search = Search::new(start.clone(), config.clone());
            search.begin(&mut rng);
            search
        };
        let searches = starts.iter().map(begin).collect();
        Group { searches, starts, driver: Driver::new(GAMES), evaluator: NetworkEvaluator::new(net.clone()), rng }
    }

    /// Plays on where a search is done, and submits a batch.
    fn begin_batch(&mut self) {
        for (search, start) in self.searches.iter_mut().zip(&self.starts) {
            while search.is_done() {
                search.advance(search.choose(&mut self.rng));
                if search.root().outcome().is_some() {
                    *search = Search::new(start.clone(), search.config().clone());
                }
                search.begin(&mut self.rng);
            }
        }
        self.driver.submit(&mut self.searches, &mut self.evaluator);
    }

    fn end_batch(&mut self) -> u64 {
        self.driver.collect(&mut self.searches, &mut self.evaluator) as u64
    }
}

/// Some batches of each group; returns the number of positions in them.
fn play_in_turn<G: Game>(groups: &mut [Group<G>]) -> u64 {
    let mut evaluated = 0;
    groups.iter_mut().for_each(Group::begin_batch);
    for batch in 1..=BATCHES {
        for group in &mut *groups {
            evaluated += group.end_batch();
            if batch < BATCHES {
                group.begin_batch();
            }
        }
    }
    evaluated
}
