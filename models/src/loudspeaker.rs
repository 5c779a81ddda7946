//! A loudspeaker: a cone on a spring, driven by a coil in a magnet's gap.

use lagrange_runtime::nalgebra::Complex;
use lagrange_runtime::prelude::*;

/// The cone of a loudspeaker with its coil in the gap of a magnet: x the cone's way outward, e the charge that has passed through
/// the coil, whose rate is the current. SI units.
///
/// In the gap's radial field the coil's flux changes by bl dx. One term, bl x ė of the magnetic coenergy l ė²/2 + bl x ė, states
/// this: it gives the force bl ė on the cone and the voltage bl ẋ in the circuit. Being linear in velocities, it does
/// not show in the energy. The amplifier's voltage is an input.
///
/// Known solution: the equations are linear; under a voltage of angular frequency ω the loudspeaker is the impedance
/// r + iωl + bl²/(damping + iωm + k/(iω)). Source: L. L. Beranek, *Acoustics*, 1954, 3.6 and 7.2; the orders of magnitude are
/// those of R. H. Small, *Direct-radiator loudspeaker system analysis*, J. Audio Eng. Soc. 20, 1972.
#[lagrangian {
    coordinates x: m, e: C;

    lagrangian  = m*dot(x)^2/2 - k*x^2/2 + l*dot(e)^2/2 + bl*x*dot(e);
    dissipation = damping*dot(x)^2/2 + r*dot(e)^2/2;
    force e     = voltage;

    output current: A = dot(e);

    verify energy == m*dot(x)^2/2 + k*x^2/2 + l*dot(e)^2/2;
    verify forcing[x] == bl*dot(e) - k*x - damping*dot(x);
    verify forcing[e] == voltage - r*dot(e) - bl*dot(x);
}]
#[derive(Clone, Debug, PartialEq)]
pub struct Loudspeaker {
    /// Mass of cone and coil.
    #[unit(kg)]
    #[range(0.005..0.1)]
    pub m: f64,
    /// Stiffness of the suspension.
    #[unit(N/m)]
    #[range(200..5000)]
    pub k: f64,
    /// Damping by suspension and air.
    #[unit(N*s/m)]
    pub damping: f64,
    /// Flux density times the length of wire in the gap.
    #[unit(T*m)]
    #[range(1..20)]
    pub bl: f64,
    /// Inductance of the coil.
    #[unit(H)]
    pub l: f64,
    /// Resistance of the coil.
    #[unit(ohm)]
    pub r: f64,
    /// Voltage at the coil.
    #[unit(V)]
    #[range(-40..40)]
    #[input]
    pub voltage: f64,
}

/// A woofer: 20 g, 1200 N/m, 1 N·s/m, 8 T·m, 0.5 mH, 6 Ω; no voltage.
impl Default for Loudspeaker {
    fn default() -> Self {
        Self { m: 0.02, k: 1200.0, damping: 1.0, bl: 8.0, l: 5e-4, r: 6.0, voltage: 0.0 }
    }
}

impl Loudspeaker {
    /// At rest, pushed in by 2 mm.
    pub fn pushed_in() -> State<f64, 2> {
        State::new(0.0, [-2e-3, 0.0], [0.0, 0.0])
    }

    /// The impedance at angular frequency `omega` in rad/s, Ω.
    pub fn impedance(&self, omega: f64) -> Complex<f64> {
        Complex::new(self.r, omega * self.l) + self.bl * self.bl / self.mechanical(omega)
    }

    /// The steady state at time `t` under the voltage `amplitude` sin(ωt).
    pub fn steady(&self, amplitude: f64, omega: f64, t: f64) -> State<f64, 2> {
        let current = Complex::from_polar(amplitude, omega * t) / self.impedance(omega);
        let speed = current * self.bl / self.mechanical(omega);
        let integral = |rate: Complex<f64>| (rate / Complex::new(0.0, omega)).im;
        State::new(t, [integral(speed), integral(current)], [speed.im, current.im])
    }

    /// Force over velocity of the cone.
    fn mechanical(&self, omega: f64) -> Complex<f64> {
        Complex::new(self.damping, omega * self.m - self.k / omega)
    }
}
