//! The four-bar linkage.

use lagrange_runtime::prelude::*;

/// A crank, a coupler and a rocker, uniform rods in a plane, between two hinges at the distance `base` along x; angles from
/// x, in radians, `rocker`'s at its own hinge. A torque turns the crank. SI units.
///
/// Two constraints close the loop. Where crank and coupler, or coupler and rocker, are in line, one angle reverses. With
/// crank + base = coupler + rocker (or another such pair of sums) all three can lie along the base. There the constraints become
/// dependent, the motion can continue in two ways, and a failure names the loss of rank. Known quantity without a torque: the energy
/// is constant.
#[lagrangian {
    coordinates crank: rad, coupler: rad, rocker: rad;

    let elbow: m = a*[cos(crank), sin(crank)];
    let joint: m = [base, 0] + c*[cos(rocker), sin(rocker)];
    let middle: m = elbow + b*[cos(coupler), sin(coupler)]/2;

    kinetic   = m*a*(a*dot(crank))^2/6
              + m*b*(norm2(dot(middle))/2 + (b*dot(coupler))^2/24)
              + m*c*(c*dot(rocker))^2/6;
    potential = m*g*(a*elbow[1]/2 + b*middle[1] + c*joint[1]/2);
    force crank = torque;

    constraint closure: elbow + b*[cos(coupler), sin(coupler)] == joint;

    output crank_end: m = elbow;
    output rocker_end: m = joint;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct FourBarLinkage {
    /// Length of the crank.
    #[unit(m)]
    pub a: f64,
    /// Length of the coupler.
    #[unit(m)]
    pub b: f64,
    /// Length of the rocker.
    #[unit(m)]
    pub c: f64,
    /// Between the hinges.
    #[unit(m)]
    pub base: f64,
    /// Mass of the rods per length.
    #[unit(kg/m)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Torque on the crank.
    #[unit(N*m)]
    #[input]
    pub torque: f64,
}

/// A crank that can turn fully: 0.2, 0.5, 0.4 and 0.5 m, 2 kg/m, without gravity.
impl Default for FourBarLinkage {
    fn default() -> Self {
        Self { a: 0.2, b: 0.5, c: 0.4, base: 0.5, m: 2.0, g: 0.0, torque: 0.0 }
    }
}

impl FourBarLinkage {
    /// Near the state of the default linkage with the crank upright at 5 rad/s; [`initialise`] makes it consistent, with the
    /// crank kept.
    pub fn guess() -> State<f64, 3> {
        State::new(0.0, [std::f64::consts::FRAC_PI_2, 0.3, 1.7], [5.0, 0.0, 0.0])
    }

    /// The default linkage with the crank upright at 5 rad/s.
    pub fn cranked() -> State<f64, 3> {
        // elbow = (0, a), joint = (base, 0) + c (cos ρ, sin ρ): a triangle of sides b, c and √(a² + base²).
        let Self { a, b, c, base, .. } = Self::default();
        let distance = a.hypot(base);
        let lean = ((distance * distance + c * c - b * b) / (2.0 * distance * c)).acos();
        let rocker = std::f64::consts::PI - a.atan2(base) - lean;
        let joint = [base + c * rocker.cos(), c * rocker.sin()];
        let coupler = (joint[1] - a).atan2(joint[0]);
        // a ω₁ n₁ + b ω₂ n₂ = c ω₃ n₃, with n the normals (−sin, cos).
        let rate = 5.0;
        let ((s2, c2), (s3, c3)) = (coupler.sin_cos(), rocker.sin_cos());
        let determinant = b * c * (s2 * c3 - c2 * s3);
        let (right_x, right_y) = (a * rate, 0.0);
        // −b s₂ ω₂ + c s₃ ω₃ = a ω₁ and b c₂ ω₂ − c c₃ ω₃ = 0.
        let coupling = (right_x * (-c * c3) - c * s3 * right_y) / determinant;
        let rocking = (-b * s2 * right_y - b * c2 * right_x) / determinant;
        State::new(0.0, [std::f64::consts::FRAC_PI_2, coupler, rocker], [rate, coupling, rocking])
    }
}
