//! Contacts and friction that sticks under Radau's methods and the diagonally implicit one, and switches under all implicit ones, beside parts that are stiff.

use lagrange_runtime::prelude::*;

/// Two masses on a stiff spring with a stiff damper. The first one lies on a belt and is held by a soft spring.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*x^2/2 + stiff*(y - x)^2/2;
    dissipation = c*dot(y - x)^2/2;
    friction pad: x - speed*t = bound;
}]
struct Belt {
    m: f64,
    k: f64,
    stiff: f64,
    c: f64,
    speed: f64,
    bound: f64,
}

/// A cart on hills, which carries a mass on a stiff spring. It is pressed by the spring, and the floor is rough.
#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + m*dot(z)^2/2;
    potential = m*9.81*(y + z) + stiff*(z - y - 1)^2/2;
    dissipation = c*dot(z - y)^2/2;
    contact floor: y - a*sin(x) >= 0, friction = mu, slip = x;
}]
struct Cart {
    m: f64,
    stiff: f64,
    c: f64,
    mu: f64,
    a: f64,
}

/// A ball that drops on a plate, beside a filter of a nanosecond. The filter does not act on the ball.
#[lagrangian {
    coordinates y;
    kinetic = dot(y)^2/2;
    potential = 10*y;
    contact plate: y >= 0, restitution = e;
    state z: dot(z) == (y - z)/tau;
}]
struct Filtered {
    e: f64,
    tau: f64,
}

/// A bead on a wire, whose friction has the bound μ|λ|, with a mass on a stiff spring along the wire.
#[lagrangian {
    coordinates x, y, s;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(s)^2)/2;
    potential = 9.81*y + stiff*(s - x)^2/2;
    dissipation = c*dot(s - x)^2/2;
    constraint wire: y == x^2/2;
    friction rough: x = mu*abs(multiplier(wire));
}]
struct Bead {
    stiff: f64,
    c: f64,
    mu: f64,
}

fn at<const N: usize>(tolerance: f64) -> Options<'static, f64, N> {
    let atol = 1e-3 * tolerance;
    Options { rtol: tolerance.into(), atol: atol.into(), max_steps: Some(100_000), ..Options::default() }
}

/// Compares Radau's method of order 5 with an explicit method, where the stiffness is moderate. Returns how many phases changed.
fn beside_explicit<const N: usize, const C: usize>(
    system: &dyn System<f64, N, C, 0>,
    (start, end): (State<f64, N>, f64),
    near: f64,
) -> u64 {
    let exact = solve(system, start, end, &Dop853::new(), &at(1e-11)).expect("regular");
    let found = solve(system, start, end, &Radau5::new(), &at(1e-7)).expect("regular");
    let (exact_end, found_end) = (exact.last().expect("steps"), found.last().expect("steps"));
    let error = (exact_end.q - found_end.q).amax().max((exact_end.v - found_end.v).amax());
    assert!(error < near, "{error}: {found_end:?} instead of {exact_end:?}");
    assert_eq!(found.statistics.phases, exact.statistics.phases);
    found.statistics.phases
}

/// The steps and the last state for springs of 10⁶ to 10¹² N/m with critical dampers.
fn over_stiffness<const N: usize, const C: usize>(
    run: impl Fn(f64) -> Solution<f64, N>,
    (most, near): (u64, f64),
) -> State<f64, N> {
    let reference = run(1e12).last().expect("steps");
    for stiff in [1e6, 1e8, 1e10, 1e12] {
        let solution = run(stiff);
        let last = solution.last().expect("steps");
        assert!(solution.statistics.steps < most, "{stiff}: {:?}", solution.statistics);
        // What the spring yields falls with its stiffness.
        let error = (last.q - reference.q).amax();
        assert!(error < near + 100.0 / stiff, "{stiff}: {last:?} instead of {reference:?}");
    }
    reference
}

