//! Coordinates without inertia under dissipation that is not quadratic, against closed forms.

use lagrange_runtime::analysis::{adjoint_gradient, linearize};
use lagrange_runtime::ensemble::{Ensemble, Member};
use lagrange_runtime::error::{Failure, PivotOf};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual, Lanes};
use std::ops::ControlFlow;

fn tight<const N: usize>() -> Options<'static, f64, N> {
    Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() }
}

/// A capacitor that discharges through a resistor with the voltage r i³.
#[lagrangian {
    coordinates charge;
    kinetic     = 0;
    potential   = charge^2/(2*c);
    dissipation = r*dot(charge)^4/4;
    state heat: dot(heat) == r*dot(charge)^4;
    invariant total = charge^2/(2*c) + heat;
}]
#[derive(Clone, Debug)]
struct CubicDischarge {
    r: f64,
    c: f64,
}

const DISCHARGE: CubicDischarge = CubicDischarge { r: 2.5, c: 0.3 };

impl CubicDischarge {
    /// q = (q₀^(2/3) − 2/3 (r c)^(−1/3) t)^(3/2), from r (dq/dt)³ = −q/c.
    fn exact(&self, start: f64, t: f64) -> f64 {
        let rate = 2.0 / 3.0 / (self.r * self.c).cbrt();
        (start.powf(2.0 / 3.0) - rate * t).powf(1.5)
    }
}

#[test]
fn a_capacitor_discharges_through_a_cubic_resistor() {
    let system = DISCHARGE.prepare::<f64>().expect("the parameters are positive");
    let start = State::new(0.0, [0.0; 2], [0.8, 0.0]);
    let end = solve(&system, start, 0.6, &Dop853::new(), &tight()).expect("it is smooth").last().expect("an end");
    let exact = DISCHARGE.exact(0.8, 0.6);
    assert!((end.v[0] - exact).abs() < 1e-11, "{} {exact}", end.v[0]);
    let heat = (0.8_f64.powi(2) - exact * exact) / (2.0 * DISCHARGE.c);
    assert!((end.v[1] - heat).abs() < 1e-11, "{} {heat}", end.v[1]);
    let wrong = CubicDischarge { r: -1.0, ..DISCHARGE }.prepare::<f64>().expect_err("D is not convex");
    assert!(wrong.to_string().contains('r'), "{wrong}");
}

#[test]
fn methods_keep_their_orders_under_nonlinear_dissipation() {
    let system = DISCHARGE.prepare::<f64>().expect("the parameters are positive");
    let start = State::new(0.0, [1e5, 0.0], [0.8, 0.0]);
    let exact = DISCHARGE.exact(0.8, 0.4);
    let of = |h: f64| {
        let options = Options::default();
        let error = |solution: Solution<f64, 2>| (solution.last().expect("an end").v[0] - exact).abs();
        [
            error(solve(&system, start, 0.4, &Rk4::new(h), &options).expect("it is smooth")),
            error(solve(&system, start, 0.4, &Gauss::<f64, 2>::new(h), &options).expect("it is smooth")),
            error(solve(&system, start, 0.4, &Gauss::<f64, 3>::new(h), &options).expect("it is smooth")),
            error(solve(&system, start, 0.4, &VariationalMidpoint::new(h), &options).expect("it is smooth")),
        ]
    };
    let (coarse, fine) = (of(0.05), of(0.025));
    for (k, expected) in [4.0, 4.0, 6.0, 2.0].into_iter().enumerate() {
        let found = (coarse[k] / fine[k]).log2();
        assert!((found - expected).abs() < 0.3, "method {k}: {found} {:e}", fine[k]);
    }
}

