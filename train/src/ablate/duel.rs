//! The last network of each arm against that of the first arm with the same seed. Games between two networks tell arms apart that
//! ratings on a ladder do not: all of them count for the one difference.

use std::path::{Path, PathBuf};
use std::{fs, io};

use heng_env::variants::VariantVisitor;
use heng_env::{Notation, Seeds, Variant};
use heng_mcts::net::PlayNet;
use heng_mcts::search::SearchConfig;
use serde::{Deserialize, Serialize};

use super::summary::{Estimate, estimate};
use crate::benchmark::{Benchmark, Rival};
use crate::config::Config;
use crate::console::Console;
use crate::error::TrainError;
use crate::metrics::Metrics;
use crate::recovery;
use crate::run_dir::{RunDir, RunDirError, write_atomically};
use crate::stop::Stop;

/// The games of an arm's last network against the first arm's, counted for the arm: an entry of `duels.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duel {
    /// The arm.
    pub arm: String,
    /// The seed of both runs.
    pub seed: u64,
    /// Simulations of both networks in each step.
    pub simulations: u32,
    /// Games won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Duel {
    fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn percent(&self) -> f64 {
        100.0 * (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }
}

/// Points of an arm against the first one in percent, a draw counted as one half: the mean over its seeds.
pub(super) fn against_first(arm: &str, duels: &[Duel]) -> Option<Estimate> {
    let percents: Vec<f64> = duels.iter().filter(|duel| duel.arm == arm).map(Duel::percent).collect();
    estimate(&percents)
}

/// The duels of an experiment, as they are kept.
pub(super) struct Duels {
    path: PathBuf,
    played: Vec<Duel>,
}

impl Duels {
    /// Those that are kept in the folder of an experiment.
    ///
    /// # Errors
    /// If the file cannot be read or understood.
    pub(super) fn open(out: &Path) -> Result<Duels, TrainError> {
        let path = out.join("duels.json");
        let played = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => {
                let text = read.map_err(RunDirError::io(&path, "read"))?;
                let wrong = |problem| TrainError::Inconsistent { path: path.display().to_string(), problem };
                serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?
            }
        };
        Ok(Duels { path, played })
    }

    pub(super) fn all(&self) -> &[Duel] {
        &self.played
    }

    /// Plays `games` games of the run at `own` against the run at `first`, one more if the number is odd, unless they were played
    /// before.
    ///
    /// # Errors
    /// If a network cannot be read or the result cannot be kept.
    pub(super) fn play(
        &mut self,
        arm: &str,
        [own, first]: [&Path; 2],
        games: u64,
        console: &Console,
        stop: &Stop,
    ) -> Result<(), TrainError> {
        let games = games.next_multiple_of(2);
        let (own, first) = (Player::open(own)?, Player::open(first)?);
        let (seed, simulations) = (own.config.seed, own.config.rating.simulations);
        let is_same = |duel: &Duel| duel.arm == arm && duel.seed == seed;
        let is_done = |duel: &Duel| is_same(duel) && duel.games() == games && duel.simulations == simulations;
        if games == 0 || self.played.iter().any(is_done) {
            return Ok(());
        }
        let variant = own.variant()?;
        let Some(duel) = variant.dispatch(Playing { arm, own, first, games, console, stop })? else { return Ok(()) };
        self.played.retain(|duel| !is_same(duel));
        self.played.push(duel);
        let text = serde_json::to_string_pretty(&self.played).unwrap_or_default() + "\n";
        Ok(write_atomically(&self.path, text.as_bytes())?)
    }
}

/// The last network of a run.
struct Player {
    config: Config,
    run: RunDir,
}

impl Player {
    fn open(root: &Path) -> Result<Player, TrainError> {
        let run = RunDir::open(root)?;
        Ok(Player { config: Config::load(&run.config(), &[])?, run })
    }

    fn variant(&self) -> Result<Variant, TrainError> {
        self.config.variant.parse().map_err(|error| TrainError::Inconsistent {
            path: self.run.config().display().to_string(),
            problem: format!("`variant`: {error}"),
        })
    }

    fn net(&self) -> Result<PlayNet, TrainError> {
        let iteration = Metrics::read_all(&self.run.metrics())??.last().map_or(0, |metrics| metrics.iteration);
        let network = recovery::load_net(&self.run, iteration, &self.config)?;
        Ok(PlayNet::new(&network, &self.config.run.device.open()?))
    }

    /// Each arm searches as it is configured to, with as many simulations as in ratings.
    fn search(&self, simulations: u32) -> SearchConfig {
        SearchConfig { simulations, ..self.config.search.clone() }.without_exploration()
    }
}

/// The games of one duel; nothing comes of them if a stop is asked for.
struct Playing<'a> {
    arm: &'a str,
    own: Player,
    first: Player,
    games: u64,
    console: &'a Console,
    stop: &'a Stop,
}

impl VariantVisitor for Playing<'_> {
    type Output = Result<Option<Duel>, TrainError>;

    fn visit<G: Notation>(self, _: &Variant, rules: G::Rules) -> Self::Output {
        let Playing { arm, own, first, games, console, stop } = self;
        let (seed, simulations) = (own.config.seed, own.config.rating.simulations);
        let benchmark = Benchmark {
            rules,
            net: own.net()?,
            search: own.search(simulations),
            pairs: 0..games / 2,
            seeds: Seeds::new(seed),
        };
        let rival = Rival::Network(first.net()?, first.search(simulations));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(own.config.run.thread_count()).build();
        let pool = pool.map_err(|error| TrainError::System { doing: "start threads", problem: error.to_string() })?;
        let bar = console.bar(format!("{arm}, seed {seed}, against the first arm"), 0, games, "games");
        let score = pool.install(|| benchmark.play::<G>(&rival, &bar, stop)).both();
        bar.finish_and_clear();
        let duel =
            Duel { arm: arm.to_owned(), seed, simulations, wins: score.wins, draws: score.draws, losses: score.losses };
        Ok((!stop.is_requested()).then_some(duel))
    }
}
