//! The two ways into a run: starting one and going on with one.

use std::path::{Path, PathBuf};

use heng_env::{Notation, Variant, variants::VariantVisitor};
use heng_mcts::net::{Device, device};

use crate::after;
use crate::config::{Config, Decay, Override, Program};
use crate::console::Console;
use crate::error::TrainError;
use crate::run_dir::{PROGRAM, RunDir, write_atomically};
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
    let device = config.run.device.open()?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let named = Path::new("runs").join(&*name);
    let is_named = out.is_none();
    let root = out.unwrap_or_else(|| RunDir::free_name(&named));
    let run = RunDir::create(&root)?;
    if is_named && root != named {
        console.line(&format!("{} is taken: this run is {}", named.display(), root.display()));
    }
    write_atomically(&run.config(), config.to_toml().as_bytes())?;
    work(&run, &config, device, console, stop)
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
    let device = config.run.device.open()?;
    if config != before {
        let _lock = run.lock()?;
        write_atomically(&run.config(), config.to_toml().as_bytes())?;
    }
    work(&run, &config, device, console, stop)
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

fn work(run: &RunDir, config: &Config, device: Device, console: &Console, stop: &Stop) -> Result<(), TrainError> {
    let variant: Variant = config.variant.parse().map_err(|error| TrainError::Inconsistent {
        path: run.config().display().to_string(),
        problem: format!("`variant`: {error}"),
    })?;
    variant.dispatch(Work { run, config, device, console, stop })
}

struct Work<'a> {
    run: &'a RunDir,
    config: &'a Config,
    device: Device,
    console: &'a Console,
    stop: &'a Stop,
}

impl VariantVisitor for Work<'_> {
    type Output = Result<(), TrainError>;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> Result<(), TrainError> {
        let Work { run, config, device, console, stop } = self;
        let root = run.root().display();
        // What renders on the processor for want of a graphics card is slow: whoever waits for it should see why.
        let place = device::model_name(&device).map_or_else(String::new, |name| format!(", network on {name}"));
        let mut trainer: Trainer<'_, G> = Trainer::open(run, config, rules, device, console, stop)?;
        let (before, threads) = (trainer.iteration(), config.run.thread_count());
        console.line(&format!("{root}: {}, iteration {before}, {threads} threads{place}", config.variant));
        if let Some(text) = lift(&trainer, config) {
            console.line(&text);
        }
        if trainer.work()? == Ending::Stopped {
            console.line(&format!("stopped and saved; to go on:\n{PROGRAM} resume {root}"));
            return Ok(());
        }
        if trainer.iteration() == before {
            let more = "`--iterations` or `--minutes` sets a new limit";
            console.line(&format!("nothing to do: the run has reached its limit; {more}"));
            return Ok(());
        }
        console.line(&format!("done after {} iterations: {root}", trainer.iteration()));
        after::play(run, &trainer, config, console, stop)?;
        console.line(&next_steps(run, config));
        Ok(())
    }
}

/// How much the learning rate may rise without a word.
const NOTABLE_LIFT: f64 = 1.05;

/// A cosine falls over the limit of a run, and from its top again over that of a resumed one.
fn lift<G: Notation>(trainer: &Trainer<'_, G>, config: &Config) -> Option<String> {
    let (before, now) = trainer.learning_rates()?;
    let least = config.schedule.final_learning_rate;
    (config.schedule.decay == Decay::Cosine && now > NOTABLE_LIFT * before).then(|| {
        format!(
            "the cosine is spread over the new limit: learning rate {before:.1e} becomes {now:.1e}, then {least:.1e}"
        )
    })
}

fn next_steps(run: &RunDir, config: &Config) -> String {
    let root = run.root().display();
    let variant = &config.variant;
    let eval = "cargo run --release --bin eval --";
    [
        "what to try next:".to_owned(),
        "# play against it".to_owned(),
        format!("{eval} play {variant} --agent {root}"),
        "# see curves and games on one page".to_owned(),
        format!("{eval} report {root}"),
        "# measure it against a tree search of 200 random playouts a step".to_owned(),
        format!("{eval} match {root} rollout:200 \\\n    --variant {variant} --games 200"),
        "# train it for longer".to_owned(),
        format!("{PROGRAM} resume {root} --minutes 30"),
    ]
    .join("\n")
}
