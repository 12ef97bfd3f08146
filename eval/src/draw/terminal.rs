//! A board as terminal text, aligned whatever the letters and with or without colour.

use clap::ValueEnum;
use console::Style;
use heng_env::Side;
use heng_env::diagram::{self, Diagram, Glyph, Occupant, Square};

use super::{Letters, Trace, file_letter};

/// Whether the text carries colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Letters alone: black's Chinese characters have a `v` before them, the last turn stands in brackets.
    Plain,
    /// ANSI colours for pieces, river, palaces and the last turn.
    Coloured,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Color {
    /// What this means for standard output.
    pub fn ink(self) -> Ink {
        match self {
            Color::Always => Ink::Coloured,
            Color::Auto if console::colors_enabled() => Ink::Coloured,
            Color::Auto | Color::Never => Ink::Plain,
        }
    }
}

/// How a board is written to a terminal.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// What stands for a piece.
    pub letters: Letters,
    /// Whether the text carries colours.
    pub ink: Ink,
    /// The side at the bottom.
    pub view: Side,
    /// What red and black are called.
    pub names: [&'static str; 2],
    /// The steps of the last turn, which are marked.
    pub last: &'a [Trace],
}

/// The board as lines of text, each ended by a line feed, with coordinates, hands and caption.
pub fn board(diagram: &Diagram, options: &Options) -> String {
    let mut text = String::new();
    let cell = Cell { options };
    let files: Vec<usize> = ordered(diagram.files, options.view == Side::Red);
    let header = cell.header(&files);
    push_hand(&mut text, diagram, options.view.other(), &cell);
    text.push_str(&header);
    let ranks = ordered(diagram.ranks, options.view == Side::Black);
    for (index, &rank) in ranks.iter().enumerate() {
        if index > 0 && river_between(diagram, rank, ranks[index - 1]) {
            text.push_str(&cell.river(files.len()));
        }
        text.push_str(&format!("{:>3} ", rank + 1));
        for &file in &files {
            let index = rank * diagram.files + file;
            let marked = options.last.iter().any(|trace| trace.touches(index));
            text.push_str(&cell.square(diagram.squares[index], (rank + file) % 2 == 0, marked));
        }
        text.push_str(&format!(" {}\n", rank + 1));
    }
    text.push_str(&header);
    push_hand(&mut text, diagram, options.view, &cell);
    if !diagram.caption.is_empty() {
        text.push_str(&format!("    {}\n", diagram.caption));
    }
    text
}

fn ordered(count: usize, forward: bool) -> Vec<usize> {
    if forward { (0..count).collect() } else { (0..count).rev().collect() }
}

/// Whether a river without squares of its own runs between two neighbouring ranks.
fn river_between(diagram: &Diagram, rank: usize, other: usize) -> bool {
    match diagram.style {
        diagram::Style::Squares => false,
        diagram::Style::Points { river_after, .. } => rank.max(other) == river_after,
    }
}

fn push_hand(text: &mut String, diagram: &Diagram, side: Side, cell: &Cell) {
    // A captured piece is shown beside the side that has to drop it, or it would look like its owner's to play.
    let place = |glyph: &Glyph| diagram.holder.unwrap_or(glyph.side);
    let held: Vec<Glyph> = diagram.hand.iter().copied().filter(|glyph| place(glyph) == side).collect();
    let Some(first) = held.first() else { return };
    let names = cell.options.names;
    let name = names[side.index()];
    let what = match diagram.holder {
        None => " in hand:".to_owned(),
        Some(holder) if first.side == holder => " holds its own".to_owned(),
        Some(_) => format!(" holds {}'s", names[first.side.index()]),
    };
    let letters: Vec<String> = held.into_iter().map(|glyph| cell.held(glyph)).collect();
    text.push_str(&format!("    {name}{what} {}\n", letters.join(" ")));
}

/// Draws single squares: a body between two columns that the plain text uses for its brackets.
struct Cell<'a> {
    options: &'a Options<'a>,
}

