//! From the word to the player: finds and reads the nets of agents.

use std::io;
use std::path::{Path, PathBuf};

use heng_env::variants::VariantError;
use heng_env::{Game, Notation, Seeds, Shape, Variant};
use heng_mcts::alphabeta::Limits;
use heng_mcts::evaluator::{CachedEvaluator, NetworkEvaluator, ParallelEvaluator, RolloutEvaluator};
use heng_mcts::net::checkpoint::{self, CheckpointError, META_FILE, MODEL_FILE};
use heng_mcts::net::{Device, PlayNet};
use heng_mcts::search::SearchConfig;
use thiserror::Error;

use super::{Agent, AgentSpec, AlphaBetaAgent, EngineAgent, RandomAgent, SearchAgent, SearchOptions};
use crate::engine::{Engine, EngineError};

/// The folder of a run in which its nets are.
const NETS_FOLDER: &str = "nets";

/// The file of a run that says what it is for.
const CONFIG_FILE: &str = "config.toml";

/// Positions that a network evaluates at once on the processor; more make it hardly faster.
const NETWORK_BATCH: usize = 32;

/// And on a device, which has room for many and takes as long for a few.
const DEVICE_BATCH: usize = 256;

/// Evaluations that one thread remembers of a network.
const CACHE_CAPACITY: usize = 1 << 16;

/// Why an agent cannot play.
#[derive(Debug, Error)]
#[error("agent `{agent}`: {problem}")]
pub struct AgentError {
    /// The agent as it was written.
    pub agent: String,
    /// What is wrong with it.
    pub problem: AgentProblem,
}

/// What is wrong with an agent.
#[derive(Debug, Error)]
pub enum AgentProblem {
    /// The run's directory cannot be read.
    #[error("{}: {source}", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The run has not saved a net yet.
    #[error("{}: holds no net yet", path.display())]
    NoNets {
        /// The folder of the nets.
        path: PathBuf,
    },
    /// The run has no net of this number.
    #[error("{}: holds no net {net}, its nets are {first} to {last}", path.display())]
    NoSuchNet {
        /// The folder of the nets.
        path: PathBuf,
        /// The number that was asked for.
        net: u64,
        /// The lowest number there is.
        first: u64,
        /// The highest number there is.
        last: u64,
    },
    /// The net cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The net is for a variant that does not exist.
    #[error("{}: {source}", path.display())]
    UnknownVariant {
        /// The net's directory.
        path: PathBuf,
        /// What is wrong with the variant.
        source: VariantError,
    },
    /// The net in a run's folder was made by another run.
    #[error("{}: is for `{found}`, the run is for `{expected}` (config.toml)", path.display())]
    ForeignNet {
        /// The net's directory.
        path: PathBuf,
        /// The variant of the net.
        found: String,
        /// The variant of the run.
        expected: String,
    },
    /// The run's configuration does not say what the run is for.
    #[error("{}: {problem}", path.display())]
    BadConfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The program cannot play.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The net is for another game.
    #[error("{}: is for `{found}`, not for `{wanted}`", path.display())]
    OtherVariant {
        /// The net's directory.
        path: PathBuf,
        /// The variant of the net.
        found: String,
        /// The variant to play.
        wanted: String,
    },
    /// The net is for positions of other sizes: an older encoding of the same variant.
    #[error("{}: is for positions of {}, this program's have {}", path.display(), in_words(found), in_words(expected))]
    OtherShape {
        /// The net's directory.
        path: PathBuf,
        /// The sizes of the net.
        found: Shape,
        /// The sizes of the variant.
        expected: Shape,
    },
}

/// An agent whose files are read, so that it can play any number of games.
#[derive(Clone, Debug)]
pub struct LoadedAgent {
    spec: AgentSpec,
    net: Option<LoadedNet>,
}

#[derive(Clone, Debug)]
struct LoadedNet {
    directory: PathBuf,
    variant: Variant,
    play: PlayNet,
}

