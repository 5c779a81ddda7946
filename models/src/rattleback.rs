//! A stone that turns round its spin.

use lagrange_runtime::prelude::*;

/// A rattleback: half an ellipsoid with the semiaxes a, b and c, that rolls on a rough floor without slip. Its centre of mass lies h below the centre of the ellipsoid, and the axes of its inertia
/// are turned against those of the ellipsoid, by the product of inertia d. x and y are the centre of mass; the stone is turned by gamma about the vertical, then by alpha about its long axis and
/// by beta about its other one. All third axes point down. SI units.
///
/// Spun in one sense, it begins to rattle, stops, and turns the other way. In the other sense it spins on. Known solution: the motions of T. R. Kane, D. A. Levinson, *Realistic mathematical
/// modeling of the rattleback*, Int. J. Non-Linear Mechanics 17, 1982, whose stone this is; without air, the energy is constant.
#[lagrangian {
    coordinates x: m, y: m, gamma: rad, alpha: rad, beta: rad;

    let turned: 1  = rotation_z(gamma)*rotation_x(alpha)*rotation_y(beta);
    let spin       = angular_velocity_body(turned);
    let down: 1    = transpose(turned)*[0, 0, 1];
    let reach: m   = norm([a*down[0], b*down[1], c*down[2]]);
    let lever: m   = [a^2*down[0]/reach, b^2*down[1]/reach, c^2*down[2]/reach - h];
    let height: m  = inner(lever, down);
    let slip       = turned*cross(spin, lever);

    kinetic     = rigid_body_energy(m, [[i1, d, 0], [d, i2, 0], [0, 0, i3]], [x, y, -height], turned);
    potential   = m*g*height;
    dissipation = sigma*norm2(spin)/2;
    nonholonomic rolls: [dot(x) + slip[0], dot(y) + slip[1]] == [0, 0];

    output rate: rad/s = (turned*spin)[2];
    output lean: rad   = acos(down[2]);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Rattleback {
    /// Mass.
    #[unit(kg)]
    pub m: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub g: f64,
    /// Semiaxis along the stone.
    #[unit(m)]
    pub a: f64,
    /// Semiaxis across it.
    #[unit(m)]
    pub b: f64,
    /// Vertical semiaxis.
    #[unit(m)]
    pub c: f64,
    /// From the centre of the ellipsoid down to the centre of mass.
    #[unit(m)]
    pub h: f64,
    /// Moment of inertia about the axis along the stone.
    #[unit(kg*m^2)]
    pub i1: f64,
    /// Moment of inertia about the axis across it.
    #[unit(kg*m^2)]
    pub i2: f64,
    /// Moment of inertia about the vertical axis.
    #[unit(kg*m^2)]
    pub i3: f64,
    /// Product of inertia of the axes along and across.
    #[unit(kg*m^2)]
    #[range(-1e-4..1e-4)]
    pub d: f64,
    /// Resistance of the air to its turning.
    #[unit(N*m*s)]
    #[range(0..1e-3)]
    pub sigma: f64,
}

/// The stone of Kane and Levinson, with a mass of 1 kg.
impl Default for Rattleback {
    fn default() -> Self {
        let (a, b, c, h) = (0.2, 0.03, 0.02, 0.01);
        Self { m: 1.0, g: 9.81, a, b, c, h, i1: 2e-4, i2: 1.6e-3, i3: 1.7e-3, d: -2e-5, sigma: 1e-4 }
    }
}

impl Rattleback {
    /// The stone with the angles alpha and beta, spun about its own third axis.
    pub fn spun(&self, alpha: f64, beta: f64, spin: f64) -> State<f64, 5> {
        // ω = spin along the third axis of the body: γ̇ cos α = ω cos β, α̇ = ω sin β, β̇ = −γ̇ sin α.
        let (gamma_dot, alpha_dot) = (spin * beta.cos() / alpha.cos(), spin * beta.sin());
        let rates = [gamma_dot, alpha_dot, -gamma_dot * alpha.sin()];
        let down = [-alpha.cos() * beta.sin(), alpha.sin(), alpha.cos() * beta.cos()];
        let reach = (self.a * down[0]).hypot(self.b * down[1]).hypot(self.c * down[2]);
        let lever = [self.a * self.a * down[0] / reach, self.b * self.b * down[1] / reach];
        // v = −ω × ρ, in the body spin·(ρ₂, −ρ₁, 0), turned by alpha and beta.
        let along = [spin * lever[1], -spin * lever[0]];
        let v = [along[0] * beta.cos(), along[1] * alpha.cos() + along[0] * alpha.sin() * beta.sin()];
        State::new(0.0, [0.0, 0.0, 0.0, alpha, beta], [v[0], v[1], rates[0], rates[1], rates[2]])
    }

    /// The default stone, half a degree aside, spun with 5 rad/s in the sense that it does not keep.
    pub fn reversing() -> State<f64, 5> {
        let aside = 0.5_f64.to_radians();
        Self::default().spun(aside, aside, -5.0)
    }
}
