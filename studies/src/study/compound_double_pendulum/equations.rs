//! The printed equations of §3 and the printed coefficients of §4.3, against the derived equations and against Fehlberg's pair.

use super::STUDY;
use crate::statements::compound_double_pendulum as stated;
use crate::study::Finding;
use crate::study::motion::states_at;
use lagrange_cli::report::Report;
use lagrange_cli::report::row::{Published, Row};
use lagrange_models::{CompoundDoublePendulum, CompoundDoublePendulumWithDrag};
use lagrange_runtime::prelude::*;
use lagrange_runtime::tableau::fehlberg::RKF45;

const PLACE: (u32, &str) = (STUDY, "equations");

/// The allowed difference, relative to the largest of the compared values: some roundings of doubles.
const ROUNDING: f64 = 1e-13;

/// The drag with which forces are compared, N·s²/m³: the larger one of §6.
const DRAG: f64 = 0.1;

/// The compared states: 10 s of the motion from (45°, 0°), in which both rods turn back and forth.
const STATES: usize = 101;

type Pair = SVector<f64, 2>;

pub(in crate::study) fn run(report: &mut Report) -> Finding<()> {
    let pendulum = CompoundDoublePendulum::default();
    let system = pendulum.prepare::<f64>()?;
    let released = CompoundDoublePendulum::released_at_45_degrees();
    let times: Vec<f64> = (0..STATES).map(|index| 0.1 * index as f64).collect();
    let states = states_at(&system, released, &times, &Gauss::<f64, 6>::new(0.01), &Options::default())?;
    let none = SVector::zeros();

    let (mut energies, mut equations, mut accelerations) = (Worst::default(), Worst::default(), Worst::default());
    for State { t, q, v } in &states {
        let found = system.energies(*t, q, v, &none);
        let [kinetic, potential] = printed_energies(&pendulum, q, v);
        energies.compare(kinetic, found.kinetic.unwrap_or(f64::NAN));
        energies.compare(potential, found.potential.unwrap_or(f64::NAN));
        let derived = system.equations(*t, q, v, &none);
        let (a, b) = printed_equations(&pendulum, q, v);
        a.iter().zip(&derived.mass_matrix).for_each(|(printed, derived)| equations.compare(*printed, *derived));
        b.iter().zip(&derived.forcing).for_each(|(printed, derived)| equations.compare(*printed, *derived));
        let determinant = a[(0, 0)] * a[(1, 1)] - a[(0, 1)] * a[(1, 0)];
        let cramer = [b[0] * a[(1, 1)] - b[1] * a[(0, 1)], b[1] * a[(0, 0)] - b[0] * a[(1, 0)]];
        let acceleration = system.acceleration(*t, q, v, &none)?.acceleration;
        cramer.iter().zip(&acceleration).for_each(|(x, derived)| accelerations.compare(x / determinant, *derived));
    }
    let rounding = |quantity: &str, statement, worst: &Worst| {
        let published = Published::within("0", ROUNDING).of(statement);
        Row::compared(
            PLACE,
            quantity,
            "",
            published,
            worst.relative(),
            "101 states in 10 s from (45°, 0°); relative to the largest value",
        )
    };
    report.rows.extend([
        rounding("largest difference of the printed energies from the stated ones", &stated::ENERGIES, &energies),
        rounding("largest difference of the printed A and b from the derived ones", &stated::EQUATIONS, &equations),
        rounding("largest difference of Cramer's accelerations from the derived ones", &stated::CRAMER, &accelerations),
        Row::compared(
            PLACE,
            "largest difference of a printed coefficient of RKF45 from Fehlberg's",
            "",
            Published::within("0", 0.0).of(&stated::COEFFICIENTS),
            coefficient_difference(),
            "as doubles",
        ),
        Row::compared(
            PLACE,
            "trigonometric functions in equations 19 and 20 over those with different values",
            "",
            Published::above("1").of(&stated::SHARED_SINES),
            trigonometric_calls(),
            "cos(θ₂ − θ₁) twice, sin(θ₂ − θ₁) twice, sin θ₁, sin θ₂",
        ),
    ]);
    drag_rows(report, &states)
}

/// The largest difference of two values, and the largest of the values.
#[derive(Default)]
struct Worst {
    difference: f64,
    largest: f64,
}

impl Worst {
    fn compare(&mut self, printed: f64, derived: f64) {
        self.difference = self.difference.max((printed - derived).abs());
        self.largest = self.largest.max(derived.abs());
    }

    fn relative(&self) -> f64 {
        self.difference / self.largest
    }
}

/// T and V, equations 14 and 15.
fn printed_energies(pendulum: &CompoundDoublePendulum, q: &Pair, v: &Pair) -> [f64; 2] {
    let CompoundDoublePendulum { m1, m2, m3, l1, l2, g } = *pendulum;
    let kinetic = (l1 * l1 * (m1 + 3.0 * (m2 + m3)) * v[0] * v[0]
        + 3.0 * (m2 + 2.0 * m3) * l1 * l2 * v[0] * v[1] * (q[1] - q[0]).cos()
        + l2 * l2 * (m2 + 3.0 * m3) * v[1] * v[1])
        / 6.0;
    let potential = -g * (l2 * (m2 + 2.0 * m3) * q[1].cos() + l1 * (m1 + 2.0 * (m2 + m3)) * q[0].cos()) / 2.0;
    [kinetic, potential]
}

