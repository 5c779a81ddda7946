//! Motions at rest: the error of the motion is 0 in steps of any size, that of its derivatives is not.

use super::differences::within;
use lagrange_runtime::analysis::{LyapunovSpectrum, Shooting, Variable, sensitivities, transition_matrix};

use lagrange_runtime::method::{DERIVATIVES, Extrapolation, OnDuals};
use lagrange_runtime::nalgebra::DMatrix;
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;
use std::f64::consts::PI;

/// A mass on a spring.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2;
    force x = u;
}]
#[derive(Clone, Debug)]
pub(crate) struct Spring {
    pub(crate) m: f64,
    pub(crate) k: f64,
    #[input]
    pub(crate) u: f64,
}

/// The largest error of ∂(x, ẋ)/∂(u, x₀, ẋ₀) of a spring at rest, relative to the largest entry of its row.
fn error<I: OnDuals<1, 0, DERIVATIVES>>(method: &I, tolerance: f64, (m, k, t): (f64, f64, f64)) -> f64 {
    let spring = Spring { m, k, u: 0.0 };
    let variables = ["u", "x", "dot(x)"].map(|name| Variable::named(&spring, name).expect("known"));
    let start = State::new(0.0, [0.0], [0.0]);
    let found = sensitivities(&spring, &start, &[t], method, &within(tolerance), &variables).expect("no failure");
    let rate = (k / m).sqrt();
    let (s, c) = (rate * t).sin_cos();
    let exact = [[(1.0 - c) / k, s * rate / k], [c, -rate * s], [s / rate, c]];
    let size = [[1.0 / k, rate / k], [1.0, rate], [1.0 / rate, 1.0]];
    let mut largest = 0.0_f64;
    for (column, (exact, size)) in exact.iter().zip(size).enumerate() {
        for row in 0..2 {
            largest = largest.max((found.derivatives[0][(row, column)] - exact[row]).abs() / size[row]);
        }
    }
    largest
}

/// x = u (1 − cos ωt)/k, and cos ωt, sin ωt/ω of the initial values, by every kind of step control.
#[test]
fn derivatives_of_a_spring_at_rest_have_their_closed_forms() {
    let spring = (1.0, 100.0, 5.0);
    for tolerance in [1e-4, 1e-6, 1e-9, 1e-12] {
        let found = [
            ("DOP853", error(&Dop853::new(), tolerance, spring)),
            ("Dormand and Prince", error(&DormandPrince5::new(), tolerance, spring)),
            ("Extrapolation", error(&Extrapolation::new(), tolerance, spring)),
        ];
        for (name, error) in found {
            assert!(error < 300.0 * tolerance, "{name} within {tolerance:e}: {error:e}");
        }
    }
    // A control by an absolute limit knows nothing of derivatives either.
    let limited = Rkf45::new().with_energy_limit(1e-9);
    let error = error(&limited, 1e-9, spring);
    assert!(error < 1e-6, "{error:e}");
}

/// In any units of mass, time and length: the derivatives by the initial state do not know the unit of x, and that by u scales.
#[test]
fn derivatives_at_rest_do_not_depend_on_units() {
    for mass in [1e-12, 1.0, 1e12] {
        for time in [1e-12, 1e-6, 1.0, 1e6, 1e12] {
            let scaled = (mass, 100.0 * mass / (time * time), 5.0 * time);
            let error = error(&Dop853::new(), 1e-10, scaled);
            assert!(error < 1e-8, "unit of mass {mass:e}, of time {time:e}: {error:e}");
        }
    }
}

/// A fixed multiple of the period later all neighbours are where they were.
#[test]
fn the_transition_matrix_over_a_period_is_the_identity() {
    let spring = Spring { m: 1.0, k: 1.0, u: 0.0 };
    let start = State::new(0.0, [0.0], [0.0]);
    for periods in [1.0, 7.0] {
        let found = transition_matrix(&spring, &start, periods * 2.0 * PI, &Dop853::new(), &within(1e-12));
        let error = (found.expect("no failure").1 - DMatrix::identity(2, 2)).abs().max();
        assert!(error < 1e-10, "{error:e}");
    }
}

/// Kapitza's pendulum, whose pivot is shaken.
#[lagrangian {
    coordinates th;
    kinetic = dot(th)^2/2;
    potential = -(1 + a*cos(w*t))*g*cos(th);
    dissipation = c*dot(th)^2/2;
}]
#[derive(Clone, Debug)]
struct Kapitza {
    g: f64,
    a: f64,
    w: f64,
    c: f64,
}

