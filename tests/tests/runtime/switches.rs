//! Switches of the equations: steps end on them, and motions that slide or stick are told.

use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};
use std::f64::consts::PI;

use super::common::{ByHand, Hand, Pendulum};

/// A block on a spring, on a belt that moves at `speed`.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = x^2/2;
    force x = -mu*sign(dot(x) - speed);
}]
#[derive(Clone, Debug)]
struct Belt {
    mu: f64,
    speed: f64,
}

/// A mass that flies against a spring on one side only.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = if x < 0 { 0 } else { k*x^2/2 };
}]
#[derive(Clone, Debug)]
struct Bumper {
    k: f64,
}

/// A pendulum with a drag that is smooth enough for a step.
#[lagrangian {
    coordinates theta;
    kinetic     = dot(theta)^2/2;
    potential   = -cos(theta);
    dissipation = mu*abs(dot(theta))^3/3;
}]
#[derive(Clone, Debug)]
struct Drag {
    mu: f64,
}

fn at(tolerance: f64) -> Options<'static, f64, 1> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), max_steps: Some(100_000), ..Options::default() }
}

/// On a belt at rest: half swings about ±μ, each of which is a cosine, until the block sticks where |x| ≤ μ.
fn swings<M: Method<f64, 1, 0>>(method: &M, tolerance: f64, near: f64) {
    let system = Belt { mu: 0.1, speed: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.05], [0.0]);
    let solution = solve(&system, start, 3.0 * PI + 1.0, method, &at(tolerance)).expect("it moves");
    let exact = -0.1 - 0.35 * 1.0_f64.cos();
    let found = solution.last().expect("steps").q[0];
    assert!((found - exact).abs() < near, "{}: {found} instead of {exact}", method.name());
    let failed = solve(&system, start, 40.0, method, &at(tolerance)).unwrap_err();
    assert_eq!(failed.error.failure, Failure::Sliding { index: 0, switch: Some("dot(x) - speed") }, "{failed}");
    let stuck = failed.error.state;
    assert!((stuck.t - 5.0 * PI).abs() < 1e2 * near && (stuck.q[0] + 0.05).abs() < 1e2 * near, "{failed}");
    assert!(failed.error.statistics.steps < 5_000, "{failed}");
}

/// On a belt that moves, the block sticks to it at the same place with every method and tolerance.
fn stuck_on_the_belt<M: Method<f64, 1, 0>>(method: &M, tolerance: f64) -> State<f64, 1> {
    let system = Belt { mu: 0.5, speed: 0.3 }.prepare::<f64>().expect("valid");
    let failed = solve(&system, State::new(0.0, [2.0], [0.0]), 30.0, method, &at(tolerance)).unwrap_err();
    assert_eq!(failed.error.failure, Failure::Sliding { index: 0, switch: Some("dot(x) - speed") }, "{failed}");
    assert!(failed.to_string().contains("slides or sticks where `dot(x) - speed` = 0"), "{failed}");
    failed.error.state
}

#[test]
fn every_kind_of_method_ends_its_steps_on_a_switch_and_tells_where_it_sticks() {
    for tolerance in [1e-3, 1e-6, 1e-10] {
        swings(&Extrapolation::new(), tolerance, 1e3 * tolerance);
        swings(&Dop853::new(), tolerance, 1e3 * tolerance);
    }
    swings(&Rk4::new(0.01), 1e-6, 1e-8);
    swings(&Gauss::<f64, 2>::new(0.01), 1e-6, 1e-8);
}

/// A block that turns at the edge of its dead zone: there the spring is as strong as the friction, to the integration's error. So
/// one side leads back to the switch 10⁶ times more slowly than the other.
fn stuck_at_the_edge<M: Method<f64, 1, 0>>(method: &M) {
    let system = Belt { mu: 0.1, speed: 0.0 }.prepare::<f64>().expect("valid");
    let options = Options { max_steps: Some(10_000), ..at(1e-6) };
    let failed = solve(&system, State::new(0.0, [1.1], [0.0]), 60.0, method, &options).unwrap_err();
    assert_eq!(failed.error.failure, Failure::Sliding { index: 0, switch: Some("dot(x) - speed") }, "{failed}");
    assert!((failed.error.state.q[0].abs() - 0.1).abs() < 1e-4, "{failed}");
    let Statistics { steps, rejected, .. } = failed.error.statistics;
    assert!(steps + rejected < 3_000, "{failed}");
}

