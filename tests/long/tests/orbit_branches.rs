//! Branches of periodic orbits, against Floquet multipliers that SciPy 1.17.1 computed from the variational equations (`solve_ivp` with
//! DOP853 at 1e-13, `brentq` for the parameter).

use lagrange_models::DrivenPendulum;
use lagrange_runtime::analysis::{
    AnalysisError, BranchEnd, OrbitBifurcation, OrbitBranch, OrbitContinuation, Shooting,
};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use std::f64::consts::TAU;

type Derived = Dual<f64, 3>;

fn tight() -> SharedOptions {
    SharedOptions { rtol: 1e-11, atol: 1e-11, ..SharedOptions::default() }
}

/// Duffing's oscillator under a drive, with its units.
#[lagrangian {
    coordinates x;
    kinetic     = m*dot(x)^2/2;
    potential   = k*x^2/2 + b*x^4/4;
    dissipation = c*dot(x)^2/2;
    force x     = f*cos(w*t);
}]
#[derive(Clone, Debug)]
struct Duffing {
    m: f64,
    k: f64,
    b: f64,
    c: f64,
    f: f64,
    w: f64,
}

/// x'' + 0.2 x' + x + 0.05 x³ = cos ωt from ω = 0.8 to 2, with units of mass, length and time.
fn response([mass, length, time]: [f64; 3]) -> OrbitBranch<1> {
    let (rate, force) = (1.0 / time, mass * length / (time * time));
    let duffing = Duffing {
        m: mass,
        k: mass * rate * rate,
        b: 0.05 * mass * (rate / length).powi(2),
        c: 0.2 * mass * rate,
        f: force,
        w: 0.8 * rate,
    };
    let search = Shooting::new(State::new(0.0, [1.8 * length], [0.5 * length * rate]), TAU / duffing.w);
    let atol = Tolerance::Each {
        q: [1e-11 * length].map(Derived::constant).into(),
        v: [1e-11 * length * rate].map(Derived::constant).into(),
    };
    let options = Options { rtol: 1e-11.into(), atol, ..Options::default() };
    OrbitContinuation::new("w", 0.8 * rate, 2.0 * rate)
        .with_drive(1)
        .run(&duffing, &search, &Dop853::new().with_width::<3>(), &options)
        .expect("a response")
}

/// The response jumps at two folds, between which the middle orbit is unstable. Its amplitudes obey the balance of the first harmonic,
/// ((1 + 3/4 b A² − ω²)² + c² ω²) A² = f², within the third one.
#[test]
fn a_duffing_oscillator_has_its_frequency_response() {
    let branch = response([1.0; 3]);
    assert_eq!(branch.ends, [BranchEnd::Range, BranchEnd::Range]);
    let folds: Vec<f64> = branch.special.iter().map(|special| special.point.parameter).collect();
    assert!(branch.special.iter().all(|special| special.kind == OrbitBifurcation::Fold), "{folds:?}");
    assert!(
        folds.len() == 2 && (folds[0] - 1.271_154_630).abs() < 1e-8 && (folds[1] - 1.244_333_418).abs() < 1e-8,
        "{folds:?}"
    );
    let first = &branch.points[0];
    let harmonic = |k: u32| first.harmonic(0, k).expect("a coordinate").norm();
    assert_eq!(first.parameter, 0.8);
    assert!(
        (harmonic(1) - 1.910_595_614_685_860_7).abs() < 1e-9 && (harmonic(3) - 0.019_328_122_722_298_59).abs() < 1e-9
    );
    assert!(
        (first.amplitude(0).expect("a coordinate") - 1.930_004_067_536_467).abs() < 1e-6,
        "{:?}",
        first.amplitude(0)
    );
    assert_eq!((first.harmonic(1, 1), first.harmonic(0, 32), first.amplitude(1)), (None, None, None));
    let mut middle = 0;
    for (place, point) in branch.points.iter().enumerate() {
        let (w, a) = (point.parameter, point.harmonic(0, 1).expect("a coordinate").norm());
        let balance = ((1.0 + 0.0375 * a * a - w * w).powi(2) + 0.04 * w * w).sqrt() * a;
        assert!((balance - 1.0).abs() < 0.02, "{w}: {balance}");
        // From the upper fold to the lower one the parameter falls.
        let falls = branch.points.get(place + 1).is_some_and(|next| next.parameter < w)
            && place > 0
            && w < branch.points[place - 1].parameter;
        if falls {
            middle += 1;
            assert_eq!(point.unstable, 1, "{w}");
        }
    }
    assert!(middle > 0 && branch.points.iter().filter(|point| point.unstable > 0).count() <= middle + 2);
    // The multipliers have the product e^(−cT).
    for point in &branch.points {
        let product: f64 = point.orbit.multipliers.iter().map(|value| value.norm()).product();
        assert!((product.ln() + 0.2 * point.orbit.period).abs() < 1e-7, "{point:?}");
    }
}