impl AgentSpec {
    /// Reads what the agent needs. Of a run without a number it is the newest net that is complete now. A net runs on the
    /// processor.
    ///
    /// # Errors
    /// If the run or its net is not there or not sound; the error names the agent and the file.
    pub fn load(&self) -> Result<LoadedAgent, AgentError> {
        self.load_on(&Device::flex())
    }

    /// The same, with a net on `device`.
    ///
    /// # Errors
    /// If the run or its net is not there or not sound; the error names the agent and the file.
    pub fn load_on(&self, device: &Device) -> Result<LoadedAgent, AgentError> {
        self.try_load(device).map_err(|problem| AgentError { agent: self.to_string(), problem })
    }

    fn try_load(&self, device: &Device) -> Result<LoadedAgent, AgentProblem> {
        match self {
            AgentSpec::Run { directory, net, search } => {
                let (number, path) = find_net(directory, *net)?;
                let net = load_net(path, device)?;
                check_origin(directory, &net)?;
                let directory = directory.clone();
                Ok(LoadedAgent {
                    spec: AgentSpec::Run { directory, net: Some(number), search: *search },
                    net: Some(net),
                })
            }
            AgentSpec::Net { directory, .. } => {
                Ok(LoadedAgent { spec: self.clone(), net: Some(load_net(directory.clone(), device)?) })
            }
            _ => Ok(LoadedAgent { spec: self.clone(), net: None }),
        }
    }
}

impl LoadedAgent {
    /// The agent as it is written, with the number of its net.
    pub fn spec(&self) -> &AgentSpec {
        &self.spec
    }

    /// The variant that the agent's net was made for; agents without a net play every variant.
    pub fn variant(&self) -> Option<&Variant> {
        self.net.as_ref().map(|net| &net.variant)
    }

    /// The player of `variant`, whose rules are `rules`. Its random numbers that belong to no game come from `seeds`.
    ///
    /// # Errors
    /// If the agent's net is for another variant or for an older encoding of it, or its program does not start.
    pub fn player<G: Notation>(
        &self,
        variant: &Variant,
        rules: &G::Rules,
        seeds: Seeds,
    ) -> Result<Box<dyn Agent<G>>, AgentError> {
        let player: Box<dyn Agent<G>> = match (&self.spec, &self.net) {
            (AgentSpec::Rollout { playouts }, _) => {
                let config = SearchConfig::for_rollouts(*playouts);
                Box::new(SearchAgent::new(config, 1, move |threads| {
                    Box::new(ParallelEvaluator::new(vec![RolloutEvaluator::new(1, seeds).in_random_order(); threads]))
                }))
            }
            (AgentSpec::Engine(spec), _) => {
                // One is started and left at once: whatever is wrong with it is told before the first game.
                let started = Engine::start(spec, variant.name());
                started.map_err(|error| AgentError { agent: self.spec.to_string(), problem: error.into() })?;
                Box::new(EngineAgent::new(spec.clone(), variant.clone()))
            }
            (AgentSpec::AlphaBeta { depth }, _) => Box::new(AlphaBetaAgent::new(Limits::of_depth(*depth))),
            (AgentSpec::Run { search, .. } | AgentSpec::Net { search, .. }, Some(net)) => {
                let checked = net.check::<G>(variant, rules);
                checked.map_err(|problem| AgentError { agent: self.spec.to_string(), problem })?;
                net.player(*search)
            }
            _ => Box::new(RandomAgent),
        };
        Ok(player)
    }
}

impl LoadedNet {
    /// Settings of a variant may differ between learning and playing, its name may not.
    fn check<G: Game>(&self, variant: &Variant, rules: &G::Rules) -> Result<(), AgentProblem> {
        let path = self.directory.clone();
        if self.variant.name() != variant.name() {
            let (found, wanted) = (self.variant.to_string(), variant.to_string());
            return Err(AgentProblem::OtherVariant { path, found, wanted });
        }
        let (found, expected) = (self.play.shape(), G::shape(rules));
        if found != expected {
            return Err(AgentProblem::OtherShape { path, found, expected });
        }
        Ok(())
    }

