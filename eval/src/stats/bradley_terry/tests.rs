//! Ratings against published ones, by hand, and in simulated tournaments.

use heng_env::{Purpose, Seeds};
use heng_mcts::davidson::Chances;
use rand::RngExt;

use super::*;

const NATURAL: f64 = 400.0 / std::f64::consts::LN_10;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|player| format!("player {player}")).collect()
}

/// `count` games with the same result, each its own cluster.
fn add(games: &mut Vec<RatedGame>, first: usize, second: usize, half_points: u8, count: usize) {
    for _ in 0..count {
        let cluster = games.len();
        games.push(RatedGame { first, second, half_points, cluster });
    }
}

/// Games with counts of each result.
fn add_all<const N: usize>(games: &mut Vec<RatedGame>, first: usize, second: usize, counts: [(u8, usize); N]) {
    counts.into_iter().for_each(|(half_points, count)| add(games, first, second, half_points, count));
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

/// The American League East of 1987: Agresti, Categorical Data Analysis (2nd edition 2002), section 10.6; the data set
/// `baseball` of the R package BradleyTerry2. Milwaukee, Detroit, Toronto, New York, Boston, Cleveland and Baltimore: a row for
/// each home team, with its wins and those of the visitors of the column.
const BASEBALL: [[(usize, usize); 7]; 7] = [
    [(0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)],
];
const BALTIMORE: usize = 6;

fn baseball() -> Vec<RatedGame> {
    let mut games = Vec::new();
    for (home, row) in BASEBALL.into_iter().enumerate() {
        for (away, (home_wins, away_wins)) in row.into_iter().enumerate() {
            add_all(&mut games, home, away, [(2, home_wins), (0, away_wins)]);
        }
    }
    games
}

#[test]
fn baseball_teams_have_the_strengths_of_agresti() {
    let anchor = Anchor::Player { player: BALTIMORE, elo: 0.0 };
    let model = RatingModel { anchor, without_first_mover: true };
    let ratings = rate(&names(7), &baseball(), &model).unwrap();
    let mut strengths: Vec<f64> = ratings.players.iter().map(|player| player.elo.value / NATURAL).collect();
    strengths.sort_by(f64::total_cmp);
    // Table 10.11, column 3.
    for (found, published) in strengths.iter().zip([0.0, 0.68, 1.11, 1.25, 1.29, 1.44, 1.58]) {
        near(*found, published, 0.005);
    }
    assert_eq!((ratings.first_mover, ratings.draw_share, ratings.prior), (None, 0.0, false));
}

#[test]
fn playing_at_home_is_worth_what_agresti_found() {
    let ratings = rate(&names(7), &baseball(), &RatingModel::default()).unwrap();
    // The coefficient that the tests of BradleyTerry2 expect.
    near(ratings.first_mover.unwrap().value / NATURAL, 0.302, 0.0005);
    let strengths: Vec<f64> = ratings.players.iter().map(|player| (player.elo.value / NATURAL).exp()).collect();
    let sum: f64 = strengths.iter().sum();
    let mut shares: Vec<f64> = strengths.iter().map(|strength| strength / sum).collect();
    shares.sort_by(f64::total_cmp);
    // Table 10.11, column 5.
    for (found, published) in shares.iter().zip([0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220]) {
        near(*found, published, 0.0005);
    }
}

#[test]
fn errors_without_clusters_are_those_of_logistic_regression() {
    // "About 0.3" says Agresti; so does the test of BradleyTerry2.
    let fit = Fit::of(7, &baseball(), false).unwrap();
    let covariance = fit.information_covariance();
    for team in 0..BALTIMORE {
        near(fit.variance_of_difference(&covariance, team, BALTIMORE).sqrt(), 0.3, 0.05);
    }
}

#[test]
fn two_players_have_the_ratings_of_their_counts() {
    // By hand: the model has as many parameters as results, so the chances are the shares: x is ln(50 / 20) with the
    // variance 1/50 + 1/20, and ν is 30 / √(50 · 20).
    let mut games = Vec::new();
    add_all(&mut games, 0, 1, [(2, 50), (1, 30), (0, 20)]);
    let fit = Fit::of(2, &games, false).unwrap();
    near(-fit.strength(1), 2.5_f64.ln(), 1e-9);
    near(fit.information_covariance()[[0, 0]], 1.0 / 50.0 + 1.0 / 20.0, 1e-9);
    let draw_weight = 30.0 / 1000_f64.sqrt();
    near(fit.draw_share(), draw_weight / (2.0 + draw_weight), 1e-9);
    // With every game its own cluster the model is right, and the two covariances agree but for the correction.
    near(fit.robust_covariance(&games)[[0, 0]], (1.0 / 50.0 + 1.0 / 20.0) * 100.0 / 99.0, 1e-9);

    let model = RatingModel { without_first_mover: true, ..RatingModel::default() };
    let ratings = rate(&names(2), &games, &model).unwrap();
    near(ratings.players[0].elo.value + ratings.players[1].elo.value, 0.0, 1e-9);
    near(ratings.players[0].points, 65.0, 1e-12);
    near(ratings.superiority[0][1], likelihood_below(2.5_f64.ln() / (0.07_f64 * 100.0 / 99.0).sqrt()), 1e-9);
    near(ratings.superiority[0][1] + ratings.superiority[1][0], 1.0, 1e-9);
}

#[test]
fn a_small_difference_is_worth_its_score_whatever_the_share_of_draws() {
    for draws in [0, 1000, 50_000] {
        let mut games = Vec::new();
        add_all(&mut games, 0, 1, [(2, 1010), (1, draws), (0, 990)]);
        let model = RatingModel { without_first_mover: true, ..RatingModel::default() };
        let ratings = rate(&names(2), &games, &model).unwrap();
        let score = ratings.players[0].points / games.len() as f64;
        let difference = ratings.players[0].elo.value - ratings.players[1].elo.value;
        near(difference / crate::stats::elo_of_score(score), 1.0, 1e-3);
    }
}

#[test]
fn players_who_did_the_same_have_the_same_rating() {
    let mut games = Vec::new();
    for (first, second) in [(0, 1), (1, 2), (2, 0)] {
        add_all(&mut games, first, second, [(2, 3), (1, 4), (0, 3)]);
    }
    let anchor = Anchor::Player { player: 1, elo: 1500.0 };
    let ratings = rate(&names(3), &games, &RatingModel { anchor, ..RatingModel::default() }).unwrap();
    for player in &ratings.players {
        near(player.elo.value, 1500.0, 1e-7);
    }
    assert_eq!(ratings.players[1].elo.error, 0.0);
    near(ratings.players[0].elo.error, ratings.players[2].elo.error, 1e-7);
    near(ratings.first_mover.unwrap().value, 0.0, 1e-7);
    near(ratings.draw_share, 0.4, 1e-9);
    near(ratings.superiority[0][2], 0.5, 1e-6);
}

#[test]
fn the_anchor_moves_all_ratings_alike() {
    let at_mean = rate(&names(7), &baseball(), &RatingModel::default()).unwrap();
    near(at_mean.players.iter().map(|player| player.elo.value).sum(), 0.0, 1e-7);
    let anchor = Anchor::Player { player: 2, elo: -40.0 };
    let at_player = rate(&names(7), &baseball(), &RatingModel { anchor, ..RatingModel::default() }).unwrap();
    let shift = at_player.players[0].elo.value - at_mean.players[0].elo.value;
    for (one, other) in at_player.players.iter().zip(&at_mean.players) {
        near(one.elo.value - other.elo.value, shift, 1e-7);
    }
    assert_eq!(at_player.players[2].elo.value, -40.0);
    assert_eq!(at_player.superiority, at_mean.superiority);
}

#[test]
fn who_won_everything_has_a_finite_rating_that_says_so() {
    let mut games = Vec::new();
    for pair in 0..10 {
        let player = 1 + pair % 2;
        games.push(RatedGame { first: 0, second: player, half_points: 2, cluster: pair });
        games.push(RatedGame { first: player, second: 0, half_points: 0, cluster: pair });
        games.push(RatedGame { first: 1, second: 2, half_points: (pair % 3) as u8, cluster: 10 + pair });
    }
    let ratings = rate(&names(3), &games, &RatingModel::default()).unwrap();
    assert!(ratings.prior && ratings.covariance == Covariance::Information);
    let [best, second, third] = &ratings.players[..] else { panic!("three players") };
    assert!(best.elo.value > second.elo.value + 200.0 && best.elo.value < 2000.0, "{best:?}");
    assert!(best.elo.error > third.elo.error && ratings.superiority[0][1] > 0.95, "{ratings:?}");
}

#[test]
fn one_sided_results_of_every_kind_have_finite_ratings() {
    let game = |first, second, half_points, cluster| RatedGame { first, second, half_points, cluster };
    for games in [
        // Whoever moves first wins; loses; every game is drawn; the first mover wins or draws by who it is.
        vec![game(0, 1, 2, 0), game(1, 0, 2, 0)],
        vec![game(0, 1, 0, 0), game(1, 0, 0, 0)],
        vec![game(0, 1, 1, 0), game(1, 0, 1, 0)],
        vec![game(0, 1, 2, 0), game(1, 0, 1, 0), game(0, 1, 2, 1), game(1, 0, 1, 1)],
        vec![game(0, 1, 2, 0), game(1, 0, 0, 0)],
    ] {
        let ratings = rate(&names(2), &games, &RatingModel::default()).unwrap();
        assert!(ratings.prior, "{games:?}");
        for Parameter { value, error, .. } in [ratings.players[0].elo, ratings.first_mover.unwrap()] {
            assert!(value.abs() < 1500.0 && error > 0.0 && error < 2000.0, "{games:?}: {value} {error}");
        }
    }
}

#[test]
fn what_cannot_be_rated_is_named() {
    let model = RatingModel::default();
    let error = |count: usize, games: &[RatedGame]| rate(&names(count), games, &model).unwrap_err().to_string();
    let mut games = Vec::new();
    add(&mut games, 0, 2, 1, 2);
    add(&mut games, 1, 3, 1, 2);
    assert_eq!(
        error(4, &games),
        "players fall into groups without games between them: `player 0`, `player 2`; `player 1`, `player 3`"
    );
    assert_eq!(error(0, &[]), "there are no players to rate");
    assert_eq!(error(3, &games), "game 3 is between players 1 and 3, expected two of 0 to 2");
    let mut games = Vec::new();
    add_all(&mut games, 0, 1, [(2, 3), (0, 2)]);
    assert_eq!(error(2, &games), RatingError::FirstMover.to_string());
    let anchor = Anchor::Player { player: 2, elo: 0.0 };
    let anchored = rate(&names(2), &games, &RatingModel { anchor, ..model });
    assert_eq!(anchored.unwrap_err().to_string(), "the anchor is player 2, expected one of 0 to 1");
}

#[test]
fn a_lone_player_has_the_rating_of_the_anchor() {
    let ratings = rate(&names(1), &[], &RatingModel::default()).unwrap();
    assert_eq!((ratings.players[0].elo.value, ratings.players[0].elo.error), (0.0, 0.0));
}

/// A round robin of pairs whose openings favour a side by `spread` Elo, this way or that.
fn simulated(strengths: &[f64], first_mover: f64, spread: f64, pairs: usize, seed: u64) -> Vec<RatedGame> {
    let mut rng = Seeds::new(seed).stream(Purpose::Test, 0);
    let mut games = Vec::new();
    let mut cluster = 0;
    for one in 0..strengths.len() {
        for other in 0..one {
            for _ in 0..pairs {
                let opening = if rng.random::<f64>() < 0.5 { spread } else { -spread };
                for (first, second) in [(one, other), (other, one)] {
                    let x = (strengths[first] - strengths[second] + first_mover + opening) / NATURAL;
                    let chances = Chances::new(x, 1.0);
                    let drawn: f64 = rng.random();
                    let half_points = match drawn {
                        drawn if drawn < chances.win => 2,
                        drawn if drawn < chances.win + chances.draw => 1,
                        _ => 0,
                    };
                    games.push(RatedGame { first, second, half_points, cluster });
                }
                cluster += 1;
            }
        }
    }
    games
}

#[test]
fn intervals_hold_the_true_ratings_about_as_often_as_they_say() {
    const STRENGTHS: [f64; 5] = [-150.0, -40.0, 0.0, 60.0, 130.0];
    const FIRST_MOVER: f64 = 45.0;
    let (mut held, mut held_first_mover, mut total) = (0, 0, 0);
    for seed in 0..200 {
        let games = simulated(&STRENGTHS, FIRST_MOVER, 0.0, 60, seed);
        let ratings = rate(&names(5), &games, &RatingModel::default()).unwrap();
        assert_eq!(ratings.covariance, Covariance::Robust);
        // ν is 1 and with it the scale 2 / 3.
        let scale = 2.0 / 3.0;
        let holds = |found: &Parameter, truth: f64| {
            usize::from(found.interval_95.low <= scale * truth && scale * truth <= found.interval_95.high)
        };
        held += ratings.players.iter().zip(STRENGTHS).map(|(player, truth)| holds(&player.elo, truth)).sum::<usize>();
        held_first_mover += holds(&ratings.first_mover.unwrap(), FIRST_MOVER);
        total += 1;
    }
    // The error of a share of 95 % in 200 tournaments is 1.5 %.
    near(held as f64 / (5 * total) as f64, 0.95, 0.03);
    near(held_first_mover as f64 / total as f64, 0.95, 0.045);
}

#[test]
fn pairs_that_always_split_are_no_proof_of_equality() {
    let game = |cluster: usize| {
        let (first, second) = if cluster.is_multiple_of(2) { (0, 1) } else { (1, 0) };
        RatedGame { first, second, half_points: if cluster % 4 < 2 { 2 } else { 0 }, cluster: cluster / 2 }
    };
    let games: Vec<RatedGame> = (0..400).map(game).collect();
    let ratings = rate(&names(2), &games, &RatingModel::default()).unwrap();
    assert_eq!(ratings.covariance, Covariance::Information);
    assert!(ratings.players[0].elo.error > 5.0, "{ratings:?}");
}

#[test]
fn openings_that_favour_a_side_make_robust_errors_differ_as_they_should() {
    // Half the openings favour the first mover by 300, half the second: no difference on the whole, but the two results of
    // a pair contradict each other more often, so that pairs vary less than two games and the first mover's gain more.
    let games = simulated(&[0.0, 20.0], 0.0, 300.0, 4000, 1);
    let fit = Fit::of(2, &games, true).unwrap();
    let (robust, naive) = (fit.robust_covariance(&games), fit.information_covariance());
    assert!(robust[[0, 0]] < 0.8 * naive[[0, 0]], "{robust} {naive}");
    assert!(robust[[1, 1]] > 1.2 * naive[[1, 1]], "{robust} {naive}");
}
