//! Periodic orbits and Lyapunov's exponents.

use super::shared::{Driven, Oscillator, Pendulum};
use lagrange_models::{CartesianPendulum, DrivenPendulum, HenonHeiles, SphericalPendulum, SphericalPendulumCartesian};
use lagrange_runtime::analysis::{AnalysisError, LargestExponent, LyapunovSpectrum, Separation, Shooting};
use lagrange_runtime::method::DERIVATIVES;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;
use std::f64::consts::PI;

type Two = Dual<f64, DERIVATIVES>;

fn tight<const N: usize>() -> Options<'static, Two, N> {
    let tolerance = Two::constant(1e-13);
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}

/// L. D. Landau, E. M. Lifshitz, *Mechanics*, §11, problem 1: T = 4 √(l/g) K(sin θ₀/2) = 2π √(l/g)/agm(1, cos θ₀/2).
#[test]
fn a_pendulum_has_its_period_at_every_amplitude() {
    let pendulum = Pendulum { m: 1.0, l: 1.0, g: 1.0 };
    for amplitude in [0.5, 2.0, 3.0] {
        let (mut a, mut b) = (1.0_f64, (0.5_f64 * amplitude).cos());
        while (a - b).abs() > 1e-15 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        let period = 2.0 * PI / a;
        let search = Shooting::new(State::new(0.0, [amplitude], [0.0]), 0.95 * period);
        let search = search.with_fixed_coordinate(0).with_fixed_velocity(0);
        let orbit = search.find(&pendulum, &Dop853::new(), &tight()).expect("near");
        assert!((orbit.period - period).abs() < 1e-10 * period, "{amplitude}: {orbit:?} {period}");
        // A family of orbits: both multipliers are 1, in a chain.
        assert!(orbit.multipliers.iter().all(|value| (value - 1.0).norm() < 1e-4), "{orbit:?}");
        assert!((orbit.monodromy.determinant() - 1.0).abs() < 1e-9);
    }
    // Over the top: θ advances by 2π in T = 2 k K(k)/ω₀ with k² = 4 ω₀²/v², v the speed at the bottom.
    let (speed, mut a, mut b) = (2.5_f64, 1.0_f64, (1.0 - 4.0 / 6.25_f64).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let period = 2.0 * (2.0 / speed) * PI / (2.0 * a);
    let search = Shooting::new(State::new(0.0, [0.0], [speed]), 1.1 * period)
        .with_fixed_velocity(0)
        .with_fixed_coordinate(0)
        .with_winding(0, 2.0 * PI);
    let orbit = search.find(&pendulum, &Dop853::new(), &tight()).expect("near");
    assert!((orbit.period - period).abs() < 1e-10 * period, "{orbit:?} {period}");
}

/// Van der Pol's oscillator, ẍ = μ (1 − x²) ẋ − x.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = m*x^2/2;
    force x = mu*(1 - x^2)*dot(x);
}]
#[derive(Clone, Debug)]
struct VanDerPol {
    m: f64,
    mu: f64,
}

/// C. M. Andersen, J. F. Geer, SIAM J. Appl. Math. 42, 1982: for μ = 1 the limit cycle has the period 6.6632868593231…; M. Urabe,
/// IRE Trans. Circuit Theory 7, 1960: its amplitude is 2.00862. By Liouville's formula the other multiplier is exp ∫ μ (1 − x²) dt.
#[test]
fn van_der_pols_limit_cycle_has_its_period() {
    let oscillator = VanDerPol { m: 1.0, mu: 1.0 };
    let search = Shooting::new(State::new(0.0, [2.0], [0.0]), 6.5).with_fixed_velocity(0);
    let orbit = search.find(&oscillator, &Dop853::new(), &tight()).expect("near");
    assert!((orbit.period - 6.663_286_859_323_1).abs() < 1e-10, "{orbit:?}");
    assert!((orbit.start.q[0] - 2.008_62).abs() < 1e-5, "{orbit:?}");
    assert!((orbit.multipliers[0].re - 1.0).abs() < 1e-9, "{orbit:?}");
    let system = oscillator.prepare::<f64>().expect("valid");
    let options = Options { rtol: 1e-12.into(), atol: 1e-12.into(), ..Options::default() };
    let times: Vec<f64> = (0..=2000).map(|k| orbit.period * f64::from(k) / 2000.0).collect();
    let options = Options { t_eval: Some(&times), ..options };
    let solution = solve(&system, orbit.start, orbit.period, &Dop853::new(), &options).expect("no failure");
    // The trapezoidal rule converges exponentially on a period.
    let rate: f64 = solution.q[1..].iter().map(|q| 1.0 - q[0] * q[0]).sum::<f64>() * orbit.period / 2000.0;
    assert!((orbit.multipliers[1].re - rate.exp()).abs() < 1e-9, "{orbit:?} {}", rate.exp());
}