#[test]
fn a_response_transforms_with_the_units() {
    let plain = response([1.0; 3]);
    for units in [[1e6, 1e-6, 1e-6], [1e-3, 1e9, 1e3]] {
        let found = response(units);
        assert_eq!(found.special.len(), 2, "{units:?}");
        for (found, plain) in found.special.iter().zip(&plain.special) {
            let (rate, right) = (found.point.parameter * units[2], plain.point.parameter);
            assert!((rate - right).abs() < 1e-8, "{units:?}: {rate} {right}");
            let sizes = [found, plain].map(|special| special.point.amplitude(0).expect("a coordinate"));
            assert!((sizes[0] / units[1] - sizes[1]).abs() < 1e-3 * sizes[1], "{units:?}: {sizes:?}");
        }
    }
}

/// A driven pendulum loses its symmetry at a drive of 1.00432 and doubles its period at 1.06637 (Baker and Gollub, ch. 4: near 1.066).
#[test]
fn a_driven_pendulum_loses_its_symmetry_and_doubles_its_period() {
    let pendulum = DrivenPendulum { drive: 0.9, ..DrivenPendulum::default() };
    let search = Shooting::new(State::new(0.0, [-0.56], [1.93]), TAU / pendulum.omega).with_fixed_period();
    let drives = OrbitContinuation::new("drive", 0.9, 1.07);
    let method = Dop853::new().with_width::<3>();
    let symmetric = drives.run(&pendulum, &search, &method, &tight()).expect("a branch");
    let crossing = symmetric
        .special
        .iter()
        .find(|special| special.kind == OrbitBifurcation::BranchPoint)
        .expect("it loses its symmetry");
    assert!((crossing.point.parameter - 1.004_319_477_723).abs() < 1e-8, "{}", crossing.point.parameter);
    // Symmetric orbits have no even harmonics; the others have.
    let uneven = |point: &lagrange_runtime::analysis::OrbitPoint<1>| point.harmonic(0, 2).expect("a coordinate").norm();
    assert!(symmetric.points.iter().all(|point| uneven(point) < 1e-7));
    let other = drives.switch(&pendulum, &search, crossing, (&method, &tight())).expect("the other branch");
    assert!(other.points.iter().filter(|point| point.parameter > 1.01).all(|point| uneven(point) > 1e-2));
    let doublings: Vec<f64> = (other.special.iter())
        .filter(|special| special.kind == OrbitBifurcation::PeriodDoubling)
        .map(|special| special.point.parameter)
        .collect();
    // Each of two mirrored orbits doubles its period.
    assert_eq!(doublings.len(), 2, "{:?}", other.special.iter().map(|special| special.kind).collect::<Vec<_>>());
    assert!(doublings.iter().all(|drive| (drive - 1.066_372_862_455).abs() < 1e-8), "{doublings:?}");
}

/// Van der Pol's oscillator under a drive.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    force x   = mu*(1 - x^2)*dot(x) + f*cos(w*t);
}]
#[derive(Clone, Debug)]
struct VanDerPol {
    mu: f64,
    f: f64,
    w: f64,
}

/// As the drive weakens, it no longer quenches the oscillator, which then swings with its own frequency beside that of the drive.
#[test]
fn a_weak_drive_leaves_a_torus() {
    let oscillator = VanDerPol { mu: 0.2, f: 3.5, w: 1.7 };
    let search = Shooting::new(State::new(0.0, [-1.8], [0.0]), TAU / 1.7).with_fixed_period();
    let branch = OrbitContinuation::new("f", 2.2, 3.5)
        .run(&oscillator, &search, &Dop853::new().with_width::<3>(), &tight())
        .expect("a branch");
    assert_eq!(branch.special.len(), 1, "{:?}", branch.special);
    let special = &branch.special[0];
    let OrbitBifurcation::Torus { angle } = special.kind else { panic!("{:?}", special.kind) };
    assert!((special.point.parameter - 2.685_218_554_520).abs() < 1e-8, "{}", special.point.parameter);
    assert!((angle - 2.582_299_41).abs() < 1e-7, "{angle}");
    let ends = [branch.points.first(), branch.points.last()].map(|point| point.expect("points").unstable);
    assert!(ends == [2, 0] || ends == [0, 2], "{ends:?}");
}

