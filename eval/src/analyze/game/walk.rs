//! From the game to the analysis: every position is evaluated once, as the end of a turn and as the start of the next.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Side, Variant};
use heng_mcts::value::{RedValue, RedWdl};

use super::super::AnalyzeError;
use super::super::analyst::{Analyst, Effort};
use super::super::judgement::Judgement;
use super::super::words::{LineTurn, turns_of};
use super::{AnalysedTurn, Analysis, Picture};
use crate::agent::{LoadedAgent, Verdict};
use crate::draw::Trace;
use crate::game_file::{SavedGame, SavedTurn};
use crate::playing_on::playing_on;
use crate::progress::Progress;

/// What `agent` thinks of every turn of `game`.
///
/// # Errors
/// If the agent cannot play the variant or gives up.
pub(super) fn analyse(
    game: SavedGame,
    agent: &LoadedAgent,
    effort: Effort,
    progress: &mut Progress,
) -> Result<Analysis, AnalyzeError> {
    let variant = game.variant().clone();
    variant.dispatch(Walk { game, agent, effort, progress })
}

struct Walk<'a> {
    game: SavedGame,
    agent: &'a LoadedAgent,
    effort: Effort,
    progress: &'a mut Progress,
}

/// What is known of a position.
struct Evaluated<G> {
    position: G,
    value: Option<RedValue>,
    verdict: Option<Verdict>,
    best: Option<LineTurn>,
}

impl VariantVisitor for Walk<'_> {
    type Output = Result<Analysis, AnalyzeError>;

    fn visit<G: Notation>(self, variant: &Variant, rules: G::Rules) -> Self::Output {
        let Walk { game, agent, effort, progress } = self;
        let start = G::from_fen(&rules, game.start())?;
        let analyst = Analyst::new(agent, variant, &rules, effort)?;
        let mut walker = Walker { analyst, progress, number: 0 };
        walker.progress.begin(0, game.turns().len() + 1);
        let walked = walker.turns(start, game.turns());
        walker.progress.finish();
        let (turns, end) = walked?;
        let (agent, side_names) = (agent.spec().to_string(), Side::BOTH.map(G::side_name));
        Ok(Analysis { agent, side_names, game, turns, end, error: None })
    }
}

struct Walker<'a, G> {
    analyst: Analyst<G>,
    progress: &'a mut Progress,
    /// Positions evaluated so far.
    number: u64,
}

