//! Coordinates without inertia against closed forms and matrix exponentials: circuits by charges, overdamped joints, point vortices,
//! drifts in magnetic fields and spins.

use super::circuits::{LADDER, flow, ladder};
use lagrange_models::PointVortices;
use lagrange_runtime::analysis::{EquilibriumSearch, linearize};
use lagrange_runtime::error::{Failure, PivotOf};
use lagrange_runtime::nalgebra::DVector;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use std::f64::consts::PI;

/// The ladder of `circuits.rs` by the charges of its capacitors. Through resistor i flow the currents of all capacitors from i on.
#[lagrangian {
    const n = 8;
    coordinates charge[8];
    let current[i in 0..n] = sum(j in 0..n, if j < i { 0 } else { dot(charge[j]) });
    kinetic     = 0;
    potential   = sum(i in 0..n, charge[i]^2/(2*c));
    dissipation = sum(i in 0..n, r*current[i]^2/2);
    force charge[i in 0..n] = source;
    output last = charge[7]/c;
    state heat: dot(heat) == sum(i in 0..n, r*current[i]^2);
}]
#[derive(Clone, Debug)]
struct Charges {
    r: f64,
    c: f64,
    #[input]
    source: f64,
}

const TIGHT: f64 = 1e-12;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: TIGHT.into(), atol: TIGHT.into(), ..Options::default() }
}

#[test]
fn a_ladder_by_charges_is_its_matrix_exponential() {
    let (a, b) = ladder();
    let (r, c) = (LADDER.r, LADDER.c);
    let system = Charges { r, c, source: 5.0 }.prepare::<f64>().expect("the parameters are positive");
    let volts = SVector::<f64, 8>::from_fn(|i, _| if i == 4 { 2.0 } else { 0.0 });
    let exact = flow(&a, &(b.column(0) * 5.0), &DVector::from_column_slice(volts.as_slice()), 0.05);
    let mut start = SVector::<f64, 9>::zeros();
    start.fixed_rows_mut::<8>(0).copy_from(&(volts * c));
    let options = Options { atol: 1e-18.into(), ..tight() };
    let state = State::new(0.0, SVector::zeros(), start);
    let near = |found: State<f64, 9>, error: f64| {
        let missed = (DVector::from_column_slice(&found.v.as_slice()[..8]) / c - &exact).amax();
        assert!(missed < error, "{missed:e}");
    };
    let end = solve(&system, state, 0.05, &Dop853::new(), &options).expect("it is linear").last().expect("an end");
    near(end, 1e-10);
    near(
        solve(&system, state, 0.05, &Gauss::<f64, 3>::new(1e-3), &options).expect("linear").last().expect("an end"),
        1e-9,
    );
    // The work of the source is the energy of the capacitors and the heat.
    let energy = |state: &State<f64, 9>| system.energies_of(state).energy;
    let work = 5.0 * (0..8).map(|i| end.v[i] - state.v[i]).sum::<f64>();
    let missed = work - (energy(&end) - energy(&state) + end.v[8]);
    assert!(missed.abs() < 1e-12 * work, "{missed:e} of {work:e}");
    let near = linearize(&system, &state, &SVector::from([0.0])).expect("it is linear");
    assert!((near.a().view((0, 0), (8, 8)) - a).amax() < 1e-9);
}

/// A pendulum in oil: no inertia.
#[lagrangian {
    coordinates theta;
    kinetic     = 0;
    potential   = -m*g*l*cos(theta);
    dissipation = c*dot(theta)^2/2;
    invariant motion = tan(theta/2)*exp(m*g*l*t/c);
}]
#[derive(Clone, Debug)]
struct Oil {
    m: f64,
    g: f64,
    l: f64,
    c: f64,
}

