//! The parts of a PGN file: tags, turns with their comments, results. Nothing is played here.

use super::super::MOST_TURNS;
use super::super::error::{Located, Problem};
use super::super::replay::Word;
use super::super::result::GameResult;
use super::tag;

/// The longest word that is read: the chain of a pawn that visits every square is shorter.
const MOST_BYTES_OF_WORD: usize = 256;
/// The longest comment that is read.
const MOST_BYTES_OF_COMMENT: usize = 64 << 10;
/// The most tags of a game that are read.
const MOST_TAGS: usize = 256;
/// The deepest nesting of variations that is skipped.
const MOST_NESTING: usize = 256;
/// The most words of a game that are read: no turn has more steps than a return, a move and a drop, or four placements.
const MOST_WORDS: usize = 4 * MOST_TURNS;

/// A game as it stands in a file.
#[derive(Debug, Default)]
pub(in super::super) struct RawGame<'a> {
    /// Name, value and line.
    pub(super) tags: Vec<(&'a str, String, usize)>,
    /// Comments before the first turn.
    pub(super) comments: Vec<&'a str>,
    pub(super) words: Vec<Word<'a>>,
    /// The result behind the turns.
    pub(super) result: Option<GameResult>,
    /// What cannot be read, with its line.
    pub(super) error: Option<Located>,
}

impl RawGame<'_> {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.words.is_empty() && self.error.is_none()
    }
}

/// Takes one game after the other from a text.
#[derive(Debug)]
pub(in super::super) struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    /// How many variations are open.
    nesting: usize,
    /// The line where the outermost of them begins.
    variation_line: usize,
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoesOn,
    Ends,
}

impl<'a> Scanner<'a> {
    pub(in super::super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text, line: 1, nesting: 0, variation_line: 0 }
    }

    /// The next game; `None` at the end of the text. After an error there is no more.
    pub(in super::super) fn next_game(&mut self) -> Option<RawGame<'a>> {
        loop {
            let mut game = RawGame::default();
            let ended = loop {
                match self.next_part(&mut game) {
                    Ok(Some(Flow::GoesOn)) => {}
                    Ok(Some(Flow::Ends)) => break false,
                    Ok(None) => break true,
                    Err((line, problem)) => {
                        game.error = Some((line, problem));
                        self.rest = "";
                        break true;
                    }
                }
            };
            if !game.is_empty() {
                return Some(game);
            }
            if ended {
                return None;
            }
        }
    }

    /// Reads one part of a game; `None` at the end of the text.
    fn next_part(&mut self, game: &mut RawGame<'a>) -> Result<Option<Flow>, Located> {
        let has_blank_line = self.skip_blanks();
        let Some(first) = self.rest.chars().next() else {
            return match self.nesting {
                0 => Ok(None),
                _ => Err((self.variation_line, Problem::Unclosed("variation"))),
            };
        };
        let line = self.line;
        let flow = match first {
            '[' if self.nesting == 0 => self.take_tag(game, has_blank_line),
            '{' => self.take_comment(game).map(|()| Flow::GoesOn),
            ';' => self.take_rest_of_line(game).map(|()| Flow::GoesOn),
            '(' | ')' => self.take_bracket(first).map(|()| Flow::GoesOn),
            '}' => Err(Problem::Unopened(first)),
            '[' | ']' if self.nesting > 0 => {
                self.advance(1);
                Ok(Flow::GoesOn)
            }
            ']' => Err(Problem::Unopened(first)),
            _ => self.take_word(game),
        };
        flow.map(Some).map_err(|problem| (line, problem))
    }

    /// Skips white space and lines that begin with `%`, and says whether an empty line was among them.
    fn skip_blanks(&mut self) -> bool {
        let mut line_ends = 0;
        let mut is_line_start = self.line == 1;
        loop {
            let blank = self.rest.len() - self.rest.trim_start_matches(is_blank).len();
            let ends = self.rest[..blank].matches('\n').count();
            is_line_start = self.rest[..blank].ends_with('\n') || (blank == 0 && is_line_start);
            line_ends += ends;
            self.advance(blank);
            if !(is_line_start && self.rest.starts_with('%')) {
                return line_ends > 1;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(end);
            is_line_start = false;
        }
    }

    /// A tag; one behind turns, or one that comes again after an empty line, begins the next game.
    fn take_tag(&mut self, game: &mut RawGame<'a>, has_blank_line: bool) -> Result<Flow, Problem> {
        if !game.words.is_empty() {
            return Ok(Flow::Ends);
        }
        let text = self.rest;
        let (name, value, length) = tag::read(text)?;
        let is_known = game.tags.iter().any(|(known, _, _)| known.eq_ignore_ascii_case(name));
        if is_known && has_blank_line {
            return Ok(Flow::Ends);
        }
        if game.tags.len() == MOST_TAGS {
            let found = MOST_TAGS + 1;
            return Err(Problem::TooLong { what: "a game", found, most: MOST_TAGS, unit: "tags" });
        }
        if !is_known {
            game.tags.push((name, value, self.line));
        }
        self.advance(length);
        Ok(Flow::GoesOn)
    }

    fn take_comment(&mut self, game: &mut RawGame<'a>) -> Result<(), Problem> {
        let text = self.rest;
        let end = text.find('}').ok_or(Problem::Unclosed("comment"))?;
        self.keep_comment(game, &text[1..end])?;
        self.advance(end + 1);
        Ok(())
    }

    fn take_rest_of_line(&mut self, game: &mut RawGame<'a>) -> Result<(), Problem> {
        let text = self.rest;
        let end = text.find('\n').unwrap_or(text.len());
        self.keep_comment(game, &text[1..end])?;
        self.advance(end);
        Ok(())
    }

    fn keep_comment(&self, game: &mut RawGame<'a>, text: &'a str) -> Result<(), Problem> {
        if text.len() > MOST_BYTES_OF_COMMENT {
            let (found, most) = (text.len(), MOST_BYTES_OF_COMMENT);
            return Err(Problem::TooLong { what: "a comment", found, most, unit: "bytes" });
        }
        if self.nesting == 0 && !text.trim().is_empty() {
            let comments = game.words.last_mut().map_or(&mut game.comments, |word| &mut word.comments);
            comments.push(text);
        }
        Ok(())
    }

    fn take_bracket(&mut self, bracket: char) -> Result<(), Problem> {
        match (bracket, self.nesting) {
            ('(', MOST_NESTING) => {
                let found = MOST_NESTING + 1;
                return Err(Problem::TooLong { what: "a nesting", found, most: MOST_NESTING, unit: "variations" });
            }
            ('(', 0) => (self.nesting, self.variation_line) = (1, self.line),
            ('(', _) => self.nesting += 1,
            (_, 0) => return Err(Problem::Unopened(bracket)),
            _ => self.nesting -= 1,
        }
        self.advance(1);
        Ok(())
    }

    /// A turn, a number, a mark or a result.
    fn take_word(&mut self, game: &mut RawGame<'a>) -> Result<Flow, Problem> {
        let text = self.rest;
        let end = text.find(ends_word).unwrap_or(text.len());
        let word = &text[..end];
        if word.len() > MOST_BYTES_OF_WORD {
            let (found, most) = (word.len(), MOST_BYTES_OF_WORD);
            return Err(Problem::TooLong { what: "a word", found, most, unit: "bytes" });
        }
        let line = self.line;
        self.advance(end);
        if self.nesting > 0 {
            return Ok(Flow::GoesOn);
        }
        if let Some(result) = GameResult::from_word(word) {
            game.result = Some(result);
            return Ok(Flow::Ends);
        }
        let turn = without_marks(word);
        if turn.is_empty() {
            return Ok(Flow::GoesOn);
        }
        if game.words.len() == MOST_WORDS {
            let found = MOST_WORDS + 1;
            return Err(Problem::TooLong { what: "a game", found, most: MOST_WORDS, unit: "words" });
        }
        game.words.push(Word { text: turn, line, comments: Vec::new() });
        Ok(Flow::GoesOn)
    }

    fn advance(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
    }
}

