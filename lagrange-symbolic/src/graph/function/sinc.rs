//! The k-th derivative of s(x) = sin(x)/x. It is an even function for even k and an odd one for odd k, and its
//! derivative is the (k+1)-th.

use super::{Function, Row, Smoothness, fold_even, fold_odd};
use crate::graph::value::{Arithmetic, Precise, Real, is_zero, magnitude};
use crate::graph::{Graph, Id, rational};

/// The row of s and of all its derivatives.
pub(super) const ROW: Row = Row {
    smoothness: Smoothness::Analytic,
    fold: |graph, function, x| fold(graph, order(function), x[0]),
    derivative: |graph, call| derivative(graph, order(call.function), call.arguments[0]),
    value: |function, x| Some(value(order(function), x[0])),
    precise: |precise, function, x| precise_value(precise, order(function), &x[0]),
    ..Row::of_scalar("sinc")
};

fn order(function: Function) -> u32 {
    if let Function::Sinc(order) = function { order } else { 0 }
}

fn fold(graph: &mut Graph, order: u32, x: Id) -> Option<Id> {
    if graph.is_zero(x) {
        // sinc = Σ (−1)ⁿ x²ⁿ/(2n+1)!, so its k-th derivative at 0 is (−1)^(k/2)/(k+1) for even k, 0 for odd k.
        let value = match order % 4 {
            0 => rational(1, u64::from(order) + 1),
            2 => rational(-1, u64::from(order) + 1),
            _ => rational(0, 1),
        };
        return Some(graph.number(value));
    }
    if order.is_multiple_of(2) {
        fold_even(graph, Function::Sinc(order), x)
    } else {
        fold_odd(graph, Function::Sinc(order), x)
    }
}

fn derivative(graph: &mut Graph, order: u32, x: Id) -> Id {
    graph.call(Function::Sinc(order + 1), &[x])
}

/// The k-th derivative of sin(x)/x.
fn value(order: u32, x: f64) -> f64 {
    let k = f64::from(order);
    if x.abs() > 1.0 + k {
        // From x s = sin x, differentiated k times: x s⁽ᵏ⁾ + k s⁽ᵏ⁻¹⁾ = sin(x + k π/2).
        let mut value = x.sin() / x;
        for n in 1..=order {
            let wave = match n % 4 {
                0 => x.sin(),
                1 => x.cos(),
                2 => -x.sin(),
                _ => -x.cos(),
            };
            value = (wave - f64::from(n) * value) / x;
        }
        return value;
    }
    // Σ (−1)ⁿ x^(2n−k) / ((2n+1) (2n−k)!) over 2n ≥ k.
    let first = order.div_ceil(2);
    let (mut power, mut total) = (if order.is_multiple_of(2) { 1.0 } else { x }, 0.0);
    for n in first..first + 40 {
        let sign = if n % 2 == 0 { 1.0 } else { -1.0 };
        total += sign * power / f64::from(2 * n + 1);
        let next = f64::from(2 * n - order);
        power *= x * x / ((next + 1.0) * (next + 2.0));
    }
    total
}

/// The k-th derivative of sin(x)/x in high precision, by the recurrence or the series of `value`.
fn precise_value(precise: &mut Precise, order: u32, x: &Real) -> Option<Real> {
    let small = is_zero(x) || magnitude(x) < 2 + i64::from(order.min(64));
    if !small {
        // From x s = sin x, differentiated k times: x s⁽ᵏ⁾ + k s⁽ᵏ⁻¹⁾ = sin(x + k π/2).
        let (sine, cosine) = (precise.sine(x)?, precise.cosine(x)?);
        let mut value = precise.div(&sine, x)?;
        for n in 1..=order {
            let wave = if n % 2 == 0 { sine.clone() } else { cosine.clone() };
            let wave = if n % 4 >= 2 { -wave } else { wave };
            let count = precise.whole(i64::from(n));
            let product = precise.mul(&count, &value)?;
            let rest = precise.subtract(&wave, &product)?;
            value = precise.div(&rest, x)?;
        }
        return Some(value);
    }
    // Σ (−1)ⁿ x^(2n−k) / ((2n+1) (2n−k)!) over 2n ≥ k.
    let first = order.div_ceil(2);
    let square = precise.mul(x, x)?;
    let (mut power, mut total) = (if order.is_multiple_of(2) { precise.whole(1) } else { x.clone() }, Real::ZERO);
    for n in first..first + 4 * precise.bits() as u32 {
        let term = precise.div(&power, &precise.whole(i64::from(2 * n + 1)))?;
        total = if n % 2 == 0 { precise.add(&total, &term)? } else { precise.subtract(&total, &term)? };
        let next = 2 * n - order;
        let step = precise.div(&square, &precise.whole(i64::from((next + 1) * (next + 2))))?;
        power = precise.mul(&power, &step)?;
        if is_zero(&power) || magnitude(&power) < -2 * precise.bits() as i64 {
            return Some(total);
        }
    }
    None
}