#[test]
fn an_overdamped_pendulum_has_its_closed_form() {
    let oil = Oil { m: 0.6, g: 9.8, l: 0.4, c: 3.0 };
    let rate = oil.m * oil.g * oil.l / oil.c;
    let system = oil.prepare::<f64>().expect("the parameters are positive");
    let start = State::new(0.0, [0.0], [2.5]);
    let solution = solve(&system, start, 3.0, &Dop853::new(), &tight()).expect("it is smooth");
    for state in solution.states() {
        let exact = 2.0 * ((1.25_f64).tan() * (-rate * state.t).exp()).atan();
        assert!((state.v[0] - exact).abs() < 1e-11);
    }
    // The event, the equilibrium and its eigenvalue know the angle as a state.
    let below = |_: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| v[0] - 1.0;
    let events = [Event::new(&below).terminal()];
    let crossing = Options { events: &events, ..tight() };
    let end = solve(&system, start, 3.0, &Dop853::new(), &crossing).expect("it is smooth").last().expect("an end");
    assert!((end.t - ((1.25_f64).tan() / (0.5_f64).tan()).ln() / rate).abs() < 1e-10);
    let rest = EquilibriumSearch::new([0.3], []).find(&system).expect("it hangs");
    let near = linearize(&system, &rest.state, &SVector::from([])).expect("it is smooth");
    assert_eq!(near.states(), ["theta"]);
    assert!((near.a()[(0, 0)] + rate).abs() < 1e-12);
}

#[test]
fn a_triangle_of_vortices_rotates_rigidly() {
    let mechanism = PointVortices { gamma: [2.0, 3.0, -0.7] };
    let side = 1.3;
    let system = mechanism.prepare::<f64>().expect("no strength is 0");
    let start = PointVortices::triangle(side);
    let corners = PointVortices::places(&start);
    let total: f64 = mechanism.gamma.iter().sum();
    let centre = [0, 1].map(|axis| (0..3).map(|k| mechanism.gamma[k] * corners[k][axis]).sum::<f64>() / total);
    let end = 2.0;
    let (sin, cos) = (mechanism.rotation(side) * end).sin_cos();
    let check = |found: State<f64, 6>, error: f64| {
        for (found, corner) in PointVortices::places(&found).iter().zip(corners) {
            let from = [corner[0] - centre[0], corner[1] - centre[1]];
            let exact = [centre[0] + cos * from[0] - sin * from[1], centre[1] + sin * from[0] + cos * from[1]];
            let missed = (found[0] - exact[0]).hypot(found[1] - exact[1]);
            assert!(missed < error, "{missed:e}");
        }
    };
    check(solve(&system, start, end, &Dop853::new(), &tight()).expect("smooth").last().expect("an end"), 1e-11);
    let gauss = Gauss::<f64, 3>::new(0.02);
    check(solve(&system, start, end, &gauss, &tight()).expect("smooth").last().expect("an end"), 1e-10);
    check(solve(&system, start, end, &Rk4::new(0.005), &tight()).expect("smooth").last().expect("an end"), 1e-9);
}

#[test]
fn vortices_collapse_and_stay_similar_to_themselves() {
    let system = PointVortices { gamma: [2.0, 2.0, -1.0] }.prepare::<f64>().expect("no strength is 0");
    let start = PointVortices::collapsing();
    let square = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2);
    let sides = |state: &State<f64, 6>| {
        let r = PointVortices::places(state);
        [square(r[0], r[1]), square(r[0], r[2]), square(r[1], r[2])]
    };
    let first = sides(&start);
    // By hand from the velocities of the first two: d(r₀₁²)/dt = −2√2/(3π), and all squares are proportional to 1 − t/τ.
    let tau = first[0] / (2.0 * 2.0_f64.sqrt() / (3.0 * PI));
    let end = solve(&system, start, 0.5 * tau, &Dop853::new(), &tight()).expect("smooth").last().expect("an end");
    for (before, after) in first.iter().zip(sides(&end)) {
        assert!((after - before / 2.0).abs() < 1e-10, "{after} {before}");
    }
}

#[test]
fn a_vortex_without_strength_is_refused() {
    let error = PointVortices { gamma: [1.0, 0.0, 2.0] }.prepare::<f64>().expect_err("a vortex without strength");
    assert!(error.to_string().contains("gamma[1]"), "{error}");
}

