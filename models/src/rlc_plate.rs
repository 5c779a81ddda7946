//! A spring-mounted plate of a capacitor in an electric circuit, with and without losses.

use lagrange_runtime::prelude::*;

/// The plate of a capacitor on a spring, in a circuit with an inductance, a resistance and a source: x the plate's way from
/// its rest position towards the other plate, e the charge. The Lagrange–Maxwell equations take the charge as a coordinate:
/// L = T − V + W_m − W_e with the magnetic energy l ė²/2 and the electric energy (s − x) e²/(2 ε a), the resistance in the
/// dissipation, the voltage as a force. SI units, but ε, which the paper leaves out: it is 1.
///
/// Known quantities: without resistance and source the energy is constant ([`LcPlate`], where that is proved); with them it
/// changes by e₀ sin(ωt) ė − r ė². The outputs are the paper's equations (23) and (24), which it calls constants of the motion; they
/// are not. Their terms have different units; the factors such as `1[A]` make them all energies, and change no number. Source: Liu Shixing et al., *Application research of symplectic Runge–Kutta method of solving Lagrange–Maxwell
/// equation*, Acta Phys. Sin. 62, 034501, 2013.
#[lagrangian {
    coordinates x: m, e: C;

    kinetic     = m*dot(x)^2/2 + l*dot(e)^2/2;
    potential   = k*x^2/2 + (s - x)*e^2/(2*eps*a);
    dissipation = r*dot(e)^2/2;
    force e     = e0*sin(omega*t);

    output first_printed: J = l*e^2/(2*a)*1[m^2/s^2] - (s - x)*e^2/a/1[F/m] + r*e*1[A];
    output second_printed: J = m*dot(x)^2/2 - k*x^2/2 + e^2/(2*a)/1[F/m^2];

    verify forcing[x] == e^2/(2*eps*a) - k*x;
    verify forcing[e] == e0*sin(omega*t) - r*dot(e) - (s - x)*e/(eps*a);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct RlcPlate {
    /// Mass of the plate.
    #[unit(kg)]
    pub m: f64,
    /// Inductance.
    #[unit(H)]
    pub l: f64,
    /// Stiffness of the spring.
    #[unit(N/m)]
    pub k: f64,
    /// Between the plates at x = 0.
    #[unit(m)]
    pub s: f64,
    /// Area of the plates.
    #[unit(m^2)]
    pub a: f64,
    /// Permittivity between the plates; 1 as in the paper.
    #[unit(F/m)]
    pub eps: f64,
    /// Resistance.
    #[unit(ohm)]
    pub r: f64,
    /// Amplitude of the source.
    #[unit(V)]
    pub e0: f64,
    /// Angular frequency of the source.
    #[unit(rad/s)]
    pub omega: f64,
}

/// The paper's table 1, without a source.
impl Default for RlcPlate {
    fn default() -> Self {
        let LcPlate { m, l, k, s, a, eps } = LcPlate::default();
        Self { m, l, k, s, a, eps, r: 0.05, e0: 0.0, omega: 85.4 }
    }
}

impl RlcPlate {
    /// [`LcPlate::released`].
    pub fn released() -> State<f64, 2> {
        LcPlate::released()
    }
}

/// [`RlcPlate`] without resistance and source: the energy is constant.
#[lagrangian {
    coordinates x: m, e: C;

    kinetic   = m*dot(x)^2/2 + l*dot(e)^2/2;
    potential = k*x^2/2 + (s - x)*e^2/(2*eps*a);

    output first_printed: J = l*e^2/(2*a)*1[m^2/s^2] - (s - x)*e^2/a/1[F/m];
    output second_printed: J = m*dot(x)^2/2 - k*x^2/2 + e^2/(2*a)/1[F/m^2];

    invariant total: J = energy;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct LcPlate {
    /// Mass of the plate.
    #[unit(kg)]
    pub m: f64,
    /// Inductance.
    #[unit(H)]
    pub l: f64,
    /// Stiffness of the spring.
    #[unit(N/m)]
    pub k: f64,
    /// Between the plates at x = 0.
    #[unit(m)]
    pub s: f64,
    /// Area of the plates.
    #[unit(m^2)]
    pub a: f64,
    /// Permittivity between the plates; 1 as in the paper.
    #[unit(F/m)]
    pub eps: f64,
}

/// The paper's table 1.
impl Default for LcPlate {
    fn default() -> Self {
        Self { m: 0.015, l: 0.0016, k: 369.73, s: 0.1, a: 0.01, eps: 1.0 }
    }
}

impl LcPlate {
    /// At rest, 0.04 m towards the other plate, with a charge of 0.5 C.
    pub fn released() -> State<f64, 2> {
        State::new(0.0, [0.04, 0.5], [0.0, 0.0])
    }
}
