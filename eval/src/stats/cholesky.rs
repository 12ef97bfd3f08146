//! Positive definite matrices of at most a few hundred rows.

use ndarray::{Array1, Array2};

/// A pivot that is this small beside its diagonal element is rounding.
const PIVOT_MIN: f64 = 1e-11;

/// The lower triangle L of a matrix L · Lᵗ.
pub(in crate::stats) struct Cholesky {
    lower: Array2<f64>,
}

impl Cholesky {
    /// Of a symmetric matrix; none if it is not positive definite.
    pub(in crate::stats) fn of(matrix: &Array2<f64>) -> Option<Cholesky> {
        let count = matrix.nrows();
        let mut lower = Array2::zeros((count, count));
        for column in 0..count {
            for row in column..count {
                let known: f64 = (0..column).map(|inner| lower[[row, inner]] * lower[[column, inner]]).sum();
                let rest = matrix[[row, column]] - known;
                if row != column {
                    lower[[row, column]] = rest / lower[[column, column]];
                } else if rest > PIVOT_MIN * matrix[[row, row]] {
                    lower[[row, row]] = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Cholesky { lower })
    }

    /// The solution of matrix · x = `right`.
    pub(in crate::stats) fn solve(&self, right: &Array1<f64>) -> Array1<f64> {
        let count = right.len();
        let mut solution = right.clone();
        for row in 0..count {
            let known: f64 = (0..row).map(|inner| self.lower[[row, inner]] * solution[inner]).sum();
            solution[row] = (solution[row] - known) / self.lower[[row, row]];
        }
        for row in (0..count).rev() {
            let known: f64 = (row + 1..count).map(|inner| self.lower[[inner, row]] * solution[inner]).sum();
            solution[row] = (solution[row] - known) / self.lower[[row, row]];
        }
        solution
    }

    /// The inverse of the matrix.
    pub(in crate::stats) fn inverse(&self) -> Array2<f64> {
        let count = self.lower.nrows();
        let mut inverse = Array2::zeros((count, count));
        for column in 0..count {
            let unit = Array1::from_shape_fn(count, |row| if row == column { 1.0 } else { 0.0 });
            inverse.column_mut(column).assign(&self.solve(&unit));
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = ndarray::array![[4.0, 2.0, -1.0], [2.0, 5.0, 0.5], [-1.0, 0.5, 3.0]];
        let product = matrix.dot(&Cholesky::of(&matrix).unwrap().inverse());
        for ((row, column), value) in product.indexed_iter() {
            assert!((value - f64::from(u8::from(row == column))).abs() < 1e-12, "{product}");
        }
    }

    #[test]
    fn a_matrix_without_full_rank_has_no_factor() {
        assert!(Cholesky::of(&ndarray::array![[1.0, -1.0], [-1.0, 1.0]]).is_none());
        assert!(Cholesky::of(&ndarray::array![[0.0]]).is_none());
    }
}