#[test]
fn every_scalar_gives_the_rate_and_its_derivatives() {
    let CubicDischarge { r, c } = DISCHARGE;
    let rate = |q: f64| -(q / (r * c)).cbrt();
    let single = DISCHARGE.prepare::<f32>().expect("positive").acceleration_of(&State::new(0.0, [0.0; 2], [0.8, 0.0]));
    assert!((f64::from(single.expect("regular").acceleration[0]) - rate(0.8)).abs() < 4e-7);
    let wide = |x: f64| DoubleDouble::from_f64(x);
    let double = DISCHARGE.prepare::<DoubleDouble>().expect("positive");
    let found = double.acceleration_of(&State::new(wide(0.0), [wide(0.0); 2], [wide(0.8), wide(0.0)]));
    let w = found.expect("regular").acceleration[0];
    let left = wide(r) * w * w * w + wide(0.8) / wide(c);
    assert!(left.to_f64().abs() < 1e-29, "{:e}", left.to_f64());
    type Wide = Lanes<f64, 4>;
    let charges = [0.8, -0.3, 1e-9, 5e7];
    let lanes = DISCHARGE.prepare::<Wide>().expect("positive");
    let start = State::new(Wide::ZERO, [Wide::ZERO; 2], [Lanes(charges), Wide::ZERO]);
    let found = lanes.acceleration_of(&start).expect("regular").acceleration[0];
    for (lane, charge) in charges.into_iter().enumerate() {
        assert!((found.0[lane] - rate(charge)).abs() < 1e-14 * rate(charge).abs());
    }
    // w = −(q/(r c))^(1/3): first and second derivatives by q and r.
    type First = Dual<f64, 2>;
    type Second = Dual<First, 2>;
    let of = |value: f64, index: usize| Second::variable(First::variable(value, index), index);
    let constant = |value: f64| Second::constant(First::constant(value));
    let dual = CubicDischarge::prepare_from(&[of(r, 1), constant(c)], &SVector::from([])).expect("positive");
    let zero = constant(0.0);
    let found = dual.acceleration_of(&State::new(zero, [zero; 2], [of(0.8, 0), zero])).expect("regular");
    let (w, w0) = (found.acceleration[0], rate(0.8));
    let exact = [
        (w.derivatives[0].value, w0 / (3.0 * 0.8)),
        (w.derivatives[1].value, -w0 / (3.0 * r)),
        (w.derivatives[0].derivatives[0], -2.0 * w0 / (9.0 * 0.64)),
        (w.derivatives[0].derivatives[1], -w0 / (9.0 * 0.8 * r)),
        (w.derivatives[1].derivatives[1], 4.0 * w0 / (9.0 * r * r)),
    ];
    for (k, (found, exact)) in exact.into_iter().enumerate() {
        assert!((found - exact).abs() < 1e-14, "{k}: {found} {exact}");
    }
    let system = DISCHARGE.prepare::<f64>().expect("positive");
    let near = linearize(&system, &State::new(0.0, [0.0; 2], [0.8, 0.0]), &SVector::from([])).expect("smooth");
    assert!((near.a()[(0, 0)] - w0 / 2.4).abs() < 1e-14);
    assert!((near.a()[(1, 0)] - 4.0 * r * w0.powi(3) * w0 / 2.4).abs() < 1e-13);
}

/// A body without inertia in air that a force pulls: c |v| v = pull − k x.
#[lagrangian {
    coordinates x;
    kinetic     = 0;
    potential   = k*x^2/2;
    dissipation = c*abs(dot(x))^3/3;
    force x = pull*cos(t);
    output speed = dot(x);
    output change = dot(dot(x));
}]
#[derive(Clone, Debug)]
struct Drag {
    c: f64,
    k: f64,
    pull: f64,
}

