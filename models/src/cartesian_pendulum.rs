//! The simple pendulum in Cartesian coordinates.

use lagrange_runtime::prelude::*;

/// A point mass on a massless rod in a plane, in Cartesian coordinates; y upward from the hinge. SI units.
///
/// Known solution: released from rest at the angle θ₀ from the downward vertical, its period is 4 √(l/g) K(sin θ₀/2), K the
/// complete elliptic integral of modulus sin θ₀/2 (L. D. Landau, E. M. Lifshitz, *Mechanics*, §11, problem 1). The rod's
/// tension is m (l θ̇² + g cos θ).
#[lagrangian {
    coordinates x: m, y: m;

    kinetic   = m*(dot(x)^2 + dot(y)^2)/2;
    potential = m*g*y;

    constraint rod: norm([x, y]) == l;
    output tension: N = -multiplier(rod);
    output position: m = [x, y];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct CartesianPendulum {
    /// Mass of the bob.
    #[unit(kg)]
    #[range(0.1..10)]
    pub m: f64,
    /// Length of the rod.
    #[unit(m)]
    #[range(0.2..5)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// 1 kg on 1 m, g = 9.81 m/s².
impl Default for CartesianPendulum {
    fn default() -> Self {
        Self { m: 1.0, l: 1.0, g: 9.81 }
    }
}

impl CartesianPendulum {
    /// At rest on a rod of 1 m, horizontally beside the hinge.
    pub fn released() -> State<f64, 2> {
        State::new(0.0, [1.0, 0.0], [0.0, 0.0])
    }

    /// The period of an oscillation of amplitude θ₀, s, by the arithmetic–geometric mean: K(k) = π/(2 agm(1, √(1−k²))).
    pub fn period(&self, amplitude: f64) -> f64 {
        let (mut a, mut b) = (1.0_f64, (amplitude / 2.0).cos());
        while (a - b).abs() > 4.0 * f64::EPSILON {
            (a, b) = ((a + b) / 2.0, (a * b).sqrt());
        }
        2.0 * std::f64::consts::PI * (self.l / self.g).sqrt() / a
    }
}