#[test]
fn masses_on_a_stiff_spring_stick_to_a_belt_and_slip() {
    let belt = |stiff: f64| Belt { m: 1.0, k: 4.0, stiff, c: 2.0 * stiff.sqrt(), speed: 0.3, bound: 1.5 };
    let start = State::new(0.0, [1.0, 1.0], [0.0; 2]);
    let system = belt(1e3).prepare::<f64>().expect("valid");
    assert!(beside_explicit(&system, (start, 8.0), 1e-6) >= 2);
    let run = |stiff: f64| {
        let system = belt(stiff).prepare::<f64>().expect("valid");
        solve(&system, start, 8.0, &Radau5::new(), &at(1e-7)).expect("regular")
    };
    let last = over_stiffness::<2, 0>(run, (600, 1e-5));
    let diagonally = |stiff: f64| {
        let system = belt(stiff).prepare::<f64>().expect("valid");
        solve(&system, start, 8.0, &Esdirk4::new(), &at(1e-6)).expect("regular")
    };
    let found = over_stiffness::<2, 0>(diagonally, (1200, 1e-4));
    assert!((found.q - last.q).amax() < 1e-4, "{found:?} instead of {last:?}");
}

#[test]
fn a_cart_with_a_stiff_spring_rolls_over_hills() {
    let cart = |stiff: f64| Cart { m: 1.0, stiff, c: 2.0 * stiff.sqrt(), mu: 0.1, a: 0.1 };
    let start = State::new(0.0, [0.0, 0.0, 1.0], [1.5, 0.15, 0.15]);
    let system = cart(1e3).prepare::<f64>().expect("valid");
    assert!(beside_explicit(&system, (start, 2.0), 1e-6) >= 1);
    let run = |stiff: f64| {
        let system = cart(stiff).prepare::<f64>().expect("valid");
        solve(&system, start, 2.0, &Radau5::new(), &at(1e-7)).expect("regular")
    };
    over_stiffness::<3, 0>(run, (400, 1e-5));
}

#[test]
fn a_bead_on_a_rough_wire_moves_a_mass_by_a_stiff_spring() {
    let bead = |stiff: f64| Bead { stiff, c: 2.0 * stiff.sqrt(), mu: 0.2 };
    let start = State::new(0.0, [1.0, 0.5, 1.0], [0.0; 3]);
    let system = bead(1e3).prepare::<f64>().expect("valid");
    assert!(beside_explicit(&system, (start, 4.0), 1e-6) >= 2);
    let run = |stiff: f64| {
        let system = bead(stiff).prepare::<f64>().expect("valid");
        solve(&system, start, 4.0, &Radau5::new(), &at(1e-7)).expect("regular")
    };
    over_stiffness::<3, 1>(run, (600, 1e-5));
}

#[test]
fn a_ball_bounces_beside_a_filter_of_a_nanosecond() {
    let e: f64 = 0.7;
    let system = Filtered { e, tau: 1e-9 }.prepare::<f64>().expect("valid");
    let solution = solve(&system, State::new(0.0, [1.25, 0.0], [0.0, 1.25]), 2.0, &Radau5::new(), &at(1e-8));
    let solution = solution.expect("regular");
    let impacts: Vec<f64> = solution.instants.iter().filter(|at| at.impulse != 0.0).map(|at| at.after.t).collect();
    // The fall takes 0.5 s, and the flight after the k-th impact 2 √(2h/g) eᵏ.
    let mut expected = 0.5;
    for (k, &t) in (1..).zip(&impacts) {
        assert!((t - expected).abs() < 1e-9, "{k}: {t} instead of {expected}");
        expected += e.powi(k);
    }
    assert_eq!(impacts.len(), 3);
    assert!(solution.statistics.steps < 500, "{:?}", solution.statistics);
    let last = solution.last().expect("steps");
    assert!((last.v[1] - last.q[0]).abs() < 1e-7, "{last:?}");
}

