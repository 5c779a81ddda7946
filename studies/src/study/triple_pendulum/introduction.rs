//! What the paper says of symplectic methods without its composition, of compositions, and of the start.

use super::{DURATION, Pendulum, STEP, STUDY};
use crate::statements::triple_pendulum as stated;
use crate::study::Finding;
use crate::study::spherical_pendulum::structure::change_of_form;
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::TriplePendulumCartesian;
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (STUDY, "methods and start");

/// The allowed rounding of positions up to 3 m.
const ROUND_OFF: f64 = 1e-14;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = TriplePendulumCartesian::default().prepare::<f64>()?;
    let start = TriplePendulumCartesian::released();
    let multipliers = system.acceleration(start.t, &start.q, &start.v, &SVector::zeros())?.multipliers;
    let composed = Composition::kahan_li(ImplicitMidpoint::new(0.1));
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest ‖g‖ in 60 s, implicit midpoint rule with the multipliers of index 1",
            "m",
            Published::above("1e-14").of(&stated::DIRECT),
            direct(&system)?,
            "without the composition's impulses; q' = q + h v, v' = v + h a at the midpoint, which is the symplectic rule for a constant mass matrix",
        )
        .certain_digits(2),
        Row::compared(
            PLACE,
            "change of the symplectic form in 0.1 s by nine composed steps of the implicit midpoint rule",
            "",
            Published::within("0", 1e-12).of(&stated::COMPOSED),
            change_of_form(&composed)?,
            "largest element of Φᵀ Ω Φ − Ω in (q, v), relative to the largest of Ω; on the spherical pendulum in angles",
        ),
        Row::compared(
            PLACE,
            "norm of the multipliers at the start",
            "N",
            Published::within("0", ROUND_OFF).of(&stated::START_MULTIPLIERS),
            multipliers.norm(),
            "those of the equations of index 1; as the constraints are distances, each is a rod's force",
        ),
        Row::compared(
            PLACE,
            "norm of g at the start",
            "m",
            Published::within("0", ROUND_OFF).of(&stated::START),
            system.constraint(start.t, &start.q).value.norm(),
            "bobs at (1/2, −√3/2), (0, −√3), (0, −1 − √3) m",
        ),
    ]);
    Ok(())
}

/// The largest norm of g if the implicit midpoint rule is applied to q̇ = v, v̇ = a(q, v) with the reactions of index 1 in a, and nothing
/// else keeps the constraints.
fn direct(system: &Pendulum<'_>) -> Finding<f64> {
    let State { t, mut q, mut v } = TriplePendulumCartesian::released();
    let none = SVector::zeros();
    let mut largest = 0.0_f64;
    for _ in 0..(DURATION / STEP).round() as usize {
        let (mut middle, mut rate) = (q, v);
        // The iteration contracts by a third or better: h times the largest frequency, over 2.
        for _ in 0..100 {
            let acceleration = system.acceleration(t, &middle, &rate, &none)?.acceleration;
            let next = (q + STEP / 2.0 * rate, v + STEP / 2.0 * acceleration);
            let change = (next.0 - middle).amax() + (next.1 - rate).amax();
            (middle, rate) = next;
            if change <= 4.0 * f64::EPSILON * (middle.amax() + rate.amax()) {
                break;
            }
        }
        (q, v) = (2.0 * middle - q, 2.0 * rate - v);
        largest = largest.max(system.constraint(t, &q).value.norm());
    }
    Ok(largest)
}