/// A and b, equations 19 and 20.
fn printed_equations(pendulum: &CompoundDoublePendulum, q: &Pair, v: &Pair) -> (SMatrix<f64, 2, 2>, Pair) {
    let CompoundDoublePendulum { m1, m2, m3, l1, l2, g } = *pendulum;
    let coupling = (m2 + 2.0 * m3) * l1 * l2 * (q[1] - q[0]).cos() / 2.0;
    let a = SMatrix::<f64, 2, 2>::new(
        (m1 + 3.0 * (m2 + m3)) * l1 * l1 / 3.0,
        coupling,
        coupling,
        (m2 + 3.0 * m3) * l2 * l2 / 3.0,
    );
    let sine = (q[1] - q[0]).sin();
    let b = [
        -(m1 / 2.0 + m2 + m3) * l1 * g * q[0].sin() + (m2 / 2.0 + m3) * l1 * l2 * v[1] * v[1] * sine,
        -l2 * (m2 / 2.0 + m3) * (g * q[1].sin() + l1 * v[0] * v[0] * sine),
    ];
    (a, b.into())
}

/// How many trigonometric functions equations 19 and 20 call, over how many have different values.
fn trigonometric_calls() -> f64 {
    // Each by its function and by the multiples of θ₁ and θ₂ in its argument: A₁₂, A₂₁, then b₁ and b₂.
    let calls = [("cos", -1, 1), ("cos", -1, 1), ("sin", 1, 0), ("sin", -1, 1), ("sin", 0, 1), ("sin", -1, 1)];
    let different: std::collections::BTreeSet<_> = calls.iter().collect();
    calls.len() as f64 / different.len() as f64
}

/// The largest difference between a coefficient as §4.3 prints it and Fehlberg's.
fn coefficient_difference() -> f64 {
    const NODES: [f64; 6] = [0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0];
    const STAGES: [&[f64]; 6] = [
        &[],
        &[1.0 / 4.0],
        &[3.0 / 32.0, 9.0 / 32.0],
        &[1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0],
        &[439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0],
        &[-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0],
    ];
    const FOURTH: [f64; 6] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0, 0.0];
    const FIFTH: [f64; 6] = [16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0];
    let mut largest: f64 = 0.0;
    for stage in 0..6 {
        let mut compare = |printed: f64, known: f64| largest = largest.max((printed - known).abs());
        compare(NODES[stage], RKF45.nodes[stage].value());
        compare(FOURTH[stage], RKF45.weights[stage].value());
        compare(FIFTH[stage], RKF45.embedded[stage].value());
        for (column, printed) in STAGES[stage].iter().enumerate() {
            compare(*printed, RKF45.coefficients[stage][column].value());
        }
    }
    largest
}

/// Equation 22: the force of the air on an element of a rod of the normal velocity `w`, per unit length.
fn printed_density(mu: f64, w: f64) -> f64 {
    -mu * w.powi(3) / w.abs()
}

/// The normal velocity at `x` along each rod (equations 24 and 27).
fn normal_velocities(x: f64, q: &Pair, v: &Pair) -> [f64; 2] {
    [x * v[0], x * v[1] + v[0] * (q[1] - q[0]).cos()]
}

/// Q'₁ and Q'₂ by equation 23 with equations 24 and 28 to 30, for rods of 1 m. Each integrand is a polynomial of degree 3 between the
/// ends of a rod and the point that moves along it, so that two nodes of Gauss are exact.
fn printed_forces(mu: f64, q: &Pair, v: &Pair) -> Pair {
    let cosine = (q[1] - q[0]).cos();
    let resting = (-v[0] * cosine / v[1]).clamp(0.0, 1.0);
    let mut forces = Pair::zeros();
    for [from, to] in [[0.0, resting], [resting, 1.0]] {
        for node in [-1.0, 1.0] {
            let x = (from + to) / 2.0 + node * (to - from) / (2.0 * 3.0_f64.sqrt());
            let weight = (to - from) / 2.0;
            if weight > 0.0 {
                let [upper, lower] = normal_velocities(x, q, v).map(|w| printed_density(mu, w));
                forces += weight * Pair::new(upper * x + lower * cosine, lower * x);
            }
        }
    }
    forces
}

fn drag_rows(report: &mut Report, states: &[State<f64, 2>]) -> Finding<()> {
    let with_drag =
        |mu| CompoundDoublePendulumWithDrag { mu, ..CompoundDoublePendulumWithDrag::default() }.prepare::<f64>();
    let (damped, free) = (with_drag(DRAG)?, with_drag(0.0)?);
    let inputs = damped.default_inputs();
    let mut worst = Worst::default();
    for State { t, q, v } in states.iter().filter(|state| state.v.amin() > 0.0) {
        let derived = damped.equations(*t, q, v, &inputs).forcing - free.equations(*t, q, v, &inputs).forcing;
        let printed = printed_forces(DRAG, q, v);
        printed.iter().zip(&derived).for_each(|(printed, derived)| worst.compare(*printed, *derived));
    }
    report.rows.push(Row::compared(
        PLACE,
        "largest difference of the printed forces of the air from the derived ones, moving",
        "",
        // The derived force is the difference of two forcings that are some hundred times larger.
        Published::within("0", 1e3 * ROUNDING).of(&stated::DRAG),
        worst.relative(),
        "μ = 0.1, the states of the motion from (45°, 0°) in which both rods move; relative to the largest force",
    ));
    let start = CompoundDoublePendulum::released_at_45_degrees();
    for (mu, statement) in [(DRAG, &stated::DRAG), (0.0, &stated::NO_DRAG)] {
        let densities = normal_velocities(0.5, &start.q, &start.v).map(|w| printed_density(mu, w));
        report.rows.push(Row::compared(
            PLACE,
            format!("rods on which the printed density is a number at the paper's start, at rest, μ = {mu}"),
            "",
            Published::printed("2").of(statement),
            densities.iter().filter(|density| density.is_finite()).count() as f64,
            "equations 22, 24 and 28 in the middle of each rod: 0/0",
        ));
    }
    Ok(())
}
