//! The choice of rungs, the folder, and the report.

use heng_env::{Purpose, Seeds};
use heng_mcts::davidson::Chances;
use heng_mcts::ladder::{Ladder, Rating, Rung, RungResults};
use rand::RngExt;

use super::climb::{batch, next_rung};
use super::folder::{SuiteSettings, open};
use super::page;
use super::report::{RungScore, SuiteReport, SuiteRow};

fn ladder(elos: &[f64]) -> Ladder {
    let rung = |&elo: &f64| Rung { agent: format!("rollout:{}", 2000.0 + elo), elo, low: elo, high: elo, games: 100 };
    Ladder {
        variant: "eternal-mini".to_owned(),
        version: "0.1.0".to_owned(),
        seed: 1,
        openings: "random:0".to_owned(),
        first_mover: -30.0,
        draws: 0.2,
        rungs: elos.iter().map(rung).collect(),
    }
}

fn rating(elo: f64) -> Rating {
    Rating { elo, low: elo - 50.0, high: elo + 50.0, games: 20, is_bounded_by_prior: false }
}

#[test]
fn batches_follow_each_other_and_do_not_depend_on_the_number_of_games() {
    assert_eq!([0, 1, 3, 4, 5].map(batch), [(0, 5), (5, 10), (15, 20), (20, 30), (30, 40)]);
}

#[test]
fn the_first_rung_is_the_middle_one_and_then_the_one_that_says_most_for_its_games() {
    let ladder = ladder(&[500.0, 0.0, 250.0, 900.0]);
    let all = [0, 1, 2, 3];
    let next = |elo, pairs: [usize; 4]| next_rung(&ladder, &all, &pairs, Some(&rating(elo)));
    assert_eq!(next_rung(&ladder, &all, &[0; 4], None), Some(0));
    assert_eq!(next_rung(&ladder, &[1, 2], &[0; 4], None), Some(2));
    assert_eq!((next(-700.0, [0; 4]), next(1e9, [0; 4]), next(240.0, [0; 4])), (Some(1), Some(3), Some(2)));
    assert_eq!(next(400.0, [5, 0, 0, 0]), Some(2), "one batch against the nearest, then the next one");
    assert_eq!(next(510.0, [5, 0, 5, 0]), Some(0), "the nearest may have had more games");
    assert_eq!(next_rung(&ladder, &[], &[0; 4], None), None);
}

/// The rating that an agent of rating `elo` gets from `batches`, and the games against each rung.
fn climb(ladder: &Ladder, elo: f64, batches: usize, seed: u64) -> (Rating, Vec<usize>) {
    let available: Vec<usize> = (0..ladder.rungs.len()).collect();
    let mut results: Vec<RungResults> =
        ladder.rungs.iter().map(|rung| RungResults { elo: rung.elo, as_red: [0; 3], as_black: [0; 3] }).collect();
    let mut pairs = vec![0; available.len()];
    let mut rng = Seeds::new(seed).stream(Purpose::Test, 0);
    let unit = 400.0 / std::f64::consts::LN_10 * (1.0 - ladder.draws);
    let draw_weight = 2.0 * ladder.draws / (1.0 - ladder.draws);
    for (first, end) in (0..batches).map(batch) {
        let rung = next_rung(ladder, &available, &pairs, ladder.rate(&results).as_ref()).unwrap();
        pairs[rung] += end - first;
        let RungResults { elo: rung_elo, as_red, as_black } = &mut results[rung];
        for (counts, first_mover) in [(as_red, ladder.first_mover), (as_black, -ladder.first_mover)] {
            let chances = Chances::new((elo - *rung_elo + first_mover) / unit, draw_weight);
            for _ in first..end {
                let drawn: f64 = rng.random();
                counts[usize::from(drawn >= chances.win) + usize::from(drawn >= chances.win + chances.draw)] += 1;
            }
        }
    }
    (ladder.rate(&results).unwrap(), pairs)
}

