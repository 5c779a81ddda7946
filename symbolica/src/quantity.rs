//! All derived quantities of a mechanism, by name.

use lagrange_symbolic::graph::Id;
use lagrange_symbolic::mechanics::Equations;

/// Every derived quantity, element by element, with a name for messages.
pub fn quantities(equations: &Equations) -> Vec<(String, Id)> {
    let mut list = List::default();
    list.one("lagrangian", equations.lagrangian);
    list.all("kinetic", equations.kinetic);
    list.all("potential", equations.potential);
    list.one("energy", equations.energy);
    list.all("momentum", equations.momentum.iter().copied());
    list.rows("mass", &equations.mass);
    list.all("balance", equations.balance.iter().copied());
    list.all("forcing", equations.forcing.iter().copied());
    let constraints = &equations.constraints;
    list.all("constraint", constraints.value.iter().copied());
    list.all("scale", constraints.scale.iter().copied());
    list.rows("constraint_jacobian", &constraints.jacobian);
    list.all("drift", constraints.drift.iter().copied());
    list.all("rate", constraints.rate.iter().copied());
    list.all("curvature", constraints.curvature.iter().copied());
    list.rows("rate_q", &constraints.rate_q);
    list.all("reaction", constraints.reaction.iter().copied());
    list.rows("reaction_q", &constraints.reaction_q);
    for power in &equations.powers {
        list.one(&format!("power {}", power.name), power.value);
    }
    if let Some(jacobian) = &equations.jacobian {
        list.rows("momentum_q", &jacobian.momentum_q);
        list.rows("balance_q", &jacobian.balance_q);
        list.rows("balance_v", &jacobian.balance_v);
        list.all("momentum_t", jacobian.momentum_t.iter().copied());
        list.all("balance_t", jacobian.balance_t.iter().copied());
        list.rows("balance_u", &jacobian.balance_u);
    }
    list.all("residual", equations.residual.iter().copied());
    if let Some(jacobian) = &equations.residual_jacobian {
        list.rows("residual_q", &jacobian.q);
        list.rows("residual_v", &jacobian.v);
        list.all("residual_t", jacobian.t.iter().copied());
        list.rows("residual_u", &jacobian.u);
        list.rows("residual_parameters", jacobian.parameters.as_deref().unwrap_or_default());
    }
    if let Some(sparse) = &equations.sparse_mass {
        list.all("mass diagonal", sparse.diagonal.iter().copied());
    }
    list.all("output", equations.outputs.iter().copied());
    list.all("switch", equations.switches.iter().copied());
    list.0
}

#[derive(Default)]
struct List(Vec<(String, Id)>);

impl List {
    fn one(&mut self, name: &str, id: Id) {
        self.0.push((name.to_owned(), id));
    }

    fn all(&mut self, name: &str, ids: impl IntoIterator<Item = Id>) {
        for (index, id) in ids.into_iter().enumerate() {
            self.one(&format!("{name}[{index}]"), id);
        }
    }

    fn rows(&mut self, name: &str, rows: &[Vec<Id>]) {
        for (index, row) in rows.iter().enumerate() {
            self.all(&format!("{name}[{index}]"), row.iter().copied());
        }
    }
}
