//! Contacts that open and close: impacts and rest, against closed forms.

use super::common::{ByHand, Hand, solve_hidden};
use super::contact_friction::Slope;
use lagrange_runtime::contact;
use lagrange_runtime::prelude::*;
use lagrange_runtime::system::{BalanceJacobian, Facts};

/// A ball over the floor.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
    g: f64,
    e: f64,
}

/// Balls on a line.
#[lagrangian {
    coordinates x[4];
    kinetic = sum(i in 0..4, m[i]*dot(x[i])^2)/2;
    contact touch[i in 0..3]: x[i + 1] - x[i] >= d, restitution = e;
}]
#[derive(Clone, Debug)]
struct Row {
    m: [f64; 4],
    d: f64,
    e: f64,
}

/// A point outside a circle.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact hill: sqrt(x^2 + y^2) >= r;
}]
#[derive(Clone, Debug)]
struct Hill {
    m: f64,
    g: f64,
    r: f64,
}

/// A body on a table that is shaken.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact table: y >= a*sin(w*t), restitution = e;
}]
#[derive(Clone, Debug)]
struct Shaken {
    m: f64,
    g: f64,
    a: f64,
    w: f64,
    e: f64,
}

/// An oscillator over a floor at −h.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = y^2/2;
    contact floor: y >= -h, restitution = 1/2;
}]
#[derive(Clone, Debug)]
struct Grazing {
    h: f64,
}

/// Balls over floors of their own.
#[lagrangian {
    coordinates y[6];
    kinetic   = sum(i in 0..6, dot(y[i])^2)/2;
    potential = 10*sum(i in 0..6, y[i]);
    contact floor[i in 0..6]: y[i] >= floor[i], restitution = e[i];
}]
#[derive(Clone, Debug)]
struct Balls {
    floor: [f64; 6],
    e: [f64; 6],
}

/// A bead on a vertical circle of radius r, by a constraint, that falls onto a stop at the height h.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = g*y;
    constraint wire: x^2 + y^2 == r^2;
    contact stop: y >= h, restitution = e;
    friction rub: x + y = mu;
}]
#[derive(Clone, Debug)]
struct Bead {
    g: f64,
    r: f64,
    h: f64,
    e: f64,
    mu: f64,
}

pub(super) fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), max_steps: Some(20_000), ..Options::default() }
}

/// The states after each step.
pub(super) fn stepped<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    start: State<f64, N>,
    end: f64,
    mut look: impl FnMut(&State<f64, N>, &Statistics),
) {
    let (method, options) = (Dop853::new(), at(1e-11));
    let mut inputs = DefaultInputs::of(system);
    let mut stepper = Stepper::new(system, start, end, &method, &options, &mut inputs).expect("valid");
    while !stepper.is_finished() {
        stepper.step().unwrap_or_else(|failed| panic!("{failed}"));
        look(&stepper.state().expect("regular"), stepper.statistics());
    }
}

