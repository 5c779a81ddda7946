//! The fused evaluations of a mechanism, each one routine over shared operations.

use super::{Builder, Operation, OperationCount, Routine, Value};
use crate::expr::{Graph, Id, Symbol};
use crate::mechanics::Equations;
use std::collections::{BTreeSet, HashMap};

/// Factorisations that take more operations than this are run as loops over matrices instead.
const UNROLLED_FACTOR: u32 = 1500;

/// Linearizations that take more operations than this solve with loops instead.
const UNROLLED_JACOBIAN: u32 = 1500;

/// Every evaluation of the contract, as routines.
#[derive(Clone, Debug)]
pub struct Evaluations {
    /// The operations behind all routines.
    pub builder: Builder,
    /// p, f.
    pub balance: Routine,
    /// p, f, then the columns p_q, M, p_t, f_q, f_v, f_t, f_u.
    pub balance_jacobian: Routine,
    /// The columns of M, then F.
    pub equations: Routine,
    /// a, then the mask that says the pivots are safe; absent where a loop solves.
    pub acceleration: Option<Routine>,
    /// a, the columns a_q, a_v, a_t, a_u, then the mask; absent where a loop solves.
    pub acceleration_jacobian: Option<Routine>,
    /// The columns r_q, r_v, r_t, r_u of the residual, with a as an argument.
    pub residual_jacobian: Routine,
    /// The columns of the residual by each parameter, with a as an argument.
    pub residual_parameters: Routine,
    /// v + M⁻¹ (p − ∂L/∂v), with p as an argument, then the mask; absent where a loop solves.
    pub velocity_correction: Option<Routine>,
    /// h, then T and V where stated.
    pub energies: Routine,
    /// The terms of dh/dt.
    pub powers: Routine,
    /// All that `prepare` computes.
    pub preparation: Routine,
    /// The hoisted values, in the order of the preparation's outputs.
    pub hoisted: Vec<Value>,
}

impl Evaluations {
    /// Lowers all equations.
    pub fn new(graph: &mut Graph, equations: &Equations) -> Self {
        let mut builder = Builder::new();
        builder.plan(graph, &all_expressions(equations));
        let n = equations.momentum.len();
        let momentum = builder.lower_all(graph, &equations.momentum);
        let balance_values = builder.lower_all(graph, &equations.balance);
        let mass: Vec<Vec<Value>> = equations.mass.iter().map(|row| builder.lower_all(graph, row)).collect();
        let forcing = builder.lower_all(graph, &equations.forcing);
        let mass_columns: Vec<Value> = (0..n).flat_map(|j| mass.iter().map(move |row| row[j])).collect();

        let balance = Routine::new(&builder, &[momentum.clone(), balance_values.clone()].concat());
        let jacobian = &equations.jacobian;
        let mut outputs = [momentum.clone(), balance_values].concat();
        outputs.extend(lower_columns(&mut builder, graph, &jacobian.momentum_q));
        outputs.extend(&mass_columns);
        outputs.extend(builder.lower_all(graph, &jacobian.momentum_t));
        outputs.extend(lower_columns(&mut builder, graph, &jacobian.balance_q));
        outputs.extend(lower_columns(&mut builder, graph, &jacobian.balance_v));
        outputs.extend(builder.lower_all(graph, &jacobian.balance_t));
        outputs.extend(lower_columns(&mut builder, graph, &jacobian.balance_u));
        let balance_jacobian = Routine::new(&builder, &outputs);
        let equations_routine = Routine::new(&builder, &[mass_columns, forcing.clone()].concat());

        let mut acceleration = None;
        let mut acceleration_jacobian = None;
        let mut velocity_correction = None;
        if unrolled(n) {
            let factor = builder.factor(&mass);
            let solution = builder.solve(&factor, &forcing);
            let mut outputs = solution.clone();
            outputs.push(factor.safe);
            acceleration = Some(Routine::new(&builder, &outputs));

            let velocities: Vec<Value> =
                (0..n).map(|i| builder.push(Operation::Symbol(Symbol::Velocity(i as u32)))).collect();
            let mut differences = Vec::new();
            for (i, &p) in momentum.iter().enumerate() {
                let wanted = builder.push(Operation::Argument(i as u32));
                differences.push(builder.subtract(wanted, p));
            }
            let correction = builder.solve(&factor, &differences);
            let mut outputs: Vec<Value> = Vec::new();
            for (&velocity, correction) in velocities.iter().zip(correction) {
                outputs.push(builder.add(velocity, correction));
            }
            outputs.push(factor.safe);
            velocity_correction = Some(Routine::new(&builder, &outputs));

            let bindings: HashMap<Symbol, Value> =
                solution.iter().enumerate().map(|(i, &value)| (Symbol::Acceleration(i as u32), value)).collect();
            builder.bind(bindings);
            let residual = &equations.residual;
            let mut outputs = solution;
            let columns = residual.q.iter().chain(&residual.v).chain([&residual.t]).chain(&residual.u);
            for column in columns {
                let mut right = Vec::new();
                for &entry in column {
                    let value = builder.lower(graph, entry);
                    right.push(builder.negate(value));
                }
                outputs.extend(builder.solve(&factor, &right));
            }
            outputs.push(factor.safe);
            let routine = Routine::new(&builder, &outputs);
            if routine.count().total() <= UNROLLED_JACOBIAN {
                acceleration_jacobian = Some(routine);
            }
        }

        let arguments: HashMap<Symbol, Value> =
            (0..n as u32).map(|i| (Symbol::Acceleration(i), builder.push(Operation::Argument(i)))).collect();
        builder.bind(arguments);
        let residual = &equations.residual;
        let mut outputs = lower_columns(&mut builder, graph, &residual.q);
        outputs.extend(lower_columns(&mut builder, graph, &residual.v));
        outputs.extend(builder.lower_all(graph, &residual.t));
        outputs.extend(lower_columns(&mut builder, graph, &residual.u));
        let residual_jacobian = Routine::new(&builder, &outputs);
        let outputs = lower_columns(&mut builder, graph, &residual.parameters);
        let residual_parameters = Routine::new(&builder, &outputs);

        let energies: Vec<Id> =
            [Some(equations.energy), equations.kinetic, equations.potential].into_iter().flatten().collect();
        let outputs = builder.lower_all(graph, &energies);
        let energies = Routine::new(&builder, &outputs);
        let powers: Vec<Id> = equations.powers.iter().map(|power| power.value).collect();
        let outputs = builder.lower_all(graph, &powers);
        let powers = Routine::new(&builder, &outputs);

        let mut evaluations = Self {
            balance,
            balance_jacobian,
            equations: equations_routine,
            acceleration,
            acceleration_jacobian,
            residual_jacobian,
            residual_parameters,
            velocity_correction,
            energies,
            powers,
            preparation: Routine::preparation(&builder, &BTreeSet::new()),
            hoisted: Vec::new(),
            builder,
        };
        let hoisted: BTreeSet<Value> =
            evaluations.routines().flat_map(|(_, routine)| routine.hoisted.iter().copied()).collect();
        evaluations.preparation = Routine::preparation(&evaluations.builder, &hoisted);
        evaluations.hoisted = hoisted.into_iter().collect();
        evaluations
    }