    fn player<G: Game>(&self, options: SearchOptions) -> Box<dyn Agent<G>> {
        let default = SearchConfig::default();
        let simulations = options.simulations.unwrap_or(default.simulations);
        let algorithm = options.algorithm.unwrap_or(default.algorithm);
        let play = self.play.clone();
        let config = SearchConfig::for_matches(algorithm, simulations);
        let batch_size = if play.is_on_processor() { NETWORK_BATCH } else { DEVICE_BATCH };
        Box::new(SearchAgent::new(config, batch_size, move |threads| {
            let workers = (0..threads).map(|_| NetworkEvaluator::new(play.clone())).collect();
            Box::new(CachedEvaluator::new(ParallelEvaluator::new(workers), CACHE_CAPACITY))
        }))
    }
}

fn load_net(directory: PathBuf, device: &Device) -> Result<LoadedNet, AgentProblem> {
    let (network, meta) = checkpoint::load(&directory)?;
    let variant =
        meta.variant.parse().map_err(|source| AgentProblem::UnknownVariant { path: directory.clone(), source })?;
    Ok(LoadedNet { directory, variant, play: PlayNet::new(&network, device) })
}

/// A run plays only its own nets: one that was copied there would be measured as if the run had learnt it.
fn check_origin(run: &Path, net: &LoadedNet) -> Result<(), AgentProblem> {
    let path = run.join(CONFIG_FILE);
    let bad = |problem: String| AgentProblem::BadConfig { path: path.clone(), problem };
    let text = match std::fs::read_to_string(&path) {
        // A folder of nets alone says nothing about them.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        text => text.map_err(|error| bad(error.to_string()))?,
    };
    let table: toml::Table = toml::from_str(&text).map_err(|error| bad(error.message().to_owned()))?;
    let variant = table.get("variant").and_then(toml::Value::as_str);
    let variant = variant.ok_or_else(|| bad("key `variant` is missing or no text".to_owned()))?;
    let expected: Variant = variant.parse().map_err(|error: VariantError| bad(format!("key `variant`: {error}")))?;
    if net.variant == expected {
        return Ok(());
    }
    let (path, found) = (net.directory.clone(), net.variant.to_string());
    Err(AgentProblem::ForeignNet { path, found, expected: expected.to_string() })
}

fn in_words(shape: &Shape) -> String {
    let Shape { files, ranks, input_planes, hand_planes } = shape;
    format!("{files} files, {ranks} ranks, {input_planes} input planes and {hand_planes} hand planes")
}

/// The numbers of the complete nets of a run, in order.
///
/// # Errors
/// If the run is not there or has none.
pub fn complete_nets(run: &Path) -> Result<Vec<u64>, AgentProblem> {
    let folder = run.join(NETS_FOLDER);
    let nets = list_nets(run, &folder)?.into_iter();
    let mut numbers: Vec<u64> = nets.filter(|(_, path)| is_complete(path)).map(|(number, _)| number).collect();
    numbers.sort_unstable();
    if numbers.is_empty() { Err(AgentProblem::NoNets { path: folder }) } else { Ok(numbers) }
}

/// The net `wanted` of a run, or its newest complete one.
fn find_net(run: &Path, wanted: Option<u64>) -> Result<(u64, PathBuf), AgentProblem> {
    let folder = run.join(NETS_FOLDER);
    let mut nets = list_nets(run, &folder)?;
    nets.sort();
    let (Some((first, _)), Some((last, _))) = (nets.first(), nets.last()) else {
        return Err(AgentProblem::NoNets { path: folder });
    };
    let found = match wanted {
        // Where none is complete, reading the last says which file it lacks.
        None => nets.iter().rfind(|(_, path)| is_complete(path)).or(nets.last()),
        Some(net) => nets.iter().find(|(number, _)| *number == net),
    };
    let net = wanted.unwrap_or(*last);
    found.cloned().ok_or(AgentProblem::NoSuchNet { path: folder, net, first: *first, last: *last })
}

fn is_complete(net: &Path) -> bool {
    net.join(META_FILE).is_file() && net.join(MODEL_FILE).is_file()
}

