//! The lowering of the equations, and the forms p, f and M, F.

use super::solved::CorrectionStart;
use crate::graph::{Graph, Id};
use crate::mechanics::Equations;
use crate::program::{Builder, Layout, Part, Routine, Value};

/// The most coordinates for which p, f and M are one routine.
const MOST_INERTIAL: usize = 2;

/// The most operations of M and F together for which M is not evaluated alone.
const SHORT_MATRIX_FORM: u32 = 300;

/// The most coordinates for which M is evaluated alone beside F: each entry is written, also those that are 0.
pub(super) const MOST_ALONE: usize = 60;

/// The lowering of a mechanism's equations. The evaluations share the operations of the builder; the order in which they are lowered
/// gives the operations their numbers.
pub(super) struct Lowering<'a> {
    pub(super) builder: Builder,
    pub(super) graph: &'a mut Graph,
    pub(super) equations: &'a Equations,
    /// The number of coordinates.
    pub(super) n: usize,
    /// M, row by row; empty where it is not written out and there are no contacts.
    pub(super) mass: Vec<Vec<Value>>,
    pub(super) momentum: Vec<Value>,
    pub(super) forcing: Vec<Value>,
    /// Where the correction of a velocity starts.
    pub(super) start: CorrectionStart,
    balance: Vec<Value>,
}

/// The evaluations of d/dt p = f.
pub(super) struct BalanceForm {
    pub(super) balance: Routine,
    pub(super) balance_jacobian: Option<Routine>,
    pub(super) balance_rates: Option<Routine>,
    pub(super) inertial_balance: Option<Routine>,
}

impl<'a> Lowering<'a> {
    /// Lowers p, f, M and F.
    pub(super) fn new(graph: &'a mut Graph, equations: &'a Equations) -> Self {
        let mut builder = Builder::new();
        builder.plan(graph, &all_expressions(equations));
        let momentum = builder.lower_all(graph, &equations.momentum);
        let start = CorrectionStart::new(&mut builder, graph, equations, &momentum);
        let balance = builder.lower_all(graph, &equations.balance);
        let mass = mass(&mut builder, graph, equations);
        let forcing = builder.lower_all(graph, &equations.forcing);
        Self { builder, graph, equations, n: momentum.len(), mass, momentum, forcing, start, balance }
    }

    /// Lowers expressions.
    pub(super) fn all(&mut self, expressions: &[Id]) -> Vec<Value> {
        self.builder.lower_all(self.graph, expressions)
    }

    /// Lowers the columns of a matrix, one after the other.
    pub(super) fn columns(&mut self, columns: &[Vec<Id>]) -> Vec<Value> {
        columns.iter().flat_map(|column| self.builder.lower_all(self.graph, column)).collect()
    }

    /// The entries of M, column by column.
    pub(super) fn mass_columns(&self) -> Vec<Value> {
        columns_of(&self.mass, self.n)
    }

    /// The routine with the outputs of a layout.
    pub(super) fn routine(&self, layout: Layout) -> Routine {
        Routine::laid_out(&self.builder, layout)
    }

    /// The routine whose outputs are these expressions. `None` where there is none.
    pub(super) fn listed(&mut self, expressions: &[Id]) -> Option<Routine> {
        let outputs = self.all(expressions);
        (!outputs.is_empty()).then(|| Routine::new(&self.builder, &outputs))
    }

    /// p and f, with their derivatives and with M.
    pub(super) fn balance_form(&mut self) -> BalanceForm {
        let equations = self.equations;
        let of_balance = Layout::default()
            .with(Part::Momentum, self.momentum.iter().copied())
            .with(Part::Balance, self.balance.iter().copied());
        let balance = self.routine(of_balance.clone());
        let balance_jacobian = equations.jacobian.as_ref().map(|jacobian| {
            let momentum_v = match &jacobian.momentum_v {
                Some(columns) => self.columns(columns),
                None => self.mass_columns(),
            };
            let layout = of_balance
                .clone()
                .with(Part::MomentumByQ, self.columns(&jacobian.momentum_q))
                .with(Part::Mass, momentum_v)
                .with(Part::BalanceByQ, self.columns(&jacobian.balance_q))
                .with(Part::BalanceByV, self.columns(&jacobian.balance_v));
            self.routine(layout)
        });
        let balance_rates = equations.jacobian.as_ref().map(|jacobian| {
            let layout = Layout::default()
                .with(Part::MomentumByT, self.all(&jacobian.momentum_t))
                .with(Part::BalanceByT, self.all(&jacobian.balance_t))
                .with(Part::BalanceByU, self.columns(&jacobian.balance_u));
            self.routine(layout)
        });
        let is_small = self.n <= MOST_INERTIAL && equations.constraints.is_empty() && !equations.facts.constant_mass;
        let inertial_balance =
            (is_small && !self.mass.is_empty()).then(|| self.routine(of_balance.with(Part::Mass, self.mass_columns())));
        BalanceForm { balance, balance_jacobian, balance_rates, inertial_balance }
    }

