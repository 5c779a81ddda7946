//! The time-stepping scheme of Moreau and Jean, against closed forms, the motion with located contacts, and where that one does not exist.

use super::at;
use lagrange_runtime::instant::Cause;
use lagrange_runtime::prelude::*;

fn stepped<S, const N: usize>(system: &S, start: State<f64, N>, end: f64, h: f64) -> Solution<f64, N>
where
    S: System<f64, N, 0, 0>,
{
    solve(system, start, end, &MoreauJean::new(h), &Options::default()).expect("resolved")
}

/// The failure with which an integration is refused.
fn refused<S, const N: usize>(system: &S, start: State<f64, N>, end: f64, options: &Options<'_, f64, N>) -> Failure
where
    S: System<f64, N, 0, 0>,
{
    solve(system, start, end, &MoreauJean::new(1e-2), options).expect_err("refused").error.failure
}

/// The largest growth of the energy in a step.
fn growth<S, const N: usize>(system: &S, solution: &Solution<f64, N>) -> f64
where
    S: System<f64, N, 0, 0>,
{
    let energies: Vec<f64> = solution.states().map(|state| system.energies_of(&state).energy).collect();
    energies.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
}

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

#[test]
fn a_bouncing_ball_converges_with_order_1() {
    let system = Ball { m: 2.0, g: 10.0, e: 0.5 }.prepare::<f64>().expect("valid");
    // It lands after 0.2 s at 2 m/s and goes up at 1 m/s.
    let after = 0.37 - 0.2;
    let (y, v) = (after - 5.0 * after * after, 1.0 - 10.0 * after);
    let mut last = f64::INFINITY;
    for k in 0..6 {
        let h = 0.01 / f64::from(1 << k);
        let solution = stepped(&system, State::new(0.0, [0.2], [0.0]), 0.37, h);
        let state = solution.last().expect("steps");
        let error = (state.q[0] - y).abs();
        assert!(error < 0.2 * h && (state.v[0] - v).abs() < 11.0 * h && error < 0.6 * last, "{h}: {error:e}");
        assert_eq!(solution.statistics.impacts, 1);
        last = error;
    }
}

#[test]
fn infinitely_many_impacts_end_at_rest_and_no_energy_is_added() {
    for e in [0.0, 0.5, 0.9, 1.0] {
        let system = Ball { m: 2.0, g: 10.0, e }.prepare::<f64>().expect("valid");
        let solution = stepped(&system, State::new(0.0, [0.2], [0.0]), 10.0, 1e-3);
        // In a step after which the ball rests, gravity may lift it by s h/2 at the rate s ≤ g h, which it loses: m s (g h − s)/2 ≤ m (g h)²/8.
        assert!(growth(&system, &solution) < 2.5e-5, "{e}");
        let last = solution.last().expect("steps");
        if e < 1.0 {
            assert!(last.q[0].abs() <= 2.0 * 1e-3 && last.v[0].abs() < 1e-12, "{e}: {last:?}");
        } else {
            assert!((system.energies_of(&last).energy - 4.0).abs() < 1e-12);
        }
    }
}

#[test]
fn in_single_precision_the_ball_rests_too() {
    let system = Ball { m: 2.0, g: 10.0, e: 0.5 }.prepare::<f32>().expect("valid");
    let solution =
        solve(&system, State::new(0.0, [0.2], [0.0]), 2.0, &MoreauJean::new(1e-3), &Options::default()).expect("ok");
    let last = solution.last().expect("steps");
    assert!(last.q[0].abs() <= 2e-3 && last.v[0].abs() < 1e-5, "{last:?}");
}

#[lagrangian {
    coordinates s, n;
    kinetic   = m*(dot(s)^2 + dot(n)^2)/2;
    potential = m*g*(n*cos(a) - s*sin(a));
    contact slope: n >= 0, friction = mu, slip = s;
}]
struct Block {
    m: f64,
    g: f64,
    a: f64,
    mu: f64,
}

