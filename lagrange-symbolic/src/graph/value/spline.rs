//! Splines in any arithmetic: the piece by bisection, then its polynomial.

use super::evaluate::Arithmetic;
use crate::graph::function::spline::Data;
use crate::graph::{Rational, Relation};

/// A derivative of the given order of a spline at x. `None` where the third derivative is asked for at a knot, or where
/// an argument is undefined.
pub(super) fn spline<A: Arithmetic>(
    arithmetic: &mut A,
    order: u8,
    x: &A::Value,
    data: &Data<'_, Option<&A::Value>>,
) -> Option<A::Value> {
    let n = data.knots.len();
    // The number of knots at x or below.
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low.midpoint(high);
        let is_before = match arithmetic.compare(Relation::Less, x, data.knots[middle]?) {
            Some(is_before) => is_before,
            // At a knot both pieces agree up to the first derivative, and up to the second one unless the knot stands twice.
            None if order < 2 || order == 2 && !is_double(arithmetic, data, middle)? => true,
            None => return None,
        };
        if is_before {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let left = low.clamp(1, n - 1) - 1;
    let is_beyond = low == 0 || low == n;
    let number =
        |arithmetic: &mut A, value: i32, of: u8| arithmetic.rational(&(Rational::from(value) / Rational::from(of)));
    let at = |values: &[Option<&A::Value>], i: usize| values[i].cloned();
    let (x0, x1) = (at(data.knots, left)?, at(data.knots, left + 1)?);
    let (y0, y1) = (at(data.values, left)?, at(data.values, left + 1)?);
    let (m0, m1) = (at(data.second_derivatives, left)?, at(data.second_derivatives, left + 1)?);
    let minus = number(arithmetic, -1, 1)?;
    let difference = |arithmetic: &mut A, a: &A::Value, b: &A::Value| {
        let b = arithmetic.mul(&minus, b)?;
        arithmetic.add(a, &b)
    };
    let width = difference(arithmetic, &x1, &x0)?;
    let inverse = arithmetic.power_rational(&width, &Rational::NEG_ONE)?;
    let rise = difference(arithmetic, &y1, &y0)?;
    let secant = arithmetic.mul(&rise, &inverse)?;
    let second = difference(arithmetic, &m1, &m0)?;
    let jerk = arithmetic.mul(&second, &inverse)?;
    // The slope at the left knot: (y₁ − y₀)/h − h (2 m₀ + m₁)/6; at the right one + h (m₀ + 2 m₁)/6.
    let slope = |arithmetic: &mut A, first: i32, second: i32| {
        let (first, second) = (number(arithmetic, first, 6)?, number(arithmetic, second, 6)?);
        let (first, second) = (arithmetic.mul(&first, &m0)?, arithmetic.mul(&second, &m1)?);
        let sum = arithmetic.add(&first, &second)?;
        let sagitta = arithmetic.mul(&width, &sum)?;
        arithmetic.add(&secant, &sagitta)
    };
    let zero = number(arithmetic, 0, 1)?;
    let (origin, value, slope, second, jerk) = if is_beyond && low == n {
        (x1, y1, slope(arithmetic, 1, 2)?, zero.clone(), zero.clone())
    } else if is_beyond {
        (x0, y0, slope(arithmetic, -2, -1)?, zero.clone(), zero.clone())
    } else {
        (x0, y0, slope(arithmetic, -2, -1)?, m0.clone(), jerk)
    };
    let offset = difference(arithmetic, x, &origin)?;
    // Taylor's polynomial at the origin, by Horner's rule.
    let derivatives = [value, slope, second, jerk];
    let Some(derivatives) = derivatives.get(usize::from(order)..) else { return Some(zero) };
    let mut total = zero;
    for (k, derivative) in derivatives.iter().enumerate().rev() {
        let step = number(arithmetic, 1, k as u8 + 1)?;
        let product = arithmetic.mul(&total, &offset)?;
        let product = arithmetic.mul(&product, &step)?;
        total = arithmetic.add(&product, derivative)?;
    }
    Some(total)
}

/// Whether a knot stands twice.
fn is_double<A: Arithmetic>(arithmetic: &mut A, data: &Data<'_, Option<&A::Value>>, knot: usize) -> Option<bool> {
    let from = knot.saturating_sub(1);
    for pair in data.knots[from..(knot + 2).min(data.knots.len())].windows(2) {
        if arithmetic.compare(Relation::Less, pair[0]?, pair[1]?) != Some(true) {
            return Some(true);
        }
    }
    Some(false)
}
