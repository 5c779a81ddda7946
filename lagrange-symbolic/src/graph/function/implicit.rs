//! A component of the solution w of r(w, a) = 0, as a function of the arguments a. The graph contains r; the value is found by
//! Newton's method.

use super::{Call, Function, Row, Smoothness};
use crate::graph::{Graph, Id};
use std::collections::HashMap;

pub(super) const ROW: Row =
    Row { smoothness: Smoothness::OnDomain, derivative: |graph, call| derivative(graph, call), ..Row::named("root", 1) };

/// ∂w/∂a = K⁻¹ ∂r/∂a, at the solution.
fn derivative(graph: &mut Graph, call: &Call<'_>) -> Id {
    let Function::Implicit { index, part } = call.function else { return graph.zero() };
    let implicit = &graph.implicits()[index as usize];
    let Some(&slope) = implicit.by_argument[call.which].get(part as usize) else { return graph.zero() };
    let (unknowns, formal) = (implicit.unknowns.clone(), implicit.arguments.clone());
    let mut values: HashMap<_, _> = formal.into_iter().zip(call.arguments.iter().copied()).collect();
    for (part, unknown) in (0..).zip(unknowns) {
        values.insert(unknown, graph.call(Function::Implicit { index, part }, call.arguments));
    }
    graph.substitute(&[slope], &values)[0]
}
