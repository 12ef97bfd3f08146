//! What stands in the braces behind a turn: `red +0.35, 0.120 s; anything else`.
//!
//! PGN has no way to write `}` in a comment, so a backslash stands for what cannot be written: `\(` and `\)` are the braces,
//! `\\` the backslash. Before any other character a backslash is itself.

use std::fmt::Write;
use std::time::Duration;

use heng_env::Side;
use heng_mcts::value::RedValue;

/// What separates the values from the rest.
const SEPARATOR: char = ';';

/// The longest time that is read, far from overflow: a year.
const MOST_SECONDS: f64 = 366.0 * 86_400.0;

/// What a comment says.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Remark {
    pub(super) value: Option<RedValue>,
    pub(super) time: Option<Duration>,
    pub(super) text: Option<String>,
}

impl Remark {
    /// Reads what stands between the braces.
    pub(super) fn read(text: &str) -> Remark {
        let text = text.trim();
        let (first, rest) = text.split_once(SEPARATOR).map_or((text, None), |(first, rest)| (first, Some(rest)));
        match read_values(first) {
            Some((value, time)) => Remark { value, time, text: rest.and_then(free_text) },
            None => Remark { text: free_text(text), ..Remark::default() },
        }
    }

    /// What several comments on one turn say together.
    pub(super) fn read_all<'a>(comments: impl IntoIterator<Item = &'a str>) -> Remark {
        let mut all = Remark::default();
        for Remark { value, time, text } in comments.into_iter().map(Remark::read) {
            all.value = all.value.or(value);
            all.time = all.time.or(time);
            if let Some(text) = text {
                let before = all.text.get_or_insert_default();
                before.push_str(if before.is_empty() { "" } else { " " });
                before.push_str(&text);
            }
        }
        all
    }

    /// The comment with its braces; nothing if there is nothing to say.
    pub(super) fn written(&self) -> Option<String> {
        let text = self.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let mut values = String::new();
        if let Some(value) = self.value.map(|value| value.for_side(Side::Red)).filter(|value| value.is_finite()) {
            // Adding 0 takes the sign off a value that is rounded to nothing.
            let rounded = (value.clamp(-1.0, 1.0) * 100.0).round() / 100.0 + 0.0;
            let _ = write!(values, "red {rounded:+.2}");
        }
        if let Some(time) = self.time {
            let comma = if values.is_empty() { "" } else { ", " };
            let _ = write!(values, "{comma}{:.3} s", time.as_secs_f64());
        }
        match (values.is_empty(), text) {
            (true, None) => None,
            (false, None) => Some(format!("{{{values}}}")),
            (true, Some(text)) if Remark::read(&escaped(text)).text.as_deref() == Some(text) => {
                Some(format!("{{{}}}", escaped(text)))
            }
            // A text that looks like values is marked as none by the separator before it.
            (_, Some(text)) => Some(format!("{{{values}; {}}}", escaped(text))),
        }
    }
}

fn free_text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| unescaped(text))
}

/// `red +0.35`, `0.120 s`, both with a comma between them, or nothing.
fn read_values(text: &str) -> Option<(Option<RedValue>, Option<Duration>)> {
    let text = text.trim();
    if text.is_empty() {
        return Some((None, None));
    }
    let (first, second) = text.split_once(',').map_or((text, None), |(first, second)| (first, Some(second)));
    match (read_value(first), second) {
        (Some(value), None) => Some((Some(value), None)),
        (Some(value), Some(second)) => Some((Some(value), Some(read_time(second)?))),
        (None, None) => Some((None, Some(read_time(first)?))),
        (None, Some(_)) => None,
    }
}

fn read_value(text: &str) -> Option<RedValue> {
    let number: f32 = text.trim().strip_prefix("red ")?.parse().ok()?;
    (-1.0..=1.0).contains(&number).then(|| RedValue::from_side(number, Side::Red))
}

fn read_time(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().strip_suffix('s')?.trim().parse().ok()?;
    (0.0..=MOST_SECONDS).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('{', "\\(").replace('}', "\\)")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let meant = match (character, rest.as_str().chars().next()) {
            ('\\', Some('\\')) => '\\',
            ('\\', Some('(')) => '{',
            ('\\', Some(')')) => '}',
            _ => {
                plain.push(character);
                continue;
            }
        };
        plain.push(meant);
        rest.next();
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_first_and_the_rest_is_text() {
        let value = |number| Some(RedValue::from_side(number, Side::Red));
        let time = Some(Duration::from_millis(120));
        let text = |text: &str| Some(text.to_owned());
        for (written, remark) in [
            ("{red +0.35, 0.120 s}", Remark { value: value(0.35), time, text: None }),
            ("{red -1.00}", Remark { value: value(-1.0), time: None, text: None }),
            ("{0.120 s; good}", Remark { value: None, time, text: text("good") }),
            ("{red +0.35; a; b}", Remark { value: value(0.35), time: None, text: text("a; b") }),
            ("{red is better}", Remark { text: text("red is better"), ..Remark::default() }),
            ("{; 3 s}", Remark { text: text("3 s"), ..Remark::default() }),
            ("{; ; x}", Remark { text: text("; x"), ..Remark::default() }),
            ("{\\(\\)\\\\(}", Remark { text: text("{}\\("), ..Remark::default() }),
        ] {
            assert_eq!(remark.written().as_deref(), Some(written));
            assert_eq!(Remark::read(&written[1..written.len() - 1]), remark, "{written}");
        }
        let nearly_even = Remark { value: value(-0.001), ..Remark::default() };
        assert_eq!(nearly_even.written().as_deref(), Some("{red +0.00}"));
        assert_eq!(Remark::default().written(), None);
        assert_eq!(Remark::read("red +7"), Remark { text: text("red +7"), ..Remark::default() });
        assert_eq!(Remark::read("C:\\new"), Remark { text: text("C:\\new"), ..Remark::default() });
    }
}