#[test]
fn a_block_slides_and_sticks() {
    let (g, a, mu, v) = (9.81, 0.4_f64, 0.6, 0.5);
    let system = Block { m: 2.0, g, a, mu }.prepare::<f64>().expect("valid");
    let way = v * v / (2.0 * g * (mu * a.cos() - a.sin()));
    for h in [1e-2, 1e-3, 1e-4] {
        let last = stepped(&system, State::new(0.0, [0.0; 2], [v, 0.0]), 2.0, h).last().expect("steps");
        // The last step of the slip is shorter than h, so that the way is wrong by (w h)²/2w at most, with the deceleration w.
        let most = g * (mu * a.cos() - a.sin()) * h * h / 2.0;
        assert!((last.q[0] - way).abs() <= most + 1e-12 && last.v.amax() < 1e-15, "{h}: {}", last.q[0] - way);
        assert!(last.q[1].abs() < 1e-15);
    }
}

#[lagrangian {
    coordinates p[3], a, b, c;
    let omega = angular_velocity_space(rotation_x(a)*rotation_y(b)*rotation_z(c));
    let low   = dot(p) + cross(omega, [0, 0, -r]);
    kinetic   = m*norm2(dot(p))/2 + m*r^2*norm2(omega)/5;
    potential = m*g*p[2];
    contact floor: p[2] >= r, friction = mu, slip = rate([low[0], low[1]]);
}]
struct Rolling {
    m: f64,
    r: f64,
    mu: f64,
    g: f64,
}

#[test]
fn a_ball_slides_and_rolls_with_order_2() {
    let (r, v, omega) = (0.028, [1.5, -0.8], [20.0, -35.0, 12.0]);
    let system = Rolling { m: 0.17, r, mu: 0.1, g: 9.81 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, 0.0, r, 0.0, 0.0, 0.0], [v[0], v[1], 0.0, omega[0], omega[1], omega[2]]);
    let rolling = [(5.0 * v[0] + 2.0 * r * omega[1]) / 7.0, (5.0 * v[1] - 2.0 * r * omega[0]) / 7.0];
    let mut last = f64::INFINITY;
    for k in 0..3 {
        let h = 2e-3 / f64::from(1 << k);
        let state = stepped(&system, start, 1.5, h).last().expect("steps");
        let error = (state.v[0] - rolling[0]).hypot(state.v[1] - rolling[1]);
        assert!(error < 400.0 * h * h && error < 0.3 * last, "{h}: {error:e}");
        assert!((state.q[2] - r).abs() < 1e-15);
        last = error;
    }
}

#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    contact bowl: r >= hypot(x, y);
}]
struct Bowl {
    m: f64,
    g: f64,
    r: f64,
}

#[test]
fn a_body_stays_on_a_curved_surface() {
    // The rates at both ends of a step differ by the curvature. Without it the body would sink by h²/2 v²/r in each step.
    let system = Bowl { m: 1.0, g: 10.0, r: 1.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.8, -0.6], [0.0; 2]);
    for h in [4e-3, 2e-3, 1e-3] {
        let solution = stepped(&system, start, 10.0, h);
        let worst = solution.states().map(|state| (state.q.norm() - 1.0).abs()).fold(0.0, f64::max);
        let energy = |state: &State<f64, 2>| system.energies_of(state).energy;
        let change = energy(&solution.last().expect("steps")) - energy(&start);
        assert!(worst < 4.0 * h * h && change.abs() < 40.0 * h * h, "{h}: {worst:e} and {change:e}");
    }
}

#[lagrangian {
    coordinates x[3];
    kinetic = sum(i in 0..3, dot(x[i])^2)/2;
    contact touch[i in 0..2]: x[i + 1] - x[i] >= 1, restitution = 1;
}]
struct Cradle {}

#[test]
fn newtons_cradle_shares_or_passes_on_a_blow() {
    let system = Cradle {}.prepare::<f64>().expect("valid");
    let last = |gap: f64| stepped(&system, State::new(0.0, [-2.0, 0.0, 1.0 + gap], [1.0, 0.0, 0.0]), 3.0, 1e-3).last();
    let v = |gap: f64| last(gap).expect("steps").v;
    assert!((v(0.0) - SVector::from([-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0])).amax() < 1e-14);
    assert!((v(0.1) - SVector::from([0.0, 0.0, 1.0])).amax() < 1e-14);
}

#[lagrangian {
    coordinates x, y;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y + k*(x - y)^2/2;
    contact floor: y >= 0, friction = mu, slip = x, restitution = e;
}]
struct Stiff {
    m: f64,
    g: f64,
    k: f64,
    mu: f64,
    e: f64,
}

