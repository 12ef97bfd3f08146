//! The options that an engine offers, and what may be set.

use super::error::EngineError;

/// How many names an error shows.
const SHOWN_NAMES: usize = 8;

/// An option that an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfferedOption {
    pub(super) name: String,
    pub(super) values: Values,
}

/// What an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Values {
    /// True or false.
    Check,
    /// A number between two others.
    Spin(i64, i64),
    /// One of these.
    Combo(Vec<String>),
    /// Nothing: setting it does something.
    Button,
    /// Any text.
    Text,
}

/// Reads `option name Skill Level type spin default 20 min -20 max 20` of UCI, or the same without `name` of UCCI.
pub(super) fn read_option(line: &str) -> Option<OfferedOption> {
    let text = line.trim().strip_prefix("option")?.strip_prefix(' ')?.trim_start();
    let text = text.strip_prefix("name ").unwrap_or(text);
    let (name, rest) = text.split_once(" type ")?;
    let kind = rest.split_ascii_whitespace().next()?;
    let number = |key: &str, otherwise: i64| {
        let mut words = rest.split_ascii_whitespace().skip_while(|&word| word != key).skip(1);
        words.next().and_then(|word| word.parse().ok()).unwrap_or(otherwise)
    };
    let values = match kind {
        "check" => Values::Check,
        "spin" => Values::Spin(number("min", i64::MIN), number("max", i64::MAX)),
        "combo" => Values::Combo(choices(rest)),
        "button" => Values::Button,
        _ => Values::Text,
    };
    Some(OfferedOption { name: name.trim().to_owned(), values })
}

/// The texts after each `var`. They may have spaces, and the default may stand anywhere between them.
fn choices(text: &str) -> Vec<String> {
    let choices = text.split(" var ").skip(1);
    choices.map(|choice| choice.split(" default ").next().unwrap_or_default().trim().to_owned()).collect()
}

/// Reads the value of an `option` feature of xboard: `Skill Level -spin 20 -20 20`.
pub(super) fn read_xboard_option(text: &str) -> Option<OfferedOption> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut numbers = arguments.split_ascii_whitespace().skip(1).map(|word| word.parse().ok());
    let values = match kind {
        "check" => Values::Check,
        "spin" | "slider" => {
            let mut number = |otherwise| numbers.next().flatten().unwrap_or(otherwise);
            Values::Spin(number(i64::MIN), number(i64::MAX))
        }
        "combo" => {
            let choices = arguments.split("///").map(|choice| choice.trim().trim_start_matches('*').to_owned());
            Values::Combo(choices.collect())
        }
        "button" | "save" | "reset" => Values::Button,
        _ => Values::Text,
    };
    Some(OfferedOption { name: name.trim().to_owned(), values })
}

/// The option of this name. Case makes no difference; a name may be written with `_` where the engine has a space, as
/// names of UCCI have none.
pub(super) fn find<'a>(offered: &'a [OfferedOption], name: &str) -> Option<&'a OfferedOption> {
    offered.iter().find(|option| comparable(&option.name) == comparable(name))
}

fn comparable(name: &str) -> String {
    name.trim().replace('_', " ").to_lowercase()
}

/// The option of this name and the value as the engine spells it.
///
/// # Errors
/// If the engine has no such option or does not allow the value.
pub(super) fn checked<'a>(
    engine: &str,
    offered: &'a [OfferedOption],
    name: &str,
    value: &str,
) -> Result<(&'a OfferedOption, String), EngineError> {
    let option = find(offered, name).ok_or_else(|| EngineError::UnknownOption {
        engine: engine.to_owned(),
        name: name.to_owned(),
        expected: similar(offered, name),
    })?;
    let value = value.trim();
    let allowed = option.values.allowed(value).map_err(|expected| EngineError::OptionValue {
        engine: engine.to_owned(),
        name: option.name.clone(),
        value: value.to_owned(),
        expected,
    })?;
    Ok((option, allowed))
}

impl Values {
    fn allowed(&self, value: &str) -> Result<String, String> {
        match self {
            Values::Check => match value.to_lowercase().as_str() {
                "true" | "1" | "on" => Ok("true".to_owned()),
                "false" | "0" | "off" => Ok("false".to_owned()),
                _ => Err("true or false".to_owned()),
            },
            Values::Spin(least, most) => match value.parse::<i64>() {
                Ok(number) if (*least..=*most).contains(&number) => Ok(number.to_string()),
                _ => Err(format!("a number from {least} to {most}")),
            },
            Values::Combo(choices) => {
                let choice = choices.iter().find(|choice| comparable(choice) == comparable(value));
                choice.cloned().ok_or_else(|| format!("one of {}", listed(choices.iter().map(String::as_str))))
            }
            Values::Button if value.is_empty() => Ok(String::new()),
            Values::Button => Err("no value".to_owned()),
            Values::Text => Ok(value.to_owned()),
        }
    }
}