#[test]
fn sticking_is_told_where_one_side_leads_back_slowly() {
    stuck_at_the_edge(&Dop853::new());
    stuck_at_the_edge(&DormandPrince5::new());
    stuck_at_the_edge(&Extrapolation::new());
    stuck_at_the_edge(&Rk4::new(0.01));
    stuck_at_the_edge(&Gauss::<f64, 2>::new(0.01));
}

#[test]
fn a_block_on_a_moving_belt_sticks_at_the_same_place_at_every_tolerance() {
    let reference = stuck_on_the_belt(&Dop853::new(), 1e-13);
    assert!((reference.v[0] - 0.3).abs() < 1e-12);
    for tolerance in [1e-3, 1e-4, 1e-6, 1e-8, 1e-10] {
        for found in [stuck_on_the_belt(&Extrapolation::new(), tolerance), stuck_on_the_belt(&Dop853::new(), tolerance)]
        {
            assert!((found.q[0] - reference.q[0]).abs() < 1e2 * tolerance, "{tolerance:e}: {found:?}");
            assert!((found.t - reference.t).abs() < 1e2 * tolerance, "{tolerance:e}: {found:?}");
        }
    }
    let found = stuck_on_the_belt(&Rk4::new(0.01), 1e-6);
    assert!((found.q[0] - reference.q[0]).abs() < 1e-7, "{found:?}");
}

#[test]
fn a_kink_is_met_at_the_method_s_order_and_may_be_left_to_it() {
    let system = Bumper { k: 9.0 }.prepare::<f64>().expect("valid");
    // From −1 at speed 1: contact at 1 s, for half a period of the spring.
    let exact = -(3.0 - (1.0 + PI / 3.0));
    let error = |locate_switches: bool| {
        let options = Options { locate_switches, ..at(1e-6) };
        let solution = solve(&system, State::new(0.0, [-1.0], [1.0]), 3.0, &Rk4::new(0.01), &options).expect("regular");
        (solution.last().expect("steps").q[0] - exact).abs()
    };
    assert!(error(true) < 2e-8 && error(false) > 1e-6, "{} {}", error(true), error(false));
    // No stage of Gauss's is as late as the step's end: the state there shows the last of the switch.
    for h in [0.0203, 0.0211, 0.0223, 0.0237] {
        let gauss = Gauss::<f64, 3>::new(h);
        let solution = solve(&system, State::new(0.0, [-1.0], [1.0]), 3.0, &gauss, &at(1e-6)).expect("regular");
        let error = (solution.last().expect("steps").q[0] - exact).abs();
        assert!(error < 1e-10, "{h}: {error:e}");
    }
}

#[test]
fn switches_with_time_between_are_no_sliding() {
    let system = Belt { mu: 0.001, speed: 0.0 }.prepare::<f64>().expect("valid");
    let halves = 31.0;
    // Half swings about ±μ, each of which takes 2 μ from the amplitude.
    let exact = -(1.05 - 2.0 * 0.001 * halves);
    let start = State::new(0.0, [1.05], [0.0]);
    let solution = solve(&system, start, halves * PI, &Dop853::new(), &at(1e-10)).expect("it moves");
    assert!((solution.last().expect("steps").q[0] - exact).abs() < 1e-7);
}

/// A swing with drag to 20 s, and the same without a look at its switch.
fn with_and_without_switches<M: Method<f64, 1, 0>>(method: &M, tolerance: f64) -> [Solution<f64, 1>; 2] {
    let system = Drag { mu: 0.1 }.prepare::<f64>().expect("valid");
    [true, false].map(|locate_switches| {
        let options = Options { locate_switches, ..at(tolerance) };
        solve(&system, State::new(0.0, [2.0], [0.5]), 20.0, method, &options).expect("regular")
    })
}

