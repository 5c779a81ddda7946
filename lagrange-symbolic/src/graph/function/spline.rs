//! A cubic spline, or a derivative of it, as one function of its argument, its knots xᵢ, its values yᵢ and its second
//! derivatives mᵢ, all of which are arguments of the call, in this order.
//!
//! With h = xᵢ₊₁ − xᵢ, B = (x − xᵢ)/h and A = 1 − B, on the piece between two knots
//!
//! ```text
//! s(x) = A yᵢ + B yᵢ₊₁ + ((A³ − A) mᵢ + (B³ − B) mᵢ₊₁) h²/6
//! ```
//!
//! and beyond the first and the last knot s continues as a straight line. It is linear in y and m, so that its change
//! with these is a spline on the same knots. A knot may stand twice, with the same value and the second derivatives on its two sides.

use super::{Function, Row, Smoothness};
use crate::graph::{Graph, Id, Rational, rational};

pub(super) const ROW: Row = Row {
    // Continuous to the first derivative, by construction, and to the second one between the ends if no knot stands twice.
    smoothness: Smoothness::OnDomain,
    method: "piece",
    fold: |graph, function, x| fold(graph, table_and_order(function).1, x),
    derivative: |graph, call| match call.which {
        0 => derivative(graph, table_and_order(call.function), call.arguments),
        // The data are arguments of the call too. `change_by_data` gives their common contribution before this rule
        // could be asked for.
        _ => graph.zero(),
    },
    ..Row::named("spline", 1)
};

fn table_and_order(function: Function) -> (u32, u8) {
    if let Function::Spline { table, order } = function { (table, order) } else { (0, 0) }
}

/// Derivatives of this order and above vanish, except at the knots.
const VANISHING: u8 = 4;

/// The data of a spline: knots, values and second derivatives.
pub(crate) struct Data<'a, T> {
    /// xᵢ, ascending.
    pub(crate) knots: &'a [T],
    /// yᵢ.
    pub(crate) values: &'a [T],
    /// mᵢ.
    pub(crate) second_derivatives: &'a [T],
}

/// The argument of a call, and its data.
pub(crate) fn split<T>(arguments: &[T]) -> Option<(&T, Data<'_, T>)> {
    let (x, data) = arguments.split_first()?;
    let n = data.len() / 3;
    let (knots, rest) = data.split_at(n);
    let (values, second_derivatives) = rest.split_at(n);
    (n > 1).then_some((x, Data { knots, values, second_derivatives }))
}

fn fold(graph: &mut Graph, order: u8, arguments: &[Id]) -> Option<Id> {
    let (_, data) = split(arguments)?;
    let is_straight = data.second_derivatives.iter().all(|&id| graph.is_zero(id));
    let is_zero = is_straight && (order > 1 || data.values.iter().all(|&id| graph.is_zero(id)));
    (order >= VANISHING || is_zero).then(|| graph.zero())
}

fn derivative(graph: &mut Graph, (table, order): (u32, u8), arguments: &[Id]) -> Id {
    graph.call(Function::Spline { table, order: order.saturating_add(1) }, arguments)
}

/// The change δs of a call that is due to the changes of its data: δx of the knots, δy of the values, δm of the second
/// derivatives.
///
/// With L the line through the changes δxᵢ of the knots, and c the spline of the mᵢ alone,
///
/// ```text
/// δs = s(δy, δm) − s′ L + 2 L′ c
/// ```
///
/// whose derivatives by x follow from L″ = 0 on each piece.
pub(crate) fn change_by_data(
    graph: &mut Graph,
    (table, order): (u32, u8),
    arguments: &[Id],
    changes: &[Id],
) -> Option<Id> {
    let (&x, data) = split(arguments)?;
    let (_, change) = split(changes)?;
    let zeros = vec![graph.zero(); data.knots.len()];
    let spline = |graph: &mut Graph, order: u8, values: &[Id], second_derivatives: &[Id]| {
        let arguments = [&[x], data.knots, values, second_derivatives].concat();
        graph.call(Function::Spline { table, order }, &arguments)
    };
    let mut terms = vec![(spline(graph, order, change.values, change.second_derivatives), Rational::ONE)];
    if change.knots.iter().any(|&id| !graph.is_zero(id)) {
        let line = spline(graph, 0, change.knots, &zeros);
        let slope = spline(graph, 1, change.knots, &zeros);
        let next = spline(graph, order + 1, data.values, data.second_derivatives);
        terms.push((graph.mul(next, line), Rational::NEG_ONE));
        let same = spline(graph, order, data.values, data.second_derivatives);
        terms.push((graph.mul(same, slope), rational(-i64::from(order), 1)));
        let cubic = spline(graph, order, &zeros, data.second_derivatives);
        terms.push((graph.mul(cubic, slope), rational(2, 1)));
    }
    Some(graph.sum(terms, Rational::ZERO))
}

/// A function of x that changes its sign at each knot and nowhere else. It is the polygon that vanishes at the first
/// and the last knot and that is ±h/2 halfway between two knots at distance h, with alternating sign.
pub(crate) fn switch(graph: &mut Graph, table: u32, arguments: &[Id]) -> Option<Id> {
    let (&x, data) = split(arguments)?;
    let half = rational(1, 2);
    let (first, last) = (data.knots.first()?, data.knots.last()?);
    let zero = graph.zero();
    let (mut knots, mut values) = (vec![*first], vec![zero]);
    let pieces = data.knots.windows(2).filter(|pair| pair[0] != pair[1]);
    for (i, pair) in pieces.enumerate() {
        let sign = if i % 2 == 0 { half.clone() } else { -&half };
        knots.push(graph.sum(vec![(pair[0], half.clone()), (pair[1], half.clone())], Rational::ZERO));
        values.push(graph.sum(vec![(pair[1], sign.clone()), (pair[0], -sign)], Rational::ZERO));
    }
    knots.push(*last);
    values.push(zero);
    let second_derivatives = vec![zero; knots.len()];
    Some(graph.call(Function::Spline { table, order: 0 }, &[&[x], &knots[..], &values, &second_derivatives].concat()))
}
