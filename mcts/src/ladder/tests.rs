//! Ratings in simulation, by hand and at the ends of the scale.

use heng_env::{Purpose, Seeds};
use rand::RngExt;

use super::*;

fn rung(agent: &str, elo: f64) -> Rung {
    Rung { agent: agent.to_owned(), elo, low: elo - 20.0, high: elo + 20.0, games: 100 }
}

fn ladder(first_mover: f64, draws: f64) -> Ladder {
    Ladder {
        variant: "eternal-mini".to_owned(),
        version: "0.1.0".to_owned(),
        seed: 1,
        openings: "random:0".to_owned(),
        first_mover,
        draws,
        rungs: vec![rung("random", 0.0), rung("rollout:10", 200.0), rung("rollout:100", 500.0)],
    }
}

/// Games of an agent of rating `elo`, half of them with each colour.
fn simulated(ladder: &Ladder, elo: f64, games: u64, seed: u64) -> Vec<RungResults> {
    let mut rng = Seeds::new(seed).stream(Purpose::Test, 0);
    let mut play = |ahead: f64| {
        let (chances, mut counts) = (ladder.chances(ahead), [0; 3]);
        for _ in 0..games / 2 {
            let drawn: f64 = rng.random();
            counts[usize::from(drawn >= chances.win) + usize::from(drawn >= chances.win + chances.draw)] += 1;
        }
        counts
    };
    let against = |rung: &Rung| {
        let ahead = elo - rung.elo;
        let (as_red, as_black) = (play(ahead + ladder.first_mover), play(ahead - ladder.first_mover));
        RungResults { elo: rung.elo, as_red, as_black }
    };
    ladder.rungs.iter().map(against).collect()
}

#[test]
fn intervals_hold_the_true_rating_about_as_often_as_they_say() {
    for (first_mover, draws) in [(0.0, 0.0), (-33.0, 0.3), (120.0, 0.6)] {
        let ladder = ladder(first_mover, draws);
        let (mut held, mut total) = (0, 0);
        for seed in 0..400 {
            let elo = -100.0 + 2.0 * f64::from(seed);
            let rating = ladder.rate(&simulated(&ladder, elo, 200, seed as u64)).unwrap();
            held += usize::from(rating.low <= elo && elo <= rating.high);
            total += 1;
            assert_eq!((rating.games, rating.is_bounded_by_prior), (600, false));
        }
        // The error of a share of 95 % in 400 is 1.1 %.
        let share = held as f64 / total as f64;
        assert!((share - 0.95).abs() < 0.033, "{first_mover} {draws}: {share}");
    }
}

#[test]
fn a_rating_without_draws_is_that_of_the_score() {
    // 75 % is 190.85 in the logistic model, with the variance 1 / (n p q).
    let results = [RungResults { elo: 200.0, as_red: [75, 0, 25], as_black: [75, 0, 25] }];
    let rating = ladder(0.0, 0.0).rate(&results).unwrap();
    assert!((rating.elo - 390.848_5).abs() < 1e-3, "{rating:?}");
    let error = 400.0 / std::f64::consts::LN_10 / (200.0 * 0.75 * 0.25_f64).sqrt();
    assert!((rating.high - rating.elo - 1.96 * error).abs() < 0.1, "{rating:?}");
}

#[test]
fn colours_count() {
    // Red is worth 100: half of the points with it are less than an equal takes, and without it more.
    let ladder = ladder(100.0, 0.2);
    let even = [5, 2, 5];
    let elo = |as_red, as_black| ladder.rate(&[RungResults { elo: 0.0, as_red, as_black }]).unwrap().elo;
    assert!((elo(even, [0; 3]) + 100.0).abs() < 1e-6 && (elo([0; 3], even) - 100.0).abs() < 1e-6);
    assert!(elo(even, even).abs() < 1e-6);
    assert!((elo([7, 2, 3], [1, 2, 9]) + elo([9, 2, 1], [3, 2, 7])).abs() < 1e-6, "the other side's view");
}

#[test]
fn who_won_or_lost_everything_has_a_finite_rating_that_says_so() {
    let ladder = ladder(-33.0, 0.3);
    let rate = |counts| ladder.rate(&[RungResults { elo: 500.0, as_red: counts, as_black: counts }]).unwrap();
    let (best, worst) = (rate([20, 0, 0]), rate([0, 0, 20]));
    assert!(best.is_bounded_by_prior && worst.is_bounded_by_prior);
    assert!(best.elo > 800.0 && best.elo < 2000.0 && best.high.is_finite(), "{best:?}");
    assert!((best.elo - 500.0 + worst.elo - 500.0).abs() < 1e-6, "{best:?} {worst:?}");
    assert!(rate([200, 0, 0]).elo > best.elo);
    let drawn = rate([0, 20, 0]);
    assert!(!drawn.is_bounded_by_prior && (drawn.elo - 500.0).abs() < 1e-6, "{drawn:?}");
}

#[test]
fn nothing_played_is_no_rating() {
    assert_eq!(ladder(0.0, 0.0).rate(&[]), None);
    assert_eq!(ladder(0.0, 0.0).rate(&[RungResults { elo: 0.0, as_red: [0; 3], as_black: [0; 3] }]), None);
}

#[test]
fn the_nearest_rung_is_the_one_that_says_most() {
    for (first_mover, draws) in [(0.0, 0.0), (-33.0, 0.3), (80.0, 0.9)] {
        let ladder = ladder(first_mover, draws);
        for (elo, agent) in
            [(-1e6, "random"), (-900.0, "random"), (90.0, "random"), (110.0, "rollout:10"), (1e6, "rollout:100")]
        {
            let nearest = ladder.nearest(elo).map(|rung| rung.agent.as_str());
            assert_eq!(nearest, Some(agent), "{first_mover} {draws} {elo}");
        }
    }
}

#[test]
fn what_is_no_ladder_is_named() {
    type Change = fn(&mut Ladder);
    let cases: [(Change, &str); 7] = [
        (|ladder| ladder.variant = "eternal-giant".to_owned(), "key `variant`: unknown variant `eternal-giant`"),
        (|ladder| ladder.draws = 1.0, "key `draws` is `1`, expected a share from 0 to below 1"),
        (|ladder| ladder.draws = f64::NAN, "key `draws` is `NaN`"),
        (|ladder| ladder.first_mover = f64::INFINITY, "key `first_mover` is `inf`, expected a finite number"),
        (|ladder| ladder.rungs.clear(), "key `rung`: there is none, expected at least one"),
        (|ladder| ladder.rungs[2].agent = "random".to_owned(), "rung 3, key `agent`: `random` is there twice"),
        (|ladder| ladder.rungs[1].low = 201.0, "rung 2 (`rollout:10`): elo is `200`, from `201` to `220`; expected"),
    ];
    ladder(0.0, 0.3).check().unwrap();
    for (change, problem) in cases {
        let mut changed = ladder(0.0, 0.3);
        change(&mut changed);
        let error = changed.check().unwrap_err().to_string();
        assert!(error.starts_with(problem), "{error}");
    }
}
