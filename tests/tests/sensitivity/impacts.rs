//! Derivatives across impacts, ends at events, and jumps of the equations. The time of each depends on the motion.

use lagrange_runtime::analysis::{AnalysisError, Gradient, adjoint_gradient};
use lagrange_runtime::prelude::*;
use lagrange_runtime::scalar::Taped;

/// A ball above a floor.
#[lagrangian {
    coordinates y;
    kinetic = m*dot(y)^2/2;
    potential = m*g*y;
}]
#[derive(Clone, Debug)]
struct Ball {
    m: f64,
    g: f64,
}

const RESTITUTION: f64 = 0.8;

fn height<R: Real>(_: R, q: &SVector<R, 1>, _: &SVector<R, 1>) -> R {
    q[0]
}

fn bounce<R: Real>(state: &State<R, 1>) -> State<R, 1> {
    State { v: state.v * R::from_f64(-RESTITUTION), ..*state }
}

/// The floor, and the events of a gradient along a motion above it.
fn floor<R: Real>() -> Event<'static, R, 1> {
    Event::new(&height).going(Direction::Falling).mapping(&bounce)
}

/// y(T) after two impacts. The fall from H at the speed 0 takes t₁ = √(2H/g), and the next impact follows after 2 e g t₁/g:
///
/// ```text
/// y = e² w (T − t₂) − g (T − t₂)²/2,    w = √(2 g H + v₀²),    t₁ = (v₀ + w)/g,    t₂ = t₁ + 2 e w/g.
/// ```
fn twice(h: f64, v: f64, g: f64, end: f64) -> [f64; 2] {
    let w = (2.0 * g * h + v * v).sqrt();
    let left = end - (v + w) / g - 2.0 * RESTITUTION * w / g;
    let up = RESTITUTION * RESTITUTION * w;
    [up * left - 0.5 * g * left * left, up - g * left]
}

/// The derivatives of both components of [`twice`] by h, v and g, by the chain rule.
fn twice_by(h: f64, v: f64, g: f64, end: f64) -> [[f64; 3]; 2] {
    let w = (2.0 * g * h + v * v).sqrt();
    let left = end - (v + w) / g - 2.0 * RESTITUTION * w / g;
    let square = RESTITUTION * RESTITUTION;
    let w_by = [g / w, v / w, h / w];
    let mut found = [[0.0; 3]; 2];
    for (k, w_by) in w_by.into_iter().enumerate() {
        let own = f64::from(u8::from(k == 1)) / g;
        let scale = if k == 2 { (v + w + 2.0 * RESTITUTION * w) / (g * g) } else { 0.0 };
        let left_by = -own - w_by * (1.0 + 2.0 * RESTITUTION) / g + scale;
        let gravity = f64::from(u8::from(k == 2));
        let up = square * w;
        found[0][k] = square * w_by * left + up * left_by - 0.5 * gravity * left * left - g * left * left_by;
        found[1][k] = square * w_by - gravity * left - g * left_by;
    }
    found
}

