//! Every failure is a value that names the culprit, and keeps what was computed.

use crate::common::{Hand, Oscillator, oscillator, pendulum};
use lagrange_runtime::error::Component;
use lagrange_runtime::evaluate::Evaluate;
use lagrange_runtime::method::{Estimate, Pace, Trial};
use lagrange_runtime::prelude::*;

fn start() -> State<f64, 1> {
    State::new(0.0, [1.0], [0.0])
}

fn failure<M: Method<f64, 1, 0>>(
    initial: State<f64, 1>,
    t_end: f64,
    method: &M,
    options: &Options<'_, f64, 1>,
) -> Failure {
    let failed = solve(&pendulum(), initial, t_end, method, options).unwrap_err();
    assert_eq!(failed.solution.outcome, Outcome::Failed);
    failed.error.failure
}

#[test]
fn a_bad_option_is_named() {
    let rk4 = Rk4::new(0.1);
    let with = |options: &Options<'_, f64, 1>| failure(start(), 1.0, &rk4, options);
    let default = Options::default;
    for (name, options) in [
        ("rtol", Options { rtol: (-1.0).into(), ..default() }),
        ("rtol", Options { rtol: f64::NAN.into(), ..default() }),
        ("atol", Options { atol: f64::INFINITY.into(), ..default() }),
        ("atol", Options { rtol: 0.0.into(), atol: 0.0.into(), ..default() }),
        ("max_step", Options { max_step: 0.0, ..default() }),
        ("max_step", Options { max_step: f64::NAN, ..default() }),
        ("first_step", Options { first_step: Some(-1.0), ..default() }),
        ("first_step", Options { first_step: Some(f64::INFINITY), ..default() }),
    ] {
        let failure = with(&options);
        assert!(matches!(failure, Failure::BadOption { option, .. } if option == name), "{name}: {failure}");
        assert!(failure.to_string().contains(&format!("`{name}`")), "{failure}");
    }
    let per_coordinate = Tolerance::Each { q: SVector::from([1e-6]), v: SVector::from([f64::NAN]) };
    let failure = with(&Options { atol: per_coordinate, ..default() });
    assert!(matches!(failure, Failure::BadOption { option: "atol", .. }));
}

#[test]
fn a_bad_setting_of_the_method_is_named() {
    for h in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        for failure in [
            failure(start(), 1.0, &Rk4::new(h), &Options::default()),
            failure(start(), 1.0, &ImplicitMidpoint::new(h), &Options::default()),
        ] {
            assert!(matches!(failure, Failure::BadOption { option: "h", .. }), "{h}: {failure}");
        }
        let failure = failure(start(), 1.0, &Rkf45::new().with_energy_limit(h), &Options::default());
        assert!(matches!(failure, Failure::BadOption { option: "delta0", .. }), "{h}: {failure}");
    }
}

#[test]
fn a_bad_state_or_end_is_named() {
    let rk4 = Rk4::new(0.1);
    let options = Options::default();
    let at = |t: f64, q: f64, v: f64| failure(State::new(t, [q], [v]), 1.0, &rk4, &options);
    let component = |failure: Failure| match failure {
        Failure::BadState { component, .. } => component,
        other => panic!("{other}"),
    };
    assert_eq!(component(at(f64::NAN, 0.0, 0.0)), Component::Time);
    assert_eq!(component(at(0.0, f64::INFINITY, 0.0)), Component::Coordinate(0));
    assert_eq!(component(at(0.0, 0.0, f64::NAN)), Component::Velocity(0));
    let named = solve(&pendulum(), State::new(0.0, [0.0], [f64::NAN]), 1.0, &rk4, &options).unwrap_err();
    assert_eq!(named.to_string(), "the initial state is not finite: the velocity of `theta` is NaN");
    let end = failure(start(), f64::NAN, &rk4, &options);
    assert!(matches!(end, Failure::BadOption { option: "t_end", .. }), "{end}");
}

#[test]
fn a_bad_evaluation_time_is_named_by_its_index() {
    let rk4 = Rk4::new(0.1);
    let index = |times: &[f64], t_end: f64| {
        let options = Options { t_eval: Some(times), ..Options::default() };
        match failure(start(), t_end, &rk4, &options) {
            Failure::BadEvaluationTime { index, .. } => index,
            other => panic!("{other}"),
        }
    };
    assert_eq!(index(&[0.0, 0.5, 0.4], 1.0), 2);
    assert_eq!(index(&[0.0, 0.5, 0.5], 1.0), 2);
    assert_eq!(index(&[0.0, 1.5], 1.0), 1);
    assert_eq!(index(&[-0.1, 0.5], 1.0), 0);
    assert_eq!(index(&[0.1, f64::NAN], 1.0), 1);
    assert_eq!(index(&[-0.1, -0.5, -0.2], -1.0), 2);
}

/// An input that makes the oscillator's acceleration infinite after t = 1.
fn exploding(t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>) -> SVector<f64, 1> {
    SVector::from([if t > 1.0 { f64::INFINITY } else { 0.0 }])
}

