//! The games that one thread plays at the same time, so that each agent sees them in batches.

use std::sync::atomic::{AtomicUsize, Ordering};

use heng_env::{Action, Notation, Purpose, Rng, Seeds};

use super::record::GameRecord;
use crate::agent::{Agent, Request};
use crate::interrupt::Interrupt;
use crate::openings::Opening;

/// Games side by side. A slot whose game is over takes the next one.
pub(super) struct Block<'a, G> {
    players: [Box<dyn Agent<G>>; 2],
    openings: &'a [Opening<G>],
    seeds: Seeds,
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
    record: GameRecord,
}

impl<'a, G: Notation> Block<'a, G> {
    /// At most `width` games at a time.
    pub(super) fn new(
        players: [Box<dyn Agent<G>>; 2],
        openings: &'a [Opening<G>],
        seeds: Seeds,
        width: usize,
    ) -> Block<'a, G> {
        Block { players, openings, seeds, slots: (0..width).map(|_| None).collect() }
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
                    let actions = self.choose(player, slots);
                    slots.iter().zip(actions).for_each(|(&slot, action)| self.apply(slot, action, &mut on_game));
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
            self.slots[slot] = Some(Running::new(opening, number, self.seeds));
            self.players.iter_mut().for_each(|player| player.begin(slot));
        }
    }

    /// The slots in which `player` is to choose a step.
    fn waiting_for(&self, player: usize) -> Vec<usize> {
        let is_waiting = |running: &Running<G>| running.player_to_act() == player;
        (0..self.slots.len()).filter(|&slot| self.slots[slot].as_ref().is_some_and(is_waiting)).collect()
    }

    fn choose(&mut self, player: usize, slots: &[usize]) -> Vec<Action> {
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
        self.players[player].choose(&mut requests).into_iter().map(|choice| choice.action).collect()
    }

    fn apply(&mut self, slot: usize, action: Action, on_game: &mut impl FnMut(GameRecord)) {
        let Some(running) = &mut self.slots[slot] else { return };
        running.apply(action);
        self.players.iter_mut().for_each(|player| player.played(slot, action));
        if running.position.outcome().is_some() {
            self.players.iter_mut().for_each(|player| player.begin(slot));
            on_game(self.slots[slot].take().expect("the game is there").record);
        }
    }
}

impl<G: Notation> Running<G> {
    fn new(opening: &Opening<G>, number: usize, seeds: Seeds) -> Running<G> {
        let stream = |player: usize| seeds.stream(Purpose::Match, (2 * number + player) as u64);
        let mut running = Running {
            position: opening.start.clone(),
            turn_start: opening.start.clone(),
            steps: Vec::new(),
            red: number % super::GAMES_OF_PAIR,
            rngs: [stream(0), stream(1)],
            record: GameRecord::new(number, opening.start.fen()),
        };
        opening.turns.iter().flatten().for_each(|&action| running.apply(action));
        running.record.opening_turns = opening.turns.len();
        running
    }

    /// Player 0 or 1.
    fn player_to_act(&self) -> usize {
        self.red ^ self.position.side_to_act().index()
    }

    fn apply(&mut self, action: Action) {
        self.position.apply(action);
        self.steps.push(action);
        self.record.steps += 1;
        let outcome = self.position.outcome();
        if self.position.at_turn_start() || outcome.is_some() {
            self.record.turns.push(self.turn_start.turn_text(&self.steps));
            self.turn_start = self.position.clone();
            self.steps.clear();
        }
        if outcome.is_some() {
            self.record.outcome = outcome;
            self.record.end = self.position.fen();
        }
    }
}
