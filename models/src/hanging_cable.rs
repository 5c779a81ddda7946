//! A cable of elements with absolute nodal coordinates.

use lagrange_runtime::prelude::*;

/// A cable that is held at its upper end and swings in a plane: three elements with absolute nodal coordinates. p are the positions of the free nodes in m, and g the
/// tangents at all nodes, r′ = dr/dx. SI units.
///
/// In an element of length h the position r is the cubic of ξ = x/h with the positions and tangents of its two nodes. The strains are those of large
/// motions, ε = (|r′|² − 1)/2 along the cable, and |r″| for its curvature, which is right where ε is small:
///
/// ```text
/// T = ρ/2 ∫ |ṙ|² dx,    V = EA/2 ∫ ε² dx + EI/2 ∫ |r″|² dx + ρ g ∫ r_y dx
/// ```
///
/// All integrands are polynomials of ξ, and all integrals are exact. M is constant, however far the cable moves: there are no centrifugal and no Coriolis forces, and nothing of the motion is
/// linearised (A. A. Shabana, *Computer implementation of the absolute nodal coordinate formulation for flexible multibody dynamics*, Nonlinear Dynamics 16, 1998; M. Berzeri, A. A. Shabana, *Development of simple models for the elastic forces in the absolute nodal
/// co-ordinate formulation*, J. Sound Vib. 235, 2000).
#[lagrangian {
    const n = 3;
    coordinates p[n][2]: m, g[n + 1][2]: 1;

    let h: m = l/n;
    let r[0]: m = [0, 0];
    let r[i in 1..n + 1] = p[i - 1];
    // r = r[e] + a ξ + b ξ² + c ξ³ in the element e.
    let a[e in 0..n]: m = h*g[e];
    let b[e in 0..n]: m = 3*(r[e + 1] - r[e]) - h*(2*g[e] + g[e + 1]);
    let c[e in 0..n]: m = 2*(r[e] - r[e + 1]) + h*(g[e] + g[e + 1]);

    kinetic = sum(e in 0..n, rho*h/2*integral(x in 0..1, norm2(dot(r[e] + a[e]*x + b[e]*x^2 + c[e]*x^3))));
    potential = sum(e in 0..n, rho*gravity*h*integral(x in 0..1, (r[e] + a[e]*x + b[e]*x^2 + c[e]*x^3)[1])
        + ea*h/2*integral(x in 0..1, (norm2(a[e] + 2*b[e]*x + 3*c[e]*x^2)/h^2 - 1)^2/4)
        + ei/(2*h^3)*integral(x in 0..1, norm2(2*b[e] + 6*c[e]*x)));

    output tip: m = p[n - 1];
    // Of the cable's length, by the mean of ε.
    output stretch: m = sum(e in 0..n, h*integral(x in 0..1, (norm2(a[e] + 2*b[e]*x + 3*c[e]*x^2)/h^2 - 1)/2));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct HangingCable {
    /// Length.
    #[unit(m)]
    pub l: f64,
    /// Mass per length.
    #[unit(kg/m)]
    pub rho: f64,
    /// Stiffness against stretching.
    #[unit(N)]
    pub ea: f64,
    /// Stiffness against bending.
    #[unit(N*m^2)]
    pub ei: f64,
    /// Gravity.
    #[unit(m/s^2)]
    pub gravity: f64,
}

/// A cable of 1 m and 100 g, which stretches by half a millimetre at most while it falls.
impl Default for HangingCable {
    fn default() -> Self {
        Self { l: 1.0, rho: 0.1, ea: 1e4, ei: 0.01, gravity: 9.81 }
    }
}

impl HangingCable {
    /// The cable of 1 m, straight and horizontal, at rest.
    pub fn released() -> State<f64, 14> {
        let q = [1.0 / 3.0, 0.0, 2.0 / 3.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
        State::new(0.0, q, [0.0; 14])
    }
}
