//! Games of others, who may play on where the rules here see a draw.

use heng_env::{Game, Outcome, Reason};

/// The position as those see it who play on: what ends by repetition or a limit here may go on under other rules.
pub(crate) fn playing_on<G: Game>(position: G) -> G {
    match position.outcome() {
        Some(Outcome {
            reason: Reason::Repetition | Reason::PerpetualCheck | Reason::PerpetualChase | Reason::Limit,
            ..
        }) => position.without_draw_rules(),
        _ => position,
    }
}
