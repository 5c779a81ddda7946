//! The solution of the equations for a and λ, by a bordered matrix or by a sparse elimination.

use super::lowering::Lowering;
use super::rows::Rows;
use crate::graph::{Graph, Id, Symbol};
use crate::mechanics::Equations;
use crate::program::border::Border;
use crate::program::linear::{LinearMap, right_hand_side};
use crate::program::{Builder, Factor, Layout, Operation, Part, Routine, Value};
use std::collections::HashMap;

/// A factorisation with more operations than this is a loop over a matrix instead.
const UNROLLED_FACTOR: u32 = 1500;

/// A linearization with more operations than this solves with loops instead.
const UNROLLED_JACOBIAN: u32 = 1500;

/// A large bordered system whose factorisation and solution take more operations than this is solved with loops.
const LONGEST_BORDERED: usize = 6000;

/// A sparse system whose solution takes more operations than this is solved as a dense one, with loops.
const LONGEST_SPARSE: usize = 20_000;

/// The evaluations that solve for a and λ. One that a loop computes is `None`.
#[derive(Default)]
pub(super) struct Solved {
    pub(super) acceleration: Option<Routine>,
    pub(super) acceleration_jacobian: Option<Routine>,
    pub(super) solution: Option<LinearMap>,
    pub(super) velocity_correction: Option<Routine>,
}

impl Lowering<'_> {
    /// The solution of the equations.
    pub(super) fn solved(&mut self, rows: &Rows) -> Solved {
        let mut solved = Solved::default();
        if let Some(border) = self.border(rows) {
            self.solve_bordered(&border, rows, &mut solved);
        }
        self.solve_sparse(rows, &mut solved);
        solved
    }

    /// Whether a solution by dense elimination is written out.
    fn is_short(&self) -> bool {
        unrolled(self.n + self.equations.constraints.len())
    }

    /// [M Gᵀ; G 0], if its solution is written out.
    fn border(&mut self, rows: &Rows) -> Option<Border> {
        let (constraints, is_singular) = (&self.equations.constraints, self.equations.singular_mass);
        if self.mass.is_empty() {
            return None;
        }
        if self.is_short() {
            return Some(Border::new(&mut self.builder, &self.mass, &rows.jacobian, is_singular));
        }
        if constraints.is_empty() || is_singular {
            return None;
        }
        let mut border = Border::new(&mut self.builder, &self.mass, &rows.jacobian, false);
        let work = border.reorder(&self.builder);
        (work <= LONGEST_BORDERED).then_some(border)
    }

    /// The solution by a bordered matrix.
    fn solve_bordered(&mut self, border: &Border, rows: &Rows, solved: &mut Solved) {
        let (n, c) = (self.n, self.equations.constraints.len());
        let (is_short, has_contacts) = (self.is_short(), !self.equations.contacts.is_empty());
        let mut free = Border::new(&mut self.builder, &self.mass, &[], false);
        if !is_short {
            free.reorder(&self.builder);
        }
        let mass_factor = free.factor(&mut self.builder);
        let factor = if c == 0 { mass_factor.clone() } else { border.factor(&mut self.builder) };
        let mut right = self.forcing.clone();
        for &value in &rows.curvature {
            right.push(self.builder.negate(value));
        }
        let unknowns = border.solve(&mut self.builder, &factor, &right);
        let (a, multipliers) = unknowns.split_at(n);
        let layout = Layout::default()
            .with(Part::Acceleration, a.iter().copied())
            .with(Part::Multipliers, multipliers.iter().copied());
        solved.acceleration = Some(self.routine(layout.clone().with(Part::Safe, [factor.safe])));
        if !self.equations.singular_mass {
            let corrected = velocity_correction_outputs(&mut self.builder, &self.start, |builder, differences| {
                (free.solve(builder, &mass_factor, differences), mass_factor.safe)
            });
            solved.velocity_correction = Some(self.routine(corrected));
        }
        if !is_short && !has_contacts {
            let right = right_hand_side(&mut self.builder, n, c);
            let any = border.solve(&mut self.builder, &factor, &right);
            solved.solution = LinearMap::split(&self.builder, &any, &right, [factor.safe]);
        }
        if is_short && !has_contacts {
            solved.acceleration_jacobian = self.acceleration_jacobian((border, &factor), &unknowns, layout);
        }
    }

    /// a and λ, which have this layout, with their derivatives. `None` where they take too many operations.
    fn acceleration_jacobian(
        &mut self,
        (border, factor): (&Border, &Factor),
        unknowns: &[Value],
        layout: Layout,
    ) -> Option<Routine> {
        let residual = self.equations.residual_jacobian.as_ref()?;
        let bindings: HashMap<Symbol, Value> =
            unknowns.iter().enumerate().map(|(i, &value)| (unknown(i, self.n), value)).collect();
        self.builder.bind(bindings);
        let mut solve = |columns: &[Vec<Id>]| {
            let mut solutions = Vec::new();
            for column in columns {
                let mut right = Vec::new();
                for &entry in column {
                    let value = self.builder.lower(self.graph, entry);
                    right.push(self.builder.negate(value));
                }
                solutions.extend(border.solve(&mut self.builder, factor, &right));
            }
            solutions
        };
        let layout = layout
            .with(Part::ByQ, solve(&residual.q))
            .with(Part::ByV, solve(&residual.v))
            .with(Part::ByT, solve(std::slice::from_ref(&residual.t)))
            .with(Part::ByU, solve(&residual.u))
            .with(Part::Safe, [factor.safe]);
        let routine = self.routine(layout);
        (routine.count().total() <= UNROLLED_JACOBIAN).then_some(routine)
    }

    /// The solution by the sparse elimination, where that takes fewer operations.
    fn solve_sparse(&mut self, rows: &Rows, solved: &mut Solved) {
        let equations = self.equations;
        let (n, c) = (self.n, equations.constraints.len());
        let sparse = equations.sparse_mass.as_ref().filter(|sparse| sparse.rows.len() == c);
        let Some(sparse) = sparse else { return };
        let Some(factor) = self.builder.factor_sparse(self.graph, sparse, true, LONGEST_SPARSE) else { return };
        let border: Vec<Value> = rows.curvature.iter().map(|&value| self.builder.negate(value)).collect();
        let solution = match sparse.drift.as_ref().filter(|_| factor.has_only_links()) {
            Some(drift) => {
                let forces = self.all(&drift.forces);
                self.builder.solve_sparse(&factor, (&forces, &border), true)
            }
            None => {
                let forces = match &sparse.forces {
                    Some(forces) => self.all(forces),
                    None => self.forcing.clone(),
                };
                self.builder.solve_sparse(&factor, (&forces, &border), false)
            }
        };
        let (a, multipliers) = self.split(&solution);
        let layout = Layout::default()
            .with(Part::Acceleration, a)
            .with(Part::Multipliers, multipliers)
            .with(Part::Safe, [factor.safe]);
        let routine = self.routine(layout);
        let dense = match &solved.acceleration {
            Some(dense) => dense.count().weight(),
            None => {
                // M is formed by the derivatives of p, one for each velocity.
                let [forcing, momentum] =
                    [&self.forcing, &self.momentum].map(|values| Routine::new(&self.builder, values).count().weight());
                forcing + dense_solve(n + c) + n as u32 * momentum
            }
        };
        if routine.count().weight() >= dense || routine.count().total() as usize > LONGEST_SPARSE {
            return;
        }
        solved.acceleration = Some(routine);
        let free = match c {
            0 => Some(factor.clone()),
            _ if equations.singular_mass => None,
            _ => self.builder.factor_sparse(self.graph, sparse, false, LONGEST_SPARSE),
        };
        if let Some(free) = free {
            let corrected = velocity_correction_outputs(&mut self.builder, &self.start, |builder, differences| {
                (builder.solve_sparse(&free, (differences, &[]), false), free.safe)
            });
            solved.velocity_correction = Some(self.routine(corrected));
        }
        if solved.acceleration_jacobian.is_none() && equations.contacts.is_empty() {
            let right = right_hand_side(&mut self.builder, n, c);
            let any = self.builder.solve_sparse(&factor, right.split_at(n), false);
            let (a, multipliers) = self.split(&any);
            solved.solution = LinearMap::split(&self.builder, &[a, multipliers].concat(), &right, [factor.safe]);
        }
    }

    /// a and λ of a solution for (a, −λ).
    fn split(&mut self, solution: &[Value]) -> (Vec<Value>, Vec<Value>) {
        let (a, opposite) = solution.split_at(self.n);
        (a.to_vec(), opposite.iter().map(|&value| self.builder.negate(value)).collect())
    }
}

