//! Charts as inline SVG that takes its colours from the page, so that it is readable on light and on dark ground.

use std::fmt::Write;

use super::number::{compact, percent};

/// Values over iterations or something else that grows; `None` where nothing was measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line {
    /// What the legend calls it.
    pub(crate) label: String,
    /// `[iteration, value]`, by iteration.
    pub(crate) points: Vec<(f64, Option<f64>)>,
    /// `[iteration, low, high]` of the values that have an interval.
    pub(crate) intervals: Vec<(f64, f64, f64)>,
}

/// What the values are drawn over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// What stands below it.
    pub(crate) title: String,
    /// Whether only whole numbers from 1 are marked.
    pub(crate) is_counted: bool,
}

impl Axis {
    /// The iterations of a run.
    pub(crate) fn iterations() -> Axis {
        Axis { title: "iteration".to_owned(), is_counted: true }
    }
}

/// How the values are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Lines, each from its own values.
    Lines,
    /// Areas on top of each other: shares of a whole.
    Shares,
}

impl Kind {
    /// The text of a value.
    pub(crate) fn text(self, value: f64) -> String {
        match self {
            Kind::Lines => compact(value),
            Kind::Shares => percent(value),
        }
    }
}

/// More points than this are averaged in equal groups: a screen has no room for them.
const MOST_POINTS: usize = 240;
/// More points than this are not marked on their line.
const MOST_DOTS: usize = 24;
/// More points than this do not tell their value when they are pointed at.
const MOST_LABELS: usize = 120;

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 204.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 38.0;

/// The chart as one `<svg>` element; `None` if there is nothing to draw.
pub(crate) fn draw(title: &str, kind: Kind, axis: &Axis, lines: &[Line]) -> Option<String> {
    let lines: Vec<Line> = lines.iter().map(thinned).collect();
    let stacked = match kind {
        Kind::Lines => lines,
        Kind::Shares => stack(&lines),
    };
    let frame = Frame::around(&stacked, kind)?;
    let mut out = format!("<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">");
    frame.axes(&mut out, kind, axis);
    match kind {
        Kind::Lines => stacked.iter().enumerate().for_each(|(index, line)| frame.line(&mut out, axis, index, line)),
        Kind::Shares => {
            for index in 0..stacked.len() {
                frame.area(&mut out, index, index.checked_sub(1).map(|below| &stacked[below]), &stacked[index]);
            }
        }
    }
    out.push_str("</svg>");
    Some(out)
}

fn thinned(line: &Line) -> Line {
    let group = line.points.len().div_ceil(MOST_POINTS).max(1);
    let mean = |points: &[(f64, Option<f64>)]| {
        let known: Vec<f64> = points.iter().filter_map(|point| point.1).collect();
        let value = (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64);
        (points[points.len() - 1].0, value)
    };
    // Of a mean nobody knows the interval.
    let intervals = if group == 1 { line.intervals.clone() } else { Vec::new() };
    Line { label: line.label.clone(), points: line.points.chunks(group).map(mean).collect(), intervals }
}

/// Each line on top of those before it; a point is missing where one of them is.
fn stack(lines: &[Line]) -> Vec<Line> {
    let mut stacked: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let on_top = |(index, &(x, y)): (usize, &(f64, Option<f64>))| match stacked.last() {
            None => (x, y),
            Some(below) => (x, below.points[index].1.zip(y).map(|(below, y)| below + y)),
        };
        let points = line.points.iter().enumerate().map(on_top).collect();
        stacked.push(Line { label: line.label.clone(), points, ..Line::default() });
    }
    stacked
}