/// The amplitude of the steady motion is a/|k − mω² + icω|.
#[test]
fn a_driven_oscillator_has_its_steady_motion() {
    let driven = Driven { m: 2.0, k: 18.0, c: 0.8, a: 1.5, w: 2.2 };
    let period = 2.0 * PI / driven.w;
    let search = Shooting::new(State::new(0.0, [0.0], [0.0]), period).with_fixed_period();
    let orbit = search.find(&driven, &Dop853::new(), &tight()).expect("near");
    let (real, imaginary) = (driven.k - driven.m * driven.w * driven.w, driven.c * driven.w);
    let square = real * real + imaginary * imaginary;
    let expected = [driven.a * real / square, driven.a * driven.w * imaginary / square];
    assert!(
        (orbit.start.q[0] - expected[0]).abs() < 1e-11 && (orbit.start.v[0] - expected[1]).abs() < 1e-11,
        "{orbit:?}"
    );
    // Multipliers exp(λT) of λ² m + λ c + k = 0.
    let size = (-driven.c / (2.0 * driven.m) * period).exp();
    assert!(orbit.multipliers.iter().all(|value| (value.norm() - size).abs() < 1e-11), "{orbit:?}");
}

#[test]
fn what_is_no_orbit_is_said() {
    let pendulum = Pendulum { m: 1.0, l: 1.0, g: 1.0 };
    // From rest at 1 rad no period of 3 closes the orbit.
    let search = Shooting::new(State::new(0.0, [1.0], [0.0]), 3.0);
    let search = search.with_fixed_coordinate(0).with_fixed_velocity(0).with_fixed_period();
    let error = search.find(&pendulum, &Dop853::new(), &tight()).expect_err("nothing is free");
    assert!(matches!(error, AnalysisError::NotConverged { .. }), "{error}");
    let search = Shooting::new(State::new(0.0, [1.0], [0.0]), -1.0);
    assert!(matches!(search.find(&pendulum, &Dop853::new(), &tight()), Err(AnalysisError::NotApplicable { .. })));
}