/// It stands on its head. The multipliers of θ'' = (1 + a cos ωt) g θ − c θ' are from mpmath 1.3 (`odefun`, 30 digits).
#[test]
fn a_shaken_pendulum_stands_on_its_head() {
    let pendulum = Kapitza { g: 1.0, a: 60.0, w: 20.0, c: 0.1 };
    let search = Shooting::new(State::new(0.0, [3.0], [0.0]), 2.0 * PI / 20.0).with_fixed_period();
    let orbit = search.find(&pendulum, &Dop853::new(), &within(1e-12)).expect("it stands");
    assert!((orbit.start.q[0] - PI).abs() < 1e-9, "{orbit:?}");
    for multiplier in &orbit.multipliers {
        let error = (multiplier.re - 0.813_902_596_391_648_6).abs().max(multiplier.im.abs() - 0.553_746_322_689_138_8);
        assert!(error.abs() < 1e-9, "{:?}", orbit.multipliers);
    }
}

/// On a hill neighbours part at the rates ±√(−k/m).
#[test]
fn the_exponents_on_the_top_of_a_hill_are_its_rates() {
    let hill = Spring { m: 1.0, k: -4.0, u: 0.0 };
    let spectrum = LyapunovSpectrum::new(1.0, 20).with_transient(10);
    let found = spectrum.of(&hill, &State::new(0.0, [0.0], [0.0]), &DormandPrince5::new(), &within(1e-9));
    let found = found.expect("no failure");
    assert!((found[0] - 2.0).abs() < 1e-6 && (found[1] + 2.0).abs() < 1e-6, "{found:?}");
}

/// Three masses, springs between all of them, and friction.
#[lagrangian {
    coordinates x, y, z;
    kinetic = (m1*dot(x)^2 + m2*dot(y)^2 + m3*dot(z)^2)/2;
    potential = (k1*x^2 + k2*y^2 + k3*z^2 + a*(x - y)^2 + b*(y - z)^2)/2;
    dissipation = (c*dot(x)^2 + d*dot(z)^2)/2;
}]
#[derive(Clone, Debug)]
struct Chain {
    m1: f64,
    m2: f64,
    m3: f64,
    k1: f64,
    k2: f64,
    k3: f64,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
}

/// The exponential of the matrix of random linear equations, with masses and springs over six powers of ten.
#[test]
fn transition_matrices_at_rest_are_exponentials() {
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut size = || 10.0_f64.powf(random.between(-3.0, 3.0));
        let [m1, m2, m3, k1, k2, k3, a, b, c, d] = core::array::from_fn(|_| size());
        let (c, d) = (c * 0.1 * (k1 * m1).sqrt() / (1.0 + c), d * 0.1 * (k3 * m3).sqrt() / (1.0 + d));
        let chain = Chain { m1, m2, m3, k1, k2, k3, a, b, c, d };
        let stiffness = [[k1 + a, -a, 0.0], [-a, k2 + a + b, -b], [0.0, -b, k3 + b]];
        let (masses, friction) = ([m1, m2, m3], [c, 0.0, d]);
        let matrix = DMatrix::from_fn(6, 6, |i, j| match (i.checked_sub(3), j.checked_sub(3)) {
            (None, Some(j)) => f64::from(u8::from(i == j)),
            (None, None) => 0.0,
            (Some(i), None) => -stiffness[i][j] / masses[i],
            (Some(i), Some(j)) => -f64::from(u8::from(i == j)) * friction[i] / masses[i],
        });
        let fastest = (0..3).map(|i| (stiffness[i][i] / masses[i]).sqrt()).fold(0.0, f64::max);
        let end = 6.0 / fastest;
        let start = State::new(0.0, [0.0; 3], [0.0; 3]);
        let found = transition_matrix(&chain, &start, end, &Dop853::new(), &within(1e-11)).expect("no failure");
        let exact = (matrix * end).exp();
        for k in 0..6 {
            // q and v of a column have sizes of their own.
            for rows in [0..3, 3..6] {
                let size = rows.clone().map(|i| exact[(i, k)].abs()).fold(0.0, f64::max);
                for i in rows {
                    let error = (found.1[(i, k)] - exact[(i, k)]).abs();
                    assert!(error <= 1e-8 * size, "seed {seed}, entry ({i}, {k}): {error:e} of {size:e}");
                }
            }
        }
    }
}

/// A pendulum on a rod, and a mass of 1 on a spring. The mass m of the pendulum does not matter for either motion.
#[lagrangian {
    coordinates x, y, z;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + dot(z)^2/2;
    potential = m*g*y + k*z^2/2;
    constraint rod: norm([x, y]) == l;
}]
#[derive(Clone, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
    k: f64,
}

