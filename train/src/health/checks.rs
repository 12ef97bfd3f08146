//! The checks, each a function of the metrics so far.

use crate::config::Config;
use crate::metrics::Metrics;
use crate::rating::NetRating;

/// What is wrong after the last iteration of the history, if anything is.
type Check = fn(&[Metrics], &Config) -> Option<String>;

/// A number of an iteration, if it was measured.
type Value = fn(&Metrics) -> Option<f64>;

/// Every check.
pub(super) const CHECKS: [Check; 10] = [
    search_collapsed,
    policy_collapsed,
    policy_diverged,
    policy_loss_rose,
    one_result,
    no_games,
    learning_not_begun,
    window_too_small,
    parts_too_small,
    resigns_too_early,
];

/// Iterations on end that something has to last: a single odd one is nothing to worry about.
const LASTING: usize = 3;

/// A mean entropy, in nats, that leaves the second-best step about one chance in a hundred.
const LEAST_ENTROPY: f64 = 0.05;

fn search_collapsed(history: &[Metrics], _: &Config) -> Option<String> {
    let found = below("search_entropy", |metrics| metrics.search_entropy, history)?;
    let look = "search.explore, search.gumbel.value_scale or search.puct.noise_fraction";
    Some(format!("{found}: the searches all but always find one step; look at {look}"))
}

fn policy_collapsed(history: &[Metrics], _: &Config) -> Option<String> {
    let found = below("policy_entropy", |metrics| metrics.policy_entropy, history)?;
    let look = "schedule.learning_rate, replay.replay_ratio and replay.window_min";
    Some(format!("{found}: the network all but always expects one step; look at {look}"))
}

/// The entropy of the last iterations, if it was too small in each of them.
fn below(name: &str, value: Value, history: &[Metrics]) -> Option<String> {
    let entropies = last_values(history, value)?;
    let (iteration, last) = (history.last()?.iteration, *entropies.last()?);
    let is_low = entropies.iter().all(|&entropy| entropy < LEAST_ENTROPY);
    is_low.then(|| format!("{name} is {last:.3} in iteration {iteration}, below {LEAST_ENTROPY}"))
}

/// A policy loss that no network has which knows anything: that of a guess among e^10, 22 000, steps.
const ABSURD_LOSS: f64 = 10.0;

fn policy_diverged(history: &[Metrics], _: &Config) -> Option<String> {
    let &Metrics { iteration, loss_policy, .. } = history.last()?;
    let loss = loss_policy.filter(|&loss| loss > ABSURD_LOSS)?;
    let found = format!("loss_policy is {loss:.1} in iteration {iteration}, above {ABSURD_LOSS}");
    Some(format!("{found}: the weights have grown beyond use; start again with a lower schedule.learning_rate"))
}

/// How far the policy loss may rise above its best: by this factor and, where it is small, by so many nats.
const LOSS_FACTOR: f64 = 1.5;
const LOSS_RISE: f64 = 0.5;

fn policy_loss_rose(history: &[Metrics], _: &Config) -> Option<String> {
    let losses = last_values(history, |metrics| metrics.loss_policy)?;
    let best = history.iter().filter_map(|metrics| metrics.loss_policy).fold(f64::INFINITY, f64::min);
    let (iteration, last) = (history.last()?.iteration, *losses.last()?);
    let is_high = losses.iter().all(|&loss| loss > LOSS_FACTOR * best && loss > best + LOSS_RISE);
    is_high.then(|| {
        let found = format!("loss_policy is {last:.2} in iteration {iteration}, its best was {best:.2}");
        format!("{found}: learning goes backwards; look at schedule.learning_rate and at gradient_norm")
    })
}

/// Games that are enough to judge by, and the share of them that is as good as all.
const GAMES: f64 = 100.0;
const ALL: f64 = 0.98;

fn one_result(history: &[Metrics], _: &Config) -> Option<String> {
    let one_sided =
        "one side wins all; look at the games, selfplay.random_opening_turns and selfplay.random_opening_greed";
    let all_drawn = "nothing shows how to win; look at selfplay.random_opening_greed and selfplay.endgame_share";
    let results: [(_, Value, _); 3] = [
        ("draws", |metrics| metrics.draws, all_drawn),
        ("red_wins", |metrics| metrics.red_wins, one_sided),
        ("black_wins", |metrics| metrics.black_wins, one_sided),
    ];
    let recent = newest(history, |metrics| metrics.games as f64, GAMES)?;
    let games: f64 = recent.iter().map(|metrics| metrics.games as f64).sum();
    results.into_iter().find_map(|(name, share, advice)| {
        let count = |metrics: &Metrics| share(metrics).unwrap_or(0.0) * metrics.games as f64;
        let share = recent.iter().map(count).sum::<f64>() / games;
        (share >= ALL).then(|| format!("{name} is {share:.2} over the last {games} games: {advice}"))
    })
}

