//! Hénon and Heiles's potential.

use lagrange_runtime::prelude::*;

/// A star in the plane through the axis of a galaxy, by Hénon and Heiles's model of its potential: bound below the energy
/// 1/6, regular at low energy, and chaotic for ever more initial states as the energy rises. Without units.
///
/// Known quantities: the energy is the only constant of the motion. Along the symmetry axis x = 0 the motion is an elliptic
/// function ([`HenonHeiles::axial_period`]). Source: M. Hénon, C. Heiles, *The applicability of the third integral of motion: some numerical
/// experiments*, Astron. J. 69, 1964; E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2nd ed., I.3.
#[lagrangian {
    coordinates x: 1, y: 1;
    units time = 1, energy = 1;

    kinetic   = (dot(x)^2 + dot(y)^2)/2;
    potential = (x^2 + y^2)/2 + c*(x^2*y - y^3/3);

    invariant total: 1 = energy;

    verify forcing[x] == -x - 2*c*x*y;
    verify forcing[y] == -y - c*(x^2 - y^2);

    output position: 1 = [x, y];
}]
#[derive(Clone, Debug, PartialEq)]
pub struct HenonHeiles {
    /// The strength of the cubic part.
    #[unit(1)]
    pub c: f64,
}

/// The published potential: c = 1.
impl Default for HenonHeiles {
    fn default() -> Self {
        Self { c: 1.0 }
    }
}

impl HenonHeiles {
    /// The energy of the three saddles at c = 1, beyond which the motion may escape.
    pub const ESCAPE: f64 = 1.0 / 6.0;

    /// At (0, y) with the velocity (ẋ, `y_dot`), ẋ ≥ 0 such that the energy at c = 1 is `energy`: a point of the published sections; NaN
    /// where there is none.
    pub fn section(energy: f64, y: f64, y_dot: f64) -> State<f64, 2> {
        let x_dot = (2.0 * energy - y_dot * y_dot - y * y + 2.0 / 3.0 * y * y * y).sqrt();
        State::new(0.0, [0.0, y], [x_dot, y_dot])
    }

    /// On the section at the published energy of 1/8, where regular and chaotic motions are found side by side.
    pub fn mixed() -> State<f64, 2> {
        Self::section(0.125, 0.1, 0.0)
    }

    /// The turning points of the motion along x = 0 at c = 1 and this `energy` (between 0 and 1/6), and its period.
    ///
    /// ẏ² = 2/3 (y − a)(y − b)(y − c) with roots a < b < c, so that the period is 2 √6 K(k)/√(c − a), k² = (b − a)/(c − a);
    /// K(k) = π/(2 agm(1, √(1 − k²))).
    pub fn axial_period(energy: f64) -> ([f64; 2], f64) {
        // y = 1/2 + cos φ solves 2/3 y³ − y² + 2E = 0 where cos 3φ = 1 − 12 E.
        let third = (1.0 - 12.0 * energy).acos() / 3.0;
        let turn = 2.0 * std::f64::consts::FRAC_PI_3;
        let [a, b, c] = [third + turn, third - turn, third].map(|angle| 0.5 + angle.cos());
        let (mut mean, mut other) = (1.0_f64, ((c - b) / (c - a)).sqrt());
        while (mean - other).abs() > 4.0 * f64::EPSILON {
            (mean, other) = (f64::midpoint(mean, other), (mean * other).sqrt());
        }
        ([a, b], std::f64::consts::PI * 6.0_f64.sqrt() / (mean * (c - a).sqrt()))
    }
}