/// The ranges of both axes.
#[derive(Clone, Debug, PartialEq)]
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn around(lines: &[Line], kind: Kind) -> Option<Frame> {
        let known = || lines.iter().flat_map(|line| line.points.iter().filter_map(|&(x, y)| Some((x, y?))));
        known().next()?;
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let x = range(&mut known().map(|point| point.0));
        let y = match kind {
            Kind::Shares => (0.0, 1.0),
            Kind::Lines => {
                let ends =
                    || lines.iter().flat_map(|line| line.intervals.iter().flat_map(|&(_, low, high)| [low, high]));
                with_room(range(&mut known().map(|point| point.1).chain(ends())))
            }
        };
        // One iteration is drawn in the middle.
        let x = if x.0 == x.1 { (x.0 - 1.0, x.1 + 1.0) } else { x };
        Some(Frame { x, y })
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let across = (x - self.x.0) / (self.x.1 - self.x.0);
        let up = (y - self.y.0) / (self.y.1 - self.y.0);
        (LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM))
    }

    fn axes(&self, out: &mut String, kind: Kind, axis: &Axis) {
        let (left, right, bottom) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
        for value in ticks(self.y, 5) {
            let (_, y) = self.at(self.x.0, value);
            let (label, text_y) = (kind.text(value), y + 3.5);
            let _ = write!(out, "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/>");
            let _ = write!(out, "<text x=\"{:.1}\" y=\"{text_y:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0);
        }
        let is_marked = |value: &f64| !axis.is_counted || (value.fract() == 0.0 && *value >= 1.0);
        for value in ticks(self.x, 6).into_iter().filter(is_marked) {
            let (x, _) = self.at(value, self.y.0);
            let (label, y) = (compact(value), bottom + 15.0);
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>");
        }
        let (x, y) = ((left + right) / 2.0, HEIGHT - 6.0);
        let _ = write!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", axis.title);
        let _ = write!(out, "<path class=\"axis\" d=\"M{left} {bottom}H{right}\"/>");
    }

    fn line(&self, out: &mut String, axis: &Axis, index: usize, line: &Line) {
        for &(x, low, high) in &line.intervals {
            let ((x, bottom), (_, top)) = (self.at(x, low), self.at(x, high));
            let _ = write!(out, "<path class=\"interval c{index}\" d=\"M{x:.1} {bottom:.1}V{top:.1}\"/>");
        }
        for run in runs(line) {
            let path: Vec<String> = run.iter().map(|&(x, y)| pair(self.at(x, y))).collect();
            let _ = write!(out, "<path class=\"line c{index}\" d=\"M{}\"/>", path.join("L"));
        }
        let known: Vec<(f64, f64)> = line.points.iter().filter_map(|&(x, y)| Some((x, y?))).collect();
        for &(x, y) in known.iter().filter(|_| known.len() <= MOST_LABELS) {
            let ((cx, cy), label, over, value) = (self.at(x, y), &line.label, &axis.title, compact(y));
            let class = if known.len() <= MOST_DOTS { "dot" } else { "hidden" };
            let _ = write!(out, "<circle class=\"{class} c{index}\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"2.5\">");
            let _ = write!(out, "<title>{label}, {over} {}: {value}</title></circle>", compact(x));
        }
    }

    fn area(&self, out: &mut String, index: usize, below: Option<&Line>, line: &Line) {
        for run in runs(line) {
            let floor = |x: f64| {
                let point = below.and_then(|below| below.points.iter().find(|point| point.0 == x));
                point.and_then(|point| point.1).unwrap_or(0.0)
            };
            // A single point has no width: it is drawn as a bar.
            let half = if run.len() == 1 { (self.x.1 - self.x.0) / 40.0 } else { 0.0 };
            let (first, last) = (run[0], run[run.len() - 1]);
            let top = run.iter().map(|&(x, y)| self.at(x, y));
            let top = [self.at(first.0 - half, first.1)].into_iter().chain(top).chain([self.at(last.0 + half, last.1)]);
            let base = run.iter().rev().map(|&(x, _)| self.at(x, floor(x)));
            let base = [self.at(last.0 + half, floor(last.0))]
                .into_iter()
                .chain(base)
                .chain([self.at(first.0 - half, floor(first.0))]);
            let path: Vec<String> = top.chain(base).map(pair).collect();
            let _ = write!(out, "<path class=\"area c{index}\" d=\"M{}Z\"/>", path.join("L"));
        }
    }
}

fn pair((x, y): (f64, f64)) -> String {
    format!("{x:.1} {y:.1}")
}

