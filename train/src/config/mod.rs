//! The configuration of a run: one TOML file, options of the command line on top, every value checked before anything
//! starts.

mod sections;
mod source;

use std::path::Path;

use heng_env::Variant;
use heng_mcts::net::{LearnerConfig, NetConfig};
use heng_mcts::search::SearchConfig;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::InvalidKey;
use crate::rating::{GatingConfig, RatingConfig};
use crate::replay::ReplayConfig;
use crate::selfplay::SelfPlayConfig;
use source::{SourceFile, explain};

pub use sections::{AfterConfig, Decay, RunConfig, ScheduleConfig};
pub use source::{ConfigError, Override, Place};

/// Everything that decides what a run does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The variant: `NAME` or `NAME:key=value,…`.
    pub variant: String,
    /// The seed that every random number of the run comes from.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How long and on what.
    #[serde(default)]
    pub run: RunConfig,
    /// The size of the network.
    #[serde(default)]
    pub net: NetConfig,
    /// The search of self-play.
    #[serde(default)]
    pub search: SearchConfig,
    /// How games are played for learning.
    #[serde(default)]
    pub selfplay: SelfPlayConfig,
    /// Which positions are learnt from, and how often.
    #[serde(default)]
    pub replay: ReplayConfig,
    /// How the network learns from a batch.
    #[serde(default)]
    pub learn: LearnerConfig,
    /// The batches and the learning rate.
    #[serde(default)]
    pub schedule: ScheduleConfig,
    /// How the networks are rated while the run learns.
    #[serde(default)]
    pub rating: RatingConfig,
    /// Whether a new network has to beat the one that plays.
    #[serde(default)]
    pub gating: GatingConfig,
    /// Games that show what the finished run is worth.
    #[serde(default)]
    pub after: AfterConfig,
    /// The program that started the run: written into its directory, without effect when read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Program>,
}

/// The program that started a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The git commit it was built from; empty if it was not built in a git checkout.
    pub git_hash: String,
}

impl Program {
    /// This program.
    pub fn current() -> Program {
        Program {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            git_hash: option_env!("HENG_GIT_HASH").unwrap_or_default().to_owned(),
        }
    }
}

const fn default_seed() -> u64 {
    1
}

