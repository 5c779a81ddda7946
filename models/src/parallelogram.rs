//! A platform on three parallel cranks: one constraint too many.

use lagrange_runtime::prelude::*;

/// A platform that hangs from three parallel cranks of length r, at −d, 0 and d along it: (x, y) its middle and φ its
/// inclination, y upward from the middle hinge. SI units.
///
/// Two cranks would be enough: wherever φ = 0, each crank's constraint follows from the other two, and [`Rank`] names one. The
/// motion is unique nevertheless; the multipliers are not, and [`LeastNorm`] chooses those of least norm. Known solution: the platform stays level and every point of it
/// moves like a pendulum of length r.
#[lagrangian {
    coordinates x: m, y: m, phi: rad;

    let along: m = d*[cos(phi), sin(phi)];

    kinetic   = m*(dot(x)^2 + dot(y)^2)/2 + i*dot(phi)^2/2;
    potential = m*g*y;

    constraint left: norm([x, y] - along + [d, 0]) == r;
    constraint middle: norm([x, y]) == r;
    constraint right: norm([x, y] + along - [d, 0]) == r;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Parallelogram {
    /// Mass of the platform.
    #[unit(kg)]
    pub m: f64,
    /// Moment of inertia of the platform about its middle.
    #[unit(kg*m^2)]
    pub i: f64,
    /// Length of the cranks.
    #[unit(m)]
    pub r: f64,
    /// Between neighbouring cranks.
    #[unit(m)]
    pub d: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// 1 kg, 0.3 kg m², cranks of 1 m at 0.8 m.
impl Default for Parallelogram {
    fn default() -> Self {
        Self { m: 1.0, i: 0.3, r: 1.0, d: 0.8, g: 9.81 }
    }
}

impl Parallelogram {
    /// At rest, the cranks of 1 m out of the vertical by 1 rad.
    pub fn released() -> State<f64, 3> {
        let (sin, cos) = 1.0_f64.sin_cos();
        State::new(0.0, [sin, -cos, 0.0], [0.0, 0.0, 0.0])
    }
}
