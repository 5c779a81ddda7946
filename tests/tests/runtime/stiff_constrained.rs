//! Radau's methods under constraints: orders, a published solution, stiffness, constraints of each kind, and failures.

use crate::common::slopes;
use lagrange_runtime::analysis::{Variable, sensitivities};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::{DoubleDouble, Dual};
use lagrange_tests::stiff::{CAR_AXIS, CarAxis};

/// A double pendulum in angles.
#[lagrangian {
    coordinates a, b;
    let upper = [sin(a), -cos(a)];
    let lower = upper + [sin(b), -cos(b)];
    kinetic = (norm2(dot(upper)) + norm2(dot(lower)))/2;
    potential = 9.81*(upper[1] + lower[1]);
    dissipation = dot(b)^2/10;
}]
struct Angles {}

/// The same pendulum as two points on rods.
#[lagrangian {
    coordinates x[2], y[2];
    kinetic = (norm2(dot(x)) + norm2(dot(y)))/2;
    potential = 9.81*(x[1] + y[1]);
    let rod = y - x;
    dissipation = (rod[0]*dot(rod[1]) - rod[1]*dot(rod[0]))^2/10;
    constraint upper: norm2(x) == 1;
    constraint lower: norm2(rod) == 1;
}]
struct Points {}

/// Integrates by a relative tolerance.
fn run<S, M, const N: usize, const C: usize>(
    system: &S,
    (start, end): (State<f64, N>, f64),
    method: &M,
    rtol: f64,
) -> Solution<f64, N>
where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    let options = Options { rtol: rtol.into(), max_steps: Some(20_000), ..Options::default() };
    solve(system, start, end, method, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// The points of the pendulum in angles.
fn points<R: Real>(state: &State<R, 2>) -> State<R, 4> {
    let ([a, b], [va, vb]) = ([state.q[0], state.q[1]], [state.v[0], state.v[1]]);
    let upper = [a.sin(), -a.cos()];
    let rates = [a.cos() * va, a.sin() * va];
    let q = [upper[0], upper[1], upper[0] + b.sin(), upper[1] - b.cos()];
    State::new(state.t, q, [rates[0], rates[1], rates[0] + b.cos() * vb, rates[1] + b.sin() * vb])
}

fn largest<R: Real, const N: usize>(a: &State<R, N>, b: &State<R, N>) -> f64 {
    let errors = a.q.iter().chain(&a.v).zip(b.q.iter().chain(&b.v)).map(|(a, b)| (*a - *b).to_f64().abs());
    errors.fold(0.0, f64::max)
}

/// Steps of one size in double-double, against the motion in angles. Over dual numbers the stages are solved to rounding.
#[test]
fn the_orders_are_5_9_and_13_under_constraints() {
    type Wide = Dual<DoubleDouble, 1>;
    fn end<S, M, const N: usize, const C: usize>(
        system: &S,
        start: State<Wide, N>,
        method: &M,
        count: u32,
    ) -> State<Wide, N>
    where
        S: System<Wide, N, C, 0>,
        M: Method<Wide, N, C>,
    {
        let huge = Tolerance::from(1e9);
        // The rounding of the times must not leave a step of its own.
        let step = Wide::from_f64(0.6 / f64::from(count) * (1.0 + 1e-9));
        let options = Options { rtol: huge, atol: huge, first_step: Some(step), max_step: step, ..Options::default() };
        let solution = solve(system, start, Wide::from_f64(0.6), method, &options).expect("a smooth motion");
        assert_eq!(solution.statistics.steps, u64::from(count));
        solution.last().expect("a stored state")
    }
    let angles = State::new(Wide::ZERO, [0.7, 1.3].map(Wide::from_f64), [1.0, 0.0].map(Wide::from_f64));
    let exact = end(&Angles {}.prepare::<Wide>().expect("regular"), angles, &Radau13::new(), 40);
    let (exact, start) = (points(&exact), points(&angles));
    let system = Points {}.prepare::<Wide>().expect("regular");
    macro_rules! check {
        ($method:expr, $order:expr, $counts:expr) => {
            let errors = $counts.map(|count: u32| {
                let found = end(&system, start, &$method, count);
                let residuals = system.constraint(found.t, &found.q).value;
                assert!(residuals.iter().all(|g| g.to_f64().abs() < 1e-29), "{residuals:?}");
                (0.6 / f64::from(count), largest(&found, &exact))
            });
            for slope in slopes(&errors) {
                assert!((slope - $order).abs() < 0.3, "slope {slope} instead of {}: {errors:?}", $order);
            }
        };
    }
    check!(Radau5::new(), 5.0, [16, 32, 64]);
    check!(Radau9::new(), 9.0, [10, 14, 18]);
    check!(Radau13::new(), 13.0, [9, 12, 16]);
}

/// The published solution at t = 3, with multipliers.
#[test]
fn the_car_axis_is_met() {
    let system = CarAxis { eps: 1e-2 }.prepare::<f64>().expect("regular");
    fn check<M: Method<f64, 4, 2>>(system: &impl System<f64, 4, 2, 0>, method: &M, rtol: f64, most: f64, steps: u64) {
        let solution = run(system, (CAR_AXIS.start(), CAR_AXIS.end), method, rtol);
        let found = solution.last().expect("a stored state");
        let error = CAR_AXIS.error(&found);
        let made = solution.statistics.steps + solution.statistics.rejected;
        assert!(error < most && made < steps, "{}: {error:e} after {made} steps", method.name());
        let rows = system.constraint(found.t, &found.q);
        let rates = rows.jacobian * found.v + rows.drift;
        assert!(rows.value.amax() < 4e-16 && rates.amax() < 4e-16, "{} {rates}", rows.value);
        let found = system.acceleration(found.t, &found.q, &found.v, &[].into()).expect("regular").multipliers;
        for (found, exact) in found.iter().zip([-0.004736886590848933, -0.0011046803312573436]) {
            assert!((found - exact).abs() < most, "λ = {found}");
        }
    }
    check(&system, &Radau5::new(), 1e-6, 1e-6, 1600);
    check(&system, &Radau9::new(), 1e-9, 1e-10, 850);
    check(&system, &Radau13::new(), 1e-11, 1e-10, 600);
    check(&system, &VariableRadau::new(), 1e-9, 1e-8, 1600);
}

/// A pendulum on a rod, whose bob carries a body by a stiff spring with a damper.
#[lagrangian {
    coordinates p[2], z[2];
    kinetic = norm2(dot(p))/2 + norm2(dot(z))/20;
    potential = 9.81*(p[1] + z[1]/10) + k*norm2(z - p)/2;
    dissipation = sqrt(k/10)*norm2(dot(z) - dot(p));
    constraint rod: norm2(p) == 1;
}]
struct Carrying {
    k: f64,
}