    /// M and F. `None` where M is not written out.
    pub(super) fn matrix_form(&self) -> Option<Routine> {
        let layout =
            Layout::default().with(Part::Mass, self.mass_columns()).with(Part::Forcing, self.forcing.iter().copied());
        (!self.mass.is_empty()).then(|| self.routine(layout))
    }

    /// M alone. `None` where M and F together are short, and where M has too many entries to be written twice.
    pub(super) fn mass_alone(&self, matrix_form: &Routine) -> Option<Routine> {
        let is_long = matrix_form.count().total() > SHORT_MATRIX_FORM && self.n <= MOST_ALONE;
        is_long.then(|| self.routine(Layout::default().with(Part::Mass, self.mass_columns())))
    }
}

/// M, row by row. Where it is not written out, contacts need its entries, which are those of composite bodies then; and nothing else does.
fn mass(builder: &mut Builder, graph: &mut Graph, equations: &Equations) -> Vec<Vec<Value>> {
    match &equations.sparse_mass {
        Some(sparse) if equations.mass.is_empty() && !equations.contacts.is_empty() => {
            builder.composite_mass(graph, sparse, usize::MAX).unwrap_or_default()
        }
        _ => equations.mass.iter().map(|row| builder.lower_all(graph, row)).collect(),
    }
}

/// The entries of a matrix of `n` columns, column by column.
pub(super) fn columns_of(rows: &[Vec<Value>], n: usize) -> Vec<Value> {
    (0..n).flat_map(|j| rows.iter().map(move |row| row[j])).collect()
}

/// Every expression that some evaluation needs. The angles of all of them are planned together.
fn all_expressions(equations: &Equations) -> Vec<Id> {
    let mut all = Vec::new();
    all.extend(&equations.momentum);
    all.extend(&equations.balance);
    all.extend(equations.mass.iter().flatten());
    all.extend(&equations.forcing);
    all.push(equations.energy);
    all.extend(equations.kinetic);
    all.extend(equations.potential);
    all.extend(equations.powers.iter().map(|power| power.value));
    if let Some(jacobian) = &equations.jacobian {
        let matrices = [&jacobian.momentum_q, &jacobian.balance_q, &jacobian.balance_v, &jacobian.balance_u];
        all.extend(matrices.into_iter().flatten().flatten());
        all.extend(jacobian.momentum_v.iter().flatten().flatten());
        all.extend(jacobian.momentum_t.iter().chain(&jacobian.balance_t));
    }
    match &equations.residual_jacobian {
        Some(residual) => {
            let matrices = [&residual.q, &residual.v, &residual.u];
            all.extend(matrices.into_iter().flatten().flatten());
            all.extend(residual.parameters.iter().flatten().flatten());
            all.extend(&residual.t);
        }
        None => all.extend(equations.residual.iter().chain(&equations.driven)),
    }
    let contacts = &equations.contacts;
    all.extend(contacts.forcing.iter().chain(&contacts.rate).chain(&contacts.curvature).chain(&contacts.bound));
    all.extend(contacts.direction.iter().flatten());
    all.extend(contacts.gap.iter().chain(&contacts.scale).chain(&contacts.restitution).chain(&contacts.restitutions));
    all.extend(contacts.latches.iter().flatten());
    all.extend(contacts.loads.iter().chain(contacts.load_slopes.iter().flatten()));
    let constraints = &equations.constraints;
    all.extend(
        constraints.value.iter().chain(&constraints.drift).chain(&constraints.rate).chain(&constraints.curvature),
    );
    all.extend(&constraints.reaction);
    let matrices = [&constraints.jacobian, &constraints.rate_q, &constraints.reaction_q];
    all.extend(matrices.into_iter().flatten().flatten());
    all
}
