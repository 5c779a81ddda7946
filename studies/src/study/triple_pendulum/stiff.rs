//! §4, result 2: what the implicit midpoint rule does with stiff problems.

use super::STUDY;
use crate::statements::triple_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::more_than;
use crate::study::motion::Motion;
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (STUDY, "stiff problems");

/// A bob on an axle with a stiff spring and a damper: m ẍ = −k x − c ẋ.
#[lagrangian {
    coordinates x;

    kinetic     = m*dot(x)^2/2;
    potential   = k*x^2/2;
    dissipation = c*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct StiffSpring {
    /// Mass, kg.
    m: f64,
    /// Stiffness, N/m.
    k: f64,
    /// Damping, N·s/m.
    c: f64,
}

/// The step, s: the paper's.
const STEP: f64 = super::STEP;

/// How many steps are made.
const STEPS: f64 = 100.0;

/// How stiff the problems are: the step times the frequency, or times the rate of decay.
const STIFFNESS: f64 = 100.0;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let frequency = STIFFNESS / STEP;
    let spring = StiffSpring { m: 1.0, k: frequency * frequency, c: 0.0 }.prepare::<f64>()?;
    let damper = StiffSpring { m: 1.0, k: 0.0, c: frequency }.prepare::<f64>()?;
    let duration = STEPS * STEP;
    let swinging = State::new(0.0, [1.0], [0.0]);
    let moving = State::new(0.0, [0.0], [1.0]);
    let midpoint = ImplicitMidpoint::new(STEP);
    let largest = |motion: &Motion<1>| motion.states.iter().map(|state| state.q[0].abs()).fold(0.0, f64::max);
    let by_midpoint = largest(&Motion::integrate(&spring, swinging, duration, &midpoint)?);
    // Ten steps are enough: RK4 multiplies the deflection by some millions in each.
    let by_rk4 = largest(&Motion::integrate(&spring, swinging, 10.0 * STEP, &Rk4::new(STEP))?);
    let damped = Motion::<1>::integrate(&damper, moving, 10.0 * STEP, &midpoint)?;
    let left = damped.states[damped.states.len() - 1].v[0].abs();
    report.rows.extend([
        Row::compared(
            PLACE,
            "spring with h ω = 100: largest deflection in 100 steps over the first, implicit midpoint rule",
            "",
            Published::within("1", 0.01).of(&stated::STIFF),
            by_midpoint,
            "bounded; the midpoint rule shows another frequency than the spring's",
        ),
        Row::ours(PLACE, "the same by RK4 in 10 steps", "", by_rk4, "for comparison: an explicit method")
            .beside(&stated::STIFF)
            .certain(more_than(by_rk4)),
        Row::compared(
            PLACE,
            "damper with a rate of 100/h: velocity left after 10 steps over the first, implicit midpoint rule",
            "",
            Published::at_most("0.01").of(&stated::STIFF),
            left,
            "the true one is e^(−1000); the rule multiplies by (1 − 50)/(1 + 50) in a step",
        ),
    ]);
    Ok(())
}
