//! A battery that is charged through a bridge of four diodes.

use lagrange_runtime::prelude::*;

/// A source of alternating voltage with an inductance charges a battery through a full-wave rectifier of ideal diodes; q is the charge
/// that passed the source, in C, and its rate the current. SI units.
///
/// The bridge turns the battery against the current, whatever its direction, and conducts nothing while the voltage at its input is
/// below that of the battery. So it is dry friction in the charge, with the voltage of the battery as the bound.
///
/// Known solution: without resistance, the current begins where V sin ωt reaches the voltage U of the battery, at
/// [`conducts_from`](Self::conducts_from), and is (V/(ω L)) (cos ωt₀ − cos ωt) − (U/L) (t − t₀) until it is 0. Source: N. Mohan, T. M.
/// Undeland, W. P. Robbins, *Power Electronics*, 3rd ed., 2003, ch. 5.
#[lagrangian {
    coordinates q: C;

    kinetic     = inductance*dot(q)^2/2;
    dissipation = resistance*dot(q)^2/2;
    force q     = amplitude*sin(omega*t);
    friction bridge: q = battery;

    output current: A  = abs(dot(q));
}]
#[derive(Clone, Debug, PartialEq)]
pub struct FullWaveRectifier {
    /// Inductance.
    #[unit(H)]
    pub inductance: f64,
    /// Resistance.
    #[unit(ohm)]
    pub resistance: f64,
    /// Amplitude of the source's voltage.
    #[unit(V)]
    pub amplitude: f64,
    /// Angular frequency of the source.
    #[unit(rad/s)]
    pub omega: f64,
    /// Voltage of the battery.
    #[unit(V)]
    pub battery: f64,
}

/// A source of 17 V and 50 Hz, and a battery of 12 V.
impl Default for FullWaveRectifier {
    fn default() -> Self {
        Self { inductance: 5e-3, resistance: 0.0, amplitude: 17.0, omega: 100.0 * std::f64::consts::PI, battery: 12.0 }
    }
}

impl FullWaveRectifier {
    /// The time at which the bridge first conducts, s.
    pub fn conducts_from(&self) -> f64 {
        (self.battery / self.amplitude).asin() / self.omega
    }

    /// The current at a time of the first pulse without resistance, A.
    pub fn pulse(&self, t: f64) -> f64 {
        let begun = self.conducts_from();
        let reactance = self.omega * self.inductance;
        self.amplitude / reactance * ((self.omega * begun).cos() - (self.omega * t).cos())
            - self.battery / self.inductance * (t - begun)
    }

    /// No current, at a zero of the source's voltage.
    pub fn at_rest() -> State<f64, 1> {
        State::new(0.0, [0.0], [0.0])
    }
}