#[test]
fn a_drag_of_third_degree_has_its_rate_also_at_rest() {
    let drag = Drag { c: 0.7, k: 2.0, pull: 3.0 };
    let system = drag.prepare::<f64>().expect("positive");
    let rate = |t: f64, x: f64| {
        let force = drag.pull * t.cos() - drag.k * x;
        force.signum() * (force.abs() / drag.c).sqrt()
    };
    for (t, x) in [(0.0, 0.0), (1.0, 0.3), (2.0, 1.0), (0.3, -40.0), (0.0, 1.5 - 2.0_f64.powi(-40))] {
        let state = State::new(t, [0.0], [x]);
        let found = system.acceleration_of(&state).expect("regular").acceleration[0];
        let exact = rate(t, x);
        assert!((found - exact).abs() < 1e-15 * (1.0 + exact.abs()), "{t} {x}: {found} {exact}");
        let outputs = system.outputs_of(&state);
        assert_eq!(outputs[0].1, found);
        // 2 c |w| dw/dt = −pull sin t − k w.
        let change = (-drag.pull * t.sin() - drag.k * exact) / (2.0 * drag.c * exact.abs());
        assert!((outputs[1].1 - change).abs() < 1e-9 * (1.0 + change.abs()), "{} {change}", outputs[1].1);
    }
    // The balance of forces: the body is at rest, and its rate has no finite derivative.
    let rest = State::new(0.0, [0.0], [1.5]);
    assert_eq!(system.acceleration_of(&rest).expect("the dissipation is strictly convex").acceleration[0], 0.0);
    let near = linearize(&system, &rest, &SVector::from([]));
    assert!(near.is_err() || near.is_ok_and(|near| !near.a()[(0, 0)].is_finite()));
}

/// A capacitor behind a source, a diode-like resistor with the current saturation (exp(u/slope) − 1), and a small resistor.
#[lagrangian {
    coordinates charge;
    let ratio = 1 + dot(charge)/saturation;
    kinetic     = 0;
    potential   = charge^2/(2*c);
    dissipation = slope*saturation*(ratio*ln(ratio) - ratio) + small*dot(charge)^2/2;
    force charge = source;
    output voltage = slope*ln(ratio) + small*dot(charge);
}]
#[derive(Clone, Debug)]
struct Diode {
    slope: f64,
    saturation: f64,
    small: f64,
    c: f64,
    #[input]
    source: f64,
}

const DIODE: Diode = Diode { slope: 0.025, saturation: 1e-9, small: 1e-3, c: 1e-3, source: 0.0 };

#[test]
fn a_diode_conducts_in_one_direction() {
    let system = Diode { small: 0.0, ..DIODE }.prepare::<f64>();
    assert!(system.is_ok(), "nothing asks for a positive resistance");
    let system = DIODE.prepare::<f64>().expect("positive");
    for tenths in -5..9 {
        let volts = f64::from(tenths) / 10.0;
        let state = State::new(0.0, [0.0], [0.0]);
        let u = SVector::from([volts]);
        let rate = system.acceleration(state.t, &state.q, &state.v, &u).expect("no pivot vanishes").acceleration[0];
        let back = DIODE.slope * (rate / DIODE.saturation).ln_1p() + DIODE.small * rate;
        // Near the saturation, the argument of the logarithm loses digits.
        let lost = DIODE.saturation / (DIODE.saturation + rate);
        assert!((back - volts).abs() < 1e-15 + 1e-17 * lost, "{volts}: {rate:e} {back:e}");
        let jacobian = system.acceleration_jacobian(state.t, &state.q, &state.v, &u).expect("no pivot vanishes");
        let slope = 1.0 / (DIODE.slope / (DIODE.saturation + rate) + DIODE.small);
        let error = 1e-12 + 1e-15 * lost;
        assert!((jacobian.acceleration_u[0] / slope - 1.0).abs() < error, "{volts}");
        assert!((jacobian.acceleration_v[0] * DIODE.c / slope + 1.0).abs() < error, "{volts}");
    }
}

/// The charge of the diode's capacitor by its current, stated explicitly: q = c (U − slope ln(1 + i/saturation) − small i), so that
/// di/dt follows from dq/dt = i.
#[lagrangian {
    coordinates none;
    kinetic = dot(none)^2/2;
    potential = 0;
    state i: dot(i) == -i/(c*(slope/(saturation + i) + small));
}]
#[derive(Clone, Debug)]
struct Current {
    slope: f64,
    saturation: f64,
    small: f64,
    c: f64,
}

