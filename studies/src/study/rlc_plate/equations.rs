//! The equations that the paper prints: its canonical form, the sign in equation 20, the symplectic scheme, and table 1's units.

use super::{Plate, STEP, STUDY};
use crate::statements::rlc_plate as stated;
use crate::study::Finding;
use crate::study::motion::{Motion, follow};
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::RlcPlate;
use lagrange_runtime::prelude::*;
use std::ops::ControlFlow;

const PLACE: (u32, &str) = (STUDY, "equations");

/// How long the equations are integrated with the printed sign, s.
const UNTIL: f64 = 0.3;

/// The charge is beyond all bounds from this multiple of its start.
const BEYOND: f64 = 1000.0;

/// A unit as powers of metre, kilogram, second and ampere.
type Unit = [i32; 4];

const JOULE: Unit = [2, 1, -2, 0];
const AMPERE: Unit = [0, 0, 0, 1];
const FARAD: Unit = [-2, -1, 4, 2];
const COULOMB: Unit = [0, 0, 1, 1];
const METRE: Unit = [1, 0, 0, 0];

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let plate = RlcPlate { e0: 1.0, ..RlcPlate::default() };
    let system = plate.prepare::<f64>()?;
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest difference of the Lagrange–Maxwell equations from the derived ones, relative",
            "",
            Published::within("0", 1e-13).of(&stated::EQUATIONS),
            equations(&plate, &system)?,
            "ṗ of both coordinates at the states of 1 s, relative to the largest",
        ),
        Row::compared(
            PLACE,
            "largest |bᵢaᵢⱼ + bⱼaⱼᵢ − bᵢbⱼ|, Gauss, 2 stages",
            "",
            Published::within("0", 1e-15).of(&stated::SYMPLECTIC),
            symplectic_defect(&gauss()),
            "the condition of a symplectic Runge–Kutta method",
        ),
        Row::compared(
            PLACE,
            "largest |bᵢaᵢⱼ + bⱼaⱼᵢ − bᵢbⱼ|, Radau IIA, 2 stages",
            "",
            Published::within("0", 1e-15).of(&stated::SYMPLECTIC),
            symplectic_defect(&RADAU),
            "an implicit scheme of the same form",
        ),
        Row::compared(
            PLACE,
            "time after which the charge exceeds a thousand times its start, by equation 20 as printed",
            "s",
            Published::at_least("0.3").of(&stated::SIGN),
            beyond_as_printed()?,
            "figure 3 shows the charge decay; equation 20 as printed is the circuit with −R",
        ),
        Row::compared(
            PLACE,
            "power of the ampere in the unit of L₁, from L₁ė²/2 as an energy, against that in the farad",
            "",
            Published::printed("2").of(&stated::UNIT),
            f64::from(over(JOULE, [AMPERE, AMPERE])[3]),
            &format!("F has A^{}", FARAD[3]),
        ),
        Row::compared(
            PLACE,
            "power of the second in the unit of (s − x) e²/(2A), against that in the joule",
            "",
            Published::printed("-2").of(&stated::PERMITTIVITY),
            f64::from(over(over(METRE.map(|power| -power), [COULOMB.map(|power| -power); 2]), [[0; 4]; 2])[2]),
            "s in m, A in m², e in C",
        ),
    ]);
    Ok(())
}

/// A unit over the product of two others.
fn over(unit: Unit, [one, other]: [Unit; 2]) -> Unit {
    std::array::from_fn(|power| unit[power] - one[power] - other[power])
}

/// The largest difference of the printed M q̈ = Q + ∂L/∂q − ∂F/∂q̇ from the derived equations, relative to the largest term.
fn equations(plate: &RlcPlate, system: &Plate<'_>) -> Finding<f64> {
    let RlcPlate { m, l, k, s, a, eps, r, e0, omega } = *plate;
    let motion = Motion::integrate(system, RlcPlate::released(), 1.0, &Gauss::<f64, 3>::new(STEP))?;
    let (mut difference, mut largest) = (0.0_f64, 0.0_f64);
    for State { t, q, v } in &motion.states {
        let derived = system.equations(*t, q, v, &SVector::zeros());
        let forces = [
            -k * q[0] + q[1] * q[1] / (2.0 * eps * a),
            e0 * (omega * t).sin() - r * v[1] - (s - q[0]) * q[1] / (eps * a),
        ];
        let inertias = [m, l];
        for index in 0..2 {
            difference = difference.max((forces[index] - derived.forcing[index]).abs());
            difference = difference.max((inertias[index] - derived.mass_matrix[(index, index)]).abs());
            largest = largest.max(forces[index].abs());
        }
    }
    Ok(difference / largest)
}

/// a and b of a Runge–Kutta method of 2 stages.
type Scheme = ([[f64; 2]; 2], [f64; 2]);

const RADAU: Scheme = ([[5.0 / 12.0, -1.0 / 12.0], [3.0 / 4.0, 1.0 / 4.0]], [3.0 / 4.0, 1.0 / 4.0]);

fn gauss() -> Scheme {
    let part = 3.0_f64.sqrt() / 6.0;
    ([[0.25, 0.25 - part], [0.25 + part, 0.25]], [0.5, 0.5])
}

fn symplectic_defect((a, b): &Scheme) -> f64 {
    let pairs = (0..2).flat_map(|i| (0..2).map(move |j| (i, j)));
    pairs.map(|(i, j)| (b[i] * a[i][j] + b[j] * a[j][i] - b[i] * b[j]).abs()).fold(0.0, f64::max)
}

/// When |e| first exceeds [`BEYOND`] times its start with the printed sign of ∂F/∂q̇, which is the circuit with −R, s; [`UNTIL`] if it does not.
fn beyond_as_printed() -> Finding<f64> {
    let printed = RlcPlate { r: -RlcPlate::default().r, ..RlcPlate::default() };
    let system = printed.prepare::<f64>()?;
    let start = RlcPlate::released();
    let mut reached = UNTIL;
    let mut watch = |step: &StepView<f64, 2>| {
        if step.end.q[1].abs() > BEYOND * start.q[1] {
            reached = step.end.t;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    follow(&system as &Plate<'_>, start, UNTIL, &Verner9::new(), &options, &mut watch)?;
    Ok(reached)
}
