fn spread(k: usize) -> f64 {
    ((k * 7919 + 13) % 101) as f64 / 101.0
}

fn start() -> State<f64, N> {
    let (q, v) = (|i: usize| 0.3 + 0.7 * (i as f64).sin(), |i: usize| 0.5 * (1.3 * i as f64).cos());
    State { t: 0.0, q: SVector::from_fn(|i, _| q(i)), v: SVector::from_fn(|i, _| v(i)) }
}

/// The tree with its parameters.
fn made() -> Tree {
    let inertia = |i: usize, a: usize, b: usize| {
        if a == b { 0.1 + 0.05 * spread(i * 3 + a) } else { 0.01 * (spread(i * 5 + a + b) - 0.5) }
    };
    Tree {
        m: std::array::from_fn(|i| 1.0 + spread(i)),
        l: LENGTHS,
        side: SIDES,
        com: std::array::from_fn(|i| {
            std::array::from_fn(|k| 0.1 * spread(3 * i + k + 7) + if k == 2 { 0.1 } else { 0.0 })
        }),
        j: std::array::from_fn(|i| std::array::from_fn(|a| std::array::from_fn(|b| inertia(i, a, b)))),
        g: 9.81,
        tau: [0.0; U],
    }
}
