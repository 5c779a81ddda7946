//! The mass matrix alone.

use super::arm;
use lagrange_runtime::prelude::*;

/// M against the derivative of the momentum: M v = ∂L/∂v for unit velocities, minus that at rest.
fn assert_mass<S: System<f64, N, C, U>, const N: usize, const C: usize, const U: usize>(
    system: &S,
    t: f64,
    q: SVector<f64, N>,
) {
    let u = system.default_inputs();
    let mass = system.mass_matrix(t, &q, &SVector::zeros(), &u);
    let momentum = |v: &SVector<f64, N>| system.balance(t, &q, v, &u).momentum;
    let rest = momentum(&SVector::zeros());
    for j in 0..N {
        let unit = SVector::from_fn(|i, _| if i == j { 1.0 } else { 0.0 });
        let column = momentum(&unit) - rest;
        for i in 0..N {
            let size = (mass[(i, i)] * mass[(j, j)]).sqrt();
            assert!((mass[(i, j)] - column[i]).abs() < 1e-12 * size, "{i} {j}: {} {}", mass[(i, j)], column[i]);
        }
    }
    assert_eq!(mass, system.equations(t, &q, &SVector::zeros(), &u).mass_matrix);
}

/// A trunk with two arms, so that M has zeros.
#[lagrangian {
    coordinates q[7];
    let r[0] = rotation_z(q[0]);
    let x[0] = r[0]*[0, 0, 1/2];
    let r[1] = r[0]*rotation_y(q[1]);
    let x[1] = x[0] + r[1]*[1/3, 1/10, 0];
    let r[2] = r[1]*rotation_x(q[2]);
    let x[2] = x[1] + r[2]*[1/10, 1/4, 1/5];
    let r[3] = r[2]*rotation_y(q[3]);
    let x[3] = x[2] + r[3]*[0, 1/10, q[6]];
    let r[4] = r[0]*rotation_x(q[4]);
    let x[4] = x[0] + r[4]*[-1/3, 1/10, 0];
    let r[5] = r[4]*rotation_z(q[5]);
    let x[5] = x[4] + r[5]*[-1/5, 0, 1/7];
    kinetic = sum(i in 0..6, rigid_body_energy(m, [[0.1, 0.01, 0], [0.01, 0.2, 0.03], [0, 0.03, 0.3]], x[i] + r[i]*[0.02, 0.01, -0.03], r[i]));
    potential = sum(i in 0..6, 9.81*m*x[i][2]);
}]
struct TwoArms {
    m: f64,
}

#[test]
fn mass_matrix_alone_is_that_of_the_momentum() {
    assert_mass(&arm().prepare::<f64>().unwrap(), 0.4, [0.3, -0.7, 1.1].into());
    let two = TwoArms { m: 1.7 }.prepare::<f64>().unwrap();
    let q = SVector::from([0.3, -0.4, 0.8, 1.9, -1.1, 0.6, 0.25]);
    assert_mass(&two, 0.0, q);
    // The arms meet in the trunk alone.
    assert_eq!(two.mass_matrix(0.0, &q, &SVector::zeros(), &SVector::zeros())[(2, 5)], 0.0);
}
