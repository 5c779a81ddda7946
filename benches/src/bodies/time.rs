use std::hint::black_box;

/// Nanoseconds of one evaluation whose result moves the state of the next one: the best of several runs.
fn time<R: Scalar>(mut work: impl FnMut(&SVector<R, N>) -> R) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let mut q = black_box(start().q.map(number));
        let count = 2000;
        let start = std::time::Instant::now();
        for _ in 0..count {
            // No part of an evaluation is computed once for all.
            q[0] = q[0] + number::<R>(1e-9) * work(black_box(&q));
        }
        black_box(q);
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / count as f64);
    }
    best
}

fn number<R: Scalar>(value: f64) -> R {
    R::from_parts(value, 0.0)
}

/// Steps of the classical method of Runge and Kutta a second, without torques.
fn steps(system: &impl System<f64, N, 0, U>) -> f64 {
    const STEPS: f64 = 2000.0;
    let mut best = 0.0_f64;
    for _ in 0..10 {
        let (mut state, mut input) =
            (black_box(start()), |_: f64, _: &SVector<f64, N>, _: &SVector<f64, N>| {
                SVector::<f64, U>::zeros()
            });
        let start = std::time::Instant::now();
        let end =
            integrate(system, &mut state, STEPS * 1e-5, &Rk4::new(1e-5), &Options::default(), &mut input, &mut ());
        end.expect("the motion stays finite");
        black_box(state);
        best = best.max(STEPS / start.elapsed().as_secs_f64());
    }
    best
}

fn main() {
    let tree = black_box(made());
    let system = tree.prepare::<f64>().expect("the parameters are finite");
    let u = SVector::<f64, U>::from_fn(|i, _| 0.2 * i as f64);
    let State { q, v, .. } = start();
    let solved = |q: &SVector<f64, N>| system.acceleration(0.0, q, black_box(&v), black_box(&u)).expect("M is regular").acceleration;
    for a in solved(&q).iter() {
        print!("{a:.12e} ");
    }
    println!();
    let acceleration = time(|q| solved(q)[0]);
    let derivatives =
        time(|q| system.acceleration_jacobian(0.0, q, black_box(&v), black_box(&u)).expect("M is regular").acceleration_q[(0, 0)]);
    let wanted = SVector::<f64, N>::from_fn(|i, _| 0.2 * i as f64);
    let inverse = time(|q| system.inverse_dynamics(0.0, q, black_box(&v), black_box(&wanted), black_box(&u))[0]);
    println!("{acceleration:.1} {derivatives:.1} {inverse:.1} {:.1} {:.0}", lanes(&tree), steps(&system));
}
