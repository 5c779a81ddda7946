//! The printed recursion of §2, equations 30 to 33, with γ as the root of a quadratic equation, with and without the hidden constraint.

use super::{DURATION, STUDY, pendulum, released};
use crate::statements::spherical_pendulum as stated;
use crate::study::Finding;
use crate::study::certain::side;
use crate::study::motion::Motion;
use lagrange_cli::analysis::trend::slope;
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (STUDY, "recursion");

/// The document's steps, s.
const STEPS: [(f64, &str); 3] = [(0.1, "0.1 s"), (0.01, "0.01 s"), (0.001, "0.001 s")];

/// How long a drift is looked for, s.
const LONG: f64 = 200.0;

/// The allowed difference of positions, m: rounding, which grows over 20 000 steps.
const ROUNDING: f64 = 1e-9;

/// The gravity on 1 kg, N.
const GRAVITY: f64 = 9.8;

type Vector = SVector<f64, 3>;

/// The positions and the velocities at each step of the printed recursion for m = l = 1, g(q) = |q|² − 1.
fn recursion(step: f64, duration: f64, hidden: bool) -> Vec<[Vector; 2]> {
    let h = step;
    let force = Vector::new(0.0, 0.0, -GRAVITY);
    let State { q, v: p, .. } = released();
    let (mut q, mut p) = (q, p);
    let mut points = vec![[q, p]];
    for _ in 0..(duration / step).round() as usize {
        // Equations 30 and 31: q' = a + c q with c = h² γ, and |q'| = 1.
        let a = q + h * (p + h / 2.0 * force);
        let (square, mixed, missing) = (q.norm_squared(), a.dot(&q), a.norm_squared() - 1.0);
        let c = -missing / (mixed + (mixed * mixed - square * missing).sqrt());
        let next = a + c * q;
        // Equation 32, with λ from q'·p' = 0.
        let half = (next - q) / h;
        let free = half + h / 2.0 * force;
        p = if hidden { free - next * (next.dot(&free) / next.norm_squared()) } else { free };
        q = next;
        points.push([q, p]);
    }
    points
}

/// The energy above that of the hinge, J.
fn energy([q, v]: &[Vector; 2]) -> f64 {
    v.norm_squared() / 2.0 + GRAVITY * q[2]
}

/// How much of the total energy the straight line through it loses in [`LONG`], relative to the range of the energy.
fn lost(points: &[[Vector; 2]], step: f64) -> f64 {
    let energies: Vec<f64> = points.iter().map(energy).collect();
    let line = slope(energies.iter().enumerate().map(|(index, energy)| [step * index as f64, *energy]));
    let range = energies.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        - energies.iter().copied().fold(f64::INFINITY, f64::min);
    -line * LONG / range
}

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = pendulum().prepare::<f64>()?;
    for (step, name) in STEPS {
        let with = recursion(step, DURATION, true);
        let without = recursion(step, DURATION, false);
        let rattle = Motion::<3>::integrate(&system, released(), DURATION, &Rattle::new(step))?;
        let largest = |differences: &mut dyn Iterator<Item = f64>| differences.fold(0.0, f64::max);
        let from_rattle =
            largest(&mut with.iter().zip(&rattle.states).map(|(point, state)| (point[0] - state.q).amax()));
        let between = largest(&mut with.iter().zip(&without).map(|(with, without)| (with[0] - without[0]).amax()));
        let rounding = |row: Row, ours: f64| if ours <= ROUNDING { row.certain("at most 10⁻⁹") } else { row };
        let quantity =
            format!("largest difference of the printed recursion's positions from RATTLE's in 20 s, step {name}");
        let published = Published::within("0", ROUNDING).of(&stated::RATTLE);
        report.rows.push(rounding(Row::compared(PLACE, quantity, "m", published, from_rattle, ""), from_rattle));
        let quantity = format!(
            "largest difference of the positions with and without the velocity's constraint in 20 s, step {name}"
        );
        let published = Published::above("1e-9").of(&stated::DISSIPATION);
        let note = "dissipation would make the two motions differ by more than rounding";
        report.rows.push(rounding(Row::compared(PLACE, quantity, "m", published, between, note), between));
    }
    let coarse = recursion(STEPS[0].0, LONG, false);
    let lost = lost(&coarse, STEPS[0].0);
    report.rows.push(
        Row::compared(
            PLACE,
            "energy lost in 200 s without the velocity's constraint over the range of the energy, step 0.1 s",
            "",
            Published::at_least("1").of(&stated::DISSIPATION),
            lost,
            "by the straight line through the energy; dissipation is read as a loss beyond the swing",
        )
        .certain(side(lost, 0.1)),
    );
    iteration_rows(report)
}

/// What a step costs: the root of a quadratic equation here, and iterations in general.
fn iteration_rows(report: &mut Report) -> Finding<()> {
    let system = pendulum().prepare::<f64>()?;
    let (step, name) = STEPS[1];
    let with = recursion(step, DURATION, true);
    let rattle = Motion::<3>::integrate(&system, released(), DURATION, &Rattle::new(step))?;
    let difference =
        with.iter().zip(&rattle.states).map(|(point, state)| (point[0] - state.q).amax()).fold(0.0, f64::max);
    let midpoint = Motion::<3>::integrate(&system, released(), DURATION, &VariationalMidpoint::new(step))?;
    let iterations = midpoint.statistics.iterations as f64 / midpoint.statistics.steps as f64;
    report.rows.extend([
        Row::compared(
            PLACE,
            format!("largest difference between γ from a quadratic equation and γ by iteration, in the positions in 20 s, step {name}"),
            "m",
            Published::within("0", ROUNDING).of(&stated::NO_ITERATION),
            difference,
            "equations 30 to 33 for this pendulum need no iteration",
        ),
        Row::compared(
            PLACE,
            format!("iterations of Newton's method a step, midpoint rule of equations 25 and 29, step {name}"),
            "",
            Published::within("0", 0.0).of(&stated::NO_ITERATION),
            iterations,
            "counted",
        )
        .certain(side(iterations, 1.0)),
    ]);
    Ok(())
}