#[test]
fn a_ball_comes_to_rest_after_the_sum_of_its_flights() {
    let (g, e, h) = (10.0_f64, 0.7, 1.25);
    let system = Ball { m: 2.0, g, e }.prepare::<f64>().expect("valid");
    // The fall takes √(2h/g), and the flights that follow 2 √(2h/g) e/(1 − e) together.
    let total = (2.0 * h / g).sqrt() * (1.0 + e) / (1.0 - e);
    let start = State::new(0.0, [h], [0.0]);
    let run = |method: &dyn Fn(&Options<'_, f64, 1>) -> Solution<f64, 1>| {
        let solution = method(&at(1e-10));
        let last = solution.last().expect("steps");
        assert_eq!((last.q[0], last.v[0]), (0.0, 0.0));
        assert_eq!(solution.statistics.phases, 1, "{:?}", solution.statistics);
        // e^k is below the shortest resolved flight after ln(10⁻¹²)/ln e impacts.
        assert!((70..100).contains(&solution.statistics.impacts), "{:?}", solution.statistics);
        assert!(solution.q.iter().all(|q| q[0] > -1e-13));
        // The last state in the air is that of the last impact.
        let last = solution.states().filter(|state| state.v[0] != 0.0).last().expect("it falls");
        assert!((last.t - total).abs() < 1e-8, "{last:?} instead of {total}");
    };
    run(&|options| solve_hidden(&system, start, 4.0, &Dop853::new(), options).expect("regular"));
    run(&|options| solve_hidden(&system, start, 4.0, &Rk4::new(0.05), options).expect("regular"));
    run(&|options| solve_hidden(&system, start, 4.0, &Extrapolation::new(), options).expect("regular"));
    run(&|options| solve_hidden(&system, start, 4.0, &Radau5::new(), options).expect("regular"));
    // At rest on the floor, the floor bears the weight.
    let found = contact::forces(&system, &State::new(0.0, [0.0], [0.0]), &SVector::from([])).expect("regular");
    assert!(found.sticks[0] && (found.forces[0] - 20.0).abs() < 1e-12, "{found:?}");
    let solved = |q: f64, v: f64| system.acceleration_of(&State::new(0.0, [q], [v])).expect("regular").acceleration[0];
    assert_eq!((solved(0.0, 0.0), solved(0.1, 0.0), solved(0.0, 1.0)), (0.0, -g, -g));
}

#[test]
fn an_elastic_ball_keeps_its_energy() {
    let system = Ball { m: 2.0, g: 10.0, e: 1.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.25], [0.0]);
    let last = solve_hidden(&system, start, 500.0, &Dop853::new(), &at(1e-10)).expect("regular");
    assert_eq!(last.statistics.impacts, 500);
    let energy = system.energies_of(&last.last().expect("steps")).energy;
    assert!((energy / 25.0 - 1.0).abs() < 1e-11, "{energy}");
}

#[test]
fn a_blow_on_a_row_of_balls_is_shared_or_passed_on() {
    let run = |gap: f64| {
        let system = Row { m: [1.0; 4], d: 1.0, e: 1.0 }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [-3.0, 0.0, 1.0 + gap, 2.0 + 2.0 * gap], [1.0, 0.0, 0.0, 0.0]);
        solve_hidden(&system, start, 4.0, &Dop853::new(), &at(1e-10)).expect("regular")
    };
    let near = |found: &SVector<f64, 4>, exact: [f64; 4]| (found - SVector::from(exact)).amax() < 1e-12;
    // Balls that touch are hit at once: by Newton's law each gap opens as fast as it closed, so that three stay together.
    let v = run(0.0).last().expect("steps").v;
    assert!(near(&v, [-0.5, 0.5, 0.5, 0.5]), "{v}");
    // Through gaps, however small, the blow passes on from ball to ball, as it does in nature.
    for gap in [1e-12, 1e-6, 1e-2] {
        let solution = run(gap);
        assert!(near(&solution.last().expect("steps").v, [0.0, 0.0, 0.0, 1.0]), "{gap}: {solution:?}");
        assert_eq!(solution.statistics.impacts, 3);
    }
}

#[test]
fn a_body_leaves_a_hill_where_the_force_on_it_vanishes() {
    let system = Hill { m: 1.5, g: 10.0, r: 2.0 }.prepare::<f64>().expect("valid");
    // v² = v₀² + 2 g (r − y), and the force vanishes where v² = g y.
    let leaves = (0.25 + 2.0 * 10.0 * 2.0) / 30.0;
    let mut last_on_it = f64::INFINITY;
    stepped(&system, State::new(0.0, [0.0, 2.0], [0.5, 0.0]), 1.45, |state, _| {
        assert!(state.q.norm() > 2.0 - 1e-14, "{state:?}");
        if state.q.norm() < 2.0 + 1e-12 {
            last_on_it = state.q[1];
        }
    });
    assert!((last_on_it - leaves).abs() < 1e-9, "{last_on_it} instead of {leaves}");
}