/// The derivatives of a motion that does not depend on a variable are rounding. Their errors are too, in steps of any size.
#[test]
fn derivatives_by_what_does_not_matter_cost_no_steps() {
    fn of<I>(method: &I, (m, g, l): (f64, f64, f64), tolerance: f64)
    where
        I: OnDuals<3, 1, DERIVATIVES>,
    {
        let rod = Rod { m, g, l, k: g / l };
        let start = State::new(0.0, [-0.6 * l, -0.8 * l, 0.3 * l], [0.4 * (g * l).sqrt(), -0.3 * (g * l).sqrt(), 0.0]);
        let options = SharedOptions { max_steps: Some(3000), rtol: tolerance, atol: 0.0, ..SharedOptions::default() };
        let mass = [Variable::Parameter(0)];
        let found = sensitivities(&rod, &start, &[3.0 * (l / g).sqrt()], method, &options, &mass);
        let case = format!("{} within {tolerance:e}, m = {m:e}", method.on_duals().name());
        let found = found.unwrap_or_else(|error| panic!("{case}: {error}")).derivatives.remove(0);
        for (i, entry) in found.iter().enumerate() {
            let size = if i < 3 { l } else { (g * l).sqrt() };
            assert!(entry.abs() < 1e-11 * size / m, "{case}: {found}");
        }
    }
    for tolerance in [1e-4, 1e-7, 1e-10] {
        for rod in [(1.3, 9.0, 1.0), (1e-6, 9.81, 1e-3), (3e5, 1.6, 70.0)] {
            of(&Dop853::new(), rod, tolerance);
            of(&Projected::new(DormandPrince5::new()), rod, tolerance);
            of(&Extrapolation::new(), rod, tolerance);
            of(&Radau5::new(), rod, tolerance);
        }
    }
}

/// A spherical pendulum in angles. At the start, the angle to the vertical is at rest, so that the other angle has no acceleration there.
#[lagrangian {
    coordinates theta, phi;
    kinetic   = m*l^2*(dot(theta)^2 + sin(theta)^2*dot(phi)^2)/2;
    potential = -m*g*l*cos(theta);
}]
#[derive(Clone, Debug)]
struct Spherical {
    m: f64,
    l: f64,
    g: f64,
}

/// What is 0 at the start of a step is not within it, and a mass of 1 has roundings in few states only.
#[test]
fn derivatives_by_a_mass_cost_no_steps_where_an_acceleration_begins_at_0() {
    fn of<I: OnDuals<2, 0, DERIVATIVES>>(method: &I, m: f64, tolerance: f64) {
        let pendulum = Spherical { m, l: 0.8, g: 9.81 };
        let start = State::new(0.0, [1.047, 0.0], [0.0, 2.0]);
        let options = SharedOptions { max_steps: Some(3000), ..within(tolerance) };
        let found = sensitivities(&pendulum, &start, &[2.0], method, &options, &[Variable::Parameter(0)]);
        let found =
            found.unwrap_or_else(|error| panic!("{} {tolerance:e}, m = {m:e}: {error}", method.on_duals().name()));
        let found = &found.derivatives[0];
        assert!(found.amax() < 1e-11 / m, "{tolerance:e}, m = {m:e}: {found}");
    }
    for tolerance in [1e-4, 1e-6, 1e-9, 1e-12] {
        for m in [1.0, 0.3, 1e-5, 7e4] {
            of(&Dop853::new(), m, tolerance);
            of(&DormandPrince5::new(), m, tolerance);
            of(&Extrapolation::new(), m, tolerance);
            of(&Esdirk4::new(), m, tolerance.max(1e-9));
        }
    }
}

/// A body that falls, and is shaken by a force that is small beside its weight.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = g*y;
    force y = -p*sin(w*t);
}]
#[derive(Clone, Debug)]
struct Shaken {
    g: f64,
    p: f64,
    w: f64,
}

/// A derivative by a small parameter is no rounding: ẏ = v − g t − p (1 − cos wt)/w.
#[test]
fn derivatives_by_small_parameters_keep_their_tolerance() {
    let (w, t) = (20.0, 3.0);
    for p in [1e-17, 1e-12, 1e-8, 1e-3] {
        for tolerance in [1e-6, 1e-9] {
            let shaken = Shaken { g: 9.81, p, w };
            let start = State::new(0.0, [1.0], [0.5]);
            let found =
                sensitivities(&shaken, &start, &[t], &Dop853::new(), &within(tolerance), &[Variable::Parameter(1)]);
            let found = found.expect("smooth").derivatives.remove(0);
            let expected = -(1.0 - (w * t).cos()) / w;
            assert!((found[(1, 0)] - expected).abs() < 100.0 * tolerance, "{p:e} {tolerance:e}: {found} {expected}");
        }
    }
}