/// White space, and what Chinese pages put between moves.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '，' | '；' | '。' | '、')
}

fn ends_word(character: char) -> bool {
    is_blank(character) || matches!(character, '{' | '}' | '(' | ')' | ';' | '[' | ']')
}

/// The turn in a word, without the number before it and the marks behind it; empty if the word is nothing else.
fn without_marks(word: &str) -> &str {
    if word.starts_with('$') {
        return "";
    }
    without_number(word).trim_end_matches(['!', '?', '！', '？'])
}

/// Strips `12.`, `12...`, `12．`, and whole words of digits or dots. `14.5` is the move of a soldier in WXF.
fn without_number(word: &str) -> &str {
    let is_digit = |c: char| matches!(c, '0'..='9' | '０'..='９');
    let is_dot = |c: char| matches!(c, '.' | '．' | '。' | '、' | '…' | '⋯');
    let behind_digits = word.trim_start_matches(is_digit);
    let behind_dots = behind_digits.trim_start_matches(is_dot);
    let is_soldier = behind_dots.len() == 1 && behind_dots.as_bytes()[0].is_ascii_digit();
    match behind_digits.is_empty() || (behind_dots.len() < behind_digits.len() && !is_soldier) {
        true => behind_dots,
        false => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_marks_are_no_part_of_a_turn() {
        for (word, turn) in [
            ("1.", ""),
            ("1...", ""),
            ("1", ""),
            ("…………", ""),
            ("1.h2e2", "h2e2"),
            ("12...h9g7!?", "h9g7"),
            ("１．炮二平五", "炮二平五"),
            ("1、炮二平五！", "炮二平五"),
            ("$14", ""),
            ("!!", ""),
            ("14.5", "14.5"),
            ("3+=5", "3+=5"),
            ("a9c7e5+", "a9c7e5+"),
        ] {
            assert_eq!(without_marks(word), turn, "{word}");
        }
    }
}
