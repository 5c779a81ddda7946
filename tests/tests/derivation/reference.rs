//! The equations of design §2 at one point, each from its definition by derivatives of L, D and the forces on jets.

use super::bounded::Bounded;
use super::evaluate::{Context, Direction, Point};
use super::linear::{self, Matrix};
use super::tree::Mechanism;

/// The directions of the infinitesimals, in every context below.
const ROW: usize = 1;
const PATH: usize = 2;
const COLUMN: usize = 4;

/// Points at which M has a larger condition number or larger entries are not compared.
const LARGEST_CONDITION: f64 = 1e6;
const LARGEST: f64 = 1e9;

/// A vector.
pub(crate) type Row = Vec<Bounded>;

/// Every quantity of the contract.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub momentum: Row,
    /// `[i][z]`: by every variable, in the order of a [`Direction`].
    pub momentum_by: Vec<Row>,
    pub balance: Row,
    pub balance_by: Vec<Row>,
    pub forcing: Row,
    /// ∂(M a − F)/∂z with a held fixed.
    pub residual_by: Vec<Row>,
    pub acceleration: Row,
    pub acceleration_by: Vec<Row>,
    pub energy: Bounded,
    pub kinetic_and_potential: Option<(Bounded, Bounded)>,
    /// One per force, then dissipation, then time.
    pub powers: Row,
    /// M.
    pub mass: Matrix,
}

/// M⁻¹ x with a bound that holds whatever stable method solves, M itself known to its own bound.
pub(crate) struct Solver {
    inverse: Matrix,
    inverse_norm: f64,
    mass_bound: f64,
}

impl Solver {
    pub(crate) fn new(mass: &[Row]) -> Option<(Self, Matrix)> {
        let values: Matrix = mass.iter().map(|row| row.iter().map(|entry| entry.value).collect()).collect();
        if values.iter().flatten().any(|value| !value.is_finite()) {
            return None;
        }
        let inverse = linear::inverse(&values)?;
        let inverse_norm = linear::norm(&inverse);
        if inverse_norm * linear::norm(&values) > LARGEST_CONDITION {
            return None;
        }
        let bounds: Matrix = mass.iter().map(|row| row.iter().map(|entry| entry.bound).collect()).collect();
        let mass_bound = linear::norm(&bounds) + linear::norm(&values);
        Some((Self { inverse, inverse_norm, mass_bound }, values))
    }

    /// M⁻¹ x.
    pub(crate) fn solve(&self, right: &[Bounded]) -> Row {
        let values: Vec<f64> = right.iter().map(|entry| entry.value).collect();
        let solution = linear::times(&self.inverse, &values);
        let largest = solution.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        let right_bound = right.iter().fold(0.0, |largest: f64, entry| largest.max(entry.bound));
        let bound = self.inverse_norm * (right_bound + self.mass_bound * largest);
        solution.into_iter().map(|value| Bounded { value, bound }).collect()
    }
}

/// What stands in M a = F at a point.
pub(crate) struct Rows {
    /// M.
    pub mass: Vec<Row>,
    pub balance: Row,
    pub balance_by: Vec<Row>,
    pub forcing: Row,
    /// ∂D/∂v.
    lost: Row,
    /// The generalized forces, one row for each force.
    generalized: Vec<Row>,
    /// ∂L/∂t.
    explicit: Bounded,
}

impl Rows {
    /// The rows at a point, unless the point lies on a kink or out of a domain.
    pub(crate) fn at(mechanism: &Mechanism, point: &Point) -> Option<Self> {
        let n = point.q.len();
        let variables = point.variables();
        let time = point.time();
        let rest: Direction = vec![Bounded::ZERO; variables];
        let along: Vec<Direction> = (0..variables).map(|z| point.along(z)).collect();
        let mut usable = true;

        // Along the motion with a = 0: (∂p/∂q) v + ∂p/∂t.
        let mut path = rest.clone();
        for (step, &velocity) in path.iter_mut().zip(&point.v[..n]) {
            *step = Bounded::leaf(velocity);
        }
        path[time] = Bounded::ONE;
        let mut mass = vec![vec![Bounded::ZERO; n]; n];
        let mut transport = vec![Bounded::ZERO; n];
        for i in 0..n {
            for j in 0..n {
                let context = Context::new(mechanism, point, [&along[n + i], &path, &along[n + j]]);
                let lagrangian = context.lagrangian();
                usable &= lagrangian.is_finite() && !context.is_on_switch();
                mass[i][j] = lagrangian.0[ROW | COLUMN];
                transport[i] = lagrangian.0[ROW | PATH];
            }
        }
        if !usable {
            return None;
        }

        let mut balance = vec![Bounded::ZERO; n];
        let mut balance_by = vec![rest.clone(); n];
        let mut lost = vec![Bounded::ZERO; n];
        let forces = mechanism.single_forces();
        let mut generalized = vec![vec![Bounded::ZERO; n]; forces.len()];
        let mut explicit = Bounded::ZERO;
        for i in 0..n {
            for z in 0..variables {
                let context = Context::new(mechanism, point, [&along[i], &rest, &along[z]]);
                let lagrangian = context.lagrangian();
                let mut slope = lagrangian.0[ROW];
                let mut slope_by = lagrangian.0[ROW | COLUMN];
                usable &= lagrangian.is_finite() && lagrangian.0[0].value.abs() < LARGEST;
                if z == time {
                    explicit = lagrangian.0[COLUMN];
                }
                for (index, force) in forces.iter().enumerate() {
                    let (left, right) = context.force(force);
                    usable &= left.iter().chain(&right).all(super::jet::Jet::is_finite);
                    let pairs = || left.iter().zip(&right);
                    let component: Bounded = pairs().map(|(left, right)| left.0[ROW] * right.0[0]).sum();
                    let change: Bounded = pairs()
                        .map(|(left, right)| left.0[ROW | COLUMN] * right.0[0] + left.0[ROW] * right.0[COLUMN])
                        .sum();
                    generalized[index][i] = component;
                    slope = slope + component;
                    slope_by = slope_by + change;
                }
                usable &= !context.is_on_switch();
                let context = Context::new(mechanism, point, [&along[n + i], &rest, &along[z]]);
                let dissipation = context.dissipation();
                usable &= dissipation.is_finite() && !context.is_on_switch();
                lost[i] = dissipation.0[ROW];
                balance[i] = slope - lost[i];
                balance_by[i][z] = slope_by - dissipation.0[ROW | COLUMN];
            }
        }
        let forcing: Row = balance.iter().zip(&transport).map(|(&f, &transport)| f - transport).collect();
        if !usable || forcing.iter().any(|entry| entry.value.abs() > LARGEST || entry.value.is_nan()) {
            return None;
        }
        Some(Self { mass, balance, balance_by, forcing, lost, generalized, explicit })
    }

