//! Sensors of accelerations.

use super::mechanisms::{bead, on_the_wire};
use lagrange_runtime::prelude::*;

#[test]
fn sensors_see_accelerations() {
    let model = bead();
    let system = model.prepare::<f64>().expect("valid");
    let State { t, q, v } = on_the_wire(&model, 0.4, 0.9, -1.2);
    let u = SVector::from([model.push]);
    let found = system.acceleration(t, &q, &v, &u).expect("regular");
    assert_eq!(system.output_names(), ["height", "lift"]);
    let mut seen = [0.0; 2];
    system.outputs(t, &q, &v, &u, &mut seen);
    assert_eq!(seen, [q[2], found.acceleration[2]]);
}
