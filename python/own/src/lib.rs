//! Mechanisms of the tests, as a module of Python.

use lagrange_runtime::prelude::*;

/// A point mass on a massless rod, and a torque at the hinge.
#[lagrangian {
    coordinates theta: rad;
    kinetic   = m*l^2*dot(theta)^2/2;
    potential = -m*g*l*cos(theta);
    dissipation = c*dot(theta)^2/2;
    force theta = torque;
    output bob = [l*sin(theta), -l*cos(theta)];
    assume l > 0;
}]
#[derive(Clone, Debug)]
pub struct Pendulum {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Length of the rod.
    #[unit(m)]
    pub l: f64,
    /// Acceleration of gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Friction of the hinge.
    #[unit(N*m*s)]
    pub c: f64,
    /// Torque at the hinge.
    #[input]
    #[unit(N*m)]
    pub torque: f64,
}

/// A point mass on a rod, in Cartesian coordinates, and the heat that two heaters give it.
#[lagrangian {
    coordinates x, y;
    state heat: dot(heat) == power[0] + power[1] - heat/tau;
    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: hypot(x, y) == l;
}]
#[derive(Clone, Debug)]
pub struct CartesianPendulum {
    /// Mass, kg.
    pub m: f64,
    /// Length of the rod, m.
    pub l: f64,
    /// Acceleration of gravity, m/s².
    pub g: f64,
    /// Power of the heaters, W.
    pub power: [f64; 2],
    /// Time in which the heat is lost, s.
    pub tau: f64,
}

/// A ball that bounces on the floor.
#[lagrangian {
    coordinates y;
    kinetic   = m*dot(y)^2/2;
    potential = m*g*y;
    contact floor: y >= 0, restitution = e;
}]
#[derive(Clone, Debug)]
pub struct Ball {
    /// Mass, kg.
    pub m: f64,
    /// Acceleration of gravity, m/s².
    pub g: f64,
    /// Restitution.
    pub e: f64,
}

lagrange_python::python_module!(
    own_mechanisms,
    lagrange_cli::catalog![
        units = lagrange_cli::catalog::Units::SI;
        Pendulum { m: 1.0, l: 1.0, g: 9.81, c: 0.0, torque: 0.0 } at [1.0], [0.0];
        CartesianPendulum { m: 1.0, l: 1.0, g: 9.81, power: [1.0, 3.0], tau: 0.5 } at [0.6, -0.8, 0.0], [0.0, 0.0, 0.0];
        Ball { m: 1.0, g: 9.81, e: 0.5 } at [1.0], [0.0];
    ]
);
