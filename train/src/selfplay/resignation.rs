//! When a side gives a game up, and how often that would have been wrong.

use heng_env::Side;
use heng_env::seeds::Rng;
use rand::RngExt;

use super::config::SelfPlayConfig;

/// What one game knows of giving up.
///
/// A side gives up when the value of its searches has been hopeless for some of its turns on end. A share of the games
/// is played to the end nevertheless, which shows how often the loser would not have lost: Silver et al., "Mastering the
/// game of Go without human knowledge", 2017, Methods, where 10 % are, to keep that below 5 %.
#[derive(Clone, Debug)]
pub(super) struct Resignation {
    /// Loss less win chance from which on a turn is hopeless; 0 for never.
    threshold: f64,
    /// Hopeless turns on end after which a side gives up.
    turns: u32,
    is_played_through: bool,
    /// The turn that was judged last; its later steps are not judged again.
    judged: Option<u32>,
    /// Hopeless turns on end, by side.
    hopeless: [u32; 2],
    gave_up: Option<Side>,
}

impl Resignation {
    /// At the start of a game, for which it is drawn whether it is played to the end. Without a threshold nothing is drawn.
    pub(super) fn new(config: &SelfPlayConfig, rng: &mut Rng) -> Resignation {
        let threshold = config.resign_threshold;
        Resignation {
            threshold,
            turns: config.resign_turns,
            is_played_through: threshold > 0.0 && rng.random_bool(config.resign_playthrough_share),
            judged: None,
            hopeless: [0; 2],
            gave_up: None,
        }
    }

    /// Whether `side` now ends the game. It expects `score`, win less loss, from its search in the turn with the number
    /// `turn`, of which only the first search counts.
    pub(super) fn judge(&mut self, side: Side, turn: u32, score: f64) -> bool {
        if self.threshold == 0.0 || self.gave_up.is_some() || self.judged == Some(turn) {
            return false;
        }
        self.judged = Some(turn);
        let hopeless = &mut self.hopeless[side.index()];
        *hopeless = if -score > self.threshold { *hopeless + 1 } else { 0 };
        if *hopeless < self.turns {
            return false;
        }
        self.gave_up = Some(side);
        !self.is_played_through
    }

    /// The side that gave up, or the first that would have in a game that is played to the end.
    pub(super) fn gave_up(&self) -> Option<Side> {
        self.gave_up
    }
}

#[cfg(test)]
mod tests {
    use heng_env::{Purpose, Seeds};

    use super::*;

    /// When somebody gives up, of a game whose turns have these scores, red's first.
    fn ends(scores: &[f64], playthrough: f64) -> (Option<usize>, Option<Side>) {
        let config = SelfPlayConfig {
            resign_threshold: 0.9,
            resign_turns: 2,
            resign_playthrough_share: playthrough,
            ..SelfPlayConfig::default()
        };
        let mut resignation = Resignation::new(&config, &mut Seeds::new(1).stream(Purpose::Test, 0));
        let end = scores.iter().enumerate().position(|(turn, &score)| {
            // The later steps of a turn say nothing more.
            let judged = resignation.judge(Side::BOTH[turn % 2], turn as u32, score);
            assert!(!resignation.judge(Side::BOTH[turn % 2], turn as u32, -1.0));
            judged
        });
        (end, resignation.gave_up())
    }

    #[test]
    fn a_side_gives_up_after_hopeless_turns_on_end() {
        for (scores, end) in [
            (&[-0.95, 0.9, -0.95, 0.9][..], Some((2, Side::Red))),
            (&[0.9, -0.95, 0.9, -1.0], Some((3, Side::Black))),
            // Not on end, not far enough, or not the same side.
            (&[-0.95, 0.9, -0.5, 0.9, -0.95, 0.9], None),
            (&[-0.9, 0.9, -0.9, 0.9], None),
            (&[-0.95, -0.95, 0.0, 0.0], None),
        ] {
            assert_eq!(ends(scores, 0.0), (end.map(|(turn, _)| turn), end.map(|(_, side)| side)), "{scores:?}");
            assert_eq!(ends(scores, 1.0), (None, end.map(|(_, side)| side)), "{scores:?}");
        }
    }

    #[test]
    fn without_a_threshold_nobody_gives_up() {
        let config = SelfPlayConfig { resign_turns: 1, ..SelfPlayConfig::default() };
        let mut resignation = Resignation::new(&config, &mut Seeds::new(1).stream(Purpose::Test, 0));
        assert!((0..20).all(|turn| !resignation.judge(Side::Red, turn, -1.0)));
        assert_eq!(resignation.gave_up(), None);
    }
}
