//! Games as text in the form of PGN: a line for each tag, then numbered rounds of whole written turns.

use std::fmt::Write;

/// The text of a game with its `tags`, its written `turns` and its result, which is `*` while it is played.
pub(crate) fn game_text(tags: &[(&str, String)], turns: &[impl AsRef<str>], result: &str) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{} \"{value}\"]", capitalized(name));
    }
    text.push('\n');
    for (index, round) in turns.chunks(2).enumerate() {
        let turns: Vec<&str> = round.iter().map(AsRef::as_ref).collect();
        let _ = writeln!(text, "{}. {}", index + 1, turns.join(" "));
    }
    let _ = writeln!(text, "{result}");
    text
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_come_first_then_rounds_of_turns_and_the_result() {
        let tags = [("red", "a \"b\" \\c".to_owned()), ("Start", "x".to_owned())];
        let text = game_text(&tags, &["c2c4", "b5b3", "c4c7+"], "red");
        assert_eq!(text, "[Red \"a \\\"b\\\" \\\\c\"]\n[Start \"x\"]\n\n1. c2c4 b5b3\n2. c4c7+\nred\n");
    }
}