#[test]
fn a_body_on_a_shaken_table_jumps_and_lands_again() {
    let shaken = Shaken { m: 2.0, g: 10.0, a: 0.2, w: 8.0, e: 0.0 };
    let system = shaken.prepare::<f64>().expect("valid");
    let gap = |state: &State<f64, 1>| state.q[0] - 0.2 * (8.0 * state.t).sin();
    // It leaves where the acceleration of the table is −g.
    let leaves = (10.0 / (0.2 * 64.0_f64)).asin() / 8.0;
    let mut last_on_it = f64::INFINITY;
    stepped(&system, State::new(0.0, [0.0], [1.6]), 0.4, |state, _| {
        if gap(state).abs() < 1e-12 {
            last_on_it = state.t;
        }
    });
    assert!((last_on_it - leaves).abs() < 1e-9, "{last_on_it} instead of {leaves}");
    for e in [0.0, 0.5] {
        let system = Shaken { e, ..shaken }.prepare::<f64>().expect("valid");
        let solution =
            solve_hidden(&system, State::new(0.0, [0.0], [1.6]), 6.0, &Dop853::new(), &at(1e-10)).expect("regular");
        assert!(solution.states().all(|state| gap(&state) > -1e-12), "{e}");
        // In every period it flies once and lands.
        assert!((14..=16).contains(&solution.statistics.phases), "{:?}", solution.statistics);
    }
    // The table works on what it carries.
    let carried = State::new(0.05, [0.2 * 0.4_f64.sin()], [1.6 * 0.4_f64.cos()]);
    let force = 2.0 * (10.0 - 0.2 * 64.0 * 0.4_f64.sin());
    let powers = system.powers_of(&carried);
    assert!(powers[0].0 == "table" && (powers[0].1 - force * carried.v[0]).abs() < 1e-12, "{powers:?}");
}

#[test]
fn no_step_goes_through_the_floor_and_back() {
    for h in [1.0, 0.999_999, 0.9999, 0.99, 1.000_000_1] {
        let system = Grazing { h }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [1.0], [0.0]);
        for solution in [
            solve_hidden(&system, start, 30.0, &Dop853::new(), &at(1e-10)).expect("regular"),
            solve_hidden(&system, start, 30.0, &Rk4::new(0.05), &at(1e-10)).expect("regular"),
        ] {
            assert!(solution.q.iter().all(|q| q[0] + h > -1e-13), "{h}: {solution:?}");
            // The amplitude of RK4 falls by 4e-9 a period, so that the outcome of the exact touch is its own.
            let reaches = solution.statistics.impacts > 0;
            assert!(reaches == (h < 1.0) || h == 1.0, "{h}: {:?}", solution.statistics);
        }
    }
}

#[test]
fn balls_that_land_together_lose_no_impact() {
    let mut seed = 2026_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for case in 0..12 {
        let (mut floor, mut heights, mut e) = ([0.0; 6], [1.0; 6], [1.0; 6]);
        for ball in 0..6 {
            heights[ball] += match (random() * 4.0) as u32 {
                0 => 0.0,
                1 => f64::EPSILON,
                _ => 10.0_f64.powf(-3.0 - 13.0 * random()),
            };
            if case % 2 == 1 {
                floor[ball] = (random() * 8.0).floor() - 4.0 + random();
                e[ball] = 0.7 + 0.3 * random();
            }
        }
        let system = Balls { floor, e }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, core::array::from_fn(|ball| floor[ball] + heights[ball]), [0.0; 6]);
        let runs = [
            solve_hidden(&system, start, 1.9, &Dop853::new(), &at(1e-11)).expect("regular"),
            solve_hidden(&system, start, 1.9, &Rk4::new(0.05), &at(1e-11)).expect("regular"),
        ];
        for solution in runs {
            let last = solution.last().expect("steps");
            for ball in 0..6 {
                assert!(solution.q.iter().all(|q| q[ball] - floor[ball] > -1e-12), "ball {ball}, case {case}");
                let exact = crate::impacts::closed_form(start.q[ball] - floor[ball], e[ball], 1.9);
                let error = (last.q[ball] - floor[ball] - exact.height).abs().max((last.v[ball] - exact.speed).abs());
                assert!(exact.away < 1e-8 || error < 1e-8, "ball {ball} off by {error:e}, case {case}");
            }
        }
    }
}

