//! Steps that decide the game at once: for the side that makes them, or for the other one in answer.

use super::position::Progress;
use super::{Board, Eternal, Phase, Position};
use crate::bitboard::{Squares, squares_of};
use crate::{Action, Game, Side};

impl<B: Board> Position<B> {
    fn lacks_one_point(&self, side: Side) -> bool {
        self.score()[side.index()] + 1 == B::POINTS_TO_WIN
    }

    /// The squares that a move wins by ending on: the enemy's palace for the last point; none where the next step is no move.
    fn winning_squares(&self) -> Squares {
        let is_move = self.phase() == Phase::Turn && !self.return_is_due();
        if is_move && self.lacks_one_point(self.side()) { B::palace(self.side().other()) } else { 0 }
    }

    fn can_win_at_once(&self) -> bool {
        let (goal, occupied) = (self.winning_squares(), self.occupied());
        goal != 0 && squares_of(self.of_side(self.side())).any(|from| self.own_destinations(from, occupied) & goal != 0)
    }
}

impl<B: Board> Eternal<B> {
    /// See [`Game::winning_actions`]: all steps that score the last point.
    pub(super) fn list_winning_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        let goal = self.position.winning_squares();
        if self.outcome.is_none() && goal != 0 {
            self.position.for_each_origin(|origin, squares| actions.extend(self.actions_from(origin, squares & goal)));
        }
    }

    /// See [`Game::losing_actions`]: all steps that end the turn and let the other side score its last
    /// point.
    pub(super) fn list_losing_actions(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.outcome.is_none() && self.position.lacks_one_point(self.position.side().other()) {
            self.position.for_each_origin(|origin, squares| actions.extend(self.actions_from(origin, squares)));
            actions.retain(|&action| self.lets_the_other_side_win(action));
        }
    }

    fn lets_the_other_side_win(&self, action: Action) -> bool {
        let mut next = self.position;
        let progress = next.play_unchecked(self.step(action));
        if progress == Progress::SameTurn || next.points_winner().is_some() || !next.can_win_at_once() {
            return false;
        }
        // The position does not know of draws. Copying a game takes long, and most have none in sight.
        let may_be_drawn = next.turn() > self.rules.turn_limit || self.history.contains(next.repetition_hash());
        !may_be_drawn || {
            let mut game = self.clone();
            game.apply(action);
            game.outcome.is_none()
        }
    }
}