#[test]
fn a_step_that_is_not_finite_keeps_the_state_before_it() {
    let options = Options::default();
    let failed = solve_with(&oscillator(), start(), 2.0, &Rk4::new(0.25), &options, &mut exploding).unwrap_err();
    let component = Some(Component::Coordinate(0));
    assert_eq!(failed.error.failure, Failure::NotFinite { component });
    assert_eq!((failed.error.state.t, failed.error.statistics.steps), (1.0, 4));
    assert_eq!(failed.solution.t, [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(failed.solution.last(), Some(failed.error.state));
    let message = failed.to_string();
    assert!(message.contains("coordinate `x`") && message.contains("t = 1,"), "{message}");

    let mut state = start();
    let midpoint = ImplicitMidpoint::new(0.25);
    let error = integrate(&oscillator(), &mut state, 2.0, &midpoint, &options, &mut exploding, &mut ()).unwrap_err();
    assert!(matches!(error.failure, Failure::NotFinite { .. }), "{error}");
    assert_eq!((state.t, state), (1.0, error.state));
}

#[test]
fn an_adaptive_method_shrinks_before_it_gives_up() {
    let options = Options::default();
    let failed = solve_with(&oscillator(), start(), 2.0, &Rkf45::new(), &options, &mut exploding).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::NotFinite { .. }), "{failed}");
    assert!((failed.error.state.t - 1.0).abs() < 1e-13, "{failed}");
    assert!(failed.error.statistics.rejected >= 10);

    // An input that varies faster than the time resolves.
    let mut noise = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| SVector::from([1e6 * (1e12 * t).sin()]);
    let late = State { t: 1e6, ..start() };
    let failed = solve_with(&oscillator(), late, 1e6 + 1.0, &Rkf45::new(), &options, &mut noise).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::StepTooSmall { step } if step < 1e-8), "{failed}");
}

#[test]
fn a_fixed_step_below_the_times_rounding_is_named() {
    let far = State::new(1e9, [1.0], [0.0]);
    let failure = failure(far, 1e9 + 1.0, &Rk4::new(1e-9), &Options::default());
    assert!(matches!(failure, Failure::BadOption { option: "h", value: 1e-9, .. }), "{failure}");
}

#[test]
fn the_number_of_steps_is_limited() {
    let options = Options { max_steps: Some(7), ..Options::default() };
    for failed in [
        solve(&pendulum(), start(), 10.0, &Rk4::new(0.1), &options).unwrap_err(),
        solve(&pendulum(), start(), 10.0, &Rkf45::new(), &options).unwrap_err(),
    ] {
        assert_eq!(failed.error.failure, Failure::MaxSteps { max_steps: 7 });
        let statistics = failed.error.statistics;
        assert_eq!(statistics.steps + statistics.rejected, 7);
        assert!(failed.to_string().contains("raise `max_steps`"), "{failed}");
    }
    let exact = Options { max_steps: Some(10), ..Options::default() };
    assert!(solve(&pendulum(), start(), 1.0, &Rk4::new(0.1), &exact).is_ok());
}

#[test]
fn newtons_method_gives_up_on_a_stiff_controller() {
    let mut stiff = |_: f64, _: &SVector<f64, 1>, v: &SVector<f64, 1>| -v * 1e3;
    let moving = State::new(0.0, [1.0], [1.0]);
    let mut state = moving;
    let (method, options) = (ImplicitMidpoint::new(0.1), Options::default());
    let error = integrate(&oscillator(), &mut state, 1.0, &method, &options, &mut stiff, &mut ()).unwrap_err();
    assert!(matches!(error.failure, Failure::FeedbackFailed { .. }), "{error}");
    assert!(error.to_string().contains("gain on velocities"), "{error}");
    assert_eq!(state, moving);
    // The same damping inside the mechanism is in the Jacobian.
    let damped = Hand(Oscillator { damping: 1e3 });
    assert!(solve(&damped, moving, 1.0, &method, &options).is_ok());
}

/// L = q v²/2: without inertia at q = 0.
struct Vanishing;

impl crate::common::ByHand<f64, 1, 0> for Vanishing {
    const FACTS: lagrange_runtime::system::Facts = <Oscillator as crate::common::ByHand<f64, 1, 1>>::FACTS;
    const COORDINATES: &'static [&'static str] = &["x"];

    fn balance_jacobian(
        &self,
        _: f64,
        q: &SVector<f64, 1>,
        v: &SVector<f64, 1>,
        _: &SVector<f64, 0>,
    ) -> lagrange_runtime::system::BalanceJacobian<f64, 1> {
        lagrange_runtime::system::BalanceJacobian {
            momentum: SVector::from([q[0] * v[0]]),
            balance: SVector::from([v[0] * v[0] / 2.0]),
            momentum_q: SMatrix::from([[v[0]]]),
            mass_matrix: SMatrix::from([[q[0]]]),
            balance_q: SMatrix::from([[0.0]]),
            balance_v: SMatrix::from([[v[0]]]),
        }
    }

    fn energy(&self, q: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
        q[0] * v[0] * v[0] / 2.0
    }
}