#[test]
fn a_charging_capacitor_behind_a_diode_is_its_explicit_form() {
    let volts = 0.6;
    let system = Diode { source: volts, ..DIODE }.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0], [0.0]);
    let first = system.acceleration_of(&start).expect("regular").acceleration[0];
    let options = Options { rtol: 1e-12.into(), atol: 1e-18.into(), ..Options::default() };
    let end = solve(&system, start, 0.02, &Dop853::new(), &options).expect("smooth").last().expect("an end");
    let Diode { slope, saturation, small, c, .. } = DIODE;
    let explicit = Current { slope, saturation, small, c }.prepare::<f64>().expect("positive");
    let current = State::new(0.0, [0.0; 2], [0.0, first]);
    let options = Options { rtol: 1e-12.into(), atol: 1e-18.into(), ..Options::default() };
    let other = solve(&explicit, current, 0.02, &Dop853::new(), &options).expect("smooth").last().expect("an end");
    let i = other.v[1];
    let exact = c * (volts - slope * (i / saturation).ln_1p() - small * i);
    assert!((end.v[0] - exact).abs() < 1e-9 * exact, "{:e} {exact:e}", end.v[0]);
}

/// Two coupled dampers of fourth degree between a heavy body and light ones, with a heat that takes what they lose.
#[lagrangian {
    coordinates body, near, far;
    kinetic     = m*dot(body)^2/2;
    potential   = k*(body - near)^2/2 + k*far^2/2 + g*body;
    dissipation = a*(dot(near) - dot(far))^4/4 + b*(dot(near) + dot(far))^2/2 + d*abs(dot(far))^3/3
                + e*(dot(body) - dot(near))^2/2;
    force far = pull*sin(t);
    state heat: dot(heat) == a*(dot(near) - dot(far))^4 + b*(dot(near) + dot(far))^2 + d*abs(dot(far))^3
                           + e*(dot(body) - dot(near))^2;
    output rates = [dot(near), dot(far)];
}]
#[derive(Clone, Debug)]
struct Coupled {
    m: f64,
    k: f64,
    g: f64,
    a: f64,
    b: f64,
    d: f64,
    e: f64,
    pull: f64,
}

const COUPLED: Coupled = Coupled { m: 1.3, k: 4.0, g: 0.7, a: 0.9, b: 0.2, d: 0.6, e: 0.15, pull: 1.1 };

