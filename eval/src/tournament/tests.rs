//! Settings, the file of games, and the report.

use super::folder::{Pairs, open};
use super::*;
use crate::journal::JournalError;

pub(super) fn settings() -> Settings {
    Settings {
        variant: "eternal-mini".to_owned(),
        agents: ["random", "rollout:8", "a,b"].map(str::to_owned).to_vec(),
        gauntlet: false,
        games: 4,
        openings: "random:0".to_owned(),
        seed: 1,
        time: None,
    }
}

pub(super) fn pair(agents: [usize; 2], pair: usize, half_points: [u8; 2]) -> KeptPair {
    let games = half_points.map(|half_points| KeptGame {
        half_points,
        reason: "points".to_owned(),
        opening_turns: 0,
        turns: vec!["a1a2".to_owned()],
        steps: vec![7],
        end: "e".to_owned(),
        values: Vec::new(),
        seconds: Vec::new(),
    });
    KeptPair { agents, pair, start: "s".to_owned(), games }
}

pub(super) fn pairs(kept: impl IntoIterator<Item = KeptPair>) -> Pairs {
    kept.into_iter().map(|pair| ((pair.agents, pair.pair), pair)).collect()
}

#[test]
fn everybody_meets_everybody_or_the_first_one_alone() {
    assert_eq!(settings().pairings(), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(Settings { gauntlet: true, ..settings() }.pairings(), [[0, 1], [0, 2]]);
}

#[test]
fn a_kept_tournament_goes_on_where_it_was_even_after_a_crash() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("a tournament");
    let (mut journal, found) = open(&directory, &settings()).unwrap();
    assert!(found.is_empty());
    assert!(matches!(open(&directory, &settings()), Err(JournalError::InUse { .. })));
    let kept = [pair([0, 1], 1, [2, 1]), pair([1, 2], 0, [0, 0])];
    kept.iter().for_each(|pair| journal.append(pair).unwrap());
    drop(journal);
    // What a crash leaves.
    let path = directory.join("games.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}{{\"agents\":[0,")).unwrap();
    let (mut journal, found) = open(&directory, &settings()).unwrap();
    assert_eq!(found, pairs(kept.clone()));
    let last = pair([0, 2], 0, [1, 1]);
    journal.append(&last).unwrap();
    drop(journal);
    let (_, found) = open(&directory, &settings()).unwrap();
    assert_eq!(found, pairs(kept.into_iter().chain([last])));
}

#[test]
fn another_tournament_is_refused_with_what_differs() {
    let parent = tempfile::tempdir().unwrap();
    drop(open(parent.path(), &settings()).unwrap());
    for (other, difference) in [
        (Settings { seed: 2, ..settings() }, "--seed is `1`, not `2`"),
        (
            Settings { time: Some("100 ms a turn".to_owned()), ..settings() },
            "time for players is `their own`, not `100 ms a turn`",
        ),
        (Settings { games: 6, ..settings() }, "--games is `4`, not `6`"),
        (Settings { gauntlet: true, ..settings() }, "--gauntlet is `false`, not `true`"),
        (
            Settings { agents: vec!["random".to_owned()], ..settings() },
            "agents is `random rollout:8 a,b`, not `random`",
        ),
    ] {
        let error = open(parent.path(), &other).err().unwrap().to_string();
        assert!(error.contains(difference), "{error}");
    }
}

#[test]
fn lines_that_are_no_pairs_of_the_tournament_are_refused() {
    for (line, problem) in [
        ("{}", "line 1: missing field `agents`"),
        (&serde_json::to_string(&pair([1, 0], 0, [0, 0])).unwrap(), "line 1: pair 0 of agents [1, 0] is not part"),
        (&serde_json::to_string(&pair([0, 1], 2, [0, 0])).unwrap(), "line 1: pair 2 of agents [0, 1] is not part"),
        (&serde_json::to_string(&pair([0, 1], 0, [0, 3])).unwrap(), "line 1: a game has 3 half points"),
    ] {
        let parent = tempfile::tempdir().unwrap();
        std::fs::write(parent.path().join("games.jsonl"), format!("{line}\n")).unwrap();
        let error = open(parent.path(), &settings()).err().unwrap().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn a_report_counts_for_both_agents_and_rates_them() {
    let kept = pairs([
        pair([0, 1], 0, [0, 1]),
        pair([0, 1], 1, [2, 0]),
        pair([0, 2], 0, [1, 0]),
        pair([0, 2], 1, [0, 2]),
        pair([1, 2], 0, [2, 0]),
        pair([1, 2], 1, [1, 2]),
    ]);
    let report = TournamentReport::new(settings(), &kept, Some(0));
    let Score { wins, draws, losses } = report.cross_table[0][1];
    assert_eq!((wins, draws, losses), (1, 1, 2));
    let Score { wins, draws, losses } = report.cross_table[1][0];
    assert_eq!((wins, draws, losses), (2, 1, 1));
    assert_eq!((report.games_played, &report.ranking[..]), (12, &[1, 2, 0][..]));
    let ratings = report.ratings.as_ref().unwrap();
    assert_eq!((ratings.players[0].elo.value, ratings.players[1].points), (0.0, 5.0));
    assert!(report.ratings_csv().contains("\n2,\"a,b\","), "{}", report.ratings_csv());
    assert!(report.cross_table_csv().contains("\nrollout:8,random,2,1,1\n"), "{}", report.cross_table_csv());
    let mut text = Vec::new();
    report.write_text(["red", "black"], &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("round robin of 3 agents") && text.contains("anchor"), "{text}");
}

#[test]
fn a_tournament_that_stopped_early_has_a_table_and_says_why_there_are_no_ratings() {
    let report = TournamentReport::new(settings(), &pairs([pair([0, 1], 0, [2, 1])]), None);
    assert!(report.ratings.is_none());
    assert_eq!(
        report.no_ratings.as_deref(),
        Some("players fall into groups without games between them: `random`, `rollout:8`; `a,b`")
    );
    assert_eq!(report.ranking, [0, 1, 2]);
}
