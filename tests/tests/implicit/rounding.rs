//! Forces that cancel each other: their rounding is larger than that of the velocity where a motion turns or has come to rest, and no implicit method may stop there.

use lagrange_runtime::method::Iteration;
use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;

/// A mass between two stretched springs. Its coordinates are 0 where it would rest without its weight, and the tension in each spring is far larger than what moves it.
#[lagrangian {
    coordinates x, y;
    kinetic = m/2*(dot(x)^2 + dot(y)^2);
    potential = k/2*((norm([a + x, y]) - 1)^2 + (norm([a - x, y]) - 1)^2) + m*9.81*y;
    dissipation = c/2*(dot(x)^2 + dot(y)^2);
}]
struct Between {
    a: f64,
    k: f64,
    m: f64,
    c: f64,
}

/// A mass between two stretched springs, and on a rod whose other end slides along a line.
#[lagrangian {
    coordinates x, y, s;
    kinetic = m/2*(dot(x)^2 + dot(y)^2) + m/2*dot(s)^2;
    potential = k/2*((norm([a + x, y]) - 1)^2 + (norm([a - x, y]) - 1)^2) + m*9.81*y;
    dissipation = c/2*(dot(x)^2 + dot(y)^2 + dot(s)^2);
    constraint rod: norm([x - s, y + 1]) == 1;
}]
struct OnARod {
    a: f64,
    k: f64,
    m: f64,
    c: f64,
}

lagrange_runtime::method_choice! {
    /// The methods for mechanisms without constraints.
    enum Free: f64 {
        Midpoint(ImplicitMidpoint<f64>),
        Gauss(Gauss<f64, 2>),
        Six(Gauss<f64, 3>),
        VariationalMidpoint(VariationalMidpoint<f64>),
        VariationalTrapezoid(VariationalTrapezoid<f64>),
        EnergyPreserving(EnergyPreserving<f64, 2>),
        GeneralizedAlpha(GeneralizedAlpha<f64>),
    }
}

lagrange_runtime::method_choice! {
    /// The methods for mechanisms with constraints.
    enum Constrained: f64 {
        Gauss(Gauss<f64, 2>),
        VariationalMidpoint(VariationalMidpoint<f64>),
        GeneralizedAlpha(GeneralizedAlpha<f64>),
        Rattle(Rattle<f64>),
    }
}

fn free(h: f64, bound: f64) -> [Free; 8] {
    [
        Free::Midpoint(Gauss::new(h)),
        Free::Gauss(Gauss::new(h)),
        Free::Gauss(Gauss::new(h).with_iteration(Iteration::Newton)),
        Free::Six(Gauss::new(h)),
        Free::VariationalMidpoint(VariationalMidpoint::new(h)),
        Free::VariationalTrapezoid(VariationalTrapezoid::new(bound)),
        Free::EnergyPreserving(EnergyPreserving::new(h)),
        Free::GeneralizedAlpha(GeneralizedAlpha::new(h, 0.8)),
    ]
}

fn constrained(h: f64, bound: f64) -> [Constrained; 4] {
    [
        Constrained::Gauss(Gauss::new(h)),
        Constrained::VariationalMidpoint(VariationalMidpoint::new(h)),
        Constrained::GeneralizedAlpha(GeneralizedAlpha::new(h, 0.8)),
        Constrained::Rattle(Rattle::new(bound)),
    ]
}

/// A power of ten between two others.
fn power(random: &mut Random, low: f64, high: f64) -> f64 {
    10f64.powf(random.between(low, high))
}

/// The distance of a wall, the stiffness and the mass, with the angular frequency across the springs.
fn springs(random: &mut Random) -> (f64, f64, f64, f64) {
    let (a, k, m) = (1.0 + power(random, -2.0, 0.0), power(random, 2.0, 7.0), power(random, -2.0, 1.0));
    (a, k, m, (2.0 * k * (1.0 - 1.0 / a) / m).sqrt())
}

