//! Histories in which something goes wrong, and those in which nothing does.

use super::*;
use crate::metrics::{LossMeans, Measured};
use crate::selfplay::SelfPlayStatistics;

/// An iteration like many: games of all results, and a window larger than what it plays.
fn healthy(iteration: u64) -> Metrics {
    let statistics = SelfPlayStatistics::default();
    let measured = Measured {
        iteration,
        seconds: 0.0,
        selfplay_seconds: 1.0,
        statistics: &statistics,
        reanalysis: crate::reanalysis::ReanalysisStatistics::default(),
        learn_seconds: 1.0,
        batch: 256,
        losses: &LossMeans::default(),
        learning_rate: Some(1e-3),
        learn_steps_total: 0,
        window: 50_000,
        games_total: 0,
        positions_total: 0,
    };
    Metrics {
        games: 60,
        positions: 2_000,
        red_wins: Some(0.5),
        black_wins: Some(0.3),
        draws: Some(0.2),
        search_entropy: Some(1.2),
        policy_entropy: Some(1.5),
        loss_policy: Some(2.0),
        learn_positions_per_second: Some(8_000.0),
        ..Metrics::new(&measured)
    }
}

fn config() -> Config {
    toml::from_str("variant = \"eternal-mini\"\n[replay]\nmin_positions = 1000\nreplay_ratio = 4.0\n").unwrap()
}

/// A healthy run with something done to the iterations from `first` on.
fn history(length: u64, first: u64, change: fn(&mut Metrics)) -> Vec<Metrics> {
    let mut history: Vec<Metrics> = (1..=length).map(healthy).collect();
    history.iter_mut().filter(|metrics| metrics.iteration >= first).for_each(change);
    history
}

/// The iterations that end with a warning, with all of them.
fn warned(history: &[Metrics]) -> Vec<(usize, String)> {
    let after = |length| warnings(&history[..length], &config()).into_iter().map(move |text| (length, text));
    (1..=history.len()).flat_map(after).collect()
}

