//! Whether a nonholonomic row can be integrated to a holonomic constraint: ω = A dq + b dt has an integrating factor
//! where dω ∧ ω = 0 (Frobenius).

use super::Constraints;
use crate::calculus::derivative;
use crate::graph::{Graph, Id, Symbol};
use crate::physics::Physics;
use crate::prove::{Domain, vanishes_in};

/// The most variables on which a row may depend to be examined.
const MOST_VARIABLES: usize = 8;

/// The indices, among all rows, of the nonholonomic rows that are proved integrable. Each row is examined by itself.
pub(super) fn integrable(graph: &mut Graph, physics: &Physics, constraints: &Constraints) -> Vec<u32> {
    let mut variables = physics.coordinate_symbols();
    variables.push(Symbol::Time);
    let domain = Domain::new(graph, &physics.assumed(), &[]);
    let mut rows = Vec::new();
    for k in constraints.holonomic..constraints.len() {
        let mut form = constraints.jacobian[k].clone();
        form.push(constraints.drift[k]);
        if is_integrable(graph, &variables, &form, &domain) {
            rows.push(k as u32);
        }
    }
    rows
}

fn is_integrable(graph: &mut Graph, variables: &[Symbol], form: &[Id], domain: &Domain) -> bool {
    // Variables drop out if the form has no component by them and does not depend on them.
    let active: Vec<usize> = (0..form.len())
        .filter(|&i| !graph.is_zero(form[i]) || form.iter().any(|&entry| graph.depends_on(entry, variables[i])))
        .collect();
    if active.len() > MOST_VARIABLES {
        return false;
    }
    // (dω)ᵢⱼ = ∂ωⱼ/∂xᵢ − ∂ωᵢ/∂xⱼ.
    let turn = |graph: &mut Graph, i: usize, j: usize| {
        let first = derivative(graph, &[form[j]], variables[i])[0];
        let second = derivative(graph, &[form[i]], variables[j])[0];
        graph.sub(first, second)
    };
    for (a, &i) in active.iter().enumerate() {
        for (b, &j) in active.iter().enumerate().skip(a + 1) {
            for &k in &active[b + 1..] {
                let parts = [(i, (j, k)), (j, (k, i)), (k, (i, j))].map(|(one, (two, three))| {
                    let turned = turn(graph, two, three);
                    graph.mul(form[one], turned)
                });
                let total = graph.add_all(&parts);
                if !vanishes_in(graph, total, domain) {
                    return false;
                }
            }
        }
    }
    true
}
