//! Targets that come from later decisions of the same game.
//!
//! They need no columns: a chunk holds whole games in order.

use heng_env::Side;
use heng_mcts::net::SHORT_TERM_HORIZONS;
use heng_mcts::value::{RedWdl, Wdl};

use super::record::{Choice, Record};

/// Chances at each horizon.
pub(super) type ShortTerm<T> = [T; SHORT_TERM_HORIZONS.len()];

/// For each record of a game, what the searches of the later turns found, as its side to act sees it.
///
/// At the horizon `h` it is the mean over the later turns with weights that fall by `1 - 1/h` a turn, so that the turn they
/// belong to is `h` turns away in the mean; the result of the game stands for all turns behind its end. A turn counts once,
/// however many steps it has, with the mean over those that were searched; a turn without any is passed over. Wu, "Other
/// methods implemented in KataGo", "short-term value and score targets".
pub(super) fn short_term(game: &[Record]) -> Vec<ShortTerm<Wdl>> {
    let Some(last) = game.last() else { return Vec::new() };
    let mut later: ShortTerm<RedWdl> = [RedWdl::of(last.outcome); SHORT_TERM_HORIZONS.len()];
    let mut targets = Vec::with_capacity(game.len());
    let turns: Vec<&[Record]> = game.chunk_by(|left, right| left.decision.turn == right.decision.turn).collect();
    for turn in turns.into_iter().rev() {
        targets.extend(turn.iter().rev().map(|record| later.map(|wdl| wdl.to_side(record.decision.side))));
        if let Some(found) = mean_root(turn) {
            for (later, horizon) in later.iter_mut().zip(SHORT_TERM_HORIZONS) {
                *later = between(*later, found, 1.0 / horizon as f32);
            }
        }
    }
    targets.reverse();
    targets
}

/// The mean of what the searches of a turn found; none if nothing was searched.
fn mean_root(turn: &[Record]) -> Option<RedWdl> {
    let roots = turn.iter().filter_map(|Record { decision, .. }| Some(decision.root?.to_red(decision.side)));
    let (mean, _) = roots.fold((None, 0.0), |(mean, count), root| {
        let mean = mean.map_or(root, |mean| between(mean, root, 1.0 / (count + 1.0)));
        (Some(mean), count + 1.0)
    });
    mean
}

/// `share` of the way from one to the other.
fn between(from: RedWdl, to: RedWdl, share: f32) -> RedWdl {
    let part = |from: f32, to: f32| from + share * (to - from);
    RedWdl { win: part(from.win, to.win), draw: part(from.draw, to.draw), loss: part(from.loss, to.loss) }
}

/// For each record of a game, which record is the opponent's reply: the first one of the other side's next turn that was
/// searched in full, unforced. None where there is no such turn or no such step in it.
pub(super) fn replies(game: &[Record]) -> Vec<Option<usize>> {
    // The reply that the turns of each side wait for, as far as the game has been seen from its end.
    let (mut of_red, mut of_black) = (None, None);
    let mut replies = vec![None; game.len()];
    let mut end = game.len();
    while end > 0 {
        let Record { decision, .. } = &game[end - 1];
        let begin =
            game[..end].iter().rposition(|record| record.decision.turn != decision.turn).map_or(0, |last| last + 1);
        let turn = &game[begin..end];
        let reply = turn.iter().position(|record| record.decision.choice == Choice::Search && record.is_sample());
        let (own, other) = match decision.side {
            Side::Red => (&mut of_red, &of_black),
            Side::Black => (&mut of_black, &of_red),
        };
        replies[begin..end].fill(*other);
        *own = reply.map(|step| begin + step);
        end = begin;
    }
    replies
}

#[cfg(test)]
mod tests {
    use heng_env::game::{Action, Outcome, Reason};

    use super::*;
    use crate::replay::Decision;

    /// A record of a game that red wins: its turn, its side, how it came about and red's chance to win, if it was searched.
    fn record((turn, side, choice, red): (u32, Side, Choice, Option<f32>)) -> Record {
        let root = red.map(|win| RedWdl { win, draw: 0.0, loss: 1.0 - win }.to_side(side));
        let decision = Decision {
            step: 0,
            turn,
            fen: String::new(),
            repetitions: 0,
            side,
            actions: vec![Action::new(0)],
            policy: vec![1.0],
            action: Action::new(0),
            choice,
            root,
        };
        Record {
            game: 0,
            decision,
            outcome: Outcome::win(Side::Red, Reason::Points),
            steps_left: Some(1),
            red_lead: Some(1.0),
            weight: if choice == Choice::Search { 1.0 } else { 0.0 },
        }
    }

    const RED: Side = Side::Red;
    const BLACK: Side = Side::Black;

    fn game(steps: &[(u32, Side, Choice, Option<f32>)]) -> Vec<Record> {
        steps.iter().copied().map(record).collect()
    }

    #[test]
    fn short_term_values_count_turns_and_are_those_of_the_side_to_act() {
        let game = game(&[
            (0, RED, Choice::Search, Some(0.9)),
            (0, RED, Choice::Search, Some(0.1)),
            (1, BLACK, Choice::Forced, None),
            (2, RED, Choice::Fast, Some(0.2)),
            (2, RED, Choice::Search, Some(0.6)),
            (3, BLACK, Choice::Search, Some(0.5)),
        ]);
        // Red's chances behind turn 3: the result. Behind turn 2: a part of 0.5. Behind turns 1 and 0: a part of 0.4, the
        // mean of turn 2, since turn 1 says nothing.
        let expect = |horizon: f32| {
            let step = |later: f32, found: f32| later + (found - later) / horizon;
            let behind_two = step(1.0, 0.5);
            let behind_one = step(behind_two, 0.4);
            [behind_one, behind_one, 1.0 - behind_one, behind_two, behind_two, 0.0]
        };
        let found = short_term(&game);
        for (index, horizon) in SHORT_TERM_HORIZONS.into_iter().enumerate() {
            for (found, expected) in found.iter().map(|wdl| wdl[index]).zip(expect(horizon as f32)) {
                assert!((found.win - expected).abs() < 1e-6, "{found:?}, expected {expected}");
                assert!((found.win + found.draw + found.loss - 1.0).abs() < 1e-6, "{found:?}");
            }
        }
        assert!(short_term(&[]).is_empty());
    }

    #[test]
    fn a_reply_is_the_first_searched_step_of_the_other_sides_next_turn() {
        let game = game(&[
            (0, RED, Choice::Search, Some(0.5)),
            (0, RED, Choice::Search, Some(0.5)),
            // A forced step is passed over within a turn.
            (1, BLACK, Choice::Forced, None),
            (1, BLACK, Choice::Search, Some(0.5)),
            (1, BLACK, Choice::Search, Some(0.5)),
            // A turn that was not searched in full is no reply, and no later one stands in for it.
            (2, RED, Choice::Fast, Some(0.5)),
            (3, BLACK, Choice::Random, None),
            (4, RED, Choice::Search, Some(0.5)),
        ]);
        let expected = [Some(3), Some(3), None, None, None, None, Some(7), None];
        assert_eq!(replies(&game), expected);
        // Two turns of one side in a row, as in a placement phase: the reply to both is the other side's.
        let twice = super::tests::game(&[
            (0, RED, Choice::Search, Some(0.5)),
            (1, RED, Choice::Search, Some(0.5)),
            (2, BLACK, Choice::Search, Some(0.5)),
        ]);
        assert_eq!(replies(&twice), [Some(2), Some(2), None]);
    }
}