#[test]
fn coupled_dampers_balance_their_forces_and_the_power() {
    let p = COUPLED;
    let system = p.prepare::<f64>().expect("positive");
    let index = Coupled::INDEX;
    let mut start = State::new(0.4, [0.3, 0.0, 0.0, 0.0], [0.2, 0.5, -0.4, 0.0]);
    let (body, speed, near, far) = (0.3, 0.2, 0.5, -0.4);
    let found = system.acceleration_of(&start).expect("regular").acceleration;
    let (n, f) = (found[index.near], found[index.far]);
    let shear = p.a * (n - f).powi(3);
    let rows = [
        p.k * (body - near) - shear - p.b * (n + f) - p.e * (n - speed),
        -p.k * far + p.pull * 0.4_f64.sin() + shear - p.b * (n + f) - p.d * f.abs() * f,
    ];
    assert!(rows.iter().all(|row| row.abs() < 1e-14), "{rows:?}");
    assert!((found[0] - (-p.k * (body - near) - p.g - p.e * (speed - n)) / p.m).abs() < 1e-14);
    let powers = system.powers_of(&start);
    let lost = -p.a * (n - f).powi(4) - p.b * (n + f).powi(2) - p.d * f.abs().powi(3) - p.e * (speed - n).powi(2);
    for (name, exact) in [("dissipation", lost), ("far", p.pull * 0.4_f64.sin() * f)] {
        let power = powers.iter().find(|power| power.0 == name).expect("it is a term").1;
        assert!((power - exact).abs() < 1e-14, "{name}: {power} {exact}");
    }
    // dh/dt along the motion, and the derivatives of the accelerations, by dual numbers.
    type D = Dual<f64, 9>;
    let lifted = p.prepare::<D>().expect("positive");
    let mut along = D::constant(0.4);
    along.derivatives[8] = 1.0;
    let q = SVector::<D, 4>::from_fn(|i, _| {
        let mut value = D::variable(start.q[i], i);
        value.derivatives[8] = start.v[i];
        value
    });
    let v = SVector::<D, 4>::from_fn(|i, _| {
        let mut value = D::variable(start.v[i], 4 + i);
        value.derivatives[8] = found[i];
        value
    });
    let sum: f64 = powers.iter().map(|power| power.1).sum();
    let energy = lifted.energies(along, &q, &v, &SVector::from([])).energy;
    assert!((energy.derivatives[8] - sum).abs() < 1e-13, "{} {sum}", energy.derivatives[8]);
    let dual = lifted.acceleration(along, &q, &v, &SVector::from([])).expect("regular").acceleration;
    let jacobian = system.acceleration_jacobian(0.4, &start.q, &start.v, &SVector::from([])).expect("regular");
    for i in 0..4 {
        for j in 0..4 {
            assert!((dual[i].derivatives[j] - jacobian.acceleration_q[(i, j)]).abs() < 1e-12, "{i} {j}");
            assert!((dual[i].derivatives[4 + j] - jacobian.acceleration_v[(i, j)]).abs() < 1e-12, "{i} {j}");
        }
    }
    // Energy and heat are what the pull does.
    start.v[3] = 0.0;
    let options = tight();
    let end = solve(&system, start, 3.0, &Dop853::new(), &options).expect("it is regular").last().expect("an end");
    let gained = system.energies_of(&end).energy - system.energies_of(&start).energy + end.v[3];
    let steps = 20_000;
    let at = |k: i32| 0.4 + 2.6 * f64::from(k) / f64::from(steps);
    let eval: Vec<f64> = (0..=steps).map(at).collect();
    let dense = Options { t_eval: Some(&eval), ..tight() };
    let solution = solve(&system, start, 3.0, &Dop853::new(), &dense).expect("it is regular");
    let power: Vec<f64> =
        solution.states().map(|state| p.pull * state.t.sin() * system.outputs_of(&state)[1].1).collect();
    let ends = (power[0] + power[steps as usize]) / 2.0;
    let work = (power[1..steps as usize].iter().sum::<f64>() + ends) * 2.6 / f64::from(steps);
    assert!((gained - work).abs() < 1e-6, "{gained} {work}");
}

/// A resistor whose voltage falls with the current in a part of its range: D is not convex.
#[lagrangian {
    coordinates charge;
    kinetic     = 0;
    potential   = charge^2/(2*c);
    dissipation = r*dot(charge)^2/2 - fall*dot(charge)^3/3 + dot(charge)^4/4;
}]
#[derive(Clone, Debug)]
struct Falling {
    r: f64,
    fall: f64,
    c: f64,
}