/// The names most like `name` among those that are offered, the most similar first.
fn similar(offered: &[OfferedOption], name: &str) -> String {
    if offered.is_empty() {
        return "none".to_owned();
    }
    let name = comparable(name);
    let mut names: Vec<&str> = offered.iter().map(|option| option.name.as_str()).collect();
    names.sort_by_key(|candidate| {
        let candidate = comparable(candidate);
        let is_part = candidate.contains(&name) || name.contains(&candidate);
        if is_part { 0 } else { edit_distance(&candidate, &name) }
    });
    listed(names.into_iter())
}

/// Some names in a row, and a mark if there are more.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.take(SHOWN_NAMES + 1).collect();
    match names.get(..SHOWN_NAMES) {
        Some(first) if names.len() > SHOWN_NAMES => format!("{}, …", first.join(", ")),
        _ => names.join(", "),
    }
}

/// Levenshtein's distance: how many letters to insert, remove or replace.
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for column in 0..to.len() {
            let replaced = diagonal + usize::from(to[column] != letter);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn offered() -> Vec<OfferedOption> {
        [
            "option name Skill Level type spin default 20 min -20 max 20",
            "option name Ponder type check default false",
            "option name Analysis Contempt type combo default Both var Both var Off var Very White",
            "option name Clear Hash type button",
            "option EvalFile type string default <empty>",
        ]
        .map(|line| read_option(line).unwrap())
        .into()
    }

    #[test]
    fn an_option_is_found_by_name_and_its_value_checked() {
        let offered = offered();
        for (name, value, set) in [
            ("skill level", "-3", ("Skill Level", "-3")),
            ("Skill_Level", "20", ("Skill Level", "20")),
            ("ponder", "True", ("Ponder", "true")),
            ("Analysis Contempt", "very white", ("Analysis Contempt", "Very White")),
            ("Clear Hash", "", ("Clear Hash", "")),
            ("evalfile", "/a b", ("EvalFile", "/a b")),
        ] {
            let (option, value) = checked("x", &offered, name, value).unwrap();
            assert_eq!((option.name.as_str(), value.as_str()), set);
        }
        for (name, value, problem) in [
            ("Skil", "1", "`x` has no option `Skil`, expected Skill Level, "),
            ("Skill Level", "21", "option `Skill Level` of `x` is `21`, expected a number from -20 to 20"),
            ("Ponder", "yes", "option `Ponder` of `x` is `yes`, expected true or false"),
            (
                "Analysis Contempt",
                "Black",
                "option `Analysis Contempt` of `x` is `Black`, expected one of Both, Off, Very",
            ),
            ("Clear Hash", "1", "option `Clear Hash` of `x` is `1`, expected no value"),
        ] {
            let error = checked("x", &offered, name, value).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn the_options_of_xboard_have_their_own_form() {
        let option = read_xboard_option("Skill Level -spin 20 -20 20").unwrap();
        assert_eq!((option.name.as_str(), option.values), ("Skill Level", Values::Spin(-20, 20)));
        let option = read_xboard_option("Contempt -combo Both /// *Off /// White").unwrap();
        assert_eq!(option.values, Values::Combo(["Both", "Off", "White"].map(String::from).into()));
        assert_eq!(read_xboard_option("nothing"), None);
    }

    #[test]
    fn the_distance_of_two_names_counts_letters() {
        for (from, to, distance) in [("", "abc", 3), ("hash", "hash", 0), ("hash", "hahs", 2), ("threads", "thread", 1)]
        {
            assert_eq!((edit_distance(from, to), edit_distance(to, from)), (distance, distance));
        }
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(
            line in "(option )?(name )?((type|spin|combo|var|min|max|default|-[a-z]{0,6}|[0-9-]{1,25}|///|\\PC{0,5}) ?){0,12}",
            name in "\\PC{0,6}"
        ) {
            for option in [read_option(&line), read_xboard_option(&line)].into_iter().flatten() {
                let _ = checked("x", &[option], &name, &line);
            }
        }
    }
}