/// The period of van der Pol's own oscillation, at its turning point, by the damping: those of SciPy.
#[test]
fn a_free_period_follows_the_parameter() {
    let oscillator = VanDerPol { mu: 1.0, f: 0.0, w: 1.0 };
    let search = Shooting::new(State::new(0.0, [2.0], [0.0]), 6.6).with_fixed_velocity(0);
    let method = Dop853::new().with_width::<3>();
    let dampings = OrbitContinuation::new("mu", 1.0, 3.0);
    let branch = dampings.run(&oscillator, &search, &method, &tight()).expect("a branch");
    let ends = [branch.points.first(), branch.points.last()].map(|point| point.expect("points"));
    let found = if ends[0].parameter < ends[1].parameter { ends } else { [ends[1], ends[0]] };
    assert_eq!(found.map(|point| point.parameter), [1.0, 3.0]);
    let [first, last] = found.map(|point| point.orbit.period);
    assert!((first - 6.663_286_859_32).abs() < 1e-9 && (last - 8.859_095_499_50).abs() < 1e-9, "{first} {last}");
    assert!(branch.special.is_empty() && branch.points.iter().all(|point| point.unstable == 0), "{:?}", branch.special);
    // What the search must and must not fix.
    let free = Shooting::new(State::new(0.0, [2.0], [0.0]), 6.6);
    let error = dampings.run(&oscillator, &free, &method, &tight()).expect_err("no phase").to_string();
    assert!(error.contains("one fixed coordinate or velocity") && error.contains("the search fixes 0"), "{error}");
    let driven = OrbitContinuation::new("w", 1.0, 3.0).with_drive(1);
    let error = driven.run(&oscillator, &search, &method, &tight()).expect_err("fixed").to_string();
    assert!(error.contains("no fixed coordinate or velocity") && error.contains("the search fixes 1"), "{error}");
    let error = OrbitContinuation::new("w", -1.0, 3.0).with_drive(1).run(&oscillator, &free, &method, &tight());
    assert!(error.expect_err("negative").to_string().contains("positive frequencies; the lowest is -1"));
    let error = OrbitContinuation::new("nu", 1.0, 3.0).run(&oscillator, &search, &method, &tight());
    assert!(matches!(&error, Err(AnalysisError::UnknownName { name, .. }) if name == "nu"), "{error:?}");
    let error = OrbitContinuation::new("x", 1.0, 3.0).run(&oscillator, &search, &method, &tight());
    assert!(error.expect_err("a state").to_string().contains("`x` is a component of the state"));
    let error = OrbitContinuation::new("mu", 3.0, 1.0).run(&oscillator, &search, &method, &tight());
    assert!(error.expect_err("reversed").to_string().contains("from a lower to a higher value"));
}

/// A pendulum whose hinge drives it, by a torque that depends on the time and by one that swings it up. The length of its rod may vary.
#[lagrangian {
    coordinates theta;
    let r = l + e*sin(w*t);
    kinetic     = m*(r^2*dot(theta)^2 + dot(r)^2)/2;
    potential   = -m*g*r*cos(theta);
    force theta = drive*cos(w*t) + a*dot(theta) - b*dot(theta)^3;
}]
#[derive(Clone, Debug)]
struct InAngle {
    m: f64,
    g: f64,
    l: f64,
    e: f64,
    drive: f64,
    w: f64,
    a: f64,
    b: f64,
}

/// The pendulum of [`InAngle`] in the Cartesian coordinates of its bob.
#[lagrangian {
    coordinates x, y;

    let spin   = (x*dot(y) - y*dot(x))/(x^2 + y^2);
    let torque = drive*cos(w*t) + a*spin - b*spin^3;

    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    force x   = -torque*y/(x^2 + y^2);
    force y   = torque*x/(x^2 + y^2);

    constraint rod: norm([x, y]) == l + e*sin(w*t);
}]
#[derive(Clone, Debug)]
struct OnRod {
    m: f64,
    g: f64,
    l: f64,
    e: f64,
    drive: f64,
    w: f64,
    a: f64,
    b: f64,
}

/// The point of a branch at this end of the range.
fn at_end<const N: usize>(branch: &OrbitBranch<N>, value: f64) -> &lagrange_runtime::analysis::OrbitPoint<N> {
    branch.points.iter().find(|point| point.parameter == value).expect("the branch reaches the end")
}

/// Whether the orbits at both ends of a range have the period and the multipliers of those in the angle, and lie on the constraint.
fn compare(rod: &OrbitBranch<2>, angle: &OrbitBranch<1>, ends: [f64; 2], length: impl Fn(f64) -> f64) {
    assert!(rod.special.is_empty() && angle.special.is_empty(), "{:?} {:?}", rod.special, angle.special);
    for end in ends {
        let (rod, angle) = (at_end(rod, end), at_end(angle, end));
        let (period, expected) = (rod.orbit.period, angle.orbit.period);
        assert!((period - expected).abs() < 1e-8 * expected, "{period} {expected}");
        assert!((rod.orbit.start.q.norm() - length(end)).abs() < 1e-12 && rod.unstable == 0, "{:?}", rod.orbit.start);
        let sizes = |orbit: &[lagrange_runtime::nalgebra::Complex<f64>]| {
            let mut sizes: Vec<f64> = orbit.iter().map(|value| value.norm()).collect();
            sizes.sort_by(f64::total_cmp);
            sizes
        };
        let (found, expected) = (sizes(&rod.orbit.multipliers), sizes(&angle.orbit.multipliers));
        assert_eq!(found.len(), 2);
        assert!(
            found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-6),
            "{found:?} {expected:?}"
        );
    }
}

