//! The two ways into a run: starting one and going on with one.

use std::path::{Path, PathBuf};

use heng_env::{Notation, Seeds, Variant, variants::VariantVisitor};
use heng_mcts::search::SearchConfig;

use crate::benchmark::{Benchmark, Opponent};
use crate::config::{Config, Override, Program};
use crate::console::Console;
use crate::error::TrainError;
use crate::run_dir::{RunDir, write_atomically};
use crate::stop::Stop;
use crate::trainer::{Ending, Trainer};

/// Starts a run of the configuration at `path`, in `out` or in a free folder named after the file.
///
/// # Errors
/// If the configuration is wrong, `out` is taken, or the run fails.
pub fn start(
    path: &Path,
    out: Option<PathBuf>,
    overrides: &[Override],
    console: &Console,
    stop: &Stop,
) -> Result<(), TrainError> {
    let mut config = Config::load(path, overrides)?;
    config.program = Some(Program::current());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let run = RunDir::create(&out.unwrap_or_else(|| RunDir::free_name(&name)))?;
    write_atomically(&run.config(), config.to_toml().as_bytes())?;
    work(&run, &config, console, stop)
}

/// Goes on with the run at `root`.
///
/// # Errors
/// If there is no run, the overrides would make another one of it, a file is damaged, or the run fails.
pub fn resume(root: &Path, overrides: &[Override], console: &Console, stop: &Stop) -> Result<(), TrainError> {
    let run = RunDir::open(root)?;
    let before = Config::load(&run.config(), &[])?;
    let config = Config::load(&run.config(), overrides)?;
    check_fixed(&before, &config)?;
    if config != before {
        let _lock = run.lock()?;
        write_atomically(&run.config(), config.to_toml().as_bytes())?;
    }
    work(&run, &config, console, stop)
}

/// What the files of a run were made for cannot change.
fn check_fixed(before: &Config, after: &Config) -> Result<(), TrainError> {
    let values = |config: &Config| {
        [
            ("variant", config.variant.clone()),
            ("seed", config.seed.to_string()),
            ("net", format!("{:?}", config.net)),
            ("selfplay.groups", config.selfplay.groups.to_string()),
        ]
    };
    for ((key, found), (_, asked)) in values(before).into_iter().zip(values(after)) {
        if found != asked {
            return Err(TrainError::Fixed { key, found, asked });
        }
    }
    Ok(())
}

fn work(run: &RunDir, config: &Config, console: &Console, stop: &Stop) -> Result<(), TrainError> {
    let variant: Variant = config.variant.parse().map_err(|error| TrainError::Inconsistent {
        path: run.config().display().to_string(),
        problem: format!("`variant`: {error}"),
    })?;
    variant.dispatch(Work { run, config, console, stop })
}

struct Work<'a> {
    run: &'a RunDir,
    config: &'a Config,
    console: &'a Console,
    stop: &'a Stop,
}

impl VariantVisitor for Work<'_> {
    type Output = Result<(), TrainError>;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> Result<(), TrainError> {
        let Work { run, config, console, stop } = self;
        let root = run.root().display();
        let mut trainer: Trainer<'_, G> = Trainer::open(run, config, rules, console, stop)?;
        let before = trainer.iteration();
        console.line(&format!("{root}: {}, iteration {before}, {} threads", config.variant, config.run.thread_count()));
        if trainer.work()? == Ending::Stopped {
            console.line(&format!("stopped and saved; `train resume {root}` goes on"));
            return Ok(());
        }
        if trainer.iteration() == before {
            let more = "`--iterations` or `--minutes` sets a new limit";
            console.line(&format!("nothing to do: the run has reached its limit; {more}"));
            return Ok(());
        }
        console.line(&format!("done after {} iterations: {root}", trainer.iteration()));
        show_strength(&trainer, config, console, stop);
        console.line(&next_steps(run, config));
        Ok(())
    }
}

/// Plays the games of `[after]`.
fn show_strength<G: Notation>(trainer: &Trainer<'_, G>, config: &Config, console: &Console, stop: &Stop) {
    let search = SearchConfig { simulations: config.after.simulations, ..config.search.clone() };
    let benchmark = Benchmark {
        rules: trainer.rules().clone(),
        net: trainer.play_net(),
        search: search.without_exploration(),
        pairs: config.after.games as u64 / 2,
        seeds: Seeds::new(config.seed),
    };
    if benchmark.pairs == 0 {
        return;
    }
    for text in &config.after.opponents {
        let Ok(opponent) = text.parse::<Opponent>() else { continue };
        if stop.is_requested() {
            return;
        }
        let bar = console.bar(format!("against {opponent}"), 2 * benchmark.pairs, "games");
        let score = trainer.pool().install(|| benchmark.play::<G>(opponent, &bar));
        bar.finish_and_clear();
        let (low, high) = score.interval();
        console.line(&format!(
            "against {opponent:<12} {:5.1} % ({:.1} to {:.1})  {} won, {} drawn, {} lost at {} simulations",
            100.0 * score.share(),
            100.0 * low,
            100.0 * high,
            score.wins,
            score.draws,
            score.losses,
            config.after.simulations,
        ));
    }
}

fn next_steps(run: &RunDir, config: &Config) -> String {
    let root = run.root().display();
    let variant = &config.variant;
    let eval = "cargo run --release --bin eval --";
    [
        "what to try next:".to_owned(),
        format!("  {eval} play {variant} --agent {root}        play against it"),
        format!("  {eval} report {root}                          curves and games in one page"),
        format!("  {eval} match {root} rollout:200 --variant {variant} --games 200"),
        format!("  cargo run --release --bin train -- resume {root} --minutes 30"),
    ]
    .join("\n")
}