fn no_games(history: &[Metrics], _: &Config) -> Option<String> {
    let positions = last_values(history, |metrics| Some(metrics.positions as f64))?;
    let is_none = positions.iter().all(|&positions| positions == 0.0);
    is_none.then(|| {
        let found = format!("positions is 0 in the last {LASTING} iterations");
        format!("{found}: no game ends; look at selfplay.evaluations_per_iteration and at the limits of the variant")
    })
}

/// Iterations in which learning should have begun.
const FIRST_ITERATIONS: u64 = 5;

fn learning_not_begun(history: &[Metrics], config: &Config) -> Option<String> {
    let &Metrics { iteration, window, .. } = history.last()?;
    let needed = config.replay.min_positions;
    (iteration >= FIRST_ITERATIONS && window < needed).then(|| {
        let found = format!("window is {window} in iteration {iteration}, below replay.min_positions = {needed}");
        format!("{found}: nothing is learnt; look at selfplay.evaluations_per_iteration and replay.window_max")
    })
}

/// How much more often than the replay ratio a position in the window may be used in one iteration.
const USES_FACTOR: f64 = 2.0;

/// Where an iteration plays more than the window holds, what is left of it is used in place of what is gone.
fn window_too_small(history: &[Metrics], config: &Config) -> Option<String> {
    let last = history.last()?;
    let ratio = config.replay.replay_ratio;
    let learnt = last.learn_positions_per_second? * last.learn_seconds;
    let uses = learnt / last.window as f64;
    (last.window > 0 && uses > USES_FACTOR * ratio).then(|| {
        let found = format!("window is {} in iteration {}", last.window, last.iteration);
        let uses = format!("each position used {uses:.0} times, replay.replay_ratio is {ratio}");
        format!("{found}, {uses}: look at replay.window_min and replay.window_max")
    })
}

/// Positions of a part below which most of the time of a step of learning goes into its overhead: with batches of 64, parts of 4
/// were learnt at 45 % of the speed of parts of 32. Smaller batches than this have nothing to gain.
const SMALL_PART: usize = 8;
const SMALL_BATCH: usize = 32;

fn parts_too_small(history: &[Metrics], config: &Config) -> Option<String> {
    let last = history.last()?;
    let (batch, shards) = (config.schedule.batch, config.learn.shards);
    let speed = last.learn_positions_per_second?;
    (batch >= SMALL_BATCH && shards > 1 && batch < SMALL_PART * shards).then(|| {
        let found = format!("learn_positions_per_second is {speed:.0} in iteration {}", last.iteration);
        format!("{found}, in {shards} parts of a batch of {batch}: small parts are slow; look at learn.shards")
    })
}

/// Games that are enough to judge resignation by, and the share that may be wrong (Silver et al. 2017, Methods).
const CHECKED: f64 = 20.0;
const WRONG: f64 = 0.05;

fn resigns_too_early(history: &[Metrics], _: &Config) -> Option<String> {
    let recent = newest(history, |metrics| metrics.resign_checked as f64, CHECKED)?;
    let sum = |value: fn(&Metrics) -> u64| recent.iter().map(value).sum::<u64>();
    let (checked, wrong) = (sum(|metrics| metrics.resign_checked), sum(|metrics| metrics.resign_wrong));
    (wrong as f64 > WRONG * checked as f64).then(|| {
        let found = format!("resign_wrong is {wrong} of resign_checked {checked}, above {} %", 100.0 * WRONG);
        format!(
            "{found}: games are given up that are not lost; raise selfplay.resign_threshold or selfplay.resign_turns"
        )
    })
}

/// Elo that a network may be below the best before it without a word.
const LOST_ELO: f64 = 100.0;

/// What is wrong with the last of the ratings, if it is clear: their intervals do not meet.
pub(super) fn lost_strength(ratings: &[NetRating]) -> Option<String> {
    let (last, before) = ratings.split_last()?;
    let best = before.iter().max_by(|one, other| one.elo.total_cmp(&other.elo))?;
    let is_lost = last.elo <= best.elo - LOST_ELO && last.high < best.low;
    is_lost.then(|| {
        let (NetRating { iteration, elo, .. }, lost) = (last, best.elo - last.elo);
        let found =
            format!("elo is {elo:+.0} in iteration {iteration}, {lost:.0} below that of iteration {}", best.iteration);
        format!(
            "{found}: the network forgets; look at schedule.learning_rate, replay.window_min and replay.replay_ratio"
        )
    })
}

/// A value in each of the last iterations; `None` while there are too few or it was not measured in one of them.
fn last_values(history: &[Metrics], value: Value) -> Option<Vec<f64>> {
    let last = &history[history.len().checked_sub(LASTING)?..];
    last.iter().map(value).collect()
}

/// The fewest iterations at the end in which there is `enough` of something.
fn newest(history: &[Metrics], amount: fn(&Metrics) -> f64, enough: f64) -> Option<&[Metrics]> {
    let mut sum = 0.0;
    let first = history.iter().rposition(|metrics| {
        sum += amount(metrics);
        sum >= enough
    })?;
    Some(&history[first..])
}
