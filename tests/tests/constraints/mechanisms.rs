//! The mechanisms of these tests.

use lagrange_runtime::prelude::*;

/// A bob on a rod, in Cartesian coordinates.
#[lagrangian {
    coordinates x, y;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;
    constraint rod: norm([x, y]) == l;
    output tension = -multiplier(rod);
    output pull = reaction(rod);
    assume l > 2*m/5;
}]
#[derive(Clone, Debug)]
pub(crate) struct Rod {
    pub(crate) m: f64,
    pub(crate) g: f64,
    pub(crate) l: f64,
}

/// A bead on a circular wire that turns about the vertical, pushed along z and braked.
#[lagrangian {
    coordinates x, y, z;
    kinetic = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    potential = m*g*z;
    dissipation = c*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2;
    force z = push;
    constraint wire: x^2 + y^2 + z^2 == r^2;
    constraint plane: x*sin(w*t) == y*cos(w*t);
    output height = z;
    output lift = dot(dot(z));
}]
#[derive(Clone, Debug)]
pub(crate) struct Bead {
    pub(crate) m: f64,
    pub(crate) g: f64,
    pub(crate) c: f64,
    pub(crate) r: f64,
    pub(crate) w: f64,
    #[input]
    pub(crate) push: f64,
}

/// A blade on an inclined plane.
#[lagrangian {
    coordinates x, y, phi;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + i*dot(phi)^2/2;
    potential = -m*g*sin(slope)*x;
    nonholonomic edge: dot(x)*sin(phi) == dot(y)*cos(phi);
}]
#[derive(Clone, Debug)]
pub(crate) struct Blade {
    pub(crate) m: f64,
    pub(crate) i: f64,
    pub(crate) g: f64,
    pub(crate) slope: f64,
}

/// An upright disc that rolls on a belt which moves along x.
#[lagrangian {
    coordinates x, y, heading, roll;
    kinetic = m*(dot(x)^2 + dot(y)^2)/2 + i*dot(heading)^2/2 + j*dot(roll)^2/2;
    nonholonomic rolling: [dot(x), dot(y)] == [r*cos(heading)*dot(roll) + speed*t, r*sin(heading)*dot(roll)];
}]
#[derive(Clone, Debug)]
pub(crate) struct Disc {
    pub(crate) m: f64,
    pub(crate) i: f64,
    pub(crate) j: f64,
    pub(crate) r: f64,
    pub(crate) speed: f64,
}

/// A free rigid body by a unit quaternion: the mass matrix is singular, since T is free of d|q|/dt.
#[lagrangian {
    coordinates a, b, c, d;
    let w1 = 2*(a*dot(b) - b*dot(a) + d*dot(c) - c*dot(d));
    let w2 = 2*(a*dot(c) - c*dot(a) + b*dot(d) - d*dot(b));
    let w3 = 2*(a*dot(d) - d*dot(a) + c*dot(b) - b*dot(c));
    kinetic = (i1*w1^2 + i2*w2^2 + i3*w3^2)/2;
    constraint unit: a^2 + b^2 + c^2 + d^2 == 1;
}]
#[derive(Clone, Debug)]
pub(crate) struct Quaternion {
    pub(crate) i1: f64,
    pub(crate) i2: f64,
    pub(crate) i3: f64,
}

/// A massless slider between two springs' ends, which a lever moves by half the way of a mass.
#[lagrangian {
    coordinates x, slider;
    kinetic = m*dot(x)^2/2;
    potential = k*slider^2/2;
    constraint lever: x == 2*slider;
}]
#[derive(Clone, Debug)]
pub(crate) struct Lever {
    pub(crate) m: f64,
    pub(crate) k: f64,
}

/// A point in a groove, and a follower; all terms of both constraints vanish at x = 0. Lengths are of the order of s.
#[lagrangian {
    coordinates x, y, follower, free;
    kinetic = (dot(x)^2 + dot(y)^2 + dot(follower)^2 + dot(free)^2)/2;
    potential = k*(x^2 + free^2)/2;
    constraint groove: s*y == x^2;
    constraint follows: follower == 2*x;
}]
#[derive(Clone, Debug)]
pub(crate) struct Groove {
    pub(crate) s: f64,
    pub(crate) k: f64,
}

/// A point that is driven along x.
#[lagrangian {
    coordinates x, y;
    kinetic = (dot(x)^2 + dot(y)^2)/2;
    constraint drive: x == a*sin(w*t);
}]
#[derive(Clone, Debug)]
pub(crate) struct Shaker {
    pub(crate) a: f64,
    pub(crate) w: f64,
}

pub(crate) fn rod() -> Rod {
    Rod { m: 1.7, g: 9.81, l: 0.8 }
}

pub(crate) fn bead() -> Bead {
    Bead { m: 0.6, g: 9.81, c: 0.2, r: 1.3, w: 2.1, push: 0.7 }
}

/// A state of the bead that meets its constraints: at `angle` from the lowest point, with `rate`.
pub(crate) fn on_the_wire(bead: &Bead, t: f64, angle: f64, rate: f64) -> State<f64, 3> {
    let (r, w) = (bead.r, bead.w);
    let (turn, lean) = ((w * t).sin_cos(), angle.sin_cos());
    let q = [r * lean.0 * turn.1, r * lean.0 * turn.0, -r * lean.1];
    let out = r * lean.1 * rate;
    let around = r * lean.0 * w;
    State::new(t, q, [out * turn.1 - around * turn.0, out * turn.0 + around * turn.1, r * lean.0 * rate])
}

/// A bead on a circle in a plane through the origin, with the axes `along` and `beside` of unit length. For `shift` = 0 the third
/// constraint repeats the two others, and otherwise it contradicts them.
#[lagrangian {
    coordinates r[3];
    let x = inner(r, along);
    let y = inner(r, beside);
    let z = inner(r, cross(along, beside));
    kinetic = m*norm2(dot(r))/2;
    potential = m*g*y;
    constraint circle: x^2 + y^2 == l^2;
    constraint flat: z == 0;
    constraint again: l^2*z + x*(x^2 + y^2 - l^2) == l^2*shift*t^2;
}]
#[derive(Clone, Debug)]
pub(crate) struct RedundantBead {
    pub(crate) m: f64,
    pub(crate) g: f64,
    pub(crate) l: f64,
    pub(crate) shift: f64,
    pub(crate) along: [f64; 3],
    pub(crate) beside: [f64; 3],
}
