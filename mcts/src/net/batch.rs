//! Positions as arrays: what goes into the network, and what it learns from.

use heng_env::{Game, Shape};
use ndarray::{Array1, Array2, Array4};

use super::auxiliary::SHORT_TERM_OUTPUTS;

/// Encodes positions of one variant as `[batch, planes, ranks, files]`, each as its side to act sees it.
pub fn encode_batch<G: Game>(positions: &[&G]) -> Array4<f32> {
    let Some(first) = positions.first() else {
        return Array4::zeros((0, 0, 0, 0));
    };
    let shape = G::shape(first.rules());
    let mut inputs = Array4::zeros((positions.len(), shape.input_planes, shape.ranks, shape.files));
    let values = inputs.as_slice_mut().expect("a new array is contiguous");
    for (position, planes) in positions.iter().zip(values.chunks_exact_mut(shape.input_len())) {
        position.encode(planes);
    }
    inputs
}

/// Decisions to learn from, one a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainingBatch {
    /// Encoded positions, `[batch, planes, ranks, files]`.
    pub inputs: Array4<f32>,
    /// Row `r` owns `actions` and `targets` from `legal_offsets[r]` to `legal_offsets[r + 1]`; `batch + 1` entries.
    pub legal_offsets: Vec<usize>,
    /// Policy indices of the legal steps of every row, one row after the other.
    pub actions: Vec<u16>,
    /// Target probability of each legal step, parallel to `actions`; they sum to one in each row.
    pub targets: Vec<f32>,
    /// Target chances of win, draw and loss of the side to act, `[batch, 3]`.
    pub wdl: Array2<f32>,
    /// Steps until the game ended, `[batch]`. NaN, here and in the score, where nobody knows: in a game that was resigned.
    /// Such a row teaches nothing of the two.
    pub steps_left: Array1<f32>,
    /// The final lead on the scoreboard of the side to act, from -1 to 1, `[batch]`.
    pub score: Array1<f32>,
    /// Weight of each row in the loss, `[batch]`; a row of weight 0 teaches nothing.
    pub weights: Array1<f32>,
    /// What the auxiliary heads learn; a network that has such heads needs it.
    pub auxiliary: Option<AuxiliaryTargets>,
}

/// Targets of the heads that only learning uses. That of the soft policy is made from the policy's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuxiliaryTargets {
    /// Target chances of win, draw and loss of the side to act at each of the
    /// [horizons](super::SHORT_TERM_HORIZONS), one after the other, `[batch, 3 * horizons]`.
    pub short_term: Array2<f32>,
    /// What the other side will answer.
    pub replies: Replies,
}

/// The policies of the other side's next turn.
///
/// A reply's legal steps are those of a later position in which the other side decides, but their squares are counted as the
/// side to act of the *row's* position sees the board (`Action::turned`): the head that foresees them reads the trunk's
/// features square by square, and a square must mean the same place in both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replies {
    /// Row `r` owns `actions` and `targets` from `offsets[r]` to `offsets[r + 1]`; `batch + 1` entries. A row that owns none
    /// has no reply, and weight 0 for this head.
    pub offsets: Vec<usize>,
    /// Policy indices of the legal steps of every reply, one row after the other.
    pub actions: Vec<u16>,
    /// Target probability of each of them, parallel to `actions`; they sum to one in each row that has any.
    pub targets: Vec<f32>,
}

impl TrainingBatch {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that the arrays fit each other and positions of `shape`; the error says what does not.
    pub(crate) fn check(&self, shape: &Shape) -> Result<(), String> {
        let rows = self.len();
        let Shape { files, ranks, input_planes, .. } = *shape;
        if self.inputs.dim() != (rows, input_planes, ranks, files) {
            let expected = [rows, input_planes, ranks, files];
            return Err(format!("inputs have shape {:?}, expected {expected:?}", self.inputs.shape()));
        }
        let columns = [self.wdl.nrows(), self.steps_left.len(), self.score.len()];
        if self.wdl.ncols() != 3 || columns.iter().any(|&found| found != rows) {
            return Err(format!("targets have {columns:?} rows, expected {rows}"));
        }
        check_policies((&self.legal_offsets, &self.actions, &self.targets), rows, shape)?;
        if let Some(row) = self.legal_offsets.windows(2).position(|bounds| bounds[0] == bounds[1]) {
            return Err(format!("row {row} has no legal step"));
        }
        let weight = self.weights.sum();
        if !(weight > 0.0 && weight.is_finite() && self.weights.iter().all(|&weight| weight >= 0.0)) {
            return Err(format!("row weights sum to {weight}, expected more than 0 and none below"));
        }
        self.auxiliary.as_ref().map_or(Ok(()), |auxiliary| auxiliary.check(rows, shape))
    }
}

impl AuxiliaryTargets {
    fn check(&self, rows: usize, shape: &Shape) -> Result<(), String> {
        if self.short_term.dim() != (rows, SHORT_TERM_OUTPUTS) {
            let expected = [rows, SHORT_TERM_OUTPUTS];
            return Err(format!("short-term values have shape {:?}, expected {expected:?}", self.short_term.shape()));
        }
        let Replies { offsets, actions, targets } = &self.replies;
        check_policies((offsets, actions, targets), rows, shape).map_err(|problem| format!("replies: {problem}"))
    }
}

/// Checks that steps and their probabilities fit each other, and split into `rows` rows.
fn check_policies(
    (offsets, actions, targets): (&[usize], &[u16], &[f32]),
    rows: usize,
    shape: &Shape,
) -> Result<(), String> {
    let bounds = (offsets.first().copied(), offsets.last().copied());
    if offsets.len() != rows + 1 || bounds != (Some(0), Some(actions.len())) || !offsets.is_sorted() {
        return Err(format!("legal offsets do not split {} steps into {rows} rows", actions.len()));
    }
    if targets.len() != actions.len() {
        return Err(format!("{} policy targets for {} steps", targets.len(), actions.len()));
    }
    let known = shape.action_count();
    match actions.iter().find(|&&action| usize::from(action) >= known) {
        Some(action) => Err(format!("step {action}, expected less than {known}")),
        None => Ok(()),
    }
}
