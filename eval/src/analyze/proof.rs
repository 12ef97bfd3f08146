//! Certain results in JSON.

use heng_env::Side;
use serde::Serialize;

use super::words::file_name;
use crate::agent::{Distance, Verdict};

/// A certain result of a side.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Proof {
    side: &'static str,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<u32>,
    /// The same for words.
    #[serde(skip)]
    pub(super) verdict: Verdict,
}

impl Proof {
    /// What `verdict` says of `side`.
    pub(super) fn of(side: Side, verdict: Verdict) -> Proof {
        let (steps, turns) = match verdict.distance {
            Distance::Steps(steps) => (Some(steps), None),
            Distance::Turns(turns) => (None, Some(turns)),
        };
        let result = match verdict.result {
            0 => "draw",
            result if result > 0 => "win",
            _ => "loss",
        };
        Proof { side: file_name(side), result, steps, turns, verdict }
    }
}
