//! A thermostat: a bimetal strip that snaps, and the temperature that it switches.

use lagrange_runtime::prelude::*;

/// A bimetal strip with two stable shapes x ≈ ±1 m, and the temperature above the middle of its two switching points. The strip is
/// pushed by the temperature; on the left it closes the contact of the heater. SI units, kelvin.
///
/// Known solution: the strip snaps where a well of its potential vanishes, at ± [`edge`](Self::edge). Where the strip is fast beside the
/// room, the temperature is that of a relay with hysteresis, with exponentials between the two edges and the
/// [`period`](Self::period_of_a_relay) of a relay. Source of the snap: J. M. T. Thompson, G. W. Hunt, *Elastic Instability
/// Phenomena*, 1984, ch. 1 (limit points).
#[lagrangian {
    coordinates x: m;

    kinetic     = m*dot(x)^2/2;
    potential   = k*(x^4/4[m^2] - x^2/2) - c*temperature*x;
    dissipation = d*dot(x)^2/2;

    let heating: W = if x < 0 { heater } else { 0 };
    state temperature: K, dot(temperature) == (heating - loss*(temperature - outside))/capacity;

    output power: W = heating;
}]
#[derive(Clone, Debug, PartialEq)]
pub struct BimetalThermostat {
    /// Inertia of the strip.
    #[unit(kg)]
    pub m: f64,
    /// Stiffness of the strip.
    #[unit(N/m)]
    pub k: f64,
    /// Force of the strip per temperature.
    #[unit(N/K)]
    pub c: f64,
    /// Damping of the strip.
    #[unit(N*s/m)]
    pub d: f64,
    /// Power of the heater.
    #[unit(W)]
    pub heater: f64,
    /// Loss of heat per temperature.
    #[unit(W/K)]
    pub loss: f64,
    /// Temperature outside.
    #[unit(K)]
    pub outside: f64,
    /// Heat capacity.
    #[unit(J/K)]
    pub capacity: f64,
}

/// A strip that is fast beside the room.
impl Default for BimetalThermostat {
    fn default() -> Self {
        Self { m: 1e-4, k: 1.0, c: 0.2, d: 1e-2, heater: 20.0, loss: 1.0, outside: -10.0, capacity: 10.0 }
    }
}

impl BimetalThermostat {
    /// The temperature 2k/(3√3 c) at which a well vanishes, K.
    pub fn edge(&self) -> f64 {
        2.0 * self.k / (3.0 * 3.0_f64.sqrt() * self.c)
    }

    /// The period of a relay that switches at ± [`edge`](Self::edge), s.
    pub fn period_of_a_relay(&self) -> f64 {
        let (edge, cold, hot) = (self.edge(), self.outside, self.outside + self.heater / self.loss);
        self.capacity / self.loss * (((hot + edge) / (hot - edge)).ln() + ((cold - edge) / (cold + edge)).ln())
    }

    /// The strip on the left in a room at the middle temperature.
    pub fn heating() -> State<f64, 2> {
        State::new(0.0, [-1.0, 0.0], [0.0, 0.0])
    }
}
