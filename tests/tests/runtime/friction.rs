//! Dry friction: contacts that slip and stick, against closed forms.

use super::common::solve_hidden;
use lagrange_runtime::prelude::*;
use std::f64::consts::PI;

/// A block on a spring, on the ground.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    friction pad: x = mu;
}]
#[derive(Clone, Debug)]
struct Block {
    mu: f64,
}

/// A block on a spring, on a belt at the speed `speed`. The friction falls with the slip rate.
#[lagrangian {
    coordinates x;
    kinetic   = dot(x)^2/2;
    potential = x^2/2;
    friction pad: x - speed*t = mu - c*abs(dot(x) - speed);
}]
#[derive(Clone, Debug)]
struct Belt {
    mu: f64,
    c: f64,
    speed: f64,
}

/// A block on a slope whose angle grows at the rate `rate`.
#[lagrangian {
    coordinates s;
    kinetic = m*dot(s)^2/2;
    force s = m*g*sin(rate*t);
    friction slope: s = mu*m*g*cos(rate*t);
}]
#[derive(Clone, Debug)]
struct Slope {
    m: f64,
    g: f64,
    mu: f64,
    rate: f64,
}

/// A block on a block on the ground. The lower one is pulled.
#[lagrangian {
    coordinates lower, upper;
    kinetic = m1*dot(lower)^2/2 + m2*dot(upper)^2/2;
    force lower = pull;
    friction ground: lower = mu1*(m1 + m2)*g;
    friction between: upper - lower = mu2*m2*g;
}]
#[derive(Clone, Debug)]
struct Stack {
    m1: f64,
    m2: f64,
    mu1: f64,
    mu2: f64,
    g: f64,
    pull: f64,
}

/// A bead on a straight wire through the origin, on a spring along x, with the wire as a constraint.
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = (x^2 + y^2)/2;
    constraint wire: 3*y == 4*x;
    friction rub: (3*x + 4*y)/5 = mu;
}]
#[derive(Clone, Debug)]
struct Bead {
    mu: f64,
}

/// A block that is pressed less and less.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    friction pad: x = press*(1 - t);
}]
#[derive(Clone, Debug)]
struct Lifted {
    press: f64,
}

/// Two bodies on springs, pushed by a harmonic force, with friction on the ground and between them.
#[lagrangian {
    coordinates x, y;
    kinetic   = m*dot(x)^2/2 + dot(y)^2/2;
    potential = x^2/2 + k*(y - x)^2/2;
    force y = push*sin(w*t);
    friction ground: x = a + b*exp(-abs(dot(x)));
    friction between: y - x = c;
}]
#[derive(Clone, Debug)]
struct Pair {
    m: f64,
    k: f64,
    push: f64,
    w: f64,
    a: f64,
    b: f64,
    c: f64,
}

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    Options { rtol: tolerance.into(), atol: tolerance.into(), max_steps: Some(200_000), ..Options::default() }
}

fn each_method(mut check: impl FnMut(&dyn Fn(&dyn System<f64, 1, 0, 0>, State<f64, 1>, f64) -> Solution<f64, 1>, f64)) {
    check(&|system, start, end| solve(system, start, end, &Dop853::new(), &at(1e-10)).expect("it sticks"), 1e-8);
    check(&|system, start, end| solve(system, start, end, &DormandPrince5::new(), &at(1e-9)).expect("it sticks"), 1e-6);
    check(&|system, start, end| solve(system, start, end, &Extrapolation::new(), &at(1e-9)).expect("it sticks"), 1e-6);
    check(&|system, start, end| solve(system, start, end, &Radau9::new(), &at(1e-10)).expect("it sticks"), 1e-8);
    check(&|system, start, end| solve(system, start, end, &Rk4::new(0.01), &at(1e-9)).expect("it sticks"), 1e-6);
}

