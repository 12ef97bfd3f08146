//! The laws that every variant obeys, checked on random games.
//!
//! A variant is covered by being registered: the tests call [`check`] for each one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use rand::seq::{IndexedRandom, SliceRandom};
use thiserror::Error;

use crate::game::{Action, Notation, Outcome, Reason, Shape};
use crate::seeds::{Purpose, Rng, Seeds};

/// No game of any variant is this long, draws by repetition and limits being what they are.
const STEPS_MAX: usize = 20_000;

/// Every so many steps the tree below the position is sampled for positions reached in more than one way.
const SAMPLE_INTERVAL: usize = 8;

/// How many steps are tried at each of the two levels of such a sample.
const SAMPLE_WIDTH: usize = 6;

/// A law that a variant breaks.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("game {game}, step {step}: {law}: {detail} (at `{position}`)")]
pub struct Violation {
    /// The law, as a sentence.
    pub law: &'static str,
    /// What was seen.
    pub detail: String,
    /// The text of the position where it was seen.
    pub position: String,
    /// The number of the random game, from 0.
    pub game: u64,
    /// Steps played in that game.
    pub step: usize,
}

/// What the random games were like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games played to their end.
    pub games: u64,
    /// Steps in all of them.
    pub steps: u64,
    /// Turns in all of them.
    pub turns: u64,
    /// Finished games by outcome.
    pub outcomes: HashMap<Outcome, u64>,
}

/// Plays `games` random games under `rules` and checks every law at every position of them.
///
/// # Errors
/// The first violation found.
pub fn check<G: Notation>(rules: &G::Rules, seeds: Seeds, games: u64) -> Result<Summary, Box<Violation>> {
    let mut seen = HashMap::new();
    let mut summary = Summary::default();
    for index in 0..games {
        let mut rng = seeds.stream(Purpose::Test, index);
        let game = G::start(rules, &mut rng);
        let mut walk = Walk::new(rules, index, game, &mut seen);
        walk.play(&mut rng)?;
        summary.games += 1;
        summary.steps += walk.step as u64;
        summary.turns += walk.game.turns_played() as u64;
        let outcome = walk.game.outcome().expect("a game that was played to its end has an outcome");
        *summary.outcomes.entry(outcome).or_default() += 1;
    }
    Ok(summary)
}

/// What a key stands for: digests of planes and legal steps, and the text for the report.
struct Meaning {
    planes: u64,
    actions: u64,
    position: String,
}

/// One random game on its way.
struct Walk<'a, G: Notation> {
    rules: &'a G::Rules,
    shape: Shape,
    index: u64,
    step: usize,
    game: G,
    /// The reflected game, played along with reflected steps.
    twin: G,
    /// Where the turn began, and its steps so far.
    turn: (G, Vec<Action>),
    seen: &'a mut HashMap<u64, Meaning>,
}

impl<'a, G: Notation> Walk<'a, G> {
    fn new(rules: &'a G::Rules, index: u64, game: G, seen: &'a mut HashMap<u64, Meaning>) -> Self {
        let (twin, turn) = (game.mirrored(), (game.clone(), Vec::new()));
        Walk { rules, shape: G::shape(rules), index, step: 0, game, twin, turn, seen }
    }

    fn play(&mut self, rng: &mut Rng) -> Result<(), Box<Violation>> {
        self.law("a game starts at the start of a turn with none played", || {
            (!self.game.at_turn_start() || self.game.turns_played() != 0).then(|| {
                format!("at_turn_start {}, turns_played {}", self.game.at_turn_start(), self.game.turns_played())
            })
        })?;
        loop {
            let actions = self.check_steps()?;
            self.check_planes()?;
            self.check_texts(&actions)?;
            self.check_mirror(&actions)?;
            self.check_draw_rules(&actions)?;
            self.check_copies(rng)?;
            if self.step.is_multiple_of(SAMPLE_INTERVAL) {
                self.sample_below(rng)?;
            }
            let Some(&action) = actions.choose(rng) else { return Ok(()) };
            self.law("random games end", || (self.step == STEPS_MAX).then(|| format!("{STEPS_MAX} steps")))?;
            self.advance(action)?;
        }
    }

