//! §4.1 and §4.3: what the paper says of methods below Verlet's order, and of the errors of single steps.

use super::{DURATION, STEP, STUDY};
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::{more_than, side};
use crate::study::motion::{Motion, end_of, end_with};
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::CompoundDoublePendulum;
use lagrange_runtime::evaluate::Accelerate;
use lagrange_runtime::method::{ExplicitStep, FixedStep};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (STUDY, "methods of low order");

/// Both compared steps of an order, s.
const STEPS: [f64; 2] = [1e-3, 5e-4];

/// The step whose single error is measured, s: long enough that rounding is small beside it.
const LONG_STEP: f64 = 0.01;

/// How many states are asked for the error of a step, and how far they are apart, s.
const STATES: (usize, f64) = (400, 0.05);

/// Euler's method: q' = q + h v, v' = v + h a.
#[derive(Clone, Copy, Debug)]
struct Euler;

impl ExplicitStep for Euler {
    const NAME: &'static str = "Euler";
    const ORDER: u32 = 1;

    fn step<R: Scalar, const N: usize>(
        _: &mut (impl Accelerate<R, N> + ?Sized),
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<State<R, N>, Failure> {
        Ok(State { t: end, q: state.q + state.v * h, v: state.v + acceleration * h })
    }
}

/// The Euler–Cromer method: v' = v + h a, q' = q + h v'.
#[derive(Clone, Copy, Debug)]
struct EulerCromer;

impl ExplicitStep for EulerCromer {
    const NAME: &'static str = "Euler–Cromer";
    const ORDER: u32 = 1;

    fn step<R: Scalar, const N: usize>(
        _: &mut (impl Accelerate<R, N> + ?Sized),
        state: &State<R, N>,
        acceleration: SVector<R, N>,
        h: R,
        end: R,
    ) -> Result<State<R, N>, Failure> {
        let v = state.v + acceleration * h;
        Ok(State { t: end, q: state.q + v * h, v })
    }
}

type Pendulum<'a> = dyn System<f64, 2, 0, 0> + 'a;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = CompoundDoublePendulum::default().prepare::<f64>()?;
    let system: &Pendulum<'_> = &system;
    let start = CompoundDoublePendulum::released_at_45_degrees();
    let euler = Motion::integrate(system, start, DURATION, &FixedStep::<f64, Euler>::new(STEP))?;
    let cromer = Motion::integrate(system, start, DURATION, &FixedStep::<f64, EulerCromer>::new(STEP))?;
    let verlet = Motion::integrate(system, start, DURATION, &Verlet::new(STEP))?;
    // The energy above rest, between which and 0 the potential energy stays.
    let rest = system.energies(0.0, &SVector::zeros(), &SVector::zeros(), &SVector::zeros()).energy;
    let available = euler.energy[0] - rest;
    report.rows.extend([
        Row::compared(
            PLACE,
            "Euler's largest |E − E(0)| in 500 s over the energy above rest",
            "",
            Published::above("1").of(&stated::EULER),
            euler.largest_energy_error() / available,
            "at 1 ms",
        )
        .certain(more_than(euler.largest_energy_error() / available)),
        Row::compared(
            PLACE,
            "Euler–Cromer's largest |E − E(0)| in 500 s over Verlet's",
            "",
            Published::above("1").of(&stated::EULER),
            cromer.largest_energy_error() / verlet.largest_energy_error(),
            "at 1 ms",
        )
        .certain(more_than(cromer.largest_energy_error() / verlet.largest_energy_error())),
        Row::compared(
            PLACE,
            "Euler–Cromer: how far E moves from the first to the last tenth of 500 s, over its range in the first",
            "",
            Published::above("1").of(&stated::EULER),
            cromer.accumulation(),
            "above 1 the error accumulates",
        )
        .certain(more_than(cromer.accumulation())),
    ]);
    let orders = [
        order(system, &|h| end_of(system, start, 1.0, &FixedStep::<f64, Euler>::new(h)))?,
        order(system, &|h| end_of(system, start, 1.0, &FixedStep::<f64, EulerCromer>::new(h)))?,
        order(system, &|h| end_of(system, start, 1.0, &Verlet::new(h)))?,
    ];
    report.rows.push(Row::compared(
        PLACE,
        "order of Verlet less the larger of the orders of Euler and Euler–Cromer",
        "",
        Published::above("0.5").of(&stated::VERLET),
        orders[2] - orders[0].max(orders[1]),
        "log₂ of the ratio of the errors after 1 s at 1 ms and 0.5 ms",
    ));
    for (name, start) in [("(45°, 0°)", start), ("(180°, 179°)", CompoundDoublePendulum::released_near_the_top())] {
        let orders = spread_of_errors(system, start)?;
        report.rows.push(Row::compared(
            PLACE,
            format!("largest error of a step of 10 ms by RK4 over the smallest, from {name}"),
            "orders",
            Published::at_least("2").of(&stated::ERROR_OF_STATES),
            orders,
            "log₁₀ of the ratio of the errors in one step from 400 states in 20 s, against Verner's 9(8); several is read as two or more",
        )
        .certain(side(orders, 4.0)));
    }
    Ok(())
}

fn tight() -> Options<'static, f64, 2> {
    Options { rtol: 1e-14.into(), atol: 1e-14.into(), ..Options::default() }
}

/// log₂ of the ratio of the errors after 1 s at both [`STEPS`].
fn order(system: &Pendulum<'_>, end: &dyn Fn(f64) -> Finding<State<f64, 2>>) -> Finding<f64> {
    let exact = end_with(system, CompoundDoublePendulum::released_at_45_degrees(), 1.0, &Verner9::new(), &tight())?;
    let error = |h| -> Finding<f64> { Ok((end(h)?.q - exact.q).amax()) };
    Ok((error(STEPS[0])? / error(STEPS[1])?).log2())
}

/// log₁₀ of the ratio of the largest and the smallest error of one step of [`LONG_STEP`] by RK4, over the states of a motion.
fn spread_of_errors(system: &Pendulum<'_>, start: State<f64, 2>) -> Finding<f64> {
    let (count, apart) = STATES;
    let (mut state, mut least, mut greatest) = (start, f64::INFINITY, 0.0_f64);
    for _ in 0..count {
        state = end_with(system, State { t: 0.0, ..state }, apart, &Verner9::new(), &tight())?;
        let from = State { t: 0.0, ..state };
        let exact = end_with(system, from, LONG_STEP, &Verner9::new(), &tight())?;
        let found = end_of(system, from, LONG_STEP, &Rk4::new(LONG_STEP))?;
        let error = (found.q - exact.q).amax().max((found.v - exact.v).amax());
        (least, greatest) = (least.min(error), greatest.max(error));
    }
    Ok((greatest / least).log10())
}