#[test]
fn a_smooth_drag_costs_nothing() {
    let assert_same = |[with, without]: [Solution<f64, 1>; 2]| assert!(with == without);
    assert_same(with_and_without_switches(&Rk4::new(0.01), 1e-8));
    // In steps as long as these, stages stray over the switch while the step ends before it.
    assert_same(with_and_without_switches(&Rk4::new(0.5), 1e-8));
    assert_same(with_and_without_switches(&ImplicitMidpoint::new(0.2), 1e-8));
    for tolerance in [1e-3, 1e-4, 1e-6, 1e-8, 1e-10] {
        assert_same(with_and_without_switches(&Extrapolation::new(), tolerance));
        assert_same(with_and_without_switches(&Dop853::new(), tolerance));
    }
}

#[test]
fn switching_functions_are_event_functions() {
    let system = Bumper { k: 9.0 }.prepare::<f64>().expect("valid");
    assert_eq!(system.switch_count(), 1);
    let touch = EventFunction::Switch(0);
    let stay = |state: &State<f64, 1>| *state;
    // From −1 at speed 1: contact at 1 s, for half a period of the spring.
    let (start, contact) = (State::new(0.0, [-1.0], [1.0]), [1.0, 1.0 + PI / 3.0]);
    let run = |event: Event<'_, f64, 1>, near: f64| {
        let events = [event];
        let options = Options { events: &events, ..at(1e-12) };
        let solution = solve(&system, start, 3.0, &Dop853::new(), &options).expect("regular");
        let found: Vec<_> = solution.events.iter().map(|found| found.before.t).collect();
        let close = found.iter().zip(contact).all(|(found, contact)| (found - contact).abs() < near);
        assert!(found.len() == 2 && close, "{found:?} instead of {contact:?}");
        solution.last().expect("steps")
    };
    run(Event::of(touch), 1e-9);
    // A step that ends at the switch sees one branch only, and none is rejected for it.
    let last = run(Event::of(touch).mapping(&stay), 1e-11);
    let exact = -(3.0 - contact[1]);
    assert!((last.q[0] - exact).abs() < 1e-10 && (last.v[0] + 1.0).abs() < 1e-10, "{last:?}");
}

/// A body that is pushed harder at each of 70 marks: more switching functions than one word of bits holds.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    force x = sum(i in 0..70, if x < i - 64 { 0 } else { push }) - 64*push;
}]
#[derive(Clone, Debug)]
struct Marks {
    push: f64,
}

/// A force whose branch is decided by a root that ends.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    force x = push*sign(sqrt(1 - x));
}]
#[derive(Clone, Debug)]
struct Root {
    push: f64,
}

#[test]
fn every_one_of_many_switches_ends_a_step() {
    let system = Marks { push: 1.0 }.prepare::<f64>().expect("valid");
    assert_eq!(System::<f64, 1, 0, 0>::switch_count(&system), 70);
    // At speed 1 to the mark 0, the 65th, then with acceleration 1 to the mark 1, then with 2.
    let s = 1.5 - 0.5 - (3.0_f64.sqrt() - 1.0);
    let exact = 1.0 + 3.0_f64.sqrt() * s + s * s;
    let start = State::new(0.0, [-0.5], [1.0]);
    let error = |locate_switches: bool| {
        let options = Options { locate_switches, ..at(1e-6) };
        let solution = solve(&system, start, 1.5, &Rk4::new(0.27), &options).expect("regular");
        (solution.last().expect("steps").q[0] - exact).abs()
    };
    assert!(error(true) < 1e-12 && error(false) > 1e-4, "{} {}", error(true), error(false));
}

#[test]
fn more_switches_than_steps_can_end_on_are_refused_with_the_option_that_leaves_them_alone() {
    let failure = Failure::TooManySwitches { count: 257 };
    assert_eq!(failure.to_string(), "the system has 257 switching functions; steps can end on at most 256");
    assert!(failure.remedy().contains("set `locate_switches` to false"));
}

