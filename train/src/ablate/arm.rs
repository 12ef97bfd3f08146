//! The arms of an experiment: configurations that differ in some keys.

use std::path::{Path, PathBuf};

use crate::config::{ConfigError, Override, Place};

/// A key with the values that it takes in turn: `--vary key=a,b,…`.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    values: Vec<Override>,
}

impl Factor {
    /// Reads the argument of `--vary`. A comma inside brackets or quotes belongs to the value.
    ///
    /// # Errors
    /// If it has no key or no value.
    pub fn parse(text: &str) -> Result<Factor, ConfigError> {
        let wrong = || ConfigError {
            place: Place::Option(format!("--vary {text}")),
            problem: "expected key=a,b,…, for instance search.simulations=16,32".to_owned(),
        };
        let (key, values) = text.split_once('=').ok_or_else(wrong)?;
        let values = split(values);
        if key.trim().is_empty() || values.iter().any(|value| value.trim().is_empty()) {
            return Err(wrong());
        }
        let values = values.into_iter().map(|value| Override::parse(&format!("{}={}", key.trim(), value.trim())));
        Ok(Factor { values: values.collect::<Result<_, _>>()? })
    }
}

/// The parts of a list between the commas outside of brackets and quotes.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut is_quoted) = (Vec::new(), 0, 0, false);
    for (index, letter) in list.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' | '{' if !is_quoted => depth += 1,
            ']' | '}' if !is_quoted => depth -= 1,
            ',' if depth == 0 && !is_quoted => {
                parts.push(&list[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// One arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// What tells it from the others.
    pub name: String,
    /// Its configuration file.
    pub config: PathBuf,
    /// What is put on top of the file.
    pub overrides: Vec<Override>,
}

/// Every file with every combination of the factors' values, in this order. No two have the same name, by which results are kept.
pub fn arms(configs: &[PathBuf], factors: &[Factor]) -> Vec<Arm> {
    let bare = |config: &PathBuf| Arm { name: String::new(), config: config.clone(), overrides: Vec::new() };
    let mut arms: Vec<Arm> = configs.iter().map(bare).collect();
    for factor in factors {
        let with = |arm: &Arm| factor.values.iter().map(|value| arm.with(value)).collect::<Vec<_>>();
        arms = arms.iter().flat_map(with).collect();
    }
    for arm in &mut arms {
        if configs.len() > 1 || arm.name.is_empty() {
            let separator = if arm.name.is_empty() { "" } else { " " };
            arm.name = format!("{}{separator}{}", stem(&arm.config), arm.name);
        }
    }
    for index in 1..arms.len() {
        let (before, after) = arms.split_at_mut(index);
        let (name, mut number) = (after[0].name.clone(), 1);
        while before.iter().any(|arm| arm.name == after[0].name) {
            number += 1;
            after[0].name = format!("{name} ({number})");
        }
    }
    arms
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

impl Arm {
    fn with(&self, value: &Override) -> Arm {
        let separator = if self.name.is_empty() { "" } else { " " };
        let assignment = value.option.strip_prefix("--set ").unwrap_or(&value.option);
        let name = format!("{}{separator}{assignment}", self.name);
        let overrides = self.overrides.iter().chain([value]).cloned().collect();
        Arm { name, config: self.config.clone(), overrides }
    }

    /// A name for its folder, after its number: letters, digits and what is harmless in a path.
    pub fn folder(&self, index: usize) -> String {
        let harmless = |letter: char| letter.is_alphanumeric() || "=.-_".contains(letter);
        let name: String = self.name.chars().map(|letter| if harmless(letter) { letter } else { '-' }).collect();
        let short: String = name.chars().take(FOLDER_LETTERS).collect();
        format!("{:02}-{short}", index + 1)
    }
}

/// Letters of an arm's name in that of its folder: file systems allow 255 bytes.
const FOLDER_LETTERS: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn names(configs: &[&str], vary: &[&str]) -> Vec<String> {
        let configs: Vec<PathBuf> = configs.iter().map(PathBuf::from).collect();
        let factors: Vec<Factor> = vary.iter().map(|text| Factor::parse(text).unwrap()).collect();
        arms(&configs, &factors).into_iter().map(|arm| arm.name).collect()
    }

    #[test]
    fn arms_are_all_combinations_with_names_that_tell_them_apart() {
        assert_eq!(names(&["configs/a.toml"], &[]), ["a"]);
        assert_eq!(names(&["a.toml"], &["x.y=1,2"]), ["x.y=1", "x.y=2"]);
        assert_eq!(names(&["a.toml"], &["x=1,2", "y=u,v"]), ["x=1 y=u", "x=1 y=v", "x=2 y=u", "x=2 y=v"]);
        assert_eq!(names(&["a.toml", "b.toml"], &["x=1"]), ["a x=1", "b x=1"]);
        assert_eq!(names(&["u/a.toml", "v/a.toml", "u/a.toml"], &[]), ["a", "a (2)", "a (3)"]);
        assert_eq!(names(&["a.toml"], &["x=1,1"]), ["x=1", "x=1 (2)"]);
        assert_eq!(names(&["a.toml"], &["x=[1,2],[3]", "y=\"p,q\",r"]).len(), 4);
    }

    #[test]
    fn a_folder_has_no_letters_that_mean_something_in_a_path() {
        let arms = arms(&["a.toml".into()], &[Factor::parse("net.x=\"../u v\"").unwrap()]);
        assert_eq!(arms[0].folder(0), "01-net.x=-..-u-v-");
    }

    #[test]
    fn what_is_no_factor_is_named() {
        for text in ["", "x", "=1", "x=", "x=1,"] {
            let error = Factor::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--vary {text}: expected key=a,b,…")), "{error}");
        }
    }
}
