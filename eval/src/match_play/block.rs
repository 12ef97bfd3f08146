//! The games that one thread plays at the same time, so that each agent sees them in batches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use heng_env::{Action, Notation, Purpose, Rng, Seeds, Side};
use heng_mcts::value::RedValue;

use super::record::{Ending, GameRecord, TurnNote};
use super::time::{GameClock, TimeControl};
use crate::agent::{Agent, Choice, Decision, Forfeit, Request};
use crate::interrupt::Interrupt;
use crate::openings::Opening;

/// Games side by side. A slot whose game is over takes the next one.
pub(super) struct Block<'a, G> {
    players: [Box<dyn Agent<G>>; 2],
    openings: &'a [Opening<G>],
    seeds: Seeds,
    time: Option<(TimeControl, Duration)>,
    slots: Vec<Option<Running<G>>>,
}

/// A game that is being played.
struct Running<G> {
    position: G,
    /// The position at the start of this turn, and the steps since then.
    turn_start: G,
    steps: Vec<Action>,
    /// The player of red.
    red: usize,
    /// Random numbers of the players.
    rngs: [Rng; 2],
    clock: Option<GameClock>,
    /// What the player thought at the first step of this turn.
    first_score: Option<f32>,
    record: GameRecord,
}

impl<'a, G: Notation> Block<'a, G> {
    /// At most `width` games at a time; with a time control, and the margin for it, there should be one.
    pub(super) fn new(
        players: [Box<dyn Agent<G>>; 2],
        openings: &'a [Opening<G>],
        seeds: Seeds,
        width: usize,
        time: Option<(TimeControl, Duration)>,
    ) -> Block<'a, G> {
        Block { players, openings, seeds, time, slots: (0..width).map(|_| None).collect() }
    }

    /// Plays the games whose numbers it takes from `next`, until there are no more or a stop is asked for.
    pub(super) fn play(mut self, next: &AtomicUsize, interrupt: &Interrupt, mut on_game: impl FnMut(GameRecord)) {
        loop {
            self.fill(next);
            if self.slots.iter().all(Option::is_none) {
                return;
            }
            for player in 0..self.players.len() {
                let waiting = self.waiting_for(player);
                for slots in waiting.chunks(self.players[player].batch_size().max(1)) {
                    if interrupt.is_requested() {
                        return;
                    }
                    let decisions = match self.time {
                        None => self.choose(player, slots),
                        Some(_) => {
                            slots.iter().filter_map(|&slot| self.choose_in_time(player, slot, interrupt)).collect()
                        }
                    };
                    // What was broken off is no choice.
                    if interrupt.is_requested() && self.time.is_some() {
                        return;
                    }
                    for (&slot, decision) in slots.iter().zip(decisions) {
                        self.apply(slot, decision, &mut on_game);
                    }
                }
            }
        }
    }

    fn fill(&mut self, next: &AtomicUsize) {
        for slot in 0..self.slots.len() {
            if self.slots[slot].is_some() {
                continue;
            }
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = self.openings.get(number / super::GAMES_OF_PAIR) else { return };
            self.slots[slot] = Some(Running::new(opening, number, self.seeds, self.time));
            let steps: Vec<Action> = opening.turns.iter().flatten().copied().collect();
            for player in &mut self.players {
                player.begin(slot);
                player.set_out(slot, &opening.start, &steps);
            }
        }
    }

    /// The slots in which `player` is to choose a step.
    fn waiting_for(&self, player: usize) -> Vec<usize> {
        let is_waiting = |running: &Running<G>| running.player_to_act() == player;
        (0..self.slots.len()).filter(|&slot| self.slots[slot].as_ref().is_some_and(is_waiting)).collect()
    }

    fn choose(&mut self, player: usize, slots: &[usize]) -> Vec<Decision<Choice>> {
        let mut requests: Vec<Request<'_, G>> = self
            .slots
            .iter_mut()
            .enumerate()
            .filter(|(slot, _)| slots.binary_search(slot).is_ok())
            .filter_map(|(slot, running)| {
                let Running { position, rngs, .. } = running.as_mut()?;
                Some(Request { slot, position, rng: &mut rngs[player] })
            })
            .collect();
        self.players[player].choose(&mut requests)
    }

    /// The choice of `player` while its clock runs.
    fn choose_in_time(&mut self, player: usize, slot: usize, interrupt: &Interrupt) -> Option<Decision<Choice>> {
        let Running { position, rngs, clock, .. } = self.slots[slot].as_mut()?;
        let (clock, side) = (clock.as_mut()?, position.side_to_act());
        let begun = Instant::now();
        let thinking = clock.thinking(side, interrupt);
        let mut request = Request { slot, position, rng: &mut rngs[player] };
        let opinion = self.players[player].think(&mut request, &thinking, &mut |_| {});
        let in_time = clock.spend(side, begun);
        Some(opinion.and_then(|opinion| in_time.map(|()| opinion.into())))
    }

    fn apply(&mut self, slot: usize, decision: Decision<Choice>, on_game: &mut impl FnMut(GameRecord)) {
        let Some(running) = &mut self.slots[slot] else { return };
        match decision {
            Ok(choice) => {
                running.apply(choice.action, choice.score);
                self.players.iter_mut().for_each(|player| player.played(slot, choice.action));
            }
            Err(forfeit) => running.give_up(forfeit),
        }
        if running.record.ending.is_some() {
            self.players.iter_mut().for_each(|player| player.begin(slot));
            on_game(self.slots[slot].take().expect("the game is there").record);
        }
    }
}