/// The gradient of component `row` of the last state.
fn of_the_end<M, I, const N: usize, const U: usize>(
    mechanism: &M,
    solution: &Solution<f64, N, U>,
    method: &I,
    events: &[Event<'_, Taped, N>],
    row: usize,
) -> Result<Gradient<N, U>, AnalysisError>
where
    M: Mechanism<N, 0, U>,
    I: Lift,
    I::On<Taped>: Method<Taped, N, 0>,
{
    let last = solution.len() - 1;
    adjoint_gradient(mechanism, solution, method, events, |k, _| {
        let unit = |first: usize| SVector::from_fn(|i, _| f64::from(u8::from(k == last && first + i == row)));
        (unit(0), unit(N))
    })
}

#[test]
fn a_bouncing_ball_has_its_closed_form() {
    let (h, v, g, end) = (1.3, 0.4, 9.81, 1.5);
    let ball = Ball { m: 2.0, g };
    let start = State::new(0.0, [h], [v]);
    let system = ball.prepare::<f64>().expect("valid");
    let (floors, taped) = ([floor::<f64>()], [floor::<Taped>()]);
    let options = Options { events: &floors, ..Options::default() };
    let step = 0.013;
    let by_dop = solve(&system, start, end, &Dop853::new(), &options).expect("no failure");
    let by_rk = solve(&system, start, end, &Rk4::new(step), &options).expect("no failure");
    let by_gauss = solve(&system, start, end, &Gauss::<_, 2>::new(step), &options).expect("no failure");
    assert!(by_dop.events.len() == 2 && (by_dop.last().expect("an end").q[0] - twice(h, v, g, end)[0]).abs() < 1e-12);
    let expected = twice_by(h, v, g, end);
    for (row, expected) in expected.into_iter().enumerate() {
        let found = [
            ("DOP853", of_the_end(&ball, &by_dop, &Dop853::new(), &taped, row)),
            ("RK4", of_the_end(&ball, &by_rk, &Rk4::new(step), &taped, row)),
            ("Gauss", of_the_end(&ball, &by_gauss, &Gauss::<_, 2>::new(step), &taped, row)),
        ];
        for (name, found) in found {
            let found = found.expect("regular");
            for (by, expected) in [found.q[0], found.v[0], found.parameters[1]].into_iter().zip(expected) {
                assert!((by - expected).abs() < 1e-11 * (1.0 + expected.abs()), "{name}: {found:?} {expected}");
            }
            assert!(found.parameters[0].abs() < 1e-12, "{name}: the mass does not matter: {found:?}");
        }
    }
}

/// The speed before and after the first impact, −w and e w with w = √(2 g H + v₀²), and the height 0 of the impact, are values at
/// the impact's own time.
#[test]
fn states_at_an_impact_move_with_it() {
    let (h, v, g) = (1.3, 0.4, 9.81);
    let ball = Ball { m: 2.0, g };
    let floors = [floor::<f64>()];
    let options = Options { events: &floors, ..Options::default() };
    let system = ball.prepare::<f64>().expect("valid");
    let solution = solve(&system, State::new(0.0, [h], [v]), 1.0, &Dop853::new(), &options).expect("no failure");
    let at = solution.t.windows(2).position(|pair| pair[0] == pair[1]).expect("an impact");
    let w = (2.0 * g * h + v * v).sqrt();
    let by = |index: usize, q: f64, speed: f64| {
        let slopes = |k: usize, _: &State<f64, 1>| {
            let here = f64::from(u8::from(k == index));
            (SVector::from([q * here]), SVector::from([speed * here]))
        };
        let found = adjoint_gradient(&ball, &solution, &Dop853::new(), &[floor::<Taped>()], slopes).expect("regular");
        [found.q[0], found.v[0], found.parameters[1]]
    };
    for (found, factor) in [(by(at, 0.0, 1.0), -1.0), (by(at + 1, 0.0, 1.0), RESTITUTION), (by(at, 1.0, 0.0), 0.0)] {
        for (found, expected) in found.into_iter().zip([g / w, v / w, h / w]) {
            assert!((found - factor * expected).abs() < 1e-12, "{found} {factor}");
        }
    }
}

/// A projectile.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
}]
#[derive(Clone, Debug)]
struct Projectile {
    m: f64,
    g: f64,
}

/// The range u (w + √(w² + 2 g h))/g of a throw from the height h at (u, w).
#[test]
fn the_range_of_a_projectile_contains_its_time_of_flight() {
    let (h, u, w, g) = (1.7_f64, 3.0, 4.0, 9.81);
    let projectile = Projectile { m: 0.5, g };
    let ground = [Event::new(&|_: f64, q: &SVector<f64, 2>, _: &SVector<f64, 2>| q[1]).terminal()];
    let taped = [Event::new(&|_: Taped, q: &SVector<Taped, 2>, _: &SVector<Taped, 2>| q[1]).terminal()];
    let options = Options { events: &ground, ..Options::default() };
    let system = projectile.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0, h], [u, w]);
    let solution = solve(&system, start, 10.0, &DormandPrince5::new(), &options).expect("no failure");
    let found = of_the_end(&projectile, &solution, &DormandPrince5::new(), &taped, 0).expect("regular");
    let root = (w * w + 2.0 * g * h).sqrt();
    let by_gravity = u * h / (g * root) - u * (w + root) / (g * g);
    let expected = [1.0, u / root, (w + root) / g, u * (1.0 + w / root) / g, by_gravity];
    let by = [found.q[0], found.q[1], found.v[0], found.v[1], found.parameters[1]];
    for (by, expected) in by.into_iter().zip(expected) {
        assert!((by - expected).abs() < 1e-11, "{found:?} {expected}");
    }
    // The height of the fall is 0 however it is thrown.
    let found: Gradient<2, 0> = of_the_end(&projectile, &solution, &DormandPrince5::new(), &taped, 1).expect("regular");
    assert!(found.q.amax().max(found.v.amax()) < 1e-12, "{found:?}");
}