/// From springs that are hardly stiff to 1e14 N/m, the steps are those of the pendulum, and the motion tends to that of one body.
#[test]
fn the_number_of_steps_does_not_depend_on_the_stiffness_under_constraints() {
    #[lagrangian { coordinates a; kinetic = dot(a)^2/2; potential = -9.81*cos(a); }]
    struct Pendulum {}
    let pendulum = Pendulum {}.prepare::<f64>().expect("regular");
    let exact = run(&pendulum, (State::new(0.0, [1.2], [0.0]), 5.0), &Dop853::new(), 1e-12).last().expect("a state");
    let steps = |k: f64| {
        let system = Carrying { k }.prepare::<f64>().expect("regular");
        let bob = [1.2_f64.sin(), -1.2_f64.cos()];
        let start = State::new(0.0, [bob[0], bob[1], bob[0], bob[1]], [0.0; 4]);
        let solution = run(&system, (start, 5.0), &Radau9::new(), 1e-9);
        let found = solution.last().expect("a state");
        let error = (found.q[0] - exact.q[0].sin()).abs();
        // The spring hangs lower by its load over k.
        assert!(error < 10.0 / k + 1e-8, "{k:e}: {error:e}");
        let made = solution.statistics;
        // Four or five iterations of five stages.
        assert!(made.evaluations < 27 * made.steps, "{k:e}: {made:?}");
        made.steps + made.rejected
    };
    let slow = steps(1e4);
    for k in [1e7, 1e10, 1e14] {
        let fast = steps(k);
        assert!(fast < slow + slow / 8, "{k:e}: {fast} steps, {slow} at 1e4");
    }
}

