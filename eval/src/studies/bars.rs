//! Counts as bars beside each other.

use std::fmt::Write;

/// The style sheet of all bars of a page.
pub(crate) const STYLE_SHEET: &str = "\
.bars{width:100%;display:block}.bars text{font:11px system-ui,sans-serif;text-anchor:middle;fill:var(--faint)}\
.bars .count{fill:var(--ink)}.bars rect{fill:var(--c0)}";

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 170.0;
/// Room for the names below and the counts above.
const BELOW: f64 = 20.0;
const ABOVE: f64 = 16.0;

/// One bar for each name with its count, as one `<svg>` element.
pub(crate) fn draw(label: &str, bars: &[(String, u64)]) -> String {
    let mut out = format!("<svg class=\"bars\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">");
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or_default().max(1) as f64;
    let pitch = WIDTH / bars.len().max(1) as f64;
    for (index, (name, count)) in bars.iter().enumerate() {
        let height = *count as f64 / most * (HEIGHT - BELOW - ABOVE);
        let (x, y) = (index as f64 * pitch, HEIGHT - BELOW - height);
        let (middle, width) = (x + pitch / 2.0, (pitch * 0.8).min(60.0));
        // Writing to a string cannot fail.
        let _ = write!(out, "<rect x=\"{:.1}\" y=\"{y:.1}\"", middle - width / 2.0);
        let _ = write!(out, " width=\"{width:.1}\" height=\"{height:.1}\"/>");
        let _ = write!(out, "<text x=\"{middle:.1}\" y=\"{}\">{name}</text>", HEIGHT - 6.0);
        if *count > 0 {
            let _ = write!(out, "<text class=\"count\" x=\"{middle:.1}\" y=\"{:.1}\">{count}</text>", y - 4.0);
        }
    }
    out.push_str("</svg>");
    out
}

/// Numbers in groups of equal width, from 0 on, at most so many groups: the name of each is its lowest number.
pub(crate) fn groups(numbers: &[usize], groups_max: usize) -> Vec<(String, u64)> {
    let Some(&most) = numbers.iter().max() else { return Vec::new() };
    let widths = [1, 2, 5, 10, 20, 50, 100, 200, 500];
    let width = widths.into_iter().find(|width| most / width < groups_max).unwrap_or(most / groups_max + 1);
    let mut counts = vec![0; most / width + 1];
    numbers.iter().for_each(|number| counts[number / width] += 1);
    counts.into_iter().enumerate().map(|(index, count)| ((index * width).to_string(), count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_round_groups() {
        let of = |numbers: &[usize]| groups(numbers, 4);
        let named = |groups: &[(&str, u64)]| groups.iter().map(|&(name, count)| (name.to_owned(), count)).collect::<Vec<_>>();
        assert_eq!(of(&[0, 3, 3]), named(&[("0", 1), ("1", 0), ("2", 0), ("3", 2)]));
        assert_eq!(of(&[9, 19]), named(&[("0", 1), ("10", 1)]));
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn the_highest_bar_fills_the_picture() {
        let svg = draw("games", &[("0".to_owned(), 5), ("1".to_owned(), 0)]);
        assert!(svg.contains("height=\"134.0\"") && svg.contains(">5</text>") && !svg.contains("count\">0"), "{svg}");
    }
}
