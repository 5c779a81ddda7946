//! Derivatives of p and f, and of the residuals r = M a − F − Gᵀλ and s = G a + γ at constant a and λ. The derivatives
//! of a and λ follow from M ∂a − Gᵀ∂λ = −∂r and G ∂a = −∂s.

use super::Constraints;
use crate::calculus::derivative;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;

/// Derivatives of p and f, column by column: `x[k][i]` is the derivative of component i by variable k.
#[derive(Clone, Debug)]
pub struct BalanceJacobian {
    /// ∂p/∂q.
    pub momentum_q: Vec<Vec<Id>>,
    /// ∂p/∂v, where it is not M: a momentum that depends on a state has a derivative by it, which is no inertia.
    pub momentum_v: Option<Vec<Vec<Id>>>,
    /// ∂f/∂q.
    pub balance_q: Vec<Vec<Id>>,
    /// ∂f/∂v.
    pub balance_v: Vec<Vec<Id>>,
    /// ∂p/∂t.
    pub momentum_t: Vec<Id>,
    /// ∂f/∂t.
    pub balance_t: Vec<Id>,
    /// ∂f/∂u.
    pub balance_u: Vec<Vec<Id>>,
}

/// Derivatives of M a − F − Gᵀλ, then of G a + γ, column by column.
#[derive(Clone, Debug)]
pub struct ResidualJacobian {
    /// ∂r/∂q.
    pub q: Vec<Vec<Id>>,
    /// ∂r/∂v.
    pub v: Vec<Vec<Id>>,
    /// ∂r/∂t.
    pub t: Vec<Id>,
    /// ∂r/∂u.
    pub u: Vec<Vec<Id>>,
    /// ∂r/∂parameter. `None` where these columns would be too large to write out.
    pub parameters: Option<Vec<Vec<Id>>>,
}

fn columns(graph: &mut Graph, rows: &[Id], count: u32, symbol: impl Fn(u32) -> Symbol) -> Vec<Vec<Id>> {
    (0..count).map(|k| derivative(graph, rows, symbol(k))).collect()
}

pub(super) fn balance_jacobian(
    graph: &mut Graph,
    physics: &Physics,
    momentum: &[Id],
    balance: &[Id],
) -> BalanceJacobian {
    let n = physics.coordinates;
    let by_v =
        physics.momentum_depends_on_states(graph, momentum).then(|| columns(graph, momentum, n, Symbol::Velocity));
    BalanceJacobian {
        momentum_q: columns(graph, momentum, n, Symbol::Coordinate),
        momentum_v: by_v,
        balance_q: columns(graph, balance, n, Symbol::Coordinate),
        balance_v: columns(graph, balance, n, Symbol::Velocity),
        momentum_t: derivative(graph, momentum, Symbol::Time),
        balance_t: derivative(graph, balance, Symbol::Time),
        balance_u: columns(graph, balance, physics.inputs, Symbol::Input),
    }
}

/// r = M a − F − Gᵀλ, then s = G a + γ.
pub(super) fn residual(
    graph: &mut Graph,
    physics: &Physics,
    inertia: &[Id],
    forcing: &[Id],
    constraints: &Constraints,
) -> Vec<Id> {
    let n = physics.coordinates;
    let accelerations: Vec<Id> = (0..n).map(|i| graph.symbol(Symbol::Acceleration(i))).collect();
    let mut residual = Vec::new();
    for (i, (&inertia, &forcing)) in inertia.iter().zip(forcing).enumerate() {
        let driven = graph.sub(inertia, forcing);
        residual.push(graph.sub(driven, constraints.reaction[i]));
    }
    for (row, &curvature) in constraints.jacobian.iter().zip(&constraints.curvature) {
        let acceleration = graph.inner(row, &accelerations);
        residual.push(graph.add(acceleration, curvature));
    }
    residual
}

/// With `by_parameters` the derivatives by the parameters are among them.
pub(super) fn residual_jacobian(
    graph: &mut Graph,
    physics: &Physics,
    residual: &[Id],
    by_parameters: bool,
) -> ResidualJacobian {
    let n = physics.coordinates;
    ResidualJacobian {
        q: columns(graph, residual, n, Symbol::Coordinate),
        v: columns(graph, residual, n, Symbol::Velocity),
        t: derivative(graph, residual, Symbol::Time),
        u: columns(graph, residual, physics.inputs, Symbol::Input),
        parameters: by_parameters.then(|| columns(graph, residual, physics.parameters, Symbol::Parameter)),
    }
}