/// A bob in oil that a strong field pulls: what brings it back is the change of the reaction's direction alone.
#[test]
fn steps_are_long_where_the_reaction_is_what_is_stiff() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = g*y;
        dissipation = sqrt(g)*(dot(x)^2 + dot(y)^2);
        constraint rod: x^2 + y^2 == 1;
    }]
    struct InOil {
        g: f64,
    }
    let system = InOil { g: 1e10 }.prepare::<f64>().expect("regular");
    let solution = run(&system, (State::new(0.0, [0.6, -0.8], [0.0; 2]), 10.0), &Radau5::new(), 1e-6);
    let found = solution.last().expect("a stored state");
    assert!(found.q[0].abs() < 1e-6 && (found.q[1] + 1.0).abs() < 1e-15, "{}", found.q);
    let made = solution.statistics.steps + solution.statistics.rejected;
    assert!(made < 400, "{made} steps");
}

/// A knife edge on an incline, which turns at a constant rate, has a closed solution. Its constraint restricts velocities only.
#[test]
fn nonholonomic_constraints_are_held() {
    #[lagrangian {
        coordinates x, y, a;
        kinetic = (dot(x)^2 + dot(y)^2 + dot(a)^2)/2;
        potential = -g*x;
        nonholonomic edge: dot(x)*sin(a) - dot(y)*cos(a) == 0;
    }]
    struct Knife {
        g: f64,
    }
    let (g, omega, end) = (2.0, 1.7, 6.0_f64);
    let system = Knife { g }.prepare::<f64>().expect("regular");
    let solution = run(&system, (State::new(0.0, [0.0; 3], [0.0, 0.0, omega]), end), &Radau9::new(), 1e-11);
    let found = solution.last().expect("a stored state");
    let (scale, angle) = (g / (2.0 * omega * omega), omega * end);
    let exact = [scale * angle.sin().powi(2), scale * (angle - angle.sin() * angle.cos()), angle];
    for (found, exact) in found.q.iter().zip(exact) {
        assert!((found - exact).abs() < 1e-9, "{} instead of {exact:?}", solution.last().expect("a state").q);
    }
}

/// Inertia along the constraint only, as of a unit quaternion: M is singular at every state.
#[test]
fn constraints_make_up_for_missing_inertia() {
    #[lagrangian {
        coordinates u, w;
        kinetic = (u*dot(w) - w*dot(u))^2/2;
        potential = -9.81*u;
        constraint unit: u^2 + w^2 == 1;
    }]
    struct Turning {}
    #[lagrangian { coordinates a; kinetic = dot(a)^2/2; potential = -9.81*cos(a); }]
    struct Pendulum {}
    let pendulum = Pendulum {}.prepare::<f64>().expect("regular");
    let exact = run(&pendulum, (State::new(0.0, [2.0], [0.0]), 5.0), &Dop853::new(), 1e-12).last().expect("a state");
    let system = Turning {}.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [2.0_f64.cos(), 2.0_f64.sin()], [0.0; 2]);
    let found = run(&system, (start, 5.0), &Radau9::new(), 1e-11).last().expect("a state");
    assert!((found.q[0] - exact.q[0].cos()).abs() < 1e-8, "{}", found.q);
    assert!((found.q[1] - exact.q[0].sin()).abs() < 1e-8, "{}", found.q);
}