impl Cell<'_> {
    /// Columns of the body alone.
    fn body_width(&self) -> usize {
        match (self.options.letters, self.options.ink) {
            (Letters::Latin, _) => 1,
            (Letters::Chinese, Ink::Coloured) => 2,
            (Letters::Chinese, Ink::Plain) => 3,
        }
    }

    fn header(&self, files: &[usize]) -> String {
        let width = self.body_width();
        let letters: String = files.iter().map(|&file| format!(" {:^width$} ", file_letter(file))).collect();
        format!("    {}\n", letters.trim_end())
    }

    fn river(&self, files: usize) -> String {
        let waves = "~".repeat(files * (self.body_width() + 2));
        match self.options.ink {
            Ink::Plain => format!("    {waves}\n"),
            Ink::Coloured => {
                let style = Style::new().force_styling(true).on_color256(153).color256(67);
                format!("    {}\n", style.apply_to(waves))
            }
        }
    }

    fn square(&self, square: Square, light: bool, marked: bool) -> String {
        let body = match square.occupant {
            Occupant::Empty => pad(".", 1, self.body_width()),
            Occupant::Stone if self.options.letters == Letters::Latin => "*".to_owned(),
            Occupant::Stone => pad("石", 2, self.body_width()),
            Occupant::Piece(glyph) => self.piece(glyph),
        };
        // In letters a promoted piece looks like another but for its `+`.
        let is_promoted = matches!(square.occupant, Occupant::Piece(Glyph { promoted: true, .. }));
        let before = if is_promoted && self.options.letters == Letters::Latin { '+' } else { ' ' };
        match self.options.ink {
            Ink::Plain if marked && before == ' ' => format!("[{body}]"),
            Ink::Plain if marked => format!("{before}{body}]"),
            Ink::Plain => format!("{before}{body} "),
            Ink::Coloured => paint(square, light, marked).apply_to(format!("{before}{body} ")).to_string(),
        }
    }

    /// A piece on the board, as wide as every body.
    fn piece(&self, glyph: Glyph) -> String {
        match (self.options.letters, self.options.ink) {
            (Letters::Latin, _) => latin(glyph).to_string(),
            (Letters::Chinese, Ink::Coloured) => glyph.character.to_string(),
            (Letters::Chinese, Ink::Plain) => format!("{}{}", prefix(glyph.side), glyph.character),
        }
    }

    /// A piece in hand.
    fn held(&self, glyph: Glyph) -> String {
        match self.options.letters {
            Letters::Latin => latin(glyph).to_string(),
            Letters::Chinese => glyph.character.to_string(),
        }
    }
}

fn latin(glyph: Glyph) -> char {
    match glyph.side {
        Side::Red => glyph.letter,
        Side::Black => glyph.letter.to_ascii_lowercase(),
    }
}

/// As diagrams of shogi are written in plain text, whose pieces bear the same characters on both sides.
fn prefix(side: Side) -> char {
    match side {
        Side::Red => ' ',
        Side::Black => 'v',
    }
}

/// `text`, which takes `columns`, on the right of a body of `width` columns.
fn pad(text: &str, columns: usize, width: usize) -> String {
    let left = if columns == 1 { (width - 1) / 2 } else { width - columns };
    format!("{}{text}{}", " ".repeat(left), " ".repeat(width - columns - left))
}