/// A level bar whose right end has a floor that is higher by d.
#[lagrangian {
    coordinates y, theta;
    kinetic   = m*dot(y)^2/2 + m*l^2/3*dot(theta)^2/2;
    potential = m*g*y;
    contact left:  y >= l*sin(theta), restitution = 1/2;
    contact right: y + l*sin(theta) >= d, restitution = 1/2;
}]
#[derive(Clone, Debug)]
struct Bar {
    m: f64,
    g: f64,
    l: f64,
    d: f64,
}

#[test]
fn contacts_that_close_within_the_rounding_of_the_time_close_at_once() {
    let landed = |d: f64| {
        let system = Bar { m: 2.0, g: 10.0, l: 0.5, d }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.8, 0.0], [0.0, 0.0]);
        solve_hidden(&system, start, 0.5, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps")
    };
    // It lands after 0.4 s, rises at half of its speed of 4, and does not turn.
    let level = landed(1e-14);
    assert!((level.v[0] - 1.0).abs() < 1e-9 && level.v[1].abs() < 1e-12, "{level:?}");
    // Where one end lands before the other, it turns.
    let turned = landed(1e-6);
    assert!(turned.v[1].abs() > 0.1, "{turned:?}");
}

#[test]
fn contacts_stand_beside_constraints_and_friction() {
    let (g, r, h, e) = (10.0_f64, 2.0_f64, -1.0_f64, 0.6);
    let system = Bead { g, r, h, e, mu: 0.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [2.0, 0.0], [0.0, 0.0]);
    // At the stop the velocity turns and keeps the part e of its magnitude: the next height is h + e² (0 − h).
    let mut highest = f64::NEG_INFINITY;
    stepped(&system, start, 2.2, |state, statistics| {
        assert!((state.q.norm() - r).abs() < 1e-9 && state.q[1] > h - 1e-12, "{state:?}");
        if statistics.impacts == 1 {
            highest = highest.max(system.energies_of(state).energy / g);
        }
    });
    assert!((highest - h * (1.0 - e * e)).abs() < 1e-8, "{highest}");
    // The bead rests on the stop. The forces of stop and wire bear its weight.
    let resting = Bead { e: 0.0, mu: 0.5, g, r, h }.prepare::<f64>().expect("valid");
    let last = solve(&resting, start, 4.0, &Dop853::new(), &at(1e-10)).expect("it rests").last().expect("steps");
    assert!((last.q[1] - h).abs() < 1e-12 && last.v.amax() < 1e-10, "{last:?}");
    let at_rest = State::new(0.0, [3.0_f64.sqrt(), -1.0], [0.0, 0.0]);
    let solved = resting.acceleration_of(&at_rest).expect("regular");
    assert!(solved.acceleration.amax() < 1e-12, "{solved:?}");
    let found = contact::forces(&resting, &at_rest, &SVector::from([])).expect("regular");
    assert!(found.sticks[1] && found.forces[0].abs() <= 0.5 + 1e-12, "{found:?}");
    // Along the wire, the stop and the friction bear the weight.
    let along = 0.75_f64.sqrt();
    let balance = (found.forces[1] - g) * along + found.forces[0] * (0.5 + along);
    assert!(balance.abs() < 1e-9, "{found:?}");
}

