//! Study 2 names the rigid pendulum in space as its next step: a unit quaternion under its constraint.

use super::{DURATION, STUDY};
use crate::statements::spherical_pendulum as stated;
use crate::study::Finding;
use crate::study::charts;
use crate::study::motion::Motion;
use lagrange_cli::analysis::decimate::extremes;
use lagrange_cli::report::Report;
use lagrange_cli::report::figure::{Figure, Section};
use lagrange_cli::report::number::shown;
use lagrange_cli::report::plot::{Axis, Chart, Curve, Style};
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{RegularRigidPendulum, RigidPendulum};
use lagrange_runtime::prelude::*;

const PLACE: (u32, &str) = (2, "rigid pendulum");

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let system = RegularRigidPendulum::default().prepare::<f64>()?;
    let initial = RigidPendulum::spinning();
    let coarse = Motion::<4>::integrate(&system, initial, DURATION, &Rattle::new(0.01))?;
    let fine = Motion::<4>::integrate(&system, initial, DURATION, &Rattle::new(0.005))?;
    let length = |state: &State<f64, 4>| (state.q.norm() - 1.0).abs();
    let error = |motion: &Motion<4>| motion.largest_energy_error();
    report.rows.push(Row::ours(
        PLACE,
        "largest |E − E(0)| in 20 s, RATTLE, step 0.01 s",
        "J",
        error(&coarse),
        "the document announces this pendulum and prints nothing of it",
    ));
    report.rows.extend([
        Row::compared(
            PLACE,
            "largest error of the quaternion's length in 20 s, step 0.01 s",
            "",
            Published::within("0", 1e-14).of(&stated::QUATERNION),
            coarse.states.iter().map(length).fold(0.0, f64::max),
            "to rounding",
        ),
        Row::compared(
            PLACE,
            "order of the largest |E − E(0)|, 0.01 s and 0.005 s",
            "",
            Published::within("2", 0.1).of(&stated::QUATERNION),
            (error(&coarse) / error(&fine)).log2(),
            "log₂ of the ratio",
        ),
    ]);
    let names = ["a", "b", "c", "d"];
    let styles = [Style::First, Style::Second, Style::Third, Style::Reference];
    let curve = |index: usize| {
        let points = extremes(coarse.coordinate(index), [0.0, DURATION], charts::BUCKETS);
        Curve::new(names[index], styles[index], points)
    };
    let time = || Axis::linear("time (s)").spanning(0.0, DURATION);
    let energy = extremes(coarse.energy_error(), [0.0, DURATION], charts::BUCKETS);
    report.sections.push(Section {
        id: "rigid-pendulum",
        study: STUDY,
        title: "Next step: a rigid body by a unit quaternion".to_owned(),
        setup: "Body of 1 kg, hinged 0.5 m above its centre of mass, 60° out of the vertical, spinning about its axis at 4 \
                rad/s; RATTLE, step 0.01 s. An inertia of the quaternion's length, which the constraint keeps from moving, makes the \
                mass matrix regular."
            .to_owned(),
        equations: Some(RegularRigidPendulum::EQUATIONS_TEXT),
        animation: None,
        figures: vec![Figure {
            title: "Orientation and energy error".to_owned(),
            charts: vec![
                Chart::new(time(), Axis::linear("quaternion"), (0..4).map(curve).collect()),
                Chart::new(
                    time(),
                    Axis::linear("E − E(0) (J)"),
                    vec![Curve::new("RATTLE, 0.01 s", Style::First, energy)],
                ),
            ],
            paper: "names the rigid pendulum by quaternions with the unit-norm constraint as its next step (§4).".to_owned(),
            ours: format!(
                "the length stays 1 to {}, the energy within {} J.",
                shown(coarse.states.iter().map(length).fold(0.0, f64::max), 2),
                shown(error(&coarse), 2)
            ),
        }],
    });
    Ok(())
}
