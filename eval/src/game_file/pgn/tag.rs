//! Tag lines, `[Name "value"]`.

use super::super::error::{Problem, shown};

/// The longest value that is read.
pub(super) const MOST_BYTES_OF_TAG: usize = 4 << 10;

/// Reads a tag at the beginning of `text`, and says how long it is. A quote that does not end the tag may stand in the value as it
/// is: not every program writes a backslash before it.
pub(super) fn read(text: &str) -> Result<(&str, String, usize), Problem> {
    let line = text.split('\n').next().unwrap_or_default();
    if line.len() > MOST_BYTES_OF_TAG {
        let (found, most) = (line.len(), MOST_BYTES_OF_TAG);
        return Err(Problem::TooLong { what: "the line of a tag", found, most, unit: "bytes" });
    }
    let malformed = || Problem::Tag(shown(line.trim_end()));
    let inside = line.strip_prefix('[').ok_or_else(malformed)?.trim_start();
    let name_end = inside.find(|c: char| !is_of_name(c)).filter(|&end| end > 0).ok_or_else(malformed)?;
    let (name, rest) = inside.split_at(name_end);
    let quoted = rest.trim_start().strip_prefix('"').ok_or_else(malformed)?;
    let (value, after) = read_value(quoted).ok_or_else(malformed)?;
    Ok((name, value, line.len() - after.len()))
}

/// The value up to the quote before `]`, and what follows that.
fn read_value(quoted: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        let rest = &quoted[at + character.len_utf8()..];
        match (character, rest.as_bytes().first()) {
            ('\\', Some(&escaped @ (b'"' | b'\\'))) => {
                value.push(char::from(escaped));
                characters.next();
            }
            ('"', _) => match rest.trim_start().strip_prefix(']') {
                Some(after) => return Some((value, after)),
                None => value.push('"'),
            },
            _ => value.push(character),
        }
    }
    None
}

/// A tag as a line.
pub(super) fn written(name: &str, value: &str) -> String {
    let name: String = name.chars().filter(|&c| is_of_name(c)).collect();
    let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether a character may be part of a tag's name.
pub(super) fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_as_they_are_written_and_loosely() {
        for value in ["", "a \"b\" \\c", "\\", "\"", "\"]", "杭州"] {
            let line = written("Event", value);
            assert_eq!(read(&line), Ok(("Event", value.to_owned(), line.len() - 1)), "{line}");
        }
        assert_eq!(read("[Event  \"the \"big\" one\" ] [Red \"x\"]"), Ok(("Event", "the \"big\" one".to_owned(), 25)));
        assert_eq!(written("a b", "c\nd"), "[ab \"c d\"]\n");
        for wrong in ["[Event \"x\"", "[Event x]", "[\"x\"]", "[", "[Event \"x]\n\"]"] {
            assert!(matches!(read(wrong), Err(Problem::Tag(_))), "{wrong}");
        }
    }
}
