//! The derivatives of accelerations, multipliers and rates of a mechanism by the implicit function theorem: the rows of the
//! equations of motion vanish, with their derivatives on jets.

use super::bounded::Bounded;
use super::evaluate::{Context, Direction, Point};
use super::reference::{Row, Rows, Solver, residual_by};
use super::varied::{Constraint, Varied};

/// The infinitesimals of a row, of the motion and of a variable.
const ROW: usize = 1;
const PATH: usize = 2;
const COLUMN: usize = 4;

/// Points at which a number is larger are not compared.
const LARGEST: f64 = 1e8;

/// The solution of the equations at a point, and its derivatives.
pub(crate) struct Variation {
    /// The point, with the rates of states and of coordinates without inertia among its velocities.
    pub point: Point,
    /// Accelerations, where there is inertia, and rates, then multipliers.
    pub solution: Row,
    /// By each variable, in the order of a [`Direction`]: the derivatives of the solution.
    pub by: Vec<Row>,
}

/// The velocities along the path, the time, and accelerations.
fn path(point: &Point, acceleration: &[Bounded]) -> Direction {
    let n = point.q.len();
    let mut path = vec![Bounded::ZERO; point.variables()];
    for (step, &velocity) in path.iter_mut().zip(&point.v) {
        *step = Bounded::leaf(velocity);
    }
    path[point.time()] = Bounded::ONE;
    path[n..n + acceleration.len()].copy_from_slice(acceleration);
    path
}

/// A constraint's rate and what follows from it.
struct Restriction {
    gradient: Row,
    /// The second derivative of g, or the first of the rate, along the path.
    change: Bounded,
    change_by: Row,
    /// `[i][z]`.
    gradient_by: Vec<Row>,
}

impl Restriction {
    fn at(varied: &Varied, point: &Point, constraint: &Constraint, path: &Direction) -> Option<Self> {
        let (n, variables) = (point.q.len(), point.variables());
        let along: Vec<Direction> = (0..variables).map(|z| point.along(z)).collect();
        let mut usable = true;
        let mut rate = |directions: [&Direction; 3]| {
            let context = Context::new(&varied.mechanism, point, directions);
            let rate = match constraint {
                Constraint::Holonomic(row) => context.value(row).rate(),
                Constraint::Nonholonomic(row) => context.value(row),
            };
            usable &= rate.is_finite() && !context.is_on_switch();
            rate
        };
        let mut found = Self {
            gradient: vec![Bounded::ZERO; n],
            change: Bounded::ZERO,
            change_by: vec![Bounded::ZERO; variables],
            gradient_by: vec![vec![Bounded::ZERO; variables]; n],
        };
        for i in 0..n {
            for z in 0..variables {
                let jet = rate([&along[n + i], path, &along[z]]);
                found.gradient[i] = jet.0[ROW];
                found.gradient_by[i][z] = jet.0[ROW | COLUMN];
                found.change = jet.0[PATH];
                found.change_by[z] = jet.0[PATH | COLUMN];
            }
        }
        // The path itself changes with the velocities.
        for k in 0..n {
            let own = rate([&along[n + k], path, &along[k]]).0[COLUMN];
            found.change_by[n + k] = found.change_by[n + k] + own;
        }
        usable.then_some(found)
    }
}