#[test]
fn agents_of_every_strength_find_their_place() {
    let ladder = ladder(&[-800.0, -300.0, 0.0, 200.0, 500.0, 900.0, 1500.0]);
    let (mut held, mut total) = (0, 0);
    for seed in 0..300 {
        let elo = -900.0 + 8.0 * f64::from(seed);
        let (found, pairs) = climb(&ladder, elo, 10, seed as u64);
        assert_eq!(pairs.iter().sum::<usize>(), 80);
        assert!(pairs.iter().filter(|&&pairs| pairs > 0).count() > 1, "{elo}: {pairs:?}");
        held += usize::from(found.low <= elo && elo <= found.high);
        total += 1;
    }
    // The error of a share of 95 % in 300 is 1.3 %.
    assert!((held as f64 / total as f64 - 0.95).abs() < 0.04, "{held} of {total}");
}

fn settings(seed: u64, elo: f64) -> SuiteSettings {
    SuiteSettings { seed, ladders: [("eternal-mini".to_owned(), ladder(&[0.0, elo]))].into() }
}

#[test]
fn a_suite_goes_on_only_with_the_same_seed_and_ladders() {
    let parent = tempfile::tempdir().unwrap();
    drop(open(parent.path(), &settings(1, 200.25)).unwrap());
    assert!(open(parent.path(), &settings(1, 200.25)).unwrap().1.is_empty());
    for (other, problem) in [
        (settings(2, 200.25), "holds a suite whose --seed is `1`, not `2`"),
        (
            settings(1, 201.0),
            "ladder is `the earlier one for eternal-mini, 2 rungs by 0.1.0, seed 1`, not `the present one",
        ),
        (SuiteSettings { ladders: [].into(), ..settings(1, 0.0) }, "not `the present one for eternal-mini, none`"),
    ] {
        let error = open(parent.path(), &other).err().unwrap().to_string();
        assert!(error.contains(problem), "{error}");
    }
    std::fs::write(parent.path().join("games.jsonl"), "{\"variant\":\"xiangqi\"}\n").unwrap();
    let error = open(parent.path(), &settings(1, 200.25)).err().unwrap().to_string();
    assert!(error.contains("line 1: missing field `agent`"), "{error}");
}

fn report() -> SuiteReport {
    let score = |agent: &str, wins, draws, losses| RungScore { agent: agent.to_owned(), elo: 0.0, wins, draws, losses };
    let row = |variant: &str, agent: &str, rating, rungs| SuiteRow {
        variant: variant.to_owned(),
        agent: agent.to_owned(),
        rating,
        rungs,
    };
    let bounded = Rating { is_bounded_by_prior: true, ..rating(900.0) };
    let rows = vec![
        row("xiangqi", "runs/b@3", Some(bounded), vec![score("random", 10, 0, 0)]),
        row("eternal-mini", "runs/<a>,b@1", Some(rating(-20.0)), vec![score("random", 3, 2, 5)]),
        row(
            "eternal-mini",
            "rollout:9",
            Some(rating(120.0)),
            vec![score("random", 7, 1, 2), score("rollout:5", 4, 0, 6)],
        ),
    ];
    SuiteReport::new(4, 20, rows, vec!["eternal-mini, a rung: it is not there".to_owned()])
}

#[test]
fn a_report_has_a_row_for_each_agent_and_variant_and_says_what_was_left_out() {
    let report = report();
    let mut text = Vec::new();
    report.write_text(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "suite of 3 agents on 2 ladders, 20 games each, seed 4");
    assert_eq!(lines[1], "left out  eternal-mini, a rung: it is not there");
    assert_eq!(
        lines[4],
        "eternal-mini  rollout:9        +120    +70 to +170         20   57.5 %  random (10), rollout:5 (10)"
    );
    assert!(lines[6].starts_with("xiangqi       runs/b@3        +900*"), "{text}");
    assert!(text.ends_with("without which the rating would have no end\n"), "{text}");
    assert!(
        report.csv().contains("\neternal-mini,\"runs/<a>,b@1\",-20.00,-70.00,30.00,10,4,false\n"),
        "{}",
        report.csv()
    );
}

#[test]
fn a_page_escapes_names_and_needs_nothing_but_itself() {
    let page = page::html(&report()).unwrap();
    assert!(page.contains("runs&#x2f;&lt;a&gt;,b@1") && !page.contains("<a>"), "{page}");
    assert_eq!(page.matches("<svg class=\"strip\"").count(), 3);
    for outside in ["http:", "https:", "src=", "<script", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}
