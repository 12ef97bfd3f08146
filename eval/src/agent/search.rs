//! Tree search as a player: over a network or over random playouts.

use std::sync::Arc;

use heng_env::{Action, Game, Rng};
use heng_mcts::drive::drive;
use heng_mcts::evaluator::Evaluator;
use heng_mcts::search::{Search, SearchConfig};

use super::pursuit::Pursuit;
use super::{Agent, Choice, Decision, Opinion, Request, Thinking};

/// An evaluator that belongs to one agent.
pub type OwnEvaluator<G> = Box<dyn Evaluator<G> + Send>;

/// Makes evaluators that work on so many threads each.
type EvaluatorSource<G> = Arc<dyn Fn(usize) -> OwnEvaluator<G> + Send + Sync>;

/// Plays the step that a search likes best. The searches of all games that wait share batches; each keeps the part of
/// its tree that is still possible.
pub struct SearchAgent<G> {
    config: SearchConfig,
    batch_size: usize,
    source: EvaluatorSource<G>,
    evaluator: OwnEvaluator<G>,
    /// Threads that the evaluator uses.
    threads: usize,
    /// By slot.
    searches: Vec<Option<Search<G>>>,
}

impl<G: Game> SearchAgent<G> {
    /// A player that searches as `config` says, with the evaluators that `source` makes for a number of threads, which are
    /// at their best with `batch_size` positions.
    pub fn new(
        config: SearchConfig,
        batch_size: usize,
        source: impl Fn(usize) -> OwnEvaluator<G> + Send + Sync + 'static,
    ) -> SearchAgent<G> {
        SearchAgent::from_source(config, batch_size, Arc::new(source))
    }

    fn from_source(config: SearchConfig, batch_size: usize, source: EvaluatorSource<G>) -> SearchAgent<G> {
        let evaluator = source(1);
        SearchAgent { config, batch_size, source, evaluator, threads: 1, searches: Vec::new() }
    }

    fn use_threads(&mut self, threads: usize) {
        if self.threads != threads {
            (self.evaluator, self.threads) = ((self.source)(threads), threads);
        }
    }

    /// The search of `slot` at `position`, with its tree if it followed the game to there.
    fn take(&mut self, slot: usize, position: &G) -> Search<G> {
        if self.searches.len() <= slot {
            self.searches.resize_with(slot + 1, || None);
        }
        self.searches[slot]
            .take()
            .filter(|search| is_same_moment(search.root(), position))
            .unwrap_or_else(|| Search::new(position.clone(), self.config.clone()))
    }
}

fn is_same_moment<G: Game>(a: &G, b: &G) -> bool {
    a.turns_played() == b.turns_played() && a.key() == b.key()
}

fn choice_of<G: Game>(search: &Search<G>, rng: &mut Rng) -> Choice {
    let action = search.choose(rng);
    let result = search.result();
    let score = result.value.to_side(result.side).score();
    let line = if result.best == action { result.principal_variation } else { vec![action] };
    Choice { action, score: Some(score), line }
}

impl<G: Game> Agent<G> for SearchAgent<G> {
    fn begin(&mut self, slot: usize) {
        if let Some(search) = self.searches.get_mut(slot) {
            *search = None;
        }
    }

    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn choose(&mut self, requests: &mut [Request<'_, G>]) -> Vec<Decision<Choice>> {
        let mut searches: Vec<Search<G>> = requests
            .iter_mut()
            .map(|request| {
                let mut search = self.take(request.slot, request.position);
                search.begin(request.rng);
                search
            })
            .collect();
        drive(&mut searches, &mut self.evaluator);
        let choice = |(search, request): (&Search<G>, &mut Request<'_, G>)| Ok(choice_of(search, request.rng));
        let choices = searches.iter().zip(requests.iter_mut()).map(choice).collect();
        for (search, request) in searches.into_iter().zip(requests) {
            self.searches[request.slot] = Some(search);
        }
        choices
    }

    fn think(
        &mut self,
        request: &mut Request<'_, G>,
        thinking: &Thinking,
        report: &mut dyn FnMut(&Opinion),
    ) -> Decision<Opinion> {
        self.use_threads(thinking.threads.max(1));
        let mut search = match &thinking.among {
            Some(_) => {
                Search::among(request.position.clone(), self.config.clone(), &thinking.candidates(request.position))
            }
            None => self.take(request.slot, request.position),
        };
        let opinion =
            Pursuit::new(thinking, self.batch_size).run(&mut search, &mut self.evaluator, request.rng, report);
        if thinking.among.is_none() {
            self.searches[request.slot] = Some(search);
        }
        Ok(opinion)
    }

    fn played(&mut self, slot: usize, action: Action) {
        if let Some(Some(search)) = self.searches.get_mut(slot) {
            search.advance(action);
        }
    }

    fn fresh(&self) -> Box<dyn Agent<G>> {
        Box::new(SearchAgent::from_source(self.config.clone(), self.batch_size, Arc::clone(&self.source)))
    }
}
