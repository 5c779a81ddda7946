//! Equilibria in any units, and forces that nothing balances.

use lagrange_models::{HeavyTopQuaternion, Kepler};
use lagrange_runtime::analysis::{AnalysisError, EquilibriumSearch, Verdict, stability};
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;

/// The tip of an atomic force microscope on a spring, attracted by a surface at x = d.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*x^2/2 - h*r/(6*(d - x));
}]
#[derive(Clone, Debug)]
struct Tip {
    m: f64,
    k: f64,
    h: f64,
    r: f64,
    d: f64,
}

/// The units of length, time and mass: all of 1e-12 … 1e12 that a case of the list takes.
fn units() -> impl Iterator<Item = [f64; 3]> {
    let powers = [1e-12, 1e-5, 1.0, 1e7, 1e12];
    powers
        .into_iter()
        .flat_map(move |l| powers.into_iter().flat_map(move |t| powers.into_iter().map(move |m| [l, t, m])))
}

impl Tip {
    /// The tip with the stiffness k and the distance d, in N/m and m, in units of length, time and mass.
    fn of(k: f64, d: f64, [l, t, m]: [f64; 3]) -> Self {
        Self { m: 1e-11 * m, k: k * m / (t * t), h: 1e-19 * m * l * l / (t * t), r: 1e-8 * l, d: d * l }
    }
}

/// k x = h r/(6 (d − x)²) has a root only where h r/(6 k d³) ≤ 4/27, because x (d − x)² is largest at x = d/3.
#[test]
fn a_tip_without_an_equilibrium_has_none_in_any_unit() {
    let mut random = Random::new(3);
    for unit in units() {
        let tip = Tip::of(0.1, 2e-9, unit);
        let system = tip.prepare::<f64>().expect("valid");
        for guess in [0.0, 0.05, random.between(-1.0, 0.9), random.between(0.3, 0.45)] {
            let found = EquilibriumSearch::new([guess * tip.d], []).find(&system);
            // Beyond the surface, at x > d, the law has another root.
            let x = found.as_ref().map_or(f64::INFINITY, |found| found.state.q[0]);
            assert!(x > tip.d, "{unit:?} from {guess}: {}", x / tip.d);
        }
    }
}

/// The roots of s (1 − s)² = h r/(6 k d³) by bisection between 0 and 1/3.
#[test]
fn a_tip_rests_where_its_spring_balances_the_attraction() {
    let mut random = Random::new(4);
    for (k, d, known) in [(1.0, 2e-9, 0.021_770_96), (0.02, 5e-9, 0.078_510_5)] {
        let right: f64 = 1e-19 * 1e-8 / (6.0 * k * d * d * d);
        let (mut low, mut high) = (0.0, 1.0 / 3.0);
        for _ in 0..60 {
            let middle: f64 = 0.5 * (low + high);
            if middle * (1.0 - middle).powi(2) < right { low = middle } else { high = middle }
        }
        assert!((low - known).abs() < 1e-7, "{low} {known}");
        for unit in units() {
            let tip = Tip::of(k, d, unit);
            let system = tip.prepare::<f64>().expect("valid");
            for guess in [0.0, 1e-9, 0.05, random.between(-1.0, 0.3)] {
                let found = EquilibriumSearch::new([guess * tip.d], []).find(&system).expect("near");
                let s = found.state.q[0] / tip.d;
                assert!((s - low).abs() < 1e-14, "{unit:?} from {guess}: {s} {low}");
                assert_eq!(stability(&system, &found).expect("regular").verdict, Verdict::Stable);
            }
        }
    }
}

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = f;
}]
#[derive(Clone, Debug)]
struct Pushed {
    m: f64,
    f: f64,
}

#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*x^2/2 + m*g*y;
}]
#[derive(Clone, Debug)]
struct Falling {
    m: f64,
    k: f64,
    g: f64,
}

#[test]
fn a_force_that_nothing_balances_is_named_in_any_unit() {
    for unit in units() {
        let [l, t, m] = unit;
        let system = Pushed { m: 1e-12 * m, f: 1e-9 * m * l / (t * t) }.prepare::<f64>().expect("valid");
        let error = EquilibriumSearch::new([0.0], []).find(&system).expect_err("nothing balances f");
        let AnalysisError::NotConverged { worst, .. } = &error else { panic!("{error}") };
        assert_eq!(worst, "balance of x");
        let falling = Falling { m: 1e-9 * m, k: m / (t * t), g: 9.81 * l / (t * t) };
        let system = falling.prepare::<f64>().expect("valid");
        for guess in [[0.0, 0.0], [0.3 * l, 0.0], [0.3 * l, 1e3 * l]] {
            let error = EquilibriumSearch::new(guess, []).find(&system).expect_err("nothing bears the weight");
            let AnalysisError::NotConverged { worst, residual, .. } = &error else { panic!("{unit:?} {error}") };
            assert!(worst == "balance of y" && (residual + falling.m * falling.g).abs() < 1e-12 * residual.abs());
        }
    }
}

