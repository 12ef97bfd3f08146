//! `eval bench`: how fast this machine plays, searches, evaluates and learns, and one checksum of what the search does.
//!
//! Every benchmark runs once a round, one after the other, so that a disturbance of the machine meets all of them alike; what is
//! printed is the median of the rounds with the lowest and the highest.

mod network;
mod rules;
pub(crate) mod sample;
mod search;
mod selfplay;

use std::io::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::CommandResult;
use crate::device::DeviceArgs;

/// Measure the speed of this program on this machine.
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArgs {
    /// Only benchmarks whose name contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Seconds that each benchmark runs for in a round
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = seconds)]
    seconds: f64,
    /// Rounds, of which the median counts
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Threads of the benchmarks that use several; 0 for one a core
    #[arg(long, value_name = "N", default_value = "0")]
    threads: usize,
    /// Print JSON only
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds from 0.001 to 3600".to_owned()),
    }
}

/// What a benchmark does once: some work, of which it returns the amount.
type Work = Box<dyn FnMut() -> u64>;

/// Something to measure.
struct Benchmark {
    name: String,
    unit: &'static str,
    what: What,
    /// Gets ready for the work; only what is asked for does.
    prepare: Box<dyn FnOnce() -> Work>,
}

/// What is made of an amount of work and the time that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// Work in a second.
    Rate,
    /// Nanoseconds for a piece of work.
    Cost,
}

impl Benchmark {
    /// A benchmark of a rate.
    fn rate<W: FnMut() -> u64 + 'static>(
        name: String,
        unit: &'static str,
        prepare: impl FnOnce() -> W + 'static,
    ) -> Benchmark {
        Benchmark { name, unit, what: What::Rate, prepare: Box::new(|| Box::new(prepare())) }
    }

    /// A benchmark of a cost.
    fn cost<W: FnMut() -> u64 + 'static>(name: String, prepare: impl FnOnce() -> W + 'static) -> Benchmark {
        Benchmark { name, unit: "ns", what: What::Cost, prepare: Box::new(|| Box::new(prepare())) }
    }
}

impl What {
    fn measure(self, time: Duration, work: &mut Work) -> f64 {
        let (count, taken) = repeat(time, work);
        match self {
            What::Rate => count as f64 / taken.as_secs_f64(),
            What::Cost => taken.as_secs_f64() * 1e9 / count as f64,
        }
    }
}

/// Works until `time` is over; returns how much was done in how long.
fn repeat(time: Duration, work: &mut dyn FnMut() -> u64) -> (u64, Duration) {
    let started = Instant::now();
    let mut count = 0;
    loop {
        count += work();
        let taken = started.elapsed();
        if taken >= time {
            return (count, taken);
        }
    }
}

/// What a benchmark found.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Measure {
    name: String,
    unit: &'static str,
    median: f64,
    lowest: f64,
    highest: f64,
}

impl Measure {
    fn of(name: String, unit: &'static str, mut samples: Vec<f64>) -> Measure {
        samples.sort_by(f64::total_cmp);
        let middle = samples.len() / 2;
        let median =
            if samples.len() % 2 == 1 { samples[middle] } else { f64::midpoint(samples[middle - 1], samples[middle]) };
        Measure { name, unit, median, lowest: samples[0], highest: samples[samples.len() - 1] }
    }
}

/// Everything that is printed.
#[derive(Clone, Debug, Serialize)]
struct Findings {
    version: &'static str,
    threads: usize,
    rounds: u32,
    seconds: f64,
    measures: Vec<Measure>,
    /// Bytes of memory for each legal step of a node.
    bytes_per_edge: usize,
    /// Of the searches of fixed positions: it changes only with what the search does, or with the rules.
    search_checksum: String,
}

/// Runs the benchmarks and prints what they found.
///
/// # Errors
/// If no benchmark has the name, or the output cannot be written.
pub fn run(args: &BenchArgs, output: &mut dyn Write) -> CommandResult {
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let mut benchmarks = rules::all();
    benchmarks.extend(search::all(threads));
    let device = args.device.open()?;
    benchmarks.extend(network::all(threads, &device));
    benchmarks.extend(selfplay::all(threads, &device));
    let names: Vec<String> = benchmarks.iter().map(|benchmark| benchmark.name.clone()).collect();
    benchmarks.retain(|benchmark| benchmark.name.contains(&args.only));
    if benchmarks.is_empty() {
        return Err(format!("--only {}: no such benchmark, there are {}", args.only, names.join(", ")).into());
    }
    let measures = measure(benchmarks, args);
    let findings = Findings {
        version: env!("CARGO_PKG_VERSION"),
        threads,
        rounds: args.rounds,
        seconds: args.seconds,
        measures,
        bytes_per_edge: heng_mcts::search::EDGE_BYTES,
        search_checksum: search::checksum(),
    };
    if args.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&findings)?)?;
    } else {
        output.write_all(table(&findings).as_bytes())?;
    }
    Ok(())
}