    fn advance(&mut self, action: Action) -> Result<(), Box<Violation>> {
        let (side, turns) = (self.game.side_to_act(), self.game.turns_played());
        self.game.apply(action);
        self.twin.apply(G::mirror_action(self.rules, action));
        self.turn.1.push(action);
        self.step += 1;
        let turn_over = self.game.turns_played() == turns + 1;
        self.law("a step completes one turn or none, and the side changes exactly then", || {
            let right = (turn_over || self.game.turns_played() == turns)
                && self.game.at_turn_start() == turn_over
                && (self.game.side_to_act() != side) == turn_over;
            (!right).then(|| {
                let (now, start) = (self.game.turns_played(), self.game.at_turn_start());
                format!("turns {turns} to {now}, at_turn_start {start}, side {side:?} to {:?}", self.game.side_to_act())
            })
        })?;
        if turn_over || self.game.outcome().is_some() {
            self.check_turn_text()?;
            self.turn = (self.game.clone(), Vec::new());
        }
        Ok(())
    }

    fn check_steps(&self) -> Result<Vec<Action>, Box<Violation>> {
        // What was in the buffer must not matter.
        let mut actions = vec![Action::new(0)];
        self.game.legal_actions(&mut actions);
        self.law("legal steps are unique, ascending and in range", || {
            let twice = actions.windows(2).find(|pair| pair[0] >= pair[1]).map(|pair| pair[1]);
            let beyond = actions.last().copied().filter(|last| last.index() >= self.shape.action_count());
            twice.or(beyond).map(|action| format!("{action:?}"))
        })?;
        self.law("as many steps are counted as listed", || {
            let count = self.game.legal_count();
            (count != actions.len()).then(|| format!("{count} counted, {} listed", actions.len()))
        })?;
        self.law("any step can be picked, and nothing beyond the last", || {
            let pick = |index| self.game.pick_action(|count| if count == actions.len() { index } else { usize::MAX });
            let wrong = |&index: &usize| pick(index) != actions.get(index).copied();
            (0..=actions.len()).find(wrong).map(|index| format!("step {index} is {:?}", pick(index)))
        })?;
        self.law("there are no legal steps exactly when there is an outcome", || {
            let outcome = self.game.outcome();
            (actions.is_empty() != outcome.is_some()).then(|| format!("{} steps, outcome {outcome:?}", actions.len()))
        })?;
        self.law("steps that are said to win at once are legal, and win", || {
            let mut winning = vec![Action::new(0)];
            self.game.winning_actions(&mut winning);
            let wins = |action: Action| {
                let mut next = self.game.clone();
                next.apply(action);
                next.outcome().is_some_and(|outcome| outcome.winner == Some(self.game.side_to_act()))
            };
            winning
                .into_iter()
                .find(|action| !actions.contains(action) || !wins(*action))
                .map(|action| format!("{action:?}"))
        })?;
        self.law("steps said to lose at once are legal, ascending, and let the other side win", || {
            let mut losing = vec![Action::new(0)];
            self.game.losing_actions(&mut losing);
            let loses = |action: Action| {
                let mut next = self.game.clone();
                next.apply(action);
                let other = self.game.side_to_act().other();
                next.outcome().is_none() && next.side_to_act() == other && Self::can_win_at_once(&next)
            };
            let in_order = losing.windows(2).find(|pair| pair[0] >= pair[1]).map(|pair| pair[1]);
            let wrong = losing.into_iter().find(|action| !actions.contains(action) || !loses(*action));
            in_order.or(wrong).map(|action| format!("{action:?}"))
        })?;
        Ok(actions)
    }

    /// Whether any step of the side to act wins the game at once, by trying them all.
    fn can_win_at_once(game: &G) -> bool {
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        actions.into_iter().any(|action| {
            let mut next = game.clone();
            next.apply(action);
            next.outcome().is_some_and(|outcome| outcome.winner == Some(game.side_to_act()))
        })
    }

    fn check_planes(&mut self) -> Result<(), Box<Violation>> {
        let planes = self.planes(&self.game);
        self.law("every value of the planes is written and finite", || {
            planes.iter().position(|value| !value.is_finite()).map(|at| format!("value {at} is {}", planes[at]))
        })?;
        self.law("the score lead lies in -1..=1", || {
            let lead = self.game.red_lead();
            (!(-1.0..=1.0).contains(&lead)).then(|| format!("{lead}"))
        })?;
        self.remember(&self.game.clone())
    }