/// Of m ẍ + c ẋ + k x = 0 with real roots the exponents are the roots.
#[test]
fn a_damped_oscillator_has_the_exponents_of_its_roots() {
    let driven = Driven { m: 1.0, k: 2.0, c: 3.0, a: 0.7, w: 1.3 };
    let spectrum = LyapunovSpectrum::new(0.5, 20).with_transient(60);
    let method = Rk4::new(5e-3);
    let start = State::new(0.0, [0.3], [0.0]);
    let found = spectrum.of(&driven, &start, &method, &Options::default()).expect("no failure");
    assert!((found[0] + 1.0).abs() < 1e-8 && (found[1] + 2.0).abs() < 1e-8, "{found:?}");
    let none = LyapunovSpectrum::new(0.0, 20).of(&driven, &start, &method, &Options::default());
    assert!(matches!(none, Err(AnalysisError::NotApplicable { .. })));
    let oscillator = Oscillator { m: 2.0, k: 18.0, push: 0.0 };
    let found =
        LyapunovSpectrum::new(0.7, 300).of(&oscillator, &start, &method, &Options::default()).expect("no failure");
    assert!(found.iter().all(|exponent| exponent.abs() < 1e-2) && (found[0] + found[1]).abs() < 1e-9, "{found:?}");
    // What is told of a motion does not depend on units: here those of time, of length and of mass.
    let estimate = |time: f64, mass: f64, length: f64| {
        let oscillator = Oscillator { m: 2.0 * mass, k: 18.0 * mass / (time * time), push: 0.0 };
        let start = State::new(0.0, [0.3 * length], [0.0]);
        let spectrum = LyapunovSpectrum::new(0.7 * time, 300);
        spectrum.estimate(&oscillator, &start, &Rk4::new(5e-3 * time), &Options::default()).expect("linear")
    };
    let plain = estimate(1.0, 1.0, 1.0);
    assert_eq!(plain.separation, Separation::Slow);
    for (time, mass, length) in [(1e-12, 1.0, 1e9), (1e12, 1e-9, 1.0)] {
        let found = estimate(time, mass, length);
        assert_eq!(found.separation, Separation::Slow);
        let near = |a: f64, b: f64| (a * time - b).abs() < 1e-9;
        assert!(near(found.exponents[0], plain.exponents[0]) && near(found.errors[0], plain.errors[0]), "{found:?}");
    }
}

/// Ch. Skokos, *The Lyapunov characteristic exponents and their computation*, Lect. Notes Phys. 790, 2010: at E = 1/8 the orbit from
/// y = 0.1 is regular, with exponents that tend to 0, and that from y = −0.25 is chaotic. A conservative mechanism has pairs ±λ. Over
/// 2000 units of time the largest one of the chaotic orbit still varies between 0.04 and 0.07.
#[test]
fn the_exponents_of_henon_and_heiles_tell_chaos_from_order() {
    let method = Rk4::new(0.02);
    let spectrum = LyapunovSpectrum::new(5.0, 400);
    let run = |y: f64, speed: f64| {
        let start = State::new(0.0, [0.0, y], [speed, 0.0]);
        spectrum.estimate(&HenonHeiles::default(), &start, &method, &Options::default()).expect("no failure")
    };
    let (regular, chaotic) = (run(0.1, 0.49058), run(-0.25, 0.42081));
    println!("{regular:?} {chaotic:?}");
    assert_eq!((regular.separation, chaotic.separation), (Separation::Slow, Separation::Exponential));
    let (regular, chaotic) = (regular.exponents, chaotic.exponents);
    assert!(regular.iter().all(|exponent| exponent.abs() < 0.005), "{regular:?}");
    assert!(chaotic[0] > 0.03 && chaotic[0] < 0.08 && chaotic[1].abs() < 0.005, "{chaotic:?}");
    for found in [regular, chaotic] {
        assert!(found.iter().sum::<f64>().abs() < 1e-6, "{found:?}");
        assert!((found[0] + found[3]).abs() < 2e-3 && (found[1] + found[2]).abs() < 2e-3, "{found:?}");
    }
}

/// The largest exponent of a motion until `t_end`, averaged from `from` on.
fn largest<M, I, const N: usize, const C: usize>(
    mechanism: &M,
    mut state: State<f64, N>,
    (from, t_end): (f64, f64),
    method: &I,
) -> Result<f64, AnalysisError>
where
    M: Mechanism<N, C, 0>,
    I: Method<f64, N, C>,
{
    let system = mechanism.prepare::<f64>().expect("valid");
    let mut growth = LargestExponent::new(&system, &state, from)?;
    let options = Options { rtol: 1e-10.into(), atol: 1e-10.into(), ..Options::default() };
    let mut inputs = DefaultInputs::of(&system);
    integrate(&system, &mut state, t_end, method, &options, &mut inputs, &mut growth).expect("it ends");
    growth.exponent()
}