/// A body that a constant force drives, whose magnitude changes at x = edge.
#[lagrangian {
    coordinates x;
    kinetic = m*dot(x)^2/2;
    force x = if x < edge { near } else { far };
}]
#[derive(Clone, Debug)]
struct Steps {
    m: f64,
    edge: f64,
    near: f64,
    far: f64,
}

/// From rest at 0 the edge d is reached at t₁ = √(2 d m/a) with the speed s = √(2 d a/m). After it x = d + s (T − t₁) + b (T −
/// t₁)²/(2m). By d: ∂t₁/∂d = 1/s, ∂s/∂d = a/(m s).
#[test]
fn a_jump_of_the_force_moves_with_the_motion() {
    let (m, d, a, b, end) = (2.0_f64, 0.6, 3.0, -1.0, 1.9);
    let steps = Steps { m, edge: d, near: a, far: b };
    let system = steps.prepare::<f64>().expect("valid");
    let start = State::new(0.0, [0.0], [0.0]);
    let (reached, speed) = ((2.0 * d * m / a).sqrt(), (2.0 * d * a / m).sqrt());
    let left = end - reached;
    let options = Options::default();
    let by_rk = solve(&system, start, end, &Rk4::new(0.03), &options).expect("no failure");
    let by_dop = solve(&system, start, end, &Dop853::new(), &options).expect("no failure");
    let last = by_rk.last().expect("an end");
    assert!((last.q[0] - (d + speed * left + b / (2.0 * m) * left * left)).abs() < 1e-12, "{last:?}");
    let (time_by, speed_by) = (1.0 / speed, a / (m * speed));
    let by_edge = 1.0 + speed_by * left - speed * time_by - b / m * left * time_by;
    // A start further on by δ is an edge nearer by δ, and all else further on.
    let by_start = 1.0 - by_edge;
    // A speed δ at the start: t₁ changes by −δ t₁/s, s by δ − a/m δ t₁/s.
    let by_speed = (1.0 - a / m * reached / speed) * left + (speed + b / m * left) * reached / speed;
    let by_far = left * left / (2.0 * m);
    let method = Rk4::new(0.03);
    for found in [of_the_end(&steps, &by_rk, &method, &[], 0), of_the_end(&steps, &by_dop, &Dop853::new(), &[], 0)] {
        let found: Gradient<1, 0> = found.expect("regular");
        let edge = Steps::PARAMETERS.iter().position(|name| *name == "edge").expect("a parameter");
        let far = Steps::PARAMETERS.iter().position(|name| *name == "far").expect("a parameter");
        let by = [found.q[0], found.v[0], found.parameters[edge], found.parameters[far]];
        for (by, expected) in by.into_iter().zip([by_start, by_speed, by_edge, by_far]) {
            assert!((by - expected).abs() < 1e-9, "{found:?} {expected}");
        }
    }
}

#[test]
fn events_that_are_not_those_of_the_motion_are_refused() {
    let ball = Ball { m: 2.0, g: 9.81 };
    let system = ball.prepare::<f64>().expect("valid");
    let floors = [floor::<f64>()];
    let options = Options { events: &floors, ..Options::default() };
    let start = State::new(0.0, [1.3], [0.4]);
    let solution = solve(&system, start, 1.0, &Dop853::new(), &options).expect("no failure");
    let gradient = |events: &[Event<'_, Taped, 1>]| -> Result<Gradient<1, 0>, AnalysisError> {
        of_the_end(&ball, &solution, &Dop853::new(), events, 0)
    };
    assert!(gradient(&[floor()]).is_ok());
    let elastic = Event::new(&height).mapping(&|state: &State<Taped, 1>| State { v: -state.v, ..*state });
    for (case, events) in [("no events", &[][..]), ("another map", &[elastic])] {
        let error = gradient(events).expect_err(case);
        assert!(matches!(error, AnalysisError::NotApplicable { .. }), "{case}: {error}");
    }
    // A function whose rate is 0 at the event has a time without derivative.
    let flat = Event::new(&|_: Taped, _: &SVector<Taped, 1>, _: &SVector<Taped, 1>| Taped::constant(0.0));
    let error = gradient(&[flat.mapping(&bounce)]).expect_err("flat");
    assert!(matches!(error, AnalysisError::NotFinite { .. }), "{error}");
}
