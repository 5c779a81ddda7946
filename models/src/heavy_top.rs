//! The heavy symmetric top, in Euler's angles and by a unit quaternion.

use lagrange_runtime::prelude::*;

/// A symmetric top on a fixed tip, in Euler's angles: θ from the upward vertical, φ of precession, ψ of spin, in radians. SI
/// units. Singular at θ = 0; [`HeavyTopQuaternion`] is not.
///
/// Known solution: with the spin ω₃ = ψ̇ + φ̇ cos θ, which is constant, it precesses steadily at the roots φ̇ = Ω of
/// i₁ Ω² cos θ − i₃ ω₃ Ω + m g l = 0 (L. D. Landau, E. M. Lifshitz, *Mechanics*, §35, problem 1; H. Goldstein et al., *Classical
/// Mechanics*, 3rd ed., 5.7). p_φ, p_ψ and the energy are constant.
#[lagrangian {
    coordinates theta: rad, phi: rad, psi: rad;

    kinetic   = i1*(dot(theta)^2 + sin(theta)^2*dot(phi)^2)/2 + i3*(dot(psi) + dot(phi)*cos(theta))^2/2;
    potential = m*g*l*cos(theta);

    invariant total: J = energy;
    invariant vertical: J*s = i1*sin(theta)^2*dot(phi) + i3*(dot(psi) + dot(phi)*cos(theta))*cos(theta);
    invariant own: J*s = i3*(dot(psi) + dot(phi)*cos(theta));

    output direction: 1 = [sin(theta)*sin(phi), -sin(theta)*cos(phi), cos(theta)];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyTop {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// From the tip to the centre of mass.
    #[unit(m)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Moment of inertia about an axis through the tip across the top's own.
    #[unit(kg*m^2)]
    pub i1: f64,
    /// Moment of inertia about the top's axis.
    #[unit(kg*m^2)]
    pub i3: f64,
}

/// 0.2 kg, 5 cm above the tip, moments of 7e-4 and 2e-4 kg m².
impl Default for HeavyTop {
    fn default() -> Self {
        Self { m: 0.2, l: 0.05, g: 9.81, i1: 7e-4, i3: 2e-4 }
    }
}

impl HeavyTop {
    /// The slower rate of steady precession at θ for the spin ω₃, rad/s; NaN where the spin is too slow for any.
    pub fn precession(&self, theta: f64, spin: f64) -> f64 {
        let (momentum, weight) = (self.i3 * spin, self.m * self.g * self.l);
        let root = (momentum * momentum - 4.0 * self.i1 * theta.cos() * weight).sqrt();
        // The form that does not cancel.
        2.0 * weight / (momentum + root)
    }

    /// Steady precession at θ with the spin ω₃.
    pub fn steady(&self, theta: f64, spin: f64) -> State<f64, 3> {
        let rate = self.precession(theta, spin);
        State::new(0.0, [theta, 0.0, 0.0], [0.0, rate, spin - rate * theta.cos()])
    }

    /// The default top at 30°, spinning at 150 rad/s and let go: it nods.
    pub fn nodding() -> State<f64, 3> {
        State::new(0.0, [std::f64::consts::FRAC_PI_6, 0.0, 0.0], [0.0, 0.0, 150.0])
    }
}

/// [`HeavyTop`] by a unit quaternion (a, b, c, d), a its real part: regular everywhere. SI units.
#[lagrangian {
    coordinates a: 1, b: 1, c: 1, d: 1;

    let spin: rad/s = angular_velocity_body([a, b, c, d]);
    let axis: 1 = rotation([a, b, c, d])*[0, 0, 1];

    kinetic   = (i1*(spin[0]^2 + spin[1]^2) + i3*spin[2]^2)/2;
    potential = m*g*l*axis[2];

    constraint unit: a^2 + b^2 + c^2 + d^2 == 1;
    output tilt: rad = acos(axis[2]);
    output direction: 1 = axis;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct HeavyTopQuaternion {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// From the tip to the centre of mass.
    #[unit(m)]
    pub l: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Moment of inertia about an axis through the tip across the top's own.
    #[unit(kg*m^2)]
    pub i1: f64,
    /// Moment of inertia about the top's axis.
    #[unit(kg*m^2)]
    pub i3: f64,
}

/// That of [`HeavyTop`].
impl Default for HeavyTopQuaternion {
    fn default() -> Self {
        let HeavyTop { m, l, g, i1, i3 } = HeavyTop::default();
        Self { m, l, g, i1, i3 }
    }
}

impl HeavyTopQuaternion {
    /// A state in Euler's angles: turned by φ about the vertical, by θ about the first axis, by ψ about the top's own.
    pub fn of_angles(state: &State<f64, 3>) -> State<f64, 4> {
        let ([theta, phi, psi], rates) = ([state.q[0], state.q[1], state.q[2]], state.v);
        let (lean, sum, difference) = (theta / 2.0, (phi + psi) / 2.0, (phi - psi) / 2.0);
        let q = [
            lean.cos() * sum.cos(),
            lean.sin() * difference.cos(),
            lean.sin() * difference.sin(),
            lean.cos() * sum.sin(),
        ];
        let (leaning, summing, turning) = (rates[0] / 2.0, (rates[1] + rates[2]) / 2.0, (rates[1] - rates[2]) / 2.0);
        let v = [
            -lean.sin() * sum.cos() * leaning - lean.cos() * sum.sin() * summing,
            lean.cos() * difference.cos() * leaning - lean.sin() * difference.sin() * turning,
            lean.cos() * difference.sin() * leaning + lean.sin() * difference.cos() * turning,
            -lean.sin() * sum.sin() * leaning + lean.cos() * sum.cos() * summing,
        ];
        State::new(state.t, q, v)
    }

    /// [`HeavyTop::nodding`].
    pub fn nodding() -> State<f64, 4> {
        Self::of_angles(&HeavyTop::nodding())
    }
}
