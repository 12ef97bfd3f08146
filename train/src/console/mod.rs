//! What a person sees of a run: bars on a terminal, plain lines elsewhere.

mod terminal;

use std::io::{self, Write};
use std::time::Duration;

use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::metrics::Metrics;

/// How often bars are drawn although nothing was done.
pub const TICK: Duration = Duration::from_millis(500);

/// Where progress is shown. Bars hide themselves where there is no terminal. Clones share the place.
#[derive(Clone, Debug)]
pub struct Console {
    bars: MultiProgress,
    is_quiet: bool,
}

impl Default for Console {
    fn default() -> Console {
        Console { bars: MultiProgress::with_draw_target(terminal::target()), is_quiet: false }
    }
}

impl Console {
    /// Shows progress on the terminal, if there is one.
    pub fn new() -> Console {
        Console::default()
    }

    /// Shows nothing.
    pub fn quiet() -> Console {
        let bars = MultiProgress::with_draw_target(indicatif::ProgressDrawTarget::hidden());
        Console { bars, is_quiet: true }
    }

    /// Prints a line above the bars. A reader that has gone, or a full disk behind it, ends no training.
    pub fn line(&self, text: &str) {
        if !self.is_quiet {
            self.bars.suspend(|| drop(writeln!(io::stdout(), "{text}")));
        }
    }

    /// Prints a line above the bars that is no result: it goes to standard error.
    pub fn notice(&self, text: &str) {
        if !self.is_quiet {
            self.bars.suspend(|| drop(writeln!(io::stderr(), "{text}")));
        }
    }

    /// Takes the bars away.
    pub fn clear(&self) {
        // A terminal that refuses has nothing to clear.
        let _ = self.bars.clear();
    }

    /// A bar for `total` pieces of work of which `done` are done, with `unit`s a second from now on and the time left.
    pub fn bar(&self, title: String, done: u64, total: u64, unit: &str) -> ProgressBar {
        let template = format!(
            "{{msg:20}} {{wide_bar:.cyan/blue}} {{human_pos}}/{{human_len}} {unit}  {{rate}}  {{prefix}}{{left}} left"
        );
        let style = style(&template)
            .with_key("rate", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = out.write_str(&rate(rate_since(state, done)));
            })
            .with_key("left", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let to_do = state.len().unwrap_or(0).saturating_sub(state.pos()) as f64;
                let _ = out.write_str(&clock_or_dash(rate_since(state, done).map(|rate| to_do / rate)));
            });
        self.add(ProgressBar::new(total).with_message(title).with_position(done), style)
    }

    /// A bar for a run as a whole, of so many parts; its prefix says the rest.
    pub fn run_bar(&self, parts: u64) -> ProgressBar {
        self.add(ProgressBar::new(parts), style("run                  {wide_bar:.green/blue} {prefix}"))
    }

    fn add(&self, bar: ProgressBar, style: ProgressStyle) -> ProgressBar {
        let bar = self.bars.add(bar.with_style(style));
        bar.enable_steady_tick(TICK);
        bar
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Pieces a second since the bar was made, when `done` were done; `None` before the first one.
fn rate_since(state: &ProgressState, done: u64) -> Option<f64> {
    let pieces = state.pos().saturating_sub(done);
    (pieces > 0).then(|| pieces as f64 / state.elapsed().as_secs_f64())
}

/// A rate as a count a second; one digit where a count would say nothing.
fn rate(rate: Option<f64>) -> String {
    match rate {
        None => "-/s".to_owned(),
        Some(rate) if rate < 1.0 => format!("{rate:.1}/s"),
        Some(rate) => format!("{}/s", HumanCount(rate.round() as u64)),
    }
}

/// One line about an iteration, of about 120 columns.
pub fn summary(metrics: &Metrics) -> String {
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.0}", 100.0 * share));
    let number = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
    format!(
        "iteration {:>3}  {}  {} games of {} turns, red {} draw {} black {} %  {} evals/s  loss: policy {}, value {}",
        metrics.iteration,
        clock(metrics.seconds),
        HumanCount(metrics.games),
        number(metrics.game_turns, 0),
        percent(metrics.red_wins),
        percent(metrics.draws),
        percent(metrics.black_wins),
        thousands(metrics.evaluations_per_second),
        number(metrics.loss_policy, 2),
        number(metrics.loss_value, 2),
    )
}

/// A number with at most four digits and a unit.
fn thousands(number: f64) -> String {
    match number {
        number if number < 1_000.0 => format!("{number:.0}"),
        number if number < 10_000.0 => format!("{:.1}k", number / 1e3),
        number if number < 1_000_000.0 => format!("{:.0}k", number / 1e3),
        number => format!("{:.1}M", number / 1e6),
    }
}

/// Seconds as hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Like [`clock`], with `-` for what is not known.
pub fn clock_or_dash(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| "-".to_owned(), clock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{LossMeans, Measured};
    use crate::selfplay::SelfPlayStatistics;
    use heng_mcts::net::Losses;

    #[test]
    fn a_clock_has_hours_minutes_and_seconds() {
        assert_eq!(clock(3_725.9), "1:02:05");
        assert_eq!(clock(0.0), "0:00:00");
        assert_eq!(clock_or_dash(None), "-");
    }

    #[test]
    fn rates_are_counts_that_are_unknown_at_first() {
        for (found, expected) in
            [(None, "-/s"), (Some(0.24), "0.2/s"), (Some(1.6), "2/s"), (Some(28_751.7), "28,752/s")]
        {
            assert_eq!(rate(found), expected);
        }
    }

    #[test]
    fn the_line_of_an_iteration_fits_120_columns() {
        let statistics = SelfPlayStatistics {
            games: 1_123,
            samples: 5_000,
            evaluations: 40_000,
            steps: 50_000,
            turns: 42_000,
            red_wins: 500,
            black_wins: 500,
            draws: 123,
            ..SelfPlayStatistics::default()
        };
        let mut losses = LossMeans::default();
        losses.add(&Losses { policy: 3.18, value: 1.011, ..Losses::default() });
        let metrics = Metrics::new(&Measured {
            iteration: 70,
            seconds: 475.0,
            selfplay_seconds: 1.5,
            statistics: &statistics,
            reanalysis: crate::reanalysis::ReanalysisStatistics::default(),
            learn_seconds: 1.0,
            batch: 256,
            losses: &losses,
            learning_rate: Some(1e-3),
            learn_steps_total: 1,
            window: 5_000,
            games_total: 1_123,
            positions_total: 5_000,
        });
        let line = summary(&metrics);
        let expected = "iteration  70  0:07:55  1,123 games of 37 turns, red 45 draw 11 black 45 %  27k evals/s  \
                        loss: policy 3.18, value 1.01";
        assert_eq!(line, expected);
        assert!(line.len() <= 120, "{} columns", line.len());
    }

    #[test]
    fn numbers_are_shortened_with_a_unit() {
        for (number, expected) in [(7.4, "7"), (1_240.0, "1.2k"), (33_057.0, "33k"), (2.5e6, "2.5M")] {
            assert_eq!(thousands(number), expected);
        }
    }
}