#[test]
fn a_block_on_a_spring_comes_to_rest_where_the_exact_solution_does() {
    let system = Block { mu: 0.1 }.prepare::<f64>().expect("valid");
    each_method(|solve, near| {
        let solution = solve(&system, State::new(0.0, [1.05], [0.0]), 40.0);
        let last = solution.last().expect("steps");
        assert!((last.q[0] + 0.05).abs() < near && last.v[0].abs() < 1e-15, "{last:?}");
        // It slips from the start, the other way at each of four turns, and sticks at the fifth.
        assert_eq!(solution.statistics.phases, 5, "{:?}", solution.statistics);
        assert!(solution.statistics.steps < 6_000);
    });
}

/// The slip of the block on the belt from its release: x and v at time t.
fn slip(belt: &Belt, t: f64) -> (f64, f64) {
    // x'' − c x' + x = μ − c·speed from x = μ, v = speed.
    let (c, rest) = (belt.c, belt.mu - belt.c * belt.speed);
    let (half, w) = (c / 2.0, (1.0 - c * c / 4.0).sqrt());
    let (a, b) = (belt.mu - rest, (belt.speed - half * (belt.mu - rest)) / w);
    let (sin, cos) = (w * t).sin_cos();
    let grown = (half * t).exp();
    let x = grown * (a * cos + b * sin);
    (rest + x, half * x + grown * w * (b * cos - a * sin))
}

#[test]
fn the_cycle_on_a_belt_has_the_period_of_the_closed_form() {
    let belt = Belt { mu: 0.3, c: 0.1, speed: 0.5 };
    // The velocity is that of the belt again in the last quarter of the swing.
    let (mut early, mut late) = (1.25 * PI, 2.2 * PI);
    for _ in 0..200 {
        let middle = (early + late) / 2.0;
        if slip(&belt, middle).1 < belt.speed { early = middle } else { late = middle }
    }
    let caught = slip(&belt, early).0;
    let period = early + (belt.mu - caught) / belt.speed;
    let system = belt.prepare::<f64>().expect("valid");
    // The belt works on the block that it carries, by the force that the spring needs.
    let (name, power) = system.powers_of(&State::new(0.0, [0.1], [0.5]))[0];
    assert!(name == "pad" && (power - 0.05).abs() < 1e-15, "{power}");
    each_method(|solve, near| {
        let start = State::new(0.0, [caught], [0.5]);
        let solution = solve(&system, start, 3.0 * period);
        let last = solution.last().expect("steps");
        assert!((last.q[0] - caught).abs() < 10.0 * near, "{last:?} instead of {caught}");
        assert!((5..=6).contains(&solution.statistics.phases), "{:?}", solution.statistics);
        let part = period + (belt.mu - caught) / belt.speed + 1.0;
        let last = solve(&system, start, part).last().expect("steps");
        let (x, v) = slip(&belt, 1.0);
        assert!((last.q[0] - x).abs() < 10.0 * near && (last.v[0] - v).abs() < 10.0 * near, "{last:?}");
    });
}

#[test]
fn a_block_slips_from_the_critical_angle_on() {
    let slope = Slope { m: 2.0, g: 9.81, mu: 0.4, rate: 0.1 };
    let system = slope.prepare::<f64>().expect("valid");
    let critical = slope.mu.atan() / slope.rate;
    each_method(|solve, near| {
        let start = State::new(0.0, [0.3], [0.0]);
        let stuck = solve(&system, start, 0.99 * critical);
        assert_eq!(stuck.last().expect("steps").q[0], 0.3);
        assert_eq!(stuck.statistics.phases, 0);
        let end = critical + 2.0;
        let sliding = solve(&system, start, end);
        let (first, last) = ((slope.rate * critical).sin_cos(), (slope.rate * end).sin_cos());
        let v = slope.g / slope.rate * (first.1 - last.1 - slope.mu * (last.0 - first.0));
        let found = sliding.last().expect("steps").v[0];
        assert!((found - v).abs() < near, "{found} instead of {v}");
        assert_eq!(sliding.statistics.phases, 1);
    });
}