#[test]
fn a_rate_that_is_not_unique_is_an_error_that_names_its_coordinate() {
    // r − 2 fall i + 3 i² has a zero where fall² > 3 r.
    let system = Falling { r: 0.2, fall: 1.2, c: 1.0 }.prepare::<f64>().expect("the signs are not restricted");
    let singular = |failure: Failure| match failure {
        Failure::SingularMass(singular) => assert_eq!(singular.of, PivotOf::Coordinate(0)),
        other => panic!("{other}"),
    };
    let start = State::new(0.0, [0.0], [-0.09]);
    singular(solve(&system, start, 1.0, &Rk4::new(0.1), &Options::default()).expect_err("it falls").error.failure);
    singular(solve(&system, start, 1.0, &Dop853::new(), &Options::default()).expect_err("it falls").error.failure);
    let gauss = Gauss::<f64, 2>::new(0.1);
    singular(solve(&system, start, 1.0, &gauss, &Options::default()).expect_err("it falls").error.failure);
    let text = solve(&system, start, 1.0, &Rk4::new(0.1), &Options::default()).expect_err("it falls").to_string();
    assert!(text.contains("the rate of state `charge` is not determined"), "{text}");
    // Where the characteristic is monotone, it has its rate.
    let system = Falling { r: 0.2, fall: 0.5, c: 1.0 }.prepare::<f64>().expect("the signs are not restricted");
    let rate = system.acceleration_of(&start).expect("it is unique").acceleration[0];
    assert!((0.2 * rate - 0.5 * rate * rate + rate.powi(3) - 0.09).abs() < 1e-15);
}

/// A resistor with the measured characteristic `drop`, and one with a law of the user's own.
#[lagrangian {
    coordinates first, second;
    table drop(x) = spline([-2, -1, 0, 1, 2], [-5, -2, 0, 2, 5]);
    extern law(x) = law, d(x) = voltage, d(x, x) = resistance;
    kinetic     = 0;
    potential   = first^2/(2*c) + second^2/(2*c);
    dissipation = law(dot(second)) + r*dot(second)^2/2;
    force first = -drop(dot(first));
}]
#[derive(Clone, Debug)]
struct Measured {
    c: f64,
    r: f64,
}

/// ∫ u di with u = 2 asinh(i), for any scalar.
fn law<R: Scalar>(i: R) -> R {
    let root = (R::ONE + i * i).sqrt();
    R::from_f64(2.0) * (i * (i + root).ln() - root)
}

fn voltage<R: Scalar>(i: R) -> R {
    R::from_f64(2.0) * (i + (R::ONE + i * i).sqrt()).ln()
}

fn resistance<R: Scalar>(i: R) -> R {
    R::from_f64(2.0) / (R::ONE + i * i).sqrt()
}

#[test]
fn tables_and_functions_of_the_user_are_characteristics() {
    let measured = Measured { c: 0.5, r: 0.1 };
    let system = measured.prepare::<f64>().expect("positive");
    for (first, second) in [(0.3, -0.2), (-0.9, 2.0), (4.0, 0.0)] {
        let state = State::new(0.0, [0.0; 2], [first, second]);
        let found = system.acceleration_of(&state).expect("regular").acceleration;
        let left = drop_by_hand(found[0]) + first / measured.c;
        assert!(left.abs() < 1e-14, "{left:e}");
        let left = 2.0 * found[1].asinh() + measured.r * found[1] + second / measured.c;
        assert!(left.abs() < 1e-14, "{left:e}");
    }
    let jacobian = system
        .acceleration_jacobian(0.0, &SVector::zeros(), &SVector::from([0.3, -0.2]), &SVector::from([]))
        .expect("regular");
    let i = jacobian.acceleration[1];
    let slope = -1.0 / (measured.c * (2.0 / (1.0 + i * i).sqrt() + measured.r));
    assert!((jacobian.acceleration_v[(1, 1)] - slope).abs() < 1e-14);
}

/// The odd natural spline through (0, 0), (1, 2), (2, 5) that is straight beyond 2. With the second derivatives 0, m, 0 at 0, 1, 2,
/// 4 m/6 = 5 − 2·2 + 0 gives m = 3/2.
fn drop_by_hand(i: f64) -> f64 {
    let (x, m) = (i.abs(), 1.5);
    let value = if x < 1.0 {
        2.0 * x + m * (x.powi(3) - x) / 6.0
    } else if x < 2.0 {
        let y = 2.0 - x;
        5.0 - 3.0 * y + m * (y.powi(3) - y) / 6.0
    } else {
        5.0 + (3.0 + m / 6.0) * (x - 2.0)
    };
    value.copysign(i)
}

