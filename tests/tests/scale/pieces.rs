//! Maps that are so long that they are emitted in pieces. A bundle has coordinates of one branch, wherever their numbers are.

use super::{assert_jacobians, evaluations};
use lagrange_runtime::prelude::*;
use lagrange_symbolic::program::{Bundles, Piece};
use std::ops::Range;

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
        for bundles in [Bundles::InTurn, Bundles::ByBranch] {
            let pieces = map.pieces(12..24, bundles).pieces;
            let is_passed_by = |piece: &Piece, bundle: &Range<usize>| {
                piece.arguments.iter().all(|range| range.end <= bundle.start || bundle.end <= range.start)
            };
            assert!(pieces.len() > 1, "{}", pieces.len());
            assert!(pieces.iter().any(|piece| [0..8, 8..16].iter().any(|bundle| is_passed_by(piece, bundle))));
        }
    }
    let arm = LongArm { m: 0.8, j: [0.02, 0.03, 0.01], l: 0.3, g: 9.8, tau: [1.5, -0.7] };
    assert_jacobians::<_, 12, 0, 2, 6>(&arm);
}

// Two limbs whose coordinates alternate, on a free base. Nothing depends on the place of the base, and its velocity alone makes no force.
mechanism!(LIMBS, Limbs { m: f64, j: [f64; 3], l: f64, g: f64, #[input] tau: [f64; 3] }, {
    coordinates q[15];
    let base = rotation_z(q[3])*rotation_y(q[4]);
    let x = [q[0], q[1], q[2]];
    let r[0] = base*rotation_x(q[5]);
    let r[1] = base*rotation_z(q[6]);
    let r[i in 2..10] = r[i - 2]*rotation_y(q[i + 5]);
    let p[0] = x + r[0]*[0, l, l];
    let p[1] = x + r[1]*[l, 0, l/2];
    let p[i in 2..10] = p[i - 2] + r[i]*[l/3, l/4, l];
    kinetic = rigid_body_energy(2*m, [[j[0], 0, 0], [0, j[1], 0], [0, 0, j[2]]], x, base)
        + sum(i in 0..10, rigid_body_energy(m, [[j[0], 0, 0], [0, j[1], 0], [0, 0, j[2]]], p[i], r[i]));
    potential = g*(2*m*x[2] + sum(i in 0..10, m*p[i][2]));
    force q[7] = tau[0];
    force q[8] = tau[1] + sin(t)*tau[2];
});

#[test]
fn jacobians_of_limbs_on_a_free_base_are_those_of_their_acceleration() {
    let [by_q, by_v, _] = evaluations(LIMBS).residual_slopes.expect("the derivatives are too long to be written out");
    for map in [by_q, by_v] {
        let order = map.pieces(15..30, Bundles::ByBranch).order;
        let order: Vec<usize> = order.into_iter().flatten().collect();
        // The short bundle comes first.
        assert!(order.len() == 12 && order.iter().all(|&q| q > 2) && !order.is_sorted(), "{order:?}");
    }
    let limbs = Limbs { m: 0.8, j: [0.02, 0.03, 0.01], l: 0.3, g: 9.8, tau: [1.5, -0.7, 0.4] };
    assert_jacobians::<_, 15, 0, 3, 6>(&limbs);
}
