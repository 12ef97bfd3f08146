//! Ratings with their intervals, each a strip of the same scale, for pages that show many below each other.

use std::fmt::Write;

const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 20.0;
/// Room for a dot at either end.
const MARGIN: f64 = 6.0;

/// How lists of ratings look, with a strip in each row.
pub(crate) const STYLE_SHEET: &str = include_str!("ratings.css");

/// A number with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The scale that strips share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// The scale on which all intervals have their place; `None` if there are none.
    pub(crate) fn around(intervals: impl IntoIterator<Item = Interval>) -> Option<Scale> {
        let ends = intervals.into_iter().map(|interval| Scale { low: interval.low, high: interval.high });
        let scale = ends.reduce(|one, other| Scale { low: one.low.min(other.low), high: one.high.max(other.high) })?;
        // A single rating without an error stands in the middle.
        Some(if scale.high > scale.low { scale } else { Scale { low: scale.low - 1.0, high: scale.high + 1.0 } })
    }

    fn at(&self, value: f64) -> f64 {
        MARGIN + (value - self.low) / (self.high - self.low) * (WIDTH - 2.0 * MARGIN)
    }

    /// The strip as one `<svg>` element.
    pub(crate) fn strip(&self, interval: Interval) -> String {
        let Interval { value, low, high } = interval;
        let (middle, right) = (HEIGHT / 2.0, WIDTH - MARGIN);
        let label = format!("{value:+.0} Elo, 95 % interval {low:+.0} to {high:+.0}");
        let mut out =
            format!("<svg class=\"strip\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">");
        let _ = write!(out, "<title>{label}</title><path class=\"track\" d=\"M{MARGIN} {middle}H{right}\"/>");
        if self.low < 0.0 && self.high > 0.0 {
            let _ = write!(out, "<path class=\"zero\" d=\"M{:.1} 0V{HEIGHT}\"/>", self.at(0.0));
        }
        let (from, to, at) = (self.at(low), self.at(high), self.at(value));
        let _ = write!(out, "<path class=\"bar\" d=\"M{from:.1} {middle}H{to:.1}\"/>");
        let _ = write!(out, "<circle class=\"dot\" cx=\"{at:.1}\" cy=\"{middle}\" r=\"4\"/></svg>");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_share_a_scale_and_stay_inside() {
        let interval = |low, value, high| Interval { value, low, high };
        let all = [interval(-100.0, 0.0, 100.0), interval(50.0, 200.0, 300.0)];
        let scale = Scale::around(all).unwrap();
        let strips = all.map(|interval| scale.strip(interval));
        assert!(strips[0].contains("class=\"bar\" d=\"M6.0 10H120.0\""), "{}", strips[0]);
        assert!(strips[1].contains("class=\"bar\" d=\"M91.5 10H234.0\"") && strips[1].contains("class=\"zero\""));
        assert_eq!(Scale::around([]), None);
        let alone = interval(0.0, 0.0, 0.0);
        assert!(Scale::around([alone]).unwrap().strip(alone).contains("cx=\"120.0\""));
    }
}
