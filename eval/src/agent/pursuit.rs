//! One search that goes on until its limits end it, and can be broken off at any time.

use std::slice;
use std::time::{Duration, Instant};

use heng_env::{Game, Rng};
use heng_mcts::drive::Driver;
use heng_mcts::evaluator::Evaluator;
use heng_mcts::search::{Budget, Line as SearchLine, Search};

use super::thinking::{Distance, Line, Opinion, Thinking, Verdict};

/// Simulations of the first round of a search without a number. Each later round has twice as many: sequential halving has
/// to know its budget, and of a doubled one no more than half is lost (the doubling trick, Karnin et al. 2013).
const FIRST_ROUND: u32 = 64;

/// Time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);

/// Simulations of a search that is to reach a depth, at most: it may never get there.
const DEPTH_SIMULATIONS_MAX: u64 = 1 << 20;

/// The most leaves of one tree that are out at once.
const LEAVES_MAX: usize = 64;

/// The running of one search.
pub(super) struct Pursuit<'a> {
    thinking: &'a Thinking,
    batch_size: usize,
    begun: Instant,
    last_report: Instant,
    simulations: u64,
}

impl<'a> Pursuit<'a> {
    /// Begins now. The evaluator is at its best with `batch_size` positions.
    pub(super) fn new(thinking: &'a Thinking, batch_size: usize) -> Pursuit<'a> {
        let begun = Instant::now();
        Pursuit { thinking, batch_size, begun, last_report: begun, simulations: 0 }
    }

    /// Searches until the limits end it, and says what it found.
    pub(super) fn run<G: Game>(
        mut self,
        search: &mut Search<G>,
        evaluator: &mut impl Evaluator<G>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Opinion),
    ) -> Opinion {
        let mut round = FIRST_ROUND;
        let whole = self.whole_budget(search);
        loop {
            search.begin_with(Budget { simulations: whole.unwrap_or(round), ..self.budget(search) }, rng);
            let is_broken_off = self.finish_round(search, evaluator, report);
            if is_broken_off || whole.is_some() || search.is_settled() || self.is_deep_enough(search) {
                return self.opinion(search);
            }
            report(&self.opinion(search));
            round = round.saturating_mul(2);
        }
    }

    /// The number of simulations, if it is known before.
    fn whole_budget<G: Game>(&self, search: &Search<G>) -> Option<u32> {
        let limits = &self.thinking.limits;
        let own = || (!self.thinking.is_open() && limits.depth.is_none()).then_some(search.config().simulations);
        limits.nodes.map(|nodes| u32::try_from(nodes).unwrap_or(u32::MAX).max(1)).or_else(own)
    }

    /// As many leaves at once as keep the evaluator's threads at work, but one where a number of simulations is to mean what it
    /// means in a match.
    fn budget<G: Game>(&self, search: &Search<G>) -> Budget {
        let threads = self.thinking.threads.max(1);
        let is_exact = threads == 1 && self.whole_budget(search).is_some();
        let least = if threads > 1 { 4 } else { 1 };
        let leaves = (self.batch_size / 4).clamp(least, LEAVES_MAX) * threads;
        let leaves_in_flight = if is_exact { search.config().leaves_in_flight } else { leaves as u32 };
        Budget { leaves_in_flight, ..Budget::of(search.config()) }
    }

    /// Spends the budget; says whether the limits broke it off.
    fn finish_round<G: Game>(
        &mut self,
        search: &mut Search<G>,
        evaluator: &mut impl Evaluator<G>,
        report: &mut dyn FnMut(&Opinion),
    ) -> bool {
        let mut driver = Driver::new(usize::MAX);
        loop {
            let started = Instant::now();
            let evaluated = driver.tick(slice::from_mut(search), evaluator);
            if evaluated == 0 {
                self.simulations += u64::from(search.simulations());
                return false;
            }
            let is_full = search.tree_bytes() >= self.thinking.memory;
            if is_full || self.thinking.is_over(self.begun, started.elapsed(), || ends_turn(search)) {
                self.simulations += u64::from(search.simulations());
                return true;
            }
            if self.last_report.elapsed() >= REPORT_INTERVAL {
                self.last_report = Instant::now();
                report(&self.opinion_after(search, self.simulations + u64::from(search.simulations())));
            }
        }
    }

    fn is_deep_enough<G: Game>(&self, search: &Search<G>) -> bool {
        let Some(depth) = self.thinking.limits.depth else { return false };
        turns_of(search.root(), &search.result().principal_variation) >= depth
            || self.simulations >= DEPTH_SIMULATIONS_MAX
    }

    fn opinion<G: Game>(&self, search: &Search<G>) -> Opinion {
        self.opinion_after(search, self.simulations)
    }

    fn opinion_after<G: Game>(&self, search: &Search<G>, nodes: u64) -> Opinion {
        let result = search.result();
        let line = |line: SearchLine| {
            let wdl = line.chances.map(|chances| chances.to_side(result.side));
            Line {
                score: wdl.map(|wdl| wdl.score()),
                wdl,
                visits: Some(line.visits),
                prior: Some(line.prior),
                verdict: line.proof.map(|proof| Verdict {
                    result: proof.winner.map_or(0, |winner| if winner == result.side { 1 } else { -1 }),
                    // The step itself, and what is left after it.
                    distance: Distance::Steps(u32::from(proof.steps) + 1),
                }),
                steps: line.steps,
            }
        };
        let wdl = result.value.to_side(result.side);
        Opinion {
            lines: search.lines(self.thinking.lines.max(1)).into_iter().map(line).collect(),
            score: Some(wdl.score()),
            wdl: Some(wdl),
            nodes,
            depth: turns_of(search.root(), &result.principal_variation).max(1),
        }
    }
}

/// Whether the step to play is the last of its turn.
fn ends_turn<G: Game>(search: &Search<G>) -> bool {
    let mut position = search.root().clone();
    position.apply(search.result().best);
    position.at_turn_start() || position.outcome().is_some()
}

/// The turns that `steps` complete.
fn turns_of<G: Game>(start: &G, steps: &[heng_env::Action]) -> u32 {
    let mut position = start.clone();
    let mut turns = 0;
    for &action in steps {
        position.apply(action);
        turns += u32::from(position.at_turn_start() || position.outcome().is_some());
    }
    turns
}