/// What is done to the metrics from the fifth iteration on, the iteration that ends with a warning, and how that begins.
type Illness = (fn(&mut Metrics), usize, &'static str);

const ILLNESSES: [Illness; 11] = [
    (|metrics| metrics.search_entropy = Some(0.01), 7, "search_entropy is 0.010 in iteration 7, below 0.05: "),
    (|metrics| metrics.policy_entropy = Some(0.0), 7, "policy_entropy is 0.000 in iteration 7, below 0.05: "),
    (|metrics| metrics.loss_policy = Some(50.0), 5, "loss_policy is 50.0 in iteration 5, above 10: "),
    (|metrics| metrics.loss_policy = Some(3.5), 7, "loss_policy is 3.50 in iteration 7, its best was 2.00: "),
    (
        |metrics| (metrics.draws, metrics.red_wins) = (Some(1.0), Some(0.0)),
        6,
        "draws is 1.00 over the last 120 games: ",
    ),
    (|metrics| metrics.red_wins = Some(0.99), 6, "red_wins is 0.99 over the last 120 games: "),
    (|metrics| metrics.black_wins = Some(0.98), 6, "black_wins is 0.98 over the last 120 games: "),
    (|metrics| metrics.positions = 0, 7, "positions is 0 in the last 3 iterations: "),
    (
        |metrics| (metrics.window, metrics.learn_positions_per_second) = (900, None),
        5,
        "window is 900 in iteration 5, below replay.min_positions = 1000: ",
    ),
    (
        |metrics| metrics.learn_seconds = 60.0,
        5,
        "window is 50000 in iteration 5, each position used 10 times, replay.replay_ratio is 4: ",
    ),
    (
        |metrics| (metrics.resign_checked, metrics.resign_wrong) = (12, 1),
        6,
        "resign_wrong is 2 of resign_checked 24, above 5 %: ",
    ),
];

#[test]
fn each_illness_is_told_once_with_metric_and_value() {
    for (change, iteration, expected) in ILLNESSES {
        let warned = warned(&history(30, 5, change));
        let [(found, text), ..] = &warned[..] else { panic!("nothing for {expected}") };
        assert!(text.starts_with(expected), "{text}\nexpected {expected}");
        assert!(
            !text.contains('\n') && ["look at ", "raise ", "lower "].iter().any(|word| text.contains(word)),
            "{text}"
        );
        let (_, advice) = text.split_once(": ").unwrap();
        assert_eq!(
            (*found, warned.iter().filter(|(_, text)| text.ends_with(advice)).count()),
            (iteration, 1),
            "{text}"
        );
    }
}

#[test]
fn a_healthy_run_and_one_that_has_only_begun_are_left_in_peace() {
    let none = Vec::<(usize, String)>::new();
    assert_eq!(warned(&history(30, 99, |_| {})), none);
    // The first iterations of a long run: no game has ended, nothing is learnt, or it is barely measured.
    let begun = |metrics: &mut Metrics| {
        (metrics.games, metrics.positions, metrics.window) = (0, 0, 0);
        (metrics.draws, metrics.red_wins, metrics.black_wins) = (None, None, None);
        (metrics.policy_entropy, metrics.search_entropy, metrics.loss_policy) = (None, None, None);
        metrics.learn_positions_per_second = None;
    };
    assert_eq!(warned(&history(2, 1, begun)), none);
    // One odd iteration, and values next to the bounds.
    let mut odd = history(30, 99, |_| {});
    (odd[9].search_entropy, odd[9].loss_policy, odd[9].positions) = (Some(0.0), Some(9.0), 0);
    (odd[9].resign_checked, odd[9].resign_wrong) = (10, 10);
    odd[19].draws = Some(1.0);
    odd[20].draws = Some(0.95);
    assert_eq!(warned(&odd), none);
}

#[test]
fn parts_of_a_batch_that_are_too_small_to_be_quick_are_told_once() {
    for (batch, shards, expected) in [
        (64, 16, Some("learn_positions_per_second is 8000 in iteration 1, in 16 parts of a batch of 64: ")),
        (64, 8, None),
        (64, 1, None),
        (8, 16, None),
    ] {
        let mut config = config();
        (config.schedule.batch, config.learn.shards) = (batch, shards);
        let history = history(30, 99, |_| {});
        let warned: Vec<String> = (1..=30).flat_map(|length| warnings(&history[..length], &config)).collect();
        assert_eq!(warned.len(), usize::from(expected.is_some()), "{warned:?}");
        assert!(warned.iter().all(|text| text.starts_with(expected.unwrap_or_default())), "{warned:?}");
    }
}

#[test]
fn what_was_gone_for_a_while_is_told_again() {
    for (gone, times) in [(QUIET_ITERATIONS as u64 - 1, 1), (QUIET_ITERATIONS as u64, 2)] {
        let mut history = history(40, 99, |_| {});
        for metrics in &mut history {
            if !(11..11 + gone).contains(&metrics.iteration) {
                metrics.window = 10;
                metrics.learn_positions_per_second = None;
            }
        }
        assert_eq!(warned(&history).len(), times, "{gone} iterations");
    }
}

#[test]
fn a_net_that_lost_100_elo_is_told_where_it_is_clear() {
    use heng_mcts::ladder::Rating;

    use crate::rating::Moment;
    let rating = |iteration, elo, half: f64| {
        let moment = Moment { iteration, seconds: 0.0, evaluations: 0 };
        let rating = Rating { elo, low: elo - half, high: elo + half, games: 80, is_bounded_by_prior: false };
        NetRating::new(moment, &rating, 64, Vec::new())
    };
    let rise = [rating(1, 0.0, 40.0), rating(2, 300.0, 40.0)];
    let cases = [(290.0, 40.0, false), (210.0, 40.0, false), (180.0, 40.0, true), (180.0, 90.0, false)];
    for (elo, half, is_told) in cases {
        let ratings = [rise.to_vec(), vec![rating(3, elo, half)]].concat();
        let warning = checks::lost_strength(&ratings);
        assert_eq!(warning.is_some(), is_told, "{elo} ± {half}: {warning:?}");
    }
    let ratings = [rise.to_vec(), vec![rating(3, 180.0, 40.0)]].concat();
    let expected = "elo is +180 in iteration 3, 120 below that of iteration 2: the network forgets; look at ";
    assert!(checks::lost_strength(&ratings).unwrap().starts_with(expected));
    assert_eq!(checks::lost_strength(&rise), None);
    assert_eq!(checks::lost_strength(&[]), None);
}