fn measure(benchmarks: Vec<Benchmark>, args: &BenchArgs) -> Vec<Measure> {
    let bar = ProgressBar::new(u64::from(args.rounds) * benchmarks.len() as u64).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left").unwrap_or(ProgressStyle::default_bar()),
    );
    let time = Duration::from_secs_f64(args.seconds);
    let mut samples = vec![Vec::new(); benchmarks.len()];
    let (names, mut work): (Vec<_>, Vec<_>) = benchmarks
        .into_iter()
        .map(|benchmark| ((benchmark.name, benchmark.unit), (benchmark.what, (benchmark.prepare)())))
        .unzip();
    for _ in 0..args.rounds {
        for (((name, _), (what, work)), samples) in names.iter().zip(&mut work).zip(&mut samples) {
            bar.set_message(name.clone());
            samples.push(what.measure(time, work));
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    names.into_iter().zip(samples).map(|((name, unit), samples)| Measure::of(name, unit, samples)).collect()
}

fn table(findings: &Findings) -> String {
    let Findings { threads, rounds, seconds, .. } = findings;
    let width = findings.measures.iter().map(|measure| measure.name.len()).max().unwrap_or(0);
    let mut text = format!("median of {rounds} rounds of {seconds} s each (lowest to highest), {threads} threads\n");
    for measure in &findings.measures {
        let Measure { name, unit, median, lowest, highest } = measure;
        let range = format!("({} to {})", amount(*lowest), amount(*highest));
        text.push_str(&format!("{name:<width$}  {:>7} {unit:<13} {range}\n", amount(*median)));
    }
    text.push_str(&format!("{:<width$}  {:>7} bytes\n", "memory of a child edge", findings.bytes_per_edge));
    text.push_str(&format!("{:<width$}  {}\n", "checksum of the search", findings.search_checksum));
    text
}

/// A number with three digits that count, and k or M for thousands and millions.
fn amount(value: f64) -> String {
    let (value, suffix) = match value {
        value if value >= 999_500.0 => (value / 1e6, "M"),
        value if value >= 9_995.0 => (value / 1e3, "k"),
        value => (value, ""),
    };
    let digits = if value >= 99.95 {
        0
    } else if value >= 9.995 {
        1
    } else {
        2
    };
    format!("{value:.digits$}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(only: &str) -> BenchArgs {
        BenchArgs {
            only: only.to_owned(),
            seconds: 0.001,
            rounds: 1,
            threads: 2,
            json: true,
            device: DeviceArgs::default(),
        }
    }

    fn printed(args: &BenchArgs) -> String {
        let mut output = Vec::new();
        run(args, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn amounts_have_three_digits_that_count() {
        let amounts = [0.5, 12.34, 999.4, 9_994.0, 12_345.0, 999_499.0, 104_375_985.0].map(amount);
        assert_eq!(amounts, ["0.50", "12.3", "999", "9994", "12.3k", "999k", "104M"]);
    }

    #[test]
    fn the_median_is_that_of_the_sorted_samples() {
        let measure = |samples: &[f64]| Measure::of(String::new(), "", samples.to_vec());
        assert_eq!((measure(&[3.0, 1.0, 2.0]).median, measure(&[4.0, 1.0, 2.0, 3.0]).median), (2.0, 2.5));
        assert_eq!((measure(&[3.0, 1.0, 2.0]).lowest, measure(&[3.0, 1.0, 2.0]).highest), (1.0, 3.0));
    }

    #[test]
    fn every_variant_has_its_benchmarks_and_the_checksum_is_always_the_same() {
        let found: serde_json::Value = serde_json::from_str(&printed(&args("perft"))).unwrap();
        let names: Vec<&str> =
            found["measures"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
        for variant in heng_env::Variant::names() {
            assert!(names.iter().any(|name| name.contains(variant)), "{variant}: {names:?}");
        }
        let again: serde_json::Value = serde_json::from_str(&printed(&args("perft eternal-mini"))).unwrap();
        assert_eq!(found["search_checksum"], again["search_checksum"]);
        assert!(found["search_checksum"].as_str().unwrap().len() == 16);
    }

    #[test]
    fn the_benchmarks_of_search_network_and_self_play_run() {
        for name in ["search eternal-mini", "rollout", "play 32x4 eternal-mini", "self-play 32x4"] {
            let text = printed(&BenchArgs { json: false, ..args(name) });
            assert!(text.contains(name) && text.contains("checksum"), "{text}");
        }
        let error = run(&args("nothing"), &mut Vec::new()).unwrap_err().to_string();
        assert!(error.starts_with("--only nothing: no such benchmark, there are perft eternal-free"), "{error}");
    }
}
