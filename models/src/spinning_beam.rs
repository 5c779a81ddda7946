//! A beam that is spun up.

use lagrange_runtime::prelude::*;

/// A cantilever on a hub whose angular velocity Ω rises from 0 to `spin` within the time `rise` and then stays:
/// Ω = `spin` (τ − sin(2πτ)/(2π)) with τ = t/`rise`. SI units.
///
/// At the part x of its length the beam is deflected by v = Σ bᵢ φᵢ(x) across the hub's axis and stretched by s = s₀ x + s₁ (5x³ − 3x)/2 along it. The shapes φ are x²,
/// x²(6x − 5) and x²(28x² − 42x + 15): they are clamped at the hub, 1 at the tip, and orthogonal, so that bᵢ add up to the deflection of the tip. A beam that
/// bends becomes shorter along the axis, by ∫₀ˣ v′²/(2l), and the centrifugal force resists this: it stiffens the beam. `shortening` = 1 is this beam. With
/// `shortening` = 0 the deflection is linear, as in programs that linearise too early: beyond the beam's first frequency it then grows without bound, although the beam only stands straighter.
///
/// Known solution: after the rise the beam is longer by Ω² ρ l³/(3 EA) (J. C. Simo, L. Vu-Quoc, *On the dynamics of flexible beams under large overall motions: the
/// plane case*, J. Appl. Mech. 53, 1986, from which the default data are, too). The description by a stretch and a shortening is that of T. R. Kane, R. R. Ryan, A. K. Banerjee,
/// *Dynamics of a cantilever beam attached to a moving base*, J. Guidance 10, 1987.
#[lagrangian {
    coordinates b[3]: m, s[2]: m;

    let part: 1     = min(t/rise, 1);
    let rate: rad/s = spin*(part - sin(2*pi*part)/(2*pi));

    // The velocity of a point in the directions of the turning axes: x along the hub's axis, y across it.
    kinetic = rho*l/2*integral(x in 0..1,
          (dot(s[0]*x + s[1]*(5*x^3 - 3*x)/2 - shortening/(2*l)*integral(y in 0..x, (2*b[0]*y + b[1]*(18*y^2 - 10*y) + b[2]*(112*y^3 - 126*y^2 + 30*y))^2))
              - rate*(b[0]*x^2 + b[1]*(6*x^3 - 5*x^2) + b[2]*(28*x^4 - 42*x^3 + 15*x^2)))^2
        + (dot(b[0]*x^2 + b[1]*(6*x^3 - 5*x^2) + b[2]*(28*x^4 - 42*x^3 + 15*x^2))
              + rate*(l*x + s[0]*x + s[1]*(5*x^3 - 3*x)/2
                  - shortening/(2*l)*integral(y in 0..x, (2*b[0]*y + b[1]*(18*y^2 - 10*y) + b[2]*(112*y^3 - 126*y^2 + 30*y))^2)))^2);
    potential = ea/(2*l)*integral(x in 0..1, (s[0] + s[1]*(15*x^2 - 3)/2)^2)
              + ei/(2*l^3)*integral(x in 0..1, (2*b[0] + b[1]*(36*x - 10) + b[2]*(336*x^2 - 252*x + 30))^2);

    output omega: rad/s = rate;
    output across: m = b[0] + b[1] + b[2];
    output along: m  = s[0] + s[1] - shortening/(2*l)*integral(y in 0..1, (2*b[0]*y + b[1]*(18*y^2 - 10*y) + b[2]*(112*y^3 - 126*y^2 + 30*y))^2);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct SpinningBeam {
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
    /// Angular velocity after the rise.
    #[unit(rad/s)]
    #[range(0.5..8)]
    pub spin: f64,
    /// Time of the rise.
    #[unit(s)]
    #[range(1..30)]
    pub rise: f64,
    /// 1: the beam becomes shorter as it bends; 0: it does not.
    #[unit(1)]
    #[range(0..1)]
    pub shortening: f64,
}

/// The beam of Simo and Vu-Quoc, 1986: 10 m, first frequency 3.8 rad/s, spun up to 6 rad/s within 15 s.
impl Default for SpinningBeam {
    fn default() -> Self {
        Self { l: 10.0, rho: 1.2, ea: 2.8e7, ei: 1.4e4, spin: 6.0, rise: 15.0, shortening: 1.0 }
    }
}

impl SpinningBeam {
    /// The beam of Kane, Ryan and Banerjee, 1987: 8 m, first frequency 2.9 rad/s, spun up to 4 rad/s within 15 s.
    pub fn kane() -> Self {
        let (modulus, area, moment, density) = (68.95e9, 7.2968e-5, 8.2189e-9, 2766.67);
        Self { l: 8.0, rho: density * area, ea: modulus * area, ei: modulus * moment, spin: 4.0, ..Self::default() }
    }

    /// The stretch of the beam while it turns steadily and straight: Ω² ρ l³/(3 EA).
    pub fn steady_stretch(&self) -> f64 {
        self.spin * self.spin * self.rho * self.l.powi(3) / (3.0 * self.ea)
    }

    /// The straight beam at rest.
    pub fn at_rest() -> State<f64, 5> {
        State::new(0.0, [0.0; 5], [0.0; 5])
    }
}