/// A block on the ground that is pushed to and fro a little harder than the friction.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    force x = push*sin(w*t);
    friction pad: x = mu;
}]
#[derive(Clone, Debug)]
struct Pushed {
    push: f64,
    w: f64,
    mu: f64,
}

#[test]
fn a_step_at_rest_does_not_go_over_a_short_slip() {
    let pushed = Pushed { push: 0.31, w: 0.7, mu: 0.3 };
    let system = pushed.prepare::<f64>().expect("valid");
    let Pushed { push, w, mu } = pushed;
    // It slips from the time at which the push exceeds the friction until its velocity is 0 again.
    let begun = (mu / push).asin() / w;
    let v = |t: f64| push / w * ((w * begun).cos() - (w * t).cos()) - mu * (t - begun);
    let (mut early, mut late) = (PI / (2.0 * w), PI / w);
    for _ in 0..100 {
        let middle = (early + late) / 2.0;
        if v(middle) > 0.0 { early = middle } else { late = middle }
    }
    let slip = early - begun;
    let reach =
        push / w * ((w * begun).cos() * slip - ((w * early).sin() - (w * begun).sin()) / w) - mu * slip * slip / 2.0;
    each_method(|solve, near| {
        let start = State::new(0.0, [0.0], [0.0]);
        let half = solve(&system, start, PI / w).last().expect("steps").q[0];
        assert!((half - reach).abs() < near, "{half} instead of {reach}");
        // In each half period it slips and sticks; the halves are opposite.
        let solution = solve(&system, start, 12.0 * PI / w);
        assert_eq!(solution.statistics.phases, 24);
        assert!(solution.last().expect("steps").q[0].abs() < 10.0 * near);
    });
}

#[test]
fn two_blocks_with_two_frictions_move_apart_together_or_not() {
    let stack = |pull: f64| Stack { m1: 2.0, m2: 1.0, mu1: 0.2, mu2: 0.3, g: 10.0, pull };
    let accelerations = |pull: f64| {
        let system = stack(pull).prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
        let solution = solve_hidden(&system, start, 1.0, &Dop853::new(), &at(1e-10)).expect("regular");
        let last = solution.last().expect("steps");
        let found = lagrange_runtime::contact::forces(&system, &start, &SVector::from([])).expect("regular");
        (last.v, found)
    };
    let near = |found: f64, exact: f64| assert!((found - exact).abs() < 1e-9, "{found} instead of {exact}");
    // Both blocks stick: the ground takes the pull.
    let (v, found) = accelerations(5.9);
    assert_eq!((v[0], v[1]), (0.0, 0.0));
    assert_eq!((found.sticks[0], found.sticks[1]), (true, true));
    near(found.forces[0], -5.9);
    // The blocks move together, with the acceleration (12 − 6)/3.
    let (v, found) = accelerations(12.0);
    near(v[0], 2.0);
    near(v[1], 2.0);
    assert_eq!((found.sticks[0], found.sticks[1]), (false, true));
    near(found.forces[1], 2.0);
    // The blocks slip on each other, with the accelerations (20 − 6 − 3)/2 and 3.
    let (v, found) = accelerations(20.0);
    near(v[0], 5.5);
    near(v[1], 3.0);
    assert_eq!((found.sticks[0], found.sticks[1]), (false, false));
}

#[test]
fn a_bead_on_a_wire_sticks_as_it_does_on_a_line() {
    let system = Bead { mu: 0.1 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.63, 0.84], [0.0, 0.0]);
    let exact = |x: f64| (x + 0.05 * 0.6).abs() < 1e-6;
    let check = |solution: Solution<f64, 2>| {
        let last = solution.last().expect("steps");
        assert!(exact(last.q[0]) && last.v.norm() < 1e-14, "{last:?}");
        assert_eq!(solution.statistics.phases, 5);
    };
    check(solve_hidden(&system, start, 20.0, &Dop853::new(), &at(1e-10)).expect("it sticks"));
    check(solve_hidden(&system, start, 20.0, &Projected::new(Rk4::new(0.01)), &at(1e-10)).expect("it sticks"));
    // The wire carries no load at rest: the friction alone holds the bead against the spring.
    let at_rest = State::new(0.0, [-0.03, -0.04], [0.0, 0.0]);
    let found = system.acceleration_of(&at_rest).expect("regular");
    assert!(found.acceleration.norm() < 1e-15 && found.multipliers[0].abs() < 1e-15, "{found:?}");
}

