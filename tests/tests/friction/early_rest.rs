//! Slips of bodies that move fast together, and that end soon after the start: the time is resolved more finely there than the velocities.

use lagrange_runtime::prelude::*;
use lagrange_tests::random::Random;

/// A block on a sledge, with a friction of its own.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    friction pad: x - y = b;
}]
struct Padded {
    b: f64,
}

/// The same in a plane.
#[lagrangian {
    coordinates x[2], y[2];
    kinetic = (norm2(dot(x)) + norm2(dot(y)))/2;
    friction pad: x - y = b;
}]
struct Plane {
    b: f64,
}

/// The block is pressed on the sledge by its weight.
#[lagrangian {
    coordinates z, x, y;
    kinetic   = (dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = b*z;
    contact floor: z >= 0, friction = 1, slip = x - y;
}]
struct Pressed {
    b: f64,
}

/// So is this one, in a plane.
#[lagrangian {
    coordinates z, x[2], y[2];
    kinetic   = (norm2(dot(x)) + norm2(dot(y)) + dot(z)^2)/2;
    potential = b*z;
    contact floor: z >= 0, friction = 1, slip = x - y;
}]
struct PressedPlane {
    b: f64,
}

/// Integrates past the end of a slip at the time `stop`, and compares the velocities, which `after` has at the indices of both bodies.
fn check<const N: usize>(
    system: &dyn System<f64, N, 0, 0>,
    (start, stop): (State<f64, N>, f64),
    after: &[(usize, f64)],
    method: usize,
) -> Result<(), String> {
    let options = Options { rtol: 1e-9.into(), max_steps: Some(2000), ..Options::default() };
    let end = 3.0 * stop;
    let solved = match method {
        0 => solve(system, start, end, &Rk4::new(stop / 3.0), &options),
        1 => solve(system, start, end, &DormandPrince5::new(), &options),
        2 => solve(system, start, end, &Dop853::new(), &options),
        _ => solve(system, start, end, &Radau5::new(), &options),
    };
    let solution = solved.map_err(|failed| format!("{failed}"))?;
    let last = solution.last().ok_or("no state")?;
    let near = after.iter().all(|&(i, v)| (last.v[i] - v).abs() < 1e-12 * v.abs().max(1.0));
    if near { Ok(()) } else { Err(format!("{last:?} instead of {after:?}")) }
}

#[test]
fn slips_end_soon_after_the_start() {
    let mut random = Random::new(7);
    let mut failures = Vec::new();
    for n in 0..50 {
        let (u, slip, b) =
            (random.between(-9.0, 9.0), 10.0_f64.powf(random.between(-4.0, 0.0)), random.between(0.5, 20.0));
        let (angle, across) = (random.between(0.0, std::f64::consts::TAU), random.between(-9.0, 9.0));
        // Both bodies have the mass 1, so that the slip falls by 2 b.
        let stop = slip / (2.0 * b);
        let (sine, cosine) = angle.sin_cos();
        let (first, second) = ([u + slip * cosine, across + slip * sine], [u, across]);
        let ends = [(first[0] + u) / 2.0, (first[1] + across) / 2.0];
        let (method, with_control) = (n % 4, 1 + n % 3);
        let results = [
            check(
                &Padded { b }.prepare::<f64>().expect("positive"),
                (State::new(0.0, [0.0; 2], [u + slip, u]), stop),
                &[(0, u + slip / 2.0), (1, u + slip / 2.0)],
                method,
            ),
            check(
                &Plane { b }.prepare::<f64>().expect("positive"),
                (State::new(0.0, [0.0; 4], [first[0], first[1], second[0], second[1]]), stop),
                &[(0, ends[0]), (1, ends[1]), (2, ends[0]), (3, ends[1])],
                with_control,
            ),
            check(
                &Pressed { b }.prepare::<f64>().expect("positive"),
                (State::new(0.0, [0.0; 3], [0.0, u + slip, u]), stop),
                &[(1, u + slip / 2.0), (2, u + slip / 2.0)],
                method,
            ),
            check(
                &PressedPlane { b }.prepare::<f64>().expect("positive"),
                (State::new(0.0, [0.0; 5], [0.0, first[0], first[1], second[0], second[1]]), stop),
                &[(1, ends[0]), (2, ends[1]), (3, ends[0]), (4, ends[1])],
                with_control,
            ),
        ];
        for (kind, result) in results.into_iter().enumerate() {
            if let Err(difference) = result {
                failures.push(format!("{n}, kind {kind}, stop {stop:e}: {difference}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures[..failures.len().min(12)].join("\n"));
}
