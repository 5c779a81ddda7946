//! Exact numbers as decimals.

use super::Rational;

/// The decimal of a number, if it ends after at most `places` decimal places.
pub(crate) fn finite_decimal(value: &Rational, places: usize) -> Option<String> {
    if value.is_int() {
        return Some(value.numerator().to_string());
    }
    let scaled = |places: usize| value * Rational::from(10).pow(places as isize);
    let places = (1..=places).find(|&places| scaled(places).is_int())?;
    let digits = format!("{:0>width$}", scaled(places).numerator().to_string(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    Some(format!("{whole}.{fraction}"))
}
