//! Periodic orbits from many guesses, and what is none.

use lagrange_runtime::analysis::{AnalysisError, PeriodicOrbit, Shooting};
use lagrange_runtime::method::DERIVATIVES;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use lagrange_tests::random::Random;
use std::f64::consts::PI;

type Two = Dual<f64, DERIVATIVES>;

/// Relative tolerances, with absolute ones for coordinates and velocities of these magnitudes.
fn tolerances<const N: usize>(relative: f64, q: f64, v: f64) -> Options<'static, Two, N> {
    let all = |size: f64| SVector::repeat(Two::constant(relative * size));
    Options {
        rtol: Two::constant(relative).into(),
        atol: Tolerance::Each { q: all(q), v: all(v) },
        ..Options::default()
    }
}

/// A pendulum with friction in its hinge.
#[lagrangian {
    coordinates theta;
    kinetic = dot(theta)^2/2;
    potential = -g*cos(theta);
    dissipation = c*dot(theta)^2/2;
}]
#[derive(Clone, Debug)]
struct Damped {
    g: f64,
    c: f64,
}

/// It loses energy, so that it has no periodic orbit. Its equilibria also return to themselves.
#[test]
fn a_damped_pendulum_has_no_orbit() {
    let mut random = Random::new(1);
    for attempt in 0..40 {
        let unit = [1e-12, 1e-3, 1.0, 1e4, 1e12][attempt % 5];
        let damped = Damped { g: 9.81 / (unit * unit), c: 0.3 / unit };
        let (angle, period) =
            if attempt < 5 { (0.3, 2.0) } else { (random.between(-2.5, 2.5), random.between(0.5, 4.0)) };
        let search = Shooting::new(State::new(0.0, [angle], [0.0]), period * unit);
        let error = search.find(&damped, &Dop853::new(), &tolerances(1e-10, 1.0, 1.0 / unit)).expect_err("friction");
        let is_named = matches!(
            error,
            AnalysisError::AtRest { .. } | AnalysisError::PeriodLeavesRange { .. } | AnalysisError::NotConverged { .. }
        );
        assert!(is_named, "{angle} {period}: {error}");
        assert!(attempt >= 5 || matches!(error, AnalysisError::AtRest { .. }), "{error}");
    }
}

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/(2*s^2);
    force x = mu*(1 - x^2)*dot(x)/s;
}]
#[derive(Clone, Debug)]
struct VanDerPol {
    mu: f64,
    s: f64,
}

/// The period for μ = 10 is that of SciPy 1.17.1: `solve_ivp` (DOP853, rtol 1e-13, atol 1e-14) from the cycle after 10 periods, between two
/// maxima of x found by `brentq`.
#[test]
fn a_relaxation_oscillation_is_found_from_guesses_of_its_period() {
    let known = 19.078_369_57;
    for (guess, s) in [(18.0, 1.0), (19.5, 1.0), (17.0, 1e-9), (20.5, 1e6), (19.078, 1e12)] {
        let search = Shooting::new(State::new(0.0, [2.0], [0.0]), guess * s);
        let orbit = search
            .find(&VanDerPol { mu: 10.0, s }, &Dop853::new(), &tolerances(1e-11, 1.0, 1.0 / s))
            .unwrap_or_else(|error| panic!("{guess}: {error}"));
        assert!((orbit.period / s - known).abs() < 1e-7, "{guess}: {}", orbit.period);
        assert!((orbit.multipliers[0].re - 1.0).abs() < 1e-5, "{orbit:?}");
    }
    let search = Shooting::new(State::new(0.0, [2.0], [0.0]), 3.0);
    let error = search.find(&VanDerPol { mu: 10.0, s: 1.0 }, &Dop853::new(), &tolerances(1e-10, 1.0, 1.0));
    assert!(error.is_err(), "{error:?}");
}

/// The arithmetic-geometric mean: K(m) = π/(2 agm(1, √(1 − m))).
fn mean(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// A pendulum in Cartesian coordinates.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: x^2 + y^2 == l^2;
}]
#[derive(Clone, Debug)]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
}