#[test]
fn a_stiff_spring_beside_a_contact_takes_no_short_steps() {
    // Its period is 0.14 ms. It ties x to y, so that the masses fall with g/2.
    let system = Stiff { m: 1.0, g: 10.0, k: 1e9, mu: 0.3, e: 0.5 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.5; 2], [0.3; 2]);
    for theta in [0.5, 0.6, 1.0] {
        let method = MoreauJean::new(1e-3).with_theta(theta);
        let solution = solve(&system, start, 3.0, &method, &Options::default()).expect("resolved");
        let most = solution.states().map(|state| system.energies_of(&state).energy).fold(0.0, f64::max);
        assert!(most < system.energies_of(&start).energy + 1e-12, "{theta}");
        // With θ = 1/2 the spring goes on oscillating.
        let last = solution.last().expect("steps");
        assert!(theta == 0.5 || last.q.amax() < 1e-3 && last.v.amax() < 1e-12, "{theta}: {last:?}");
    }
}

#[lagrangian {
    coordinates x;
    kinetic   = m*dot(x)^2/2;
    potential = k*x^2/2;
    friction pad: x - v*t = mu*m*g, breakaway = held*m*g;
}]
struct Belt {
    m: f64,
    k: f64,
    g: f64,
    v: f64,
    mu: f64,
    held: f64,
}

#[test]
fn a_block_on_a_belt_sticks_and_slips() {
    let system = Belt { m: 1.0, k: 50.0, g: 10.0, v: 0.1, mu: 0.3, held: 0.5 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0], [0.1]);
    let located = solve(&system, start, 8.0, &Dop853::new(), &at(1e-10)).expect("located").last().expect("steps");
    for h in [2e-3, 1e-3, 5e-4] {
        let state = stepped(&system, start, 8.0, h).last().expect("steps");
        let error = (state.q[0] - located.q[0]).abs();
        assert!(error < 0.7 * h, "{h}: {error:e}");
    }
}

#[lagrangian {
    coordinates x, y, a;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + m*l^2/6*dot(a)^2;
    potential = m*g*y;
    contact tip: y - l*sin(a) >= 0, friction = mu, slip = x - l*cos(a);
}]
struct Rod {
    m: f64,
    g: f64,
    l: f64,
    mu: f64,
}

#[test]
fn painleves_rod_jams() {
    // Pushed ahead of its tip over a floor that is too rough, the rod has no motion with finite forces. An impulse stops its tip, and it turns over.
    let (a, l) = (1.0_f64, 0.5);
    let system = Rod { m: 1.0, g: 10.0, l, mu: 3.0 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, l * a.sin(), a], [-3.0, 0.0, 0.0]);
    let located = solve(&system, start, 0.3, &Dop853::new(), &Options::default()).expect_err("no forces").error.failure;
    assert!(matches!(located, Failure::SingularMass(_)), "{located:?}");
    let mut last = f64::INFINITY;
    let mut before = stepped(&system, start, 0.3, 4e-3).last().expect("steps").q;
    for h in [2e-3, 1e-3, 5e-4] {
        let solution = stepped(&system, start, 0.3, h);
        assert!(growth(&system, &solution) < 1e-6);
        // The impulses J, N of the tip: m ẋ = −3 m + J, m ẏ = N, and m l²/3 ȧ = l sin(a) J − l cos(a) N stop it.
        let (sine, cosine) = a.sin_cos();
        let turn = 3.0 * sine / l * 3.0 / (3.0 + 1.0);
        let first = solution.states().nth(1).expect("a step").v;
        assert!((first - SVector::from([-l * sine * turn, l * cosine * turn, turn])).amax() < 25.0 * h, "{first:?}");
        let q = solution.last().expect("steps").q;
        let moved = (q - before).amax();
        assert!(moved < 0.7 * last, "{h}: {moved:e} after {last:e}");
        (before, last) = (q, moved);
    }
}

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    friction rough: x = mu*m*g*(1 + x);
}]
struct Rough {
    m: f64,
    g: f64,
    mu: f64,
}

