//! How long things take, to end a run close to its limit.

use std::time::{Duration, Instant};

use crate::config::Config;

/// How long things take, to end a run close to its limit.
pub(super) struct Pace {
    pub(super) started: Instant,
    pub(super) limit: Option<Duration>,
    /// A slice of self-play.
    pub(super) slice: Duration,
    /// The learning that a slice asks for.
    pub(super) slice_learning: Duration,
    /// A step of learning.
    pub(super) learn_step: Duration,
}

impl Pace {
    pub(super) fn new(config: &Config) -> Pace {
        let limit = (config.run.minutes > 0.0).then(|| Duration::from_secs_f64(60.0 * config.run.minutes));
        let (slice, slice_learning, learn_step) = Default::default();
        Pace { started: Instant::now(), limit, slice, slice_learning, learn_step }
    }

    /// Whether `work` more would not fit in what is left.
    pub(super) fn is_too_late_for(&self, work: Duration) -> bool {
        self.limit.is_some_and(|limit| self.started.elapsed() + work > limit)
    }

    /// The part of the time that is over, from 0 to 1.
    pub(super) fn done(&self) -> f64 {
        self.limit.map_or(0.0, |limit| (self.started.elapsed().as_secs_f64() / limit.as_secs_f64()).min(1.0))
    }
}
