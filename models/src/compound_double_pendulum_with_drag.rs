//! The compound double pendulum in air, with a motor at the fixed hinge.

use lagrange_runtime::prelude::*;

/// The [compound double pendulum](crate::CompoundDoublePendulum) with quadratic air drag on both rods, and a torque as input.
///
/// The air acts on each element dx of a rod against its normal velocity w, with the force −μ |w| w dx; there is none on
/// the bob. That force is −∂D/∂v of D = ∫ μ |w|³/3 dx; w may change its sign inside the lower rod.
/// The torque acts on the upper rod, positive in the direction of `theta1`. SI units, angles in radians from the
/// downward vertical.
///
/// Source: Zhan Yangping, *Computer simulation of the compound double pendulum* (Tsinghua University, 2013), §3.2 and §6.
///
/// Known quantities: without torque the energy never rises, and it falls ever more slowly towards the energy at rest.
#[lagrangian {
    coordinates theta1: rad, theta2: rad;

    let elbow: m = [l1*sin(theta1), -l1*cos(theta1)];
    let com1: m  = elbow/2;
    let com2: m  = elbow + [l2*sin(theta2), -l2*cos(theta2)]/2;
    let tip: m   = elbow + [l2*sin(theta2), -l2*cos(theta2)];

    kinetic   = m1*norm2(dot(com1))/2 + m1*l1^2*dot(theta1)^2/24
              + m2*norm2(dot(com2))/2 + m2*l2^2*dot(theta2)^2/24
              + m3*norm2(dot(tip))/2;
    potential = g*(m1*com1[1] + m2*com2[1] + m3*tip[1]);

    dissipation = integral(x in 0..l1, mu*abs(x*dot(theta1))^3/3)
                + integral(x in 0..l2, mu*abs(x*dot(theta2) + l1*dot(theta1)*cos(theta2 - theta1))^3/3);
    force theta1 = torque;

    verify mass[theta1, theta1] == (m1 + 3*(m2 + m3))*l1^2/3;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundDoublePendulumWithDrag {
    /// Mass of the upper rod.
    #[unit(kg)]
    pub m1: f64,
    /// Mass of the lower rod.
    #[unit(kg)]
    pub m2: f64,
    /// Mass of the bob.
    #[unit(kg)]
    pub m3: f64,
    /// Length of the upper rod.
    #[unit(m)]
    pub l1: f64,
    /// Length of the lower rod.
    #[unit(m)]
    pub l2: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Drag per unit length and squared velocity.
    #[unit(N*s^2/m^3)]
    pub mu: f64,
    /// Torque on the upper rod.
    #[unit(N*m)]
    #[input]
    pub torque: f64,
}

/// The smaller drag of experiment 6: μ = 0.01; masses of 1 kg, rods of 1 m, g = 9.8 m/s², no torque.
impl Default for CompoundDoublePendulumWithDrag {
    fn default() -> Self {
        Self { m1: 1.0, m2: 1.0, m3: 1.0, l1: 1.0, l2: 1.0, g: 9.8, mu: 0.01, torque: 0.0 }
    }
}

impl CompoundDoublePendulumWithDrag {
    /// Experiment 6: at rest at (45°, 0°).
    pub fn released_at_45_degrees() -> State<f64, 2> {
        State::new(0.0, [45.0_f64.to_radians(), 0.0], [0.0, 0.0])
    }

    /// The energy at rest, both rods hanging down: −g (l₁ (m₁/2 + m₂ + m₃) + l₂ (m₂/2 + m₃)), J.
    pub fn rest_energy(&self) -> f64 {
        -self.g * (self.l1 * (self.m1 / 2.0 + self.m2 + self.m3) + self.l2 * (self.m2 / 2.0 + self.m3))
    }
}
