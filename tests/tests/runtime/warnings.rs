//! What is no error, but must be said: constraints that the motion leaves, and tolerances out of reach.

use crate::common::{oscillator, pendulum};
use lagrange_runtime::prelude::*;
use lagrange_runtime::statistics::ROUNDINGS;

/// A bob on a rod.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = 10*y;
    constraint rod: x^2 + y^2 == 1;
}]
#[derive(Clone, Debug)]
struct Rod {}

/// A skate on a slope, which turns at a steady rate.
#[lagrangian {
    coordinates x, y, phi;
    kinetic   = (dot(x)^2 + dot(y)^2 + dot(phi)^2)/2;
    potential = 10*x;
    nonholonomic blade: sin(phi)*dot(x) == cos(phi)*dot(y);
}]
#[derive(Clone, Debug)]
struct Skate {}

/// A block on the floor, whose constraint has no other term than the height.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = 10*y + x^2/2;
    constraint floor: y == 0;
}]
#[derive(Clone, Debug)]
struct Floor {}

/// A capacitor that a source charges through a resistor.
#[lagrangian {
    coordinates charge;
    kinetic     = 0;
    potential   = charge^2/(2*c);
    dissipation = r*dot(charge)^2/2;
    force charge = source;
}]
#[derive(Clone, Debug)]
struct Charging {
    r: f64,
    c: f64,
    source: f64,
}

fn released() -> State<f64, 2> {
    State::new(0.0, [1.0, 0.0], [0.0, 0.0])
}

fn rod<M: Method<f64, 2, 1>>(method: &M) -> Solution<f64, 2> {
    let system = Rod {}.prepare::<f64>().expect("valid");
    solve(&system, released(), 20.0, method, &Options::default()).expect("regular")
}

#[test]
fn an_explicit_method_says_how_far_it_left_the_constraints_and_what_keeps_it_there() {
    for solution in [rod(&Rk4::new(0.02)), rod(&Tsitouras5::new())] {
        let residuals = solution.statistics.residuals;
        let broken = |state: State<f64, 2>| (state.q.norm_squared() - 1.0).abs();
        let rate = |state: State<f64, 2>| 2.0 * state.q.dot(&state.v).abs();
        let last = solution.last().expect("states");
        let most = |of: &dyn Fn(State<f64, 2>) -> f64| solution.states().map(of).fold(0.0, f64::max);
        // The terms are x² + y² + 1 and 2 |q| Σ|qᵢ|, or 2 |v| Σ|qᵢ| with speeds up to √20.
        assert!(residuals.position > broken(last) / 7.0 && residuals.position <= most(&broken) / 2.0, "{residuals:?}");
        assert!(residuals.velocity > rate(last) / 20.0 && residuals.velocity <= most(&rate) / 2.0, "{residuals:?}");
        assert_eq!(residuals.nonholonomic, 0.0);
        let warnings: Vec<Warning> = solution.warnings().collect();
        assert_eq!(warnings, [Warning::Drift(residuals)]);
        let text = warnings[0].to_string();
        assert!(text.contains("positions by") && text.contains("`Projected` keeps a method on them"), "{text}");
        assert!(!text.contains("nonholonomic"), "{text}");
    }
    // What it names helps.
    for solution in
        [rod(&Projected::new(Rk4::new(0.02))), rod(&Projected::new(Tsitouras5::new())), rod(&Rattle::new(0.02))]
    {
        assert_eq!(solution.statistics.residuals, Residuals::default());
        assert_eq!(solution.warnings().count(), 0);
    }
    // Small steps leave them by too little to be said.
    let fine = rod(&Rk4::new(1e-3));
    assert!(fine.warnings().count() == 0 && fine.statistics.residuals.position < Residuals::BOUND);
}

#[test]
fn a_nonholonomic_row_is_a_kind_of_its_own() {
    let system = Skate {}.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]);
    let options = Options::default();
    let plain = solve(&system, start, 20.0, &Rk4::new(0.2), &options).expect("regular");
    let Residuals { position, velocity, nonholonomic } = plain.statistics.residuals;
    assert!(position == 0.0 && velocity == 0.0 && nonholonomic > Residuals::BOUND, "{:?}", plain.statistics);
    let text = plain.warnings().next().expect("a warning").to_string();
    assert!(text.contains("nonholonomic constraints by") && !text.contains("positions"), "{text}");
    let projected = solve(&system, start, 20.0, &Projected::new(Rk4::new(0.2)), &options).expect("regular");
    assert_eq!(projected.warnings().count(), 0, "{:?}", projected.statistics);
}

#[test]
fn rounding_is_no_drift() {
    let (rod, floor) = (Rod {}.prepare::<f64>().expect("valid"), Floor {}.prepare::<f64>().expect("valid"));
    let at_rest = State::new(0.0, [1e-17, -1.0], [0.0, 0.0]);
    let hanging = solve(&rod, at_rest, 100.0, &Rk4::new(0.1), &Options::default()).expect("regular");
    assert_eq!(hanging.statistics.residuals, Residuals::default());
    let on_the_floor = State::new(0.0, [1.0, 0.0], [0.0, 0.0]);
    let sliding = solve(&floor, on_the_floor, 100.0, &Rk4::new(0.1), &Options::default()).expect("regular");
    assert_eq!(sliding.statistics.residuals, Residuals::default());
}