#[test]
fn a_value_in_the_place_of_the_hidden_coordinate_is_refused() {
    let system = Oil { m: 0.6, g: 9.8, l: 0.4, c: 3.0 }.prepare::<f64>().expect("the parameters are positive");
    let options = Options::default();
    let error =
        solve(&system, State::new(0.0, [2.5], [0.0]), 1.0, &Rk4::new(0.1), &options).expect_err("it is misplaced");
    assert_eq!(error.error.failure, Failure::MisplacedValue { coordinate: 0 });
    let text = error.to_string();
    assert!(text.contains("`theta` has no inertia") && text.contains("q[0]"), "{text}");
    solve(&system, State::new(0.0, [2.5], [0.1]), 1.0, &Rk4::new(0.1), &options).expect("a motion that goes on");
}

/// A guiding centre in a magnetic field B = b r₀/R around the axis z, with its velocity u along the field and its magnetic moment:
/// L = (e A + m u B/|B|)·ẋ − m u²/2 − μ|B| (Littlejohn 1983).
#[lagrangian {
    coordinates x[3], u;
    let r = norm([x[0], x[1]]);
    let field = b*r0/r;
    let along = [-x[1]/r, x[0]/r, 0];
    lagrangian = -e*b*r0*ln(r)*dot(x[2]) + m*u*inner(along, dot(x)) - m*u^2/2 - moment*field;
}]
#[derive(Clone, Debug)]
struct GuidingCentre {
    m: f64,
    e: f64,
    b: f64,
    r0: f64,
    moment: f64,
}

#[test]
fn a_guiding_centre_drifts_across_a_curved_field() {
    let centre = GuidingCentre { m: 1.3, e: 0.8, b: 2.5, r0: 1.5, moment: 0.2 };
    let system = centre.prepare::<f64>().expect("the field is there");
    let index = GuidingCentre::INDEX;
    let (r, u) = (1.7, 0.9);
    let mut v = SVector::<f64, 4>::zeros();
    (v[index.x[0]], v[index.x[1]], v[index.x[2]], v[index.u]) = (r, 0.0, 0.4, u);
    let end = solve(&system, State::new(0.0, SVector::zeros(), v), 3.0, &Dop853::new(), &tight())
        .expect("it is smooth")
        .last()
        .expect("an end");
    // The curvature and the gradient of the field drive the same drift along the axis.
    let field = centre.b * centre.r0 / r;
    let drift = (centre.m * u * u + centre.moment * field) / (centre.e * field * r);
    let exact = [r * (u / r * 3.0).cos(), r * (u / r * 3.0).sin(), 0.4 + drift * 3.0];
    for (index, exact) in index.x.iter().zip(exact) {
        assert!((end.v[*index] - exact).abs() < 1e-10, "{index}: {} {exact}", end.v[*index]);
    }
    assert!((end.v[index.u] - u).abs() < 1e-11);
}

/// A spin of length s in a field along z: L = s cos θ φ̇ + γ s B cos θ.
#[lagrangian {
    coordinates theta, phi;
    lagrangian = s*cos(theta)*dot(phi) + s*rate*cos(theta);
}]
#[derive(Clone, Debug)]
struct Spin {
    s: f64,
    rate: f64,
}

#[test]
fn a_spin_precesses_and_its_pole_is_named() {
    let system = Spin { s: 0.5, rate: 1.4 }.prepare::<f64>().expect("positive");
    let index = Spin::INDEX;
    let mut start = State::new(0.0, [0.0; 2], [0.0; 2]);
    start.v[index.theta] = 0.6;
    let end = solve(&system, start, 2.0, &Dop853::new(), &tight()).expect("it is smooth").last().expect("an end");
    assert!((end.v[index.theta] - 0.6).abs() < 1e-12 && (end.v[index.phi] + 1.4 * 2.0).abs() < 1e-11);
    // At the pole φ has no meaning, and nothing determines the velocities.
    start.v[index.theta] = 0.0;
    let singular = |failure: Failure| match failure {
        Failure::SingularMass(singular) => assert!(matches!(singular.of, PivotOf::Coordinate(_)), "{singular:?}"),
        other => panic!("{other}"),
    };
    singular(solve(&system, start, 2.0, &Dop853::new(), &tight()).expect_err("the pole").error.failure);
    singular(solve(&system, start, 2.0, &Rk4::new(0.1), &tight()).expect_err("the pole").error.failure);
    singular(solve(&system, start, 2.0, &Gauss::<f64, 2>::new(0.1), &tight()).expect_err("the pole").error.failure);
}