#[test]
fn a_bound_that_follows_the_motion_has_order_2() {
    // It slides with ẍ = −μ g (1 + x).
    let system = Rough { m: 2.0, g: 10.0, mu: 0.3 }.prepare::<f64>().expect("valid");
    let (omega, t) = (3.0_f64.sqrt(), 0.5);
    let x = (omega * t).cos() + 3.0 / omega * (omega * t).sin() - 1.0;
    let error = |h| (stepped(&system, State::new(0.0, [0.0], [3.0]), t, h).last().expect("steps").q[0] - x).abs();
    assert!(error(0.01) < 1e-4 && error(0.005) < 0.26 * error(0.01), "{:e} and {:e}", error(0.01), error(0.005));
}

#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    mode lifted = when y < 1/10 { 1 };
    force y = 3*m*g*lifted;
    contact floor: y >= 0;
}]
struct Lifted {
    m: f64,
    g: f64,
}

#[test]
fn events_and_modes_are_located_on_the_interpolant() {
    let system = Lifted { m: 2.0, g: 10.0 }.prepare::<f64>().expect("valid");
    let height = |_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[0] - 0.15;
    let options = Options { events: &[Event::new(&height).going(Direction::Rising).terminal()], ..Options::default() };
    let solution = solve(&system, State::new(0.0, [0.2, 0.0], [0.0; 2]), 1.0, &MoreauJean::new(1e-3), &options);
    // It falls by 0.1 m to the place where a force of three times its weight begins, stops 0.05 m below, and rises by 0.1 m.
    let last = solution.expect("resolved").last().expect("steps");
    let falls = 0.02_f64.sqrt();
    let expected = falls + falls / 2.0 + (2.0 * 0.1 / 20.0_f64).sqrt();
    assert!((last.t - expected).abs() < 1e-9 && (last.q[0] - 0.15).abs() < 1e-12, "{last:?} at {expected}");
}

#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, adhesion = f;
}]
struct Sticky {
    m: f64,
    g: f64,
    f: f64,
}

#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    mode held = when x > 1 { 1 };
    constraint grip: x == 1 when held > 1/2;
}]
struct Gripped {
    m: f64,
}

#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = approach(floor)/v;
}]
struct Lively {
    m: f64,
    g: f64,
    v: f64,
}

#[test]
fn what_the_scheme_cannot_do_is_refused() {
    let ball = Ball { m: 2.0, g: 10.0, e: 0.5 }.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.2], [0.0]);
    let options = Options::default();
    assert!(matches!(refused(&ball, start, -1.0, &options), Failure::BadOption { option: "t_end", .. }));
    let below = State::new(0.0, [-0.2], [0.0]);
    assert!(matches!(refused(&ball, below, 1.0, &options), Failure::Penetration { contact: "floor", .. }));
    let ends = Options { ends_at: &[Cause::Impact("floor")], ..Options::default() };
    let failure = refused(&ball, start, 1.0, &ends).to_string();
    assert!(failure.contains("Moreau–Jean") && failure.contains("`ends_at`"), "{failure}");
    let system = Lively { m: 2.0, g: 10.0, v: 1.0 }.prepare::<f64>().expect("valid");
    assert!(matches!(refused(&system, start, 1.0, &options), Failure::BadRestitution { contact: "floor", .. }));
    let wrong = MoreauJean::new(1e-2).with_theta(0.4);
    let failure = solve(&ball, start, 1.0, &wrong, &options).expect_err("refused").error.failure;
    assert!(matches!(failure, Failure::BadOption { option: "theta", .. }));
    let sticky = Sticky { m: 2.0, g: 10.0, f: 30.0 }.prepare::<f64>().expect("valid");
    let failure = refused(&sticky, start, 1.0, &options).to_string();
    assert!(failure.contains("adhesion"), "{failure}");
    let gripped = Gripped { m: 1.0 }.prepare::<f64>().expect("valid");
    let failure = refused(&gripped, State::new(0.0, [0.0, 0.0], [1.0, 0.0]), 1.0, &Options::default()).to_string();
    assert!(failure.contains("constraints that modes switch"), "{failure}");
    let rough = Rough { m: 2.0, g: 10.0, mu: 0.3 }.prepare::<f64>().expect("valid");
    let failure = refused(&rough, State::new(0.0, [-2.0], [0.1]), 1.0, &Options::default());
    assert!(matches!(failure, Failure::NegativeBound { contact: "rough", .. }), "{failure:?}");
}