#[test]
fn measuring_changes_no_step_and_does_not_depend_on_how_they_are_made() {
    let (system, method, options) = (Rod {}.prepare::<f64>().expect("valid"), Rk4::new(0.02), Options::default());
    let whole = solve(&system, released(), 20.0, &method, &options).expect("regular");
    let mut inputs = DefaultInputs::of(&system);
    let mut stepper = Stepper::new(&system, released(), 20.0, &method, &options, &mut inputs).expect("valid");
    while !stepper.is_finished() {
        stepper.step().expect("regular");
    }
    assert_eq!(stepper.state().expect("regular"), whole.last().expect("states"));
    assert_eq!(*stepper.statistics(), whole.statistics);
}

fn tight<M: Method<f64, 1, 0>>(method: &M) {
    let start = State::new(0.0, [1.0], [0.0]);
    let run = |rtol: f64, atol: f64| {
        let options = Options { rtol: rtol.into(), atol: atol.into(), max_steps: Some(100_000), ..Options::default() };
        let solution = solve(&oscillator(), start, 5.0, method, &options)
            .unwrap_or_else(|failed| panic!("{} at {rtol:e}, {atol:e}: {failed}", method.name()));
        let error = (solution.last().expect("states").q[0] - 5.0_f64.cos()).abs();
        assert!(error < 1e-13, "{} at {rtol:e}, {atol:e}: {error:e}", method.name());
        solution
    };
    for (rtol, atol) in [(0.0, 1e-18), (0.0, 1e-30)] {
        let solution = run(rtol, atol);
        let warnings: Vec<Warning> = solution.warnings().collect();
        let [Warning::BeyondReach { steps }] = warnings[..] else { panic!("{}: {warnings:?}", method.name()) };
        assert!(steps > 0 && steps <= solution.statistics.steps, "{:?}", solution.statistics);
        assert!(warnings[0].to_string().contains("out of reach"));
    }
    // What is within reach is not changed: tighter than the floor costs no more than the floor.
    let floor = run(ROUNDINGS * f64::EPSILON, 1e-30);
    let beyond = run(0.0, 1e-30);
    assert!(
        beyond.statistics.steps <= floor.statistics.steps * 5 / 4 + 10,
        "{:?} {:?}",
        beyond.statistics,
        floor.statistics
    );
    let reached = run(1e-14, 1e-14);
    assert_eq!((reached.statistics.beyond_reach, reached.warnings().count()), (0, 0), "{}", method.name());
}

#[test]
fn tolerances_below_the_rounding_are_taken_as_it_and_said() {
    tight(&Dop853::new());
    tight(&Verner9::new());
    tight(&Extrapolation::new());
}

#[test]
fn without_constraints_and_within_reach_there_is_nothing_to_say() {
    let start = State::new(0.0, [1.0], [0.0]);
    let solution = solve(&pendulum(), start, 10.0, &Dop853::new(), &Options::default()).expect("regular");
    assert_eq!((solution.statistics.residuals, solution.statistics.beyond_reach), (Residuals::default(), 0));
    assert_eq!(solution.warnings().count(), 0);
}

#[test]
fn a_motion_below_its_tolerance_is_told() {
    for c in [1e-6, 1e-9, 1e-12, 1e-15] {
        let model = Charging { r: 1e3, c, source: 5.0 };
        let system = model.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0], [0.0]);
        let run = |options: &Options<f64, 1>| {
            solve(&system, start, 8.0 * model.r * c, &DormandPrince5::new(), options).expect("regular")
        };
        // The charge ends at 5 c. With 1e-9 it has three digits from 1 µF on.
        let coarse = run(&Options { atol: 1e-9.into(), ..Options::default() });
        let is_told = coarse.warnings().any(|warning| warning == Warning::BelowTolerance);
        assert_eq!(is_told, c < 1e-6, "{c:e}: {:?}", coarse.last());
        let fine = run(&Options { atol: (1e-9 * c).into(), ..Options::default() });
        assert_eq!(fine.warnings().count(), 0, "{c:e}");
        // The charge has no inertia. It is a state, in the place of a velocity.
        let volts = fine.last().expect("states").v[0] / c;
        assert!((volts - 5.0 * (1.0 - (-8.0_f64).exp())).abs() < 1e-5, "{c:e}: {volts}");
    }
    // What never moves is told from what is small.
    let (system, options) = (pendulum(), Options { atol: 1e-9.into(), ..Options::default() });
    let still = solve(&system, State::new(0.0, [0.0], [0.0]), 1.0, &DormandPrince5::new(), &options);
    assert_eq!(still.expect("regular").warnings().count(), 0);
}
