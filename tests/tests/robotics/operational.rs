//! The operational-space inertia against closed forms and against forces that act on the hand.

use super::arm;
use lagrange_runtime::operational::{OperationalError, OperationalSpace};
use lagrange_runtime::prelude::*;

type Hand = OperationalSpace<f64, 3, 3>;

const NONE: [f64; 0] = [];

#[test]
fn inertia_is_the_inverse_of_the_mobility() {
    let system = arm().prepare::<f64>().unwrap();
    let (t, q, v, u) = (0.4, SVector::from([0.3, -0.7, 1.1]), SVector::from([0.9, -1.4, 0.6]), SVector::from([0.7]));
    let hand = Hand::of(&system, t, &q, &v, &u, [0, 1, 2]).unwrap();
    let mass = system.equations(t, &q, &v, &u).mass_matrix;
    let mobility = hand.jacobian * mass.try_inverse().unwrap() * hand.jacobian.transpose();
    assert!((hand.inertia * mobility - SMatrix::<f64, 3, 3>::identity()).amax() < 1e-11);
    assert!(
        (hand.consistent_inverse() - mass.try_inverse().unwrap() * hand.jacobian.transpose() * hand.inertia).amax()
            < 1e-11
    );
    // The torques for a wanted acceleration of the hand give it.
    let wanted = SVector::from([0.3, -2.0, 1.0]);
    let a = hand.acceleration(&wanted);
    let torque = system.inverse_dynamics(t, &q, &v, &a, &u);
    let moved = system.equations(t, &q, &v, &u);
    let found = moved.mass_matrix.try_inverse().unwrap() * (moved.forcing + torque);
    assert!((hand.jacobian * found + hand.bias - wanted).amax() < 1e-11);
    // The rate is the speed of the hand.
    let mut values = [0.0; 11];
    system.outputs(t, &q, &v, &u, &mut values);
    assert!((hand.rate - SVector::from([values[3], values[4], values[5]])).amax() < 1e-13);
}

/// A bead of mass m on a ring: the inertia along a direction is m/cos² of its angle to the ring.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    constraint ring: norm2([x, y]) == 1;
    output across = x;
    output place = [x, y];
}]
struct Bead {
    m: f64,
}

#[test]
fn constraints_take_part() {
    let system = Bead { m: 3.0 }.prepare::<f64>().unwrap();
    let angle = 0.7_f64;
    let q = SVector::from([angle.cos(), angle.sin()]);
    let v = SVector::from([-angle.sin(), angle.cos()]) * 2.0;
    let across = OperationalSpace::<f64, 2, 1>::of(&system, 0.0, &q, &v, &NONE.into(), [0]).unwrap();
    assert!((across.inertia[(0, 0)] - 3.0 / angle.sin().powi(2)).abs() < 1e-12);
    // ẍ = 5 on the ring with θ̇ = 2: −sin θ θ̈ − cos θ θ̇² = 5.
    let turning = -(5.0 + 4.0 * angle.cos()) / angle.sin();
    let a = across.acceleration(&[5.0].into());
    let expected = SVector::from([5.0, angle.cos() * turning - 4.0 * angle.sin()]);
    assert!((a - expected).amax() < 1e-12, "{a} {expected}");
    // Both coordinates cannot move independently of each other.
    let both = OperationalSpace::<f64, 2, 2>::of(&system, 0.0, &q, &v, &NONE.into(), [1, 2]);
    let Err(OperationalError::Singular { output, independent }) = both else { panic!("{both:?}") };
    assert!(output == "place[1]" && independent < 1e-12);
}

#[test]
fn what_is_no_position_is_named() {
    let system = arm().prepare::<f64>().unwrap();
    let (q, u) = (SVector::from([0.3, -0.7, 1.1]), SVector::from([0.7]));
    let of = |outputs| Hand::of(&system, 0.0, &q, &q, &u, outputs);
    let speed = of([0, 1, 4]).unwrap_err();
    assert_eq!(speed, OperationalError::NotAPosition { output: "speed[1]" });
    let message = "the output `speed[1]` is no function of the time and the coordinates alone, so that it has no operational-space inertia";
    assert_eq!(speed.to_string(), message);
    let outputs = system.output_names().len();
    assert_eq!(of([0, 1, 77]).unwrap_err(), OperationalError::NoOutput { index: 77, outputs });
    let twice = of([0, 1, 1]).unwrap_err();
    let OperationalError::Singular { output: "hand[1]", independent } = twice else { panic!("{twice}") };
    let message = format!(
        "the configuration is singular: no motion changes the output `hand[1]` independently of the outputs before it, of its mobility only the part \
         {independent:e} is independent; leave the output away, or damp the inverse"
    );
    assert_eq!(twice.to_string(), message);
}
