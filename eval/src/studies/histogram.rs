//! How many there are of each size, as bars.

use std::fmt::Write;

use crate::report::number::grouped;

/// The style sheet of all histograms of a page; their texts look like those of charts.
pub(crate) const STYLE_SHEET: &str =
    ".bar.red{fill:var(--red)}.bar.even{fill:var(--draw)}.bar.black{fill:var(--black)}.bar.plain{fill:var(--c0)}";

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    /// What stands below it; may be empty.
    pub(crate) label: String,
    /// What it says when it is pointed at, before the count.
    pub(crate) name: String,
    /// How many.
    pub(crate) count: usize,
    /// Its colour: `red`, `even`, `black` or `plain`.
    pub(crate) class: &'static str,
}

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 204.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 38.0;

/// The bars as one `<svg>` element, with a title below them.
pub(crate) fn draw(bars: &[Bar], axis: &str) -> String {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let (floor, room) = (HEIGHT - BOTTOM, HEIGHT - TOP - BOTTOM);
    let pitch = (WIDTH - LEFT - RIGHT) / bars.len().max(1) as f64;
    let thick = (pitch * 0.86).min(48.0);
    let mut out = format!("<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{axis}\">");
    // Writing to a string cannot fail.
    for share in [0.0, 0.5, 1.0] {
        let (y, count) = (floor - share * room, (share * most as f64).round());
        let _ = write!(out, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/>", WIDTH - RIGHT);
        let text = grouped(count as u64);
        let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y + 3.5);
    }
    for (index, Bar { label, name, count, class }) in bars.iter().enumerate() {
        let middle = LEFT + (index as f64 + 0.5) * pitch;
        let (left, height) = (middle - thick / 2.0, *count as f64 / most as f64 * room);
        let top = floor - height;
        let _ = write!(out, "<rect class=\"bar {class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{thick:.1}\"");
        let _ = write!(out, " height=\"{height:.1}\"><title>{name}: {}</title></rect>", grouped(*count as u64));
        let _ = write!(out, "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", floor + 15.0);
    }
    let (middle, bottom) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6.0);
    let _ = write!(out, "<text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">{axis}</text>");
    let _ = write!(out, "<path class=\"axis\" d=\"M{LEFT} {floor}H{}\"/></svg>", WIDTH - RIGHT);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bar_fills_the_frame_and_none_is_not_a_number() {
        let bar = |count| Bar { label: "1".into(), name: "one".into(), count, class: "plain" };
        let svg = draw(&[bar(1000), bar(0)], "size");
        assert!(svg.contains(" height=\"154.0\"><title>one: 1\u{202f}000</title>"), "{svg}");
        for bars in [&[][..], &[bar(0)]] {
            assert!(!draw(bars, "size").contains("NaN"));
        }
    }
}