/// A charge that drifts in a trap, in a magnetic field that decays: d/dt (e b y) contains the decay.
#[lagrangian {
    coordinates x, y;
    lagrangian = e*b*y*dot(x) - k*(x^2 + y^2)/2;
    state b: dot(b) == -decay*b;
}]
#[derive(Clone, Debug)]
struct DecayingField {
    e: f64,
    k: f64,
    decay: f64,
}

#[test]
fn a_state_in_a_term_that_is_linear_in_velocities_changes_it() {
    let DecayingField { e, k, decay } = DecayingField { e: 0.8, k: 1.5, decay: 0.6 };
    let system = DecayingField { e, k, decay }.prepare::<f64>().expect("the parameters are positive");
    let (x, y, b) = (0.7, -0.4, 1.9);
    // e b dot(x) = k y, and e b dot(y) + e dot(b) y = −k x.
    let exact = [k * y / (e * b), -k * x / (e * b) + decay * y, -decay * b];
    let state = State::new(0.0, [0.0; 3], [x, y, b]);
    let found = system.acceleration_of(&state).expect("the field is there").acceleration;
    for i in 0..3 {
        assert!((found[i] - exact[i]).abs() < 1e-14, "{i}: {} {}", found[i], exact[i]);
    }
    let no_field = State::new(0.0, [0.0; 3], [x, y, 0.0]);
    let singular = system.acceleration_of(&no_field).expect_err("nothing determines the velocities");
    assert!(matches!(singular.of, PivotOf::Coordinate(0 | 1)), "{singular:?}");
    // h = k (x² + y²)/2 changes with the field: x dot(x) + y dot(y) = decay y².
    let powers = system.powers_of(&state);
    let sum: f64 = powers.iter().map(|power| power.1).sum();
    assert!((sum - k * decay * y * y).abs() < 1e-13, "{powers:?}");
}

/// A motor that turns a light shaft in oil, with a heavy pendulum on a spring at its other end: `shaft` has no inertia.
#[lagrangian {
    coordinates theta, shaft;
    kinetic     = m*l^2*dot(theta)^2/2;
    potential   = -m*g*l*cos(theta) + k*(theta - shaft)^2/2 - a*warmth*shaft;
    dissipation = (c + warmth^2)*dot(shaft)^2/2 + d*(dot(theta) - dot(shaft))^2/2;
    force shaft = torque*cos(t) - drag*dot(shaft);
    state warmth: dot(warmth) == c*dot(shaft)^2 - loss*warmth;
    output speed = dot(shaft);
}]
#[derive(Clone, Debug)]
struct Shaft {
    m: f64,
    l: f64,
    g: f64,
    k: f64,
    a: f64,
    c: f64,
    d: f64,
    drag: f64,
    loss: f64,
    torque: f64,
}

const SHAFT: Shaft =
    Shaft { m: 1.2, l: 0.7, g: 9.8, k: 6.0, a: 0.4, c: 0.8, d: 0.3, drag: 0.2, loss: 0.5, torque: 2.0 };

/// The rate of `shaft` by hand.
fn shaft_rate(t: f64, theta: f64, speed: f64, shaft: f64, warmth: f64) -> f64 {
    let s = SHAFT;
    let drive = s.k * (theta - shaft) + s.a * warmth + s.torque * t.cos() + s.d * speed;
    drive / (s.c + warmth * warmth + s.d + s.drag)
}