/// Roots of linear equations, the fall of a pendulum that stands on its head (in its angle, and on a rod in Cartesian coordinates),
/// and the chaotic motions that other tests measure from all exponents.
#[test]
fn the_largest_exponent_beside_a_motion_is_that_of_closed_forms_and_of_the_spectrum() {
    let start = State::new(0.0, [0.3], [0.0]);
    let driven = Driven { m: 1.0, k: 2.0, c: 3.0, a: 0.7, w: 1.3 };
    let found = largest(&driven, start, (30.0, 40.0), &Dop853::new()).expect("smooth");
    assert!((found + 1.0).abs() < 1e-7, "{found}");
    let pendulum = Pendulum { m: 1.0, l: 0.5, g: 8.0 };
    let found = largest(&pendulum, State::new(0.0, [PI], [0.0]), (5.0, 8.0), &Rk4::new(1e-3)).expect("smooth");
    assert!((found - 4.0).abs() < 1e-7, "{found}");
    // Deviations grow along the rod's tangent alone. The period that the exponent is averaged over ends before the rod falls by rounding.
    let standing = CartesianPendulum { m: 0.7, l: 0.5, g: 8.0 };
    let method = Projected::new(Rk4::new(1e-3));
    let found = largest(&standing, State::new(0.0, [0.0, 0.5], [0.0, 0.0]), (3.0, 5.0), &method).expect("smooth");
    assert!((found - 4.0).abs() < 1e-5, "{found}");
    // As in Hénon and Heiles's test above.
    let speed = |y: f64| (0.25 - y * y + 2.0 / 3.0 * y * y * y).sqrt();
    let run = |y: f64| {
        let start = State::new(0.0, [0.0, y], [speed(y), 0.0]);
        largest(&HenonHeiles::default(), start, (0.0, 2000.0), &Dop853::new()).expect("smooth")
    };
    // The mean over three chaotic motions: each of them stays near regular ones for a while, which rounding decides.
    let (regular, chaotic) = (run(0.1), [-0.25, -0.24, -0.23].map(run).iter().sum::<f64>() / 3.0);
    assert!(regular.abs() < 0.005 && (0.03..0.08).contains(&chaotic), "{regular} {chaotic}");
    // The sum of the exponents is −1/q. So a spiral towards a periodic motion has −1/(2 q) twice.
    let exponent = |drive| {
        let pendulum = DrivenPendulum { drive, ..DrivenPendulum::default() };
        largest(&pendulum, DrivenPendulum::released(), (200.0, 3000.0), &Dop853::new()).expect("smooth")
    };
    let (periodic, chaotic) = (exponent(0.9), exponent(1.15));
    assert!((periodic + 0.25).abs() < 1e-3 && chaotic > 0.05, "{periodic} {chaotic}");
    let all = LyapunovSpectrum::new(5.0, 560).with_transient(40);
    let method = Rk4::new(0.02);
    let all =
        all.of(&DrivenPendulum::default(), &DrivenPendulum::released(), &method, &Options::default()).expect("smooth");
    assert!((all[0] - chaotic).abs() < 0.02 && (all[0] + all[1] + 0.5).abs() < 1e-4, "{all:?} {chaotic}");
}

/// A spring that stiffens.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = k*x^2/2 + b*x^4/4;
}]
#[derive(Clone, Debug)]
struct Stiffening {
    k: f64,
    b: f64,
}

/// Neighbours of a regular motion part in proportion to the time, and an error ε of the deviation would make them part at the rate √ε.
/// The exponents are those of SciPy 1.17.1 (`solve_ivp`, DOP853, rtol 3e-14, atol 1e-14) for ẍ = −x − x³ with δ = (1, 1/2) at the start.
#[test]
fn the_largest_exponent_of_a_regular_motion_has_no_floor() {
    for (amplitude, expected) in [(1.0, 0.003_631_828_437_7), (3.0, 0.004_109_935_974_3)] {
        let spring = Stiffening { k: 1.0, b: 1.0 };
        let found = largest(&spring, State::new(0.0, [amplitude], [0.0]), (0.0, 2000.0), &Dop853::new());
        let found = found.expect("smooth");
        assert!((found - expected).abs() < 1e-5 * expected, "{amplitude}: {found} {expected}");
    }
}

