//! What a person sees of a run: bars on a terminal, plain lines elsewhere.

use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use crate::metrics::Metrics;

/// Where progress is shown. Bars hide themselves where there is no terminal.
#[derive(Debug, Default)]
pub struct Console {
    bars: MultiProgress,
    is_quiet: bool,
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

    /// Prints a line above the bars.
    pub fn line(&self, text: &str) {
        if !self.is_quiet {
            self.bars.suspend(|| println!("{text}"));
        }
    }

    /// A bar for work of known size that shows `unit`s a second and the time left.
    pub fn bar(&self, title: String, total: u64, unit: &str) -> ProgressBar {
        let counts = format!("{{human_pos}}/{{human_len}} {unit}  {{rate}} a second");
        let template = format!("{{msg:24}} {{wide_bar:.cyan/blue}} {counts}  {{prefix}}  {{eta}} left");
        self.add(ProgressBar::new(total).with_message(title), &template)
    }

    /// A bar for the time of a run.
    pub fn clock(&self, total: Duration) -> ProgressBar {
        let bar = ProgressBar::new(total.as_secs()).with_message("run");
        self.add(bar, "{msg:24} {wide_bar:.green/blue} {elapsed_precise} of {prefix}")
    }

    fn add(&self, bar: ProgressBar, template: &str) -> ProgressBar {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{:.1}", state.per_sec());
        });
        let bar = self.bars.add(bar.with_style(style));
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }
}

/// One line about an iteration.
pub fn summary(metrics: &Metrics) -> String {
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.0}%", 100.0 * share));
    let number = |value: Option<f64>, digits: usize| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
    format!(
        "iteration {:>3}  {}  {} games ({} turns, red {} draw {} black {})  {} positions, {:.0} evals/s  \
         {} steps, loss {} (policy {} of {}, value {}, error {})",
        metrics.iteration,
        clock(metrics.seconds),
        metrics.games,
        number(metrics.game_turns, 0),
        percent(metrics.red_wins),
        percent(metrics.draws),
        percent(metrics.black_wins),
        metrics.positions,
        metrics.evaluations_per_second,
        metrics.learn_steps,
        number(metrics.loss_total, 3),
        number(metrics.loss_policy, 3),
        number(metrics.target_entropy, 3),
        number(metrics.loss_value, 3),
        number(metrics.value_error, 2),
    )
}

/// Seconds as hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.max(0.0) as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_hours_minutes_and_seconds() {
        assert_eq!(clock(3_725.9), "1:02:05");
        assert_eq!(clock(0.0), "0:00:00");
    }
}