/// The bond of two atoms.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = depth*(1 - exp(-a*(x - x0)))^2;
}]
#[derive(Clone, Debug)]
struct Morse {
    m: f64,
    depth: f64,
    a: f64,
    x0: f64,
}

/// The force is largest at x₀ + ln 2/a. From beyond it, Newton's method goes away.
#[test]
fn a_bond_rests_at_its_length_or_breaks() {
    for [l, t, m] in units() {
        let depth = 7e-19 * m * l * l / (t * t);
        let bond = Morse { m: 1e-26 * m, depth, a: 2e10 / l, x0: 7e-11 * l };
        let system = bond.prepare::<f64>().expect("valid");
        for guess in [9e-11, 7e-11, 8.2e-11, 3e-11] {
            let found = EquilibriumSearch::new([guess * l], []).find(&system).expect("near");
            assert!((found.state.q[0] / bond.x0 - 1.0).abs() < 1e-14, "from {guess}: {}", found.state.q[0] / l);
        }
        let broken = EquilibriumSearch::new([2e-10 * l], []).find(&system).expect_err("beyond the largest force");
        assert!(matches!(&broken, AnalysisError::RunsAway { unknown, .. } if unknown == "x"), "{broken}");
    }
    let system = Morse { m: 1.0, depth: 1.0, a: 1.0, x0: 1.0 }.prepare::<f64>().expect("valid");
    let broken = EquilibriumSearch::new([2.0], []).find(&system).expect_err("beyond the largest force");
    assert!(matches!(&broken, AnalysisError::RunsAway { unknown, .. } if unknown == "x"), "{broken}");
}

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = v*exp(-x/l);
}]
#[derive(Clone, Debug)]
struct Repelled {
    m: f64,
    v: f64,
    l: f64,
}

#[test]
fn a_force_that_vanishes_at_infinity_has_no_equilibrium() {
    for [l, t, m] in units() {
        let system = Repelled { m, v: m * l * l / (t * t), l }.prepare::<f64>().expect("valid");
        for (guess, iterations) in [(0.0, 100), (1.0, 30), (-7.0, 2000)] {
            let search = EquilibriumSearch::new([guess * l], []).with_max_iterations(iterations);
            let error = search.find(&system).expect_err("the force never vanishes");
            assert!(matches!(&error, AnalysisError::RunsAway { unknown, .. } if unknown == "x"), "{error}");
        }
    }
    let kepler = Kepler::default().prepare::<f64>().expect("valid");
    for guess in [[1.0, 0.0], [0.3, -0.8], [1e-3, 1e4]] {
        let error = EquilibriumSearch::new(guess, []).find(&kepler).expect_err("the force never vanishes");
        assert!(matches!(error, AnalysisError::RunsAway { .. }), "{error}");
    }
}

/// Two equal masses at the ends of a tether of length l, about a centre of attraction. Physics does not depend on the anomaly, but its
/// formulas do.
#[lagrangian {
    coordinates r, anomaly, pitch;
    let rel = l*[cos(anomaly + pitch), sin(anomaly + pitch)];
    let base = r*[cos(anomaly), sin(anomaly)];
    let a = base - rel/2;
    let b = base + rel/2;
    kinetic = m*norm2(dot(a))/2 + m*norm2(dot(b))/2;
    potential = -mu*m/norm(a) - mu*m/norm(b);
}]
#[derive(Clone, Debug)]
struct Tether {
    m: f64,
    mu: f64,
    l: f64,
}

/// Along the vertical the rate is n with n² r = μ/2 (1/(r − l/2)² + 1/(r + l/2)²) per mass.
#[test]
fn a_tether_points_down_at_every_anomaly() {
    let mut random = Random::new(5);
    for (m, mu, l, r, pitch) in
        [(500.0, 3.986_004_418e5, 20.0, 7e3, 1e-3), (1.0, 1.0, 3e-3, 1.0, 0.0), (1.0, 1.0, 0.1, 1.0, 0.2)]
    {
        let system = Tether { m, mu, l }.prepare::<f64>().expect("valid");
        let half = 0.5 * l;
        let rate = (0.5 * mu * ((r - half).powi(-2) + (r + half).powi(-2)) / r).sqrt();
        for attempt in 0..200 {
            let anomaly = if attempt == 0 { 0.0 } else { random.between(-7.0, 7.0) };
            let search = EquilibriumSearch::new([r, anomaly, pitch], [])
                .with_fixed_coordinate(0)
                .with_free_velocity(1, random.between(0.7, 1.4) * rate);
            let found = search.find(&system).unwrap_or_else(|error| panic!("{m} {l} {attempt} {anomaly}: {error}"));
            assert!(found.state.q[2].abs() < 1e-15 * (r / l).powi(2), "{anomaly}: {found:?}");
            assert!((found.state.v[1] / rate - 1.0).abs() < 1e-13, "{anomaly}: {found:?} {rate}");
            assert!((found.state.q[1] - anomaly).abs() <= 1e-13 * anomaly.abs(), "{anomaly}: {found:?}");
        }
    }
}