/// Events and outputs between steps are those of the motion, and lie within the error from the constraint.
#[test]
fn outputs_between_steps_lie_near_the_constraint() {
    let system = Points {}.prepare::<f64>().expect("regular");
    let start = points(&State::new(0.0, [0.7, 1.3], [1.0, 0.0]));
    let times: Vec<f64> = (0..=60).map(|i| 0.05 * f64::from(i)).collect();
    let through = |_: f64, q: &SVector<f64, 4>, _: &SVector<f64, 4>| q[0];
    let events = [Event::new(&through)];
    let options = Options { rtol: 1e-10.into(), t_eval: Some(&times), events: &events, ..Options::default() };
    let solution = solve(&system, start, 3.0, &Radau9::new(), &options).unwrap_or_else(|error| panic!("{error}"));
    let exact = Options { rtol: 1e-12.into(), t_eval: Some(&times), ..Options::default() };
    let angles = Angles {}.prepare::<f64>().expect("regular");
    let exact = solve(&angles, State::new(0.0, [0.7, 1.3], [1.0, 0.0]), 3.0, &Dop853::new(), &exact).expect("smooth");
    for (i, time) in times.iter().enumerate() {
        let (found, exact) = (solution.state(i).expect("a state"), points(&exact.state(i).expect("a state")));
        assert!(largest(&found, &exact) < 1e-7, "at {time}: {}", largest(&found, &exact));
        assert!(system.constraint(found.t, &found.q).value.amax() < 1e-9);
    }
    assert!(solution.events.len() > 1);
    for occurrence in &solution.events {
        assert!(occurrence.before.q[0].abs() < 1e-12, "{:?}", occurrence.before);
    }
}

/// A derivative of the motion by a parameter on dual numbers is that of a central difference of two motions.
#[test]
fn derivatives_converge_with_the_motion_under_constraints() {
    let start = State::new(0.0, [0.0, 0.5, 1.0, 0.5], [-0.5, 0.0, -0.5, 0.0]);
    let at = |eps: f64| run(&CarAxis { eps }.prepare().expect("regular"), (start, 1.0), &Radau9::new(), 1e-13).last();
    let (eps, d) = (0.03, 1e-6);
    let [low, high] = [at(eps - d), at(eps + d)].map(|state| state.expect("a stored state").q);
    let options = SharedOptions { rtol: 1e-9, ..SharedOptions::default() };
    let found = sensitivities(&CarAxis { eps }, &start, &[1.0], &Radau5::new(), &options, &[Variable::Parameter(0)]);
    let found = &found.expect("it converges").derivatives[0];
    for i in 0..4 {
        let difference = (high[i] - low[i]) / (2.0 * d);
        assert!(
            (found[(i, 0)] - difference).abs() < 2e-6 * difference.abs().max(1.0),
            "{i}: {} instead of {difference}",
            found[(i, 0)]
        );
    }
}

/// Rows that depend on each other are named.
#[test]
fn redundant_constraints_are_named() {
    #[lagrangian {
        coordinates x, y;
        kinetic = (dot(x)^2 + dot(y)^2)/2;
        potential = 9.81*y;
        constraint wall: x == 0;
        constraint again: x*(2 + y) == 0;
    }]
    struct Twice {}
    let system = Twice {}.prepare::<f64>().expect("the rank is known at a state only");
    let error = solve(&system, State::new(0.0, [0.0, 1.0], [0.0; 2]), 1.0, &Radau5::new(), &Options::default());
    let text = error.expect_err("two rows, one constraint").to_string();
    assert!(text.contains("again") || text.contains("wall"), "{text}");
}

#[test]
fn single_precision_suffices_under_constraints() {
    let system = CarAxis { eps: 0.1 }.prepare::<f32>().expect("regular");
    let options = Options { rtol: 1e-4.into(), ..Options::default() };
    let solution =
        solve(&system, State::new(0.0, [0.0, 0.5, 1.0, 0.5], [-0.5, 0.0, -0.5, 0.0]), 1.0, &Radau5::new(), &options);
    let found = solution.unwrap_or_else(|error| panic!("{error}")).last().expect("a stored state");
    let double = CarAxis { eps: 0.1 }.prepare::<f64>().expect("regular");
    let start = State::new(0.0, [0.0, 0.5, 1.0, 0.5], [-0.5, 0.0, -0.5, 0.0]);
    let exact = run(&double, (start, 1.0), &Radau9::new(), 1e-10).last().expect("a stored state");
    for (found, exact) in found.q.iter().zip(&exact.q) {
        assert!((f64::from(*found) - exact).abs() < 1e-4, "{found} instead of {exact}");
    }
}