impl Variation {
    /// The solution at a point. `None` on a kink, out of a domain, or where the equations are nearly singular.
    pub(crate) fn at(varied: &Varied, point: &Point) -> Option<Self> {
        let (n, heavy, stated) = (point.q.len(), varied.heavy, varied.stated());
        let rest: Direction = vec![Bounded::ZERO; point.variables()];
        let mut point = point.clone();
        let mut rates = Row::new();
        for (k, rate) in varied.states.iter().enumerate() {
            let context = Context::new(&varied.mechanism, &point, [&rest; 3]);
            rates.push(context.value(rate).0[0]);
            point.v[stated + k] = rates[k].value;
        }
        let point = super::without_inertia::with_rates(&varied.mechanism, heavy..stated, &point, varied.implicit)?;
        let rows = Rows::at(&varied.mechanism, &point)?;
        let at_rest = path(&point, &[]);
        let restrict = |path: &Direction| -> Option<Vec<Restriction>> {
            varied.constraints.iter().map(|constraint| Restriction::at(varied, &point, constraint, path)).collect()
        };
        let restrictions = restrict(&at_rest)?;
        let size = heavy + restrictions.len();
        let mut matrix = vec![vec![Bounded::ZERO; size]; size];
        let mut right = rows.forcing[..heavy].to_vec();
        #[allow(clippy::needless_range_loop, reason = "the index is that of several lists")]
        for i in 0..heavy {
            matrix[i][..heavy].copy_from_slice(&rows.mass[i][..heavy]);
            for (c, restriction) in restrictions.iter().enumerate() {
                matrix[i][heavy + c] = -restriction.gradient[i];
                matrix[heavy + c][i] = restriction.gradient[i];
            }
        }
        right.extend(restrictions.iter().map(|restriction| -restriction.change));
        let solved = Solver::new(&matrix)?.0.solve(&right);
        let (acceleration, multipliers) = solved.split_at(heavy);
        let mut solution = acceleration.to_vec();
        solution.extend(point.v[heavy..].iter().map(|&rate| Bounded::leaf(rate)));
        solution.extend_from_slice(multipliers);

        let along_path = path(&point, acceleration);
        let restrictions = restrict(&along_path)?;
        let (_, mut by) = residual_by(&varied.mechanism, &point, &rows, &along_path)?;
        for (i, row) in by.iter_mut().enumerate() {
            for (z, entry) in row.iter_mut().enumerate() {
                for (restriction, &multiplier) in restrictions.iter().zip(multipliers) {
                    *entry = *entry - multiplier * restriction.gradient_by[i][z];
                }
            }
        }
        // The rows of the states: the rate less its equation.
        for (k, rate) in varied.states.iter().enumerate() {
            #[allow(clippy::needless_range_loop, reason = "the index is that of several lists")]
            for z in 0..point.variables() {
                let along = point.along(z);
                let context = Context::new(&varied.mechanism, &point, [&rest, &rest, &along]);
                let change = context.value(rate);
                if !change.is_finite() || context.is_on_switch() {
                    return None;
                }
                let own = if z == n + stated + k { Bounded::ONE } else { Bounded::ZERO };
                by[stated + k][z] = own - change.0[COLUMN];
            }
        }
        by.extend(restrictions.iter().map(|restriction| restriction.change_by.clone()));

        let unknowns = n + restrictions.len();
        let mut matrix = vec![vec![Bounded::ZERO; unknowns]; unknowns];
        for (i, row) in matrix.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = match (i, j) {
                    (_, _) if (heavy..n).contains(&j) => by[i][n + j],
                    (_, _) if i < stated && j < heavy => rows.mass[i][j],
                    (_, _) if i >= n && j < heavy => restrictions[i - n].gradient[j],
                    (_, _) if i < stated && j >= n => -restrictions[j - n].gradient[i],
                    _ => Bounded::ZERO,
                };
            }
        }
        let solver = Solver::new(&matrix)?.0;
        // The rates of coordinates without inertia are known as well as their rows determine them.
        let mut terms = rows.forcing.clone();
        terms[stated..].copy_from_slice(&rates);
        terms.extend(restrictions.iter().map(|restriction| restriction.change));
        for (entry, found) in solution[heavy..stated].iter_mut().zip(&solver.solve(&terms)[heavy..]) {
            entry.bound += found.bound;
            // A rate that is the rounding of its terms has no digits, and so have the derivatives that contain it as a factor.
            if entry.value != 0.0 && entry.value.abs() < 1e-10 * entry.bound {
                return None;
            }
        }
        solution[stated..n].copy_from_slice(&rates);
        let by = (0..point.variables())
            .map(|z| solver.solve(&by.iter().map(|row| -row[z]).collect::<Row>()))
            .collect::<Vec<Row>>();
        let smooth = solution.iter().chain(by.iter().flatten()).all(|entry| entry.value.abs() < LARGEST);
        smooth.then_some(Self { point, solution, by })
    }
}