/// The nets of a run by number. A net that is being written has another name until it is complete.
fn list_nets(run: &Path, folder: &Path) -> Result<Vec<(u64, PathBuf)>, AgentProblem> {
    std::fs::read_dir(run).map_err(|source| AgentProblem::NoRun { path: run.to_owned(), source })?;
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(Vec::new()) };
    let number_of = |name: std::ffi::OsString| name.to_str().and_then(|name| name.parse().ok());
    Ok(entries.flatten().filter_map(|entry| Some((number_of(entry.file_name())?, entry.path()))).collect())
}

#[cfg(test)]
mod tests {
    use heng_mcts::net::{NetConfig, Network};

    use super::*;

    fn add_net(run: &Path, name: &str, files: &[&str]) {
        let net = run.join(NETS_FOLDER).join(name);
        std::fs::create_dir_all(&net).unwrap();
        for file in files {
            std::fs::write(net.join(file), "").unwrap();
        }
    }

    #[test]
    fn the_newest_net_is_the_newest_complete_one() {
        let run = tempfile::tempdir().unwrap();
        let both = [META_FILE, MODEL_FILE];
        add_net(run.path(), "000001", &both);
        add_net(run.path(), "000009", &both);
        add_net(run.path(), "000010", &[MODEL_FILE]);
        add_net(run.path(), ".000011.partial", &both);
        assert_eq!(find_net(run.path(), None).unwrap().0, 9);
        assert_eq!(complete_nets(run.path()).unwrap(), [1, 9]);
        assert_eq!(find_net(run.path(), Some(1)).unwrap().1, run.path().join("nets/000001"));
    }

    #[test]
    fn a_missing_run_or_net_is_named() {
        let run = tempfile::tempdir().unwrap();
        let text = |result: Result<(u64, PathBuf), AgentProblem>| result.unwrap_err().to_string();
        let missing = run.path().join("none");
        assert!(text(find_net(&missing, None)).starts_with(&format!("{}: ", missing.display())));
        assert!(text(find_net(run.path(), None)).ends_with("nets: holds no net yet"));
        add_net(run.path(), "000003", &[META_FILE, MODEL_FILE]);
        assert!(text(find_net(run.path(), Some(7))).ends_with("holds no net 7, its nets are 3 to 3"));
    }

    #[test]
    fn a_net_of_another_variant_in_a_run_is_named() {
        let run = tempfile::tempdir().unwrap();
        let shape = Shape { files: 2, ranks: 2, input_planes: 1, hand_planes: 0 };
        let config = NetConfig { channels: 8, blocks: 1, ..NetConfig::default() };
        let network = Network::random(&config, shape, Seeds::new(1)).unwrap();
        let directory = run.path().join("nets/000001");
        let variant: Variant = "eternal-fixed".parse().unwrap();
        let net = LoadedNet { directory: directory.clone(), variant, play: PlayNet::new(&network, &Device::flex()) };
        check_origin(run.path(), &net).unwrap();
        for (config, problem) in [
            ("variant = \"eternal-fixed\"", None),
            ("variant = \"eternal-mini\"", Some("nets/000001: is for `eternal-fixed`, the run is for `eternal-mini`")),
            ("variant = \"eternal-giant\"", Some("config.toml: key `variant`: unknown variant `eternal-giant`")),
            ("seed = 1", Some("config.toml: key `variant` is missing")),
            ("variant =", Some("config.toml: ")),
        ] {
            std::fs::write(run.path().join(CONFIG_FILE), config).unwrap();
            let found = check_origin(run.path(), &net).err().map(|problem| problem.to_string());
            let expected = problem.map(|problem| run.path().join(problem).display().to_string());
            assert_eq!(found.is_some(), expected.is_some(), "{config}");
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!(found.starts_with(&expected), "{found}");
            }
        }
    }

    #[test]
    fn an_error_names_the_agent() {
        let error = "no/such/run@3".parse::<AgentSpec>().unwrap().load().unwrap_err().to_string();
        assert!(error.starts_with("agent `no/such/run@3`: no/such/run: "), "{error}");
    }
}
