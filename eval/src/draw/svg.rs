//! A board as SVG: one drawing that stands alone as a file or sits in a page.

use std::fmt::Write;

use heng_env::Side;
use heng_env::diagram::{Diagram, Glyph, Occupant, Square, Style};

use super::{Letters, Trace, file_letter};

/// The style sheet of all boards. A file carries it; a page of many boards includes it once.
pub const STYLE_SHEET: &str = "\
.board{font-family:'Noto Serif CJK SC','Source Han Serif SC','Songti SC','STSong','SimSun',serif}\
.board .edge{fill:#efdcb6;stroke:#8a6a3f;stroke-width:1.5}\
.board .light{fill:#f7ead0}.board .dark{fill:#efdcb6}\
.board .river{fill:#c9dfe8}.board .palace{fill:#e3bf8a}\
.board .cross,.board .line{stroke:#a98450;stroke-width:1;fill:none}.board .line{stroke:#7d5f38}\
.board .last{fill:#f2c230;fill-opacity:.55}.board .heat{fill:#7a1fa2}\
.board .arrow{stroke:#3d6b1f;stroke-width:4;stroke-opacity:.7;stroke-linecap:round}\
.board .head{fill:#3d6b1f;fill-opacity:.8}\
.board .stone{fill:#7f8f98;stroke:#5b6970;stroke-width:1.2}.board .shine{fill:#b4c1c8}\
.board .red{fill:#b5271f}.board .black{fill:#25282d}.board .rim{fill:none;stroke:#f8e7c6;stroke-width:1.2}\
.board .glyph{fill:#fdf3dd;text-anchor:middle;font-weight:600}\
.board .name{fill:#5d7d8a;font-size:22px;letter-spacing:12px;text-anchor:middle}\
.board .label{fill:#7d5f38;font:11px system-ui,sans-serif;text-anchor:middle}";

/// Where the drawing will live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A file of its own, with namespace and style sheet.
    File,
    /// A page that includes [`STYLE_SHEET`] itself.
    Page,
}

/// How a board is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Where the drawing will live.
    pub setting: Setting,
    /// What stands for a piece.
    pub letters: Letters,
    /// The side at the bottom.
    pub view: Side,
    /// The steps of the last turn, drawn as tinted squares and arrows.
    pub last: &'a [Trace],
    /// A weight from 0 to 1 for each square from a1, drawn as a tint; empty for none.
    pub heat: &'a [f32],
}

impl Options<'_> {
    /// Chinese characters, red at the bottom and nothing marked.
    pub const fn new(setting: Setting) -> Options<'static> {
        Options { setting, letters: Letters::Chinese, view: Side::Red, last: &[], heat: &[] }
    }
}

/// Side of a square and distance of neighbouring points, in user units.
const CELL: f32 = 40.0;
/// Room for coordinates around the board.
const MARGIN: f32 = 22.0;
/// Height of a row of pieces in hand.
const HAND: f32 = 34.0;

/// The board as one `<svg>` element, described by the diagram's caption.
pub fn board(diagram: &Diagram, options: &Options) -> String {
    let mut canvas = Canvas::new(diagram, options);
    canvas.open();
    match diagram.style {
        Style::Squares => canvas.squares(),
        Style::Points { river_after, river_names } => canvas.points(river_after, river_names),
    }
    canvas.overlays();
    canvas.labels();
    canvas.occupants();
    canvas.arrows();
    canvas.hands();
    canvas.out.push_str("</svg>\n");
    canvas.out
}

struct Canvas<'a> {
    diagram: &'a Diagram,
    options: &'a Options<'a>,
    /// Height of the hand above the board.
    top: f32,
    out: String,
}

/// Writes to a string, which cannot fail.
macro_rules! put {
    ($canvas:expr, $($arg:tt)*) => { let _ = write!($canvas.out, $($arg)*); };
}

