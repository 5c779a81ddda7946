//! A charged particle in constant magnetic and electric fields.

use lagrange_runtime::prelude::*;

/// A charged particle in a magnetic field along z and an electric field in the plane of x and z, both constant:
/// L = m v²/2 + e v·A − e φ with A = b (−y, x, 0)/2 and φ = −(ex x + ez z). SI units, the charge being `e`.
///
/// L is linear in velocities too, so that p is not m v; the energy h = m v²/2 + e φ has no part of b.
///
/// Known solution: in a frame that drifts with E × B/B² the particle goes round a circle at the cyclotron frequency e b/m, clockwise
/// about the field for a positive charge, while the field ez accelerates it along z. Source: L. D. Landau, E. M. Lifshitz, *The Classical Theory
/// of Fields*, §21 and §22.
#[lagrangian {
    coordinates x: m, y: m, z: m;

    lagrangian = m*(dot(x)^2 + dot(y)^2 + dot(z)^2)/2 + e*b*(x*dot(y) - y*dot(x))/2 + e*(ex*x + ez*z);

    invariant total: J = energy;
    invariant guiding_centre: kg*m/s = m*dot(y) + e*b*x;

    verify momentum[x] == m*dot(x) - e*b*y/2;
    verify forcing[x] == e*(ex + b*dot(y));
    verify forcing[y] == -e*b*dot(x);
    verify forcing[z] == e*ez;

    output position: m = [x, y, z];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct ChargeInFields {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Charge.
    #[unit(C)]
    pub e: f64,
    /// Magnetic flux density along z.
    #[unit(T)]
    pub b: f64,
    /// Electric field along x.
    #[unit(V/m)]
    pub ex: f64,
    /// Electric field along z.
    #[unit(V/m)]
    pub ez: f64,
}

/// In units in which mass, charge and magnetic field are 1, with a weak electric field.
impl Default for ChargeInFields {
    fn default() -> Self {
        Self { m: 1.0, e: 1.0, b: 1.0, ex: 0.1, ez: 0.01 }
    }
}

impl ChargeInFields {
    /// At the origin, moving across the field at speed 1.
    pub fn crossing() -> State<f64, 3> {
        State::new(0.0, [0.0, 0.0, 0.0], [1.0, 0.0, 0.2])
    }

    /// The cyclotron frequency, rad/s: positive where the particle goes round the field clockwise.
    pub fn cyclotron_frequency(&self) -> f64 {
        self.e * self.b / self.m
    }

    /// The state at time `t` of the motion from `initial`; b must not be 0.
    pub fn exact(&self, initial: &State<f64, 3>, t: f64) -> State<f64, 3> {
        let (w, lift, time) = (self.cyclotron_frequency(), self.e * self.ez / self.m, t - initial.t);
        let (sin, cos) = (w * time).sin_cos();
        let drift = -self.ex / self.b;
        let ([x, y, z], [u, v, rise]) = (initial.q.data.0[0], [initial.v[0], initial.v[1] - drift, initial.v[2]]);
        State::new(
            t,
            [
                x + (u * sin + v * (1.0 - cos)) / w,
                y + drift * time + (v * sin - u * (1.0 - cos)) / w,
                z + rise * time + lift * time * time / 2.0,
            ],
            [u * cos + v * sin, drift + v * cos - u * sin, rise + lift * time],
        )
    }
}
