//! The page itself: what is shown, in which order and words.

use minijinja::context;
use minijinja::value::Value;

use super::chart::{self, Axis, Kind};
use super::film::Film;
use super::number::{compact, duration, grouped, percent};
use super::run::{Metrics, Run, Strength};
use super::strength;
use crate::draw::svg;
use crate::web_page::{self, markup};

const TEMPLATE: &str = include_str!("page.html");

/// A chart of some keys of the metrics.
struct Plot {
    title: &'static str,
    /// What a reader should know to read it.
    note: &'static str,
    kind: Kind,
    /// Key and label of each line; `{red}` and `{black}` stand for what the variant calls the sides.
    lines: &'static [(&'static str, &'static str)],
}

const fn lines(title: &'static str, note: &'static str, lines: &'static [(&'static str, &'static str)]) -> Plot {
    Plot { title, note, kind: Kind::Lines, lines }
}

const LEARNING: &[Plot] = &[
    lines(
        "Policy loss",
        "Cross-entropy with the policy that search found; it cannot fall below the target's own entropy.",
        &[("loss_policy", "policy loss"), ("target_entropy", "entropy of the target")],
    ),
    lines(
        "Policy entropy",
        "High: many steps look alike. Low: sure of a few.",
        &[("policy_entropy", "network"), ("search_entropy", "search")],
    ),
    lines(
        "Value error",
        "Mean distance of the network's expected result from the target; 0 is perfect, 2 is always wrong.",
        &[("value_error", "network")],
    ),
    lines(
        "Losses",
        "Each part before it is weighted, and the weighted total.",
        &[
            ("loss_total", "total"),
            ("loss_value", "win, draw, loss"),
            ("loss_steps_left", "steps left"),
            ("loss_score", "final score"),
        ],
    ),
    lines(
        "Losses of the auxiliary heads",
        "Only learning uses these heads; each before it is weighted.",
        &[
            ("loss_soft_policy", "soft policy"),
            ("loss_short_term_value", "short-term value"),
            ("loss_opponent_reply", "opponent's reply"),
        ],
    ),
    lines("Learning rate", "Of the last learning step.", &[("learning_rate", "learning rate")]),
    lines("Gradient norm", "Before clipping.", &[("gradient_norm", "norm")]),
];

const GAMES: &[Plot] = &[
    Plot {
        title: "Results of self-play",
        note: "Shares of the games that finished in an iteration.",
        kind: Kind::Shares,
        lines: &[("red_wins", "{red} wins"), ("draws", "draws"), ("black_wins", "{black} wins")],
    },
    lines(
        "Length of games",
        "Turns of both sides, and the steps they consist of.",
        &[("game_turns", "turns"), ("game_steps", "steps")],
    ),
    lines(
        "Error of the search",
        "Mean squared error of its expected result at the root, from 0 to 4.",
        &[("root_value_error", "search")],
    ),
    lines("Replay window", "Positions that learning samples from.", &[("window", "window")]),
];

/// A cache that never answered is none.
const CACHE: &str = "cache_hit_rate";

const SPEED: &[Plot] = &[
    lines("Positions evaluated", "For each second of self-play.", &[("evaluations_per_second", "evaluations/s")]),
    lines("Positions learnt from", "For each second of learning.", &[("learn_positions_per_second", "positions/s")]),
    lines("Time of an iteration", "In seconds.", &[("selfplay_seconds", "self-play"), ("learn_seconds", "learning")]),
    lines("Cache", "Share of the evaluations that were known already.", &[(CACHE, "hits")]),
    lines("Memory", "Of the process, in megabytes.", &[("memory_mb", "MB")]),
];

/// The page as HTML.
pub(super) fn render(name: &str, side_names: [&str; 2], run: &Run, films: &[Film]) -> Result<String, minijinja::Error> {
    let metrics = &run.metrics;
    let strength = context! { title => "Strength", charts => strength::charts(&run.ratings) };
    let others = [("Learning", LEARNING), ("Games", GAMES), ("Speed", SPEED)].into_iter().map(|(title, plots)| {
        let charts: Vec<Value> = plots.iter().filter_map(|plot| chart_of(plot, side_names, metrics)).collect();
        context! { title, charts }
    });
    let sections: Vec<Value> = std::iter::once(strength).filter(|_| !run.ratings.is_empty()).chain(others).collect();
    web_page::render(
        TEMPLATE,
        &[svg::STYLE_SHEET],
        context! {
            title => name,
            variant => &run.variant,
            summary => summary(run),
            facts => facts(run),
            sections,
            films => films.iter().map(film_of).collect::<Vec<_>>(),
            config => &run.config,
        },
    )
}

