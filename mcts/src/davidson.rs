//! The likelihood of a single game under Davidson's model (1970, "On extending the Bradley–Terry model to accommodate ties in
//! paired comparison experiments"), and its derivatives.

/// The chances of a game in which the first mover is ahead by `x`, and `draw_weight` is ν.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// That the first mover wins.
    pub win: f64,
    /// That nobody does.
    pub draw: f64,
    /// That the first mover loses.
    pub loss: f64,
}

impl Chances {
    /// The chances in the proportion of `exp(x / 2)`, `ν` and `exp(-x / 2)`.
    pub fn new(x: f64, draw_weight: f64) -> Chances {
        // Divided by the larger of the decisive weights, so that nothing overflows.
        let smaller = (-x.abs()).exp();
        let draw = draw_weight * (-0.5 * x.abs()).exp();
        let sum = 1.0 + smaller + draw;
        let (win, loss) = if x >= 0.0 { (1.0, smaller) } else { (smaller, 1.0) };
        Chances { win: win / sum, draw: draw / sum, loss: loss / sum }
    }

    /// Expected wins less losses.
    pub fn surplus(&self) -> f64 {
        self.win - self.loss
    }

    /// The chance of what happened.
    pub fn of_half_points(&self, half_points: u8) -> f64 {
        [self.loss, self.draw, self.win][usize::from(half_points.min(2))]
    }

    /// The derivative of the log-likelihood by `x`.
    pub fn slope(&self, half_points: u8) -> f64 {
        0.5 * (f64::from(half_points) - 1.0 - self.surplus())
    }

    /// The derivative by ln ν.
    pub fn draw_slope(&self, half_points: u8) -> f64 {
        f64::from(u8::from(half_points == 1)) - self.draw
    }

    /// Minus the second derivative by `x`; no result has a part in it.
    pub fn curvature(&self) -> f64 {
        0.25 * (self.win + self.loss - self.surplus().powi(2))
    }

    /// Minus the second derivative by `x` and ln ν.
    pub fn mixed_curvature(&self) -> f64 {
        -0.5 * self.surplus() * self.draw
    }

    /// Minus the second derivative by ln ν.
    pub fn draw_curvature(&self) -> f64 {
        self.draw * (1.0 - self.draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_logarithm() {
        const STEP: f64 = 1e-5;
        for (x, draw_weight) in [(0.0, 1.0), (0.7, 0.3), (-2.0, 4.0)] {
            let chances = Chances::new(x, draw_weight);
            assert!((chances.win + chances.draw + chances.loss - 1.0).abs() < 1e-15);
            for half_points in 0..3 {
                let log =
                    |x: f64, change: f64| Chances::new(x, draw_weight * change.exp()).of_half_points(half_points).ln();
                let slope = |x: f64, change: f64| Chances::new(x, draw_weight * change.exp()).slope(half_points);
                let draw_slope = |change: f64| Chances::new(x, draw_weight * change.exp()).draw_slope(half_points);
                let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-8, "{found} {expected}");
                near(chances.slope(half_points), (log(x + STEP, 0.0) - log(x - STEP, 0.0)) / (2.0 * STEP));
                near(chances.draw_slope(half_points), (log(x, STEP) - log(x, -STEP)) / (2.0 * STEP));
                near(chances.curvature(), -(slope(x + STEP, 0.0) - slope(x - STEP, 0.0)) / (2.0 * STEP));
                near(chances.mixed_curvature(), -(slope(x, STEP) - slope(x, -STEP)) / (2.0 * STEP));
                near(chances.draw_curvature(), -(draw_slope(STEP) - draw_slope(-STEP)) / (2.0 * STEP));
            }
        }
    }

    #[test]
    fn hopeless_games_have_finite_chances() {
        let chances = Chances::new(-3000.0, 2.0);
        assert_eq!((chances.win, chances.draw, chances.loss), (0.0, 0.0, 1.0));
    }
}
