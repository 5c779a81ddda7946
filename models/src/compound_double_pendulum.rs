//! The compound double pendulum: two rods and a bob, without air.

use lagrange_runtime::prelude::*;

/// Two uniform rods in series, with ideal hinges and a point bob at the tip.
///
/// Both angles are measured from the downward vertical, in radians, positive counterclockwise. SI units.
///
/// Source: Zhan Yangping, *Computer simulation of the compound double pendulum* (Tsinghua University, 2013), §3.1. The
/// `verify` statements are its equations (19) and (20): the mass matrix and the forcing of M a = F.
///
/// Known quantities: the energy is constant; with [`light_rods`](Self::light_rods) and equal small angles it is a simple
/// pendulum of length l₁ + l₂, of period 2π √((l₁ + l₂)/g) = 2.8385 s.
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

    verify mass[theta1, theta1] == (m1 + 3*(m2 + m3))*l1^2/3;
    verify mass[theta1, theta2] == (m2 + 2*m3)*l1*l2*cos(theta2 - theta1)/2;
    verify mass[theta2, theta2] == (m2 + 3*m3)*l2^2/3;
    verify forcing[theta1] == -(m1/2 + m2 + m3)*l1*g*sin(theta1)
                            + (m2/2 + m3)*l1*l2*dot(theta2)^2*sin(theta2 - theta1);
    verify forcing[theta2] == -l2*(m2/2 + m3)*(g*sin(theta2) + l1*dot(theta1)^2*sin(theta2 - theta1));

    output hinge: m = elbow;
    output end: m = tip;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundDoublePendulum {
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
}

/// The masses of experiments 2 to 5: 1 kg each; rods of 1 m, g = 9.8 m/s².
impl Default for CompoundDoublePendulum {
    fn default() -> Self {
        Self { m1: 1.0, m2: 1.0, m3: 1.0, l1: 1.0, l2: 1.0, g: 9.8 }
    }
}

impl CompoundDoublePendulum {
    /// The masses of experiment 1: rods of 0.1 g, which leave a simple pendulum of length 2 m.
    pub fn light_rods() -> Self {
        Self { m1: 1e-4, m2: 1e-4, ..Self::default() }
    }

    /// Experiment 1: at rest, both rods at 1°.
    pub fn straight_at_1_degree() -> State<f64, 2> {
        State::new(0.0, [1.0_f64.to_radians(), 1.0_f64.to_radians()], [0.0, 0.0])
    }

    /// Experiments 2 to 4: at rest at (45°, 0°).
    pub fn released_at_45_degrees() -> State<f64, 2> {
        State::new(0.0, [45.0_f64.to_radians(), 0.0], [0.0, 0.0])
    }

    /// Experiment 5: at rest at (180°, 179°), from where the motion is chaotic.
    pub fn released_near_the_top() -> State<f64, 2> {
        State::new(0.0, [180.0_f64.to_radians(), 179.0_f64.to_radians()], [0.0, 0.0])
    }

    /// The elbow and the tip, as (x, y) with y upward from the fixed hinge, m.
    pub fn positions(&self, theta1: f64, theta2: f64) -> [[f64; 2]; 2] {
        let elbow = [self.l1 * theta1.sin(), -self.l1 * theta1.cos()];
        [elbow, [elbow[0] + self.l2 * theta2.sin(), elbow[1] - self.l2 * theta2.cos()]]
    }
}
