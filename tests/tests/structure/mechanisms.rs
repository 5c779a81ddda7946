//! What the tests integrate.

use lagrange_runtime::prelude::*;

/// A charge in the plane under a magnetic field that varies: L is not T − V, and p is not M v.
#[lagrangian {
    coordinates x, y;
    lagrangian = (dot(x)^2 + dot(y)^2)/2 + b*(x + x^3/3)*dot(y) - (x^2 + y^2)^2/4;
}]
#[derive(Clone, Debug)]
pub(crate) struct Charge {
    pub(crate) b: f64,
}

/// A momentum that is not affine in the velocity.
#[lagrangian {
    coordinates x, y;
    lagrangian = (dot(x)^2 + dot(y)^2)/2 + (a + x^2)*dot(x)^4/4 + x*y*dot(x)*dot(y)/4 - (x^2 + 2*y^2)/2;
}]
#[derive(Clone, Debug)]
pub(crate) struct Quartic {
    pub(crate) a: f64,
}

/// Two masses in the plane on a spring that hardens: rotations and translations are symmetries.
#[lagrangian {
    coordinates x1, y1, x2, y2;
    kinetic   = m*(dot(x1)^2 + dot(y1)^2)/2 + (dot(x2)^2 + dot(y2)^2)/2;
    potential = ((x2 - x1)^2 + (y2 - y1)^2)^2/4;
}]
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) m: f64,
}

/// A pendulum on a cart: M(q), and a translation as symmetry.
#[lagrangian {
    coordinates x, theta;
    kinetic   = (m + 1)*dot(x)^2/2 + dot(x)*dot(theta)*cos(theta) + dot(theta)^2/2;
    potential = -g*cos(theta);
}]
#[derive(Clone, Debug)]
pub(crate) struct Cart {
    pub(crate) m: f64,
    pub(crate) g: f64,
}

/// A double pendulum with dampers at both hinges and a torque that varies in time.
#[lagrangian {
    coordinates theta1, theta2;
    kinetic   = dot(theta1)^2 + dot(theta2)^2/2 + dot(theta1)*dot(theta2)*cos(theta1 - theta2);
    potential = -g*(2*cos(theta1) + cos(theta2));
    dissipation = c*dot(theta1)^2/2 + c*(dot(theta2) - dot(theta1))^2/2;
    force theta1 = torque*sin(3*t);
}]
#[derive(Clone, Debug)]
pub(crate) struct Driven {
    pub(crate) g: f64,
    pub(crate) c: f64,
    pub(crate) torque: f64,
}

/// A bob on a sphere in Cartesian coordinates, z downward.
#[lagrangian {
    coordinates x, y, z;
    kinetic   = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = -m*g*z;
    constraint sphere: x^2 + y^2 + z^2 == l^2;
}]
#[derive(Clone, Debug)]
pub(crate) struct Spherical {
    pub(crate) m: f64,
    pub(crate) g: f64,
    pub(crate) l: f64,
}

/// A charge on a sphere whose inertia varies, in a magnetic field: M(q), p is not M v.
#[lagrangian {
    coordinates x, y, z;
    lagrangian = (1 + x^2/2 + y*z/4)*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + b*(x + y^2/2)*dot(y) - g*z - x*y;
    constraint sphere: x^2 + y^2 + z^2 == 1;
}]
#[derive(Clone, Debug)]
pub(crate) struct ChargeOnSphere {
    pub(crate) b: f64,
    pub(crate) g: f64,
}

/// A bob on a sphere whose radius varies in time, with drag and a force that turns.
#[lagrangian {
    coordinates x, y, z;
    kinetic   = (1 + x^2/2)*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = g*z;
    dissipation = c*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    force x = sin(2*t);
    constraint sphere: norm([x, y, z]) == 1 + sin(3*t)/8;
}]
#[derive(Clone, Debug)]
pub(crate) struct Breathing {
    pub(crate) g: f64,
    pub(crate) c: f64,
}

/// A blade on ice, which cannot move sideways.
#[lagrangian {
    coordinates x, y, phi;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(phi)^2)/2;
    nonholonomic edge: dot(x)*sin(phi) == dot(y)*cos(phi);
}]
#[derive(Clone, Debug)]
pub(crate) struct Blade {
    pub(crate) m: f64,
}

/// A mass in the plane, and a massless slider on a spring that a moving cubic couples to it: M is singular, and the
/// constraint's third derivatives do not vanish.
#[lagrangian {
    coordinates x, y, s;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = k*s^2/2 + (x^2 + y^2)/2;
    constraint cam: s == x^3/3 + x*y + sin(2*t)/8;
}]
#[derive(Clone, Debug)]
pub(crate) struct Slider {
    pub(crate) m: f64,
    pub(crate) k: f64,
}

impl Slider {
    /// A state that meets the constraint and the hidden one.
    pub(crate) fn start() -> State<f64, 3> {
        let (x, y, vx, vy) = (0.5_f64, -0.3, 0.8, 0.6);
        State::new(0.0, [x, y, x.powi(3) / 3.0 + x * y], [vx, vy, x * x * vx + vx * y + x * vy + 0.25])
    }
}
