//! diffsol, by its public interface and with its own step control.

use crate::curve::{Curve, Point};
use crate::equations::Equations;
use diffsol::{
    NalgebraContext, NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeEquationsImplicit, OdeSolverMethod,
    OdeSolverProblem, OdeSolverStopReason,
};
use std::cell::RefCell;
use std::time::Instant;

type Matrix = NalgebraMat<f64>;
type Solver = NalgebraLU<f64>;

/// The seconds after which an integration is given up.
const PATIENCE: f64 = 4.0;

/// The columns of a Jacobian at the point where it was last computed. diffsol asks for products with unit vectors.
#[derive(Default)]
struct Columns {
    t: f64,
    y: Vec<f64>,
    columns: Vec<f64>,
}

impl Columns {
    fn product(&mut self, equations: &dyn Equations, t: f64, y: &[f64], vector: &[f64], product: &mut [f64]) {
        if self.t != t || self.y != y {
            self.columns.resize(y.len() * y.len(), 0.0);
            equations.jacobian(t, y, &mut self.columns);
            (self.t, self.y) = (t, y.to_vec());
        }
        product.fill(0.0);
        for (column, factor) in self.columns.chunks(y.len()).zip(vector).filter(|(_, factor)| **factor != 0.0) {
            product.iter_mut().zip(column).for_each(|(sum, entry)| *sum += entry * factor);
        }
    }
}

/// Steps to the end, and gives y there with the seconds of the steps.
fn stepped<'a, E: diffsol::OdeEquations<T = f64, V = NalgebraVec<f64>> + 'a>(
    mut solver: impl OdeSolverMethod<'a, E>,
    (size, end): (usize, f64),
) -> Option<(Vec<f64>, f64)> {
    let from = Instant::now();
    solver.set_stop_time(end).ok()?;
    let mut count = 0_u32;
    while !matches!(solver.step().ok()?, OdeSolverStopReason::TstopReached) {
        count += 1;
        if count.is_multiple_of(1000) && from.elapsed().as_secs_f64() > PATIENCE {
            return None;
        }
    }
    let seconds = from.elapsed().as_secs_f64();
    let state = solver.state();
    Some(((0..size).map(|i| state.y[i]).collect(), seconds))
}

/// One integration by each method.
fn run<E>(problem: &OdeSolverProblem<E>, method: usize, end: (usize, f64)) -> Option<(Vec<f64>, f64)>
where
    E: OdeEquationsImplicit<T = f64, V = NalgebraVec<f64>, M = Matrix, C = NalgebraContext>,
{
    match method {
        0 => stepped(problem.bdf::<Solver>().ok()?, end),
        1 => stepped(problem.tr_bdf2::<Solver>().ok()?, end),
        _ => stepped(problem.esdirk34::<Solver>().ok()?, end),
    }
}

/// The curves of its BDF, TR-BDF2 and ESDIRK34.
pub(crate) fn curves(
    equations: &dyn Equations,
    (start, end): (&[f64], f64),
    error: impl Fn(&[f64]) -> f64,
) -> Vec<Curve> {
    let mass = equations.mass();
    let names = ["diffsol BDF", "diffsol TR-BDF2", "diffsol ESDIRK34"];
    names
        .iter()
        .enumerate()
        .map(|(method, name)| {
            Curve::measure(name, |rtol| -> Option<Point> {
                let columns = RefCell::new(Columns::default());
                let builder = OdeBuilder::<Matrix>::new()
                    .rtol(rtol)
                    .atol([rtol * 1e-6])
                    .rhs_implicit(
                        |y: &[f64], _: &[f64], t, rates: &mut [f64]| equations.rates(t, y, rates),
                        |y: &[f64], _: &[f64], t, vector: &[f64], product: &mut [f64]| {
                            columns.borrow_mut().product(equations, t, y, vector, product);
                        },
                    )
                    .init(|_: &[f64], _, y: &mut [f64]| y.copy_from_slice(start), start.len());
                let (y, seconds) = match &mass {
                    None => {
                        let mut problem = builder.build().ok()?;
                        problem.ode_options.min_timestep = 1e-30;
                        run(&problem, method, (start.len(), end))?
                    }
                    Some(mass) => {
                        let mut problem = builder
                            .mass(|vector: &[f64], _: &[f64], _, beta, sum: &mut [f64]| {
                                for ((sum, vector), mass) in sum.iter_mut().zip(vector).zip(mass) {
                                    *sum = mass * vector + beta * *sum;
                                }
                            })
                            .build()
                            .ok()?;
                        problem.ode_options.min_timestep = 1e-30;
                        run(&problem, method, (start.len(), end))?
                    }
                };
                Some((error(&y), seconds))
            })
        })
        .collect()
}
