//! Mechanisms of which the answers are published.

use lagrange_runtime::prelude::*;

/// The cart with an inverted pendulum of Åström and Murray, *Feedback Systems*, 2nd ed., example 3.2: θ from the upward vertical.
#[lagrangian {
    coordinates p, theta;

    let bob = [p - l*sin(theta), l*cos(theta)];

    kinetic     = big_m*dot(p)^2/2 + m*norm2(dot(bob))/2 + j*dot(theta)^2/2;
    potential   = m*g*l*cos(theta);
    dissipation = c*dot(p)^2/2 + gamma*dot(theta)^2/2;
    force p = push;

    output place = p;
    output angle = theta;
}]
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    pub(crate) big_m: f64,
    pub(crate) m: f64,
    pub(crate) j: f64,
    pub(crate) l: f64,
    pub(crate) c: f64,
    pub(crate) gamma: f64,
    pub(crate) g: f64,
    #[input]
    pub(crate) push: f64,
}

impl Balance {
    /// The values of the book's example 7.4, with friction.
    pub(crate) fn book() -> Self {
        Self { big_m: 10.0, m: 80.0, j: 100.0, l: 1.0, c: 0.1, gamma: 0.01, g: 9.8, push: 0.0 }
    }
}

/// Chaplygin's sleigh: a blade at (x, y), the centre of mass a distance `a` before it (Bloch, *Nonholonomic Mechanics and Control*,
/// 2nd ed., 1.7).
#[lagrangian {
    coordinates x, y, phi;

    let centre = [x + a*cos(phi), y + a*sin(phi)];

    kinetic = m*norm2(dot(centre))/2 + i*dot(phi)^2/2;
    nonholonomic blade: dot(y)*cos(phi) - dot(x)*sin(phi) == 0;
}]
#[derive(Clone, Debug)]
pub(crate) struct Sleigh {
    pub(crate) m: f64,
    pub(crate) i: f64,
    pub(crate) a: f64,
}
