//! The energy over many initial states of near-integrable motions: its mean does not drift beyond the statistical error of that mean,
//! which is bounded itself, so that a method with large errors cannot pass.

#[path = "../../tests/structure/near_integrable.rs"]
mod near_integrable;

use lagrange_runtime::prelude::*;
use near_integrable::{Double, HenonHeiles};
use std::ops::ControlFlow;

/// How many initial states.
const STATES: usize = 64;

/// Initial states of small motions, spread evenly over (0, size)⁴ by the fractional parts of multiples of irrationals.
fn states(size: f64) -> impl Iterator<Item = State<f64, 2>> {
    (1..=STATES).map(move |k| {
        // Powers of 1/x for the root of x⁵ = x + 1 (M. Roberts).
        let x = [0.8566748838545029, 0.733891856627126, 0.6287067210378087, 0.5385972572236101];
        let [a, b, c, d] = x.map(|slope| size * ((k as f64 * slope).fract() - 0.5));
        State::new(0.0, [a, b], [c, d])
    })
}

/// How much the mean energy error of a motion rises from its first half to its second: the mean over all initial states, and the
/// standard error of that mean. Within each half, times are weighted by sin². So the phases at the ends do not matter, nor does the
/// start, where the states are not yet spread as the motion spreads them.
fn drift<M: Method<f64, 2, 0>>(system: &dyn System<f64, 2, 0, 0>, size: f64, span: f64, method: &M) -> (f64, f64) {
    watched(system, size, span, method, &mut |_, _| ())
}

/// As [`drift`]; `watch` gets each time, as a fraction of `span`, and the relative energy error at that time.
fn watched<M: Method<f64, 2, 0>>(
    system: &dyn System<f64, 2, 0, 0>,
    size: f64,
    span: f64,
    method: &M,
    watch: &mut dyn FnMut(f64, f64),
) -> (f64, f64) {
    let energy = |state: &State<f64, 2>| system.energies(state.t, &state.q, &state.v, &SVector::from([])).energy;
    let gains: Vec<f64> = states(size)
        .map(|mut state| {
            let initial = energy(&state);
            let mut halves = [(0.0, 0.0); 2];
            let mut observer = |step: &StepView<f64, 2>| {
                let half = &mut halves[usize::from(step.end.t > span / 2.0)];
                let weight = (std::f64::consts::TAU * step.end.t / span).sin().powi(2);
                let error = (energy(&step.end) - initial) / initial.abs();
                watch(step.end.t / span, error);
                *half = (half.0 + weight * error, half.1 + weight);
                ControlFlow::Continue(())
            };
            let (options, mut inputs) = (Options::default(), DefaultInputs::of(system));
            integrate(system, &mut state, span, method, &options, &mut inputs, &mut observer)
                .expect("the integration succeeds");
            let [first, second] = halves.map(|(sum, weight)| sum / weight);
            second - first
        })
        .collect();
    let mean = gains.iter().sum::<f64>() / STATES as f64;
    let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (STATES - 1) as f64;
    (mean, (variance / STATES as f64).sqrt())
}

/// The mean is 0 within 2.5 standard errors, which by chance alone fails once in eighty methods; the standard error is at most
/// `allowed`, twice what it is now.
#[track_caller]
fn assert_none((mean, error): (f64, f64), allowed: f64, name: &str) {
    assert!(mean.abs() <= 2.5 * error, "{name}: {mean:e} ± {error:e}");
    assert!(error <= allowed, "{name}: the standard error {error:e} is more than {allowed:e}");
}

#[test]
fn a_mass_matrix_that_depends_on_coordinates() {
    let system = Double { g: 1.0 }.prepare::<f64>().expect("valid");
    let (size, span, h) = (0.6, 200.0, 0.2);
    assert_none(drift(&system, size, span, &ImplicitMidpoint::new(h)), 2e-9, "midpoint");
    assert_none(drift(&system, size, span, &Gauss::<f64, 2>::new(h)), 4e-10, "Gauss 2");
    assert_none(drift(&system, size, span, &VariationalTrapezoid::new(h)), 4e-10, "variational trapezoid");
    assert_none(drift(&system, size, span, &Composition::suzuki(VariationalMidpoint::new(h))), 4e-10, "Suzuki");
    let (mean, error) = drift(&system, size, span, &Rk4::new(h));
    assert!(mean < -5.0 * error && mean < -1e-4, "RK4 loses energy: {mean:e} ± {error:e}");
}

#[test]
fn separable_systems() {
    let system = HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid");
    let (size, span, h) = (0.3, 400.0, 0.2);
    assert_none(drift(&system, size, span, &StormerVerlet::new(&system, h)), 5e-8, "Störmer–Verlet");
    assert_none(drift(&system, size, span, &SymplecticEuler::new(&system, h)), 1e-7, "symplectic Euler");
    let kahan_li = Composition::kahan_li(StormerVerlet::new(&system, h));
    assert_none(drift(&system, size, span, &kahan_li), 6e-12, "Kahan and Li");
    let (mean, error) = drift(&system, size, span, &Rk4::new(h));
    assert!(mean < -5.0 * error && mean < -1e-5, "RK4 loses energy: {mean:e} ± {error:e}");
}

#[test]
fn rounding_causes_no_drift_with_newton_s_iteration() {
    assert_no_drift_of_rounding(Iteration::SimplifiedNewton);
}

/// Here M depends on q. The standard error is that of Newton's method.
#[test]
fn rounding_causes_no_drift_in_short_steps() {
    let system = Double { g: 1.0 }.prepare::<f64>().expect("valid");
    let method = Gauss::<f64, 4>::new(0.005);
    assert_none(drift(&system, 0.6, 200.0, &method), 7e-19, "Gauss 4");
    // Newton's method did not make these steps.
    let (options, mut inputs) = (Options::default(), DefaultInputs::of(&system));
    let mut state = states(0.6).next().expect("there are states");
    let report = integrate(&system, &mut state, 200.0, &method, &options, &mut inputs, &mut ()).expect("it succeeds");
    assert!(report.statistics.jacobians < 100, "{:?}", report.statistics);
}

#[test]
fn rounding_causes_no_drift_with_a_fixed_point_iteration() {
    assert_no_drift_of_rounding(Iteration::FixedPoint);
}

/// The method's own error is far below round-off: what is measured is rounding.
#[track_caller]
fn assert_no_drift_of_rounding(iteration: Iteration) {
    let system = HenonHeiles { c: 1.0 }.prepare::<f64>().expect("valid");
    let method = Gauss::<f64, 6>::new(0.2).with_iteration(iteration);
    // Squares of the error in the second and in the last sixteenth of the time, and how many.
    let mut squares = [(0.0, 0.0); 2];
    let mut watch = |part: f64, error: f64| {
        let window = match part {
            0.0625..0.125 => 0,
            0.9375.. => 1,
            _ => return,
        };
        squares[window] = (squares[window].0 + error * error, squares[window].1 + 1.0);
    };
    // Coefficients rounded to doubles, the same in every step, would show here: 5 standard errors.
    let (mean, error) = watched(&system, 0.3, 2000.0, &method, &mut watch);
    // Compensated, 10⁴ steps leave less than a unit of rounding.
    assert_none((mean, error), 2.2e-16, "Gauss 6");
    // A random walk grows by √10 in ten times the time; half as much again is left for chance. A drift would grow tenfold.
    let [early, late] = squares.map(|(sum, count)| f64::sqrt(sum / count));
    assert!(late < 1.5 * 10.0_f64.sqrt() * early, "{iteration:?}: {early:e}, then {late:e}");
}