/// The length of the rod is the parameter, so that each start lies on another circle. Its phase is that of a place beside the lowest one.
#[test]
fn orbits_on_a_rod_follow_its_length() {
    let (m, g, l, e, drive, w, a, b) = (0.8, 9.0, 1.0, 0.0, 0.0, 1.0, 0.2, 0.1);
    let lengths = OrbitContinuation::new("l", 0.5, 2.0).with_max_step(0.1);
    let free = Shooting::new(State::new(0.0, [0.0], [1.3]), 2.2).with_fixed_coordinate(0);
    let method = Dop853::new();
    let angle = lengths.run(&InAngle { m, g, l, e, drive, w, a, b }, &free, &method, &tight()).expect("a branch");
    let method = Projected::new(method);
    for x in [0.0_f64, 0.1] {
        let y = -(1.0 - x * x).sqrt();
        let free = Shooting::new(State::new(0.0, [x, y], [-1.3 * y, 1.3 * x]), 2.2).with_fixed_coordinate(0);
        let rod = lengths.run(&OnRod { m, g, l, e, drive, w, a, b }, &free, &method, &tight()).expect("a branch");
        compare(&rod, &angle, [0.5, 2.0], |end| end);
    }
}

/// The parameter is the amplitude of a rod whose length varies: the rate of the constraint contains it.
#[test]
fn orbits_on_a_rod_follow_the_amplitude_of_its_length() {
    let (m, g, l, e, drive, w, a, b) = (0.8, 9.0, 1.0, 0.0, 0.5, 2.0, -0.3, 0.0);
    let amplitudes = OrbitContinuation::new("e", 0.0, 0.05).with_max_step(0.1);
    let (period, method) = (TAU / w, Dop853::new());
    let search = Shooting::new(State::new(0.0, [0.1], [0.0]), period).with_fixed_period();
    let angle = amplitudes.run(&InAngle { m, g, l, e, drive, w, a, b }, &search, &method, &tight()).expect("a branch");
    let start = State::new(0.0, [0.1_f64.sin(), -0.1_f64.cos()], [0.0, 0.0]);
    let search = Shooting::new(start, period).with_fixed_period();
    let method = Projected::new(method);
    let rod = amplitudes.run(&OnRod { m, g, l, e, drive, w, a, b }, &search, &method, &tight()).expect("a branch");
    compare(&rod, &angle, [0.0, 0.05], |_| l);
    let swing = |e: f64| at_end(&angle, e).amplitude(0).expect("a coordinate");
    assert!((swing(0.05) / swing(0.0) - 1.0).abs() > 1e-3, "the amplitude matters");
}

/// On a rod, the driven pendulum loses its symmetry and doubles its period where it does in its angle.
#[test]
fn a_driven_pendulum_on_a_rod_has_the_same_special_orbits() {
    let DrivenPendulum { q: quality, omega, .. } = DrivenPendulum::default();
    let pendulum = OnRod { m: 1.0, g: 1.0, l: 1.0, e: 0.0, drive: 0.99, w: omega, a: -1.0 / quality, b: 0.0 };
    let (s, c) = (-0.56_f64).sin_cos();
    let start = State::new(0.0, [s, -c], [1.93 * c, 1.93 * s]);
    let search = Shooting::new(start, TAU / omega).with_fixed_period();
    let drives = OrbitContinuation::new("drive", 0.99, 1.07).with_max_step(0.1);
    let options = SharedOptions { rtol: 1e-9, atol: 1e-9, ..SharedOptions::default() };
    let method = Projected::new(Dop853::new());
    let symmetric = drives.run(&pendulum, &search, &method, &options).expect("a branch");
    let crossing = symmetric.special.iter().find(|special| special.kind == OrbitBifurcation::BranchPoint);
    let crossing = crossing.expect("it loses its symmetry");
    assert!((crossing.point.parameter - 1.004_319_477_723).abs() < 1e-7, "{}", crossing.point.parameter);
    let other = drives.switch(&pendulum, &search, crossing, (&method, &options)).expect("the other branch");
    let doublings: Vec<f64> = (other.special.iter())
        .filter(|special| special.kind == OrbitBifurcation::PeriodDoubling)
        .map(|special| special.point.parameter)
        .collect();
    assert!(
        doublings.len() == 2 && doublings.iter().all(|drive| (drive - 1.066_372_862_455).abs() < 1e-7),
        "{doublings:?}"
    );
}