#[test]
fn no_stiff_spring_is_reported_where_steps_are_not_limited_by_it() {
    let system = Belt { m: 1.0, k: 4.0, stiff: 1e8, c: 2e4, speed: 0.3, bound: 1.5 }.prepare::<f64>().expect("valid");
    let solution = solve(&system, State::new(0.0, [1.0, 1.0], [0.0; 2]), 8.0, &Radau5::new(), &at(1e-11));
    let solution = solution.expect("regular");
    assert!(solution.statistics.steps > 2000 && solution.warnings().next().is_none(), "{:?}", solution.statistics);
}

/// Two masses on a stiff rope that would slip through its clamp at a force of 2 N. The force stays below 1 N.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    potential = x^2/2;
    let pull = stiff*(y - x) + c*(dot(y) - dot(x));
    force x = if pull < 2 { pull } else { 2 };
    force y = if pull < 2 { -pull } else { -2 };
}]
struct Clamped {
    stiff: f64,
    c: f64,
}

#[test]
fn iterates_beyond_a_switch_that_the_solution_does_not_cross_cut_no_step() {
    fn steps<M: Method<f64, 2, 0>>(stiff: f64, method: &M) -> u64 {
        let system = Clamped { stiff, c: 2.0 * stiff.sqrt() }.prepare::<f64>().expect("valid");
        let solution = solve(&system, State::new(0.0, [1.0, 1.0], [0.0; 2]), 8.0, method, &at(1e-7)).expect("regular");
        assert!(solution.instants.is_empty());
        solution.statistics.steps
    }
    for stiff in [1e4, 1e6, 1e8] {
        let found = [
            steps(stiff, &Gauss::<f64, 2>::new(0.05)),
            steps(stiff, &ImplicitMidpoint::new(0.05)),
            steps(stiff, &VariationalMidpoint::new(0.05)),
        ];
        assert_eq!(found, [160; 3], "{stiff}");
        assert!(steps(stiff, &Radau5::new()) < 300, "{stiff}");
    }
}

/// Two carts that couple where they meet. The second one carries a mass on a stiff spring.
#[lagrangian {
    coordinates x, y, z;
    kinetic = (dot(x)^2 + dot(y)^2 + 2*dot(z)^2)/2;
    potential = stiff*(z - y)^2/2;
    dissipation = c*dot(z - y)^2/2;
    mode coupled = when x > y { 1 };
    constraint coupler: x == y when coupled > 1/2;
}]
struct Carts {
    stiff: f64,
    c: f64,
}

#[test]
fn carts_couple_before_a_mass_on_a_stiff_spring() {
    for stiff in [1e4, 1e7, 1e10] {
        let system = Carts { stiff, c: 2.0 * f64::sqrt(stiff) }.prepare::<f64>().expect("valid");
        let start = State::new(0.0, [0.0, 1.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0]);
        let solution = solve(&system, start, 2.0, &Radau5::new(), &at(1e-8)).expect("regular");
        // The coupler makes the velocities of the first two alike, m v/(2 m), and then the spring those of all: v/4.
        let impact = solution.instants.iter().find(|instant| instant.impulse != 0.0).expect("they meet");
        assert!((impact.after.t - 0.5).abs() < 1e-9 && (impact.impulse + 1.0).abs() < 1e-9, "{stiff}: {impact:?}");
        let last = solution.last().expect("steps");
        assert!((0..3).all(|i| (last.v[i] - 0.5).abs() < 1e-6), "{stiff}: {last:?}");
        assert!((last.q[0] - last.q[1]).abs() < 1e-9, "{stiff}: {last:?}");
        let varied = solve(&system, start, 2.0, &VariableRadau::new(), &at(1e-8)).expect("regular");
        assert!((varied.last().expect("steps").q - last.q).amax() < 1e-7, "{stiff}: {:?}", varied.last());
        assert!(solution.statistics.steps < 400, "{stiff}: {:?}", solution.statistics);
    }
}