impl Config {
    /// Reads a configuration file, puts the `overrides` on top and checks everything.
    ///
    /// # Errors
    /// One line that names the file and line, or the option, with the key and what was expected.
    pub fn load(path: &Path, overrides: &[Override]) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError {
            place: Place::File(path.to_owned(), None),
            problem: format!("cannot read: {error}"),
        })?;
        let file = SourceFile { path, text: &text };
        let mut config: Config = toml::from_str(&text).map_err(|error| file.parse_error(&error))?;
        for change in overrides {
            config = config.with(change)?;
        }
        config.validate().map_err(|InvalidKey { key, problem }| {
            let problem = format!("`{key}` {problem}");
            // An option may have set the whole table that the key is in.
            let sets = |change: &&Override| {
                key.strip_prefix(&change.key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            match overrides.iter().rev().find(sets) {
                Some(change) => change.error(problem),
                None => file.key_error(&key, problem),
            }
        })?;
        Ok(config)
    }

    /// The configuration as the text of a file.
    ///
    /// # Panics
    /// Never: every value has a TOML form.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration can be written as TOML")
    }

    fn with(&self, change: &Override) -> Result<Config, ConfigError> {
        let mut table = Table::try_from(self).expect("a configuration can be written as TOML");
        change.insert_into(&mut table)?;
        table.try_into().map_err(|error: toml::de::Error| change.error(explain(&change.key, error.message())))
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first key whose value is impossible, written from the root of the configuration.
    pub fn validate(&self) -> Result<(), InvalidKey> {
        self.variant
            .parse::<Variant>()
            .map_err(|error| InvalidKey::new("variant", format!("cannot be used: {error}")))?;
        // TOML's integers have a sign.
        if i64::try_from(self.seed).is_err() {
            return Err(InvalidKey::new("seed", format!("must be at most {}, found {}", i64::MAX, self.seed)));
        }
        self.run.validate().map_err(|invalid| invalid.inside("run"))?;
        self.net.validate().map_err(|error| {
            let expected = format!("must be from {} to {}, found {}", error.least, error.most, error.value);
            InvalidKey::new(error.key, expected).inside("net")
        })?;
        self.search.validate().map_err(|error| {
            InvalidKey::new(error.key, format!("must be {}, found {}", error.expected, error.value)).inside("search")
        })?;
        self.selfplay.validate().map_err(|invalid| invalid.inside("selfplay"))?;
        self.replay.validate().map_err(|invalid| invalid.inside("replay"))?;
        self.learn.validate().map_err(|error| {
            InvalidKey::new(error.key, format!("must be {}, found {}", error.expected, error.value)).inside("learn")
        })?;
        if let Some((key, weight)) = self.learn.auxiliary_weights().into_iter().find(|&(_, weight)| weight > 0.0)
            && !self.net.auxiliary_heads
        {
            let problem = format!("must be 0 where net.auxiliary_heads is false, found {weight}");
            return Err(InvalidKey::new(key, problem).inside("learn"));
        }
        self.schedule.validate().map_err(|invalid| invalid.inside("schedule"))?;
        self.rating.validate().map_err(|invalid| invalid.inside("rating"))?;
        self.gating.validate().map_err(|invalid| invalid.inside("gating"))?;
        self.after.validate().map_err(|invalid| invalid.inside("after"))?;
        if self.schedule.decay == Decay::Cosine && self.run.iterations == 0 && self.run.minutes == 0.0 {
            let problem = "`cosine` needs an end: set run.iterations or run.minutes, or `constant`";
            return Err(InvalidKey::new("schedule.decay", problem));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str, set: &[&str]) -> Result<Config, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.toml");
        std::fs::write(&path, text).unwrap();
        let set: Vec<Override> = set.iter().map(|text| Override::parse(text).unwrap()).collect();
        let place = format!("{}/", directory.path().display());
        Config::load(&path, &set).map_err(|error| error.to_string().replace(&place, ""))
    }

    #[test]
    fn the_resolved_configuration_reads_back_as_itself() {
        let mut config = load("variant = \"eternal-mini\"", &["search.simulations=32", "seed=7"]).unwrap();
        config.program = Some(Program::current());
        assert_eq!((config.search.simulations, config.seed), (32, 7));
        assert_eq!(load(&config.to_toml(), &[]).unwrap(), config);
    }

    #[test]
    fn errors_name_file_line_key_and_expectation() {
        let start = "variant = \"eternal-mini\"\n";
        for (text, set, expected) in [
            ("", vec![], "x.toml:1: missing key `variant`"),
            ("variant = \"chess\"", vec![], "x.toml:1: `variant` cannot be used: unknown variant `chess`, expected"),
            ("[schedule]\nbach = 3", vec![], "x.toml:2: unknown key `schedule.bach`, expected one of `batch`"),
            ("[scedule]\nbatch = 3", vec![], "x.toml:1: unknown key `scedule`, expected one of"),
            (
                "[schedule]\nbatch = \"a\"",
                vec![],
                "x.toml:2: `schedule.batch`: invalid type: string \"a\", expected usize",
            ),
            ("[schedule]\nbatch = -1", vec![], "x.toml:2: `schedule.batch`: invalid value: integer `-1`"),
            ("[net]\n# wide\nchannels = 0", vec![], "x.toml:3: `net.channels` must be from 8 to 512, found 0"),
            ("[schedule]\ndecay = \"steep\"", vec![], "x.toml:2: `schedule.decay`: unknown variant `steep`, expected"),
            ("[schedule\n", vec![], "x.toml:1: "),
            ("", vec!["net.channels=0"], "--set net.channels=0: `net.channels` must be from 8 to 512, found 0"),
            ("", vec!["net.chanels=8"], "--set net.chanels=8: unknown key `net.chanels`, expected one of `channels`"),
            ("", vec!["nett.channels=8"], "--set nett.channels=8: unknown key `nett`, expected one of"),
            ("", vec!["seed.x=8"], "--set seed.x=8: `seed` is no section, so there is no key `seed.x`"),
            ("", vec!["seed=x"], "--set seed=x: `seed`: invalid type: string \"x\", expected u64"),
            (
                "[learn]\nsoft_policy_weight = 8",
                vec![],
                "x.toml:2: `learn.soft_policy_weight` must be 0 where net.auxiliary_heads is false, found 8",
            ),
            ("[schedule]\ndecay = \"cosine\"", vec![], "x.toml:2: `schedule.decay` `cosine` needs an end"),
        ] {
            let with_variant = format!("{start}{text}");
            let is_whole = text.starts_with("variant") || (text.is_empty() && set.is_empty());
            let error = load(if is_whole { text } else { &with_variant }, &set).unwrap_err();
            // The line of the variant that was put in front does not count.
            let expected = if is_whole { expected.to_owned() } else { shifted(expected) };
            assert!(error.starts_with(&expected), "{text} {set:?}: {error}\nexpected {expected}");
            assert!(!error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn what_the_program_writes_about_itself_is_no_key_to_set() {
        let error = load("variant = \"eternal-mini\"", &["nothere=3"]).unwrap_err();
        assert!(
            error.starts_with("--set nothere=3: unknown key `nothere`, expected one of `variant`, `seed`"),
            "{error}"
        );
        assert!(error.ends_with(", `after`"), "{error}");
    }

    fn shifted(expected: &str) -> String {
        (1..9).rev().fold(expected.to_owned(), |text, line| {
            text.replace(&format!("toml:{line}:"), &format!("toml:{}:", line + 1))
        })
    }
}