#[test]
fn what_friction_cannot_do_is_an_error_that_names_the_contact() {
    let block = Block { mu: 0.1 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [1.05], [0.0]);
    let failed = solve(&block, start, 40.0, &Composition::suzuki(ImplicitMidpoint::new(0.01)), &at(1e-9)).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::Sliding { switch: Some("dot(x)"), .. }), "{failed}");
    assert!((failed.error.state.q[0] + 0.05).abs() < 1e-6 && failed.to_string().contains("friction name:"), "{failed}");
    let failed = solve(&block, start, -1.0, &Dop853::new(), &at(1e-9)).unwrap_err();
    assert!(matches!(failed.error.failure, Failure::BadOption { option: "t_end", .. }), "{failed}");
    let lifted = Lifted { press: 1.0 }.prepare::<f64>().expect("valid");
    for (h, v) in [(0.01, 3.0), (0.01, 0.0)] {
        let failed = solve(&lifted, State::new(0.0, [0.0], [v]), 2.0, &Rk4::new(h), &at(1e-9)).unwrap_err();
        let Failure::NegativeBound { contact: "pad", t, .. } = failed.error.failure else { panic!("{failed}") };
        assert!((t - 1.0).abs() < 0.02, "{failed}");
        let failed = solve(&lifted, State::new(0.0, [0.0], [v]), 2.0, &Dop853::new(), &at(1e-9)).unwrap_err();
        let Failure::NegativeBound { contact: "pad", .. } = failed.error.failure else { panic!("{failed}") };
        assert!(failed.error.state.t <= 1.0, "{failed}");
    }
}

#[test]
fn a_checkpoint_keeps_the_phases() {
    let system = Belt { mu: 0.3, c: 0.1, speed: 0.5 }.prepare::<f64>().expect("valid");
    let (start, options, method) = (State::new(0.0, [0.0], [0.5]), at(1e-9), Dop853::new());
    let whole = solve_hidden(&system, start, 20.0, &method, &options).expect("regular");
    let mut inputs = DefaultInputs::of(&system);
    let mut stepper = Stepper::new(&system, start, 20.0, &method, &options, &mut inputs).expect("regular");
    for _ in 0..5 {
        stepper.step().expect("regular");
    }
    let text = serde_json::to_string(&stepper.checkpoint()).expect("finite");
    let checkpoint = serde_json::from_str(&text).expect("as written");
    let mut inputs = DefaultInputs::of(&system);
    let mut stepper = Stepper::resume(&system, &checkpoint, &method, &options, &mut inputs).expect("the same");
    stepper.run(&mut ()).expect("regular");
    assert_eq!(stepper.state().expect("regular"), whole.last().expect("steps"));
    assert_eq!(*stepper.statistics(), whole.statistics);
}

#[test]
fn an_impact_makes_what_sticks_slip() {
    let system = Block { mu: 0.1 }.prepare::<f64>().expect("valid");
    let kick = |state: &State<f64, 1>| State { v: SVector::from([1.0]), ..*state };
    let time = |t: f64, _: &SVector<f64, 1>, _: &SVector<f64, 1>| t - 1.0;
    let events = [Event::new(&time).mapping(&kick)];
    let options = Options { events: &events, ..at(1e-11) };
    let solution =
        solve_hidden(&system, State::new(0.0, [0.0], [0.0]), 2.0, &Dop853::new(), &options).expect("regular");
    // x = −0.1 + 0.1 cos s + sin s.
    let exact = 0.1f64.mul_add(1.0_f64.cos(), 1.0_f64.sin() - 0.1);
    assert!((solution.last().expect("steps").q[0] - exact).abs() < 1e-9, "{solution:?}");
}

