//! Rating against evaluations, as a picture.

use std::error::Error;

use plotters::prelude::*;

use super::summary::{ArmSummary, MeanPoint};

const GREY: RGBColor = RGBColor(117, 117, 117);

const SIZE: (u32, u32) = (960, 560);

/// Colours that differ for people who see colours otherwise, too (Okabe and Ito 2008).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(160, 150, 20),
];

/// The mean curves of the arms with their intervals over seeds, as SVG.
///
/// # Errors
/// If nothing can be drawn.
pub(super) fn draw(title: &str, arms: &[ArmSummary]) -> Result<String, Box<dyn Error>> {
    let points = || arms.iter().flat_map(|arm| &arm.curve);
    let most_evaluations = points().map(|point| point.evaluations).fold(0.0, f64::max);
    let low = points().map(|point| ends(point).0).fold(f64::INFINITY, f64::min);
    let high = points().map(|point| ends(point).1).fold(f64::NEG_INFINITY, f64::max);
    if most_evaluations <= 0.0 || !low.is_finite() {
        return Err("there is no rating to draw".into());
    }
    let margin = (0.05 * (high - low)).max(10.0);
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..most_evaluations / 1e6, low - margin..high + margin)?;
        chart
            .configure_mesh()
            .x_desc("million network evaluations in self-play")
            .y_desc("Elo on the ladder, mean over seeds with 95 % interval")
            .light_line_style(TRANSPARENT)
            .bold_line_style(GREY.mix(0.2))
            .draw()?;
        for (arm, colour) in arms.iter().zip(COLOURS.iter().cycle()) {
            let at = |point: &MeanPoint| (point.evaluations / 1e6, point.elo.mean);
            let line = LineSeries::new(arm.curve.iter().map(at), colour.stroke_width(2)).point_size(3);
            let legend = move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(3));
            chart.draw_series(line)?.label(&arm.name).legend(legend);
            let bar = |point: &MeanPoint| {
                let (x, (low, high)) = (point.evaluations / 1e6, ends(point));
                PathElement::new([(x, low), (x, high)], colour.mix(0.5).stroke_width(1))
            };
            chart.draw_series(arm.curve.iter().map(bar))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.85))
            .border_style(GREY.mix(0.4))
            .draw()?;
        root.present()?;
    }
    Ok(svg)
}

/// The ends of a point's interval.
fn ends(point: &MeanPoint) -> (f64, f64) {
    let half = point.elo.half_width.unwrap_or(0.0);
    (point.elo.mean - half, point.elo.mean + half)
}

#[cfg(test)]
mod tests {
    use super::super::summary::Estimate;
    use super::*;

    fn arm(name: &str, elos: &[f64]) -> ArmSummary {
        let point = |(index, &mean): (usize, &f64)| {
            let elo = Estimate { mean, half_width: Some(20.0) };
            MeanPoint { evaluations: 1e5 * (index + 1) as f64, elo }
        };
        let curve = elos.iter().enumerate().map(point).collect();
        let (last, whole, above_first, evaluations_share) = (None, None, None, None);
        ArmSummary {
            name: name.to_owned(),
            curve,
            last,
            whole,
            above_first,
            against_first: None,
            evaluations_share,
            seconds: 0.0,
        }
    }

    #[test]
    fn every_arm_is_drawn_and_named() {
        let svg = draw("eternal-mini", &[arm("a=1", &[0.0, 100.0]), arm("a=<2>", &[50.0, 60.0, 70.0])]).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("a=1") && svg.contains("a=&lt;2&gt;"), "{svg}");
        assert!(svg.matches("<polyline").count() >= 2);
    }

    #[test]
    fn without_a_rating_there_is_no_picture() {
        assert_eq!(draw("x", &[arm("a", &[])]).unwrap_err().to_string(), "there is no rating to draw");
    }
}
