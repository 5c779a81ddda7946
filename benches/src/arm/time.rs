fn spread(k: usize) -> f64 {
    ((k * 7919 + 13) % 101) as f64 / 101.0
}

/// Nanoseconds of one evaluation whose result moves the state of the next one: the best of several runs.
fn time(mut work: impl FnMut(&SVector<f64, N>) -> f64) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let mut q = std::hint::black_box(SVector::<f64, N>::from_fn(|i, _| 0.3 + 0.7 * (i as f64).sin()));
        let count = 2000;
        let start = std::time::Instant::now();
        for _ in 0..count {
            q[0] += 1e-9 * work(&q);
        }
        std::hint::black_box(q);
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / count as f64);
    }
    best
}

fn main() {
    let inertia = |i: usize, a: usize, b: usize| {
        if a == b { 0.1 + 0.05 * spread(i * 3 + a) } else { 0.01 * (spread(i * 5 + a + b) - 0.5) }
    };
    let arm = Arm {
        m: std::array::from_fn(|i| 1.0 + spread(i)),
        l: std::array::from_fn(|i| 0.3 + 0.2 * spread(i + 50)),
        com: std::array::from_fn(|i| {
            std::array::from_fn(|k| 0.1 * spread(3 * i + k + 7) + if k == 2 { 0.1 } else { 0.0 })
        }),
        j: std::array::from_fn(|i| std::array::from_fn(|a| std::array::from_fn(|b| inertia(i, a, b)))),
        g: 9.81,
        tau: [0.0; N],
    };
    let system = std::hint::black_box(arm).prepare::<f64>().expect("the parameters are finite");
    let q = SVector::<f64, N>::from_fn(|i, _| 0.3 + 0.7 * (i as f64).sin());
    let v = SVector::<f64, N>::from_fn(|i, _| 0.5 * (1.3 * i as f64).cos());
    let u = SVector::<f64, N>::from_fn(|i, _| 0.2 * i as f64);
    let solved = |q: &SVector<f64, N>| system.acceleration(0.0, q, &v, &u).expect("M is regular").acceleration;
    for a in solved(&q).iter() {
        print!("{a:.12e} ");
    }
    println!();
    let acceleration = time(|q| solved(q)[0]);
    let derivatives = time(|q| {
        system.acceleration_jacobian(0.0, q, &v, &u).expect("M is regular").acceleration_q[(0, 0)]
    });
    let inverse = time(|q| system.inverse_dynamics(0.0, q, &v, &u, &u)[0]);
    println!("{acceleration:.1} {derivatives:.1} {inverse:.1}");
}