/// Random pairs of bodies. The friction takes energy, its force stays within the bound, and what sticks does not slip.
#[test]
fn friction_takes_energy_and_stays_within_its_bound() {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut phases = 0;
    for case in 0..6 {
        let pair = Pair {
            m: 0.5 + random(),
            k: 3.0 * random(),
            push: 1.5 * random(),
            w: 0.3 + 2.0 * random(),
            a: 0.4 * random(),
            b: 0.3 * random(),
            c: 0.5 * random(),
        };
        let system = pair.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [random(), random()], [0.0, random() - 0.5]);
        let run = |tolerance: f64| {
            solve_hidden(&system, start, 15.0, &DormandPrince5::new(), &at(tolerance))
                .unwrap_or_else(|failed| panic!("{pair:?}: {failed}"))
        };
        let solution = run(1e-9);
        phases += solution.statistics.phases;
        for state in solution.states() {
            let found = lagrange_runtime::contact::forces(&system, &state, &SVector::from([])).expect("regular");
            for contact in 0..2 {
                let (force, bound) = (found.forces[contact], found.bounds[contact]);
                assert!(force.abs() <= bound * (1.0 + 1e-9), "case {case}: {force} above {bound} at {state:?}");
                assert!(force * found.rates[contact] <= 1e-8 * bound, "case {case}: {found:?}");
            }
            let powers = system.powers_of(&state);
            assert!(powers[1].1 <= 1e-9 && powers[2].0 == "between" && powers[1].1 + powers[2].1 <= 1e-9, "{powers:?}");
        }
        // Another tolerance and another method find the same motion.
        let other =
            solve_hidden(&system, start, 15.0, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps");
        let last = solution.last().expect("steps");
        assert!((last.q - other.q).amax() < 1e-5, "case {case}, {pair:?}: {last:?} {other:?}");
    }
    assert!(phases > 40, "{phases}");
}

/// A block on a slope and one on a belt, with friction that changes its direction over the slip rate `v0`.
#[lagrangian {
    coordinates s, x;
    kinetic   = m*(dot(s)^2 + dot(x)^2)/2;
    potential = -m*g*s*sin(slope) + k*x^2/2;
    assume cos(slope) > 0;
    friction plane: s = mu*m*g*cos(slope), smooth = v0;
    friction belt: x - speed*t = rub, smooth = v0;
    output rubbing = friction(belt);
    verify forcing[x] == -k*x - rub*tanh((dot(x) - speed)/v0);
}]
#[derive(Clone, Debug)]
struct Smooth {
    m: f64,
    g: f64,
    k: f64,
    mu: f64,
    slope: f64,
    speed: f64,
    rub: f64,
    v0: f64,
}

const SMOOTH: Smooth = Smooth { m: 2.0, g: 10.0, k: 1.0, mu: 0.5, slope: 0.3, speed: 0.0, rub: 0.1, v0: 1e-2 };

/// A block creeps at v₀ atanh(tan α/μ), whatever the method.
#[test]
fn smooth_friction_creeps_at_the_rate_of_the_closed_form() {
    let system = SMOOTH.prepare::<f64>().expect("valid");
    let creep = 1e-2 * (0.3_f64.tan() / 0.5).atanh();
    let rate = |end: Option<State<f64, 2>>| end.expect("steps").v[0] / creep - 1.0;
    let start = State::new(0.0, [0.0; 2], [0.1, 0.0]);
    let explicit = rate(solve_hidden(&system, start, 2.0, &Dop853::new(), &at(1e-10)).expect("regular").last());
    let implicit =
        rate(solve_hidden(&system, start, 2.0, &Gauss::<f64, 2>::new(1e-3), &at(1e-10)).expect("regular").last());
    let variational =
        rate(solve_hidden(&system, start, 2.0, &VariationalMidpoint::new(1e-3), &at(1e-10)).expect("regular").last());
    assert!(
        [explicit, implicit, variational].iter().all(|error| error.abs() < 1e-8),
        "{explicit} {implicit} {variational}"
    );
}

