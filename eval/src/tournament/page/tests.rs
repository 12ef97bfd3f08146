//! The page of small tournaments.

use super::super::folder::Pairs;
use super::super::tests::{pair, pairs, settings};
use super::super::{Settings, TournamentReport};
use super::*;

fn page(settings: Settings, kept: &Pairs) -> String {
    html(&TournamentReport::new(settings, kept, Some(0)), ["red", "black"]).unwrap()
}

/// All three agents have met, and the second one is the best.
fn played() -> Pairs {
    let games = |agents, half_points| (0..20).map(move |number| pair(agents, number, half_points));
    pairs(games([0, 1], [0, 1]).chain(games([0, 2], [2, 0])).chain(games([1, 2], [2, 1])))
}

#[test]
fn a_page_says_who_is_best_and_needs_nothing_but_itself() {
    let settings = Settings { games: 40, ..settings() };
    let page = page(settings, &played());
    assert!(page.contains("<p>rollout:8 is the strongest of the 3 agents.</p>"), "{page}");
    assert_eq!(page.matches("<svg class=\"strip\"").count(), 3);
    for outside in ["http:", "https:", "src=", "<script", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("NaN") && !page.contains("Learning"), "{page}");
}

#[test]
fn a_page_without_ratings_says_why_and_escapes_names() {
    let agents = ["random", "<b>", "rollout:8"].map(str::to_owned).to_vec();
    let page = page(Settings { agents, ..settings() }, &pairs([pair([0, 1], 0, [2, 1])]));
    assert!(page.contains("There are no ratings: players fall into groups"), "{page}");
    assert!(page.contains("&lt;b&gt;") && !page.contains("<b>"), "{page}");
    assert!(page.contains("Not everything is played yet: 2 of 12 games."), "{page}");
}

#[test]
fn nets_of_a_run_have_their_ratings_over_what_it_took() {
    let run = tempfile::tempdir().unwrap();
    let line = |iteration: u64| {
        format!("{{\"iteration\":{iteration},\"seconds\":{}.5,\"evaluations\":1000}}\n", 300 * iteration)
    };
    std::fs::write(run.path().join("metrics.jsonl"), [line(1), line(2)].concat()).unwrap();
    let run = run.path().display();
    let agents = vec!["random".to_owned(), format!("{run}@2?sims=8"), format!("{run}@1?sims=8")];
    let page = page(Settings { agents, games: 40, ..settings() }, &played());
    assert!(page.contains("training time in minutes") && page.contains("Rating over evaluations"), "{page}");
    assert_eq!(page.matches("class=\"interval c0\"").count(), 4, "two nets in two charts");
}