/// How many of the motions end with an error, and what the first one says.
#[derive(Debug, Default)]
struct Stopped {
    count: usize,
    first: Option<String>,
}

/// A step at which explicit methods are stable: the frequency along the springs bounds it.
fn bound(h: f64, k: f64, m: f64) -> f64 {
    h.min(0.5 / (2.0 * k / m).sqrt())
}

/// Where the mass hangs, by bisection of the pull of the springs beside its weight.
fn sag(a: f64, k: f64, weight: f64) -> f64 {
    let pull = |y: f64| 2.0 * k * (1.0 - 1.0 / a.hypot(y)) * y - weight;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if pull(middle) < 0.0 { low = middle } else { high = middle }
    }
    -low
}

#[test]
fn motions_that_come_to_rest_between_large_forces_go_on() {
    let mut random = Random::new(1);
    let mut stopped = Stopped::default();
    let (mut worst, mut rested) = (0.0_f64, 0);
    for _ in 0..24 {
        let (a, k, m, omega) = springs(&mut random);
        // Steps from a small part of the period across the springs to half of it.
        let h = power(&mut random, -2.0, 0.5) / omega;
        let c = m * omega * random.between(0.2, 2.0);
        let start = [0.1 * (a - 1.0) * random.between(-1.0, 1.0), sag(a, k, m * 9.81) * random.between(0.0, 2.0)];
        let system = Between { a, k, m, c }.prepare::<f64>().expect("regular");
        let sag = sag(a, k, m * 9.81);
        for method in free(h, bound(h, k, m)) {
            match solve(&system, State::new(0.0, start, [0.0; 2]), 400.0 * h, &method, &Options::default()) {
                Ok(solution) => {
                    let last = solution.last().expect("a start");
                    // A short time does not damp a motion, and few methods damp what is fast within a step.
                    if last.t * c > 80.0 * m && h * (2.0 * k / m).sqrt() < 1.0 {
                        worst = worst.max((last.q[1] / sag - 1.0).abs()).max(last.q[0].abs() / a);
                        rested += 1;
                    }
                }
                Err(error) => {
                    stopped.count += 1;
                    stopped.first.get_or_insert(format!("{method:?} k {k:e} a {a} m {m} h {h:e}: {error:?}"));
                }
            }
        }
    }
    assert_eq!(stopped.count, 0, "{stopped:?}");
    assert!(rested > 10, "{rested} motions came to rest, {worst:e}");
    assert!(worst < 1e-14, "{worst:e}");
}

/// The height at which a motion ends, over that of the rest, with step control.
fn height<M: Method<f64, 2, 0> + core::fmt::Debug>(
    system: &impl System<f64, 2, 0, 0>,
    (start, end, sag): ([f64; 2], f64, f64),
    method: M,
) -> Result<f64, String> {
    let options = Options { max_steps: Some(20_000), ..Options::default() };
    let solution = solve(system, State::new(0.0, start, [0.0; 2]), end, &method, &options)
        .map_err(|error| format!("{method:?}: {:?}", error.error))?;
    Ok(solution.last().map_or(0.0, |last| last.q[1] / sag))
}

#[test]
fn steps_under_control_do_not_fall_to_rounding_at_rest_between_large_forces() {
    let mut random = Random::new(4);
    let mut stopped = Stopped::default();
    let mut worst = 0.0_f64;
    for _ in 0..24 {
        let (a, k, m, omega) = springs(&mut random);
        let c = m * omega * random.between(0.2, 2.0);
        let sag = sag(a, k, m * 9.81);
        let start = [0.1 * (a - 1.0) * random.between(-1.0, 1.0), sag * random.between(0.0, 2.0)];
        let system = Between { a, k, m, c }.prepare::<f64>().expect("regular");
        let motion = (start, 100.0 * m / c, sag);
        let heights = [
            height(&system, motion, Radau5::new()),
            height(&system, motion, Radau9::new()),
            height(&system, motion, VariableRadau::new()),
            height(&system, motion, Rodas5P::new()),
            height(&system, motion, Esdirk4::new()),
            height(&system, motion, Dop853::new()),
        ];
        for height in heights {
            match height {
                Ok(height) => worst = worst.max((height - 1.0).abs()),
                Err(error) => {
                    stopped.count += 1;
                    stopped.first.get_or_insert(error);
                }
            }
        }
    }
    assert_eq!(stopped.count, 0, "{stopped:?}");
    assert!(worst < 1e-4, "{worst:e}");
}