/// A blow at x = 0 maps the deviation too, which the observer does not know.
#[test]
fn a_motion_that_events_map_has_no_exponent() {
    let system = Stiffening { k: 1.0, b: 1.0 }.prepare::<f64>().expect("valid");
    let mut state = State::new(0.0, [1.0], [0.0]);
    let mut growth = LargestExponent::new(&system, &state, 0.0).expect("free");
    let slowed = |state: &State<f64, 1>| State { v: state.v * 0.9, ..*state };
    let events = [Event::new(&|_: f64, q: &SVector<f64, 1>, _: &SVector<f64, 1>| q[0]).mapping(&slowed)];
    let options = Options { events: &events, ..Options::default() };
    let mut inputs = DefaultInputs::of(&system);
    integrate(&system, &mut state, 5.0, &Dop853::new(), &options, &mut inputs, &mut growth).expect("it ends");
    let error = growth.exponent().expect_err("a map").to_string();
    assert!(error.contains("whose state no event maps"), "{error}");
}

/// |x| has a kink where the motion goes through 0.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    potential = k*abs(x);
}]
#[derive(Clone, Debug)]
struct Kink {
    m: f64,
    k: f64,
}

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction rail: x = mu;
}]
#[derive(Clone, Debug)]
struct Held {
    m: f64,
    mu: f64,
}

#[test]
fn a_motion_without_an_exponent_is_told() {
    let kink = Kink { m: 1.0, k: 1.0 };
    let error = largest(&kink, State::new(0.0, [1.0], [0.0]), (0.0, 5.0), &Dop853::new()).expect_err("a switch");
    assert!(error.to_string().contains("goes through a zero of `x`"), "{error}");
    let before = largest(&kink, State::new(0.0, [1.0], [0.0]), (0.0, 1.0), &Dop853::new());
    assert!(before.is_ok(), "{before:?}");
    let late = largest(&kink, State::new(0.0, [1.0], [0.0]), (2.0, 1.0), &Dop853::new()).expect_err("no time");
    assert!(late.to_string().contains("goes on beyond the time"), "{late}");
    let held = Held { m: 1.0, mu: 0.1 }.prepare::<f64>().expect("valid");
    let sticking = LargestExponent::new(&held, &State::new(0.0, [0.0], [1.0]), 0.0).err().expect("friction");
    assert!(sticking.to_string().contains("without `friction`"), "{sticking}");
    let off = CartesianPendulum { m: 0.7, l: 0.5, g: 8.0 }.prepare::<f64>().expect("valid");
    assert!(LargestExponent::new(&off, &State::new(0.0, [0.0, 0.4], [0.0, 0.0]), 0.0).is_err());
}

/// The pendulum in its plane, in Cartesian coordinates: the period of the angle, 2π √(l/g)/agm(1, cos θ₀/2), and two multipliers 1.
#[test]
fn a_pendulum_on_a_rod_has_the_period_of_its_angle() {
    let pendulum = CartesianPendulum { m: 0.7, l: 0.6, g: 9.81 };
    let amplitude = 1.2_f64;
    let (mut a, mut b) = (1.0_f64, (0.5 * amplitude).cos());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    let period = 2.0 * PI * (pendulum.l / pendulum.g).sqrt() / a;
    let (s, c) = amplitude.sin_cos();
    // The guess of the height is wrong, and is brought onto the rod.
    let guess = State::new(0.0, [pendulum.l * s, -pendulum.l * c - 0.01], [0.0, 0.0]);
    let search = Shooting::new(guess, 0.95 * period).with_fixed_coordinate(0).with_fixed_velocity(0);
    let orbit = search.find(&pendulum, &Projected::new(Dop853::new()), &tight()).expect("near");
    assert!((orbit.period - period).abs() < 1e-10 * period, "{orbit:?} {period}");
    assert!((orbit.start.q[1] + pendulum.l * c).abs() < 1e-13, "{orbit:?}");
    assert_eq!((orbit.monodromy.shape(), orbit.basis.len()), ((2, 2), 2));
    assert!(orbit.multipliers.iter().all(|value| (value - 1.0).norm() < 1e-4), "{orbit:?}");
    assert!((orbit.monodromy.determinant() - 1.0).abs() < 1e-9);
}

