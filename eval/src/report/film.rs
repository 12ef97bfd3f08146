//! A game of self-play as drawn positions with its turns in writing.

use heng_env::variants::VariantVisitor;
use heng_env::{Action, Notation, Variant};

use super::ReportError;
use super::games::{Game, GamesFile};
use crate::draw::svg::{self, Options, Setting};
use crate::play::table::Table;
use crate::signed::signed;

/// A game that can be looked at.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Film {
    pub(super) iteration: u64,
    pub(super) number: u64,
    /// The result in words.
    pub(super) result: String,
    /// All turns in writing.
    pub(super) turns: Vec<String>,
    /// The positions that are drawn.
    pub(super) frames: Vec<Frame>,
}

/// One drawn position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Frame {
    /// Turns that are left out before it.
    pub(super) skipped: usize,
    /// The board as SVG.
    pub(super) board: String,
    /// The turn that led to it, with its number and side; the start has none.
    pub(super) turn: String,
    /// What the side that played it expected, from -1 to 1.
    pub(super) expected: Option<String>,
}

/// Longer games are shown by their first and last positions.
const FIRST_FRAMES: usize = 4;
const LAST_FRAMES: usize = 8;

/// The film of a game, played again under the rules.
pub(super) fn of_game(variant: &Variant, file: &GamesFile, game: &Game) -> Result<Film, ReportError> {
    variant.dispatch(Projector { file, game })
}

struct Projector<'a> {
    file: &'a GamesFile,
    game: &'a Game,
}

impl VariantVisitor for Projector<'_> {
    type Output = Result<Film, ReportError>;

    fn visit<G: Notation>(self, _variant: &Variant, rules: G::Rules) -> Result<Film, ReportError> {
        let bad = |row: usize, problem| ReportError::Row { path: self.file.path.clone(), row, problem };
        let first_row = self.game.rows.start;
        let start = G::from_fen(&rules, &self.game.fen).map_err(|error| bad(first_row, error.to_string()))?;
        let mut table = Table::new(start.clone());
        let mut frames = vec![frame(&table, String::new(), None)];
        let mut expected = None;
        let mut legal = Vec::new();
        for (row, &(index, value)) in (first_row..).zip(&self.game.steps) {
            let action = Action::new(usize::from(index));
            table.position().legal_actions(&mut legal);
            if !legal.contains(&action) {
                return Err(bad(row, format!("action {index} is not legal in `{}`", table.position().fen())));
            }
            if table.pending().is_empty() {
                expected = value;
            }
            let side = table.position().side_to_act();
            if let Some(turn) = table.play(action) {
                let text = format!("{} {}", G::side_name(side), turn.text);
                frames.push(frame(&table, format!("{}. {text}", frames.len()), expected));
            }
        }
        let count = table.turns().len();
        Ok(Film {
            iteration: self.file.iteration,
            number: self.game.number,
            result: result::<G>(self.game, count),
            turns: table.turns().iter().map(|turn| turn.text.clone()).collect(),
            frames: shortened(frames),
        })
    }
}

fn frame<G: Notation>(table: &Table<G>, turn: String, expected: Option<f32>) -> Frame {
    let last = table.last_traces();
    let options = Options { last: &last, ..Options::new(Setting::Page) };
    let expected = expected.map(signed);
    Frame { skipped: 0, board: svg::board(&table.position().diagram(), &options), turn, expected }
}

fn result<G: Notation>(game: &Game, turns: usize) -> String {
    let names = heng_env::Side::BOTH.map(G::side_name);
    let who = match game.outcome.as_str() {
        "red" => format!("{} wins", names[0]),
        "black" => format!("{} wins", names[1]),
        _ => "a draw".to_owned(),
    };
    format!("{who} ({}) in {turns} turns", game.reason)
}

fn shortened(mut frames: Vec<Frame>) -> Vec<Frame> {
    if frames.len() > FIRST_FRAMES + LAST_FRAMES {
        let skipped = frames.len() - FIRST_FRAMES - LAST_FRAMES;
        frames.drain(FIRST_FRAMES..FIRST_FRAMES + skipped);
        frames[FIRST_FRAMES].skipped = skipped;
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_games_keep_their_beginning_and_end() {
        let frame = |index: usize| Frame { skipped: 0, board: String::new(), turn: index.to_string(), expected: None };
        let short = shortened((0..12).map(frame).collect());
        assert_eq!(short.len(), 12);
        let long = shortened((0..50).map(frame).collect());
        let shown: Vec<&str> = long.iter().map(|frame| frame.turn.as_str()).collect();
        assert_eq!(shown, ["0", "1", "2", "3", "42", "43", "44", "45", "46", "47", "48", "49"]);
        assert_eq!(long[4].skipped, 38);
    }
}
