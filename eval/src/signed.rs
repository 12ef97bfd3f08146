//! Values for one side as people read them.

/// An expected or mean result with its sign, to two digits: `+0.12`, and never `-0.00`.
pub(crate) fn signed(value: impl Into<f64>) -> String {
    let rounded = (value.into() * 100.0).round() / 100.0 + 0.0;
    format!("{rounded:+.2}")
}

#[cfg(test)]
mod tests {
    use super::signed;

    #[test]
    fn values_have_a_sign_but_zero_has_no_minus() {
        for (value, text) in [(0.126, "+0.13"), (-0.5, "-0.50"), (-0.001, "+0.00"), (-0.0, "+0.00")] {
            assert_eq!(signed(value), text);
        }
    }
}
