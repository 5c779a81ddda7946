//! Mechanisms whose small motions are near those of an integrable one.

use lagrange_runtime::prelude::*;

/// A double pendulum of unit masses and rods: the mass matrix depends on the coordinates.
#[lagrangian {
    coordinates theta1, theta2;
    kinetic   = dot(theta1)^2 + dot(theta2)^2/2 + dot(theta1)*dot(theta2)*cos(theta1 - theta2);
    potential = -g*(2*cos(theta1) + cos(theta2));
}]
#[derive(Clone, Debug)]
pub(crate) struct Double {
    pub(crate) g: f64,
}

/// Hénon and Heiles's potential: L = T(v) − V(q).
#[lagrangian {
    coordinates x, y;
    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = (x^2 + y^2)/2 + c*(x^2*y - y^3/3);
}]
#[derive(Clone, Debug)]
pub(crate) struct HenonHeiles {
    pub(crate) c: f64,
}
