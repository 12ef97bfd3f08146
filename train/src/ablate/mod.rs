//! `train ablate`: runs that differ in some keys, at equal network evaluations and over several seeds.

mod arm;
mod chart;
mod duel;
mod summary;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use crate::config::{Config, Override};
use crate::console::{Console, clock};
use crate::error::TrainError;
use crate::metrics::Metrics;
use crate::rating::{self, RatingsFile};
use crate::run;
use crate::run_dir::{PROGRAM, RunDir, RunDirError, write_atomically};
use crate::stop::Stop;

use duel::Duels;

pub use arm::{Arm, Factor, arms};
pub use duel::Duel;
pub use summary::{ArmCurves, ArmSummary, Estimate, Point};

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What is compared.
    pub arms: Vec<Arm>,
    /// What holds for all arms.
    pub overrides: Vec<Override>,
    /// Runs of each arm; their seeds are those of the configuration and the following ones.
    pub seeds: u64,
    /// Network evaluations of each run's self-play.
    pub evaluations: u64,
    /// Ratings of each run; with none, no ladder is needed.
    pub ratings: u64,
    /// Games of each arm's last network against the first arm's, for each seed.
    pub duel_games: u64,
    /// Where it lies.
    pub out: PathBuf,
}

/// A run of an arm that can begin.
struct Planned {
    arm: usize,
    seed: u64,
    root: PathBuf,
    overrides: Vec<Override>,
}

/// `ablation.json`.
#[derive(Debug, Serialize)]
struct Report<'a> {
    variant: &'a str,
    evaluations: u64,
    first_seed: u64,
    seeds: u64,
    arms: &'a [ArmSummary],
    curves: &'a [ArmCurves],
}

impl Experiment {
    /// Plays and learns what is missing, seed by seed, then writes and prints the comparison. Called again it goes on.
    ///
    /// # Errors
    /// If a configuration is wrong, a folder holds another run than planned, or a run fails.
    pub fn run(&self, console: &Console, stop: &Stop) -> Result<(), TrainError> {
        let configs = self.arms.iter().map(|arm| self.config(arm, &[])).collect::<Result<Vec<_>, _>>()?;
        let (first, plan) = (&configs[0], self.plan(&configs));
        self.check(&configs)?;
        std::fs::create_dir_all(&self.out).map_err(RunDirError::io(&self.out, "create"))?;
        let started = Instant::now();
        for (index, planned) in plan.iter().enumerate() {
            let name = &self.arms[planned.arm].name;
            let left =
                (index > 0).then(|| started.elapsed().as_secs_f64() / index as f64 * (plan.len() - index) as f64);
            let left = left.map_or_else(String::new, |left| format!(", about {} left", clock(left)));
            console.line(&format!("run {} of {}: {name}, seed {}{left}", index + 1, plan.len(), planned.seed));
            self.work(planned, console, stop)?;
            if stop.is_requested() {
                console.line("stopped and saved: the same command goes on");
                return Ok(());
            }
        }
        let mut duels = Duels::open(&self.out)?;
        self.play_duels(&plan, &mut duels, console, stop)?;
        if stop.is_requested() {
            console.line("stopped and saved: the same command goes on");
            return Ok(());
        }
        self.report(first, &plan, &duels, console)
    }

    fn config(&self, arm: &Arm, more: &[Override]) -> Result<Config, TrainError> {
        let overrides: Vec<Override> = self.overrides.iter().chain(&arm.overrides).chain(more).cloned().collect();
        Ok(Config::load(&arm.config, &overrides)?)
    }

    /// Arms of several variants cannot be compared, and there must be a ladder before hours of work.
    fn check(&self, configs: &[Config]) -> Result<(), TrainError> {
        for (arm, config) in self.arms.iter().zip(configs) {
            let wrong = |problem| TrainError::Inconsistent { path: arm.config.display().to_string(), problem };
            if config.variant != configs[0].variant {
                let problem =
                    format!("variant `{}`, that of the first arm is `{}`", config.variant, configs[0].variant);
                return Err(wrong(problem));
            }
            let ladder = rating::ladder_file(config);
            if self.ratings > 0 && !ladder.is_file() {
                let problem =
                    "no such file: ratings need a ladder; with --ratings 0 arms only play each other".to_owned();
                return Err(TrainError::Inconsistent { path: ladder.display().to_string(), problem });
            }
        }
        Ok(())
    }