#[test]
fn motions_under_constraints_that_come_to_rest_go_on() {
    let mut random = Random::new(2);
    let mut stopped = Stopped::default();
    for _ in 0..24 {
        let (a, k, m, omega) = springs(&mut random);
        let h = power(&mut random, -2.0, 0.0) / omega;
        let c = m * omega * random.between(0.2, 2.0);
        let y = -0.01 * (a - 1.0) * random.between(0.0, 1.0);
        let system = OnARod { a, k, m, c }.prepare::<f64>().expect("regular");
        let start = State::new(0.0, [0.0, y, (1.0 - (y + 1.0) * (y + 1.0)).max(0.0).sqrt()], [0.0; 3]);
        for method in constrained(h, bound(h, k, m)) {
            if let Err(error) = solve(&system, start, 400.0 * h, &method, &Options::default()) {
                stopped.count += 1;
                stopped.first.get_or_insert(format!("{method:?} k {k:e} a {a} m {m} h {h:e}: {error:?}"));
            }
        }
    }
    assert_eq!(stopped.count, 0, "{stopped:?}");
}

/// A mass that changes between two springs where it passes x = 0.
#[lagrangian {
    coordinates x;
    kinetic = dot(x)^2/2;
    potential = if x > 0 { soft*x^2/2 } else { hard*x^2/2 } - push*x;
}]
struct Kinked {
    soft: f64,
    hard: f64,
    push: f64,
}

#[test]
fn increments_that_jump_over_a_kink_are_not_taken_for_rounding() {
    let mut random = Random::new(3);
    let mut solved = 0;
    for _ in 0..400 {
        let (soft, hard) = (power(&mut random, -3.0, 3.0), power(&mut random, -3.0, 9.0));
        let push = random.between(-1.0, 1.0);
        let system = Kinked { soft, hard, push }.prepare::<f64>().expect("regular");
        let h = power(&mut random, -2.0, 1.0);
        let start = State::new(0.0, [random.between(-1.0, 1.0)], [random.between(-1.0, 1.0)]);
        let Ok(solution) = solve(&system, start, 50.0 * h, &ImplicitMidpoint::new(h), &Options::default()) else {
            continue;
        };
        let states: Vec<State<f64, 1>> = solution.states().collect();
        for pair in states.windows(2) {
            let ([[x0]], [[v0]], [[x1]], [[v1]]) =
                (pair[0].q.data.0, pair[0].v.data.0, pair[1].q.data.0, pair[1].v.data.0);
            // A step ends where the force has a kink.
            let (h, middle) = (pair[1].t - pair[0].t, 0.5 * (x0 + x1));
            let pull = if middle > 0.0 { soft } else { hard } * middle;
            let (change, scale) = (v1 - v0 - h * (push - pull), v0.abs().max(v1.abs()) + h * pull.abs() + h);
            // The roundings of the middle, times the stiffness, and of the times are parts of the residual.
            let rounding = 1e-14 * (scale + h * soft.max(hard) * x0.abs().max(x1.abs()))
                + 1e-15 * pair[1].t * (pull.abs() + push.abs());
            assert!(change.abs() < rounding, "{change:e} {rounding:e} {soft} {hard} {pair:?}");
            solved += 1;
        }
    }
    assert!(solved > 10_000, "{solved}");
}