impl<G: Notation> Running<G> {
    fn new(opening: &Opening<G>, number: usize, seeds: Seeds, time: Option<(TimeControl, Duration)>) -> Running<G> {
        let stream = |player: usize| seeds.stream(Purpose::Match, (2 * number + player) as u64);
        let mut running = Running {
            position: opening.start.clone(),
            turn_start: opening.start.clone(),
            steps: Vec::new(),
            red: number % super::GAMES_OF_PAIR,
            rngs: [stream(0), stream(1)],
            clock: None,
            first_score: None,
            record: GameRecord::new(number, opening.start.fen()),
        };
        opening.turns.iter().flatten().for_each(|&action| running.apply(action, None));
        running.record.opening_turns = opening.turns.len();
        running.clock = time.map(|(control, margin)| GameClock::new(control, margin));
        running
    }

    /// Player 0 or 1.
    fn player_to_act(&self) -> usize {
        self.red ^ self.position.side_to_act().index()
    }

    /// Plays a step that is worth `score` for the side to act.
    fn apply(&mut self, action: Action, score: Option<f32>) {
        let side = self.position.side_to_act();
        if self.steps.is_empty() {
            self.first_score = score;
        }
        self.position.apply(action);
        self.steps.push(action);
        self.record.steps.push(action);
        let outcome = self.position.outcome();
        if self.position.at_turn_start() || outcome.is_some() {
            self.end_turn(side);
        }
        if let Some(outcome) = outcome {
            self.end(Ending::of(outcome));
        }
    }

    fn end_turn(&mut self, side: Side) {
        let time = self.clock.as_mut().map(|clock| clock.end_turn(side));
        let value = self.first_score.take().map(|score| RedValue::from_side(score, side));
        self.record.notes.push(TurnNote { value, time });
        self.record.turns.push(self.turn_start.turn_text(&self.steps));
        self.turn_start = self.position.clone();
        self.steps.clear();
    }

    /// The side to act loses for a reason that is not in the rules. The steps of a turn that was begun are not counted.
    fn give_up(&mut self, forfeit: Forfeit) {
        self.record.steps.truncate(self.record.steps.len() - self.steps.len());
        self.position = self.turn_start.clone();
        self.end(Ending::by_forfeit(self.position.side_to_act(), forfeit));
    }

    fn end(&mut self, ending: Ending) {
        self.record.ending = Some(ending);
        self.record.end = self.position.fen();
    }
}