/// A body on a line that claims to have a contact.
struct Claim;

impl ByHand<f64, 1, 0> for Claim {
    const FACTS: Facts = <super::common::Pendulum as ByHand<f64, 1, 0>>::FACTS;
    const COORDINATES: &'static [&'static str] = &["x"];
    const CONTACTS: usize = 1;

    fn balance_jacobian(
        &self,
        _: f64,
        _: &SVector<f64, 1>,
        v: &SVector<f64, 1>,
        _: &SVector<f64, 0>,
    ) -> BalanceJacobian<f64, 1> {
        let zero = SMatrix::zeros();
        BalanceJacobian {
            momentum: *v,
            balance: SVector::zeros(),
            momentum_q: zero,
            mass_matrix: SMatrix::identity(),
            balance_q: zero,
            balance_v: zero,
        }
    }

    fn energy(&self, _: &SVector<f64, 1>, v: &SVector<f64, 1>) -> f64 {
        v[0] * v[0] / 2.0
    }
}

/// Without its rules a contact would have no effect.
#[test]
fn a_system_that_gives_no_rules_for_its_contacts_is_refused() {
    let start = State::new(0.0, [1.0], [-1.0]);
    let failure = solve(&Hand(Claim), start, 2.0, &Dop853::new(), &at(1e-9)).unwrap_err().error.failure;
    match failure {
        Failure::NotApplicable { needs, .. } => assert!(needs.contains("contact_rules"), "{needs}"),
        other => panic!("{other}"),
    }
}

#[test]
fn what_a_contact_cannot_do_is_an_error_that_names_it() {
    let ball = Ball { m: 1.0, g: 10.0, e: 0.5 };
    let system = ball.prepare::<f64>().expect("valid");
    let failed =
        |start: State<f64, 1>| solve_hidden(&system, start, 1.0, &Dop853::new(), &at(1e-9)).unwrap_err().error.failure;
    let below = failed(State::new(0.0, [-0.125], [0.0]));
    assert!(matches!(below, Failure::Penetration { contact: "floor", gap: -0.125, .. }), "{below}");
    let start = State::new(0.0, [1.0], [0.0]);
    let backward = solve_hidden(&system, start, -1.0, &Dop853::new(), &at(1e-9)).unwrap_err().error.failure;
    assert!(matches!(backward, Failure::BadOption { option: "t_end", .. }), "{backward}");
    let linearised = solve_hidden(&system, start, 1.0, &Rodas5P::new(), &at(1e-9)).unwrap_err().error.failure;
    assert!(
        matches!(linearised, Failure::NotApplicable { .. }) && linearised.to_string().contains("contact"),
        "{linearised}"
    );
    let unlocated = Options { locate_switches: false, ..at(1e-9) };
    let unlocated = solve_hidden(&system, start, 1.0, &Dop853::new(), &unlocated).unwrap_err().error.failure;
    assert!(matches!(unlocated, Failure::NotApplicable { .. }), "{unlocated}");
    let wrapped = lagrange_runtime::constraint::Unconstrained::<_, 0>::new(&system);
    let wrapped = solve(&wrapped, start, 1.0, &Dop853::new(), &at(1e-9)).unwrap_err().error.failure;
    assert!(matches!(wrapped, Failure::NotApplicable { .. }), "{wrapped}");
    for e in [-0.1, 1.1] {
        let wrong = Ball { e, ..ball.clone() }.prepare::<f64>().expect_err("out of range");
        assert!(matches!(wrong, PrepareError::NotPositive { parameter: "e" | "1 - e", .. }), "{wrong}");
    }
    // A map of an event that moves the ball into the floor.
    let sink = |state: &State<f64, 1>| State { q: SVector::from([-1.0]), ..*state };
    let time = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| t - 0.2;
    let events = [Event::new(&time).mapping(&sink)];
    let options = Options { events: &events, ..at(1e-9) };
    let sunk = solve_hidden(&system, start, 1.0, &Dop853::new(), &options).unwrap_err().error.failure;
    assert!(matches!(sunk, Failure::Penetration { contact: "floor", gap: -1.0, .. }), "{sunk}");
    let search = lagrange_runtime::analysis::EquilibriumSearch::new([1.0], []);
    let refused = search.find(&system).expect_err("its force is in no equation").to_string();
    assert!(refused.contains("`contact`"), "{refused}");
    let refused = lagrange_runtime::analysis::linearize(&system, &start, &SVector::from([])).expect_err("the same");
    assert!(refused.to_string().contains("`contact`"), "{refused}");
    // An impact at the start happens at once.
    let landing =
        solve_hidden(&system, State::new(0.0, [0.0], [-2.0]), 0.01, &Dop853::new(), &at(1e-9)).expect("regular");
    assert!((landing.last().expect("steps").v[0] - 0.9).abs() < 1e-12 && landing.statistics.impacts == 1);
}