/// The motion with smooth friction tends to the one that sticks and slips, in proportion to v₀.
#[test]
fn smooth_friction_tends_to_the_friction_that_sticks() {
    let exact = Belt { mu: 0.1, c: 0.0, speed: 0.05 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.3], [0.0]);
    let position =
        solve_hidden(&exact, start, 8.0, &Dop853::new(), &at(1e-11)).expect("regular").last().expect("steps").q[0];
    let error = |v0: f64| {
        let system = Smooth { m: 1.0, speed: 0.05, v0, ..SMOOTH }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0, 0.3], [0.0, 0.0]);
        let end =
            solve_hidden(&system, start, 8.0, &Dop853::new(), &at(1e-10)).expect("regular").last().expect("steps");
        (end.q[1] - position).abs()
    };
    let [coarse, fine] = [1e-2, 1e-3].map(error);
    assert!(fine < 2e-3 && fine < coarse / 5.0, "{coarse} {fine}");
}

/// The power of a smooth friction has its name, and is −b tanh(s/v₀) times the rate of its left side. The work is what the energy loses.
#[test]
fn smooth_friction_is_in_the_balance_of_power() {
    let system = SMOOTH.prepare::<f64>().expect("valid");
    let state = State::new(0.0, [0.2, 0.1], [0.03, -0.02]);
    let (none, [slope, belt]) = (SVector::from([]), [3.0_f64, -2.0].map(f64::tanh));
    let bounds = [0.5 * 2.0 * 10.0 * 0.3_f64.cos(), 0.1];
    let powers = system.powers_of(&state);
    let named = |name: &str| powers.iter().find(|power| power.0 == name).expect("named").1;
    assert!((named("plane") + bounds[0] * slope * 0.03).abs() < 1e-14, "{powers:?}");
    assert!((named("belt") - bounds[1] * belt * 0.02).abs() < 1e-14, "{powers:?}");
    // The output has the force on the left side, whose rate is −0.02.
    let outputs = system.outputs_of(&state);
    assert!((outputs[0].1 + bounds[1] * belt).abs() < 1e-15, "{outputs:?}");
    let energies = |state: &State<f64, 2>| system.energies(state.t, &state.q, &state.v, &none).energy;
    let sum: f64 = powers.iter().map(|power| power.1).sum();
    let (step, dop) = (1e-5, Dop853::new());
    let end = solve_hidden(&system, state, step, &dop, &at(1e-12)).expect("regular").last().expect("steps");
    let next: f64 = system.powers_of(&end).iter().map(|power| power.1).sum();
    let change = (energies(&end) - energies(&state)) / step;
    assert!((change - (sum + next) / 2.0).abs() < 1e-5 * sum.abs(), "{change} {sum} {next}");
    assert_eq!(system.row_count(), 0);
}

/// `prepare` checks the signs of parameters that the proof of a bound used.
#[test]
fn smooth_friction_refuses_parameters_of_the_wrong_sign() {
    for wrong in [Smooth { v0: 0.0, ..SMOOTH }, Smooth { rub: -0.1, ..SMOOTH }, Smooth { slope: 2.0, ..SMOOTH }] {
        assert!(wrong.prepare::<f64>().is_err(), "{wrong:?}");
    }
    assert!(Smooth { rub: 0.0, ..SMOOTH }.prepare::<f64>().is_ok());
}

/// Two blocks that are pushed with less than their bounds. The first friction sticks, and the second creeps.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    force x = push;
    force y = push;
    friction sticking: x = bound;
    friction creeping: y = bound, smooth = v0;
}]
#[derive(Clone, Debug)]
struct Mixed {
    push: f64,
    bound: f64,
    v0: f64,
}

