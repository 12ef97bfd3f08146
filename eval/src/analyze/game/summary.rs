//! How well each side played.

use heng_env::Side;

use super::super::judgement::Mark;
use super::super::words::counted;
use super::{AnalysedTurn, Analysis};

/// The turns of one side in numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    pub(super) side: Side,
    /// Turns that are analysed.
    pub(super) turns: usize,
    /// The mean of what they lost, where that is known.
    pub(super) mean_loss: Option<f32>,
    /// How often each mark was earned, in their order.
    pub(super) marks: [usize; 3],
    /// The blunder that lost the most, as an index of the analysed turns.
    pub(super) biggest_blunder: Option<usize>,
}

impl Summary {
    pub(super) fn of(analysis: &Analysis, side: Side) -> Summary {
        let own: Vec<(usize, &AnalysedTurn)> =
            analysis.turns.iter().enumerate().filter(|(_, turn)| turn.side == side).collect();
        let losses: Vec<f32> = own.iter().filter_map(|(_, turn)| turn.judgement.loss).collect();
        let has = |mark: Mark| move |(_, turn): &&(usize, &AnalysedTurn)| turn.judgement.mark == Some(mark);
        // Of equal ones the first.
        let loss = |turn: &AnalysedTurn| turn.judgement.loss.unwrap_or_default();
        let biggest = own.iter().filter(has(Mark::Blunder)).rev().max_by(|a, b| loss(a.1).total_cmp(&loss(b.1)));
        Summary {
            side,
            turns: own.len(),
            mean_loss: (!losses.is_empty()).then(|| losses.iter().sum::<f32>() / losses.len() as f32),
            marks: Mark::ALL.map(|mark| own.iter().filter(has(mark)).count()),
            biggest_blunder: biggest.map(|&(index, _)| index),
        }
    }

    /// The marks in words: `2 inaccuracies ?!, 1 mistake ?, 0 blunders ??`.
    pub(super) fn marks_in_words(&self) -> String {
        let counts = Mark::ALL.into_iter().zip(self.marks);
        let words = counts.map(|(mark, count)| format!("{count} {} {}", mark.counted(count), mark.symbol()));
        words.collect::<Vec<_>>().join(", ")
    }

    /// The turns in words.
    pub(super) fn turns_in_words(&self) -> String {
        counted(self.turns as u64, "turn")
    }
}
