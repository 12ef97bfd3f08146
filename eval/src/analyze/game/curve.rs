//! The curve of red's value over the turns, as SVG.

use std::fmt::Write;

use super::super::judgement::Mark;
use super::Analysis;
use crate::draw::svg::Setting;
use crate::signed::signed;

/// The style sheet of the curve, which takes its colours from the page. A file carries both.
pub(super) const STYLE_SHEET: &str = "\
.curve text{fill:var(--faint);font:12px system-ui,sans-serif}\
.curve .grid{stroke:var(--grid);fill:none}.curve .zero{stroke:var(--faint);fill:none}\
.curve .red{fill:var(--red);fill-opacity:.5}.curve .black{fill:var(--black);fill-opacity:.5}\
.curve .line{fill:none;stroke:var(--ink);stroke-linejoin:round;stroke-linecap:round}\
.curve .dot{fill:transparent}.curve .inaccuracy{fill:var(--inaccuracy)}.curve .mistake{fill:var(--mistake)}\
.curve .blunder{fill:var(--blunder)}.curve .mark{stroke:var(--card);stroke-width:1.2}";

/// The colours of a page, light and dark.
pub(super) const COLOURS: &str = "\
:root{--ground:#faf8f4;--card:#fff;--edge:#e4dfd5;--ink:#22242a;--faint:#6c6a66;--grid:#ece8e0;--red:#b5271f;--black:#2f343c;\
--inaccuracy:#9a6b00;--mistake:#c2570c;--blunder:#a3126b}\
@media (prefers-color-scheme:dark){:root{--ground:#15171b;--card:#1d2025;--edge:#30343c;--ink:#e7e5e0;--faint:#9b9a96;\
--grid:#2b2f36;--red:#d4493f;--black:#6f7a8a;--inaccuracy:#e2b73c;--mistake:#f2a065;--blunder:#f283c4}}";

/// Width and height in user units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    width: f32,
    height: f32,
}

/// For a screen or a file.
pub(super) const WIDE: Size = Size { width: 900.0, height: 260.0 };
/// For a phone, where letters must not shrink with the curve.
pub(super) const NARROW: Size = Size { width: 360.0, height: 220.0 };

const LEFT: f32 = 34.0;
const RIGHT: f32 = 12.0;
const TOP: f32 = 22.0;
const BOTTOM: f32 = 36.0;

/// Where turns are closer than this, only blunders are marked, and only they tell their value when they are pointed at.
const LEAST_DISTANCE: f32 = 4.0;

/// The curve as one `<svg>` element.
pub(super) fn draw(analysis: &Analysis, size: Size, setting: Setting) -> String {
    let values = analysis.red_values();
    let plane = Plane { size, turns: values.len().saturating_sub(1).max(1) };
    let mut out = String::with_capacity(8192);
    plane.open(&mut out, setting);
    plane.axes(&mut out, analysis.side_names);
    for stretch in stretches(&values) {
        plane.stretch(&mut out, &stretch);
    }
    plane.marks(&mut out, analysis, &values);
    out.push_str("</svg>\n");
    out
}

struct Plane {
    size: Size,
    /// Turns from the left end to the right.
    turns: usize,
}

impl Plane {
    fn at(&self, turn: f32, value: f32) -> (f32, f32) {
        let across = turn / self.turns as f32;
        let up = (value + 1.0) / 2.0;
        let Size { width, height } = self.size;
        (LEFT + across * (width - LEFT - RIGHT), height - BOTTOM - up * (height - BOTTOM - TOP))
    }

    /// From one turn to the next.
    fn distance(&self) -> f32 {
        self.at(1.0, 0.0).0 - self.at(0.0, 0.0).0
    }

    fn pair(&self, (turn, value): (f32, f32)) -> String {
        let (x, y) = self.at(turn, value);
        format!("{x:.1} {y:.1}")
    }

    fn path(&self, points: impl IntoIterator<Item = (f32, f32)>) -> String {
        points.into_iter().map(|point| self.pair(point)).collect::<Vec<_>>().join("L")
    }

