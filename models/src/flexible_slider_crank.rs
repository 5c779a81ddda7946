//! A slider crank whose rod bends and stretches.

use lagrange_runtime::prelude::*;

/// A slider crank whose crank of radius r turns with the angular velocity `omega`, and whose rod of length l bends by w and stretches by u; φ and ψ are the angles of the crank and of the line between the joints, and x is the position of the
/// slider. SI units.
///
/// With z from 0 at the crank to 1 at the slider, w is b₀ times the deflection under an even load, 16/5 (z − 2 z³ + z⁴), plus b₁ times that under a load that falls linearly to its opposite, and u is the parabola with s₀ in the
/// middle and s₁ at the end. The energies are integrals over the points of the rod. Known solutions: the [frequencies](Self::frequency) of the rod between two fixed hinges, π² and 4π² times (d/l²) √(E/(12 ρ)), which are met within 0.1 % and 1 %;
/// and the motion published by B. Simeon, *Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs*, Math. Modelling of Systems 2, 1996, which has sines for w. In the equations there the inertia of the stretch is 15 times too large: the
/// integrals of the squares and the product of 4 z (1 − z) and 2 z² − z lack the factor 1/15. With `axial` = 15 they are those of this mechanism.
#[lagrangian {
    coordinates phi: rad, psi: rad, x: m, b[2]: m, s[2]: m;

    let mass: kg = rho*l*d^2;
    let pin: m = r*[cos(phi), sin(phi)];
    let along = [cos(psi), sin(psi)];
    let across = [-sin(psi), cos(psi)];
    kinetic = crank*dot(phi)^2/2 + slider*dot(x)^2/2 + mass*d^2/12*dot(psi)^2/2
        + mass/2*integral(z in 0..1,
            norm2(dot(pin + (l*z + s[0]*4*z*(1 - z) + s[1]*(2*z^2 - z))*along
                + (b[0]*16/5*(z - 2*z^3 + z^4) + b[1]*512/75*(z - 10*z^3 + 15*z^4 - 6*z^5))*across)))
        + (axial - 1)*mass/2*integral(z in 0..1,
            dot(s[0]*4*z*(1 - z) + s[1]*(2*z^2 - z))^2 + ((s[0]*4*z*(1 - z) + s[1]*(2*z^2 - z))*dot(psi))^2);
    potential = e*d^4/(24*l^3)*integral(z in 0..1,
            (b[0]*192/5*(z^2 - z) + b[1]*2048/5*(-z + 3*z^2 - 2*z^3))^2)
        + e*d^2/(2*l)*integral(z in 0..1, (s[0]*(4 - 8*z) + s[1]*(4*z - 1))^2);

    constraint slides:  r*sin(phi) + (l + s[1])*sin(psi) == 0;
    constraint follows: x == r*cos(phi) + (l + s[1])*cos(psi);
    constraint motor:   phi == omega*t;

    output deflection: m = b[0];
    output torque: N*m = multiplier(motor);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleSliderCrank {
    /// Radius of the crank.
    #[unit(m)]
    #[range(0.05..0.25)]
    pub r: f64,
    /// Length of the rod.
    #[unit(m)]
    pub l: f64,
    /// Side of the rod's square section.
    #[unit(m)]
    #[range(0.004..0.02)]
    pub d: f64,
    /// Density of the rod.
    #[unit(kg/m^3)]
    pub rho: f64,
    /// Young's modulus of the rod.
    #[unit(Pa)]
    pub e: f64,
    /// Moment of inertia of the crank.
    #[unit(kg*m^2)]
    pub crank: f64,
    /// Mass of the slider.
    #[unit(kg)]
    pub slider: f64,
    /// Angular velocity of the crank.
    #[unit(rad/s)]
    #[range(20..300)]
    pub omega: f64,
    /// Factor of the inertia of the stretch, 1 for a rod.
    #[unit(1)]
    pub axial: f64,
}

/// The crank of 15 cm and the rod of steel of 30 cm of the source.
impl Default for FlexibleSliderCrank {
    fn default() -> Self {
        let [rho, l, d] = [7870.0, 0.3, 0.008];
        Self { r: 0.15, l, d, rho, e: 2e11, crank: 0.002727, slider: 0.075552, omega: 150.0, axial: 1.0 }
    }
}

impl FlexibleSliderCrank {
    /// The angular frequency of bending n, from 1, of the rod between two fixed hinges, in rad/s: (n π)² (d/l²) √(E/(12 ρ)).
    pub fn frequency(&self, n: u32) -> f64 {
        let waves = f64::from(n) * std::f64::consts::PI;
        waves * waves * self.d / (self.l * self.l) * (self.e / (12.0 * self.rho)).sqrt()
    }

    /// The rod stretched out along the slide, with the crank at its speed, and as bent and stretched as in the nearly smooth motion of the source.
    pub fn stretched_out() -> State<f64, 7> {
        let q = [0.0, 0.0, 0.4500169328396579, 0.0, 0.0, 1.0333980955262189e-5, 1.693283965790248e-5];
        let stretching = [-1.78591076e-6, -2.68938672e-6];
        let bending = [0.4448961105401535, 0.004634340339951213];
        let v = [150.0, -74.99576702900625, stretching[1], bending[0], bending[1], stretching[0], stretching[1]];
        State::new(0.0, q, v)
    }
}
