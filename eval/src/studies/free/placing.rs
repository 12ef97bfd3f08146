//! The placement phase, played by the agent.

use heng_env::{Action, Notation, Rng};

use super::super::budget::Budget;
use super::super::playing::{Ended, Player};
use super::against::Given;
use super::kept::PlacedGame;

/// Turns of the placement phase, both sides' counted.
const PLACEMENT_TURNS: usize = 6;

/// How placements are played and valued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placing<'a, G: Notation> {
    pub(super) rules: &'a G::Rules,
    pub(super) budget: Budget,
    pub(super) second_budget: Budget,
    /// In the first turns, both sides' counted, the agent draws among its best steps.
    pub(super) explored_turns: usize,
    /// A layout that one side places whatever the agent likes.
    pub(super) given: Option<&'a Given>,
}

impl<G: Notation> Placing<'_, G> {
    /// Plays the placement phase and values its end.
    pub(super) fn play(&self, player: &mut Player<G>, game: usize, rng: &mut Rng) -> Ended<PlacedGame> {
        let mut position = G::standard_start(self.rules);
        let mut placements = String::new();
        player.begin(&position);
        while position.turns_played() < PLACEMENT_TURNS {
            let before = position.clone();
            let action = match self.given_step(&position, &placements) {
                Some(action) => {
                    player.follow(&mut position, action);
                    action
                }
                None => {
                    let explores = position.turns_played() < self.explored_turns;
                    match player.play_step(&mut position, self.budget, explores, rng)? {
                        Ok(action) => action,
                        Err(forfeit) => return Some(Err(forfeit)),
                    }
                }
            };
            placements += &before.step_text(action);
        }
        let mut values = [None; 2];
        for (value, budget) in values.iter_mut().zip([self.budget, self.second_budget]) {
            match player.red_value(&position, budget, rng)? {
                Ok(found) => *value = found,
                Err(forfeit) => return Some(Err(forfeit)),
            }
        }
        let [red_value, second_red_value] = values;
        Some(Ok(PlacedGame { game, placements, red_value, second_red_value }))
    }

    /// The next placement of the given layout, if it is its side's turn.
    fn given_step(&self, position: &G, placements: &str) -> Option<Action> {
        let given = self.given.filter(|given| given.side == position.side_to_act())?;
        position.parse_step(given.next(placements)?).ok()
    }
}
