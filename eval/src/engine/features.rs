//! The `feature` lines with which an engine of xboard tells what it can do.

use super::error::shown;
use super::options::{OfferedOption, read_xboard_option};

/// What an engine can do; what it does not mention is as in version 1 of the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    /// What it calls itself.
    pub(super) name: Option<String>,
    /// The variants that it plays, if it tells.
    pub(super) variants: Option<Vec<String>>,
    /// Whether it answers `ping`.
    pub(super) ping: bool,
    /// Whether it reads positions.
    pub(super) setboard: bool,
    /// Whether it wants `usermove` before a move.
    pub(super) usermove: bool,
    /// Whether it does not want to hear of clocks.
    pub(super) ignores_clocks: bool,
    /// Its own options.
    pub(super) options: Vec<OfferedOption>,
    /// Whether it has said everything; `Some(false)` if it has asked to wait.
    pub(super) done: Option<bool>,
}

/// The features that would have to be obeyed and are not: moves in standard algebraic notation.
const REJECTED: [&str; 1] = ["san"];

impl Features {
    /// Takes in a line and returns what to answer to each feature in it; nothing if it is no such line.
    pub(super) fn read(&mut self, line: &str) -> Vec<String> {
        let Some(features) = line.trim().strip_prefix("feature ") else { return Vec::new() };
        let mut answers = Vec::new();
        for (name, value) in pairs(features) {
            let is_rejected = REJECTED.contains(&name) && value != "0";
            answers.push(format!("{} {}", if is_rejected { "rejected" } else { "accepted" }, shown(name)));
            self.set(name, value);
        }
        answers
    }

    fn set(&mut self, name: &str, value: &str) {
        let is_on = value == "1";
        match name {
            "myname" => self.name = Some(shown(value)),
            "variants" => {
                let names = value.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
                self.variants = Some(names.collect());
            }
            "ping" => self.ping = is_on,
            "setboard" => self.setboard = is_on,
            "usermove" => self.usermove = is_on,
            "time" => self.ignores_clocks = !is_on,
            "option" => self.options.extend(read_xboard_option(value)),
            "done" => self.done = Some(is_on),
            _ => {}
        }
    }
}

/// `name=value` and `name="value with spaces"`, one after another.
fn pairs(mut text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    while let Some((name, rest)) = text.split_once('=') {
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        let name = name.split_ascii_whitespace().last().unwrap_or_default();
        if !name.is_empty() {
            pairs.push((name, value));
        }
        text = rest;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn features_may_be_quoted_and_come_in_several_lines() {
        let mut features = Features::default();
        let line = "feature myname=\"An Engine = 1\" variants=\"xiangqi, chess\" ping=1 setboard=1 time=0 san=1";
        let answers = features.read(line);
        assert_eq!(answers[0], "accepted myname");
        assert_eq!(answers[5], "rejected san");
        assert!(
            features
                .read("feature option=\"verbose -spin 0 -1 9\" usermove=1 done=1")
                .contains(&"accepted done".into())
        );
        assert_eq!(features.name.as_deref(), Some("An Engine = 1"));
        assert_eq!(features.variants, Some(vec!["xiangqi".into(), "chess".into()]));
        assert!(features.ping && features.setboard && features.usermove && features.ignores_clocks);
        assert_eq!((features.options.len(), features.done), (1, Some(true)));
        assert!(features.read("tellics feature x=1").is_empty());
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in "feature ([a-z]{0,4}=?\"?(\\PC{0,5}|[01])\"? ?){0,8}") {
            Features::default().read(&line);
        }
    }
}