#[test]
fn smooth_friction_stands_beside_friction_that_sticks() {
    let system = Mixed { push: 0.5, bound: 1.0, v0: 1e-2 }.prepare::<f64>().expect("valid");
    assert_eq!(system.row_names(), ["sticking"]);
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let end = solve_hidden(&system, start, 1.0, &Dop853::new(), &at(1e-12)).expect("regular").last().expect("steps");
    assert_eq!((end.q[0], end.v[0]), (0.0, 0.0));
    assert!((end.v[1] / (1e-2 * 0.5_f64.atanh()) - 1.0).abs() < 1e-8, "{end:?}");
    let forces = lagrange_runtime::contact::forces(&system, &end, &SVector::from([])).expect("regular");
    assert!((forces.forces[0] + 0.5).abs() < 1e-12, "{forces:?}");
    let creeping = system.powers_of(&end).into_iter().find(|power| power.0 == "creeping").expect("named").1;
    assert!((creeping + 0.5 * end.v[1]).abs() < 1e-8, "{creeping}");
}

/// A body that is shaken ever faster, until t = 1, beside a body at rest.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    friction rest: y = 1;
    force x = cos(1/(1 - t))/(1 - t)^2;
    friction table: x = mu;
}]
#[derive(Clone, Debug)]
struct Chirp {
    mu: f64,
}

#[test]
fn phases_that_change_ever_faster_end_in_an_error_that_names_the_contact() {
    let system = Chirp { mu: 0.5 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0; 2], [0.0; 2]);
    let failed = solve_hidden(&system, start, 2e6, &DormandPrince5::new(), &at(1e-5)).unwrap_err();
    let Failure::Chatter { contacts, names } = failed.error.failure else { panic!("{failed}") };
    assert_eq!((contacts, names), (0b10, &["rest", "table"][..]));
    let (t, text) = (failed.error.state.t, failed.to_string());
    assert!(t > 0.99 && t < 1.0 && text.contains("`table`") && !text.contains("`rest`"), "{failed}");
    assert!(failed.error.statistics.steps < 20_000, "{failed}");
}

/// Friction and a contact beside a constraint.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    constraint ground: y == 0;
    contact wall: x >= -1;
}]
#[derive(Clone, Debug)]
struct Walled {}

/// Friction beside a constraint.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    constraint ground: y == 0;
    friction pad: x = mu;
}]
#[derive(Clone, Debug)]
struct Grounded {
    mu: f64,
}

#[test]
fn systems_that_wrap_a_mechanism_know_no_phases() {
    let (grounded, walled) =
        (Grounded { mu: 0.5 }.prepare::<f64>().expect("valid"), Walled {}.prepare().expect("valid"));
    let thrown = State::new(0.0, [0.0; 2], [1.0, 0.0]);
    let run = |system: &dyn System<f64, 2, 1, 0>, end| solve(system, thrown, end, &Dop853::new(), &at(1e-9));
    let refused = |failure: Failure| match failure {
        Failure::NotApplicable { needs, .. } => assert!(needs.contains("`contact`"), "{needs}"),
        other => panic!("{other}"),
    };
    let stops = |slipping: Solution<f64, 2>, failed: Box<PartialSolution<f64, 2>>| {
        // x = t − t²/4 until it stops at t = 2.
        assert!((slipping.last().expect("steps").q[0] - 0.75).abs() < 1e-9, "{slipping:?}");
        assert!(matches!(failed.error.failure, Failure::Sliding { switch: Some("dot(x)"), .. }), "{failed}");
        assert!((failed.error.state.t - 2.0).abs() < 1e-9, "{failed}");
    };
    let stabilised = Baumgarte::new(&grounded, 5.0, 5.0);
    stops(run(&stabilised, 1.0).expect("it slips"), run(&stabilised, 3.0).unwrap_err());
    let least = LeastNorm::new(&grounded, 1e-8);
    stops(run(&least, 1.0).expect("it slips"), run(&least, 3.0).unwrap_err());
    refused(run(&Baumgarte::new(&walled, 5.0, 5.0), 1.0).unwrap_err().error.failure);
    refused(run(&LeastNorm::new(&walled, 1e-8), 1.0).unwrap_err().error.failure);
}
