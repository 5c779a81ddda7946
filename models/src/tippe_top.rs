//! A top that turns upside down.

use lagrange_runtime::prelude::*;

/// A tippe top: a ball of radius r whose centre of mass lies the distance a below its middle, on a rough floor. p is the centre of mass in m, and (w, x, y, z)
/// the unit quaternion of the orientation, w its real part. SI units.
///
/// Where it slips, the friction turns it over, until it spins on its light side, and its slip has ended. Known solution: Jellett's integral, the component of the angular momentum along the
/// way from the centre of mass to the contact, keeps its value whatever force acts in the contact (J. H. Jellett, *A Treatise on the Theory of Friction*, 1872,
/// chapter VIII; R. J. Cohen, *The tippe top revisited*, Am. J. Phys. 45, 1977). It says how fast the top would spin upside down, [`spin_inverted`](Self::spin_inverted). A top
/// with 1 − a/r < i₁/i₃ < 1 + a/r turns over if it spins fast enough (S. T. Glad, D. Petersson, S. Rauch-Wojciechowski, *Phase space of rolling solutions of
/// the tippe top*, SIGMA 3, 2007).
#[lagrangian {
    coordinates p[3]: m, w: 1, x: 1, y: 1, z: 1;

    let turned: 1   = rotation([w, x, y, z]);
    let axis: 1     = turned*[0, 0, 1];
    let spin: rad/s = angular_velocity_body(turned);
    let lever: m    = a*axis - [0, 0, r];
    let slip: m/s   = dot(p) + cross(turned*spin, lever);

    kinetic   = rigid_body_energy(m, [i1, i1, i3], p, turned);
    potential = m*g*p[2];

    constraint unit: norm2([w, x, y, z]) == 1;
    constraint floor: p[2] + lever[2] == 0;
    friction felt: rate([slip[0], slip[1]]) = mu*abs(multiplier(floor));

    output axis_up: 1 = axis[2];
    output jellett: J*s*m = inner(turned*[i1*spin[0], i1*spin[1], i3*spin[2]], lever);
    output middle: m = p + a*axis;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct TippeTop {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Radius.
    #[unit(m)]
    pub r: f64,
    /// From the centre of mass to the middle.
    #[unit(m)]
    pub a: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Moment of inertia about an axis through the centre of mass across the top's own.
    #[unit(kg*m^2)]
    pub i1: f64,
    /// Moment of inertia about the top's axis.
    #[unit(kg*m^2)]
    pub i3: f64,
    /// Coefficient of friction.
    #[unit(1)]
    #[range(0.02..0.3)]
    pub mu: f64,
}

/// 20 g and a radius of 2 cm, with i₁ = 131/350 m r² and i₃ = 2/5 m r² as in SIGMA 3, 2007, and a = r/5.
impl Default for TippeTop {
    fn default() -> Self {
        let (m, r) = (0.02, 0.02);
        Self { m, r, a: 0.2 * r, g: 9.81, i1: 131.0 / 350.0 * m * r * r, i3: 0.4 * m * r * r, mu: 0.1 }
    }
}

impl TippeTop {
    /// The top on its heavy side, with its axis leant by `lean` and an angular velocity `spin` about the vertical.
    pub fn spun(&self, lean: f64, spin: f64) -> State<f64, 7> {
        let (sin, cos) = (lean / 2.0).sin_cos();
        let q = [0.0, 0.0, self.r - self.a * lean.cos(), cos, sin, 0.0, 0.0];
        State::new(0.0, q, [0.0, 0.0, 0.0, 0.0, 0.0, sin * spin / 2.0, cos * spin / 2.0])
    }

    /// Jellett's integral at [`TippeTop::spun`].
    pub fn jellett(&self, lean: f64, spin: f64) -> f64 {
        let (Self { r, a, i1, i3, .. }, cos) = (self, lean.cos());
        spin * (i1 * (a * cos - r) + (i3 - i1) * cos * (a - r * cos))
    }

    /// The angular velocity with which the top of [`TippeTop::spun`] would stand upside down: i₃ ω (r + a) = −J.
    pub fn spin_inverted(&self, lean: f64, spin: f64) -> f64 {
        -self.jellett(lean, spin) / (self.i3 * (self.r + self.a))
    }

    /// The default top, leant by 0.1 rad, with 155 rad/s: it turns over within three seconds.
    pub fn spinning() -> State<f64, 7> {
        Self::default().spun(0.1, 155.0)
    }
}