    fn check_texts(&self, actions: &[Action]) -> Result<(), Box<Violation>> {
        let mut texts: Vec<String> = actions.iter().map(|&action| self.game.step_text(action)).collect();
        self.law("the text of a step reads back as the step", || {
            actions.iter().zip(&texts).find_map(|(&action, text)| match self.game.parse_step(text) {
                Ok(read) if read == action => None,
                other => Some(format!("{action:?} is `{text}`, read as {other:?}")),
            })
        })?;
        self.law("steps have different texts", || {
            texts.sort();
            texts.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone())
        })?;
        let text = self.game.fen();
        let read = G::from_fen(self.rules, &text);
        self.law("a position text is read", || read.as_ref().err().map(ToString::to_string))?;
        let Ok(mut read) = read else { return Ok(()) };
        read.set_repetitions(self.game.repetitions());
        // A text says how often the position has occurred, not who gave check or chased in between: read back, such an end
        // is a plain repetition.
        let reason = self.game.outcome().map(|outcome| outcome.reason);
        let is_known = !matches!(reason, Some(Reason::PerpetualCheck | Reason::PerpetualChase));
        let law = "a position text reads back as the position";
        if is_known { self.same(law, &read, &self.game) } else { self.same_but_outcome(law, &read, &self.game) }
    }

    fn check_turn_text(&self) -> Result<(), Box<Violation>> {
        let (start, steps) = &self.turn;
        self.law("a written turn reads back as its steps", || {
            let text = start.turn_text(steps);
            let read = start.parse_turn(&text);
            (read.as_ref() != Ok(steps)).then(|| format!("{steps:?} is `{text}`, read as {read:?}"))
        })
    }

    fn check_mirror(&self, actions: &[Action]) -> Result<(), Box<Violation>> {
        let mirrored = self.game.mirrored();
        self.same("the mirror commutes with apply", &self.twin, &mirrored)?;
        self.same("the mirror is an involution", &mirrored.mirrored(), &self.game)?;
        self.law("the mirror of steps is an involution", || {
            let twice = |action| G::mirror_action(self.rules, G::mirror_action(self.rules, action));
            actions.iter().find(|&&action| twice(action) != action).map(|action| format!("{action:?}"))
        })?;
        self.law("the mirror of steps commutes with turning", || {
            let turned = |action: Action| action.turned(&self.shape);
            let mirrored = |action| G::mirror_action(self.rules, action);
            let is_broken =
                |action| mirrored(turned(action)) != turned(mirrored(action)) || turned(turned(action)) != action;
            actions.iter().find(|&&action| is_broken(action)).map(|action| format!("{action:?}"))
        })?;
        self.law("the mirror commutes with legal_actions", || {
            let reflected: Vec<Action> = actions.iter().map(|&action| G::mirror_action(self.rules, action)).collect();
            let mut legal = Vec::new();
            mirrored.legal_actions(&mut legal);
            let (expected, found) = (sorted(&reflected), sorted(&legal));
            (expected != found).then(|| format!("expected {expected:?}, found {found:?}"))
        })?;
        self.law("the mirror keeps lead and heuristic", || {
            let values = |game: &G| (game.red_lead(), game.heuristic());
            let (expected, found) = (values(&self.game), values(&mirrored));
            (expected != found).then(|| format!("expected {expected:?}, found {found:?}"))
        })?;
        self.law("the mirror commutes with encode", || {
            let mut planes = self.planes(&self.game);
            planes.chunks_mut(self.shape.files).for_each(<[f32]>::reverse);
            let found = self.planes(&mirrored);
            (0..planes.len()).find(|&at| planes[at] != found[at]).map(|at| format!("value {at}"))
        })
    }

    fn check_draw_rules(&self, actions: &[Action]) -> Result<(), Box<Violation>> {
        let endless = self.game.without_draw_rules();
        self.law("without draw rules the position and its wins are the same", || {
            let same_text = endless.fen() == self.game.fen();
            let same_steps = self.game.outcome().is_some_and(|outcome| outcome.winner.is_none()) || {
                let mut legal = Vec::new();
                endless.legal_actions(&mut legal);
                sorted(&legal) == sorted(actions) && endless.outcome() == self.game.outcome()
            };
            (!(same_text && same_steps)).then(|| format!("`{}`, outcome {:?}", endless.fen(), endless.outcome()))
        })
    }

    fn check_copies(&self, rng: &mut Rng) -> Result<(), Box<Violation>> {
        let before = (self.game.fen(), self.game.key(), self.planes(&self.game));
        let mut copy = self.game.clone();
        let mut actions = Vec::new();
        for _ in 0..4 {
            copy.legal_actions(&mut actions);
            let Some(&action) = actions.choose(rng) else { break };
            copy.apply(action);
        }
        self.law("play on a copy leaves the original alone", || {
            let after = (self.game.fen(), self.game.key(), self.planes(&self.game));
            (before != after).then(|| format!("`{}` became `{}`", before.0, after.0))
        })
    }

    /// Steps that commute lead to one position in two ways: the place to find keys that mean two things.
    fn sample_below(&mut self, rng: &mut Rng) -> Result<(), Box<Violation>> {
        let mut actions = Vec::new();
        self.game.legal_actions(&mut actions);
        let chosen = actions.partial_shuffle(rng, SAMPLE_WIDTH).0.to_vec();
        for &first in &chosen {
            let mut child = self.game.clone();
            child.apply(first);
            self.remember(&child)?;
            child.legal_actions(&mut actions);
            let others: Vec<Action> = actions.iter().filter(|action| chosen.contains(action)).copied().collect();
            for second in others {
                let mut grandchild = child.clone();
                grandchild.apply(second);
                self.remember(&grandchild)?;
            }
        }
        Ok(())
    }

    /// Notes what the key of `game` means and compares it with what it meant before.
    fn remember(&mut self, game: &G) -> Result<(), Box<Violation>> {
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        let bits: Vec<u32> = self.planes(game).iter().map(|value| value.to_bits()).collect();
        let (planes, actions) = (digest(&bits), digest(&sorted(&legal)));
        let earlier = match self.seen.entry(game.key()) {
            Entry::Vacant(entry) => {
                entry.insert(Meaning { planes, actions, position: game.fen() });
                return Ok(());
            }
            Entry::Occupied(entry) => {
                let meaning = entry.get();
                (meaning.planes != planes || meaning.actions != actions).then(|| meaning.position.clone())
            }
        };
        self.law("equal keys mean equal planes and equal legal steps", || {
            earlier.map(|position| format!("`{position}` and `{}` share a key", game.fen()))
        })
    }

    /// Fails unless `found` and `expected` agree in all that a caller can see.
    fn same(&self, law: &'static str, found: &G, expected: &G) -> Result<(), Box<Violation>> {
        self.same_but_outcome(law, found, expected)?;
        self.law(law, || {
            let outcomes = (expected.outcome(), found.outcome());
            (outcomes.0 != outcomes.1).then(|| format!("expected outcome {:?}, found {:?}", outcomes.0, outcomes.1))
        })
    }

    /// Fails unless `found` and `expected` agree in all that a caller can see but how they ended.
    fn same_but_outcome(&self, law: &'static str, found: &G, expected: &G) -> Result<(), Box<Violation>> {
        self.law(law, || {
            let (text, expected_text) = (found.fen(), expected.fen());
            if text != expected_text {
                return Some(format!("expected `{expected_text}`, found `{text}`"));
            }
            let (mut legal, mut expected_legal) = (Vec::new(), Vec::new());
            found.legal_actions(&mut legal);
            expected.legal_actions(&mut expected_legal);
            if sorted(&legal) != sorted(&expected_legal) {
                return Some("the legal steps differ".to_owned());
            }
            if self.planes(found) != self.planes(expected) {
                return Some("the planes differ".to_owned());
            }
            (found.key() != expected.key()).then(|| "the keys differ".to_owned())
        })
    }

    /// The planes of `game`, `[input_planes, ranks, files]`, NaN where nothing was written.
    fn planes(&self, game: &G) -> Vec<f32> {
        let mut planes = vec![f32::NAN; self.shape.input_len()];
        game.encode(&mut planes);
        planes
    }

    /// Turns what `broken` reports into a violation of `law` at the position on the board.
    fn law(&self, law: &'static str, broken: impl FnOnce() -> Option<String>) -> Result<(), Box<Violation>> {
        match broken() {
            None => Ok(()),
            Some(detail) => {
                let position = self.game.fen();
                Err(Box::new(Violation { law, detail, position, game: self.index, step: self.step }))
            }
        }
    }
}

fn sorted(actions: &[Action]) -> Vec<Action> {
    let mut sorted = actions.to_vec();
    sorted.sort_unstable();
    sorted
}

fn digest<T: Hash>(values: &[T]) -> u64 {
    let mut hasher = DefaultHasher::new();
    values.hash(&mut hasher);
    hasher.finish()
}
