//! A table of results as colours: red's choices in rows, black's in columns.

use std::fmt::Write;

use crate::signed::signed;

const CELL: f64 = 44.0;
/// Room for the names of rows and columns.
const MARGIN: f64 = 40.0;
/// The colour of a certain win, not so full that its text cannot be read.
const OPACITY_MAX: f64 = 0.75;

/// The smallest share of the full size at which numbers can be read.
const READABLE: f64 = 0.75;

/// The table as one `<svg>` element in the classes of heat-maps. Values are red's, from -1 to 1; `None` for cells without one.
pub(crate) fn draw(
    label: &str,
    rows: &[String],
    columns: &[String],
    value: impl Fn(usize, usize) -> Option<f64>,
) -> String {
    let (width, height) = (MARGIN + columns.len() as f64 * CELL, MARGIN + rows.len() as f64 * CELL);
    // Writing to a string cannot fail.
    let mut out = format!("<svg class=\"heat\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\"");
    // Cells are as large with few choices as with many; a page with many is wider than a phone and scrolls.
    let _ = write!(out, " style=\"min-width:{:.0}px;max-width:{width}px\">", width * READABLE);
    for (column, name) in columns.iter().enumerate() {
        let x = MARGIN + (column as f64 + 0.5) * CELL;
        let _ = write!(out, "<text x=\"{x}\" y=\"{}\">{name}</text>", MARGIN - 8.0);
    }
    for (row, name) in rows.iter().enumerate() {
        let y = MARGIN + row as f64 * CELL;
        let _ = write!(out, "<text x=\"{}\" y=\"{}\">{name}</text>", MARGIN / 2.0, y + CELL / 2.0 + 4.0);
        for column in 0..columns.len() {
            square(&mut out, MARGIN + column as f64 * CELL, y, value(row, column));
        }
    }
    out.push_str("</svg>");
    out
}

fn square(out: &mut String, x: f64, y: f64, value: Option<f64>) {
    let size = CELL - 2.0;
    let place = format!("x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" rx=\"4\"");
    let _ = write!(out, "<rect class=\"empty\" {place}/>");
    let Some(value) = value.filter(|value| value.is_finite()) else { return };
    let class = if value < 0.0 { "minus" } else { "plus" };
    let opacity = value.abs().min(1.0) * OPACITY_MAX;
    let _ = write!(out, "<rect class=\"{class}\" fill-opacity=\"{opacity:.3}\" {place}/>");
    let (middle, baseline) = (x + size / 2.0, y + size / 2.0 + 4.5);
    let _ = write!(out, "<text class=\"value\" x=\"{middle}\" y=\"{baseline}\">{}</text>", signed(value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_names_and_colours_by_sign() {
        let names = |letter: char| vec![format!("{letter}1"), format!("{letter}2")];
        let values = [[Some(1.0), Some(-0.5)], [None, Some(0.0)]];
        let svg = draw("red against black", &names('R'), &names('B'), |row, column| values[row][column]);
        assert!(svg.contains("class=\"plus\" fill-opacity=\"0.750\" x=\"40\" y=\"40\""), "{svg}");
        assert!(svg.contains("class=\"minus\" fill-opacity=\"0.375\" x=\"84\" y=\"40\""), "{svg}");
        assert!(svg.contains(">R2</text>") && svg.contains(">B1</text>") && svg.contains(">-0.50</text>"), "{svg}");
        assert_eq!(svg.matches("class=\"empty\"").count(), 4);
        assert_eq!(svg.matches("class=\"value\"").count(), 3);
    }
}