/// Both colours are set everywhere, so that the board looks the same on dark and on light terminals.
fn paint(square: Square, light: bool, marked: bool) -> Style {
    let ground = match square {
        _ if marked => 220,
        Square { palace: true, .. } => 180,
        Square { river: true, .. } => 153,
        _ if light => 230,
        _ => 223,
    };
    let style = Style::new().force_styling(true).on_color256(ground);
    match square.occupant {
        Occupant::Empty => style.color256(137),
        Occupant::Stone => style.color256(60).bold(),
        Occupant::Piece(Glyph { side: Side::Red, .. }) => style.color256(160).bold(),
        Occupant::Piece(_) => style.color256(16).bold(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    fn options(letters: Letters, ink: Ink) -> Options<'static> {
        Options { letters, ink, view: Side::Red, names: ["red", "black"], last: &[] }
    }

    #[test]
    fn a_plain_board_shows_letters_hands_and_the_last_turn() {
        let last = [Trace { from: Some(0), to: 1 }];
        let text = board(&example(), &Options { last: &last, ..options(Letters::Latin, Ink::Plain) });
        let expected = "    black in hand: p p
     a  b  c
  4  p  .  .  4
  3  .  .  .  3
  2  .  *  .  2
  1 [.][R] .  1
     a  b  c
    red in hand: R
    0-0, turn 1, red to drop
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_plain_chinese_board_tells_the_sides_apart() {
        let last = [Trace { from: None, to: 1 }];
        let text = board(&example(), &Options { last: &last, ..options(Letters::Chinese, Ink::Plain) });
        let expected = "    black in hand: 卒 卒
      a    b    c
  4  v卒   .    .   4
  3   .    .    .   3
  2   .    石   .   2
  1   .  [ 车]  .   1
      a    b    c
    red in hand: 车
    0-0, turn 1, red to drop
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_promoted_piece_has_its_plus_in_letters() {
        let mut diagram = example();
        let promoted = Glyph { side: Side::Black, letter: 'P', character: '全', promoted: true };
        diagram.squares[11].occupant = Occupant::Piece(promoted);
        let latin = board(&diagram, &options(Letters::Latin, Ink::Plain));
        assert!(latin.contains("\n  4  p  . +p  4\n"), "{latin}");
        let last = [Trace { from: None, to: 11 }];
        let marked = board(&diagram, &Options { last: &last, ..options(Letters::Latin, Ink::Plain) });
        assert!(marked.contains("\n  4  p  . +p] 4\n"), "{marked}");
        let chinese = board(&diagram, &options(Letters::Chinese, Ink::Plain));
        assert!(chinese.contains("v全  4\n") && !chinese.contains('+'), "{chinese}");
    }

    #[test]
    fn the_river_of_a_board_of_points_runs_between_its_ranks() {
        let style = diagram::Style::Points { river_after: 2, river_names: [""; 2] };
        let diagram = Diagram { style, ..example() };
        for view in Side::BOTH {
            let text = board(&diagram, &Options { view, ..options(Letters::Latin, Ink::Plain) });
            let ranks: Vec<&str> = text.lines().filter(|line| line.contains(['.', '~'])).collect();
            assert_eq!(ranks[2], "    ~~~~~~~~~", "{text}");
            assert_eq!(ranks.len(), 5, "{text}");
        }
    }

    #[test]
    fn black_at_the_bottom_turns_both_axes() {
        let text = board(&example(), &Options { view: Side::Black, ..options(Letters::Latin, Ink::Plain) });
        assert!(text.starts_with("    red in hand: R\n     c  b  a\n  1  .  R  .  1\n"), "{text}");
    }

    #[test]
    fn a_captured_piece_stands_beside_the_side_that_drops_it() {
        let glyph = |side| Glyph { side, letter: 'R', character: '车', promoted: false };
        for (side, line) in [(Side::Black, "red holds black's r"), (Side::Red, "red holds its own R")] {
            let diagram = Diagram { hand: vec![glyph(side)], holder: Some(Side::Red), ..example() };
            let text = board(&diagram, &options(Letters::Latin, Ink::Plain));
            assert!(text.ends_with(&format!("     a  b  c\n    {line}\n    {}\n", diagram.caption)), "{text}");
            assert!(!text.contains("in hand"), "{text}");
        }
    }

    #[test]
    fn every_line_of_the_board_takes_the_same_columns() {
        for letters in [Letters::Latin, Letters::Chinese] {
            for ink in [Ink::Plain, Ink::Coloured] {
                let text = board(&example(), &options(letters, ink));
                let ranks = text.lines().filter(|line| line.trim_start().starts_with(['1', '2', '3', '4']));
                let widths: Vec<usize> = ranks.map(console::measure_text_width).collect();
                assert_eq!(widths, vec![widths[0]; 4], "{text}");
            }
        }
    }

    #[test]
    fn colours_appear_only_when_asked_for() {
        assert!(!board(&example(), &options(Letters::Chinese, Ink::Plain)).contains('\x1b'));
        assert!(board(&example(), &options(Letters::Chinese, Ink::Coloured)).contains("\x1b["));
    }
}