    /// The routines of the contract with their names.
    pub fn routines(&self) -> impl Iterator<Item = (&'static str, &Routine)> {
        let optional = |name: &'static str, routine: &Option<Routine>| routine.as_ref().map(|_| name);
        let names = [
            optional("acceleration", &self.acceleration),
            optional("acceleration_jacobian", &self.acceleration_jacobian),
            optional("velocity_correction", &self.velocity_correction),
        ];
        let routines = [&self.acceleration, &self.acceleration_jacobian, &self.velocity_correction];
        names.into_iter().zip(routines).filter_map(|(name, routine)| Some((name?, routine.as_ref()?))).chain([
            ("equations", &self.equations),
            ("balance", &self.balance),
            ("balance_jacobian", &self.balance_jacobian),
            ("residual_jacobian", &self.residual_jacobian),
            ("residual_parameters", &self.residual_parameters),
            ("energies", &self.energies),
            ("powers", &self.powers),
        ])
    }

    /// Operation counts by name, `prepare` first.
    pub fn counts(&self) -> Vec<(&'static str, OperationCount)> {
        let mut counts = vec![("prepare", self.preparation.count())];
        counts.extend(self.routines().map(|(name, routine)| (name, routine.count())));
        counts
    }
}

/// Whether a dense factorisation of n rows is short enough to be written out.
fn unrolled(n: usize) -> bool {
    let n = n as u32;
    n * n * (n + 6) / 3 <= UNROLLED_FACTOR
}

fn lower_columns(builder: &mut Builder, graph: &mut Graph, columns: &[Vec<Id>]) -> Vec<Value> {
    columns.iter().flat_map(|column| builder.lower_all(graph, column)).collect()
}

/// Every expression that some evaluation needs, so that angles are planned for all of them together.
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
    let jacobian = &equations.jacobian;
    let matrices = [&jacobian.momentum_q, &jacobian.balance_q, &jacobian.balance_v, &jacobian.balance_u];
    all.extend(matrices.into_iter().flatten().flatten());
    all.extend(jacobian.momentum_t.iter().chain(&jacobian.balance_t));
    let residual = &equations.residual;
    let matrices = [&residual.q, &residual.v, &residual.u, &residual.parameters];
    all.extend(matrices.into_iter().flatten().flatten());
    all.extend(&residual.t);
    all
}