/// The conical pendulum, ω² = g/(l cos θ). Its neighbours swing through θ with Ω² = ω² (1 + 3 cos² θ) (E. T. Whittaker, *Analytical
/// Dynamics*, 4th ed., §55), so that the multipliers are 1, 1, exp(±iΩT): in the two angles, and on the rod in three coordinates,
/// in any units.
#[test]
fn a_conical_pendulum_has_the_same_multipliers_on_its_rod() {
    for (length, mass) in [(0.8, 1.3), (0.8e6, 1.3e-6), (0.8e-6, 1.3e6)] {
        let (g, angle) = (9.81, 0.9_f64);
        let (s, c) = angle.sin_cos();
        let rate = (g / (length * c)).sqrt();
        let period = 2.0 * PI / rate;
        let turn = rate * (1.0 + 3.0 * c * c).sqrt() * period;
        let check = |orbit: &[lagrange_runtime::nalgebra::Complex<f64>], found: f64| {
            assert!((found - period).abs() < 1e-9 * period, "{found} {period}");
            assert_eq!(orbit.len(), 4);
            let near =
                |re: f64, im: f64| orbit.iter().filter(|value| (value.re - re).hypot(value.im - im) < 1e-4).count();
            assert_eq!(
                (near(1.0, 0.0), near(turn.cos(), turn.sin()), near(turn.cos(), -turn.sin())),
                (2, 1, 1),
                "{orbit:?}"
            );
        };
        let exact = |orbit: &[lagrange_runtime::nalgebra::Complex<f64>]| {
            let found = orbit.iter().map(|value| (value.re - turn.cos()).hypot(value.im - turn.sin()));
            found.fold(f64::INFINITY, f64::min)
        };
        let tolerance = Two::constant(1e-12);
        let relative = Tolerance::Each {
            q: SVector::repeat(tolerance * Two::constant(length)),
            v: SVector::repeat(tolerance * Two::constant(length * rate)),
        };
        let options = Options {
            rtol: tolerance.into(),
            atol: relative,
            max_step: Two::constant(period / 40.0),
            ..Options::default()
        };
        let rod = SphericalPendulumCartesian { m: mass, l: length, g };
        let start = State::new(0.0, [length * s, 0.0, -length * c], [0.0, length * s * rate * 1.001, 0.0]);
        let search = Shooting::new(start, 1.01 * period).with_fixed_coordinate(0).with_fixed_coordinate(1);
        let orbit = search.find(&rod, &Projected::new(Dop853::new()), &options).expect("near");
        check(&orbit.multipliers, orbit.period);
        assert!(exact(&orbit.multipliers) < 1e-7, "{orbit:?}");

        let angles = SphericalPendulum { m: mass, l: length, g };
        let options = Options {
            rtol: tolerance.into(),
            atol: tolerance.into(),
            max_step: Two::constant(period / 40.0),
            ..Options::default()
        };
        let search = Shooting::new(State::new(0.0, [angle, 0.0], [0.0, rate * 1.001]), 1.01 * period)
            .with_fixed_coordinate(0)
            .with_fixed_coordinate(1)
            .with_winding(1, 2.0 * PI);
        let orbit = search.find(&angles, &Dop853::new(), &options).expect("near");
        check(&orbit.multipliers, orbit.period);
        assert!(exact(&orbit.multipliers) < 1e-7, "{orbit:?}");
    }
}
