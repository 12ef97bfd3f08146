//! `alphabeta:D` as a player: the searcher is [`heng_mcts::alphabeta`].

use heng_env::{Action, Game, Rng};
use heng_mcts::alphabeta::{AlphaBeta, Course, DEPTH_MAX, Found, Limits, Proof, Score};

use super::{Agent, Choice, Decision, Distance, Line, Opinion, Request, Thinking, Verdict};

/// The searcher as a player.
#[derive(Clone, Debug)]
pub struct AlphaBetaAgent {
    searcher: AlphaBeta,
}

impl AlphaBetaAgent {
    /// A player that searches within `limits`.
    pub fn new(limits: Limits) -> AlphaBetaAgent {
        AlphaBetaAgent { searcher: AlphaBeta::new(limits) }
    }

    fn choose_one<G: Game>(&mut self, position: &G, rng: &mut Rng) -> Choice {
        let mut actions = Vec::new();
        position.legal_actions(&mut actions);
        if let [forced] = actions[..] {
            return Choice::only(forced);
        }
        let found = self.searcher.search(position, rng);
        Choice { action: found.action, score: Some(expectation(found.score)), line: found.line }
    }
}

impl<G: Game> Agent<G> for AlphaBetaAgent {
    fn begin(&mut self, _slot: usize) {}

    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Decision<Choice>> {
        requests.iter_mut().map(|request| Ok(self.choose_one(request.position, request.rng))).collect()
    }

    fn think(
        &mut self,
        request: &mut Request<'_, G>,
        thinking: &Thinking,
        report: &mut dyn FnMut(&Opinion),
    ) -> Decision<Opinion> {
        let course = course(self.searcher.limits(), thinking);
        let found = self.searcher.pursue(request.position, request.rng, &course, |found| report(&opinion(found)));
        Ok(opinion(&found))
    }

    fn played(&mut self, _slot: usize, _action: Action) {}

    fn fresh(&self) -> Box<dyn Agent<G>> {
        Box::new(AlphaBetaAgent::new(self.searcher.limits()))
    }
}

/// What `thinking` leaves of `limits`.
fn course(limits: Limits, thinking: &Thinking) -> Course {
    let given = &thinking.limits;
    let is_own = given.are_own();
    Course {
        depth: given.depth.unwrap_or(if is_own { limits.depth } else { DEPTH_MAX }),
        nodes: given.nodes.unwrap_or(if is_own { limits.nodes } else { u64::MAX }),
        lines: thinking.lines,
        among: thinking.among.clone(),
        deadline: thinking.deadline,
        stop: thinking.stop.flag(),
    }
}

/// What the steps that were found are worth.
fn opinion(found: &[Found]) -> Opinion {
    let line = |found: &Found| Line {
        steps: found.line.clone(),
        score: Some(expectation(found.score)),
        verdict: found.score.proof().map(|proof| match proof {
            Proof::WinIn(turns) => Verdict { result: 1, distance: Distance::Turns(turns) },
            Proof::LossIn(turns) => Verdict { result: -1, distance: Distance::Turns(turns) },
        }),
        ..Line::default()
    };
    let first = found.first();
    Opinion {
        lines: found.iter().map(line).collect(),
        score: first.map(|found| expectation(found.score)),
        wdl: None,
        nodes: first.map_or(0, |found| found.nodes),
        depth: first.map_or(0, |found| found.depth),
    }
}

/// A score as an expected result, from -1 to 1: proofs are the ends, ten typical pieces are worth half a win.
fn expectation(score: Score) -> f32 {
    match score.proof() {
        Some(Proof::WinIn(_)) => 1.0,
        Some(Proof::LossIn(_)) => -1.0,
        None => {
            let hundredths = score.hundredths() as f32;
            hundredths / (hundredths.abs() + 1000.0)
        }
    }
}