#[test]
fn a_singular_mass_matrix_names_the_coordinate() {
    let at_zero = State::new(0.0, [0.0], [1.0]);
    for error in [
        solve(&Hand(Vanishing), at_zero, 1.0, &Rk4::new(0.1), &Options::default()).unwrap_err(),
        solve(&Hand(Vanishing), at_zero, 1.0, &Rkf45::new(), &Options::default()).unwrap_err(),
    ] {
        assert!(
            matches!(error.error.failure, Failure::SingularMass(SingularMass { of: PivotOf::Coordinate(0), .. })),
            "{error}"
        );
        assert!(error.to_string().contains("coordinate `x`"), "{error}");
        assert_eq!(error.error.state, at_zero);
    }
}

/// Two bodies whose energies mix, so that nothing is assumed of the parameters.
#[lagrangian {
    coordinates x, y;
    kinetic   = cos(x)*(m*dot(x)*dot(y) + extra*dot(x)^2/2);
    potential = x^2/(2*l) + k*x*y;
}]
#[derive(Clone, Debug)]
struct Mixed {
    m: f64,
    extra: f64,
    l: f64,
    k: f64,
}

/// A body without inertia at x = 0, unless there is some extra.
#[lagrangian {
    coordinates x;
    kinetic = (x^2 - extra)*dot(x)^2/2;
}]
#[derive(Clone, Debug)]
struct Thin {
    extra: f64,
}

#[test]
fn a_parameter_that_leaves_no_acceleration_is_named_by_its_field() {
    let sound = Mixed { m: 1.0, extra: 0.0, l: 1.0, k: -1.0 };
    let start = State::new(0.0, [0.3, 0.2], [0.1, 0.0]);
    let run = |mixed: Mixed| {
        let system = mixed.prepare::<f64>().expect("nothing is assumed");
        [
            solve(&system, start, 1.0, &Rk4::new(0.1), &Options::default()),
            solve(&system, start, 1.0, &Dop853::new(), &Options::default()),
            solve(&system, start, 1.0, &ImplicitMidpoint::new(0.1), &Options::default()),
        ]
    };
    let text = |mixed: Mixed| {
        let texts = run(mixed).map(|result| result.expect_err("degenerate").to_string());
        for text in &texts {
            assert!(text.contains("at no state do the equations give the acceleration of coordinate `"), "{text}");
            assert!(text.contains("give them values above 0"), "{text}");
        }
        texts
    };
    // Of the parameters of the momenta, those that are 0: `k`, which is negative, is none of them.
    for text in text(Mixed { m: 0.0, ..sound }) {
        assert!(text.contains("parameter `m` is 0, parameter `extra` is 0,") && !text.contains("`k`"), "{text}");
    }
    for text in text(Mixed { m: 0.0, extra: 2.0, ..sound }) {
        assert!(text.contains("parameter `m` is 0,") && !text.contains("`extra`"), "{text}");
    }
    for text in text(Mixed { l: 0.0, ..sound }) {
        assert!(text.contains("parameter `l` is 0") && text.contains("parameter `k` is negative"), "{text}");
    }
    // What it advises helps; parameters that are 0 or negative and do no harm are not blamed.
    assert!(run(sound).iter().all(Result::is_ok));
    // Where the state alone is special, it is said as before.
    let thin = Thin { extra: 0.0 }.prepare::<f64>().expect("nothing is assumed");
    let at_zero = State::new(0.0, [0.0], [1.0]);
    let failed = solve(&thin, at_zero, 1.0, &Rk4::new(0.1), &Options::default()).expect_err("singular");
    assert!(
        matches!(failed.error.failure, Failure::SingularMass(SingularMass { of: PivotOf::Coordinate(0), .. })),
        "{failed}"
    );
}

/// A method with a fixed step that says it chooses its steps.
#[derive(Clone, Copy, Debug)]
struct Mislabelled;

impl Method<f64, 1, 0> for Mislabelled {
    type Memory = ();
    type Workspace = ();

    const ADAPTIVE: bool = true;

    fn workspace(&self) {}
    fn name(&self) -> &'static str {
        "mislabelled"
    }
    fn order(&self) -> u32 {
        1
    }
    fn pace(&self) -> Pace<f64> {
        Pace::Fixed(0.1)
    }
    fn start<E: Evaluate<f64, 1, 0> + ?Sized>(&self, _: &mut E, _: &State<f64, 1>) -> Result<(), Failure> {
        Ok(())
    }
    fn step<E: Evaluate<f64, 1, 0> + ?Sized>(
        &self,
        _: &mut E,
        (): &mut (),
        state: &State<f64, 1>,
        (): &(),
        _: f64,
        end: f64,
    ) -> Result<Trial<f64, 1, ()>, Failure> {
        Ok(Trial { state: State { t: end, ..*state }, memory: (), estimate: Estimate::None })
    }
}

#[test]
fn a_method_whose_pace_contradicts_its_constant_is_refused() {
    let failed = solve(&pendulum(), State::new(0.0, [0.1], [0.0]), 1.0, &Mislabelled, &Options::default()).unwrap_err();
    let failure = failed.error.failure;
    assert!(matches!(failure, Failure::NotApplicable { method: "mislabelled", .. }), "{failure}");
}
