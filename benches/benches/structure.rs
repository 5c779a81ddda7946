//! What does a step of a structure-preserving method cost, in accelerations and against the same step by hand?
//!
//! `cargo bench -p lagrange-benches --bench structure`

use lagrange_benches::race::{Contender, race};
use lagrange_benches::sphere::OnSphere;
use lagrange_models::{DoublePendulum, SphericalPendulumCartesian};
use lagrange_runtime::prelude::*;
use std::hint::black_box;

const STEPS: u32 = 100_000;

/// The last coordinate after all steps of 1 ms.
fn motion<S, M, const N: usize, const C: usize>(system: &S, start: State<f64, N>, method: &M) -> f64
where
    S: System<f64, N, C, 0>,
    M: Method<f64, N, C>,
{
    let (mut state, options, mut inputs) = (black_box(start), Options::default(), DefaultInputs::of(system));
    integrate(system, &mut state, f64::from(STEPS) * 1e-3, method, &options, &mut inputs, &mut ())
        .expect("the motion stays finite");
    state.q[N - 1]
}

/// RATTLE for a bob of mass and length 1, z upward, with the multiplier from its quadratic equation.
fn rattle_by_hand(start: State<f64, 3>) -> f64 {
    let (h, g) = (1e-3, black_box(9.8));
    let State { mut q, v: mut p, .. } = black_box(start);
    for _ in 0..STEPS {
        p[2] -= h / 2.0 * g;
        let free = q + p * h;
        let (along, rest) = (free.dot(&q), free.norm_squared() - 1.0);
        let next = free + q * (-rest / (along + (along * along - rest).sqrt()));
        p = (next - q) / h;
        p[2] -= h / 2.0 * g;
        p -= next * next.dot(&p);
        q = next;
    }
    q[2]
}

fn double_pendulum() {
    let model = DoublePendulum::default();
    let system = black_box(model).prepare::<f64>().expect("the parameters are finite");
    let start = DoublePendulum::demo();
    let accelerations = || {
        let State { mut q, mut v, .. } = black_box(start);
        let none = SVector::from([]);
        for _ in 0..STEPS {
            let a = system.acceleration(0.0, &q, &v, &none).expect("the mass matrix is regular").acceleration;
            q += a * 1e-6;
            v -= a * 1e-6;
        }
        q[1]
    };
    let fixed = Iteration::FixedPoint;
    race(
        "The double pendulum at 1 ms; one acceleration in a chain, then steps",
        "step",
        f64::from(STEPS),
        7,
        vec![
            Contender::new("one acceleration", || _ = black_box(accelerations())),
            Contender::new("variational midpoint", || {
                _ = black_box(motion(&system, start, &VariationalMidpoint::new(1e-3)));
            }),
            Contender::new("variational trapezoid", || {
                _ = black_box(motion(&system, start, &VariationalTrapezoid::new(1e-3)));
            }),
            Contender::new("Gauss, 1 stage", || _ = black_box(motion(&system, start, &ImplicitMidpoint::new(1e-3)))),
            Contender::new("Gauss, 2 stages", || {
                _ = black_box(motion(&system, start, &Gauss::<f64, 2>::new(1e-3)));
            }),
            Contender::new("Gauss, 2 stages, fixed point", || {
                _ = black_box(motion(&system, start, &Gauss::<f64, 2>::new(1e-3).with_iteration(fixed)));
            }),
            Contender::new("Gauss, 3 stages", || {
                _ = black_box(motion(&system, start, &Gauss::<f64, 3>::new(1e-3)));
            }),
            Contender::new("Gauss, 3 stages, fixed point", || {
                _ = black_box(motion(&system, start, &Gauss::<f64, 3>::new(1e-3).with_iteration(fixed)));
            }),
        ],
    );
}

fn spherical_pendulum() {
    let model = OnSphere { m: 1.0, g: 9.8, l: 1.0 };
    let system = black_box(model).prepare::<f64>().expect("the parameters are finite");
    let model = SphericalPendulumCartesian { m: 1.0, g: 9.8, l: 1.0 };
    let by_length = black_box(model).prepare::<f64>().expect("the parameters are finite");
    let x = 2.0_f64.sqrt() / 4.0;
    let start = State::new(0.0, [x, x, 3.0_f64.sqrt() / 2.0], [1.0, -1.0, 0.0]);
    println!(
        "\nfinal z: by hand {:.12}, derived {:.12}",
        rattle_by_hand(start),
        motion(&system, start, &Rattle::new(1e-3))
    );
    race(
        "The spherical pendulum at 1 ms",
        "step",
        f64::from(STEPS),
        7,
        vec![
            Contender::new("RATTLE by hand", || _ = black_box(rattle_by_hand(start))),
            Contender::new("RATTLE", || _ = black_box(motion(&system, start, &Rattle::new(1e-3)))),
            Contender::new("RATTLE under √(x² + y² + z²) = l", || {
                _ = black_box(motion(&by_length, start, &Rattle::new(1e-3)));
            }),
            Contender::new("variational midpoint", || {
                _ = black_box(motion(&system, start, &VariationalMidpoint::new(1e-3)));
            }),
        ],
    );
}

fn main() {
    double_pendulum();
    spherical_pendulum();
}