impl<'a> Canvas<'a> {
    fn new(diagram: &'a Diagram, options: &'a Options<'a>) -> Canvas<'a> {
        let top = if diagram.hand.iter().any(|glyph| glyph.side != options.view) { HAND } else { 0.0 };
        Canvas { diagram, options, top, out: String::with_capacity(8192) }
    }

    fn open(&mut self) {
        let below = if self.diagram.hand.iter().any(|glyph| glyph.side == self.options.view) { HAND } else { 0.0 };
        let width = self.diagram.files as f32 * CELL + 2.0 * MARGIN;
        let height = self.diagram.ranks as f32 * CELL + 2.0 * MARGIN + self.top + below;
        let caption = escape(&self.diagram.caption);
        let namespace = match self.options.setting {
            Setting::File => format!(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\""),
            Setting::Page => String::new(),
        };
        put!(self, "<svg{namespace} class=\"board\" viewBox=\"0 0 {width} {height}\" role=\"img\" ");
        put!(self, "aria-label=\"{caption}\">");
        if self.options.setting == Setting::File {
            put!(self, "<title>{caption}</title><style>{STYLE_SHEET}</style>");
        }
        let (board_width, board_height) = (self.diagram.files as f32 * CELL, self.diagram.ranks as f32 * CELL);
        let (x, y) = (MARGIN, MARGIN + self.top);
        put!(self, "<rect class=\"edge\" x=\"{x}\" y=\"{y}\" width=\"{board_width}\" height=\"{board_height}\"/>");
    }

    /// The middle of a square, counted from a1.
    fn centre(&self, square: usize) -> (f32, f32) {
        let (file, rank) = (square % self.diagram.files, square / self.diagram.files);
        let (column, row) = match self.options.view {
            Side::Red => (file, self.diagram.ranks - 1 - rank),
            Side::Black => (self.diagram.files - 1 - file, rank),
        };
        ((column as f32 + 0.5) * CELL + MARGIN, (row as f32 + 0.5) * CELL + MARGIN + self.top)
    }

    /// Fills a whole square.
    fn tile(&mut self, square: usize, attributes: &str) {
        let (x, y) = self.centre(square);
        let (left, top) = (x - CELL / 2.0, y - CELL / 2.0);
        put!(self, "<rect {attributes} x=\"{left}\" y=\"{top}\" width=\"{CELL}\" height=\"{CELL}\"/>");
    }

    fn squares(&mut self) {
        for index in 0..self.diagram.squares.len() {
            let light = (index % self.diagram.files + index / self.diagram.files) % 2 == 1;
            let class = match self.diagram.squares[index] {
                Square { palace: true, .. } => "palace",
                Square { river: true, .. } => "river",
                _ if light => "light",
                _ => "dark",
            };
            self.tile(index, &format!("class=\"{class}\""));
        }
        self.palace_crosses(CELL / 2.0);
    }

    fn points(&mut self, river_after: usize, river_names: [&str; 2]) {
        let (files, ranks) = (self.diagram.files, self.diagram.ranks);
        self.river(river_after, river_names);
        for rank in 0..ranks {
            self.line("line", rank * files, rank * files + files - 1);
        }
        for file in 0..files {
            if file == 0 || file == files - 1 {
                self.line("line", file, (ranks - 1) * files + file);
            } else {
                self.line("line", file, (river_after - 1) * files + file);
                self.line("line", river_after * files + file, (ranks - 1) * files + file);
            }
        }
        self.palace_crosses(0.0);
    }

    /// The gap between two ranks, with its names.
    fn river(&mut self, river_after: usize, names: [&str; 2]) {
        let last = self.diagram.files - 1;
        let ((x1, y1), (x2, y2)) =
            (self.centre((river_after - 1) * self.diagram.files), self.centre(river_after * self.diagram.files + last));
        let (left, top, width, height) = (x1.min(x2), y1.min(y2), (x2 - x1).abs(), (y2 - y1).abs());
        put!(self, "<rect class=\"river\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>");
        for (name, part) in names.into_iter().zip([0.25, 0.75]).filter(|(name, _)| !name.is_empty()) {
            let (x, y) = (left + width * part, top + height * 0.68);
            put!(self, "<text class=\"name\" x=\"{x}\" y=\"{y:.1}\">{name}</text>");
        }
    }

    fn line(&mut self, class: &str, from: usize, to: usize) {
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
        put!(self, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// The two diagonals of each palace, from corner to corner of its outline, `reach` beyond its outer centres.
    fn palace_crosses(&mut self, reach: f32) {
        let middle = self.diagram.squares.len() / 2;
        for range in [0..middle, middle..self.diagram.squares.len()] {
            let centres: Vec<_> =
                range.filter(|&index| self.diagram.squares[index].palace).map(|index| self.centre(index)).collect();
            let Some(&first) = centres.first() else { continue };
            let (left, top) = centres.iter().fold(first, |(x, y), &(px, py)| (x.min(px), y.min(py)));
            let (right, bottom) = centres.iter().fold(first, |(x, y), &(px, py)| (x.max(px), y.max(py)));
            let (left, top, right, bottom) = (left - reach, top - reach, right + reach, bottom + reach);
            put!(self, "<path class=\"cross\" d=\"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}");
            put!(self, "M{left} {top}H{right}V{bottom}H{left}Z\"/>");
        }
    }

    fn overlays(&mut self) {
        for (index, &weight) in self.options.heat.iter().take(self.diagram.squares.len()).enumerate() {
            if weight > 0.0 {
                let opacity = weight.min(1.0) * 0.8;
                self.tile(index, &format!("class=\"heat\" fill-opacity=\"{opacity:.3}\""));
            }
        }
        for index in 0..self.diagram.squares.len() {
            if self.options.last.iter().any(|trace| trace.touches(index)) {
                self.tile(index, "class=\"last\"");
            }
        }
    }

    fn labels(&mut self) {
        let bottom = self.diagram.ranks as f32 * CELL + MARGIN + self.top;
        for file in 0..self.diagram.files {
            let ((x, _), letter) = (self.centre(file), file_letter(file));
            for y in [self.top + MARGIN - 7.0, bottom + 15.0] {
                put!(self, "<text class=\"label\" x=\"{x}\" y=\"{y}\">{letter}</text>");
            }
        }
        let right = self.diagram.files as f32 * CELL + MARGIN * 1.5;
        for rank in 0..self.diagram.ranks {
            let (y, number) = (self.centre(rank * self.diagram.files).1 + 4.0, rank + 1);
            for x in [MARGIN / 2.0, right] {
                put!(self, "<text class=\"label\" x=\"{x}\" y=\"{y}\">{number}</text>");
            }
        }
    }

    fn occupants(&mut self) {
        for index in 0..self.diagram.squares.len() {
            let (x, y) = self.centre(index);
            match self.diagram.squares[index].occupant {
                Occupant::Empty => {}
                Occupant::Stone => {
                    put!(self, "<ellipse class=\"stone\" cx=\"{x}\" cy=\"{y}\" rx=\"13\" ry=\"11\"/>");
                    let (shine_x, shine_y) = (x - 4.0, y - 4.0);
                    put!(self, "<ellipse class=\"shine\" cx=\"{shine_x}\" cy=\"{shine_y}\" rx=\"4\" ry=\"2.5\"/>");
                }
                Occupant::Piece(glyph) => self.disc(glyph, x, y, 16.5),
            }
        }
    }

    fn disc(&mut self, glyph: Glyph, x: f32, y: f32, radius: f32) {
        let class = match glyph.side {
            Side::Red => "red",
            Side::Black => "black",
        };
        let text = match self.options.letters {
            Letters::Latin if glyph.promoted => format!("+{}", glyph.letter),
            Letters::Latin => glyph.letter.to_string(),
            Letters::Chinese => glyph.character.to_string(),
        };
        let (rim, size, baseline) = (radius - 2.5, radius * 1.2, y + radius * 0.42);
        put!(self, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
        put!(self, "<circle class=\"rim\" cx=\"{x}\" cy=\"{y}\" r=\"{rim}\"/>");
        let text = escape(&text);
        put!(self, "<text class=\"glyph\" x=\"{x}\" y=\"{baseline:.1}\" font-size=\"{size:.1}\">{text}</text>");
    }

    fn arrows(&mut self) {
        for trace in self.options.last {
            let Some(from) = trace.from.filter(|&from| from != trace.to) else { continue };
            let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(trace.to));
            let length = (x2 - x1).hypot(y2 - y1);
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            // From the middle of the square that was left to the rim of the piece that arrived.
            let (tip_x, tip_y) = (x2 - dx * 14.0, y2 - dy * 14.0);
            let (base_x, base_y) = (tip_x - dx * 10.0, tip_y - dy * 10.0);
            let (left_x, left_y) = (base_x - dy * 6.0, base_y + dx * 6.0);
            let (right_x, right_y) = (base_x + dy * 6.0, base_y - dx * 6.0);
            put!(self, "<path class=\"arrow\" d=\"M{x1:.1} {y1:.1}L{base_x:.1} {base_y:.1}\"/>");
            put!(self, "<path class=\"head\" d=\"M{tip_x:.1} {tip_y:.1}L{left_x:.1} {left_y:.1}");
            put!(self, "L{right_x:.1} {right_y:.1}Z\"/>");
        }
    }

    fn hands(&mut self) {
        let below = self.diagram.ranks as f32 * CELL + 2.0 * MARGIN + self.top + HAND / 2.0 - 2.0;
        for side in Side::BOTH {
            let held: Vec<Glyph> = self.diagram.hand.iter().copied().filter(|glyph| glyph.side == side).collect();
            let y = if side == self.options.view { below } else { HAND / 2.0 + 2.0 };
            let room = self.diagram.files as f32 * CELL;
            let pitch = (room / held.len().max(1) as f32).min(28.0);
            for (index, glyph) in held.into_iter().enumerate() {
                self.disc(glyph, MARGIN + (index as f32 + 0.5) * pitch, y, (pitch * 0.46).min(12.0));
            }
        }
    }
}

/// Text with the characters replaced that mean something in markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    /// Follows tags and attributes as an XML reader would; enough to catch what string building gets wrong.
    fn assert_well_formed(text: &str) {
        let mut open: Vec<&str> = Vec::new();
        for piece in text.split('<').skip(1) {
            let (tag, rest) = piece.split_once('>').expect("a tag that ends");
            assert!(!rest.contains('>'), "{rest}");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert_eq!(open, Vec::<&str>::new());
    }

    #[test]
    fn boards_are_well_formed_whatever_the_caption() {
        let hostile = Diagram { caption: "</title><script>\"'&".into(), ..example() };
        let points = Diagram { style: Style::Points { river_after: 2, river_names: ["楚河", ""] }, ..example() };
        let last = [Trace { from: Some(0), to: 1 }, Trace { from: None, to: 5 }];
        for diagram in [example(), hostile, points] {
            for setting in [Setting::File, Setting::Page] {
                for view in Side::BOTH {
                    let options = Options { view, last: &last, heat: &[0.0, 0.5, 2.0], ..Options::new(setting) };
                    let text = board(&diagram, &options);
                    assert_well_formed(&text);
                    assert!(!text.contains("<script>") && !text.contains("NaN"), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_board_of_points_has_lines_that_stop_at_the_river() {
        let diagram = Diagram { style: Style::Points { river_after: 2, river_names: ["楚河", ""] }, ..example() };
        let text = board(&diagram, &Options::new(Setting::File));
        // Four ranks, two files at the edges, and two halves of the one between.
        assert_eq!(text.matches("class=\"line\"").count(), 4 + 2 + 2);
        assert_eq!((text.matches("class=\"river\"").count(), text.matches(">楚河<").count()), (1, 1));
        assert_eq!(text.matches("class=\"name\"").count(), 1);
    }

    #[test]
    fn every_piece_and_stone_is_drawn_once() {
        let text = board(&example(), &Options::new(Setting::File));
        for (what, count) in [("class=\"stone\"", 1), (">车<", 2), (">卒<", 3), ("class=\"palace\"", 2)] {
            assert_eq!(text.matches(what).count(), count, "{what}");
        }
        assert_eq!(text.matches("class=\"river\"").count(), 6);
    }

    #[test]
    fn the_view_puts_its_own_side_at_the_bottom() {
        let diagram = example();
        let red = Options::new(Setting::Page);
        let black = Options { view: Side::Black, ..red };
        let y = |options: &Options| Canvas::new(&diagram, options).centre(0).1;
        assert!(y(&red) > y(&black));
    }

    #[test]
    fn a_trace_becomes_tinted_squares_and_an_arrow() {
        let last = [Trace { from: Some(0), to: 8 }];
        let text = board(&example(), &Options { last: &last, ..Options::new(Setting::Page) });
        assert_eq!(text.matches("class=\"last\"").count(), 2);
        assert_eq!(text.matches("class=\"arrow\"").count(), 1);
    }
}
