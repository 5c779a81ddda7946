//! The double pendulum of point masses.

use lagrange_runtime::prelude::*;

/// Two point masses on massless rods in series.
///
/// Both angles are measured from the downward vertical, in radians, positive counterclockwise. SI units.
///
/// Source: addis, *Numerical solution of Lagrange's equation (Matlab)* (Xiaoshi encyclopedia), the demo
/// `lagr_solve_demo`. The `verify` statements are the textbook's equations of this pendulum (L. D. Landau,
/// E. M. Lifshitz, *Mechanics*, §5, problem 1, differentiated).
///
/// Known quantity: the energy is constant.
#[lagrangian {
    coordinates theta1: rad, theta2: rad;

    let first: m  = [l1*sin(theta1), -l1*cos(theta1)];
    let second: m = first + [l2*sin(theta2), -l2*cos(theta2)];

    kinetic   = m1*norm2(dot(first))/2 + m2*norm2(dot(second))/2;
    potential = g*(m1*first[1] + m2*second[1]);

    verify mass[theta1, theta1] == (m1 + m2)*l1^2;
    verify mass[theta1, theta2] == m2*l1*l2*cos(theta1 - theta2);
    verify mass[theta2, theta2] == m2*l2^2;
    verify forcing[theta1] == -m2*l1*l2*dot(theta2)^2*sin(theta1 - theta2) - (m1 + m2)*g*l1*sin(theta1);
    verify forcing[theta2] == m2*l1*l2*dot(theta1)^2*sin(theta1 - theta2) - m2*g*l2*sin(theta2);

    output knee: m = first;
    output tip: m = second;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct DoublePendulum {
    /// Mass of the upper bob.
    #[unit(kg)]
    pub m1: f64,
    /// Mass of the lower bob.
    #[unit(kg)]
    pub m2: f64,
    /// Length of the upper rod.
    #[unit(m)]
    pub l1: f64,
    /// Length of the lower rod.
    #[unit(m)]
    pub l2: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
}

/// The demo's values: masses of 1 kg, rods of 1 m, g = 9.8 m/s².
impl Default for DoublePendulum {
    fn default() -> Self {
        Self { m1: 1.0, m2: 1.0, l1: 1.0, l2: 1.0, g: 9.8 }
    }
}

impl DoublePendulum {
    /// The demo's initial state: upright, (θ₁, θ₂, ω₁, ω₂) = (π, π, −4 rad/s, 6 rad/s).
    pub fn demo() -> State<f64, 2> {
        use std::f64::consts::PI;
        State::new(0.0, [PI, PI], [-4.0, 6.0])
    }

    /// The two masses, as (x, y) with y upward from the fixed hinge, m.
    pub fn positions(&self, theta1: f64, theta2: f64) -> [[f64; 2]; 2] {
        let first = [self.l1 * theta1.sin(), -self.l1 * theta1.cos()];
        [first, [first[0] + self.l2 * theta2.sin(), first[1] - self.l2 * theta2.cos()]]
    }
}
