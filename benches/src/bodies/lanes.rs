/// Nanoseconds of an acceleration for each of eight lanes.
fn lanes(tree: &Tree) -> f64 {
    type Lanes = lagrange_runtime::scalar::Lanes<f64, 8>;
    let system = tree.prepare::<Lanes>().expect("the parameters are finite");
    let (v, u) = (start().v.map(number), SVector::<Lanes, U>::from_fn(|i, _| number(0.2 * i as f64)));
    time(|q| system.acceleration(number(0.0), q, black_box(&v), black_box(&u)).expect("no lane is asked").acceleration[0]) / 8.0
}