impl<G: Notation> Walker<'_, G> {
    /// The turns that are analysed before somebody stops it, and the value after them.
    fn turns(&mut self, start: G, played: &[SavedTurn]) -> Result<(Vec<AnalysedTurn>, Option<RedValue>), AnalyzeError> {
        let mut turns = Vec::with_capacity(played.len());
        // A game that was played on was not over, whatever the law on repetition says here.
        let first = if played.is_empty() { start } else { playing_on(start) };
        let Some(mut before) = self.evaluate(first)? else { return Ok((turns, None)) };
        for (index, turn) in played.iter().enumerate() {
            let reached = after(&before.position, turn.steps());
            let is_last = index + 1 == played.len();
            let reached = if is_last { reached } else { playing_on(reached) };
            let Some(reached) = self.evaluate(reached)? else { break };
            let is_best = before.is_best(turn, &reached);
            let Some(played) = self.value_of_turn(&before, turn, &reached, is_best)? else { break };
            turns.push(judged(&before, turn, played, is_best));
            before = reached;
        }
        Ok((turns, before.value))
    }

    /// What the played turn is worth: the better for its player of what a search sees that goes as far as the one that found the
    /// best turn, and of the value of the position that is reached, whose search goes one turn further. Each alone charges the
    /// player with what only its horizon shows, such as a capture without the recapture; a real loss shows both ways. Nothing
    /// if somebody stops it.
    fn value_of_turn(
        &mut self,
        before: &Evaluated<G>,
        turn: &SavedTurn,
        reached: &Evaluated<G>,
        is_best: bool,
    ) -> Result<Option<Option<RedValue>>, AnalyzeError> {
        let is_over = reached.position.outcome().is_some();
        let Some((&last, begun)) = turn.steps().split_last().filter(|_| !is_over && !is_best) else {
            return Ok(Some(reached.value));
        };
        let position = playing_on(after(&before.position, begun));
        let opinion = self.analyst.opinion_of_step(&position, last, self.number - 2)?;
        if self.analyst.is_stopped() {
            return Ok(None);
        }
        // Some agents cannot be asked about one step alone.
        let line = opinion.lines.first().filter(|line| line.steps.first() == Some(&last));
        let score = line.and_then(|line| line.score).filter(|score| score.is_finite());
        let side = position.side_to_act();
        let searched = score.map(|score| RedValue::from_side(score.clamp(-1.0, 1.0), side));
        let better =
            |one: RedValue, other: RedValue| if one.for_side(side) > other.for_side(side) { one } else { other };
        Ok(Some(match (searched, reached.value) {
            (Some(searched), Some(reached)) => Some(better(searched, reached)),
            (searched, reached) => searched.or(reached),
        }))
    }

    /// The agent's opinion of a position, or the result of a finished one; nothing if somebody stops it.
    fn evaluate(&mut self, position: G) -> Result<Option<Evaluated<G>>, AnalyzeError> {
        let number = self.number;
        self.number += 1;
        if let Some(outcome) = position.outcome() {
            self.progress.add(1);
            let value = Some(RedWdl::of(outcome).value());
            return Ok(Some(Evaluated { position, value, verdict: None, best: None }));
        }
        if self.analyst.is_stopped() {
            return Ok(None);
        }
        let (opinion, steps) = self.analyst.best_turn(&position, number)?;
        if self.analyst.is_stopped() {
            // It was broken off: another position would be judged by less.
            return Ok(None);
        }
        self.progress.add(1);
        let line = opinion.lines.first();
        let score = line.and_then(|line| line.score).or(opinion.score).filter(|score| score.is_finite());
        let side = position.side_to_act();
        Ok(Some(Evaluated {
            value: score.map(|score| RedValue::from_side(score.clamp(-1.0, 1.0), side)),
            verdict: line.and_then(|line| line.verdict),
            best: turns_of(&position, &steps).into_iter().next(),
            position,
        }))
    }
}

/// The position that `steps` lead to.
fn after<G: Notation>(position: &G, steps: &[Action]) -> G {
    let mut position = position.clone();
    for &action in steps {
        position = playing_on(position);
        position.apply(action);
    }
    position
}

impl<G: Notation> Evaluated<G> {
    /// Whether a turn is the best one here, or leads where that does.
    fn is_best(&self, turn: &SavedTurn, reached: &Evaluated<G>) -> bool {
        let (steps, best) = (turn.steps(), self.best.as_ref().map_or(&[][..], |best| &best.steps));
        let leads_there = || !best.is_empty() && after(&self.position, best).fen() == reached.position.fen();
        // The last turn of a game may be as much of the best one as was played.
        !steps.is_empty() && best.starts_with(steps) || leads_there()
    }
}

/// `played` is what the turn is worth for red.
fn judged<G: Notation>(
    before: &Evaluated<G>,
    turn: &SavedTurn,
    played: Option<RedValue>,
    is_best: bool,
) -> AnalysedTurn {
    let (position, steps) = (&before.position, turn.steps());
    let side = position.side_to_act();
    let best_steps = before.best.as_ref().map_or(&[][..], |best| &best.steps);
    AnalysedTurn {
        side,
        text: turn.text().to_owned(),
        players_text: turns_of(position, steps).into_iter().next().and_then(|turn| turn.players_text),
        steps: steps.to_vec(),
        value: before.value,
        verdict: before.verdict,
        judgement: Judgement::of(side, before.value, played, is_best),
        picture: Picture {
            diagram: position.diagram(),
            played: Trace::of_turn(position, steps),
            best: Trace::of_turn(position, best_steps),
        },
        best: before.best.clone().map(|best| (best, before.value)),
    }
}