/// A servo that a controller with damping pulls to a target, beyond a stop at first, and then back.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = k*(if t < released { far } else { near } - x) - d*dot(x);
    contact stop: l >= x, restitution = e;
}]
#[derive(Clone, Debug)]
struct Servo {
    m: f64,
    k: f64,
    d: f64,
    far: f64,
    near: f64,
    released: f64,
    l: f64,
    e: f64,
}

#[test]
fn a_servo_pushes_against_its_stop_until_it_is_called_back() {
    let (m, k) = (2.0_f64, 50.0_f64);
    // The damping is critical: ω = √(k/m) = 5, d = 2 m ω.
    let servo = Servo { m, k, d: 2.0 * m * 5.0, far: 1.5, near: 0.2, released: 4.0, l: 1.0, e: 0.3 };
    let system = servo.prepare::<f64>().expect("valid");
    let run = |end: f64| {
        let options = Options { stops: &[4.0], ..at(1e-10) };
        solve_hidden(&system, State::new(0.0, [0.0], [0.0]), end, &Dop853::new(), &options).expect("regular")
    };
    let pressed = run(3.9);
    let last = pressed.last().expect("steps");
    assert!((last.q[0] - 1.0).abs() < 1e-15 && last.v[0].abs() < 1e-15, "{last:?}");
    assert!(pressed.statistics.impacts > 2, "{:?}", pressed.statistics);
    let force = contact::forces(&system, &last, &SVector::from([])).expect("regular").forces[0];
    assert!((force - k * 0.5).abs() < 1e-12, "{force}");
    // Called back, it leaves the stop at once: x = 0.2 + 0.8 (1 + 5 s) exp(−5 s).
    let exact = |s: f64| 0.2 + 0.8 * (1.0 + 5.0 * s) * (-5.0 * s).exp();
    let last = run(4.5).last().expect("steps");
    assert!((last.q[0] - exact(0.5)).abs() < 1e-8, "{last:?} instead of {}", exact(0.5));
}

#[test]
fn a_checkpoint_keeps_the_phases_of_contacts() {
    let system = Slope { m: 2.0, g: 9.81, a: 0.4, mu: 0.6 }.prepare::<f64>().expect("valid");
    let (start, options, method) = (State::new(0.0, [0.0, 0.5], [1.0, 0.0]), at(1e-9), Dop853::new());
    let whole = solve_hidden(&system, start, 2.0, &method, &options).expect("regular");
    for steps in 1..whole.statistics.steps {
        let mut inputs = DefaultInputs::of(&system);
        let mut stepper = Stepper::new(&system, start, 2.0, &method, &options, &mut inputs).expect("regular");
        for _ in 0..steps {
            stepper.step().expect("regular");
        }
        let text = serde_json::to_string(&stepper.checkpoint()).expect("finite");
        let checkpoint = serde_json::from_str(&text).expect("as written");
        let mut inputs = DefaultInputs::of(&system);
        let mut stepper = Stepper::resume(&system, &checkpoint, &method, &options, &mut inputs).expect("the same");
        stepper.run(&mut ()).expect("regular");
        assert_eq!(stepper.state().expect("regular"), whole.last().expect("steps"), "{steps}");
        assert_eq!(*stepper.statistics(), whole.statistics);
    }
}

