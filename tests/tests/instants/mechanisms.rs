//! The mechanisms of the scenes. All masses are 1.

use lagrange_runtime::prelude::*;

/// A ball over a floor.
#[lagrangian {
    coordinates y;
    kinetic = dot(y)^2/2;
    force y = f + share*u;
    contact floor: y >= level, restitution = e;
}]
#[derive(Clone, Debug)]
pub(crate) struct One {
    pub(crate) f: f64,
    pub(crate) share: f64,
    pub(crate) level: f64,
    pub(crate) e: f64,
    #[input]
    pub(crate) u: f64,
}

/// A ball over a floor, a block that is held more firmly at rest than in motion, a body without forces, and a relay that drives both.
#[lagrangian {
    coordinates y, s, x;
    mode on = when watched > above { 1 } when watched < below { 0 };
    let watched = pick[0]*y + pick[1]*s + pick[2]*x;
    kinetic = (dot(y)^2 + dot(s)^2 + dot(x)^2)/2;
    force y = f[0] + share[0]*u + thrust[0]*on;
    force s = f[1] + share[1]*u + thrust[1]*on;
    contact floor: y >= level, restitution = e;
    friction pad: s = bound, breakaway = held;
}]
#[derive(Clone, Debug)]
pub(crate) struct Plant {
    pub(crate) f: [f64; 2],
    pub(crate) share: [f64; 2],
    pub(crate) thrust: [f64; 2],
    /// 1 for the coordinate that the relay watches, and 0 for the others.
    pub(crate) pick: [f64; 3],
    pub(crate) above: f64,
    pub(crate) below: f64,
    pub(crate) level: f64,
    pub(crate) e: f64,
    pub(crate) bound: f64,
    pub(crate) held: f64,
    #[input]
    pub(crate) u: f64,
}

/// A ball over a floor, two bodies that a tow couples while a relay has the value 1, and this relay.
#[lagrangian {
    coordinates y, a, b;
    mode on = when watched > above { 1 } when watched < below { 0 };
    let watched = pick[0]*y + pick[1]*a + pick[2]*b;
    kinetic = (dot(y)^2 + dot(a)^2 + dot(b)^2)/2;
    force y = f[0] + share[0]*u;
    force a = f[1] + share[1]*u;
    force b = f[2] + share[2]*u;
    contact floor: y >= level, restitution = e;
    nonholonomic tow: dot(a) == dot(b) when on > 1/2;
}]
#[derive(Clone, Debug)]
pub(crate) struct Train {
    pub(crate) f: [f64; 3],
    pub(crate) share: [f64; 3],
    /// 1 for the coordinate that the relay watches, and 0 for the others.
    pub(crate) pick: [f64; 3],
    pub(crate) above: f64,
    pub(crate) below: f64,
    pub(crate) level: f64,
    pub(crate) e: f64,
    #[input]
    pub(crate) u: f64,
}

/// A ball of radius 1 over a floor, by the place of its centre and two angles of which only the rates count, and a relay that drives it up and down.
#[lagrangian {
    coordinates z, x, y, across, along;
    mode on = when watched > above { 1 } when watched < below { 0 };
    let watched = pick[0]*z + pick[1]*x + pick[2]*y;
    kinetic = (dot(z)^2 + dot(x)^2 + dot(y)^2 + inertia*(dot(across)^2 + dot(along)^2))/2;
    force z = f[0] + share[0]*u + thrust*on;
    force x = f[1] + share[1]*u;
    force y = f[2] + share[2]*u;
    contact floor: z >= level, restitution = e, friction = mu, slip = rate([dot(x) - dot(across), dot(y) + dot(along)]), breakaway = held;
}]
#[derive(Clone, Debug)]
pub(crate) struct Alley {
    pub(crate) f: [f64; 3],
    pub(crate) share: [f64; 3],
    pub(crate) thrust: f64,
    pub(crate) inertia: f64,
    /// 1 for the coordinate that the relay watches, and 0 for the others.
    pub(crate) pick: [f64; 3],
    pub(crate) above: f64,
    pub(crate) below: f64,
    pub(crate) level: f64,
    pub(crate) e: f64,
    pub(crate) mu: f64,
    pub(crate) held: f64,
    #[input]
    pub(crate) u: f64,
}

/// Three balls over floors of their own, and a body without forces.
#[lagrangian {
    coordinates y[3], x;
    kinetic   = (sum(i in 0..3, dot(y[i])^2) + dot(x)^2)/2;
    potential = -sum(i in 0..3, f[i]*y[i]);
    force y[0] = share[0]*u;
    force y[1] = share[1]*u;
    force y[2] = share[2]*u;
    contact floor[i in 0..3]: y[i] >= level[i], restitution = e[i];
}]
#[derive(Clone, Debug)]
pub(crate) struct Trio {
    pub(crate) f: [f64; 3],
    pub(crate) share: [f64; 3],
    pub(crate) level: [f64; 3],
    pub(crate) e: [f64; 3],
    #[input]
    pub(crate) u: f64,
}

/// Two bodies under forces, and one without.
#[lagrangian {
    coordinates y[2], x;
    kinetic   = (dot(y[0])^2 + dot(y[1])^2 + dot(x)^2)/2;
    potential = -(f[0]*y[0] + f[1]*y[1]);
    force y[0] = share[0]*u;
    force y[1] = share[1]*u;
}]
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) f: [f64; 2],
    pub(crate) share: [f64; 2],
    #[input]
    pub(crate) u: f64,
}

/// A ball over a floor, a block on a pad, and a body without forces.
#[lagrangian {
    coordinates y, s, x;
    kinetic = (dot(y)^2 + dot(s)^2 + dot(x)^2)/2;
    force y = f[0] + share[0]*u;
    force s = f[1] + share[1]*u;
    contact floor: y >= level, restitution = e;
    friction pad: s = bound;
}]
#[derive(Clone, Debug)]
pub(crate) struct Yard {
    pub(crate) f: [f64; 2],
    pub(crate) share: [f64; 2],
    pub(crate) level: f64,
    pub(crate) e: f64,
    pub(crate) bound: f64,
    #[input]
    pub(crate) u: f64,
}