    /// All seeds of the first round before the second: whoever stops early has something of each arm.
    fn plan(&self, configs: &[Config]) -> Vec<Planned> {
        let mut plan = Vec::new();
        for round in 0..self.seeds {
            for (index, (arm, config)) in self.arms.iter().zip(configs).enumerate() {
                let seed = config.seed + round;
                let iterations = self.evaluations.div_ceil(config.selfplay.evaluations_per_iteration).max(1);
                let every = iterations.checked_div(self.ratings).map_or(0, |every| every.max(1));
                let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
                let overrides = vec![
                    Override::option("seed", "seed", whole(seed)),
                    Override::option("iterations", "run.iterations", whole(iterations)),
                    Override::option("minutes", "run.minutes", 0.0),
                    Override::option("rating.every", "rating.every", whole(every)),
                    Override::option("after.games", "after.games", 0),
                ];
                let root = self.out.join(arm.folder(index)).join(format!("seed-{seed}"));
                plan.push(Planned { arm: index, seed, root, overrides });
            }
        }
        plan
    }

    /// Begins the run, or goes on with it.
    fn work(&self, planned: &Planned, console: &Console, stop: &Stop) -> Result<(), TrainError> {
        let arm = &self.arms[planned.arm];
        let overrides: Vec<Override> =
            self.overrides.iter().chain(&arm.overrides).chain(&planned.overrides).cloned().collect();
        let Ok(run) = RunDir::open(&planned.root) else {
            return run::start(&arm.config, Some(planned.root.clone()), &overrides, console, stop);
        };
        let found = Config { program: None, ..Config::load(&run.config(), &[])? };
        if found != self.config(arm, &planned.overrides)? {
            let problem =
                "is of another configuration than this experiment asks for; --out names another folder".to_owned();
            return Err(TrainError::Inconsistent { path: run.config().display().to_string(), problem });
        }
        run::resume(&planned.root, &[], console, stop)
    }

    fn play_duels(
        &self,
        plan: &[Planned],
        duels: &mut Duels,
        console: &Console,
        stop: &Stop,
    ) -> Result<(), TrainError> {
        for planned in plan.iter().filter(|planned| planned.arm > 0) {
            let Some(first) = plan.iter().find(|first| first.arm == 0 && first.seed == planned.seed) else { continue };
            let arm = &self.arms[planned.arm].name;
            duels.play(arm, [&planned.root, &first.root], self.duel_games, console, stop)?;
        }
        Ok(())
    }

    fn report(&self, config: &Config, plan: &[Planned], duels: &Duels, console: &Console) -> Result<(), TrainError> {
        let mut curves: Vec<ArmCurves> = self.arms.iter().map(|arm| ArmCurves::empty(&arm.name)).collect();
        for planned in plan {
            let (curve, seconds) = curve(&planned.root)?;
            curves[planned.arm].curves.push(curve);
            curves[planned.arm].seconds.push(seconds);
        }
        let arms = summary::summarize(&curves, duels.all());
        let table = summary::table(&arms, self.seeds as usize);
        let report = Report {
            variant: &config.variant,
            evaluations: self.evaluations,
            first_seed: config.seed,
            seeds: self.seeds,
            arms: &arms,
            curves: &curves,
        };
        self.write("ablation.json", &(serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"))?;
        self.write("ablation.csv", &summary::csv(&curves, config.seed))?;
        self.write("ablation.md", &(table.clone() + "\n"))?;
        if self.ratings > 0 {
            let title = format!("{}: {} seeds an arm", config.variant, self.seeds);
            let picture = chart::draw(&title, &arms)
                .map_err(|error| TrainError::System { doing: "draw the curves", problem: error.to_string() })?;
            self.write("ablation.svg", &picture)?;
        }
        console.line(&table);
        let out = self.out.display();
        console.line(&format!("wrote {out}/ablation.md and what it is made of; {PROGRAM} inspect checks a run of it"));
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), RunDirError> {
        write_atomically(&self.out.join(name), text.as_bytes())
    }
}

impl ArmCurves {
    fn empty(name: &str) -> ArmCurves {
        ArmCurves { name: name.to_owned(), curves: Vec::new(), seconds: Vec::new() }
    }
}

/// The ratings of a finished run, and the seconds it worked.
fn curve(root: &Path) -> Result<(Vec<Point>, f64), TrainError> {
    let run = RunDir::open(root)?;
    let history = Metrics::read_all(&run.metrics())??;
    let ratings = RatingsFile::open(&run, u64::MAX)?;
    let point = |rating: &rating::NetRating| Point { evaluations: rating.evaluations as f64, elo: rating.elo };
    let seconds = history.last().map_or(0.0, |metrics| metrics.seconds);
    Ok((ratings.all().iter().map(point).collect(), seconds))
}

#[cfg(test)]
mod tests;
