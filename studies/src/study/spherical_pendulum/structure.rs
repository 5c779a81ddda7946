//! §1 and §2: what the discrete map conserves, and the pendulum in angles.

use super::{DURATION, STUDY, pendulum};
use crate::statements::spherical_pendulum as stated;
use crate::study::Finding;
use crate::study::motion::Motion;
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{SphericalPendulum, SphericalPendulumCartesian};
use lagrange_runtime::analysis::transition_matrix;
use lagrange_runtime::method::{DERIVATIVES, OnDuals};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (STUDY, "structure");

/// The step, s.
const STEP: f64 = 0.01;

/// The step over which derivatives are taken, s: a long one, at which a method that is not symplectic is seen.
const LONG_STEP: f64 = 0.1;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = pendulum().prepare::<f64>()?;
    let motion = Motion::<3>::integrate(&system, SphericalPendulumCartesian::pushed(), DURATION, &Rattle::new(STEP))?;
    let spin = |State { q, v, .. }: &State<f64, 3>| q[0] * v[1] - q[1] * v[0];
    let start = spin(&motion.states[0]);
    let relative = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
    let turned = relative(&mut motion.states.iter().map(|state| spin(state) / start - 1.0));
    let stretched = relative(&mut motion.states.iter().map(|state| state.q.norm() - 1.0));
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest change of the angular momentum about the vertical in 20 s, relative",
            "",
            Published::within("0", 1e-12).of(&stated::MOMENTUM),
            turned,
            "RATTLE, step 0.01 s, pushed sideways at 2 rad/s, 60° out of the vertical",
        ),
        Row::compared(
            PLACE,
            "largest error of the rod's length in 20 s",
            "m",
            Published::within("0", 1e-14).of(&stated::CONSTRAINT_KEPT),
            stretched,
            "as above",
        ),
        Row::compared(
            PLACE,
            "change of the symplectic form in a step of 0.1 s, variational midpoint rule",
            "",
            Published::within("0", 1e-12).of(&stated::SYMPLECTIC),
            change_of_form(&VariationalMidpoint::new(LONG_STEP))?,
            "largest element of Φᵀ Ω Φ − Ω in (q, v), relative to the largest of Ω; in angles",
        ),
        Row::ours(
            PLACE,
            "the same by RK4",
            "",
            change_of_form(&Rk4::new(LONG_STEP))?,
            "for comparison: a method that is not symplectic",
        )
        .beside(&stated::SYMPLECTIC),
        Row::compared(
            PLACE,
            "largest difference of the energies in angles and in Cartesian coordinates, relative",
            "",
            Published::within("0", 1e-13).of(&stated::IN_ANGLES),
            energies_in_angles()?,
            "T and V at 20 states",
        ),
    ]);
    Ok(())
}

/// How far one step of `method` over [`LONG_STEP`] changes dq ∧ dp: the largest element of Φᵀ Ω' Φ − Ω over the largest of Ω, where Ω is the
/// form in (q, v) at the start and Ω' at the end.
pub(in crate::study) fn change_of_form(method: &impl OnDuals<2, 0, DERIVATIVES>) -> Finding<f64> {
    let mechanism = SphericalPendulum::default();
    let start = SphericalPendulum::pushed();
    let (end, phi) = transition_matrix(&mechanism, &start, LONG_STEP, method, &Options::default())?;
    let phi = SMatrix::<f64, 4, 4>::from_fn(|row, column| phi[(row, column)]);
    let before = form(&mechanism, &start);
    let after = phi.transpose() * form(&mechanism, &end) * phi;
    Ok((after - before).amax() / before.amax())
}

/// dq ∧ dp in (θ, φ, θ̇, φ̇), with p_θ = m l² θ̇ and p_φ = m l² sin²θ φ̇.
fn form(SphericalPendulum { m, l, .. }: &SphericalPendulum, State { q, v, .. }: &State<f64, 2>) -> SMatrix<f64, 4, 4> {
    let (sine, cosine) = q[0].sin_cos();
    let inertia = m * l * l;
    let mut momenta = SMatrix::<f64, 2, 4>::zeros();
    momenta[(0, 2)] = inertia;
    momenta[(1, 3)] = inertia * sine * sine;
    momenta[(1, 0)] = 2.0 * inertia * sine * cosine * v[1];
    let coordinates = SMatrix::<f64, 2, 4>::identity();
    coordinates.transpose() * momenta - momenta.transpose() * coordinates
}

fn energies_in_angles() -> Finding<f64> {
    let none = SVector::zeros();
    let angles = SphericalPendulum { g: 9.8, ..SphericalPendulum::default() }.prepare::<f64>()?;
    let cartesian = pendulum().prepare::<f64>()?;
    let (mut difference, mut largest) = (0.0_f64, 0.0_f64);
    for index in 0..20 {
        let turn = 0.3 * f64::from(index);
        let (q, v) = (SVector::from([0.1 + turn, 2.0 * turn]), SVector::from([1.0 - turn, 0.5 * turn]));
        // Equations 17 and 18, with z upward.
        let ([sine, cosine], [s, c]) = ([q[0].sin(), q[0].cos()], [q[1].sin(), q[1].cos()]);
        let position = SVector::from([sine * c, sine * s, -cosine]);
        let velocity =
            SVector::from([cosine * c * v[0] - sine * s * v[1], cosine * s * v[0] + sine * c * v[1], sine * v[0]]);
        let (one, other) = (angles.energies(0.0, &q, &v, &none), cartesian.energies(0.0, &position, &velocity, &none));
        for (one, other) in [(one.kinetic, other.kinetic), (one.potential, other.potential)] {
            let (one, other) = (one.unwrap_or(f64::NAN), other.unwrap_or(f64::NAN));
            difference = difference.max((one - other).abs());
            largest = largest.max(other.abs());
        }
    }
    Ok(difference / largest)
}
