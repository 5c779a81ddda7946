//! Three point vortices in a plane.

use lagrange_runtime::prelude::*;

/// Three point vortices in an ideal fluid that fills the plane. They have no inertia: each drifts with the velocity of the fluid
/// that the others set in motion. SI units.
///
/// Γᵢ ẋᵢ = ∂H/∂yᵢ, Γᵢ ẏᵢ = −∂H/∂xᵢ, H = −1/(4π) Σ Γᵢ Γⱼ ln rᵢⱼ² over the pairs. Positive vortices turn anticlockwise.
///
/// Known solutions: an equilateral triangle of side s rotates rigidly with the rate ΣΓ/(2π s²) ([`rotation`](Self::rotation)); with ΣΓᵢΓⱼ
/// = 0 and ΣΓᵢΓⱼ rᵢⱼ² = 0, the vortices collapse or expand and stay similar to themselves
/// ([`collapsing`](Self::collapsing)). Sources: G. Kirchhoff, *Vorlesungen über mathematische Physik: Mechanik*, 1876, lecture 20; H. Aref,
/// *Motion of three vortices*, Physics of Fluids 22 (1979) 393; H. Aref, *Point vortex dynamics: a classical mathematics playground*, Journal of
/// Mathematical Physics 48 (2007) 065401.
/// The unit of L is m⁴/s², that of an energy of a layer over its depth and density. A logarithm is that of a number: the squared distance over
/// 1 m², which adds a constant.
#[lagrangian {
    const n = 3;
    units energy = m^4/s^2;
    coordinates r[n][2]: m;

    lagrangian = sum(i in 0..n, gamma[i]*(r[i][1]*dot(r[i][0]) - r[i][0]*dot(r[i][1]))/2)
        + sum(i in 0..n, sum(j in i+1..n, gamma[i]*gamma[j]*ln(norm2(r[i] - r[j])/1[m^2])/(4*pi)));

    invariant hamiltonian: m^4/s^2 = energy;
    invariant impulse: m^3/s     = sum(i in 0..n, gamma[i]*r[i]);
    invariant angular: m^4/s     = sum(i in 0..n, gamma[i]*norm2(r[i]));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct PointVortices {
    /// Circulations.
    #[unit(m^2/s)]
    pub gamma: [f64; 3],
}

/// Three vortices that turn the same way, whose triangle is stable.
impl Default for PointVortices {
    fn default() -> Self {
        Self { gamma: [2.0, 1.0, 1.5] }
    }
}

impl PointVortices {
    /// The vortices at these places.
    pub fn at(places: [[f64; 2]; 3]) -> State<f64, 6> {
        let mut v = SVector::repeat(0.0);
        for (indices, place) in Self::INDEX.r.iter().zip(places) {
            for (&index, value) in indices.iter().zip(place) {
                v[index] = value;
            }
        }
        State::new(0.0, SVector::repeat(0.0), v)
    }

    /// The places of the vortices in a state, m.
    pub fn places(state: &State<f64, 6>) -> [[f64; 2]; 3] {
        Self::INDEX.r.map(|indices| indices.map(|index| state.v[index]))
    }

    /// An equilateral triangle of this side around the origin, its first corner on the positive x axis.
    pub fn triangle(side: f64) -> State<f64, 6> {
        let corner = |k: f64| {
            let (sin, cos) = (2.0 * std::f64::consts::PI * k / 3.0).sin_cos();
            [side / 3.0_f64.sqrt() * cos, side / 3.0_f64.sqrt() * sin]
        };
        Self::at([0.0, 1.0, 2.0].map(corner))
    }

    /// The triangle of side 1 m, with one corner moved.
    pub fn disturbed_triangle() -> State<f64, 6> {
        let mut state = Self::triangle(1.0);
        state.v[Self::INDEX.r[0][0]] += 0.1;
        state
    }

    /// Places from which vortices of the circulations 2Γ, 2Γ, −Γ collapse.
    pub fn collapsing() -> State<f64, 6> {
        Self::at([[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0_f64.sqrt()]])
    }

    /// The rate at which an equilateral triangle of this side rotates, rad/s.
    pub fn rotation(&self, side: f64) -> f64 {
        self.gamma.iter().sum::<f64>() / (2.0 * std::f64::consts::PI * side * side)
    }
}
