//! Maps that are so long that they are emitted in pieces.

use super::{assert_jacobians, evaluations};
use lagrange_runtime::prelude::*;

// The axes of a serial arm in turn; a force that depends on the time, and inputs.
mechanism!(LONG_ARM, LongArm { m: f64, j: [f64; 3], l: f64, g: f64, #[input] tau: [f64; 2] }, {
    coordinates q[12];
    let r[0] = rotation_z(q[0]);
    let r[i in 1..12] = r[i - 1]*rotation_x(q[i]/2)*rotation_y(q[i]/2);
    let p[0] = r[0]*[0, 0, l];
    let p[i in 1..12] = p[i - 1] + r[i]*[l/3, 0, l];
    kinetic = sum(i in 0..12, rigid_body_energy(m, [[j[0], 0, 0], [0, j[1], 0], [0, 0, j[2]]], p[i], r[i]));
    potential = g*sum(i in 0..12, m*p[i][2]);
    force q[3] = tau[0];
    force q[10] = tau[1] - cos(t)*dot(q[10]);
});

#[test]
fn jacobians_of_a_long_arm_are_those_of_its_acceleration() {
    let [by_q, by_v, _] =
        evaluations(LONG_ARM).residual_slopes.expect("the derivatives are too long to be written out");
    for map in [by_q, by_v] {
        let pieces = map.pieces(12..24).pieces;
        let is_passed_by =
            |piece: &lagrange_symbolic::program::Piece| piece.arguments.iter().all(|range| range.end <= 8);
        assert!(pieces.len() > 1 && pieces.iter().any(is_passed_by), "{}", pieces.len());
    }
    let arm = LongArm { m: 0.8, j: [0.02, 0.03, 0.01], l: 0.3, g: 9.8, tau: [1.5, -0.7] };
    assert_jacobians::<_, 12, 0, 2, 6>(&arm);
}
