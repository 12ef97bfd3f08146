//! What a tournament has shown, in plain words.

use super::super::{Settings, TournamentReport};
use crate::stats::Z95;
use crate::stats::bradley_terry::Covariance;

/// From this likelihood on one is said to be stronger than another.
const SETTLED: f64 = 0.95;

pub(super) fn title(report: &TournamentReport) -> String {
    let kind = if report.settings.gauntlet { "Gauntlet" } else { "Tournament" };
    format!("{kind} of {} agents", report.settings.agents.len())
}

pub(super) fn subtitle(report: &TournamentReport) -> String {
    let Settings { variant, games, openings, seed, time, .. } = &report.settings;
    let time = time.as_ref().map_or_else(String::new, |time| format!(", {time}"));
    format!("{variant}, {games} games a pairing{time}, openings {openings}, seed {seed}")
}

pub(super) fn summary(report: &TournamentReport) -> Vec<String> {
    let mut words = Vec::new();
    let total = report.settings.pairings().len() * report.settings.games;
    if report.games_played < total {
        words.push(format!("Not everything is played yet: {} of {total} games.", report.games_played));
    }
    match &report.no_ratings {
        Some(problem) => words.push(format!("There are no ratings: {problem}.")),
        None => words.extend(who_is_best(report)),
    }
    words
}

fn who_is_best(report: &TournamentReport) -> Vec<String> {
    let (Some(ratings), [best, second, ..]) = (&report.ratings, &report.ranking[..]) else { return Vec::new() };
    let name = |agent: usize| &report.settings.agents[agent];
    let (first, next) = (name(*best), name(*second));
    let ahead = ratings.players[*best].elo.value - ratings.players[*second].elo.value;
    let likely = ratings.superiority[*best][*second];
    if likely >= SETTLED {
        return vec![
            format!("{first} is the strongest of the {} agents.", report.ranking.len()),
            format!(
                "It is about {ahead:.0} Elo stronger than the next, {next}; that it is stronger at all is {} likely.",
                percent(likely)
            ),
        ];
    }
    let is_close = |agent: &&usize| ratings.superiority[*best][**agent] < SETTLED;
    let close: Vec<&str> = report.ranking[1..].iter().filter(is_close).map(|&agent| name(agent).as_str()).collect();
    let others = match &close[..] {
        [one] => (*one).to_owned(),
        [one, more @ ..] => format!("{one} or {} more", more.len()),
        [] => String::new(),
    };
    vec![
        format!(
            "{first} has the highest rating of the {} agents, but it may not be the strongest.",
            report.ranking.len()
        ),
        format!(
            "That it is stronger than {next} is {} likely, and only from 95\u{a0}% on would it count as settled. More games would tell it from {others}.",
            percent(likely)
        ),
    ]
}

/// A likelihood that is never said to be sure.
fn percent(share: f64) -> String {
    if share > 0.999 { "more than 99.9\u{a0}%".to_owned() } else { format!("{:.1}\u{a0}%", 100.0 * share) }
}

/// What the numbers rest on.
pub(super) fn model(report: &TournamentReport, red: &str) -> Vec<String> {
    let Some(ratings) = &report.ratings else { return Vec::new() };
    let mut words = vec!["All games together give all ratings at once: those by which the results are the likeliest (Bradley–Terry with draws, after Davidson).".to_owned()];
    if let Some(first_mover) = &ratings.first_mover {
        let (value, error) = (first_mover.value, Z95 * first_mover.error);
        words.push(format!("The side that moves first ({red}) is worth {value:+.0} ± {error:.0} Elo, which is taken out of the ratings."));
    }
    words.push(format!("Of games between equals {:.1}\u{a0}% are drawn.", 100.0 * ratings.draw_share));
    words.push(match ratings.covariance {
        Covariance::Robust => "The intervals take the two games of an opening together.".to_owned(),
        Covariance::Information => {
            "The intervals take all games as independent, although two share each opening.".to_owned()
        }
    });
    if ratings.prior {
        words.push("Where all was won or lost, half a draw was added: without it those ratings would have no end, and how far they lie away says little.".to_owned());
    }
    words
}
