//! The fields of a text, game by game.

use super::super::error::{Located, Problem};
use super::super::{MOST_TURNS, error::shown};

/// The longest value that is read: the moves of the longest game.
const MOST_BYTES: usize = if 4 * MOST_TURNS > 64 << 10 { 4 * MOST_TURNS } else { 64 << 10 };
/// The most fields of a game that are read: each turn may have a comment, each variation is one.
const MOST_FIELDS: usize = 2 * MOST_TURNS;

const MARK: &str = "[DhtmlXQ";
const END_OF_FIELD: &str = "[/DhtmlXQ";

/// Whether a text holds games of this form rather than PGN, where the mark may stand in a comment.
pub(in super::super) fn is_in(text: &str) -> bool {
    let Some(mark) = text.find(MARK) else { return false };
    let before = &text[..mark];
    !before.lines().any(|line| line.starts_with('[') && line.contains(" \"") && line.trim_end().ends_with("\"]"))
}

/// A field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    pub(super) line: usize,
}

/// A game as it stands in a file.
#[derive(Debug, Default)]
pub(in super::super) struct RawGame<'a> {
    pub(super) fields: Vec<Field<'a>>,
    /// What cannot be read, with its line.
    pub(super) error: Option<Located>,
}

impl<'a> RawGame<'a> {
    /// The first field of this name that says something.
    pub(super) fn field(&self, name: &str) -> Option<Field<'a>> {
        self.fields.iter().copied().find(|field| field.name == name && !field.value.is_empty())
    }
}

/// Takes one game after the other from a text.
#[derive(Debug)]
pub(in super::super) struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    pub(in super::super) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text, line: 1 }
    }

    /// The next game; `None` at the end of the text. After an error there is no more.
    pub(in super::super) fn next_game(&mut self) -> Option<RawGame<'a>> {
        let mut game = RawGame::default();
        while let Some(start) = self.rest.find("[") {
            self.advance(start);
            if self.rest.starts_with("[DhtmlXQ]") || self.rest.starts_with("[/DhtmlXQ]") {
                self.advance(MARK.len());
                if !game.fields.is_empty() {
                    return Some(game);
                }
                continue;
            }
            let line = self.line;
            match self.take_field() {
                Ok(Some(field)) if game.fields.len() < MOST_FIELDS => game.fields.push(field),
                Ok(Some(_)) => {
                    let found = MOST_FIELDS + 1;
                    let problem = Problem::TooLong { what: "a game", found, most: MOST_FIELDS, unit: "fields" };
                    return Some(self.stop(game, line, problem));
                }
                Ok(None) => self.advance(1),
                Err(problem) => return Some(self.stop(game, line, problem)),
            }
        }
        (!game.fields.is_empty()).then_some(game)
    }

    fn stop(&mut self, mut game: RawGame<'a>, line: usize, problem: Problem) -> RawGame<'a> {
        self.rest = "";
        game.error = Some((line, problem));
        game
    }

    /// The field that begins here, if one does. Whatever closes first closes it: sites get the name there wrong.
    fn take_field(&mut self) -> Result<Option<Field<'a>>, Problem> {
        let text = self.rest;
        let Some(named) = text.strip_prefix(MARK).and_then(|rest| rest.strip_prefix('_')) else { return Ok(None) };
        let name_end = named.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(named.len());
        let (name, rest) = named.split_at(name_end);
        let Some(inside) = rest.strip_prefix(']') else { return Ok(None) };
        let end = inside.find(END_OF_FIELD).ok_or(Problem::Unclosed("field"))?;
        let value = inside[..end].trim();
        if value.len() > MOST_BYTES || name.len() > MOST_BYTES {
            let (found, most) = (value.len().max(name.len()), MOST_BYTES);
            return Err(Problem::TooLong { what: "a field", found, most, unit: "bytes" });
        }
        let field = Field { name, value, line: self.line };
        let after = &inside[end + END_OF_FIELD.len()..];
        // `[/DhtmlXQ]` closes the game: it is left for the caller to see.
        let closing = if after.starts_with(']') { 0 } else { END_OF_FIELD.len() };
        self.advance(text.len() - inside.len() + end + closing);
        Ok(Some(field))
    }

    fn advance(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
    }
}

/// A value that is not what its field should have.
pub(super) fn bad_field(name: &'static str, value: &str, expected: &'static str) -> Problem {
    Problem::Field { field: name, found: shown(value), expected }
}