#[test]
fn gradients_backward_and_ensembles_have_the_rate() {
    let system = DISCHARGE.prepare::<f64>().expect("positive");
    let start = State::new(0.0, [0.0; 2], [0.8, 0.0]);
    let solution = solve(&system, start, 0.3, &Rk4::new(0.01), &Options::default()).expect("smooth");
    let last = solution.len() - 1;
    let at_end = |k: usize, _: &State<f64, 2>| {
        let unit = SVector::from([f64::from(u8::from(k == last)), 0.0]);
        (SVector::zeros(), unit)
    };
    let method = Rk4::new(0.01);
    let found = adjoint_gradient(&DISCHARGE, &solution, &method, &[], at_end).expect("regular");
    // q_end^(2/3) = q₀^(2/3) − 2/3 t (r c)^(−1/3).
    let end = DISCHARGE.exact(0.8, 0.3);
    let (by_start, by_rate) = ((end / 0.8).cbrt(), end.cbrt() * 0.3 / (3.0 * (DISCHARGE.r * DISCHARGE.c).cbrt()));
    assert!((found.v[0] - by_start).abs() < 1e-8, "{} {by_start}", found.v[0]);
    for (k, parameter) in [DISCHARGE.r, DISCHARGE.c].into_iter().enumerate() {
        assert!((found.parameters[k] - by_rate / parameter).abs() < 1e-8, "{k}: {:?}", found.parameters);
    }
    let method = Rk4::new(0.01);
    let members =
        (0..11).map(|k| Member { mechanism: CubicDischarge { r: 1.0 + f64::from(k), ..DISCHARGE }, initial: start });
    let mut count = 0;
    Ensemble::new(&method, 0.3).with_threads(1).run(members, None, |trajectory| {
        let mechanism = CubicDischarge { r: 1.0 + trajectory.index as f64, ..DISCHARGE };
        let state = trajectory.result.expect("a motion").state;
        assert!((state.v[0] - mechanism.exact(0.8, 0.3)).abs() < 1e-7, "{}", trajectory.index);
        count += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(count, 11);
}

#[test]
fn a_rate_with_an_input_that_is_not_found_ends_the_motion() {
    // Beyond the saturation, nothing carries the current of a source of current.
    let system = Starved { saturation: 1.0, supply: 0.5 }.prepare::<f64>().expect("positive");
    let fails = |error: Failure| {
        assert!(matches!(error, Failure::NoAcceleration { coordinate: 0 } | Failure::NotFinite { .. }), "{error}");
    };
    let start = State::new(0.0, [0.0], [0.0]);
    let end = solve(&system, start, 0.4, &Rk4::new(0.1), &Options::default()).expect("the rate exists");
    assert!((end.last().expect("an end").v[0] - 0.4 * 0.5_f64.atanh()).abs() < 1e-14);
    let system = Starved { saturation: 1.0, supply: 1.5 }.prepare::<f64>().expect("positive");
    fails(solve(&system, start, 1.0, &Rk4::new(0.1), &Options::default()).expect_err("no rate").error.failure);
    fails(solve(&system, start, 1.0, &Dop853::new(), &Options::default()).expect_err("no rate").error.failure);
}

/// A coordinate that is driven against a resistance that saturates: saturation·tanh(w) = supply.
#[lagrangian {
    coordinates x;
    kinetic     = 0;
    potential   = 0;
    dissipation = saturation*ln(cosh(dot(x)));
    force x = supply;
}]
#[derive(Clone, Debug)]
struct Starved {
    saturation: f64,
    #[input]
    supply: f64,
}