#[test]
fn a_switching_function_without_a_value_is_named() {
    let system = Root { push: 0.1 }.prepare::<f64>().expect("valid");
    let undefined = |failure: Failure| match failure {
        Failure::UndefinedSwitch { index: 0, switch: Some("sqrt(1 - x)"), t } => t,
        other => panic!("{other}"),
    };
    // x = t + t²/20 is 1 at this time.
    let passes = 20.0_f64.mul_add(1.2_f64.sqrt() / 2.0, -10.0);
    let start = State::new(0.0, [0.0], [1.0]);
    let adaptive = solve(&system, start, 2.0, &Dop853::new(), &at(1e-9)).expect_err("it ends");
    let fixed = solve(&system, start, 2.0, &Rk4::new(0.01), &at(1e-9)).expect_err("it ends");
    for failed in [adaptive, fixed] {
        let t = undefined(failed.error.failure);
        assert!((t - passes).abs() < 0.02 && failed.error.state.q[0] <= 1.0, "{failed}");
        assert!(failed.to_string().contains("`sqrt(1 - x)` is NaN at t = "), "{failed}");
    }
    let beyond = State::new(0.0, [1.5], [1.0]);
    let failed = solve(&system, beyond, 2.0, &Rk4::new(0.01), &at(1e-9)).expect_err("from the start");
    assert_eq!(undefined(failed.error.failure), 0.0);
    // What it advises helps.
    assert!(solve(&system, start, 0.5, &Rk4::new(0.01), &at(1e-9)).is_ok());
}

/// [`Bumper`] by hand, which gives the rules for its switch or not.
#[derive(Debug)]
struct ByHandBumper<const RULES: bool>;

impl<const RULES: bool> ByHand<f64, 1, 0> for ByHandBumper<RULES> {
    const FACTS: Facts = <Pendulum as ByHand<f64, 1, 0>>::FACTS;
    const COORDINATES: &'static [&'static str] = &["x"];
    const SWITCHES: (usize, bool) = (1, RULES);

    fn balance_jacobian(
        &self,
        _: f64,
        q: &SVector<f64, 1>,
        v: &SVector<f64, 1>,
        _: &SVector<f64, 0>,
    ) -> BalanceJacobian<f64, 1> {
        let k = if q[0] < 0.0 { 0.0 } else { 50.0 };
        BalanceJacobian {
            momentum: *v,
            balance: -k * q,
            momentum_q: SMatrix::zeros(),
            mass_matrix: SMatrix::identity(),
            balance_q: SMatrix::repeat(-k),
            balance_v: SMatrix::zeros(),
        }
    }

    fn energy(&self, q: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
        v[0] * v[0] / 2.0 + if q[0] < 0.0 { 0.0 } else { 25.0 * q[0] * q[0] }
    }
}

/// Without the rules, steps would go over the switch, whose kink costs digits.
#[test]
fn a_system_that_gives_no_rules_for_its_switches_is_refused_where_they_are_to_be_located() {
    let start = State::new(0.0, [-1.0], [1.0]);
    let (locates, ignores) = (Options::default(), Options { locate_switches: false, ..Options::default() });
    let method = Rk4::new(0.03);
    let last = |system: &Hand<ByHandBumper<true>>, options| {
        *solve(system, start, 2.0, &method, options).expect("regular").q.last().expect("steps")
    };
    // A quarter of a turn at the frequency √50 to the turning point, and a quarter back.
    let exact = -(2.0 - 1.0 - PI / 50.0_f64.sqrt());
    let (located, ignored) = (last(&Hand(ByHandBumper), &locates), last(&Hand(ByHandBumper), &ignores));
    assert!((located[0] - exact).abs() < 2e-5 && (ignored[0] - exact).abs() > 1e-4, "{located} {ignored} {exact}");

    let without = Hand(ByHandBumper::<false>);
    assert_eq!(*solve(&without, start, 2.0, &method, &ignores).expect("regular").q.last().expect("steps"), ignored);
    let refused = |failure: Failure| match failure {
        Failure::NotApplicable { needs, .. } => assert!(needs.contains("switch_rules"), "{needs}"),
        other => panic!("{other}"),
    };
    refused(solve(&without, start, 2.0, &method, &locates).unwrap_err().error.failure);
    // An integration that was started with other options is not resumed either.
    let mut inputs = DefaultInputs::of(&without);
    let stepper = Stepper::new(&without, start, 2.0, &method, &ignores, &mut inputs).expect("regular");
    let checkpoint = stepper.checkpoint();
    refused(Stepper::resume(&without, &checkpoint, &method, &locates, &mut inputs).unwrap_err().failure);
}
