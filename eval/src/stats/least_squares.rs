//! Linear regression by the normal equations.

use ndarray::{Array1, Array2};

use super::cholesky::Cholesky;

/// What a regression found.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFit {
    /// One for each column, `[columns]`.
    pub coefficients: Array1<f64>,
    /// Their covariance, `[columns, columns]`, as if the residuals were independent and of one size.
    pub covariance: Array2<f64>,
    /// The share of the (weighted) variance that the fit explains.
    pub r_squared: f64,
    /// The standard deviation of the residuals, by rows less columns.
    pub residual_deviation: f64,
}

/// Fits `values`, `[rows]`, by the columns of `design`, `[rows, columns]`. A weight tells how much a row matters to the fit, not
/// how exact it is. None if there are no more rows than columns, or the columns depend on each other.
pub fn least_squares(design: &Array2<f64>, values: &Array1<f64>, weights: &Array1<f64>) -> Option<LinearFit> {
    let (rows, columns) = design.dim();
    if rows <= columns {
        return None;
    }
    let weighted = design * &weights.view().insert_axis(ndarray::Axis(1));
    let inverse = Cholesky::of(&design.t().dot(&weighted))?.inverse();
    let coefficients = inverse.dot(&weighted.t().dot(values));
    let residuals = values - &design.dot(&coefficients);
    let variance = residuals.mapv(|residual| residual * residual).sum() / (rows - columns) as f64;
    // Of coefficients A·y with A = (XᵗWX)⁻¹XᵗW, where each y has the same variance.
    let covariance = inverse.dot(&weighted.t().dot(&weighted)).dot(&inverse) * variance;
    let mean = weights.dot(values) / weights.sum();
    let spread = weights.dot(&values.mapv(|value| (value - mean).powi(2)));
    let unexplained = weights.dot(&residuals.mapv(|residual| residual * residual));
    let r_squared = if spread > 0.0 { 1.0 - unexplained / spread } else { 0.0 };
    Some(LinearFit { coefficients, covariance, r_squared, residual_deviation: variance.sqrt() })
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn a_line_through_points_is_the_known_one() {
        // Anscombe 1973, first set: y = 3.0001 + 0.5001 x, standard errors 1.1247 and 0.1179, R² 0.6665.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = array![8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let design = Array2::from_shape_fn((11, 2), |(row, column)| if column == 0 { 1.0 } else { x[row] });
        let fit = least_squares(&design, &y, &Array1::ones(11)).unwrap();
        let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-4, "{one} {other}");
        close(fit.coefficients[0], 3.0001);
        close(fit.coefficients[1], 0.5001);
        close(fit.covariance[[0, 0]].sqrt(), 1.1247);
        close(fit.covariance[[1, 1]].sqrt(), 0.1179);
        close(fit.r_squared, 0.6665);
        close(fit.residual_deviation, 1.2366);
    }

    #[test]
    fn a_weight_of_two_fits_like_two_rows() {
        let once =
            least_squares(&array![[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], &array![0.0, 2.0, 1.0], &array![1.0, 2.0, 1.0]);
        let rows = array![[1.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 2.0]];
        let twice = least_squares(&rows, &array![0.0, 2.0, 2.0, 1.0], &Array1::ones(4));
        let difference = (once.unwrap().coefficients - twice.unwrap().coefficients).mapv(f64::abs).sum();
        assert!(difference < 1e-12, "{difference}");
    }

    #[test]
    fn columns_that_depend_on_each_other_have_no_fit() {
        let design = array![[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]];
        assert!(least_squares(&design, &array![1.0, 2.0, 4.0], &Array1::ones(3)).is_none());
    }
}