/// The ladder of `circuits.rs` by the charges of its capacitors, with resistors whose voltage is r i + s i³: all rates depend on each other.
#[lagrangian {
    const n = 8;
    coordinates charge[8];
    let current[i in 0..n] = sum(j in 0..n, if j < i { 0 } else { dot(charge[j]) });
    kinetic     = 0;
    potential   = sum(i in 0..n, charge[i]^2/(2*c));
    dissipation = sum(i in 0..n, r*current[i]^2/2 + s*current[i]^4/4);
    force charge[i in 0..n] = source;
}]
#[derive(Clone, Debug)]
struct SteepLadder {
    r: f64,
    s: f64,
    c: f64,
    #[input]
    source: f64,
}

#[test]
fn eight_coupled_resistors_meet_kirchhoffs_laws() {
    let ladder = SteepLadder { r: 0.4, s: 3.0, c: 0.2, source: 5.0 };
    let system = ladder.prepare::<f64>().expect("positive");
    let charges: [f64; 8] = std::array::from_fn(|i| 0.1 * i as f64 - 0.3);
    let state = State::new(0.0, [0.0; 8], charges);
    let rates = system.acceleration_of(&state).expect("regular").acceleration;
    let mut before = ladder.source;
    for (i, charge) in charges.iter().enumerate() {
        // The voltage from node to node, and the current of all capacitors behind the resistor.
        let current: f64 = rates.iter().skip(i).sum();
        let volts = charge / ladder.c;
        let drop = ladder.r * current + ladder.s * current.powi(3);
        assert!((before - volts - drop).abs() < 1e-13, "{i}: {before} {volts} {drop}");
        before = volts;
    }
    let jacobian = system.acceleration_jacobian(0.0, &state.q, &state.v, &SVector::from([5.0])).expect("regular");
    let lifted = ladder.prepare::<Dual<f64, 1>>().expect("positive");
    for j in 0..8 {
        let v = SVector::<Dual<f64, 1>, 8>::from_fn(|i, _| Dual {
            value: charges[i],
            derivatives: [f64::from(u8::from(i == j))],
        });
        let (zero, u) = (Dual::constant(0.0), SVector::from([Dual::constant(5.0)]));
        let found = lifted.acceleration(zero, &SVector::repeat(zero), &v, &u).expect("regular").acceleration;
        for i in 0..8 {
            let (exact, found) = (found[i].derivatives[0], jacobian.acceleration_v[(i, j)]);
            assert!((exact - found).abs() < 1e-11 * (1.0 + exact.abs()), "{i} {j}: {found} {exact}");
        }
    }
}

/// Two light bodies in a stream: one with a drag of less than second degree, one on a rough belt whose friction is rounded.
#[lagrangian {
    coordinates slow, rough;
    kinetic     = 0;
    potential   = k*slow^2/2 + k*rough^2/2;
    dissipation = c*abs(dot(slow))^(3/2) + c*dot(rough)^2/2;
    friction belt: rough - belt*t = f, smooth = v0;
}]
#[derive(Clone, Debug)]
struct Stream {
    k: f64,
    c: f64,
    belt: f64,
    f: f64,
    v0: f64,
}

#[test]
fn drags_of_low_degree_and_rounded_friction_have_their_rates() {
    let p = Stream { k: 3.0, c: 0.7, belt: 0.4, f: 1.5, v0: 0.01 };
    let system = p.prepare::<f64>().expect("positive");
    for (slow, rough) in [(0.5, 0.2), (-2.0, -0.45), (0.0, 3.0)] {
        let state = State::new(0.0, [0.0; 2], [slow, rough]);
        let found = system.acceleration_of(&state).expect("regular").acceleration;
        let exact = -(p.k * slow / (1.5 * p.c)).powi(2).copysign(slow);
        assert!((found[0] - exact).abs() < 1e-14 * (1.0 + exact.abs()), "{slow}: {} {exact}", found[0]);
        let left = p.c * found[1] + p.f * ((found[1] - p.belt) / p.v0).tanh() + p.k * rough;
        assert!(left.abs() < 1e-13, "{rough}: {} {left:e}", found[1]);
    }
}
