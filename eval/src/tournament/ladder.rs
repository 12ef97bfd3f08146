//! A tournament's ratings as a ladder.

use heng_mcts::ladder::{Ladder, Rung};

use super::{Settings, TournamentReport};

/// The ratings as a ladder, the weakest agent first; `None` where there are no ratings.
pub(super) fn ladder_of(report: &TournamentReport) -> Option<Ladder> {
    let ratings = report.ratings.as_ref()?;
    let rung = |&agent: &usize| {
        let rating = &ratings.players[agent];
        let (agent, elo, interval) = (rating.name.clone(), rating.elo.value, rating.elo.interval_95);
        Rung { agent, elo, low: interval.low, high: interval.high, games: rating.games }
    };
    let Settings { variant, openings, seed, .. } = &report.settings;
    Some(Ladder {
        variant: variant.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: *seed,
        openings: openings.clone(),
        first_mover: ratings.first_mover.map_or(0.0, |first_mover| first_mover.value),
        draws: ratings.draw_share,
        rungs: report.ranking.iter().rev().map(rung).collect(),
    })
}

/// The command that plays the tournament again.
pub(super) fn command_of(settings: &Settings, anchor: Option<usize>) -> String {
    let Settings { variant, agents, gauntlet, games, openings, seed, .. } = settings;
    let (games, seed) = (games.to_string(), seed.to_string());
    let mut words = vec!["eval", "tournament"];
    words.extend(agents.iter().map(String::as_str));
    words.extend(["--variant", variant, "--games", &games, "--openings", openings, "--seed", &seed]);
    words.extend(gauntlet.then_some("--gauntlet"));
    words.extend(anchor.into_iter().flat_map(|anchor| ["--anchor", &agents[anchor]]));
    // No agent has a character that ends a text.
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}
