//! The order in which steps are tried: what refuted other lines before comes first.

use heng_env::{Action, Side};

/// Steps that caused cutoffs: the last two at each distance from the root, and a count for every step.
#[derive(Clone, Debug, Default)]
pub(super) struct Ordering {
    /// `[steps from the root][newest first]`.
    killers: Vec<[Option<Action>; 2]>,
    /// `[side][action]`.
    history: [Vec<u32>; 2],
}

const KILLER: i64 = 1 << 40;
const MOST_HISTORY: u32 = 1 << 24;

impl Ordering {
    pub(super) fn new(action_count: usize) -> Ordering {
        Ordering { killers: Vec::new(), history: [vec![0; action_count], vec![0; action_count]] }
    }

    /// How early `action` should be tried: the higher, the earlier.
    pub(super) fn rank(&self, side: Side, step: usize, action: Action) -> i64 {
        let killers = self.killers.get(step).copied().unwrap_or_default();
        let killer = killers.iter().position(|&killer| killer == Some(action)).map_or(0, |place| 2 - place as i64);
        killer * KILLER + i64::from(self.history[side.index()][action.index()])
    }

    /// Notes that `action` refuted the step before, in a search of `turns_left` turns.
    pub(super) fn note_cutoff(&mut self, side: Side, step: usize, action: Action, turns_left: u32) {
        if self.killers.len() <= step {
            self.killers.resize(step + 1, [None; 2]);
        }
        let killers = &mut self.killers[step];
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
        let count = &mut self.history[side.index()][action.index()];
        *count = (*count + turns_left.saturating_mul(turns_left)).min(MOST_HISTORY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_come_before_history_and_both_belong_to_their_side_or_step() {
        let mut ordering = Ordering::new(4);
        let action = Action::new;
        ordering.note_cutoff(Side::Red, 0, action(1), 3);
        ordering.note_cutoff(Side::Red, 5, action(2), 1);
        let rank = |side, step, index| ordering.rank(side, step, action(index));
        assert!(rank(Side::Red, 5, 2) > rank(Side::Red, 5, 1));
        assert!(rank(Side::Red, 9, 1) > rank(Side::Red, 9, 2));
        assert_eq!(rank(Side::Black, 9, 1), 0);
    }
}