/// A search that runs away never leaves the constraints.
#[test]
fn a_top_in_quaternions_stays_a_unit_quaternion() {
    let system = HeavyTopQuaternion::default().prepare::<f64>().expect("valid");
    let mut random = Random::new(6);
    for _ in 0..50 {
        let guess = SVector::<f64, 4>::from_fn(|_, _| random.between(-1.0, 1.0)).normalize();
        match EquilibriumSearch::new(guess, []).find(&system) {
            Ok(found) => assert!((found.state.q.norm() - 1.0).abs() < 1e-12, "{found:?}"),
            Err(error) => assert!(!error.to_string().contains("unit"), "{error}"),
        }
    }
}

/// The x of a minimum of cos(x + phase) is known only up to the rounding of x + phase, however small x is.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = v*sin(x/l + phase);
}]
#[derive(Clone, Debug)]
struct Wave {
    m: f64,
    v: f64,
    l: f64,
    phase: f64,
}

#[test]
fn a_root_near_the_origin_has_the_rounding_of_its_terms() {
    for [l, t, m] in units() {
        let v = m * l * l / (t * t);
        let system = Wave { m, v, l, phase: -std::f64::consts::FRAC_PI_2 }.prepare::<f64>().expect("valid");
        for guess in [0.0, 1e-17, 1e-9, 0.3, -0.7] {
            let found = EquilibriumSearch::new([guess * l], []).find(&system).unwrap_or_else(|e| panic!("{guess} {e}"));
            assert!(found.state.q[0].abs() < 1e-15 * l, "{guess}: {found:?}");
        }
    }
}

/// A mass in a field of several terms, of which some have equilibria and some have none.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = v*(a*x/l + b*sin(c*x/l + d) + e*exp(-x/l) + f*(x/l)^4);
}]
#[derive(Clone, Debug)]
struct Field {
    m: f64,
    v: f64,
    l: f64,
    a: f64,
    b: f64,
    c: f64,
    d: f64,
    e: f64,
    f: f64,
}

/// The force changes its sign at every accepted root, in the field's own terms evaluated here.
#[test]
fn the_force_changes_its_sign_at_every_accepted_root() {
    let mut random = Random::new(7);
    let mut found = 0;
    for attempt in 0..3000 {
        let [l, t, m] = [0; 3].map(|_| 10.0_f64.powf(random.between(-12.0, 12.0)));
        let [mut a, mut b, c, d, mut e, mut f] = [0; 6].map(|_| random.between(-2.0, 2.0));
        for (bit, term) in [&mut a, &mut b, &mut e, &mut f].into_iter().enumerate() {
            if (attempt >> bit) & 1 == 1 {
                *term = 0.0;
            }
        }
        let system = Field { m, v: m * l * l / (t * t), l, a, b, c, d, e, f }.prepare::<f64>().expect("valid");
        let Ok(at) = EquilibriumSearch::new([random.between(-4.0, 4.0) * l], []).find(&system) else { continue };
        let s = at.state.q[0] / l;
        let force = |s: f64| a + b * c * (c * s + d).cos() - e * (-s).exp() + 4.0 * f * s.powi(3);
        let terms = a.abs() + (b * c).abs() + e.abs() * (-s).exp() + 4.0 * f.abs() * s.abs().powi(3);
        let [low, high] = [-1.0, 1.0].map(|side| force(s + side * 1e-7 * (1.0 + s.abs())));
        // All terms vanish where every coefficient does, and at the root of the term of fourth degree alone.
        let vanishes = terms <= 1e-20;
        assert!(low * high <= 0.0 || vanishes, "{attempt}: {s} {low:e} {high:e} of {terms:e}");
        found += 1;
    }
    assert!(found > 1500, "{found}");
}

/// Two bonded atoms on a line, in a box that starts at `origin`.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*(x - origin)^2/2 + depth*(1 - exp(-a*(y - x - r)))^2;
}]
#[derive(Clone, Debug)]
struct Bonded {
    m: f64,
    k: f64,
    origin: f64,
    depth: f64,
    a: f64,
    r: f64,
}

/// The result moves with the origin, and is as accurate as the numbers are there.
#[test]
fn the_origin_does_not_matter() {
    let mut random = Random::new(8);
    for attempt in 0..200 {
        let origin =
            if attempt == 0 { 0.0 } else { random.between(-1.0, 1.0) * 10.0_f64.powf(random.between(-6.0, 6.0)) };
        let system = Bonded { m: 1.0, k: 2.0, origin, depth: 3.0, a: 1.5, r: 0.7 }.prepare::<f64>().expect("valid");
        let guess = [origin + random.between(-1.0, 1.0), 0.0];
        let guess = [guess[0], guess[0] + random.between(0.5, 1.1)];
        let found = EquilibriumSearch::new(guess, []).find(&system).unwrap_or_else(|error| panic!("{origin}: {error}"));
        let rounding = 1e-14 * (1.0 + origin.abs());
        assert!((found.state.q[0] - origin).abs() < rounding, "{origin}: {found:?}");
        assert!((found.state.q[1] - origin - 0.7).abs() < rounding, "{origin}: {found:?}");
    }
}