/// From the horizontal the period is 4 √(l/g) K(1/2). Every start at rest is on an orbit, so that the nearest orbit has the start of the guess.
#[test]
fn the_period_does_not_depend_on_its_guess() {
    let mut random = Random::new(2);
    let known = 2.0 * PI / mean(1.0, 0.5_f64.sqrt());
    for attempt in 0..12 {
        let l = [1.0, 1e-9, 1e9][attempt % 3];
        let guess = if attempt == 0 { 7.0 } else { random.between(6.6, 8.3) };
        let rod = Rod { m: 1.0, g: l, l };
        let search = Shooting::new(State::new(0.0, [l, 0.0], [0.0, 0.0]), guess);
        let orbit = search
            .find(&rod, &Projected::new(Dop853::new()), &tolerances(1e-12, l, l))
            .unwrap_or_else(|error| panic!("{guess}: {error}"));
        assert!((orbit.period - known).abs() < 1e-9, "{guess}: {}", orbit.period);
        assert!((orbit.start.q[1] / l).abs() < 1e-9, "{guess}: {orbit:?}");
    }
}

#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2 + x^4/(4*l^2);
}]
#[derive(Clone, Debug)]
struct Duffing {
    l: f64,
}

/// The period of the orbit with the amplitude A is 4 K(m)/√(1 + A²) with m = A²/(2 (1 + A²)), in units of l.
#[test]
fn a_family_gives_the_orbit_of_the_guess() {
    let mut random = Random::new(3);
    for attempt in 0..20 {
        let l = [1.0, 1e-10, 1e7][attempt % 3];
        let (x, v, guess) = match attempt {
            0 => (1.0, 0.0, 4.5),
            _ => (random.between(0.2, 3.0), random.between(-1.0, 1.0), random.between(0.93, 1.07)),
        };
        let energy = v * v / 2.0 + x * x / 2.0 + x.powi(4) / 4.0;
        let square = (1.0_f64 + 4.0 * energy).sqrt() - 1.0;
        let known = 2.0 * PI / ((1.0 + square).sqrt() * mean(1.0, (1.0 - square / (2.0 * (1.0 + square))).sqrt()));
        let guess = if attempt == 0 { guess } else { guess * known };
        let search = Shooting::new(State::new(0.0, [x * l], [v * l]), guess);
        let orbit: PeriodicOrbit<1> = search
            .find(&Duffing { l }, &Dop853::new(), &tolerances(1e-12, l, l))
            .unwrap_or_else(|error| panic!("{x} {v} {guess}: {error}"));
        assert!((orbit.period - known).abs() < 1e-9, "{x} {v} {guess}: {} {known}", orbit.period);
        assert!((orbit.start.q[0] / l - x).hypot(orbit.start.v[0] / l - v) < 1e-7, "{orbit:?}");
    }
}

/// Three equal masses.
#[lagrangian {
    coordinates r[3][2];
    kinetic = (norm2(dot(r[0])) + norm2(dot(r[1])) + norm2(dot(r[2])))/2;
    potential = -unit/norm(r[0] - r[1]) - unit/norm(r[1] - r[2]) - unit/norm(r[2] - r[0]);
}]
#[derive(Clone, Debug)]
struct ThreeBodies {
    unit: f64,
}

/// A. Chenciner, R. Montgomery, Ann. Math. 152, 2000: three bodies on one figure eight, with eight digits of C. Simó's start, T = 6.32591398.
/// The energy, the momenta and the angular momentum make a family of such orbits.
#[test]
fn three_bodies_follow_one_figure_eight() {
    let (x, y, p, q) = (0.970_004_36, -0.243_087_53, -0.932_407_37, -0.864_731_46);
    let start = State::new(0.0, [x, y, -x, -y, 0.0, 0.0], [-p / 2.0, -q / 2.0, -p / 2.0, -q / 2.0, p, q]);
    for guess in [6.325_913_98, 6.3, 6.4] {
        let orbit = Shooting::new(start, guess)
            .find(&ThreeBodies { unit: 1.0 }, &Dop853::new(), &tolerances(1e-12, 1.0, 1.0))
            .unwrap_or_else(|error| panic!("{guess}: {error}"));
        assert!((orbit.period - 6.325_913_98).abs() < 1e-6, "{}", orbit.period);
        assert!((orbit.start.q - start.q).amax() < 1e-6, "{orbit:?}");
        let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
        let system = ThreeBodies { unit: 1.0 }.prepare::<f64>().expect("valid");
        let end = solve(&system, orbit.start, orbit.period, &Dop853::new(), &options).expect("no collision");
        let end = end.last().expect("an end");
        assert!((end.q - orbit.start.q).amax() < 1e-10 && (end.v - orbit.start.v).amax() < 1e-10, "{end:?}");
    }
}