#[test]
fn a_light_shaft_obeys_its_equation_and_the_balance_of_power_closes() {
    let system = SHAFT.prepare::<f64>().expect("the parameters are positive");
    let index = Shaft::INDEX;
    assert_eq!((index.theta, index.shaft, index.warmth, Shaft::STATES), (0, 1, 2, 2));
    let state = State::new(0.3, [0.4, 7.0, -8.0], [1.1, 0.9, 0.6]);
    let (theta, speed, shaft, warmth) = (0.4, 1.1, 0.9, 0.6);
    let rate = shaft_rate(0.3, theta, speed, shaft, warmth);
    let s = SHAFT;
    let warming = s.c * rate * rate - s.loss * warmth;
    let exact = [
        (-s.m * s.g * s.l * f64::sin(theta) - s.k * (theta - shaft) - s.d * (speed - rate)) / (s.m * s.l * s.l),
        rate,
        warming,
    ];
    let found = system.acceleration_of(&state).expect("it is regular").acceleration;
    for i in 0..3 {
        assert!((found[i] - exact[i]).abs() < 1e-13, "{i}: {} {}", found[i], exact[i]);
    }
    assert!((system.outputs_of(&state)[0].1 - rate).abs() < 1e-14);
    let powers = system.powers_of(&state);
    let lost = -(s.c + warmth * warmth) * rate * rate - s.d * (speed - rate) * (speed - rate);
    let driven = (s.torque * 0.3_f64.cos() - s.drag * rate) * rate;
    let expected = [("shaft", driven), ("dissipation", lost), ("time", 0.0), ("warmth", -s.a * shaft * warming)];
    for ((name, power), (wanted, exact)) in powers.iter().zip(expected) {
        assert!(*name == wanted && (power - exact).abs() < 1e-13, "{name}: {power} {exact}");
    }
    // dh/dt along the motion, by dual numbers.
    let lifted = SHAFT.prepare::<Dual<f64, 1>>().expect("the parameters are positive");
    let along = |value: f64, rate: f64| Dual { value, derivatives: [rate] };
    let q = SVector::<Dual<f64, 1>, 3>::from_fn(|i, _| along(state.q[i], state.v[i]));
    let v = SVector::<Dual<f64, 1>, 3>::from_fn(|i, _| along(state.v[i], found[i]));
    let energy = lifted.energies(along(0.3, 1.0), &q, &v, &SVector::from([])).energy;
    let sum: f64 = powers.iter().map(|power| power.1).sum();
    assert!((energy.derivatives[0] - sum).abs() < 1e-12, "{} {sum}", energy.derivatives[0]);
}

#[test]
fn methods_keep_their_orders_with_coordinates_without_inertia() {
    let system = SHAFT.prepare::<f64>().expect("the parameters are positive");
    let start = State::new(0.0, [1.0, 1e6, 0.0], [0.3, 0.2, 0.5]);
    let end = |solution: Solution<f64, 3>| {
        let end = solution.last().expect("it has states");
        SVector::from([end.q[0], end.v[0], end.v[1], end.v[2]])
    };
    let exact = end(solve(&system, start, 1.0, &Dop853::new(), &tight()).expect("it is smooth"));
    let of = |h: f64| {
        let options = Options::default();
        let error = |solution: Solution<f64, 3>| (end(solution) - exact).amax();
        [
            error(solve(&system, start, 1.0, &Rk4::new(h), &options).expect("it is smooth")),
            error(solve(&system, start, 1.0, &Gauss::<f64, 2>::new(h), &options).expect("it is smooth")),
            error(solve(&system, start, 1.0, &VariationalMidpoint::new(h), &options).expect("it is smooth")),
        ]
    };
    let (coarse, fine) = (of(0.005), of(0.0025));
    for (k, expected) in [4.0, 4.0, 2.0].into_iter().enumerate() {
        let found = (coarse[k] / fine[k]).log2();
        assert!((found - expected).abs() < 0.15, "method {k}: {found}");
    }
}
