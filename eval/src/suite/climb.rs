//! Which rung comes next.

use heng_mcts::ladder::{Ladder, Rating};

/// Pairs of each of the first batches, which find the agent's place …
const FIRST_BATCH: usize = 5;

/// … so many of them …
const FIRST_BATCHES: usize = 4;

/// … and of those after them. The sizes do not depend on how many games there will be, so that more can be played later.
const LATER_BATCH: usize = 10;

/// The pairs of batch `index`, as the first and the one behind the last.
pub(super) fn batch(index: usize) -> (usize, usize) {
    let start =
        |index: usize| FIRST_BATCH * index.min(FIRST_BATCHES) + LATER_BATCH * index.saturating_sub(FIRST_BATCHES);
    (start(index), start(index + 1))
}

/// The next rung of `available` for an agent with this rating, which has played `pairs[rung]` pairs against each: the one that says
/// most about it, shared out in the way of D'Hondt; without a rating the one in the middle. `None` if none is available.
pub(super) fn next_rung(
    ladder: &Ladder,
    available: &[usize],
    pairs: &[usize],
    rating: Option<&Rating>,
) -> Option<usize> {
    let elo = |rung: usize| ladder.rungs[rung].elo;
    let Some(rating) = rating else {
        let mut by_elo = available.to_vec();
        by_elo.sort_by(|&one, &other| elo(one).total_cmp(&elo(other)));
        return by_elo.get(by_elo.len() / 2).copied();
    };
    let says = |rung: usize| {
        let batches = pairs[rung] as f64 / FIRST_BATCH as f64;
        ladder.information_of_pair(rating.elo - elo(rung)) / (1.0 + batches)
    };
    let away = |rung: usize| (rating.elo - elo(rung)).abs();
    // Far from all rungs nothing says anything, to the last digit.
    let order =
        |&&one: &&usize, &&other: &&usize| says(one).total_cmp(&says(other)).then(away(other).total_cmp(&away(one)));
    available.iter().max_by(order).copied()
}
