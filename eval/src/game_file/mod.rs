//! Games as files: PGN with the tags of every variant, and the DhtmlXQ blocks of Xiangqi sites.
//!
//! A [`SavedGame`] has been played by the rules, whoever made it: its turns are steps that are legal one after the other. So
//! every form of writing can be made from it without failing. `docs/formats.md` describes the files.

mod build;
mod comment;
mod dhtmlxq;
mod encoding;
mod error;
mod pgn;
mod replay;
mod result;

use std::time::Duration;

use heng_env::{Action, Variant};
use heng_mcts::value::RedValue;

pub use build::IllegalStep;
pub use dhtmlxq::{NotXiangqi, write_dhtmlxq};
use error::Located;
pub use error::{Problem, ReadError};
pub use heng_env::variants::xiangqi::notation::Form;
pub use pgn::write_pgn;
pub(crate) use replay::written_turns;
pub use result::GameResult;

/// The largest file that is read: a hundred thousand games of usual length.
pub const MOST_BYTES: usize = 64 << 20;

/// The most turns of one game that are read: more than the rules of any variant allow by default.
pub const MOST_TURNS: usize = 10_000;

/// The most games that are held at once. [`Games`] reads any number, one after the other.
pub const MOST_GAMES: usize = 250_000;

/// The termination of a game that was not played to its end.
pub const UNFINISHED: &str = "unfinished";

/// A game with all that is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedGame {
    variant: Variant,
    start: String,
    turns: Vec<SavedTurn>,
    /// Names and values in their order, but for what the other fields say.
    pub tags: Vec<(String, String)>,
    /// What is said of the start.
    pub comment: Option<String>,
    /// Who won.
    pub result: GameResult,
    /// Why the game is over: a name of [`heng_env::Reason`], or another word such as `time-forfeit`, `crash`,
    /// `illegal-move`, `resignation` or `unfinished`. Unknown where a file does not say.
    pub termination: Option<String>,
}

/// A turn of a saved game.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedTurn {
    text: String,
    steps: Vec<Action>,
    /// The result that whoever played it expected.
    pub value: Option<RedValue>,
    /// How long it took to decide.
    pub time: Option<Duration>,
    /// What else is said of it.
    pub comment: Option<String>,
}

impl SavedGame {
    /// The variant with its settings.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The text of the start position.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The turns, of which the last may be incomplete.
    pub fn turns(&self) -> &[SavedTurn] {
        &self.turns
    }

    /// The turns, to say more about them.
    pub fn turns_mut(&mut self) -> &mut [SavedTurn] {
        &mut self.turns
    }

    /// The value of a tag. Capitals make no difference.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, which goes behind the others if it is new.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(found, _)| found.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }
}

impl SavedTurn {
    /// The turn as [`heng_env::Notation::turn_text`] writes it; one that is not complete as its steps with spaces between
    /// them.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its steps, each as an index of the side that decides.
    pub fn steps(&self) -> &[Action] {
        &self.steps
    }
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its games up to the error. The one that is wrong ends with its last good turn.
    pub games: Vec<SavedGame>,
    /// What is wrong with the file.
    pub error: Option<ReadError>,
}

/// Reads every game of a file, PGN or DhtmlXQ, in UTF-8, GBK or GB18030. Games that name no variant are of `default_variant`.
pub fn read_games(contents: &[u8], default_variant: &Variant) -> Reading {
    let text = encoding::decode(contents);
    let mut reading = Reading { games: Vec::new(), error: None };
    for game in Games::new(&text, default_variant) {
        match game {
            Ok(_) if reading.games.len() == MOST_GAMES => {
                reading.error = Some(ReadError { line: 0, game: MOST_GAMES + 1, problem: Problem::TooManyGames });
                break;
            }
            Ok(game) => reading.games.push(game),
            Err(error) => reading.error = Some(error),
        }
    }
    reading
}

/// The contents of a file as text, decoded once for [`Games`].
#[derive(Clone, Debug)]
pub struct FileText {
    text: String,
    /// The line where it stops being text.
    broken_at: Option<usize>,
}

impl FileText {
    /// Decodes UTF-8, GBK or GB18030.
    pub fn of(contents: &[u8]) -> FileText {
        encoding::decode(contents)
    }
}

/// The games of a file one by one, so that only one of them is in memory. An error is the last thing that comes; the game that
/// it is about comes before it, up to its last good turn.
#[derive(Debug)]
pub struct Games<'a> {
    source: Source<'a>,
    default_variant: &'a Variant,
    broken_at: Option<usize>,
    /// Games so far.
    count: usize,
    error: Option<ReadError>,
    is_done: bool,
}

#[derive(Debug)]
enum Source<'a> {
    Pgn(pgn::Scanner<'a>),
    Dhtmlxq(dhtmlxq::Scanner<'a>),
}

impl<'a> Games<'a> {
    /// The games of `text`.
    pub fn new(text: &'a FileText, default_variant: &'a Variant) -> Games<'a> {
        let source = match dhtmlxq::is_in(&text.text) {
            true => Source::Dhtmlxq(dhtmlxq::Scanner::new(&text.text)),
            false => Source::Pgn(pgn::Scanner::new(&text.text)),
        };
        Games { source, default_variant, broken_at: text.broken_at, count: 0, error: None, is_done: false }
    }

    /// The next game, with what is wrong with it.
    fn read_one(&mut self) -> Option<(Option<SavedGame>, Option<Located>)> {
        let variant = self.default_variant;
        match &mut self.source {
            Source::Pgn(scanner) => scanner.next_game().map(|game| pgn::build(game, variant)),
            Source::Dhtmlxq(scanner) => scanner.next_game().map(|game| dhtmlxq::build(game, variant)),
        }
    }
}

impl Iterator for Games<'_> {
    type Item = Result<SavedGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        if self.is_done {
            return None;
        }
        let read = self.read_one();
        let number = self.count + 1;
        let (game, wrong) = match read {
            Some(read) => read,
            None => (None, self.broken_at.map(|line| (line, Problem::Encoding))),
        };
        self.count += usize::from(game.is_some());
        self.is_done = game.is_none() || wrong.is_some();
        self.error = wrong.map(|(line, problem)| ReadError { line, game: number, problem });
        match game {
            Some(game) => Some(Ok(game)),
            None => self.error.take().map(Err),
        }
    }
}

#[cfg(test)]
mod tests;
