//! Other crates, each by its own public interface and with its own step control.

use crate::curve::Way;
use crate::{Numbers, START};
use differential_equations::prelude::{ExplicitRungeKutta, IVP, ODE};
use diffsol::{NalgebraMat, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};
use ode_solvers::dop_shared::OutputType;
use ode_solvers::{Dop853, Dopri5, System, Vector4};

/// More steps than any of them takes.
const MAX_STEPS: u32 = 10_000_000;

/// Rates of angles and angular velocities.
trait Rates: Fn(&Numbers) -> Numbers + Copy {}

impl<F: Fn(&Numbers) -> Numbers + Copy> Rates for F {}

struct ForOdeSolvers<F>(F);

impl<F: Rates> System<f64, Vector4<f64>> for ForOdeSolvers<F> {
    fn system(&self, _: f64, y: &Vector4<f64>, rates: &mut Vector4<f64>) {
        *rates = Vector4::from((self.0)(&[y[0], y[1], y[2], y[3]]));
    }
}

struct ForDifferentialEquations<F>(F);

impl<F: Rates> ODE<f64, Numbers> for ForDifferentialEquations<F> {
    fn diff(&self, _: f64, y: &Numbers, rates: &mut Numbers) {
        *rates = (self.0)(y);
    }
}

fn diffsol_tsitouras(rates: impl Rates, tolerance: f64, t_end: f64) -> Option<Numbers> {
    let problem = OdeBuilder::<NalgebraMat<f64>>::new()
        .rtol(tolerance)
        .atol([tolerance])
        .rhs(move |y, _, _, out| out.copy_from_slice(&rates(&[y[0], y[1], y[2], y[3]])))
        .init(|_, _, y| y.copy_from_slice(&START), 4)
        .build()
        .ok()?;
    let mut solver = problem.tsit45().ok()?;
    solver.set_stop_time(t_end).ok()?;
    while !matches!(solver.step().ok()?, OdeSolverStopReason::TstopReached) {}
    let y = solver.state().y;
    Some([y[0], y[1], y[2], y[3]])
}

/// All crates on one right-hand side.
pub(crate) fn ways<'a>(what: &str, rates: impl Fn(&Numbers) -> Numbers + Copy + 'a) -> Vec<Way<'a>> {
    let start = Vector4::from(START);
    macro_rules! ode_solvers {
        ($name:literal, $method:ident: $beta:literal, $smallest:literal, $largest:literal) => {
            Way::new(format!("{}, {what}", $name), move |tolerance, t_end| {
                let rates = ForOdeSolvers(rates);
                // The crate's defaults, but for the number of steps, which would not do for 500 s.
                let mut solver = $method::from_param(
                    rates,
                    0.0,
                    t_end,
                    t_end,
                    start,
                    tolerance,
                    tolerance,
                    0.9,
                    $beta,
                    $smallest,
                    $largest,
                    t_end,
                    0.0,
                    MAX_STEPS,
                    1000,
                    OutputType::Sparse,
                );
                solver.integrate().ok()?;
                let y = solver.y_out().last()?;
                Some([y[0], y[1], y[2], y[3]])
            })
        };
    }
    macro_rules! differential_equations {
        ($name:literal, $method:ident) => {
            Way::new(format!("{}, {what}", $name), move |tolerance, t_end| {
                let system = ForDifferentialEquations(rates);
                let method =
                    ExplicitRungeKutta::$method().rtol(tolerance).atol(tolerance).max_steps(MAX_STEPS as usize);
                let solution = IVP::ode(&system, 0.0, t_end, START).method(method).solve().ok()?;
                solution.y.last().copied()
            })
        };
    }
    vec![
        ode_solvers!("ode_solvers, DOP853", Dop853: 0.0, 0.333, 6.0),
        ode_solvers!("ode_solvers, DOPRI5", Dopri5: 0.04, 0.2, 10.0),
        differential_equations!("differential-equations, DOP853", dop853),
        differential_equations!("differential-equations, Verner 9(8)", rkv988e),
        Way::new(format!("diffsol, Tsitouras 5(4), {what}"), move |tolerance, t_end| {
            diffsol_tsitouras(rates, tolerance, t_end)
        }),
    ]
}
