//! Where a configuration's values were written, so that errors can point there.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;
use toml::{Table, Value};

/// A configuration that cannot be used: one line with the place, the key and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct ConfigError {
    /// Where the value was written.
    pub place: Place,
    /// What is wrong, with the key and the value that was found.
    pub problem: String,
}

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file, in this line if it is known.
    File(PathBuf, Option<usize>),
    /// On the command line, in this option.
    Option(String),
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path, Some(line)) => write!(out, "{}:{line}", path.display()),
            Place::File(path, None) => write!(out, "{}", path.display()),
            Place::Option(option) => out.write_str(option),
        }
    }
}

/// A value from the command line that replaces the one of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// The option as it was written, for errors.
    pub option: String,
    /// The dotted key.
    pub key: String,
    /// The value.
    pub value: Value,
}

impl Override {
    /// The option `--name value`, which stands for `key`.
    pub fn option(name: &str, key: &str, value: impl Into<Value> + fmt::Display) -> Override {
        Override { option: format!("--{name} {value}"), key: key.to_owned(), value: value.into() }
    }

    /// Reads the argument of `--set`: `key=value` with a TOML value; what is not one is taken as a text.
    ///
    /// # Errors
    /// If it has no `=` or no key.
    pub fn parse(text: &str) -> Result<Override, ConfigError> {
        let option = format!("--set {text}");
        let problem = "expected key=value, for instance selfplay.groups=8";
        let Some((key, value)) = text.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
            return Err(ConfigError { place: Place::Option(option), problem: problem.to_owned() });
        };
        let parsed = toml::from_str::<Table>(&format!("value = {}", value.trim())).ok();
        let value = parsed.and_then(|mut table| table.remove("value"));
        let value =
            value.unwrap_or_else(|| Value::String(text.split_once('=').map_or("", |(_, value)| value).to_owned()));
        Ok(Override { option, key: key.trim().to_owned(), value })
    }

    /// Puts the value into `table`, where it replaces what the key had.
    ///
    /// # Errors
    /// If the key leads through something that is no table.
    pub(super) fn insert_into(&self, mut table: &mut Table) -> Result<(), ConfigError> {
        let (path, last) = self.key.rsplit_once('.').unwrap_or(("", &self.key));
        for part in path.split('.').filter(|part| !part.is_empty()) {
            let entry = table.entry(part).or_insert_with(|| Value::Table(Table::new()));
            let problem = || self.error(format!("`{part}` is no section, so there is no key `{}`", self.key));
            table = entry.as_table_mut().ok_or_else(problem)?;
        }
        table.insert(last.to_owned(), self.value.clone());
        Ok(())
    }

    /// An error in this option.
    pub(super) fn error(&self, problem: String) -> ConfigError {
        ConfigError { place: Place::Option(self.option.clone()), problem }
    }
}

/// A configuration file as a text.
pub(super) struct SourceFile<'a> {
    pub(super) path: &'a Path,
    pub(super) text: &'a str,
}

impl SourceFile<'_> {
    /// An error of the parser, with its line and key.
    pub(super) fn parse_error(&self, error: &toml::de::Error) -> ConfigError {
        let line = error.span().map(|span| self.text[..span.start].matches('\n').count() + 1);
        let key = line.map_or_else(String::new, |line| self.key_of_line(line));
        ConfigError { place: Place::File(self.path.to_owned(), line), problem: explain(&key, error.message()) }
    }

    /// An error of the value of `key`, with its line if the file sets it.
    pub(super) fn key_error(&self, key: &str, problem: String) -> ConfigError {
        let lines = 1..=self.text.lines().count();
        let line = lines.into_iter().find(|&line| self.key_of_line(line) == key);
        ConfigError { place: Place::File(self.path.to_owned(), line), problem }
    }

    /// The dotted key that a line sets, or the section that it opens.
    fn key_of_line(&self, line: usize) -> String {
        let before: Vec<&str> = self.text.lines().take(line).map(str::trim).collect();
        let section = before.iter().rev().find(|text| text.starts_with('['));
        let section = section.map_or("", |text| text.trim_matches(['[', ']', ' ']));
        let last = before.last().copied().unwrap_or_default();
        match last.split_once('=') {
            Some((key, _)) if section.is_empty() => key.trim().to_owned(),
            Some((key, _)) => format!("{section}.{}", key.trim()),
            None => section.to_owned(),
        }
    }
}

/// The message of a deserializer in terms of the dotted `key` that it stumbled over.
pub(super) fn explain(key: &str, message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let (name, expected) = rest.split_once('`').unwrap_or((rest, ""));
        // The key is that of the line or option: the unknown name is a part of it, or lies inside.
        let known: Vec<&str> = key.split('.').take_while(|part| !part.is_empty() && *part != name).collect();
        let path = [&known[..], &[name]].concat().join(".");
        // What the program writes about itself is no key to set.
        return format!("unknown key `{path}`{}", expected.replace(", `program`", ""));
    }
    if let Some(rest) = message.strip_prefix("missing field") {
        return format!("missing key{rest}");
    }
    if key.is_empty() { message } else { format!("`{key}`: {message}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_option_takes_toml_values_and_bare_words() {
        for (text, key, value) in [
            ("seed=3", "seed", Value::Integer(3)),
            ("run.minutes = 1.5", "run.minutes", Value::Float(1.5)),
            ("variant=eternal-mini:turn_limit=60", "variant", Value::String("eternal-mini:turn_limit=60".to_owned())),
            ("replay.mirror=false", "replay.mirror", Value::Boolean(false)),
            ("after.opponents=[\"random\"]", "after.opponents", Value::Array(vec![Value::String("random".to_owned())])),
        ] {
            let read = Override::parse(text).unwrap();
            assert_eq!((read.key.as_str(), read.value), (key, value), "{text}");
        }
        for text in ["seed", "=3", ""] {
            assert!(Override::parse(text).unwrap_err().to_string().contains("expected key=value"), "{text}");
        }
    }
}
