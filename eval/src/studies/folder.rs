//! The folder of a study: what was asked for, and a line for every finished piece of work, so that it can be gone on with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use crate::journal::Asked;

/// A study as it was asked for: the same settings give the same results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StudySettings {
    /// Which study, as it is called on the command line.
    pub(crate) study: String,
    /// The variant with its settings.
    pub(crate) variant: String,
    /// Who is asked, with the number of its net.
    pub(crate) agent: String,
    /// The effort of each search.
    pub(crate) budget: Budget,
    /// The effort of the searches that check the first ones.
    pub(crate) second_budget: Budget,
    /// Where all random numbers come from.
    pub(crate) seed: u64,
    /// The version of the program.
    pub(crate) version: String,
    /// Options that only this study has, by name.
    pub(crate) options: BTreeMap<String, String>,
}

/// The version of the program that runs now.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Asked for StudySettings {
    const WHAT: &'static str = "study";
    const FILE: &'static str = "study.json";
    const LINES_FILE: &'static str = "work.jsonl";

    fn difference(&self, other: &StudySettings) -> Option<(&'static str, String, String)> {
        let text = |settings: &StudySettings| {
            let option = |(name, value): (&String, &String)| format!("--{name} {value}");
            [
                ("name", settings.study.clone()),
                ("variant", settings.variant.clone()),
                ("agent", settings.agent.clone()),
                ("budget of searches", settings.budget.to_string()),
                ("second budget", settings.second_budget.to_string()),
                ("--seed", settings.seed.to_string()),
                ("version of the program", settings.version.clone()),
                ("set of options", settings.options.iter().map(option).collect::<Vec<_>>().join(" ")),
            ]
        };
        let both = text(self).into_iter().zip(text(other));
        let mut differing = both.filter(|((_, ours), (_, theirs))| ours != theirs);
        differing.next().map(|((name, ours), (_, theirs))| (name, ours, theirs))
    }
}