#[test]
fn no_impact_and_no_rest_allocates() {
    let slope = Slope { m: 2.0, g: 9.81, a: 0.4, mu: 0.6 }.prepare::<f64>().expect("valid");
    let ball = Ball { m: 2.0, g: 10.0, e: 0.5 }.prepare::<f64>().expect("valid");
    let (method, landing, sliding) = (Dop853::new(), at(1e-9), at(1e-9));
    let during = lagrange_tests::allocations::allocations(|| {
        let mut state = State::new(0.0, [1.0], [0.0]);
        integrate(&ball, &mut state, 3.0, &method, &landing, &mut DefaultInputs::of(&ball), &mut ()).expect("it rests");
        let mut state = State::new(0.0, [0.0, 0.5], [1.0, 0.0]);
        integrate(&slope, &mut state, 3.0, &method, &sliding, &mut DefaultInputs::of(&slope), &mut ())
            .expect("it rests");
    });
    assert_eq!(during, 0);
}

/// A body between two walls without room to move.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    contact left: x >= 0, restitution = e;
    contact right: 0 >= x, restitution = e;
}]
#[derive(Clone, Debug)]
struct Squeezed {
    e: f64,
}

#[test]
fn impacts_without_time_between_end_at_rest_or_in_an_error() {
    let start = State::new(0.0, [0.0], [1.0]);
    let rattling = Squeezed { e: 1.0 }.prepare::<f64>().expect("valid");
    let failed = solve(&rattling, start, 1.0, &Dop853::new(), &at(1e-9)).unwrap_err();
    let Failure::ManyImpacts { names, .. } = failed.error.failure else { panic!("{failed}") };
    assert_eq!(names, ["left", "right"]);
    assert!(failed.to_string().contains("left") || failed.to_string().contains("right"), "{failed}");
    let damped = Squeezed { e: 0.5 }.prepare::<f64>().expect("valid");
    let last = solve(&damped, start, 1.0, &Dop853::new(), &at(1e-9)).expect("it rests").last().expect("steps");
    assert!(last.q[0].abs() < 1e-14 && last.v[0].abs() < 1e-14, "{last:?}");
}

/// A point over a floor.
#[lagrangian {
    coordinates y;
    kinetic   = dot(y)^2/2;
    potential = g*y;
    contact floor: y >= 0, restitution = 1/2;
}]
#[derive(Clone, Debug)]
struct OverFloor {
    g: f64,
}

#[test]
fn a_start_below_the_floor_by_what_the_motion_does_not_resolve_touches_it() {
    let system = OverFloor { g: 9.81 }.prepare::<f64>().expect("valid");
    let solved = |y: f64, v: f64, end: f64| {
        solve_hidden(&system, State::new(0.0, [y], [v]), end, &Dop853::new(), &at(1e-9)).map(|found| found.last())
    };
    for (y, v) in [(-1e-300, 0.0), (-1e-28, 0.0), (-1e-15, 1.0), (-1e-13, 100.0), (-1e-15, -1.0)] {
        let last = solved(y, v, 1.0).expect("it touches").expect("steps");
        assert!(last.q[0] >= -1e-14, "{y}: {last:?}");
    }
    // Where the motion takes longer than an instant for the gap, the start is refused.
    for (y, v) in [(-1e-20, 0.0), (-1e-11, 1.0)] {
        let failed = solved(y, v, 1.0).expect_err("it penetrates");
        assert!(matches!(failed.error.failure, Failure::Penetration { contact: "floor", .. }), "{failed}");
    }
}
