//! Games as PGN.

use heng_env::Side;

use super::super::comment::Remark;
use super::super::replay::is_standard_start;
use super::super::{Form, SavedGame, SavedTurn, written_turns};
use super::tag;

/// The tags before the result: always written, but for the place, and in this order.
pub(super) const LEADING: [&str; 6] = ["Event", "Site", "Date", "Round", "Red", "Black"];

/// The tags that the fields of a game say.
const FROM_FIELDS: [&str; 8] = ["Result", "Variant", "Game", "Format", "FEN", "SetUp", "Termination", "Start"];

/// The columns that a line of turns fills.
const WIDTH: usize = 90;

/// The game as PGN. Moves of Xiangqi are written in `form`, turns of other variants as [`heng_env::Notation::turn_text`] has them.
pub fn write_pgn(game: &SavedGame, form: Form) -> String {
    let mut text = tags(game, form);
    text.push('\n');
    let mut lines = Lines::default();
    let start = Remark { text: game.comment.clone(), ..Remark::default() };
    if let Some(comment) = start.written() {
        lines.add(&comment);
    }
    let mut needs_number = true;
    for (turn, written) in game.turns.iter().zip(written_turns(game, form)) {
        match written.side {
            Side::Red => lines.add(&format!("{}.", written.round)),
            Side::Black if needs_number => lines.add(&format!("{}...", written.round)),
            Side::Black => {}
        }
        written.text.split(' ').for_each(|word| lines.add(word));
        let comment = remark(turn).written();
        needs_number = comment.is_some();
        if let Some(comment) = comment {
            lines.add(&comment);
        }
    }
    lines.add(game.result.text());
    text.push_str(&lines.text);
    text.push('\n');
    text
}

pub(in super::super) fn remark(turn: &SavedTurn) -> Remark {
    Remark { value: turn.value, time: turn.time, text: turn.comment.clone() }
}

fn tags(game: &SavedGame, form: Form) -> String {
    let is_xiangqi = game.variant.name() == "xiangqi";
    let mut text = String::new();
    let mut add = |name: &str, value: &str| text.push_str(&tag::written(name, value));
    if is_xiangqi {
        add("Game", "Chinese Chess");
    }
    for name in LEADING {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        match game.tag(name) {
            None if name == "Site" => {}
            value => add(name, value.unwrap_or(unknown)),
        }
    }
    add("Result", game.result.text());
    add("Variant", &game.variant.to_string());
    if is_xiangqi {
        add("Format", format_name(form));
    }
    if !is_standard_start(&game.variant, &game.start) {
        add("SetUp", "1");
    }
    add("FEN", &game.start);
    if let Some(termination) = &game.termination {
        add("Termination", termination);
    }
    let is_written = |name: &str| LEADING.iter().chain(&FROM_FIELDS).any(|known| known.eq_ignore_ascii_case(name));
    for (name, value) in game.tags.iter().filter(|(name, _)| name.contains(tag::is_of_name) && !is_written(name)) {
        add(name, value);
    }
    text
}

const fn format_name(form: Form) -> &'static str {
    match form {
        Form::Simplified | Form::Traditional => "Chinese",
        Form::Wxf => "WXF",
        Form::Iccs => "ICCS",
        Form::Uci => "UCI",
    }
}

/// Words in lines.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    /// Adds a word, or a comment, which is not broken.
    fn add(&mut self, word: &str) {
        let width = console::measure_text_width(word.split('\n').next_back().unwrap_or_default());
        let first = if word.contains('\n') { WIDTH } else { width };
        if self.column > 0 {
            let fits = self.column + 1 + first <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column = if word.contains('\n') { width } else { self.column + width };
    }
}
