//! Numbers on the squares of a board, as colours: red where they are good for red, or dark where there is much.

use std::fmt::Write;

/// The style sheet of all heat-maps of a page.
pub(crate) const STYLE_SHEET: &str = "\
.heat{width:100%;display:block}.heat text{font:11px system-ui,sans-serif;text-anchor:middle;fill:var(--faint)}\
.heat .value{font-size:13px;fill:var(--ink)}.heat .empty{fill:var(--grid)}\
.heat .plus{fill:#c8452f}.heat .minus{fill:#2d6fc0}.heat .much{fill:#7a4fb0}";

/// How numbers become colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hue {
    /// Above 0 for red, below 0 for black.
    Signed,
    /// From nothing to much.
    Amount,
}

/// A heat-map of some ranks of a board, red's side at the bottom.
#[derive(Clone, Debug)]
pub(crate) struct Heat<'a> {
    /// What it shows, for those who cannot see it.
    pub(crate) label: &'a str,
    /// Files of the board.
    pub(crate) files: usize,
    /// The first rank that is drawn, from 0, and how many there are.
    pub(crate) first_rank: usize,
    /// A number for each square, rank by rank from the left corner of the first rank; `None` for squares without one.
    pub(crate) values: &'a [Option<f64>],
    /// The number with the fullest colour, above 0.
    pub(crate) full: f64,
    /// How numbers become colours.
    pub(crate) hue: Hue,
    /// How a number is written on its square.
    pub(crate) text: fn(f64) -> String,
}

const CELL: f64 = 44.0;
/// Room for the names of files and ranks.
const MARGIN: f64 = 18.0;
/// The colour of the largest number, not so full that its text cannot be read.
const OPACITY_MAX: f64 = 0.75;

impl Heat<'_> {
    /// The heat-map as one `<svg>` element.
    pub(crate) fn draw(&self) -> String {
        let ranks = self.values.len().div_ceil(self.files);
        let (width, height) = (self.files as f64 * CELL + MARGIN, ranks as f64 * CELL + MARGIN);
        let label = self.label;
        // Writing to a string cannot fail.
        let mut out =
            format!("<svg class=\"heat\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">");
        for (index, &value) in self.values.iter().enumerate() {
            let (file, rank) = (index % self.files, index / self.files);
            let (x, y) = (MARGIN + file as f64 * CELL, (ranks - 1 - rank) as f64 * CELL);
            self.square(&mut out, x, y, value);
        }
        for file in 0..self.files {
            let (x, y) = (MARGIN + (file as f64 + 0.5) * CELL, height - 4.0);
            let _ = write!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", char::from(b'a' + file as u8));
        }
        for rank in 0..ranks {
            let y = (ranks - 1 - rank) as f64 * CELL + CELL / 2.0 + 4.0;
            let _ = write!(out, "<text x=\"{}\" y=\"{y}\">{}</text>", MARGIN / 2.0, self.first_rank + rank + 1);
        }
        out.push_str("</svg>");
        out
    }

    fn square(&self, out: &mut String, x: f64, y: f64, value: Option<f64>) {
        let size = CELL - 2.0;
        let _ = write!(out, "<rect class=\"empty\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"4\"/>");
        let Some(value) = value.filter(|value| value.is_finite()) else { return };
        let class = match self.hue {
            Hue::Amount => "much",
            Hue::Signed if value < 0.0 => "minus",
            Hue::Signed => "plus",
        };
        let opacity = (value.abs() / self.full.max(f64::MIN_POSITIVE)).min(1.0) * OPACITY_MAX;
        let _ = write!(out, "<rect class=\"{class}\" fill-opacity=\"{opacity:.3}\" x=\"{x}\" y=\"{y}\"");
        let _ = write!(out, " width=\"{size}\" height=\"{size}\" rx=\"4\"/>");
        let (middle, baseline) = (x + size / 2.0, y + size / 2.0 + 4.5);
        let text = (self.text)(value);
        let _ = write!(out, "<text class=\"value\" x=\"{middle}\" y=\"{baseline}\">{text}</text>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signed::signed;

    #[test]
    fn colours_tell_the_sign_and_the_size_and_gaps_have_none() {
        let values = [Some(0.5), Some(-0.25), None, Some(f64::NAN)];
        let heat = Heat {
            label: "rooks",
            files: 2,
            first_rank: 4,
            values: &values,
            full: 0.5,
            hue: Hue::Signed,
            text: signed,
        };
        let svg = heat.draw();
        assert!(svg.contains("class=\"plus\" fill-opacity=\"0.750\" x=\"18\" y=\"44\""), "{svg}");
        assert!(svg.contains("class=\"minus\" fill-opacity=\"0.375\" x=\"62\" y=\"44\""), "{svg}");
        assert!(svg.contains(">+0.50</text>") && svg.contains(">a</text>") && svg.contains(">6</text>"), "{svg}");
        assert_eq!(svg.matches("class=\"empty\"").count(), 4);
        assert!(!svg.contains("NaN"));
    }
}
