//! Times and sizes of steps are constants for derivatives, where steps end at samples, stops, switches and events.

use lagrange_models::DoublePendulum;
use lagrange_runtime::analysis::{Variable, sensitivities, sensitivities_with};
use lagrange_runtime::method::OnDuals;
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Dual;

type One = Dual<f64, 1>;

/// A body in a viscous liquid: c/m is large, so that an adaptive step is at the limit of stability.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(x)^2/2;
    force x = push;
}]
#[derive(Clone, Debug)]
struct Body {
    m: f64,
    c: f64,
    #[input]
    push: f64,
}

/// A force that is switched on and off by the clock.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    dissipation = c*dot(x)^2/2;
    force x = if mod(t, 0.04) < 0.02 { push } else { 0 };
}]
#[derive(Clone, Debug)]
struct Pulsed {
    m: f64,
    c: f64,
    #[input]
    push: f64,
}

fn options(tolerance: f64) -> Options<'static, One, 1> {
    let tolerance = One::constant(tolerance);
    Options { rtol: tolerance.into(), atol: tolerance.into(), ..Options::default() }
}

const TOLERANCES: [f64; 4] = [1e-6, 1e-8, 1e-10, 1e-12];

/// ∂x(1)/∂x₀ under u = −c x − v, sampled every 20 ms. The equations are linear, so that it is the x(1) of the start (1, 0), which
/// the recursion of the zero-order hold gives.
#[test]
fn a_sampled_controller_has_the_derivatives_of_its_recursion() {
    fn check(name: &str, method: &impl OnDuals<1, 0, 1>, looseness: f64) {
        let period = 0.02;
        for c in [10.0, 100.0, 300.0] {
            let (decay, mut x, mut v) = (f64::exp(-c * period), 1.0, 0.0);
            for _ in 0..50 {
                let u = -c * x - v;
                let drift = (1.0 - decay) / c;
                (x, v) = (x + drift * v + (period - drift) / c * u, decay * v + drift * u);
            }
            for tolerance in TOLERANCES {
                let controller = |_: &_| {
                    Sampled::of(One::constant(period), move |_: One, q: &SVector<One, 1>, v: &SVector<One, 1>| {
                        SVector::from([-q[0] * One::constant(c) - v[0]])
                    })
                };
                let body = Body { m: 1.0, c, push: 0.0 };
                let start = State::new(0.0, [1.0], [0.0]);
                let variables = [Variable::Coordinate(0)];
                let found =
                    sensitivities_with(&body, &start, &[1.0], method, &options(tolerance), &variables, controller)
                        .expect("the motion is smooth between samples");
                let error = (found.derivatives[0][(0, 0)] - x).abs();
                assert!(error < looseness * tolerance, "{name} c = {c}, {tolerance}: {error}");
            }
        }
    }
    check("DOP853", &Dop853::new().with_width(), 1e2);
    check("Tsitouras 5(4)", &Tsitouras5::new().with_width(), 1e3);
    check("Verner 9(8)", &Verner9::new().with_width(), 1e2);
}

/// ∂x(1)/∂v₀ = (1 − e^(−c))/c, whatever the force does by the clock.
#[test]
fn stops_and_switches_by_the_clock_change_no_derivative() {
    fn check(name: &str, method: &impl OnDuals<1, 0, 1>) {
        let stops: Vec<One> = (1..50).map(|k| One::constant(0.02 * f64::from(k))).collect();
        let start = State::new(0.0, [0.3], [1.0]);
        let variables = [Variable::Velocity(0)];
        for c in [10.0, 100.0, 1000.0] {
            let exact = (1.0 - f64::exp(-c)) / c;
            for tolerance in TOLERANCES {
                let near = |found: f64, what: &str| {
                    let error = (found - exact).abs();
                    assert!(error < 1e3 * tolerance, "{name} {what}, c = {c}, {tolerance}: {error}");
                };
                let stopped = Options { stops: &stops, ..options(tolerance) };
                let body = Body { m: 1.0, c, push: 0.5 };
                let found = sensitivities(&body, &start, &[1.0], method, &stopped, &variables).expect("smooth");
                near(found.derivatives[0][(0, 0)], "stops");
                let pulsed = Pulsed { m: 1.0, c, push: 2.0 };
                let found = sensitivities(&pulsed, &start, &[1.0], method, &options(tolerance), &variables);
                near(found.expect("switches are located").derivatives[0][(0, 0)], "switches");
            }
        }
    }
    check("DOP853", &Dop853::new().with_width());
    check("Verner 9(8)", &Verner9::new().with_width());
    check("extrapolation", &Extrapolation::new().with_width());
}

/// No time of a solution on dual numbers has a derivative: neither where step control chooses it, nor where an event ends the step.
#[test]
fn no_time_has_a_derivative() {
    fn check(method: &impl Method<One, 2, 0>) {
        let system = DoublePendulum::default().prepare::<One>().expect("the parameters are finite");
        let crossing = |_: One, q: &SVector<One, 2>, _: &SVector<One, 2>| q[0];
        let mirror = |state: &State<One, 2>| State { v: -state.v, ..*state };
        let events = [
            Event { map: Some(&mirror), direction: Direction::Falling, ..Event::new(&crossing) },
            Event { terminal: false, direction: Direction::Rising, ..Event::new(&crossing) },
        ];
        let stops = [One::constant(0.7), One::constant(1.9)];
        let tolerance = One::constant(1e-9);
        let options = Options {
            rtol: tolerance.into(),
            atol: tolerance.into(),
            events: &events,
            stops: &stops,
            ..Options::default()
        };
        let mut start = State::new(One::ZERO, [1.2, 0.4].map(One::constant), [0.0, 0.3].map(One::constant));
        start.q[0] = One::variable(1.2, 0);
        let solution = solve(&system, start, One::constant(5.0), method, &options).expect("smooth");
        assert!(!solution.events.is_empty(), "{}", method.name());
        for state in solution.states() {
            assert_eq!(state.t.derivatives, [0.0], "{} at {}", method.name(), state.t.value);
        }
    }
    check(&Dop853::new());
    check(&Rkf45::new().with_absolute_limit(One::constant(1e-9), ErrorMeasure::Energy, StepLaw::Safety));
    check(&Extrapolation::new());
    check(&Rk4::new(One::constant(1e-3)));
}
