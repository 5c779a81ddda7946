//! A part that other crates use.

use lagrange_runtime::prelude::*;

/// A point mass on a massless rod, on a point that its surroundings give.
#[lagrangian {
    given base[2]: m;
    coordinates theta: rad;
    let tip = base + l*[sin(theta), -cos(theta)];
    extern softened(x) = crate::parts::softened, d(x) = crate::parts::slope, d(x, x) = crate::parts::curvature;
    kinetic = m*norm2(dot(tip))/2;
    potential = g*m*tip[1] + stiffness*softened(theta);
    force theta = torque;
    output height = tip[1];
}]
#[derive(Clone, Debug)]
pub struct Link {
    /// The mass.
    #[unit(kg)]
    pub m: f64,
    /// The length.
    #[unit(m)]
    pub l: f64,
    /// The acceleration of gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// The stiffness of the joint.
    #[unit(N*m)]
    pub stiffness: f64,
    /// The torque in the joint.
    #[input]
    #[unit(N*m)]
    pub torque: f64,
}

/// x²/(2 + 2x²), which is a function of Rust so that paths are tested.
pub fn softened<R: Scalar>(x: R) -> R {
    let square = x * x;
    square / (R::from_f64(2.0) * (R::from_f64(1.0) + square))
}

/// Its slope x/(1 + x²)².
pub fn slope<R: Scalar>(x: R) -> R {
    let near = R::from_f64(1.0) + x * x;
    x / (near * near)
}

/// Its curvature (1 − 3x²)/(1 + x²)³.
pub fn curvature<R: Scalar>(x: R) -> R {
    let (square, near) = (x * x, R::from_f64(1.0) + x * x);
    (R::from_f64(1.0) - R::from_f64(3.0) * square) / (near * near * near)
}