/// The stretches of a line that were measured without a gap.
fn runs(line: &Line) -> Vec<Vec<(f64, f64)>> {
    let mut runs = vec![Vec::new()];
    for &(x, y) in &line.points {
        match (y, runs.last_mut()) {
            (Some(y), Some(run)) => run.push((x, y)),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// A range with some room at both ends, and from zero where that costs little.
fn with_room((low, high): (f64, f64)) -> (f64, f64) {
    let span = match high - low {
        0.0 if high == 0.0 => 1.0,
        0.0 => high.abs(),
        span => span,
    };
    let (bottom, top) = (low - 0.06 * span, high + 0.06 * span);
    if low >= 0.0 && low <= 1.5 * span { (0.0, top) } else { (bottom, top) }
}

/// Round values within `range`, about `count` of them.
fn ticks((low, high): (f64, f64), count: usize) -> Vec<f64> {
    let raw = (high - low) / count as f64;
    let magnitude = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude).into_iter().find(|&step| step >= raw * 0.999);
    let step = step.unwrap_or(raw);
    let first = (low / step - 1e-9).ceil();
    (0..=2 * count)
        .map(|index| (first + index as f64) * step)
        .take_while(|&value| value <= high + 1e-9 * step)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(values: &[Option<f64>]) -> Line {
        let points = values.iter().enumerate().map(|(index, &value)| (index as f64 + 1.0, value)).collect();
        Line { label: "loss".to_owned(), points, intervals: Vec::new() }
    }

    #[test]
    fn nothing_measured_is_nothing_drawn() {
        assert_eq!(draw("Loss", Kind::Lines, &Axis::iterations(), &[]), None);
        assert_eq!(draw("Loss", Kind::Lines, &Axis::iterations(), &[line(&[None, None])]), None);
    }

    #[test]
    fn gaps_break_a_line() {
        let chart =
            draw("Loss", Kind::Lines, &Axis::iterations(), &[line(&[Some(1.0), Some(2.0), None, Some(3.0)])]).unwrap();
        assert_eq!(chart.matches("class=\"line c0\"").count(), 2);
        assert_eq!(chart.matches("<circle").count(), 3);
    }

    #[test]
    fn every_shape_of_data_gives_finite_numbers() {
        for values in [&[Some(0.0)][..], &[Some(-3.0), Some(-3.0)], &[Some(1e9), Some(1e-9)], &[None, Some(5.0)]] {
            for kind in [Kind::Lines, Kind::Shares] {
                let chart = draw("Loss", kind, &Axis::iterations(), &[line(values), line(values)]).unwrap();
                assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
            }
        }
    }

    #[test]
    fn intervals_are_inside_the_frame() {
        let intervals = vec![(1.0, -900.0, -100.0), (2.0, 0.0, 700.0)];
        let with_intervals = Line { intervals, ..line(&[Some(-500.0), Some(300.0)]) };
        let axis = Axis { title: "hours".to_owned(), is_counted: false };
        let chart = draw("Rating", Kind::Lines, &axis, &[with_intervals]).unwrap();
        let ends = chart.split("class=\"interval c0\" d=\"M").skip(1).flat_map(|path| {
            let (bottom, top) = path.split(' ').nth(1).unwrap().split_once('V').unwrap();
            [bottom, top.split('"').next().unwrap()].map(|end| end.parse::<f64>().unwrap())
        });
        let ends: Vec<f64> = ends.collect();
        assert!(ends.len() == 4 && ends.iter().all(|end| (TOP..=HEIGHT - BOTTOM).contains(end)), "{chart}");
        assert!(chart.contains(">hours</text>"), "{chart}");
    }

    #[test]
    fn long_runs_are_averaged() {
        let thin = thinned(&line(&vec![Some(2.0); 1000]));
        assert_eq!(thin.points.len(), 200);
        assert_eq!(thin.points[199], (1000.0, Some(2.0)));
    }

    #[test]
    fn shares_stand_on_each_other() {
        let stacked = stack(&[line(&[Some(0.2), None]), line(&[Some(0.5), Some(1.0)])]);
        assert_eq!(stacked[1].points, [(1.0, Some(0.7)), (2.0, None)]);
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks((0.0, 1.0), 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks((1.0, 30.0), 6), [5.0, 10.0, 15.0, 20.0, 25.0, 30.0]);
    }
}