    /// The terms of dh/dt: one for each force, then dissipation, then time.
    pub(crate) fn powers(&self, point: &Point) -> Row {
        let along_velocity =
            |row: &Row| row.iter().zip(&point.v).map(|(&entry, &v)| entry * Bounded::leaf(v)).sum::<Bounded>();
        let mut powers: Row = self.generalized.iter().map(along_velocity).collect();
        powers.extend([-along_velocity(&self.lost), -self.explicit]);
        powers
    }
}

/// p and its derivatives.
pub(crate) struct Momentum {
    value: Row,
    /// `[i][z]`: by every variable.
    by: Vec<Row>,
}

/// p, and the derivatives of d/dt p − f by every variable along a motion, whose accelerations are held fixed.
pub(crate) fn residual_by(
    mechanism: &Mechanism,
    point: &Point,
    rows: &Rows,
    path: &Direction,
) -> Option<(Momentum, Vec<Row>)> {
    let (n, variables) = (point.q.len(), point.variables());
    let rest: Direction = vec![Bounded::ZERO; variables];
    let along: Vec<Direction> = (0..variables).map(|z| point.along(z)).collect();
    let mut momentum = Momentum { value: vec![Bounded::ZERO; n], by: vec![rest.clone(); n] };
    let mut residual_by = vec![rest; n];
    for i in 0..n {
        for z in 0..variables {
            let context = Context::new(mechanism, point, [&along[n + i], path, &along[z]]);
            let lagrangian = context.lagrangian();
            if !lagrangian.is_finite() {
                return None;
            }
            momentum.value[i] = lagrangian.0[ROW];
            momentum.by[i][z] = lagrangian.0[ROW | COLUMN];
            residual_by[i][z] = lagrangian.0[ROW | PATH | COLUMN] - rows.balance_by[i][z];
        }
        // The path's own v changes with v.
        for k in 0..n {
            residual_by[i][n + k] = residual_by[i][n + k] + momentum.by[i][k];
        }
    }
    Some((momentum, residual_by))
}

impl Reference {
    /// Everything at a point, unless the point lies on a kink, out of a domain, or where M is nearly singular.
    pub(crate) fn at(mechanism: &Mechanism, point: &Point) -> Option<(Self, Solver)> {
        let rows = Rows::at(mechanism, point)?;
        let n = point.q.len();
        let variables = point.variables();
        let rest: Direction = vec![Bounded::ZERO; variables];
        let mut path = rest.clone();
        for (step, &velocity) in path.iter_mut().zip(&point.v[..n]) {
            *step = Bounded::leaf(velocity);
        }
        path[point.time()] = Bounded::ONE;
        let (solver, mass_values) = Solver::new(&rows.mass)?;
        let acceleration = solver.solve(&rows.forcing);

        // Along the motion itself: d/dt p, and its change with each variable.
        path[n..n + n].copy_from_slice(&acceleration[..n]);
        let (momentum_at, residual_by) = residual_by(mechanism, point, &rows, &path)?;
        let Momentum { value: momentum, by: momentum_by } = momentum_at;
        let mut acceleration_by = vec![rest.clone(); n];
        for z in 0..variables {
            let right: Row = residual_by.iter().map(|row| -row[z]).collect();
            for (row, value) in acceleration_by.iter_mut().zip(solver.solve(&right)) {
                row[z] = value;
            }
        }

        let context = Context::new(mechanism, point, [&rest, &rest, &rest]);
        let velocity = |i: usize| Bounded::leaf(point.v[i]);
        let along_velocity = |row: &Row| (0..n).map(|i| row[i] * velocity(i)).sum::<Bounded>();
        let energy = along_velocity(&momentum) - context.lagrangian().0[0];
        let kinetic_and_potential = context.energies().map(|(kinetic, potential)| (kinetic.0[0], potential.0[0]));
        let powers = rows.powers(point);
        let Rows { balance, balance_by, forcing, .. } = rows;
        let reference = Self {
            momentum,
            momentum_by,
            balance,
            balance_by,
            forcing,
            residual_by,
            acceleration,
            acceleration_by,
            energy,
            kinetic_and_potential,
            powers,
            mass: mass_values,
        };
        Some((reference, solver))
    }
}