    fn open(&self, out: &mut String, setting: Setting) {
        let Size { width, height } = self.size;
        let namespace = match setting {
            Setting::File => format!(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\""),
            Setting::Page => String::new(),
        };
        let label = "red's expected result over the turns";
        let _ = write!(out, "<svg{namespace} class=\"curve\" viewBox=\"0 0 {width} {height}\" role=\"img\" ");
        let _ = write!(out, "aria-label=\"{label}\">");
        if setting == Setting::File {
            let _ = write!(out, "<title>{label}</title><style>{COLOURS}{STYLE_SHEET}</style>");
            let _ = write!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"var(--card)\"/>");
        }
    }

    fn axes(&self, out: &mut String, [red, black]: [&str; 2]) {
        for (value, label) in [(1.0, "+1"), (0.5, ""), (0.0, "0"), (-0.5, ""), (-1.0, "−1")] {
            let (class, (x, y), (end, _)) =
                (if value == 0.0 { "zero" } else { "grid" }, self.at(0.0, value), self.at(self.turns as f32, value));
            let _ = write!(out, "<path class=\"{class}\" d=\"M{x:.1} {y:.1}H{end:.1}\"/>");
            let _ = write!(out, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", x - 6.0, y + 4.0);
        }
        for turn in ticks(self.turns, (self.size.width / 90.0) as usize) {
            let (x, y) = self.at(turn as f32, -1.0);
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{turn}</text>", y + 16.0);
        }
        let (middle, bottom) = (self.at(self.turns as f32 / 2.0, -1.0).0, self.size.height - 5.0);
        let _ = write!(out, "<text x=\"{middle:.1}\" y=\"{bottom}\" text-anchor=\"middle\">turns played</text>");
        let (x, y) = (LEFT, 12.0);
        let _ = write!(out, "<text x=\"{x}\" y=\"{y}\">above 0 {red} is ahead, below {black}</text>");
    }

    /// A part of the curve without a gap, and what lies between it and zero.
    fn stretch(&self, out: &mut String, points: &[(f32, f32)]) {
        let (first, last) = (points[0].0, points[points.len() - 1].0);
        let points = with_crossings(points);
        for (class, sign) in [("red", 1.0), ("black", -1.0)] {
            let side = points.iter().map(|&(turn, value)| (turn, if value * sign > 0.0 { value } else { 0.0 }));
            let area = self.path([(first, 0.0)].into_iter().chain(side).chain([(last, 0.0)]));
            let _ = write!(out, "<path class=\"{class}\" d=\"M{area}Z\"/>");
        }
        let width = (self.distance() * 0.5).clamp(0.5, 1.6);
        let _ = write!(out, "<path class=\"line\" stroke-width=\"{width:.1}\" d=\"M{}\"/>", self.path(points));
    }

    /// A dot for each turn where it led to, coloured by its mark.
    fn marks(&self, out: &mut String, analysis: &Analysis, values: &[Option<f32>]) {
        let distance = self.distance();
        // A rim tells marks apart that touch; where they are small it would hide them.
        let rim = if distance < LEAST_DISTANCE { "" } else { "mark " };
        let is_shown = |mark: Mark| mark == Mark::Blunder || distance >= LEAST_DISTANCE;
        for (index, turn) in analysis.turns.iter().enumerate() {
            let Some(value) = values[index + 1] else { continue };
            let mark = turn.judgement.mark.filter(|&mark| is_shown(mark));
            if mark.is_none() && distance < LEAST_DISTANCE {
                continue;
            }
            let (x, y) = self.at((index + 1) as f32, value);
            let class = mark.map_or("dot".to_owned(), |mark| format!("{rim}{}", mark.name()));
            let radius = (distance * 0.7).clamp(2.0, 4.5);
            let (number, name, value) = (index + 1, analysis.name(turn.side), signed(value));
            // What turns are made of needs no escapes: letters, digits and signs but those of markup.
            let text = format!("{number}. {name} {}{}: {value}", turn.told(), turn.symbol());
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = write!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\">");
            let _ = write!(out, "<title>{text}</title></circle>");
        }
    }
}

/// The points of each part of the values without a gap.
fn stretches(values: &[Option<f32>]) -> Vec<Vec<(f32, f32)>> {
    let mut stretches = vec![Vec::new()];
    for (turn, value) in values.iter().enumerate() {
        match (value, stretches.last_mut()) {
            (Some(value), Some(stretch)) => stretch.push((turn as f32, *value)),
            _ => stretches.push(Vec::new()),
        }
    }
    stretches.retain(|stretch| !stretch.is_empty());
    stretches
}

/// The points, and those between them where the value is 0.
fn with_crossings(points: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut all = Vec::with_capacity(points.len());
    for (index, &(turn, value)) in points.iter().enumerate() {
        if let Some(&(before, other)) = index.checked_sub(1).map(|before| &points[before])
            && other * value < 0.0
        {
            all.push((before + (turn - before) * other / (other - value), 0.0));
        }
        all.push((turn, value));
    }
    all
}

/// Round numbers of turns, about `count` of them.
fn ticks(turns: usize, count: usize) -> impl Iterator<Item = usize> {
    let least = turns.div_ceil(count.max(1)).max(1);
    let magnitude = 10_usize.pow(least.ilog10());
    let step = [1, 2, 5, 10].map(|factor| factor * magnitude).into_iter().find(|&step| step >= least).unwrap_or(least);
    (0..=turns).step_by(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_meets_zero_where_its_sign_changes() {
        let points = [(0.0, 0.5), (1.0, -0.5), (2.0, -0.25)];
        assert_eq!(with_crossings(&points), [(0.0, 0.5), (0.5, 0.0), (1.0, -0.5), (2.0, -0.25)]);
    }

    #[test]
    fn a_value_that_is_not_known_is_a_gap() {
        assert_eq!(stretches(&[Some(0.1), None, Some(0.2), Some(0.3)]).len(), 2);
        assert_eq!(stretches(&[None, None]).len(), 0);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(7, 10).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(ticks(95, 4).collect::<Vec<_>>(), [0, 50]);
        assert_eq!(ticks(95, 10).collect::<Vec<_>>(), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    }
}
