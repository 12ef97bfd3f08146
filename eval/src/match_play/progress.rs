//! How far a match is, and how it stands.

use super::record::GameRecord;
use super::report::Tally;
use crate::progress::Progress;

/// What the first Ctrl-C is answered with.
pub(crate) const STOP_NOTICE: &str = "stopping after the games' current steps; once more stops at once";

/// The progress of a match.
pub(super) struct MatchProgress {
    progress: Progress,
    tally: Tally,
    /// What is said after the counts.
    note: String,
}

impl MatchProgress {
    /// Nothing played of `total` games.
    pub(super) fn new(total: usize, is_quiet: bool) -> MatchProgress {
        let (tally, note) = (Tally::default(), String::new());
        MatchProgress { progress: Progress::new(total, "games", is_quiet), tally, note }
    }

    /// From now on `note` follows the counts.
    pub(super) fn set_note(&mut self, note: String) {
        self.note = note;
    }

    /// Another game is over.
    pub(super) fn add(&mut self, record: &GameRecord) {
        self.tally.add(record.half_points_of_first());
        let Tally { wins, draws, losses } = self.tally;
        self.progress.set_message(&format!("{wins} won, {draws} drawn, {losses} lost{}", self.note));
        self.progress.add(1);
    }

    /// What tells the user that the match is about to stop. It may be called from any thread.
    pub(super) fn stop_notice(&self) -> impl Fn() + Send + 'static {
        self.progress.stop_notice(STOP_NOTICE)
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.progress.finish();
    }
}