/// Where the correction of a velocity starts: a velocity, and its momentum.
pub(super) struct CorrectionStart {
    velocity: Vec<Value>,
    momentum: Vec<Value>,
}

impl CorrectionStart {
    /// If M is constant and L is quadratic in the velocity, the momentum is affine in it, and every start leads to the same result. Then
    /// the start is rest.
    pub(super) fn new(builder: &mut Builder, graph: &mut Graph, equations: &Equations, momentum: &[Value]) -> Self {
        let symbols = (0..momentum.len() as u32).map(Symbol::Velocity);
        if equations.facts.constant_mass && equations.facts.quadratic {
            let zero = graph.zero();
            let rest: HashMap<Symbol, Id> = symbols.map(|velocity| (velocity, zero)).collect();
            let at_rest = graph.substitute(&equations.momentum, &rest);
            return Self { velocity: Vec::new(), momentum: builder.lower_all(graph, &at_rest) };
        }
        let velocity = symbols.map(|velocity| builder.push(Operation::Symbol(velocity))).collect();
        Self { velocity, momentum: momentum.to_vec() }
    }
}

/// The corrected velocity v + M⁻¹ (p − ∂L/∂v), with p as an argument.
fn velocity_correction_outputs(
    builder: &mut Builder,
    start: &CorrectionStart,
    solve: impl FnOnce(&mut Builder, &[Value]) -> (Vec<Value>, Value),
) -> Layout {
    let mut differences = Vec::new();
    for (i, &p) in (0..).zip(&start.momentum) {
        let wanted = builder.push(Operation::Argument(i));
        differences.push(builder.subtract(wanted, p));
    }
    let (mut corrected, safe) = solve(builder, &differences);
    for (corrected, &velocity) in corrected.iter_mut().zip(&start.velocity) {
        *corrected = builder.add(velocity, *corrected);
    }
    Layout::default().with(Part::Velocity, corrected).with(Part::Safe, [safe])
}

/// A lower bound on the cost of forming a dense matrix of n rows and solving with it, in units of an addition.
fn dense_solve(n: usize) -> u32 {
    let n = n as u32;
    n * n + n * n * (n + 6) / 3 + 8 * n
}

/// Whether a dense factorisation of n rows is short enough to be written out.
fn unrolled(n: usize) -> bool {
    let n = n as u32;
    n * n * (n + 6) / 3 <= UNROLLED_FACTOR
}

/// The symbol of the i-th unknown of the bordered system.
fn unknown(i: usize, n: usize) -> Symbol {
    if i < n { Symbol::Acceleration(i as u32) } else { Symbol::Multiplier((i - n) as u32) }
}