fn chart_of(plot: &Plot, [red, black]: [&str; 2], metrics: &Metrics) -> Option<Value> {
    let is_shown = |key: &str| key != CACHE || metrics.line("", key).points.iter().any(|point| point.1 > Some(0.0));
    // What was never measured has no place in the legend either.
    let (mut lines, mut legend) = (Vec::new(), Vec::new());
    for (key, label) in plot.lines.iter().filter(|(key, _)| is_shown(key)) {
        let Some(last) = metrics.last(key) else { continue };
        let label = label.replace("{red}", red).replace("{black}", black);
        lines.push(metrics.line(&label, key));
        legend.push(context! { label, index => legend.len(), last => plot.kind.text(last) });
    }
    let drawing = chart::draw(plot.title, plot.kind, &Axis::iterations(), &lines)?;
    let kind = match plot.kind {
        Kind::Lines => "lines",
        Kind::Shares => "shares",
    };
    let svg = markup(drawing);
    Some(context! { title => plot.title, note => plot.note, kind, legend, svg })
}

/// What happened, in one sentence.
fn summary(run: &Run) -> String {
    let metrics = &run.metrics;
    if metrics.iterations() == 0 {
        return "No iteration is finished yet, so there is nothing to show but the configuration.".to_owned();
    }
    let iterations = match metrics.iterations() {
        1 => "One iteration".to_owned(),
        count => format!("{} iterations", grouped(count as u64)),
    };
    let time = metrics.last("seconds").map_or_else(String::new, |seconds| format!(" in {}", duration(seconds)));
    let whole = |total: Option<f64>| total.map(|count| grouped(count.max(0.0) as u64));
    let games = whole(metrics.last("games_total").or_else(|| metrics.sum("games")));
    let positions = whole(metrics.last("positions_total").or_else(|| metrics.sum("positions")));
    let played = games.map_or_else(String::new, |games| format!(": {games} games of self-play"));
    let learnt = positions.map_or_else(String::new, |count| format!(", {count} positions to learn from"));
    format!("{iterations} of {}{time}{played}{learnt}.", run.variant)
}

/// The numbers on top: value, what it is, and where it came from.
fn facts(run: &Run) -> Vec<Value> {
    type InWords = fn(f64) -> String;
    let keys: [(&str, &str, InWords); 6] = [
        ("loss_policy", "policy loss", compact),
        ("value_error", "value error", compact),
        ("game_turns", "turns a game", compact),
        ("draws", "draws", percent),
        ("evaluations_per_second", "evaluations a second", compact),
        ("memory_mb", "megabytes of memory", compact),
    ];
    let fact = |(key, label, in_words): (&str, &str, InWords)| {
        let mut known = run.metrics.line("", key).points.into_iter().filter_map(|point| point.1);
        let first = known.next()?;
        let last = known.next_back().unwrap_or(first);
        Some(context! { value => in_words(last), label, note => format!("at first {}", in_words(first)) })
    };
    let net = run.nets.last().map(|net| {
        let steps = net.meta.get("step").and_then(serde_json::Value::as_u64);
        let note = steps.map_or_else(String::new, |steps| format!("{} learning steps", grouped(steps)));
        context! { value => net.number, label => "newest net", note }
    });
    strength::fact(&run.ratings)
        .into_iter()
        .chain(run.strengths.iter().map(strength))
        .chain(keys.into_iter().filter_map(fact))
        .chain(net)
        .collect()
}

/// What the newest net is worth against an opponent.
fn strength(strength: &Strength) -> Value {
    let Strength { opponent, games, score, low, high, simulations, iteration } = strength;
    let games = counted(*games, "game");
    let simulations = counted(*simulations, "simulation");
    let note = format!(
        "95 % interval {:.0} to {}; {games} at {simulations}, net of iteration {}",
        100.0 * low,
        percent(*high),
        grouped(*iteration),
    );
    context! { value => percent(*score), label => format!("against {opponent}"), note }
}

fn counted(count: u64, singular: &str) -> String {
    if count == 1 { format!("1 {singular}") } else { format!("{} {singular}s", grouped(count)) }
}

fn film_of(film: &Film) -> Value {
    let frames: Vec<Value> = film
        .frames
        .iter()
        .map(|frame| {
            let board = markup(frame.board.clone());
            context! { board, skipped => frame.skipped, turn => &frame.turn, expected => frame.expected.as_deref() }
        })
        .collect();
    let turns = film.turns.clone();
    context! { frames, turns, iteration => film.iteration, number => film.number, result => &film.result }
}
